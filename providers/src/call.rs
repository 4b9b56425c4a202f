//! Calls of tools, in every form in which providers deliver them.

use serde_json::{Map, Value};

/// A model's call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The tool's name as the model knows it.
    pub name: Option<String>,
    /// The call's own id, if it has one.
    pub id: Option<String>,
    /// The arguments: an object, or its JSON text.
    pub arguments: Value,
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
        Call { name: Some(name.into()), id: None, arguments }
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
        let mut out = Vec::new();
        gather(value, 0, &mut out);
        out
    }

    fn of(map: &Map<String, Value>) -> Option<Call> {
        let text = |map: &Map<String, Value>, key: &str| map.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
        let id = ["call_id", "id", "toolUseId"].into_iter().find_map(|key| text(map, key));
        if let Some(inner) = WRAPPERS.iter().find_map(|key| map.get(*key)).and_then(Value::as_object) {
            let call = Call::of(inner)?;
            return Some(Call { id: call.id.or(id), ..call });
        }
        let name = text(map, "name");
        // A result of a call has a name too.
        let answer = map.get("type").and_then(Value::as_str).is_some_and(|t| t.contains("result") || t.contains("output"));
        let given = ARGUMENTS.iter().find_map(|key| map.get(*key));
        let bare = name.is_some() && map.keys().all(|k| matches!(k.as_str(), "name" | "id" | "type" | "call_id" | "index" | "toolUseId"));
        match given {
            Some(arguments) if !answer && (name.is_some() || map.len() == 1) => Some(Call { name, id, arguments: arguments.clone() }),
            None if bare && !answer => Some(Call { name, id, arguments: Value::Object(Map::new()) }),
            _ => None,
        }
    }
}

fn gather(value: &Value, depth: usize, out: &mut Vec<Call>) {
    if depth > MOST_DEPTH {
        return;
    }
    match value {
        Value::Array(list) => list.iter().for_each(|v| gather(v, depth + 1, out)),
        Value::Object(map) => match Call::of(map) {
            Some(call) => out.push(call),
            None => HOLDERS.iter().filter_map(|key| map.get(*key)).for_each(|v| gather(v, depth + 1, out)),
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
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
}
