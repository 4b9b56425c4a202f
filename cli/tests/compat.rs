//! The command lines of other tools, as they are written here.

mod common;

use std::fs;
use std::process::Command;

use common::{fed, run};
use serde_json::{Value, json};

const EXAMPLE: &str = r##"{"type": "object",
    "$defs": {"Point": {"type": "object", "required": ["lat", "lon"], "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}}}},
    "properties": {"start": {"$ref": "#/$defs/Point"}, "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": null}, "tags": {"type": "array"}},
    "required": ["start"]}"##;

/// The lines of its changes, in order.
fn check(profile: &str, schema: &str, expected: &[&str]) {
    let result = run(&["adapt", "-", "-p", profile, "--as", "schema", "--audit"], schema.as_bytes());
    assert_eq!(result.code, 0, "{}", result.err);
    let lines: Vec<&str> = result.err.lines().filter(|l| l.contains(": ") && !l.starts_with([' ', '#'])).collect();
    assert_eq!(lines, expected, "{}", result.err);
}

#[test]
fn changes_are_told_in_the_words_of_the_profile() {
    check(
        "schemashim-gemini",
        EXAMPLE,
        &[
            "start: inlined $ref #/$defs/Point (references are not supported)",
            "limit: null branch of anyOf changed to nullable",
            "tags: array without an items type: passed as a JSON string",
        ],
    );
    let nested = r#"{"type": "object", "properties": {"b": {"type": "object", "properties": {"c": {"const": "x"}}}, "a": {"type": ["integer", "null"]}}}"#;
    check(
        "schemashim-gemini",
        nested,
        &["b.c: missing type set to string", "b.c: const changed to a one-value enum", "a: null in the type list changed to nullable"],
    );
}

#[test]
fn the_binary_needs_nothing_beside_itself() {
    let empty = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_schemalect"));
    command.args(["adapt", "-", "-p", "schemashim-gemini", "--as", "schema"]).env_clear().current_dir(empty.path());
    let output = fed(&mut command, EXAMPLE.as_bytes());
    let schema: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(output.status.success() && schema["properties"]["limit"]["nullable"] == json!(true), "{schema}");
    assert_eq!(fs::read_dir(empty.path()).expect("a folder").count(), 0);
}

#[test]
fn a_file_of_any_form_is_checked_for_one_target_or_both() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let tool = json!({"name": "t", "inputSchema": schema});
    let both = "schemashim-gemini,schemashim-openai-strict";
    for input in [
        schema.clone(),
        tool.clone(),
        json!([tool]),
        json!({"tools": [tool]}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool]}}),
    ] {
        let check = |profiles: &str| run(&["check", "-", "-p", profiles, "--format", "json"], input.to_string().as_bytes());
        assert_eq!((check("schemashim-gemini").code, check(both).code), (0, 1), "{input}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tools.json");
    fs::write(&file, json!([tool]).to_string()).expect("written");
    let fixed = run(&["adapt", &file.display().to_string(), "-p", "schemashim-openai-strict", "--format", "json"], b"");
    let mut strict = schema;
    strict["additionalProperties"] = json!(false);
    assert_eq!(fixed.json(), json!([{"type": "function", "function": {"name": "t", "strict": true, "parameters": strict}}]));
}
