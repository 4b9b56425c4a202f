//! The nearest right word for a wrong one.

use strsim::osa_distance;

/// The candidate that is most like `word`, if one is near enough to be meant.
#[must_use]
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let folded = word.to_lowercase();
    let limit = (folded.chars().count() / 4).saturating_add(1);
    candidates
        .into_iter()
        .map(|candidate| (osa_distance(&folded, &candidate.to_lowercase()), candidate))
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
    names.map(|name| (osa_distance(&own, &letters(name)), name)).filter(|(d, _)| *d <= limit).min_by_key(|(d, _)| *d).map(|(_, name)| name)
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
}
