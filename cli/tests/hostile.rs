//! Bad inputs are refused with a place, and one bad tool harms no other.

mod common;

use common::run;
use serde_json::{Value, json};

#[test]
fn what_is_no_json_is_placed() {
    let deep = "[".repeat(200_000) + &"]".repeat(200_000);
    let check = |input: &[u8], words: &str| {
        let result = run(&["check", "-", "-p", "acme"], input);
        assert_eq!(result.code, 2, "{words}: {}", result.err);
        assert!(result.err.contains(words), "{words}: {}", result.err);
        assert_eq!(result.out, "", "{words}");
    };
    check(b"", "<stdin>:1:1: not JSON");
    check(b"{} {}", "<stdin>:1:4: not JSON: more text after the value");
    check(b"{\n \"a\": tru }", "<stdin>:2:10: not JSON");
    check(b"{\"type\": \"str\0ing\"}", "<stdin>:1:14: not JSON");
    check(b"{\"type\": \"\xff\"}", "<stdin>:1:11: not JSON: invalid UTF-8");
    for lone in [
        r#"{"type": "\ud800"}"#,
        r#"{"type": "\ud83d and more"}"#,
        r#"{"type": "\udc00"}"#,
        r#"{"type": "\ud800\u0041"}"#,
        r#"{"type": "\ud800\n"}"#,
    ] {
        check(lone.as_bytes(), "not JSON: half of a surrogate pair, without the other half; write both halves");
    }
    check(b"{\"type\": NaN}", "<stdin>:1:10: not JSON");
    check(&"[".repeat(200_000).into_bytes(), "over budget");
    check(deep.as_bytes(), "over budget");
    check(&[0xFF, 0xFE, b'{', 0], "invalid UTF-8");
    let missing = run(&["check", "no-such-file.json", "-p", "acme"], b"");
    assert!(missing.code == 2 && missing.err.contains("no-such-file.json"), "{}", missing.err);
}

#[test]
fn odd_schemas_are_read() {
    let big = format!(r#"{{"type": "object", "description": "{}"}}"#, "x".repeat(5_000_000));
    for (text, code) in [
        (r#"{"type": {"x": 1}}"#, 0),
        (r#"{"maximum": 1e400, "minimum": -1E-400, "default": 12345678901234567890123}"#, 0),
        (r#"{"const": 1, "const": 2, "properties": {"a": {}, "a": {"const": 3}}}"#, 1),
        (r#"{"properties": [1, {"const": 2}], "required": {"a": 1}, "anyOf": "x", "$ref": 5}"#, 0),
        ("true", 0),
        ("{}", 0),
        (big.as_str(), 1),
    ] {
        let checked = run(&["check", "-", "-p", "acme", "--format", "json"], text.as_bytes());
        assert_eq!(checked.code, code, "{}: {}", &text[..text.len().min(60)], checked.err);
        let adapted = run(&["adapt", "-", "-p", "acme", "--as", "schema"], text.as_bytes());
        assert!(adapted.code < 2, "{}: {}", &text[..text.len().min(60)], adapted.err);
    }
    let over = run(&["check", "-", "-p", "acme", "--format", "json"], big.as_bytes()).json();
    assert_eq!(over["tools"][0]["findings"][0]["rule"], json!("input/over-budget"));
    let raised = run(&["check", "-", "-p", "acme", "--limit", "bytes=6000000"], big.as_bytes());
    assert_eq!(raised.code, 0);
    let numbers = run(
        &["adapt", "-", "-p", "acme", "--as", "schema", "--format", "json"],
        br#"{"maximum":1e400,"default":[1.0,1.50,12345678901234567890123]}"#,
    );
    assert_eq!(numbers.out.trim_end(), r#"{"maximum":1e400,"default":[1.0,1.50,12345678901234567890123]}"#);
}

/// Fifty tools; `bad` stands in the middle of them.
fn tools(bad: Option<&str>) -> String {
    let good =
        |i: usize| format!(r#"{{"name": "t{i}", "inputSchema": {{"type": "object", "properties": {{"p{i}": {{"const": {i}.0}}}}}}}}"#);
    let mut tools: Vec<String> = (0..49).map(good).collect();
    if let Some(bad) = bad {
        tools.insert(25, bad.to_owned());
    }
    format!(r#"{{"tools": [{}]}}"#, tools.join(", "))
}

#[test]
fn one_bad_tool_harms_no_other() {
    let deep = format!(r#"{{"name": "bad", "inputSchema": {}1{}}}"#, r#"{"not":["#.repeat(5_000), "]}".repeat(5_000));
    let big = format!(r#"{{"name": "bad", "inputSchema": {{"description": "{}"}}}}"#, "x".repeat(5_000));
    let want = run(&["adapt", "-", "-p", "acme", "--limit", "bytes=4000"], tools(None).as_bytes());
    assert_eq!(want.code, 0, "{}", want.err);
    for (bad, rule) in [
        ("3", "input/not-a-tool"),
        ("null", "input/not-a-tool"),
        (r#"{"foo": 1, "bar": 2}"#, "input/not-a-tool"),
        (r#"{"name": 5, "inputSchema": {}}"#, "input/name-not-text"),
        (r#"{"name": "bad", "inputSchema": "x"}"#, "input/schema-kind"),
        (r#"{"name": "bad", "inputSchema": [{"type": "object"}]}"#, "input/schema-kind"),
        (deep.as_str(), "input/over-budget"),
        (big.as_str(), "input/over-budget"),
    ] {
        let text = tools(Some(bad));
        for jobs in ["1", "2"] {
            let result = run(&["adapt", "-", "-p", "acme", "--limit", "bytes=4000", "--jobs", jobs], text.as_bytes());
            assert_eq!(result.code, 1, "{rule}: {}", result.err);
            assert!(result.out == want.out, "{rule}: the other tools changed");
            let account =
                run(&["adapt", "-", "-p", "acme", "--as", "tools", "--limit", "bytes=4000", "--jobs", jobs], text.as_bytes()).json();
            let dropped = &account["dropped"];
            assert_eq!((dropped.as_array().map(Vec::len), &dropped[0]["index"]), (Some(1), &json!(25)), "{rule}");
            assert_eq!(dropped[0]["findings"][0]["rule"], json!(rule));
        }
        let report = run(&["check", "-", "-p", "acme", "--format", "json", "--limit", "bytes=4000"], text.as_bytes()).json();
        assert_eq!(report["tools"][25]["findings"][0]["rule"], json!(rule));
    }
}

#[test]
fn a_tool_that_does_not_fit_meets_its_choice() {
    let text = r#"[{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "inputSchema": {"type": "object", "not": {}}}]"#;
    let account = |flags: &[&str]| run(&[&["adapt", "-", "--as", "tools", "--format", "json"], flags].concat(), text.as_bytes());
    let outcomes = |value: &Value| -> Vec<String> {
        value["tools"]
            .as_array()
            .expect("tools")
            .iter()
            .map(|t| format!("{}:{}", t["index"], t["outcome"].as_str().unwrap_or_default()))
            .collect()
    };
    let check = |flags: &[&str], code: i32, want: &[&str]| {
        let result = account(flags);
        assert_eq!(result.code, code, "{flags:?}: {}", result.err);
        assert_eq!(outcomes(&result.json()), want, "{flags:?}");
    };
    check(&["-p", "acme"], 0, &["0:unchanged", "1:unstrict"]);
    check(&["-p", "acme", "--on-unfixable", "drop"], 1, &["0:unchanged"]);
    check(&["-p", "acme", "--on-unfixable", "keep"], 1, &["0:unchanged", "1:residue"]);
    let error = account(&["-p", "acme", "--on-unfixable", "error"]);
    assert_eq!((error.code, error.out.as_str()), (1, ""));
    assert!(error.err.contains("one tool cannot be made to fit acme") && error.err.contains("b: acme/probe-not"), "{}", error.err);
    let wire = run(&["adapt", "-", "-p", "acme"], text.as_bytes()).json();
    assert_eq!(wire[0], json!({"type": "function", "function": {"name": "a", "parameters": {"type": "object"}, "strict": true}}));
    assert_eq!(wire[1], json!({"type": "function", "function": {"name": "b", "parameters": {"type": "object", "not": {}}}}));
}

#[test]
fn allowed_effects_bound_what_is_done() {
    let text = br#"{"type": "string", "format": "date"}"#;
    let adapt = |allow: &str| {
        run(&["adapt", "-", "-p", "acme", "--set", "model=small", "--on-unfixable", "drop", "--as", "schema", "--allow", allow], text)
    };
    assert_eq!(adapt("widens").json(), json!({"type": "string"}));
    let none = adapt("none");
    assert_eq!((none.code, none.out.as_str(), none.err.contains("left out")), (1, "", true));
    let unknown = adapt("widen");
    assert!(unknown.code == 2 && unknown.err.contains("unknown effect"), "{}", unknown.err);
}

#[test]
fn a_run_that_fails_leaves_the_files_that_it_would_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (input, plan) = (file("in.json"), file("plan.json"));
    std::fs::write(&input, "[1, 2").expect("written");
    std::fs::write(&plan, "old").expect("written");
    for target in ["--plan", "--audit"] {
        for path in [&input, &plan] {
            let before = std::fs::read_to_string(path).expect("there");
            let target = format!("{target}={path}");
            assert_eq!(run(&["adapt", &input, "-p", "gemini", &target], b"").code, 2);
            assert_eq!(std::fs::read_to_string(path).expect("there"), before, "{target}");
        }
    }
    let tool = r#"{"name": "a", "description": 5, "inputSchema": {"type": "object"}}"#;
    let dropped = run(&["adapt", "-", "-p", "gemini", "--on-unfixable", "error", "--plan", &plan], tool.as_bytes());
    assert_eq!((dropped.code, std::fs::read_to_string(&plan).expect("there").as_str()), (1, "old"));
    let fine = run(&["adapt", "-", "-p", "gemini", "--plan", &plan], br#"{"name": "a", "inputSchema": {"type": "object"}}"#);
    assert!(fine.code == 0 && std::fs::read_to_string(&plan).expect("there").contains("\"name\""));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

/// What a terminal would obey or not show never reaches it from an input, whatever the verb.
#[test]
fn a_terminal_is_told_what_it_would_hide() {
    let unseen = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
    };
    let evil = "x\u{1b}[31m\u{202e}\u{200b}\u{e0041}\u{9b}2J";
    let tools = json!([{"name": evil, "description": evil, "inputSchema": {
        "type": "object",
        "properties": {evil: {"const": evil, "description": evil, evil: 1}, "b": {"type": evil}},
        "required": [evil, "b"],
    }}]);
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), tools.to_string()).expect("it is written");
    let path = file.path().to_str().expect("a plain path");
    let call = json!({"name": evil, "arguments": {evil: 1, "c": evil}}).to_string();
    let error = format!("Invalid schema for function '{evil}': In context=('properties', '{evil}'), 'const' is not permitted");
    for (words, input) in [
        (vec!["check", path, "-p", "acme,hygiene,gemini,openai-strict"], ""),
        (vec!["matrix", path, "-p", "acme,gemini"], ""),
        (vec!["catalog", path], ""),
        (vec!["adapt", path, "-p", "acme", "--audit", "--as", "schema"], ""),
        (vec!["adapt", path, "-p", "openai-strict", "--audit", "--as", "schema"], ""),
        (vec!["adapt", path, "-p", "hygiene", "--as", "schema", "--on-unfixable", "error"], ""),
        (vec!["adapt", path, "-p", "hygiene", "--as", "schema", "--on-unfixable", "keep"], ""),
        (vec!["validate", "-", "--tools", path], call.as_str()),
        (vec!["restore", "-", "-p", "gemini", "--tools", path, "--format", "text"], call.as_str()),
        (vec!["diagnose", "-", "-p", "openai-strict", "--tools", path], error.as_str()),
        (vec!["hash", path], ""),
        (vec!["explain", evil], ""),
        (vec!["check", evil, "-p", "acme"], ""),
        (vec!["check", path, "-p", evil], ""),
    ] {
        let result = run(&words, input.as_bytes());
        let shown = if words[0] == "adapt" || words[0] == "restore" { "" } else { result.out.as_str() };
        for text in [shown, &result.err] {
            assert_eq!(text.chars().find(|&c| unseen(c)), None, "{}: {text}", words[0]);
        }
    }
}
