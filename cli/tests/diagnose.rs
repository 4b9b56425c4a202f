//! `diagnose`: from an error text to the tool, place and rule.

mod common;

use std::fs;

use common::run;
use serde_json::json;

const TOOLS: &str = r#"{"tools": [
  {"name": "ping", "inputSchema": {"type": "object"}},
  {"name": "tag", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array"}}}}]}"#;
const ERROR: &str = r#"{"error": {"code": 400, "message": "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[tags].items: missing field.\n"}}"#;

#[test]
fn a_message_leads_to_its_tool() {
    let folder = tempfile::tempdir().expect("a folder");
    let tools = folder.path().join("tools.json");
    fs::write(&tools, TOOLS).expect("written");
    let tools = tools.display().to_string();
    let diagnose = |flags: &[&str], error: &str| run(&[&["diagnose", "-", "--tools", &tools], flags].concat(), error.as_bytes());

    let found = diagnose(&["--format", "json"], ERROR);
    let all = found.json();
    let one = &all["matches"][0];
    assert_eq!((found.code, all["matches"].as_array().map(Vec::len)), (0, Some(1)), "{}", found.err);
    assert_eq!((&one["profile"], &one["rule"]), (&json!("gemini"), &json!("gemini/array-without-items")));
    assert_eq!((&one["tool"], &one["path"]), (&json!({"index": 1, "name": "tag"}), &json!("/properties/tags")));
    assert_eq!((&one["confidence"], &one["subject"]), (&json!("exact"), &json!("schema")));
    assert!(one["advice"].as_str().is_some_and(|a| a.contains("adapt -p gemini")), "{one}");

    let text = diagnose(&[], ERROR);
    assert!(text.code == 0 && text.out.starts_with("tag (#1)  /properties/tags  gemini/array-without-items\n"), "{}", text.out);
    let line = diagnose(&["--format", "ndjson"], ERROR);
    assert_eq!((line.lines().len(), &line.lines()[0]), (1, one));

    // Words that nobody knows, at a place that the tool has, and at one that it has not.
    let new = |place: &str| format!("tools.{place}: no such words were heard before");
    let pointed = diagnose(&["--format", "json"], &new("1.custom.input_schema.properties.tags"));
    let place = json!({"profile": "anthropic", "tool": {"index": 1, "name": "tag"}, "path": "/properties/tags"});
    assert_eq!((pointed.code, pointed.json()), (0, json!({"matches": [], "pointed": [place]})));
    assert_eq!(diagnose(&["--format", "ndjson"], &new("1.custom.input_schema.properties.tags")).lines(), [json!({"pointed": place})]);
    let text = diagnose(&[], &new("1.custom.input_schema"));
    assert_eq!((text.code, text.out.as_str()), (0, "tag (#1)  (root)  named in words that no rule of anthropic knows\n"));
    assert_eq!(diagnose(&[], &new("0.custom.input_schema.properties.tags")).code, 1);

    let nothing = diagnose(&["--format", "json"], "429 slow down");
    assert_eq!((nothing.code, nothing.json()), (1, json!({"matches": []})));
    let other = diagnose(&["-p", "anthropic", "--quiet"], ERROR);
    assert_eq!((other.code, other.out.as_str()), (1, "nothing in the text is known\n"));
    let bytes = run(&["diagnose", "-", "--tools", &tools], b"\xff\xfe array schema missing items");
    assert!(bytes.code == 0 && bytes.out.contains("found by checking"), "{}", bytes.out);

    for flags in [&["-p", "nobody"][..], &["--set", "colour=red"], &["--tools", "-"]] {
        assert_eq!(diagnose(flags, ERROR).code, 2, "{flags:?}");
    }
}

/// Positions and indices count over all lines.
#[test]
fn tools_one_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let tools = folder.path().join("tools.ndjson");
    fs::write(&tools, "{\"name\": \"ping\", \"inputSchema\": {\"type\": \"object\"}}\n{\"name\": \"tag\", \"inputSchema\": {\"type\": \"object\", \"properties\": {\"tags\": {\"type\": \"array\"}}}}\n").expect("written");
    let found = run(&["diagnose", "-", "--tools", &tools.display().to_string(), "--format", "json"], ERROR.as_bytes());
    assert_eq!(found.json()["matches"][0]["tool"], json!({"index": 1, "name": "tag"}));
}
