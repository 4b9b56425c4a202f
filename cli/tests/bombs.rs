//! Schemas, calls, error texts and profiles that are small to write and large to work out: each ends in bounded time and memory.
//!
//! Every run has a limit of processor time and of memory that the system enforces; a run that meets one is killed, and has no exit code.
#![cfg(unix)]

mod common;

use std::fmt::Write as _;
use std::process::Command;

use common::fed;
use serde_json::json;

/// Seconds of processor time; a debug build on a slow machine needs most of it nowhere.
const SECONDS: usize = 120;
/// Kilobytes of address space.
const MEMORY: usize = 3_000_000;
const PROFILES: &str = "gemini,openai-strict,anthropic-strict,bedrock,portable";

/// Runs the binary under the limits; the exit code, and how much it wrote.
fn run(args: &[&str], input: &[u8]) -> (Option<i32>, usize, String) {
    let script = format!("ulimit -t {SECONDS}; ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let output = fed(Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_schemalect")]).args(args), input);
    let said: String = String::from_utf8_lossy(&output.stderr).chars().take(400).collect();
    assert!(!said.contains("Usage:"), "{args:?}: {said}");
    (output.status.code(), output.stdout.len(), said)
}

/// Checks and adapts a schema; the answer ends, and is not much larger than what was asked.
fn check(name: &str, schema: &str) {
    for args in [
        vec!["check", "-", "-p", PROFILES, "--format", "json"],
        vec!["adapt", "-", "-p", "gemini", "--as", "tools", "--format", "json", "--audit"],
        vec!["adapt", "-", "-p", "openai-strict", "--as", "schema"],
        vec!["canonical", "-"],
    ] {
        let (code, wrote, said) = run(&args, schema.as_bytes());
        assert!(matches!(code, Some(0..=2)), "{name}, {}: {code:?}: {}", args[0], said);
        assert!(wrote <= 40_000_000 + 8 * schema.len(), "{name}, {}: {wrote} bytes for {}", args[0], schema.len());
    }
}

/// `{"type": "object", "properties": {…}}` with so many members.
fn object(members: impl IntoIterator<Item = String>) -> String {
    format!(r#"{{"type": "object", "properties": {{{}}}}}"#, members.into_iter().collect::<Vec<_>>().join(", "))
}

fn doubling(levels: usize) -> String {
    let twice = |i: usize| {
        format!(
            r##""d{i}": {{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/d{0}"}}, "b": {{"$ref": "#/$defs/d{0}"}}}}}}"##,
            i + 1
        )
    };
    let defs: Vec<String> = (0..levels).map(twice).collect();
    format!(
        r##"{{"type": "object", "properties": {{"x": {{"$ref": "#/$defs/d0"}}}}, "$defs": {{{}, "d{levels}": {{"type": "string"}}}}}}"##,
        defs.join(", ")
    )
}

fn doubling_unions(levels: usize) -> String {
    let twice =
        |i: usize| format!(r##""d{i}": {{"anyOf": [{{"$ref": "#/$defs/d{0}"}}, {{"allOf": [{{"$ref": "#/$defs/d{0}"}}]}}]}}"##, i + 1);
    let defs: Vec<String> = (0..levels).map(twice).collect();
    format!(
        r##"{{"type": "object", "properties": {{"x": {{"$ref": "#/$defs/d0"}}}}, "$defs": {{{}, "d{levels}": {{"type": "string"}}}}}}"##,
        defs.join(", ")
    )
}

fn cycle(length: usize) -> String {
    let step = |i: usize| format!(r##""c{i}": {{"$ref": "#/$defs/c{}"}}"##, (i + 1) % length);
    let defs: Vec<String> = (0..length).map(step).collect();
    format!(r##"{{"type": "object", "properties": {{"x": {{"$ref": "#/$defs/c0"}}}}, "$defs": {{{}}}}}"##, defs.join(", "))
}

fn every_ancestor(depth: usize) -> String {
    let mut out = String::new();
    let mut path = String::from("#");
    for level in 0..depth {
        out.push_str(r#"{"type": "object", "properties": {"#);
        let mut up = path.clone();
        for n in 0..level {
            let _ = write!(out, r#""r{n}": {{"$ref": "{up}"}}, "#);
            up.truncate(up.len().saturating_sub("/properties/down".len()).max(1));
        }
        out.push_str(r#""down": "#);
        path.push_str("/properties/down");
    }
    out.push_str(r#"{"type": "string"}"#);
    out.push_str(&"}}".repeat(depth));
    out
}

#[test]
fn references_that_multiply() {
    check("doubling 40", &doubling(40));
    check("doubling unions 40", &doubling_unions(40));
    for length in [1, 2, 3, 10, 100, 1000] {
        check(&format!("cycle {length}"), &cycle(length));
    }
    check("every ancestor", &every_ancestor(60));
    for times in [400, 1_000] {
        let all = (0..times).map(|i| format!(r##""p{i}": {{"$ref": "#"}}"##));
        check(&format!("the root {times} times"), &object(all));
    }
}

#[test]
fn nesting_without_end() {
    for (open, close) in
        [("[", "]"), (r#"{"items": "#, "}"), (r#"{"not": "#, "}"), (r#"{"anyOf": ["#, "]}"), (r#"{"properties": {"a": "#, "}}")]
    {
        check("unbounded", &(open.repeat(100_000) + "{}" + &close.repeat(100_000)));
        let levels = 124 / open.matches(['[', '{']).count();
        check("as deep as may be", &(open.repeat(levels) + "{}" + &close.repeat(levels)));
    }
}

#[test]
fn width_without_end() {
    check("a million properties", &object((0..1_000_000).map(|i| format!(r#""p{i}": {{}}"#))));
    check("many properties", &object((0..40_000).map(|i| format!(r#""p{i}": {{"type": "string"}}"#))));
    let many = |n: usize, one: &str| vec![one; n].join(", ");
    check("a million branches", &format!(r#"{{"anyOf": [{}]}}"#, many(1_000_000, "{}")));
    check("many branches", &object([format!(r#""a": {{"anyOf": [{}]}}"#, many(20_000, r#"{"type": "string"}"#))]));
    let parts: Vec<String> = (0..10_000)
        .map(|i| format!(r#"{{"minimum": {i}, "maximum": {}, "type": "{}"}}"#, 10_000 - i, ["string", "integer"][i % 2]))
        .collect();
    check("allOf at odds", &object([format!(r#""a": {{"allOf": [{}]}}"#, parts.join(", "))]));
    let values: Vec<String> = (0..1_000_000).map(|i| i.to_string()).collect();
    check("an enum of a million", &format!(r#"{{"enum": [{}]}}"#, values.join(",")));
    check("a long enum", &object([format!(r#""a": {{"enum": [{}, "x", null]}}"#, values[..30_000].join(","))]));
    let names: Vec<String> = (0..30_000).map(|i| format!("\"n{i}\"")).collect();
    check("names that nobody declares", &format!(r#"{{"type": "object", "properties": {{}}, "required": [{}]}}"#, names.join(",")));
}

#[test]
fn texts_without_end() {
    let long = "x".repeat(10_000_000);
    check("a description of 10 MB", &format!(r#"{{"type": "object", "description": "{long}", "properties": {{}}}}"#));
    let near = "x".repeat(3_900_000);
    check(
        "a description with a note",
        &object([format!(r#""a": {{"type": "string", "description": "{near}", "minLength": 2, "format": "odd"}}"#)]),
    );
    check("a name of 1 MB", &object([format!(r#""{}": {{"type": "string"}}"#, &near[..1_000_000])]));
    check("a literal of 3 MB", &object([format!(r#""a": {{"const": "{}"}}"#, &near[..3_000_000])]));
    for pattern in ["(a+)+$", "(.*)*\\\\1(.*)*", "((a{0,1000}){0,1000}){0,1000}", "(?=(a|a)*)(?!(b|b)*)c"] {
        check(pattern, &object([format!(r#""a": {{"type": "string", "pattern": "{pattern}", "default": "{}!"}}"#, "a".repeat(5_000))]));
    }
    check("parentheses", &object([format!(r#""a": {{"pattern": "{}"}}"#, "(".repeat(1_000_000))]));
}

/// Names as long as a document, and everything that could say them again: places, references, definitions, plans, messages.
#[test]
fn names_without_end() {
    let long = "n".repeat(1_000_000);
    let fields = |n: usize, of: &str| (0..n).map(|i| format!(r#""f{i}": {of}"#)).collect::<Vec<_>>().join(", ");
    let anchored = format!(r#""{long}": {{"$anchor": "x", "type": "object", "properties": {{"a": {{"type": "string"}}}}}}"#);
    let to_anchor = fields(40_000, r##"{"$ref": "#x"}"##);
    check("many references to a property of 1 MB", &format!(r#"{{"type": "object", "properties": {{{anchored}, {to_anchor}}}}}"#));
    check(
        "many references to a definition of 1 MB",
        &format!(r#"{{"type": "object", "properties": {{{to_anchor}}}, "$defs": {{{anchored}}}}}"#),
    );
    let own = (0..8_000).map(|i| format!(r##""r{i}": {{"$ref": "#/$defs/d{i}"}}"##)).collect::<Vec<_>>().join(", ");
    let defs = (0..8_000).map(|i| format!(r#""d{i}": {{"type": "object", "properties": {{"a": {{"type": "string"}}}}}}"#));
    let resource =
        format!(r#"{{"$id": "b.json", "type": "object", "properties": {{{own}}}, "$defs": {{{}}}}}"#, defs.collect::<Vec<_>>().join(", "));
    let below = object([format!(r#""{long}": {resource}"#)]);
    check("many definitions below a name of 1 MB", &below);
    let (code, wrote, said) = run(&["adapt", "-", "-p", "mistral", "--as", "schema"], below.as_bytes());
    assert!(matches!(code, Some(0..=2)) && wrote < 40_000_000, "references that are respelt: {code:?}, {wrote} bytes: {said}");
    check(
        "many findings below a name of 1 MB",
        &object([format!(r#""{long}": {}"#, object([fields(30_000, r#"{"const": 1, "format": "odd"}"#)]))]),
    );
    check("a keyword of 1 MB", &object([format!(r#""a": {{"{long}": {{"a": 1}}, "title": "{long}", "$comment": "{long}"}}"#)]));
    check("required names of 1 MB", &format!(r#"{{"type": "object", "properties": {{}}, "required": ["{long}", "{long}x"]}}"#));
    check("a reference of 1 MB", &object([format!(r##""a": {{"$ref": "#/$defs/{long}"}}, "b": {{"$ref": "{long}"}}"##)]));
    check("a type of 1 MB", &object([format!(r#""a": {{"type": "{long}", "format": "{long}"}}"#)]));
    let described = json!([{"name": "t", "description": long, "inputSchema": {"type": "object", "properties": {}}}]);
    check("a tool's description of 1 MB", &described.to_string());
    let call = json!({"name": long, "arguments": {(long.as_str()): long, "a": [long]}}).to_string();
    let tool = json!([{"name": "t", "inputSchema": {"type": "object", "properties": {(long.as_str()): {"const": 1}}}}]).to_string();
    for verb in [
        &["restore", "-", "-p", "openai-strict", "--tools", "FILE", "--lenient"][..],
        &["encode", "-", "-p", "openai-strict", "--tools", "FILE"],
        &["validate", "-", "--tools", "FILE"],
    ] {
        beside(verb, "tools.json", &tool, &call);
    }
    for text in [format!("Invalid schema for function '{long}': In context=('properties', '{long}'), 'const' is not permitted"), long] {
        beside(&["diagnose", "-", "--tools", "FILE"], "tools.json", &tool, &text);
    }
}

#[test]
fn texts_that_are_told_apart() {
    let many = |n: usize, one: &str| vec![one; n].join(",");
    check("an enum of one number, over and over", &object([format!(r#""a": {{"enum": [{}, "x"]}}"#, many(100_000, "1"))]));
    let twins = many(20_000, r#"{"a": 1, "a": 2, "type": "string", "type": "number"}"#);
    check("keys twice in many objects", &object([format!(r#""a": {{"anyOf": [{twins}]}}"#)]));
    let names = (0..20_000).map(|i| format!(r#""p {i}": {{"type": "string"}}, "p_{i}": {{}}"#));
    check("names that nobody takes", &object(names));
    let entry = |order: &mut dyn Iterator<Item = usize>| order.map(|i| format!(r#""k{i}": {i}"#)).collect::<Vec<_>>().join(", ");
    let (up, down) = (entry(&mut (0..60_000)), entry(&mut (0..60_000).rev()));
    check("wide literals in another order", &object([format!(r#""a": {{"enum": [{{{up}}}, {{{down}}}]}}"#)]));
}

#[test]
fn lists_of_many_alike() {
    let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object", "properties": {"a": {"const": 1}}}});
    let list: Vec<_> = (0..3_000).map(|i| if i % 2 == 0 { tool("same") } else { tool(&format!("same{}", i % 7)) }).collect();
    check("tools of one name", &json!(list).to_string());
    check("a tool name of 1 MB", &json!([tool(&"n".repeat(1_000_000)), tool(&"n".repeat(1_000_000))]).to_string());
}

/// Runs a verb over a call, an error text or a profile in a file beside a tool.
fn beside(words: &[&str], file: &str, text: &str, input: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(file);
    std::fs::write(&path, text).expect("it is written");
    let path = path.to_str().expect("a plain path");
    let words: Vec<&str> = words.iter().map(|w| if *w == "FILE" { path } else { w }).collect();
    let (code, wrote, said) = run(&words, input.as_bytes());
    assert!(matches!(code, Some(0..=2)), "{}: {code:?}: {}", words.join(" "), said);
    assert!(wrote <= 40_000_000 + 8 * (input.len() + text.len()), "{}: {wrote} bytes", words.join(" "));
}

#[test]
fn calls_that_explode() {
    let tool = json!([{"name": "t", "inputSchema": {"type": "object", "properties": {"a": {}, "b": {"type": "array", "items": {"$ref": "#/properties/b"}}}}}]).to_string();
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let quoted = |n: usize| (0..n).fold("1".to_owned(), |text, _| serde_json::to_string(&text).expect("a string"));
    for arguments in [
        deep.clone(),
        serde_json::to_string(&deep).expect("a string"),
        quoted(16),
        format!(r#"{{"a": "{}"}}"#, "9".repeat(3_000_000)),
        format!(r#"{{"a": {}}}"#, "9".repeat(1_000_000)),
        format!(r#"{{"b": [{}]}}"#, vec!["[]"; 300_000].join(",")),
    ] {
        let call = format!(r#"{{"name": "t", "arguments": {arguments}}}"#);
        for verb in [
            &["restore", "-", "-p", "gemini", "--tools", "FILE", "--lenient"][..],
            &["encode", "-", "-p", "gemini", "--tools", "FILE"],
            &["validate", "-", "--tools", "FILE"],
        ] {
            beside(verb, "tools.json", &tool, &call);
        }
    }
    let unions = format!(r#"[{{"name": "t", "inputSchema": {}}}]"#, doubling_unions(20));
    let chain = |links: usize| {
        let link = |i: usize| format!(r##""d{i}": {{"anyOf": [{{"$ref": "#/$defs/d{}"}}, {{"type": "null"}}]}}"##, i + 1);
        let defs: Vec<String> = (0..links).map(link).collect();
        let schema = format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d{links}": {{"type": "string"}}}}}}"##, defs.join(", "));
        format!(r#"[{{"name": "t", "inputSchema": {schema}}}]"#)
    };
    for tools in [unions, chain(600), chain(50_000)] {
        beside(&["validate", "-", "--tools", "FILE"], "tools.json", &tools, r#"{"name": "t", "arguments": {"x": 1}}"#);
    }
}

#[test]
fn error_texts_that_explode() {
    let tool = json!([{"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"const": 1}}}}]).to_string();
    for text in [
        "'const' is not permitted. ".repeat(400_000),
        "{".repeat(5_000_000),
        "('properties', ".repeat(500_000),
        format!("tools[{}].parameters", "9".repeat(1_000_000)),
        "\\\"".repeat(2_000_000),
    ] {
        beside(&["diagnose", "-", "--tools", "FILE"], "tools.json", &tool, &text);
    }
}

#[test]
fn profiles_that_explode() {
    let laughs = (1..12).fold("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned(), |mut text, i| {
        let before = format!("*a{}", i - 1);
        let _ = writeln!(text, "a{i}: &a{i} [{}]", [before.as_str(); 10].join(", "));
        text
    });
    for text in [
        laughs,
        "a: ".repeat(100_000),
        "[".repeat(100_000),
        "? ".repeat(100_000),
        format!("profile: \"{}\"", "x".repeat(5_000_000)),
        "- ".repeat(200_000),
    ] {
        beside(&["profile", "check", "FILE"], "bomb.yaml", &text, "");
    }
}
