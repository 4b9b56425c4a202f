//! Arguments against the tool's own schema.
#![cfg(feature = "validate")]

mod common;

use std::fs;

use common::run;
use serde_json::json;

const TOOLS: &str = r#"[{"name": "book", "inputSchema": {"type": "object", "properties": {"day": {"type": "string", "format": "date"}},
    "required": ["day", "room"]}}, {"name": "ping", "inputSchema": {"type": "object", "properties": {"p": {"pattern": "(a)\\1"}}}}]"#;

#[test]
fn a_call_is_judged_by_the_schema_as_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let tools = folder.path().join("tools.json");
    fs::write(&tools, TOOLS).expect("written");
    let tools = tools.display().to_string();
    let validate = |more: &[&str], call: &str| run(&[&["validate", "-", "--tools", &tools], more].concat(), call.as_bytes());

    let bad = validate(&["--format", "json"], r#"{"name": "book", "arguments": "{\"day\": \"soon\"}"}"#);
    assert_eq!((bad.code, &bad.json()["valid"], &bad.json()["missing"]), (1, &json!(false), &json!(["/room"])), "{}", bad.err);
    assert_eq!(bad.json()["errors"].as_array().map(Vec::len), Some(2));
    let good = validate(&[], r#"{"name": "book", "arguments": {"day": "2026-11-29", "room": 7}}"#);
    assert_eq!((good.code, good.out.as_str()), (0, "valid\n"));

    let missing = validate(&["--missing"], r#"{"name": "book", "arguments": {"day": "soon"}}"#);
    assert_eq!((missing.code, missing.out.as_str()), (1, "/room  is required and missing\n"));
    let enough = validate(&["--missing"], r#"{"name": "book", "arguments": {"day": "soon", "room": 1}}"#);
    assert_eq!((enough.code, enough.out.as_str()), (0, "nothing is missing\n"));

    let doubtful = validate(&[], r#"{"name": "ping", "arguments": {"p": "b"}}"#);
    assert!(doubtful.code == 0 && doubtful.out.contains("not checked: /properties/p/pattern"), "{}", doubtful.out);

    for call in [r#"{"name": "nobody", "arguments": {}}"#, "{}", "no JSON"] {
        assert_eq!(validate(&[], call).code, 2, "{call}");
    }
}

#[test]
fn of_one_tool_the_arguments_are_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    let schema = folder.path().join("schema.json");
    fs::write(&schema, r#"{"type": "object", "required": ["name", "arguments"]}"#).expect("written");
    let schema = schema.display().to_string();
    assert_eq!(run(&["validate", "-", "--tools", &schema], br#"{"name": "x", "arguments": 1}"#).code, 0);
    assert_eq!(run(&["validate", "-", "--tools", &schema], br#"{"name": "x"}"#).code, 1);
    // Arguments may be called as the parts of a call are.
    fs::write(
        folder.path().join("tool.json"),
        r#"{"name": "t", "inputSchema": {"properties": {"input": {"type": "string"}}, "required": ["input"]}}"#,
    )
    .expect("written");
    let tool = folder.path().join("tool.json").display().to_string();
    assert_eq!(run(&["validate", "-", "--tools", &tool], br#"{"input": "x"}"#).code, 0);
    assert_eq!(run(&["validate", "-", "--tools", &tool], br#"{"name": "t", "input": {"input": "x"}}"#).code, 0);
    // What cannot be read has nothing that is asked for.
    assert_eq!(run(&["validate", "-", "--tools", &tool, "--missing"], br#"{"name": "t", "arguments": "{\"input\":"}"#).code, 1);
}

#[test]
fn calls_in_every_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let (several, one) = (folder.path().join("tools.json"), folder.path().join("tool.json"));
    fs::write(&several, TOOLS).expect("written");
    fs::write(&one, r#"{"name": "greet", "inputSchema": {"type": "object", "required": ["name"]}}"#).expect("written");
    let check = |tools: &std::path::Path, call: &str, code: i32, words: &str| {
        let got = run(&["validate", "-", "--tools", &tools.display().to_string()], call.as_bytes());
        assert!(got.code == code && format!("{}{}", got.out, got.err).contains(words), "{call}: {} {}{}", got.code, got.out, got.err);
    };
    check(&several, r#"{"type": "tool_use", "id": "t", "name": "ping", "input": {}}"#, 0, "valid");
    check(&several, r#"{"type": "function", "function": {"name": "book", "arguments": "{\"day\": \"2026-11-29\"}"}}"#, 1, "room");
    check(&several, r#"{"functionCall": {"name": "book", "args": {"day": "2026-11-29", "room": 1}}}"#, 0, "valid");
    check(&several, r#"{"name": "ping"}"#, 0, "valid");
    check(&several, r#"{"name": "book"}"#, 1, "room");
    check(&several, r#"{"name": "ping", "arguments": null}"#, 0, "valid");
    check(&several, r#"{"name": "ping", "arguments": "{\"p\":"}"#, 1, "end in the middle");
    check(&several, r#"{"name": "ping", "arguments": [1]}"#, 1, "no object");
    check(&several, r#"{"choices": [{"message": {"tool_calls": [{"function": {"name": "nobody", "arguments": "{}"}}]}}]}"#, 2, "nobody");
    check(&one, r#"{"name": "Ada"}"#, 0, "valid");
    check(&one, r#"{"name": "greet", "arguments": {"name": "Ada"}}"#, 0, "valid");
    check(&one, r#"{"type": "tool_use", "name": "great", "input": {"name": "Ada"}}"#, 2, "no tool named `great`");
    check(&one, "{}", 1, "name");
    check(&one, r#"{"name": 1e400}"#, 2, "a number that is too large for a 64-bit float at line 1");
    let both = r#"[{"name": "ping", "arguments": {}}, {"name": "book", "arguments": {"day": "2026-11-29"}}]"#;
    let both = run(&["validate", "-", "--tools", &several.display().to_string(), "--format", "json"], both.as_bytes());
    let valid: Vec<_> = both.json().as_array().expect("a list").iter().map(|v| v["valid"].clone()).collect();
    assert_eq!((both.code, valid), (1, vec![json!(true), json!(false)]));
}
