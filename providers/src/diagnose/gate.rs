//! Which patterns can match a text at all, by one pass over it for the texts that each of them needs.

use aho_corasick::AhoCorasick;
use regex_syntax::hir::{Hir, HirKind};

/// A set of patterns, known by their numbers.
#[derive(Debug)]
pub(super) struct Gate {
    needles: Option<AhoCorasick>,
    /// The patterns that need each text.
    owners: Vec<Vec<usize>>,
    /// The patterns that need none.
    open: Vec<usize>,
}

/// Where a text was found that some patterns need.
pub(super) struct Sighting<'g> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) patterns: &'g [usize],
}

impl Gate {
    pub(super) fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Gate {
        let (mut texts, mut owners, mut open) = (Vec::<String>::new(), Vec::<Vec<usize>>::new(), Vec::new());
        for (number, pattern) in patterns.into_iter().enumerate() {
            let Some(needed) = regex_syntax::parse(pattern).ok().as_ref().and_then(needed) else {
                open.push(number);
                continue;
            };
            for text in needed {
                match texts.iter().position(|t| *t == text).and_then(|at| owners.get_mut(at)) {
                    Some(owners) => owners.push(number),
                    None => {
                        texts.push(text);
                        owners.push(vec![number]);
                    }
                }
            }
        }
        let needles = AhoCorasick::new(&texts).ok();
        if needles.is_none() {
            open.extend(owners.iter().flatten());
        }
        Gate { needles, owners, open }
    }

    /// The patterns that may match anything.
    pub(super) fn open(&self) -> &[usize] {
        &self.open
    }

    /// What of the needed texts stands in a text, in order.
    pub(super) fn sightings<'g>(&'g self, text: &'g str) -> impl Iterator<Item = Sighting<'g>> {
        let found = self.needles.iter().flat_map(move |needles| needles.find_overlapping_iter(text));
        found.filter_map(|m| {
            let patterns = self.owners.get(m.pattern().as_usize())?;
            Some(Sighting { start: m.start(), end: m.end(), patterns })
        })
    }
}

/// Texts of which one stands in everything that the pattern matches: the longest that can be told.
fn needed(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).ok().map(|text| vec![text.to_owned()]),
        HirKind::Capture(capture) => needed(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => needed(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(needed).max_by_key(|texts| shortest(texts)),
        HirKind::Alternation(parts) => parts.iter().map(needed).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        _ => None,
    }
}

fn shortest(texts: &[String]) -> usize {
    texts.iter().map(String::len).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, texts: Option<&[&str]>) {
        let got = needed(&regex_syntax::parse(pattern).expect(pattern));
        assert_eq!(got.as_ref().map(|v| v.iter().map(String::as_str).collect::<Vec<_>>()).as_deref(), texts, "{pattern}");
    }

    #[test]
    fn what_a_pattern_needs() {
        check("'(?<key>[^']+)' is not permitted", Some(&["' is not permitted"]));
        check("(?:context=\\((?<path>[^)]*)\\), )?array schema missing", Some(&["array schema missing"]));
        check("(?<path>\\S+)\\.items: missing|property is not defined", Some(&[".items: missing", "property is not defined"]));
        check("(?<key>if|then) is", Some(&[" is"]));
        check("(?:abc)+", Some(&["abc"]));
        check("\\d+|abc", None);
        check("(?i)abc", None);
    }

    #[test]
    fn sightings_are_of_every_pattern() {
        let gate = Gate::new(["missing items", "items: no", "\\d"]);
        let seen: Vec<_> = gate.sightings("a missing items: no").map(|s| (s.start, s.end, s.patterns.to_vec())).collect();
        assert_eq!(seen, [(2, 15, vec![0]), (10, 19, vec![1])]);
        assert_eq!(gate.open(), [2]);
    }
}
