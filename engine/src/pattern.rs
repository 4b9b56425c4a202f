//! Regular expressions of plans. Those that say which characters a name may have, and how many, are carried out without an engine.

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// A compiled pattern, in the syntax of the `regex` crate; it may match anywhere, unless it is anchored.
#[derive(Clone, Debug)]
pub struct Pattern(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// The whole text: these runs, one after the other.
    Runs(Vec<Run>),
    Any(Regex),
}

/// So many ASCII characters of a set.
#[derive(Clone, Debug)]
struct Run {
    set: [u64; 4],
    least: usize,
    most: usize,
}

impl Pattern {
    /// Compiles it.
    ///
    /// # Errors
    /// What the `regex` crate says of it.
    pub fn new(text: &str) -> Result<Pattern, regex::Error> {
        let runs = regex_syntax::parse(text).ok().and_then(|hir| runs(&hir));
        Ok(Pattern(match runs {
            Some(runs) => Kind::Runs(runs),
            None => Kind::Any(Regex::new(text)?),
        }))
    }

    /// Whether it matches.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        match &self.0 {
            Kind::Any(regex) => regex.is_match(text),
            Kind::Runs(runs) => {
                let mut rest = text.as_bytes();
                for run in runs {
                    let fits = |&byte: &u8| run.set.get(usize::from(byte >> 6)).is_some_and(|bits| bits & 1 << (byte & 63) != 0);
                    let count = rest.iter().take(run.most).take_while(|byte| fits(byte)).count();
                    match rest.split_at_checked(count) {
                        Some((_, more)) if count >= run.least => rest = more,
                        _ => return false,
                    }
                }
                rest.is_empty()
            }
        }
    }
}

/// The runs of an anchored pattern that is nothing else. All but the last are of a fixed length, so that none can take what is another's.
fn runs(hir: &Hir) -> Option<Vec<Run>> {
    let HirKind::Concat(parts) = hir.kind() else { return None };
    let [first, middle @ .., last] = parts.as_slice() else { return None };
    if !matches!(first.kind(), HirKind::Look(Look::Start)) || !matches!(last.kind(), HirKind::Look(Look::End)) {
        return None;
    }
    let runs: Vec<Run> = middle.iter().map(run).collect::<Option<_>>()?;
    let (_, before) = runs.split_last()?;
    before.iter().all(|run| run.least == run.most).then_some(runs)
}

fn run(hir: &Hir) -> Option<Run> {
    let size = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
    match hir.kind() {
        HirKind::Class(class) => Some(Run { set: set(class)?, least: 1, most: 1 }),
        HirKind::Repetition(times) if times.greedy => match times.sub.kind() {
            HirKind::Class(class) => Some(Run { set: set(class)?, least: size(times.min), most: times.max.map_or(usize::MAX, size) }),
            _ => None,
        },
        _ => None,
    }
}

/// The characters of a class, if all of them are ASCII.
fn set(class: &Class) -> Option<[u64; 4]> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => class.iter().map(|r| (r.start().into(), r.end().into())).collect(),
        Class::Bytes(class) => class.iter().map(|r| (r.start().into(), r.end().into())).collect(),
    };
    let mut set = [0; 4];
    for byte in ranges.into_iter().flat_map(|(start, end)| start..=end) {
        *set.get_mut(byte as usize >> 6).filter(|_| byte < 128)? |= 1 << (byte & 63);
    }
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, runs: bool, texts: &[&str]) {
        let fast = Pattern::new(pattern).expect(pattern);
        assert_eq!(matches!(fast.0, Kind::Runs(_)), runs, "{pattern}");
        let slow = Regex::new(pattern).expect(pattern);
        for text in texts {
            assert_eq!(fast.is_match(text), slow.is_match(text), "{pattern} on {text:?}");
        }
    }

    #[test]
    fn runs_match_what_the_engine_matches() {
        let texts =
            ["", "a", "ab", "abc", "abcd", "a1", "1a", "_", "a-b", "a b", "a\n", "\na", "é", "aé", "a.b", "ABC", "~", "\u{7f}", "\u{0}"];
        for pattern in
            ["^[a-z]{1,3}$", "^[A-Za-z_][A-Za-z0-9_.-]{0,2}$", "^[a-z]*$", "^[a-z]+$", "^[a-z0-9]{2}[a-z]{0,}$", "^(?-u:[a-z])+$"]
        {
            check(pattern, true, &texts);
        }
        for pattern in
            ["[a-z]+", "^[a-z]+", "^[a-z]*[a-z]$", "^[^a]+$", "^(?i:k)+$", "^[a-z]{1,2}?$", "^abc$", "^(ab|c)+$", "(?m)^[a-z]+$", "^$", ""]
        {
            check(pattern, false, &texts);
        }
        assert!(Pattern::new("(").is_err());
    }
}
