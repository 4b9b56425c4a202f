//! `restore` and `encode`, with tools and with a plan.
#![allow(clippy::unwrap_used)]

mod common;

use common::run;
use serde_json::{Value, json};

const TOOLS: &str = r#"[
  {"name": "github/search", "description": "Searches.", "inputSchema": {"type": "object", "properties": {
    "q": {"type": "string"}, "limit": {"type": "integer"}, "labels": {"type": "object", "additionalProperties": {"type": "integer"}}}, "required": ["q"]}},
  {"name": "ping", "description": "Pings.", "inputSchema": {"type": "object", "properties": {}}}
]"#;

fn tools() -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), TOOLS).unwrap();
    file
}

fn with(verb: &str, extra: &[&str], call: &Value) -> common::Run {
    let tools = tools();
    let fixed = [verb, "-", "-p", "openai-strict", "--as-of", "2026-11-29", "--format", "json", "--tools", tools.path().to_str().unwrap()];
    run(&[&fixed, extra].concat(), call.to_string().as_bytes())
}

#[test]
fn a_call_there_and_back() {
    let model = json!({"q": "x", "limit": null, "labels": [{"key": "a", "value": 1}]});
    let got = with(
        "restore",
        &[],
        &json!({"id": "c", "type": "function", "function": {"name": "github_search", "arguments": model.to_string()}}),
    );
    assert_eq!((got.code, got.err.as_str()), (0, ""));
    let want = json!({"name": "github/search", "arguments": {"q": "x", "labels": {"a": 1}}, "issues": []});
    assert_eq!(got.json().to_string(), want.to_string());
    let there = with("encode", &[], &json!({"name": "github/search", "arguments": want["arguments"]}));
    let want = json!({"name": "github_search", "arguments": {"q": "x", "labels": [{"key": "a", "value": 1}], "limit": null}, "issues": []});
    assert_eq!(there.json().to_string(), want.to_string());
}

#[test]
fn a_plan_is_enough() {
    let (tools, plan) = (tools(), tempfile::NamedTempFile::new().unwrap());
    let (tools, plan) = (tools.path().to_str().unwrap(), plan.path().to_str().unwrap());
    let adapted = run(&["adapt", tools, "-p", "openai-strict", "--as-of", "2026-11-29", "--plan", plan], b"");
    assert_eq!(adapted.code, 0, "{}", adapted.err);
    let call = json!({"name": "github_search", "arguments": {"q": "x", "limit": "5", "labels": null}});
    let ways: [&[&str]; 2] =
        [&["restore", "-", "--plan", plan], &["restore", "-", "-p", "openai-strict", "--as-of", "2026-11-29", "--tools", tools]];
    for lenient in [&[][..], &["--lenient"], &["--lenient=numeric-text"], &["--lenient=json-text,letter-case"]] {
        let [one, other] = ways.map(|way| run_bare(&[way, &["--format", "json"], lenient].concat(), &call));
        assert_eq!(one.json(), other.json());
        let read = !lenient.is_empty() && !lenient[0].contains("json-text");
        assert_eq!(one.json()["arguments"], if read { json!({"q": "x", "limit": 5}) } else { json!({"q": "x", "limit": "5"}) });
        assert_eq!(one.json()["issues"].as_array().unwrap().len(), usize::from(read), "{lenient:?}");
    }
}

fn run_bare(args: &[&str], call: &Value) -> common::Run {
    run(args, call.to_string().as_bytes())
}

#[test]
fn issues_and_exit_codes() {
    let call = json!({"name": "github_search", "arguments": {"q": "x", "labels": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]}});
    let got = with("restore", &[], &call);
    assert_eq!(got.code, 0);
    let issue = &got.json()["issues"][0];
    assert_eq!((&issue["path"], &issue["issue"], &issue["level"]), (&json!("/labels/1/key"), &json!("duplicate-key"), &json!("error")));
    assert_eq!(with("restore", &["--strict"], &call).code, 1);
    assert_eq!(with("restore", &["--strict"], &json!({"name": "ping", "arguments": ""})).code, 0);
    let cut = with("restore", &["--strict"], &json!({"name": "ping", "arguments": "{\"a\":"}));
    assert_eq!((cut.code, &cut.json()["issues"][0]["issue"], &cut.json()["arguments"]), (1, &json!("cut-off"), &json!("{\"a\":")));
    let unknown = with("restore", &[], &json!({"name": "pong", "arguments": {}}));
    assert_eq!((unknown.code, unknown.out.as_str()), (2, ""));
    assert!(unknown.err.contains("\"pong\"") && unknown.err.contains("github_search, ping"), "{}", unknown.err);
    for (args, says) in [
        (&["restore", "-"][..], "--plan FILE"),
        (&["restore", "-", "--tools", "-", "-p", "gemini"], "standard input"),
        (&["restore", "-", "--plan", "/nowhere"], "/nowhere"),
    ] {
        let got = run(args, b"{}");
        assert!(got.code == 2 && got.err.contains(says), "{args:?}: {}", got.err);
    }
}

#[test]
fn responses_and_lists() {
    let calls = json!([{"name": "ping", "arguments": {}}, {"type": "tool_use", "id": "t", "name": "github_search", "input": {"q": "x"}}]);
    assert_eq!(with("restore", &[], &calls).json().as_array().unwrap().len(), 2);
    let body = json!({"choices": [{"message": {"tool_calls": [{"id": "c", "function": {"name": "ping", "arguments": "{}"}}]}}]});
    assert_eq!(with("restore", &[], &body).json(), json!({"name": "ping", "arguments": {}, "issues": []}));
    assert_eq!(with("restore", &[], &json!({"choices": []})).code, 2);
}

#[test]
fn arguments_as_text_are_encoded_too() {
    let want = json!({"name": "github_search", "arguments": {"q": "x", "labels": [{"key": "a", "value": 1}], "limit": null}, "issues": []});
    let text = json!({"q": "x", "labels": {"a": 1}}).to_string();
    assert_eq!(with("encode", &[], &json!({"name": "github/search", "arguments": text})).json(), want);
    for (tool, arguments, issue) in [
        ("ping", json!("no JSON"), "not-json"),
        ("github/search", json!("no JSON"), "not-json"),
        ("ping", json!("[1]"), "not-object"),
        ("github/search", json!([1]), "not-object"),
        ("github/search", json!("{\"q\":"), "cut-off"),
    ] {
        let got = with("encode", &["--strict"], &json!({"name": tool, "arguments": arguments}));
        assert_eq!((got.code, &got.json()["arguments"], &got.json()["issues"][0]["issue"]), (1, &arguments, &json!(issue)), "{}", got.out);
    }
    for empty in [json!(""), json!(null)] {
        assert_eq!(with("encode", &["--strict"], &json!({"name": "ping", "arguments": empty})).json()["arguments"], json!({}));
    }
}

#[test]
fn a_key_that_stands_twice_and_a_number_beyond_all_are_told() {
    let tools = tools();
    let fixed = ["-", "-p", "openai-strict", "--as-of", "2026-11-29", "--format", "json", "--tools", tools.path().to_str().unwrap()];
    for verb in ["restore", "encode"] {
        for call in [
            r#"{"name": "github_search", "arguments": {"q": "x", "q": "y", "limit": 1, "labels": null}}"#,
            r#"{"name": "github_search", "arguments": "{\"q\": \"x\", \"q\": \"y\", \"limit\": 1}"}"#,
            r#"{"q": 0, "candidates": [{"content": {"parts": [{"functionCall": {"name": "github_search", "args": {"q": "x", "q": "y"}}}]}}]}"#,
        ] {
            let got = run(&[&[verb], &fixed[..]].concat(), call.as_bytes());
            let issue = &got.json()["issues"][0];
            assert_eq!(
                (&got.json()["arguments"]["q"], &issue["path"], &issue["issue"]),
                (&json!("y"), &json!("/q"), &json!("duplicate-key"))
            );
        }
        let huge = run(&[&[verb], &fixed[..]].concat(), br#"{"name": "ping", "arguments": {"a": 1e400}}"#);
        assert!(huge.code == 2 && huge.err.contains("a number that is too large for a 64-bit float at line 1 column"), "{}", huge.err);
    }
}

#[test]
fn a_line_that_cannot_be_read_stops_no_other() {
    let tools = tools();
    let file = tools.path().to_str().unwrap();
    let ping = r#"{"name": "ping", "arguments": {}}"#;
    let lines = format!("\u{feff}{ping}\n{{\"name\": \"pi\noops\n\n{}\n{ping}\n", r#"{"name": "nobody", "arguments": {}}"#);
    for verb in [&["restore", "-p", "openai-strict"][..], &["encode", "-p", "openai-strict"], &["validate"]] {
        let got = run(&[verb, &["-", "--format", "ndjson", "--tools", file]].concat(), lines.as_bytes());
        let fine = |line: &&str| !line.contains("\"valid\":false") && !line.contains("\"level\":\"error\"");
        assert_eq!((got.code, got.out.lines().count(), got.out.lines().filter(fine).count()), (2, 5, 2), "{}", got.out);
        assert!(
            got.out.contains("line 2: is no JSON: EOF while parsing a string at column 12") && got.out.contains("nobody"),
            "{}",
            got.out
        );
    }
    let odd = format!("{ping}\n5\n\"x\"\n{{broken\n{ping}\n");
    let got = run(&["restore", "-p", "openai-strict", "-", "--format", "ndjson", "--tools", file], odd.as_bytes());
    assert_eq!((got.code, got.out.lines().count(), got.out.matches("\"issues\":[]").count()), (2, 5, 2), "{}", got.out);
    let broken = run(&["validate", "-", "--tools", file], b"{\"name\":\n\"ping\",\n}");
    assert!(broken.code == 2 && broken.err.contains("at line 3 column 1"), "{}", broken.err);
}
