//! The nearest right word for a wrong one.

/// The candidate that is most like `word`, if one is near enough to be meant.
#[must_use]
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let folded = word.to_lowercase();
    let limit = 1 + folded.chars().count() / 4;
    candidates
        .into_iter()
        .map(|candidate| (distance(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The name that a word was meant to be: one or, in long words, two letters away, and not the same name in another spelling
/// (`any_of`, `ref`) or a name of one's own (`x-…`).
pub(crate) fn slip_of<'c>(word: &str, names: impl Iterator<Item = &'c str> + Clone) -> Option<&'c str> {
    const SHORT: usize = 4;
    const LONG: usize = 9;
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let own = letters(word);
    let length = own.chars().count();
    if length < SHORT || word.starts_with("x-") || names.clone().any(|name| letters(name) == own) {
        return None;
    }
    let limit = if length < LONG { 1 } else { 2 };
    names.map(|name| (distance(&own, &letters(name)), name)).filter(|(d, _)| *d <= limit).min_by_key(|(d, _)| *d).map(|(_, name)| name)
}

/// Edits between two words, where two letters that changed places count once.
#[expect(clippy::indexing_slicing, reason = "`above` and `row` have one place more than `right`, and all that is below a place is there")]
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let mut best = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1);
            let swapped = i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b;
            if swapped {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words() {
        let words = ["object", "array", "nullable", "null-in-type", "map"];
        let check = |word, near| assert_eq!(nearest(word, words), near, "{word}");
        check("objcet", Some("object"));
        check("Object", Some("object"));
        check("nulable", Some("nullable"));
        check("mop", Some("map"));
        check("tuple", None);
        check("", None);
    }

    #[test]
    fn slips() {
        let names = ["default", "anyOf", "$ref", "maxItems", "additionalProperties", "not"];
        let check = |word, name| assert_eq!(slip_of(word, names.into_iter()), name, "{word}");
        check("defualt", Some("default"));
        check("maxItem", Some("maxItems"));
        check("aditionalProprties", Some("additionalProperties"));
        for other in ["default", "any_of", "ref", "x-default", "defaults-of-mine", "nod", "search"] {
            check(other, None);
        }
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "acb"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
