//! Calls of tools, in every form in which providers deliver them.

use schemalect_engine::Budget;
use schemalect_engine::path::push_token;
use schemalect_engine::restore::{Issue, losses, read_arguments};
use serde_json::{Map, Value};

use crate::read::ReadOptions;

/// A model's call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool's name as the model knows it.
    pub name: Option<String>,
    /// The call's own id, if it has one.
    pub id: Option<String>,
    /// The arguments: an object, or its JSON text.
    pub arguments: Value,
    /// What the call's text said of the arguments and they do not hold. Only known of calls that were read from text.
    pub losses: Vec<Issue>,
}

/// Bodies are searched at most so deep.
const MOST_DEPTH: usize = 12;
/// Members under which a body holds calls.
const HOLDERS: [&str; 12] =
    ["choices", "message", "messages", "delta", "tool_calls", "output", "content", "candidates", "parts", "response", "calls", "params"];
/// Members under which an entry holds its call.
const WRAPPERS: [&str; 6] = ["function", "functionCall", "function_call", "toolUse", "tool_use", "toolCall"];
/// Members that hold the arguments.
const ARGUMENTS: [&str; 4] = ["arguments", "input", "args", "parameters"];

impl Call {
    /// A call by name.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: Value) -> Call {
        Call { name: Some(name.into()), id: None, arguments, losses: Vec::new() }
    }

    /// A call without a name: the text holds the arguments alone.
    ///
    /// # Errors
    /// The text is no JSON.
    pub fn of_arguments(text: &str) -> serde_json::Result<Call> {
        Ok(Call { name: None, id: None, arguments: serde_json::from_str(text)?, losses: lost(text) })
    }

    /// As [`Call::all_in`], of a JSON text.
    ///
    /// # Errors
    /// The text is no JSON.
    pub fn all_in_text(text: &str) -> serde_json::Result<Vec<Call>> {
        let losses = lost(text);
        let mut found = found(&serde_json::from_str(text)?);
        for (call, at) in &mut found {
            let inside = |loss: &Issue| {
                let path = loss.path.strip_prefix(at.as_str()).filter(|p| p.starts_with('/'))?;
                Some(Issue { path: path.to_owned(), ..loss.clone() })
            };
            call.losses = losses.iter().filter_map(inside).collect();
        }
        Ok(found.into_iter().map(|(call, _)| call).collect())
    }

    /// Every call in a value: one call, a list of them, or a whole response body.
    ///
    /// ```
    /// use schemalect::Call;
    /// use serde_json::json;
    ///
    /// let body = json!({"content": [{"type": "text", "text": "Let me see."}, {"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}}]});
    /// let calls = Call::all_in(&body);
    /// assert_eq!((calls.len(), calls[0].name.as_deref(), &calls[0].arguments), (1, Some("f"), &json!({"a": 1})));
    /// ```
    #[must_use]
    pub fn all_in(value: &Value) -> Vec<Call> {
        found(value).into_iter().map(|(call, _)| call).collect()
    }

    /// The arguments, read where they are text, and what is wrong with them.
    #[must_use]
    pub fn read(self) -> (Value, Vec<Issue>) {
        let (arguments, mut issues) = read_arguments(self.arguments);
        issues.extend(self.losses);
        (arguments, issues)
    }

    /// The call, and the pointer of its arguments.
    fn of(map: &Map<String, Value>, at: &str) -> Option<(Call, String)> {
        let text = |map: &Map<String, Value>, key: &str| map.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
        let id = ["call_id", "id", "toolUseId"].into_iter().find_map(|key| text(map, key));
        let wrapped = WRAPPERS.iter().find_map(|key| Some((key, map.get(*key)?)));
        if let Some((key, inner)) = wrapped.and_then(|(key, inner)| Some((key, inner.as_object()?))) {
            let (call, at) = Call::of(inner, &below(at, key))?;
            return Some((Call { id: call.id.or(id), ..call }, at));
        }
        let name = text(map, "name");
        // A result of a call has a name too.
        let answer = map.get("type").and_then(Value::as_str).is_some_and(|t| t.contains("result") || t.contains("output"));
        let given = ARGUMENTS.iter().find_map(|key| Some((key, map.get(*key)?)));
        let bare = name.is_some() && map.keys().all(|k| matches!(k.as_str(), "name" | "id" | "type" | "call_id" | "index" | "toolUseId"));
        match given {
            Some((key, arguments)) if !answer && (name.is_some() || map.len() == 1) => {
                Some((Call { name, id, arguments: arguments.clone(), losses: Vec::new() }, below(at, key)))
            }
            None if bare && !answer => Some((Call { name, id, arguments: Value::Object(Map::new()), losses: Vec::new() }, at.to_owned())),
            _ => None,
        }
    }
}

/// Every call in a value, with the pointer of its arguments.
fn found(value: &Value) -> Vec<(Call, String)> {
    let mut out = Vec::new();
    gather(value, "", 0, &mut out);
    out
}

fn gather(value: &Value, at: &str, depth: usize, out: &mut Vec<(Call, String)>) {
    if depth > MOST_DEPTH {
        return;
    }
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, v)| gather(v, &below(at, &i.to_string()), depth.saturating_add(1), out));
        }
        Value::Object(map) => match Call::of(map, at) {
            Some(call) => out.push(call),
            None => {
                let inner = HOLDERS.iter().filter_map(|key| Some((key, map.get(*key)?)));
                inner.for_each(|(key, v)| gather(v, &below(at, key), depth.saturating_add(1), out));
            }
        },
        _ => {}
    }
}

fn below(at: &str, key: &str) -> String {
    let mut out = format!("{at}/");
    push_token(&mut out, key);
    out
}

/// What reading a text loses, however long it is.
fn lost(text: &str) -> Vec<Issue> {
    losses(text, &Budget { bytes: usize::MAX, ..ReadOptions::default().document })
}

#[cfg(test)]
mod tests {
    use schemalect_engine::restore::IssueKind;
    use serde_json::json;

    use super::*;

    #[test]
    fn every_form() {
        let text = r#"{"a":1}"#;
        for (form, id) in [
            (json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": text}}), "c"),
            (json!({"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": text, "status": "completed"}), "c"),
            (json!({"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}), "c"),
            (json!({"functionCall": {"name": "f", "args": {"a": 1}}}), ""),
            (json!({"functionCall": {"id": "c", "name": "f", "args": {"a": 1}}, "thoughtSignature": "x"}), "c"),
            (json!({"toolUse": {"toolUseId": "c", "name": "f", "input": {"a": 1}}}), "c"),
            (json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "f", "arguments": {"a": 1}}}), ""),
            (json!({"name": "f", "arguments": {"a": 1}, "_meta": {}}), ""),
            (json!({"function": {"name": "f", "arguments": {"a": 1}}}), ""),
            (json!({"name": "f", "parameters": {"a": 1}}), ""),
            (
                json!({"choices": [{"message": {"content": null, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": text}}]}}]}),
                "c",
            ),
            (
                json!({"output": [{"type": "reasoning", "summary": []}, {"type": "function_call", "call_id": "c", "name": "f", "arguments": text}]}),
                "c",
            ),
            (
                json!({"role": "assistant", "content": [{"type": "text", "text": "x"}, {"type": "tool_use", "id": "c", "name": "f", "input": {"a": 1}}]}),
                "c",
            ),
            (
                json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "x"}, {"functionCall": {"name": "f", "args": {"a": 1}}}]}}]}),
                "",
            ),
            (
                json!({"output": {"message": {"content": [{"text": "x"}, {"toolUse": {"toolUseId": "c", "name": "f", "input": {"a": 1}}}]}}}),
                "c",
            ),
            (json!({"message": {"role": "assistant", "tool_calls": [{"function": {"index": 0, "name": "f", "arguments": {"a": 1}}}]}}), ""),
        ] {
            let calls = Call::all_in(&form);
            let [call] = &calls[..] else { panic!("{form}: {calls:?}") };
            assert_eq!((call.name.as_deref(), call.id.as_deref().unwrap_or("")), (Some("f"), id), "{form}");
            assert!(call.arguments == json!({"a": 1}) || call.arguments == json!(text), "{form}");
        }
    }

    #[test]
    fn what_is_no_call() {
        for form in [
            json!({"type": "tool_result", "tool_use_id": "c", "content": "done"}),
            json!({"type": "function_call_output", "call_id": "c", "output": "done"}),
            json!({"text": "name"}),
            json!("f"),
            json!({"name": "f", "description": "A tool."}),
        ] {
            assert_eq!(Call::all_in(&form), [], "{form}");
        }
        assert_eq!(Call::all_in(&json!({"name": "f"})), [Call::new("f", json!({}))]);
        assert_eq!(Call::all_in(&json!({"arguments": {"a": 1}})).len(), 1);
    }

    #[test]
    fn a_key_that_stands_twice_is_told_by_its_place_in_the_arguments() {
        let text = r#"[{"id": 1, "id": 2, "name": "f", "arguments": {"a": 1, "a": 2, "b": [{"c/d": 1, "c/d": 2}]}}, {"name": "g", "input": {"a": 1}}]"#;
        let calls = Call::all_in_text(text).expect("JSON");
        assert_eq!(calls.iter().map(|c| c.losses.len()).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(calls[0].losses.iter().map(|l| l.path.as_str()).collect::<Vec<_>>(), ["/a", "/b/0/c~1d"]);
        assert_eq!(calls[0].arguments["a"], json!(2));
        let (arguments, issues) = Call::new("f", json!(r#"{"a": 1, "a": 2}"#)).read();
        assert_eq!((arguments, issues[0].issue, issues[0].path.as_str()), (json!({"a": 2}), IssueKind::DuplicateKey, "/a"));
        let (_, huge) = Call::new("f", json!(r#"{"a": 1e400}"#)).read();
        assert!(huge[0].message.starts_with("the arguments hold a number that is too large for a 64-bit float at line 1"), "{huge:?}");
    }
}
