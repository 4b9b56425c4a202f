//! Tools without names, and what is written read back, through every built-in profile.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::{adapt, list, surfaces};
use schemalect::{AdaptedList, Json, Surface};
use serde_json::{Value, json};

const SCHEMA: &str = r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}"#;

fn account(adapted: &AdaptedList) -> Value {
    let mut json = Json::new();
    adapted.write_json(&mut json);
    serde_json::from_str(&json.finish()).unwrap()
}

/// What goes into the request for each tool.
fn wire(surface: &Surface, adapted: &AdaptedList) -> Vec<Value> {
    let entries: Vec<Value> = adapted.wire(surface).iter().map(|e| serde_json::from_str(e).unwrap()).collect();
    match &entries[..] {
        [Value::Object(only)] if only.contains_key("functionDeclarations") => only["functionDeclarations"].as_array().unwrap().clone(),
        _ => entries,
    }
}

/// The surfaces of answers, which have no names, and the members beside the schema of each.
const ANSWERS: &[(&str, &str)] = &[
    ("anthropic-output", r#"{"type": "json_schema", "schema": 0}"#),
    ("bedrock-output", r#"{"textFormat": 0}"#),
    ("cohere-structured-output", r#"{"type": "json_object", "json_schema": 0}"#),
    ("gemini-response", r#"{"responseMimeType": "application/json", "responseSchema": 0}"#),
    ("gemini-response-json-schema", r#"{"responseMimeType": "application/json", "responseJsonSchema": 0}"#),
    ("ollama-format", r#"{"schema": 0}"#),
    ("snowflake-structured-output", r#"{"type": "json", "schema": 0}"#),
    ("vertex-response", r#"{"responseMimeType": "application/json", "responseSchema": 0}"#),
    ("vertex-response-json-schema", r#"{"responseMimeType": "application/json", "responseJsonSchema": 0}"#),
];

fn is_answer(surface: &Surface) -> bool {
    surface.wire().is_some_and(|wire| wire.name.is_none())
}

#[test]
fn a_tool_without_a_name_is_refused_where_tools_have_names() {
    let named = format!(r#"{{"name": "a", "description": "x", "inputSchema": {SCHEMA}}}"#);
    for surface in surfaces().iter().filter(|s| !is_answer(s)) {
        let rule = format!("{}/tool-name-missing", surface.name());
        for (text, at) in [
            (format!(r#"[{named}, {{"description": "x", "inputSchema": {SCHEMA}}}]"#), 1),
            (format!("[{named}, {{}}]"), 1),
            (r#"{"tools": [{}]}"#.to_owned(), 0),
        ] {
            let report = surface.check(&list(&text), 1);
            let mut found = report.tools[at].findings.iter().map(|p| &p.finding);
            let finding = found.find(|f| *f.rule == *rule).unwrap_or_else(|| panic!("{rule}: {text}"));
            assert_eq!((finding.subject.word(), finding.level.word()), ("name", "error"), "{rule}");
            let adapted = adapt(surface, &text);
            assert_eq!((adapted.dropped.len(), adapted.dropped[0].index, adapted.tools.len()), (1, at, at), "{rule}: {text}");
        }
        for text in [SCHEMA.to_owned(), format!("[{SCHEMA}, {SCHEMA}]"), "[{}, true]".to_owned()] {
            let report = surface.check(&list(&text), 1);
            assert!(report.findings().all(|f| f.subject.word() != "name"), "{rule}: {text}");
        }
    }
}

#[test]
fn what_is_written_is_read_back_as_it_is() {
    let named = format!(r#"{{"name": "t", "inputSchema": {SCHEMA}}}"#);
    let described = format!(r#"{{"name": "t", "description": "d", "inputSchema": {SCHEMA}}}"#);
    let listed = format!(r#"[{described}, {{"type": "web_search"}}, {{"name": "u", "description": "d", "inputSchema": {SCHEMA}}}]"#);
    for surface in surfaces() {
        let name = surface.name();
        for text in [SCHEMA, &named, &described, &listed] {
            let first = adapt(&surface, text);
            let (one, second) = (account(&first), adapt(&surface, &account(&first).to_string()));
            let other = account(&second);
            assert!(first.dropped.is_empty() && second.dropped.is_empty(), "{name}: {text}: {other}");
            for (one, other) in one["tools"].as_array().unwrap().iter().zip(other["tools"].as_array().unwrap()) {
                for member in ["name", "description", "schema", "foreign"] {
                    assert_eq!(one[member], other[member], "{name}: {member} of {text}");
                }
                assert_eq!(other["outcome"], json!("unchanged"), "{name}: {text}");
            }
            // A schema alone goes into a tool without a name, which is refused.
            if text != SCHEMA || is_answer(&surface) {
                let sent = wire(&surface, &first);
                let again = wire(&surface, &adapt(&surface, &json!(sent).to_string()));
                assert_eq!(sent, again, "{name}: {text}");
            }
        }
    }
}

#[test]
fn an_answer_has_no_name_and_no_members_of_tools() {
    let text = format!(r#"{{"name": "t", "description": "d", "inputSchema": {SCHEMA}}}"#);
    for (surface, want) in surfaces().iter().filter_map(|s| Some((s, ANSWERS.iter().find(|(n, _)| *n == s.name())?.1))) {
        let mut sent = wire(surface, &adapt(surface, &text)).remove(0);
        for (_, value) in sent.as_object_mut().unwrap().iter_mut().filter(|(_, v)| v.is_object()) {
            *value = json!(0);
        }
        assert_eq!(sent, serde_json::from_str::<Value>(want).unwrap(), "{}", surface.name());
    }
    let structured = surfaces().into_iter().find(|s| s.name() == "openai-structured-output").unwrap();
    let sent = wire(&structured, &adapt(&structured, &text)).remove(0);
    let members: Vec<&str> = sent.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!((members, &sent["json_schema"]["strict"]), (vec!["type", "json_schema"], &json!(true)));
}
