//! JSON in text, as models deliver it: bare, in a code fence, encoded twice.

use serde_json::{Error, Map, Value};

use crate::budget::Budget;

use super::issue::{Issue, IssueKind, IssueLevel};
use super::loss::{losses, same_number};

/// So often JSON may stand in a JSON string.
const MOST_LAYERS: usize = 3;

/// Reads the arguments of a call, which may arrive as an object or as its text. Nothing at all is an object without members.
///
/// ```
/// use schemalect_engine::restore::read_arguments;
/// use serde_json::json;
///
/// assert_eq!(read_arguments(json!("{\"a\": 1}")), (json!({"a": 1}), vec![]));
/// let (kept, issues) = read_arguments(json!("{\"a\":"));
/// assert_eq!((kept, issues[0].issue.word()), (json!("{\"a\":"), "cut-off"));
/// ```
#[must_use]
pub fn read_arguments(arguments: Value) -> (Value, Vec<Issue>) {
    read_root(arguments, false)
}

/// The same; `any`: other values than objects are right too.
pub(crate) fn read_root(arguments: Value, any: bool) -> (Value, Vec<Issue>) {
    let mut issues = Vec::new();
    let mut issue = |issue, level, message: &str| issues.push(Issue { path: String::new(), issue, level, message: message.to_owned() });
    let text = match arguments {
        Value::Object(_) => return (arguments, issues),
        Value::Null => return (Value::Object(Map::new()), issues),
        Value::String(text) => text,
        other if any => return (other, issues),
        other => {
            issue(IssueKind::NotObject, IssueLevel::Error, "the arguments are no object");
            return (other, issues);
        }
    };
    if text.trim().is_empty() {
        return (Value::Object(Map::new()), issues);
    }
    let (mut fenced, mut layers) = (false, 0);
    let mut layer = text.clone();
    loop {
        let Decoded { value, fenced: fence, losses } = match decode(&layer) {
            Ok(decoded) => decoded,
            Err(unread) => {
                issue(unread.kind, IssueLevel::Error, &format!("the arguments {}", unread.what));
                return (Value::String(text), issues);
            }
        };
        fenced |= fence;
        match value {
            Value::String(inner) if layers < MOST_LAYERS => {
                layers = layers.saturating_add(1);
                layer = inner;
            }
            value if value.is_object() || (any && value.is_array()) => {
                if fenced {
                    issue(IssueKind::Fenced, IssueLevel::Note, "the arguments stood in a code fence");
                }
                if layers > 0 {
                    issue(IssueKind::DoubleEncoded, IssueLevel::Note, "the arguments were encoded as JSON text more than once");
                }
                issues.extend(losses);
                return (value, issues);
            }
            Value::Null if layers == 0 => return (Value::Object(Map::new()), issues),
            _ => {
                issue(IssueKind::NotObject, IssueLevel::Error, "the arguments are no object");
                return (Value::String(text), issues);
            }
        }
    }
}

/// Reads a value that may arrive as its JSON text, as free-form parameters do: bare or in a code fence. Text that is no JSON stays as it is,
/// and so does every value that is no text.
///
/// ```
/// use schemalect_engine::restore::read_json_text;
/// use serde_json::json;
///
/// assert_eq!(read_json_text(json!("```json\n{\"a\": 1}\n```")), json!({"a": 1}));
/// assert_eq!(read_json_text(json!("not json")), json!("not json"));
/// ```
#[must_use]
pub fn read_json_text(value: Value) -> Value {
    let Value::String(text) = &value else { return value };
    decode(text).map_or(value, |decoded| decoded.value)
}

/// The same, where a list is wanted: text that is the JSON of anything else stays the one item that it is.
#[must_use]
pub fn read_list_text(value: Value) -> Value {
    let Value::String(text) = &value else { return value };
    match decode(text) {
        Ok(Decoded { value: list @ Value::Array(_), .. }) => list,
        _ => value,
    }
}

/// Reads a boolean that may arrive as a word: true, yes, on, 1 and false, no, off, 0, in any letter case. A number is neither, nor is any other word.
#[must_use]
pub fn read_boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(word) => yes_or_no(word),
        _ => None,
    }
}

/// What a text is the JSON of.
pub(crate) struct Decoded {
    pub(crate) value: Value,
    /// Whether it stood in a code fence.
    pub(crate) fenced: bool,
    /// What the text says and the value does not hold.
    pub(crate) losses: Vec<Issue>,
}

/// Why a text cannot be read; `what` follows the noun.
pub(crate) struct Unread {
    pub(crate) kind: IssueKind,
    pub(crate) what: String,
}

impl From<Error> for Unread {
    fn from(error: Error) -> Unread {
        let text = error.to_string();
        let after = |start: &str| text.strip_prefix(start);
        // The library tells syntax from limits by its words alone.
        let (kind, what) = match (after("number out of range"), after("recursion limit exceeded")) {
            (Some(place), _) => (IssueKind::NotJson, format!("hold a number that is too large for a 64-bit float{place}")),
            (_, Some(place)) => (IssueKind::TooDeep, format!("are nested more deeply than is read{place}")),
            _ if error.is_eof() => (IssueKind::CutOff, "end in the middle".to_owned()),
            _ => (IssueKind::NotJson, format!("are no JSON: {text}")),
        };
        Unread { kind, what }
    }
}

/// Reads JSON text, which may stand in a code fence.
pub(crate) fn decode(text: &str) -> Result<Decoded, Unread> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let read = |text: &str, fenced| {
        let value = serde_json::from_str(text)?;
        Ok(Decoded { value, fenced, losses: losses(text, &Budget { bytes: usize::MAX, ..Budget::default() }) })
    };
    let Some(inner) = text.strip_prefix("```") else { return read(text, false) };
    let inner = inner.trim_end_matches('`').trim();
    let word = inner.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '+' | '.')).unwrap_or(inner.len());
    read(inner, true).or_else(|_: Unread| read(inner.get(word..).unwrap_or_default(), true))
}

/// The number that a text writes, by JSON's rules.
pub(crate) fn number(text: &str) -> Option<serde_json::Number> {
    let text = text.trim();
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    match serde_json::from_str(text) {
        // An integer that would be rounded stays text.
        Ok(Value::Number(number)) => (text.contains(['.', 'e', 'E']) || same_number(text, &number.to_string())).then_some(number),
        _ => None,
    }
}

/// A number without a fraction as an integer, where that is exact.
pub(crate) fn integral(number: &serde_json::Number) -> Option<serde_json::Number> {
    if !number.is_f64() {
        return Some(number.clone());
    }
    // Up to 2^53 every integer is a float of its own.
    let float = number.as_f64().filter(|f| f.fract() == 0.0 && f.abs() <= 9_007_199_254_740_992.0)?;
    Some(serde_json::Number::from(float as i64))
}

/// What a word says of a boolean.
pub(crate) fn yes_or_no(text: &str) -> Option<bool> {
    let word = text.trim();
    let is = |words: [&str; 4]| words.iter().any(|w| w.eq_ignore_ascii_case(word));
    if is(["true", "yes", "on", "1"]) {
        Some(true)
    } else if is(["false", "no", "off", "0"]) {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_in_every_form() {
        for (given, want, issue) in [
            (json!({"a": 1}), json!({"a": 1}), ""),
            (json!("{\"a\": 1}"), json!({"a": 1}), ""),
            (json!("\u{feff} {\"a\": 1}\n"), json!({"a": 1}), ""),
            (json!("```json\n{\"a\":1}\n```"), json!({"a": 1}), "fenced"),
            (json!("```json {\"a\": 1}```"), json!({"a": 1}), "fenced"),
            (json!("```{\"a\": 1}```"), json!({"a": 1}), "fenced"),
            (json!("\"{\\\"a\\\":1}\""), json!({"a": 1}), "double-encoded"),
            (json!("{\"a\":"), json!("{\"a\":"), "cut-off"),
            (json!("```json\n{\"a\":"), json!("```json\n{\"a\":"), "cut-off"),
            (json!("[1]"), json!("[1]"), "not-object"),
            (json!([1]), json!([1]), "not-object"),
            (json!("go"), json!("go"), "not-json"),
            (json!("{\"a\": NaN}"), json!("{\"a\": NaN}"), "not-json"),
            (json!("{} and more"), json!("{} and more"), "not-json"),
            (json!("{\"a\": 1e400}"), json!("{\"a\": 1e400}"), "not-json"),
            (json!("{\"a\": 1, \"a\": 2}"), json!({"a": 2}), "duplicate-key"),
            (json!("{\"a\": 123456789012345678901}"), json!({"a": 123_456_789_012_345_678_901.0}), "rounded"),
            (json!("[".repeat(200)), json!("[".repeat(200)), "too-deep"),
            (json!(null), json!({}), ""),
            (json!(""), json!({}), ""),
        ] {
            let (got, issues) = read_arguments(given.clone());
            assert_eq!((&got, issues.first().map_or("", |i| i.issue.word())), (&want, issue), "{given}");
        }
    }

    #[test]
    fn values_that_arrive_as_text() {
        for (given, json, list) in [
            (json!("[1, 2]"), json!([1, 2]), json!([1, 2])),
            (json!("{\"a\": 1}"), json!({"a": 1}), json!("{\"a\": 1}")),
            (json!("```json [1]```"), json!([1]), json!([1])),
            (json!("123"), json!(123), json!("123")),
            (json!("null"), json!(null), json!("null")),
            (json!("NaN"), json!("NaN"), json!("NaN")),
            (json!(""), json!(""), json!("")),
            (json!("a sentence"), json!("a sentence"), json!("a sentence")),
            (json!({"a": 1}), json!({"a": 1}), json!({"a": 1})),
            (json!(["x"]), json!(["x"]), json!(["x"])),
            (json!(null), json!(null), json!(null)),
        ] {
            assert_eq!((read_json_text(given.clone()), read_list_text(given.clone())), (json, list), "{given}");
        }
        let booleans = [json!(true), json!("Off"), json!(1), json!("maybe"), json!("")].map(|v| read_boolean(&v));
        assert_eq!(booleans, [Some(true), Some(false), None, None, None]);
    }

    #[test]
    fn numbers_by_the_rules_of_json() {
        for text in ["1_000", "inf", "NaN", "1e999", "+5", "0x10", "05", "5.", "", "true", "123456789012345678901"] {
            assert_eq!(number(text), None, "{text}");
        }
        assert_eq!(number(" 5 ").map(|n| n.to_string()), Some("5".into()));
        assert_eq!(number("5.5").as_ref().and_then(integral), None);
        assert_eq!(number("5.0").as_ref().and_then(integral).map(|n| n.to_string()), Some("5".into()));
        assert_eq!(number("1e300").as_ref().and_then(integral), None);
    }

    #[test]
    fn words_that_are_booleans() {
        let all = ["true", "YES", " on ", "1", "no", "Off", "0", "FALSE", "", "maybe", "2"].map(yes_or_no);
        let (t, f, n) = (Some(true), Some(false), None);
        assert_eq!(all, [t, t, t, t, f, f, f, f, n, n, n]);
    }
}
