//! Every form in which tools and schemas are written is read, and told apart.

mod common;

use common::run;
use serde_json::json;

const SCHEMA: &str = r#"{"type": "object", "properties": {"a": {"const": "x"}}}"#;

/// `$S` stands for a schema with one fault; the names are those of the tools that have it.
fn check(input: &str, flags: &[&str], names: &[Option<&str>]) {
    let input = input.replace("$S", SCHEMA);
    let args = [&["check", "-", "-p", "acme", "--format", "json"], flags].concat();
    let result = run(&args, input.as_bytes());
    assert_eq!(result.code, 1, "{input}\n{}", result.err);
    let report = result.json();
    let tools = report["tools"].as_array().expect("tools");
    assert_eq!(tools.len(), names.len(), "{input}");
    for (index, (tool, name)) in tools.iter().zip(names).enumerate() {
        assert_eq!((&tool["index"], &tool["name"], &tool["accepted"]), (&json!(index), &json!(name), &json!(false)), "{input}");
        let finding = &tool["findings"][0];
        assert_eq!((&finding["rule"], &finding["path"]), (&json!("acme/probe-const"), &json!("/properties/a/const")), "{input}");
        if let Some(start) = finding["span"]["start"].as_u64() {
            assert!(input[usize::try_from(start).expect("small")..].starts_with("\"x\""), "{input}: {start}");
        }
    }
}

#[test]
fn one_schema() {
    check("$S", &[], &[None]);
    check("$S", &["--input", "schema"], &[None]);
    check("\u{feff}\n\n $S", &[], &[None]);
    check(r#"{"id": "x", "bytes": 1, "schema": $S}"#, &[], &[None]);
    check(r#"{"n": 1, "why": ["x"], "name": "t", "description": "d", "schema": $S}"#, &[], &[Some("t")]);
}

#[test]
fn one_tool() {
    for text in [
        r#"{"name": "t", "inputSchema": $S}"#,
        r#"{"name": "t", "title": null, "description": null, "inputSchema": $S, "annotations": {"type": "x"}}"#,
        r#"{"name": "t", "description": "d", "input_schema": $S}"#,
        r#"{"name": "t", "description": "d", "parameters": $S}"#,
        r#"{"type": "function", "function": {"name": "t", "parameters": $S, "strict": true}}"#,
        r#"{"type": "function", "name": "t", "parameters": $S, "strict": false}"#,
        r#"{"type": "custom", "name": "t", "input_schema": $S}"#,
        r#"{"name": "t", "parametersJsonSchema": $S}"#,
        r#"{"toolSpec": {"name": "t", "inputSchema": {"json": $S}}}"#,
        r#"{"name": "t", "parameter_definitions": {"a": {"const": "x", "required": true}}}"#,
        r#"{"name": "t", "type": "WRITE", "parameters": [{"name": "a", "const": "x", "required": true}]}"#,
        r#"{"type": "json_schema", "json_schema": {"name": "t", "schema": $S}}"#,
        r#"{"server": "s", "version": "1", "name": "t", "inputSchema": $S, "outputSchema": null}"#,
    ] {
        check(text, &[], &[Some("t")]);
        check(text, &["--input", "tool"], &[Some("t")]);
    }
}

#[test]
fn lists() {
    let tool = r#"{"name": "t", "inputSchema": $S}"#;
    for text in [
        "[T]",
        r#"{"tools": [T]}"#,
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": [T], "nextCursor": "x"}}"#,
        r#"{"model": "m", "messages": [{"role": "user", "content": "type"}], "tools": [T], "strict": true}"#,
        r#"{"toolConfig": {"tools": [T], "toolChoice": {"auto": {}}}}"#,
        r#"{"tools": [{"functionDeclarations": [T]}]}"#,
        r#"{"function_declarations": [T]}"#,
        r#"{"functions": [T]}"#,
    ] {
        let text = text.replace('T', tool);
        check(&text, &[], &[Some("t")]);
        check(&text, &["--input", "tools"], &[Some("t")]);
    }
    check(&r#"[T, $S, {"functionDeclarations": [T, T]}]"#.replace('T', tool), &[], &[Some("t"), None, Some("t"), Some("t")]);
}

#[test]
fn what_a_provider_brings_goes_through() {
    let text = r#"{"tools": [{"type": "web_search", "max_uses": 1}, {"googleSearch": {}}, {"name": "t", "parameters": {}}]}"#;
    let result = run(&["adapt", "-", "-p", "acme", "--format", "json"], text.as_bytes());
    assert_eq!(
        (result.code, &result.json()[0], &result.json()[1]),
        (0, &json!({"type": "web_search", "max_uses": 1}), &json!({"googleSearch": {}}))
    );
}

#[test]
fn none_of_these() {
    for (text, flags, words) in [
        ("3", &[][..], "1:1: neither a schema nor tools: saw a number"),
        ("\n  \"type\"", &[], "2:3: neither a schema nor tools: saw a string"),
        (r#"{"foo": 1, "bar": 2}"#, &[], "saw an object with `foo`, `bar`"),
        ("[1, 2]", &[], "saw a list that begins with a number"),
        (r#"{"jsonrpc": "2.0", "error": {"code": 1}}"#, &[], "`jsonrpc`, `error`"),
        ("[]", &["--input", "schema"], "1:1: no JSON Schema: saw an empty list"),
        (r#"{"type": "object"}"#, &["--input", "tools"], "no list of tools"),
    ] {
        let result = run(&[&["check", "-", "-p", "acme"], flags].concat(), text.as_bytes());
        assert_eq!(result.code, 2, "{text}");
        assert!(result.err.contains(words) && result.out.is_empty(), "{text}: {}", result.err);
    }
    let empty = run(&["check", "-", "-p", "acme", "--format", "json"], b"{\"tools\": []}");
    assert_eq!((empty.code, &empty.json()["summary"]["tools"]), (0, &json!(0)));
}

#[test]
fn a_list_in_a_list_is_reported_with_its_index() {
    let tool = r#"{"name": "t", "inputSchema": {"type": "object"}}"#;
    for odd in ["[]", &format!("[{tool}]"), "5", "null"] {
        let text = format!("[{tool}, {odd}, {tool}]");
        let report = run(&["check", "-", "-p", "acme", "--format", "json"], text.as_bytes()).json();
        let indexes: Vec<_> =
            report["tools"].as_array().expect("tools").iter().map(|t| (t["index"].clone(), t["accepted"].clone())).collect();
        assert_eq!(indexes, [(json!(0), json!(true)), (json!(1), json!(false)), (json!(2), json!(true))], "{odd}");
        assert_eq!(report["tools"][1]["findings"][0]["rule"], json!("input/not-a-tool"), "{odd}");
    }
}

#[test]
fn the_schema_of_an_answer() {
    for text in [
        r#"{"responseMimeType": "application/json", "responseSchema": $S}"#,
        r#"{"responseJsonSchema": $S}"#,
        r#"{"contents": [{"parts": []}], "generationConfig": {"temperature": 0, "responseSchema": $S}}"#,
        r#"{"model": "m", "response_format": {"type": "json_schema", "json_schema": {"name": "n", "strict": true, "schema": $S}}}"#,
        r#"{"model": "m", "text": {"format": {"type": "json_schema", "name": "n", "schema": $S}}}"#,
        r#"{"model": "m", "output_config": {"format": {"type": "json_schema", "schema": $S}}}"#,
        r#"{"type": "json_schema", "schema": $S}"#,
    ] {
        check(text, &[], &[None]);
    }
}
