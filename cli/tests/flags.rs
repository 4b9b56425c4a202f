//! Flags that are easily taken for something else.
#![allow(clippy::unwrap_used)]

mod common;

use common::run;
use serde_json::json;

const TOOL: &str = r#"{"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"const": "x"}}}}"#;

#[test]
fn a_single_file_after_audit_is_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let (tools, audit) = (folder.path().join("tools.json"), folder.path().join("audit.ndjson"));
    std::fs::write(&tools, TOOL).unwrap();
    let (tools_arg, audit_arg) = (tools.to_str().unwrap(), audit.to_str().unwrap());
    for args in [
        &["adapt", "--audit", tools_arg, "-p", "acme"][..],
        &["adapt", "-p", "acme", "--audit", tools_arg],
        &["adapt", tools_arg, "-p", "acme", "--audit"],
    ] {
        let got = run(args, b"");
        assert!(got.code == 0 && got.out.contains("enum") && got.err.contains("#0"), "{args:?}: {}", got.err);
        assert_eq!(std::fs::read_to_string(&tools).unwrap(), TOOL);
    }
    let both = run(&["adapt", "--audit", audit_arg, tools_arg, "-p", "acme"], b"");
    assert_eq!((both.code, both.err.as_str(), std::fs::read_to_string(&audit).unwrap().lines().count()), (0, "", 1));
    let none = run(&["adapt", "-p", "acme", "--audit"], b"");
    assert!(none.code == 2 && none.err.contains("no input"), "{}", none.err);
}

#[test]
fn a_depth_that_is_never_reached_is_refused() {
    let nested = |depth: usize| format!(r#"{{"name": "t", "inputSchema": {}true{}}}"#, r#"{"not":"#.repeat(depth), "}".repeat(depth));
    let check =
        |flags: &[&str], depth: usize| run(&[&["check", "-", "-p", "acme", "--format", "json"], flags].concat(), nested(depth).as_bytes());
    for name in ["depth", "document-depth"] {
        let got = check(&["--limit", &format!("{name}=1000000")], 1);
        assert!(got.code == 2 && got.err.contains("more than 1000 levels"), "{}", got.err);
    }
    let rule = |got: common::Run| got.json()["tools"][0]["findings"][0]["rule"].clone();
    assert_eq!(rule(check(&[], 400)), json!("input/over-budget"));
    assert_eq!(rule(check(&["--limit", "depth=500"], 400)), json!("acme/probe-not"));
    let most = run(&["check", "-", "-p", "acme", "--limit", "document-depth=1000"], "[".repeat(2000).as_bytes());
    assert!(most.code == 2 && !most.err.contains("raise"), "{}", most.err);
}

#[test]
fn a_value_that_a_profile_does_not_know_is_noted() {
    let set = |profile: &str, value: &str, more: &[&str]| {
        run(&[&["check", "-", "-p", profile, "--set", &format!("model={value}")], more].concat(), TOOL.as_bytes())
    };
    let got = set("openai", "gpt", &[]);
    assert!(got.code < 2 && got.err.contains("note: openai knows no model `gpt`; it knows any, gpt-5*"), "{}", got.err);
    assert_eq!(set("openai", "gpt", &["--quiet"]).err, "");
    assert_eq!(set("openai", "gpt-5-mini", &[]).err, "");
    assert_eq!(set("openai", "any", &[]).err, "");
    assert_eq!(set("acme", "huge", &[]).code, 2);
}

#[test]
fn a_rule_is_named_where_one_is_near() {
    let got = run(&["explain", "openai-strict/propety-optional"], b"");
    assert!(got.code == 2 && got.err.contains("did you mean `openai-strict/property-optional`?"), "{}", got.err);
    let far = run(&["explain", "openai-strict/zzzzzzzzzz"], b"");
    assert!(far.code == 2 && far.err.contains("lists those it has"), "{}", far.err);
}
