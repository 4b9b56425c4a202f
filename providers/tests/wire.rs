//! What goes into a request: every form there and back, what a tool carries besides, and what one bad entry does to the others.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::path::Path;

use common::{adapt, surfaces};
use schemalect::engine::restore::RestorePlan;
use schemalect::{AdaptedList, Profiles, Selection, Surface};
use serde_json::{Value, json};

fn surface(name: &str) -> Surface {
    surfaces().into_iter().find(|s| s.name() == name).unwrap()
}

fn wire(surface: &Surface, text: &str) -> Value {
    let entries: Vec<Value> = adapt(surface, text).wire(surface).iter().map(|e| serde_json::from_str(e).unwrap()).collect();
    Value::from(entries)
}

/// The tools of the corpus, every so many, and those that the repository ships.
fn tools() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let lines = |file: &str| std::fs::read_to_string(root.join(file)).unwrap_or_default();
    let mut out: Vec<String> = lines("conformance/corpus/shared_tools.ndjson").lines().map(str::to_owned).collect();
    out.extend(lines("../shared/corpus/shared_tools.ndjson").lines().step_by(197).map(str::to_owned));
    out
}

#[test]
fn every_form_is_the_same_when_it_is_read_and_written_again() {
    let tools = tools();
    assert!(tools.len() >= 38, "no tools");
    let list = format!("[{}]", tools.join(","));
    let mut tried = Vec::new();
    for surface in surfaces() {
        // Many surfaces share a form.
        if tried.contains(&surface.wire().cloned()) {
            continue;
        }
        tried.push(surface.wire().cloned());
        let first = wire(&surface, &list);
        let again = wire(&surface, &first.to_string());
        for (one, other) in first.as_array().unwrap().iter().zip(again.as_array().unwrap()) {
            assert_eq!(one.to_string(), other.to_string(), "{}", surface.name());
        }
        assert_eq!(first.as_array().unwrap().len(), again.as_array().unwrap().len(), "{}", surface.name());
    }
}

#[test]
fn what_a_tool_carries_besides_goes_where_it_is_taken() {
    let tool = json!({
        "name": "t", "title": "T", "description": "d", "annotations": {"readOnlyHint": true}, "cache_control": {"type": "ephemeral"},
        "_meta": {"a": [1]}, "strict": true, "behavior": "BLOCKING",
        "inputSchema": {"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "string"}}, "required": ["b", "a"]},
        "outputSchema": {"type": "object"},
    });
    let text = tool.to_string();
    let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    for (name, want) in [
        ("portable", "name description title annotations outputSchema _meta inputSchema"),
        ("anthropic", "name description cache_control input_schema"),
        ("openai-responses", "type name description parameters strict"),
    ] {
        let sent = wire(&surface(name), &text);
        let (mut got, mut want): (Vec<_>, Vec<_>) = (members(&sent[0]).split(' ').map(str::to_owned).collect(), want.split(' ').collect());
        got.sort();
        want.sort_unstable();
        assert_eq!(got, want, "{name}");
    }
    let gemini = wire(&surface("gemini"), &text);
    assert_eq!(members(&gemini[0]["functionDeclarations"][0]), "name description parameters behavior");
    let order: Vec<&String> = gemini[0]["functionDeclarations"][0]["parameters"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(order, ["b", "a"]);
    // The account keeps all of it, and gives it back.
    let mut json = schemalect::Json::new();
    let portable = surface("portable");
    adapt(&portable, &text).write_json(&mut json);
    let account = json.finish();
    assert_eq!(wire(&portable, &account), wire(&portable, &text));
}

#[test]
fn arguments_that_a_tool_carries_are_written_as_the_model_writes_them() {
    let tool = json!({
        "name": "t", "inputSchema": {"type": "object", "required": ["a b", "m"], "properties": {
            "a b": {"type": "string"}, "m": {"type": "object", "additionalProperties": {"type": "string"}}}},
        "input_examples": [{"a b": "x", "m": {"k": "v"}}],
    });
    let sent = wire(&surface("anthropic"), &tool.to_string());
    assert_eq!(sent[0]["input_examples"], json!([{"a_b": "x", "m": {"k": "v"}}]));
    let sent = wire(&surface("anthropic-strict"), &tool.to_string());
    assert_eq!(sent[0]["input_examples"], json!([{"a_b": "x", "m": [{"key": "k", "value": "v"}]}]));
}

#[test]
fn tools_share_a_list_where_the_request_has_one() {
    let gemini = surface("gemini");
    let text =
        r#"[{"name": "a", "inputSchema": {"type": "object"}}, {"googleSearch": {}}, {"name": "b", "inputSchema": {"type": "object"}}]"#;
    let sent = wire(&gemini, text);
    assert_eq!(sent.as_array().unwrap().len(), 2);
    assert_eq!(sent[1], json!({"googleSearch": {}}));
    let names: Vec<&Value> = sent[0]["functionDeclarations"].as_array().unwrap().iter().map(|d| &d["name"]).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(wire(&gemini, &sent.to_string()), sent);
    assert_eq!(wire(&surface("gemini-json-schema"), text)[0]["functionDeclarations"][0]["parametersJsonSchema"], json!({"type": "object"}));
}

#[test]
fn tools_without_arguments_have_the_form_that_is_wanted() {
    let text = r#"[{"name": "none"}, {"name": "anything", "inputSchema": {}}, {"name": "true", "inputSchema": true}, {"name": "null", "inputSchema": null},
        {"name": "bare", "inputSchema": {"type": "object"}}, {"name": "closed", "inputSchema": {"type": "object", "properties": {}, "additionalProperties": false}}]"#;
    // An answer is no tool.
    let of_tools = |s: &Surface| s.wire().is_some_and(|w| w.name.as_ref().is_some_and(|name| !name.starts_with("/json_schema")));
    for surface in surfaces().into_iter().filter(of_tools) {
        let adapted = adapt(&surface, text);
        assert!(adapted.dropped.is_empty(), "{}: {:?}", surface.name(), adapted.dropped);
    }
    let empty = json!({"type": "object", "properties": {}});
    let sent = wire(&surface("anthropic"), text);
    assert_eq!((&sent[0]["input_schema"], &sent[2]["input_schema"], &sent[3]["input_schema"]), (&empty, &empty, &empty));
    // A tool without arguments had to leave its schema out, until it had not to.
    let early = Profiles::builtin().unwrap().resolve("gemini", &Selection::on("2025-01-01".parse().unwrap())).unwrap();
    let sent = wire(&early, text);
    assert!(sent[0]["functionDeclarations"].as_array().unwrap().iter().all(|d| d.get("parameters").is_none()), "{sent}");
}

#[test]
fn one_bad_entry_harms_no_other() {
    let mut good: Vec<Value> = tools().iter().take(9).map(|t| serde_json::from_str(t).unwrap()).collect();
    good.extend(
        (0..40).map(|i| json!({"name": format!("t{i}"), "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}})),
    );
    let deep = (0..190).fold(json!({}), |inner, _| json!({"items": inner}));
    let bad = [
        json!(null),
        json!(7),
        json!("text"),
        json!([]),
        json!({"name": 7, "inputSchema": {"type": "object"}}),
        json!({"name": "x", "inputSchema": "text"}),
        json!({"name": "x", "inputSchema": [1]}),
        json!({"name": "x", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}}}),
        json!({"name": "x", "inputSchema": false}),
        json!({"name": "x", "inputSchema": deep}),
        json!({"name": "", "inputSchema": {"type": "object"}}),
        json!({"unknown": {"type": 1}, "more": 2}),
        json!({"description": "nameless", "inputSchema": {"type": "object"}}),
        json!({"name": "x", "description": {"not": "text"}, "inputSchema": {"type": "object"}}),
        json!({"name": "x", "inputSchema": {"type": "objekt", "properties": 5, "required": "all", "enum": {}}}),
    ];
    for name in ["gemini", "openai-strict", "anthropic", "portable"] {
        let surface = surface(name);
        let alone = adapt(&surface, &Value::from(good.clone()).to_string());
        let entries = |list: &AdaptedList, at: usize| -> Vec<String> {
            let mut json = Vec::new();
            for tool in list.tools.iter().filter(|t| t.index != at) {
                let schema = tool.schema.as_ref().map(|s| s.to_json(s.root()));
                json.push(format!("{:?} {:?} {schema:?} {:?}", tool.name, tool.description, tool.plan.as_ref().map(RestorePlan::to_json)));
            }
            json
        };
        for entry in &bad {
            for at in [0, good.len()] {
                let mut list = good.clone();
                list.insert(at, entry.clone());
                let among = adapt(&surface, &Value::from(list).to_string());
                assert_eq!(entries(&among, at), entries(&alone, usize::MAX), "{name}: {entry} at {at}");
                let told = among.dropped.iter().any(|d| d.index == at && !d.reason.is_empty()) || among.tools.iter().any(|t| t.index == at);
                assert!(told, "{name}: {entry} at {at} is gone without a word");
            }
        }
    }
}

#[test]
fn where_all_tools_are_strict_or_none_one_takes_the_others_along() {
    let fits = json!({"name": "fits", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}});
    let fields: serde_json::Map<String, Value> = (0..501).map(|n| (format!("f{n}"), json!({"type": "string"}))).collect();
    let large = json!({"name": "large", "inputSchema": {"type": "object", "properties": fields, "required": ["f0"]}});
    let check = |name: &str, tools: Value, outcomes: &[&str], beside: Option<&str>| {
        let surface = surface(name);
        let adapted = adapt(&surface, &tools.to_string());
        assert_eq!(adapted.tools.iter().map(|tool| tool.outcome.word()).collect::<Vec<_>>(), outcomes, "{name}");
        assert_eq!(adapted.beside(&surface).as_deref(), beside, "{name}");
        adapted
    };
    check("cohere-strict", json!([fits]), &["unchanged"], Some(r#"{"strict_tools":true}"#));
    check("cohere", json!([fits]), &["unchanged"], None);
    check("cohere-structured-output", json!([fits]), &["unchanged"], None);
    let both = json!([fits, large]);
    check("cohere-strict", both.clone(), &["unstrict", "unstrict"], None);
    let told = check("cerebras-strict", both, &["unstrict", "unstrict"], None);
    let why = &told.tools[0].events.last().unwrap().what;
    assert!(why.starts_with("sent without strict, since all tools of a list are strict or none is: large cannot be: "), "{why}");
    assert!(told.wire(&surface("cerebras-strict")).iter().all(|entry| !entry.contains("strict\":")));
    let tools = json!([{"name": "a", "inputSchema": {"type": "object", "properties": {"f": {"type": "string"}}}}]);
    check("openai-strict", tools, &["clean"], None);
}
