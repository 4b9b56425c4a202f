//! What a JSON text says and a value of it does not hold: keys that stand twice, numbers that are rounded.

use serde_json::Number;

use crate::budget::{Budget, Telling};
use crate::path::{Places, push_token};
use crate::tree::{Id, Kind, Span, Tree};

use super::issue::{Issue, IssueKind, IssueLevel};

/// No more losses of a kind than this are told.
const MOST_LOSSES: usize = 10_000;
/// A text without this many digits in a row, and without an exponent, writes no number that is rounded.
const SAFE_DIGITS: usize = 15;

/// What reading a text lost, as issues with pointers into its value; nothing of a text that cannot be read.
///
/// ```
/// use schemalect_engine::Budget;
/// use schemalect_engine::restore::losses;
///
/// let lost = losses(r#"{"a": 1, "a": 2, "id": 123456789012345678901234567890}"#, &Budget::default());
/// assert_eq!(lost.iter().map(|i| (i.path.as_str(), i.issue.word())).collect::<Vec<_>>(), [("/a", "duplicate-key"), ("/id", "rounded")]);
/// ```
#[must_use]
pub fn losses(text: &str, budget: &Budget) -> Vec<Issue> {
    // Most texts can be told to lose nothing without being read.
    let keys = text.bytes().filter(|&b| b == b':').nth(1).is_some();
    let numbers = has_long_number(text);
    if !keys && !numbers {
        return Vec::new();
    }
    let Ok(tree) = Tree::parse(text.trim(), budget) else { return Vec::new() };
    let mut telling = Telling::default();
    let mut told = |issue: &Issue| telling.takes(issue.path.len().saturating_add(issue.message.len()));
    let places = Places::below(&tree, tree.root());
    let repeated = tree.duplicates.in_order().map(|(object, key)| repeated(&tree, &places, object, key));
    let mut out: Vec<Issue> = repeated.take_while(&mut told).take(MOST_LOSSES).collect();
    out.sort_by(|a, b| a.path.cmp(&b.path));
    out.dedup();
    if numbers {
        let rounded = tree.descendants(tree.root()).filter_map(|id| rounded(&tree, &places, id));
        out.extend(rounded.take_while(told).take(MOST_LOSSES));
    }
    out
}

fn repeated(tree: &Tree, places: &Places<'_>, object: Id, key: Span) -> Issue {
    let key = tree.slice(key);
    let key = serde_json::from_str::<String>(&format!("\"{key}\"")).unwrap_or_else(|_| key.to_owned());
    let mut path = places.pointer(object) + "/";
    push_token(&mut path, &key);
    let message = "the key stands more than once; its last value counts".to_owned();
    Issue { path, issue: IssueKind::DuplicateKey, level: IssueLevel::Error, message }
}

/// A fraction that is rounded is a note, an integer an error: it often is an identifier.
fn rounded(tree: &Tree, places: &Places<'_>, id: Id) -> Option<Issue> {
    let raw = (tree.kind(id) == Kind::Num).then(|| tree.raw(id))?;
    let number: Number = serde_json::from_str(raw).ok()?;
    if same_number(raw, &number.to_string()) {
        return None;
    }
    let level = if raw.contains(['.', 'e', 'E']) { IssueLevel::Note } else { IssueLevel::Error };
    let shown: String = raw.chars().take(40).collect();
    let message = format!("the number {shown} has more digits than a 64-bit number holds; it is read as {number}");
    Some(Issue { path: places.pointer(id), issue: IssueKind::Rounded, level, message })
}

fn has_long_number(text: &str) -> bool {
    let mut run = 0_usize;
    let mut last = b' ';
    for byte in text.bytes() {
        run = match byte {
            b'0'..=b'9' => run.saturating_add(1),
            b'.' => run,
            b'e' | b'E' if last.is_ascii_digit() => return true,
            _ => 0,
        };
        if run > SAFE_DIGITS {
            return true;
        }
        last = byte;
    }
    false
}

/// Whether two numbers of JSON are one number.
pub(crate) fn same_number(a: &str, b: &str) -> bool {
    decimal(a) == decimal(b)
}

/// Sign, digits without zeros at their ends, and the power of ten of the last digit.
fn decimal(raw: &str) -> (bool, String, i64) {
    let (negative, raw) = raw.strip_prefix('-').map_or((false, raw), |rest| (true, rest));
    let (mantissa, power) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let kept = digits.trim_end_matches('0');
    let dropped = i64::try_from(digits.len().saturating_sub(kept.len())).unwrap_or(i64::MAX);
    let after_point = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let power = power.parse::<i64>().unwrap_or(i64::MAX).saturating_add(dropped).saturating_sub(after_point);
    match kept.trim_start_matches('0') {
        "" => (false, String::new(), 0),
        significant => (negative, significant.to_owned(), power),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &[(&str, &str, IssueLevel)]) {
        let found = losses(text, &Budget::default());
        let found: Vec<_> = found.iter().map(|i| (i.path.as_str(), i.issue.word(), i.level)).collect();
        assert_eq!(found, want, "{text}");
    }

    #[test]
    fn what_a_value_does_not_hold() {
        let (error, note) = (IssueLevel::Error, IssueLevel::Note);
        check(r#"{"a": 18446744073709551615, "b": -9223372036854775808, "c": 0.1, "d": 1e300, "e": 1E2, "f": 100.00}"#, &[]);
        check("12345678901234567890123", &[("", "rounded", error)]);
        check("[-9223372036854775809]", &[("/0", "rounded", error)]);
        check("[100000000000000000000000]", &[]);
        check("[0.1234567890123456789]", &[("/0", "rounded", note)]);
        check("[1e-400]", &[("/0", "rounded", note)]);
        check("[0e999, -0, -0.0, 0.000]", &[]);
        check(r#"{"a/b": {"c": 1, "c": 2}, "d": "12345678901234567890123"}"#, &[("/a~1b/c", "duplicate-key", error)]);
        check(r#"{"a": 1, "\u0061": 2}"#, &[("/a", "duplicate-key", error)]);
        check(r#"{"a": 1, "a""#, &[]);
    }
}
