//! Compares an answer with what is recorded; matchers stand for what a system's documentation leaves open.
//!
//! `{"$any": true}` matches any value, and as a member of an object also its absence; `{"$contains": ["a", "b"]}` a text with all these parts, `{"$set": [1, 2]}` a list of these in any order.
//! Objects match whatever the order of their members, arrays by position, numbers by how they are written (`5` is not `5.0`). An issue of
//! `changes`, if it is an object, may have members besides the recorded ones; so may the error.

use serde_json::Value;

use super::Answer;
use super::record::Told;

/// How an answer is other than what is told; nothing where it is not.
#[must_use]
pub fn mismatch(told: &Told, answer: &Answer) -> Option<String> {
    let part = |what: &str, pattern: Option<&Value>, value: Option<&Value>| {
        let write = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
        Some(format!("{what}: expected {}\n     got {}", write(pattern), write(value)))
    };
    let same_output = match (&told.output, &answer.output) {
        (Some(pattern), value) => matches(pattern, value.as_ref()),
        (None, value) => value.is_none() || told.raised.is_none(),
    };
    if !same_output {
        let found = if let (None, Some(raised)) = (&answer.output, &answer.raised) { Some(raised) } else { answer.output.as_ref() };
        return part("output", told.output.as_ref(), found);
    }
    if let Some(pattern) = &told.changes
        && !all_told(pattern, answer.changes.as_ref())
    {
        return part("changes", Some(pattern), answer.changes.as_ref());
    }
    match (&told.raised, &answer.raised) {
        (None, None) => None,
        (Some(pattern), Some(value)) if told_of(pattern, value) => None,
        (pattern, value) => part("raised", pattern.as_ref(), value.as_ref()),
    }
}

/// Whether a value, or the absence of one, is what a pattern says.
#[must_use]
pub fn matches(pattern: &Value, value: Option<&Value>) -> bool {
    if is_any(pattern) {
        return true;
    }
    let Some(value) = value else { return false };
    match (pattern, value) {
        (Value::Object(members), value) if members.len() == 1 && members.contains_key("$contains") => {
            contains(&members["$contains"], value)
        }
        (Value::Object(members), Value::Array(value)) if members.len() == 1 && members.contains_key("$set") => {
            members["$set"].as_array().is_some_and(|set| {
                set.len() == value.len() && set.iter().all(|pattern| value.iter().any(|value| matches(pattern, Some(value))))
            })
        }
        (Value::Object(pattern), Value::Object(value)) => {
            pattern.iter().all(|(key, pattern)| matches(pattern, value.get(key))) && value.keys().all(|key| pattern.contains_key(key))
        }
        (Value::Array(pattern), Value::Array(value)) => {
            pattern.len() == value.len() && pattern.iter().zip(value).all(|(pattern, value)| matches(pattern, Some(value)))
        }
        (pattern, value) => pattern == value,
    }
}

fn is_any(pattern: &Value) -> bool {
    pattern.as_object().is_some_and(|members| members.len() == 1 && members.get("$any") == Some(&Value::Bool(true)))
}

fn contains(parts: &Value, value: &Value) -> bool {
    let (Some(parts), Some(text)) = (parts.as_array(), value.as_str()) else { return false };
    parts.iter().all(|part| part.as_str().is_some_and(|part| text.contains(part)))
}

/// A list of issues, one by one.
fn all_told(pattern: &Value, value: Option<&Value>) -> bool {
    match (pattern, value) {
        (Value::Array(pattern), Some(Value::Array(value))) => {
            pattern.len() == value.len() && pattern.iter().zip(value).all(|(pattern, value)| told_of(pattern, value))
        }
        (pattern, value) => matches(pattern, value),
    }
}

/// What is recorded of an issue or error, whatever else is known of it.
fn told_of(pattern: &Value, value: &Value) -> bool {
    match (pattern, value) {
        (Value::Object(pattern), Value::Object(value)) if !pattern.keys().any(|key| key.starts_with('$')) => {
            pattern.iter().all(|(key, pattern)| matches(pattern, value.get(key)))
        }
        (pattern, value) => matches(pattern, Some(value)),
    }
}
