//! What the judge makes of verdicts, kind by kind, on a surface of its own.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::LazyLock;

use schemalect::rules::Library;
use schemalect_conformance::judge::Judge;
use schemalect_conformance::judgement::Placing;
use schemalect_conformance::{suite, verdict};
use serde_json::{Value, json};

const PROFILE: &str = r#"
profile: p
title: A surface
speaks: { reports: first }
wire: { name: /name, description: /description, schema: /parameters }
stages: [parse, semantic]
switches: { model: [any, old*, new*] }
rules:
  - { rule: const-present, stage: semantic, says: "no const", sources: [ { documented: a reference, seen: 2026-01-01 } ] }
  - { rule: all-of-present, stage: parse, says: "no allOf", sources: [ { documented: a reference, seen: 2026-01-01 } ] }
  - { rule: property-optional, stage: semantic, only: { model: [new*] }, says: "Missing '(?<key>\\w+)'", sources: [ { documented: a reference, seen: 2026-01-01 } ] }
  - { rule: one-of-present, stage: parse, until: 2026-02-01..2026-03-01, says: "no oneOf", sources: [ { documented: a reference, seen: 2026-01-01 } ] }
  - { rule: pattern-present, stage: parse, level: warning, sources: [ { documented: a reference, seen: 2026-01-01 } ] }
  - { rule: tool-name-too-long, stage: parse, with: { name-max: 3 }, says: "long name", sources: [ { documented: a reference, seen: 2026-01-01 } ] }
"#;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let rules =
        ["const-present", "all-of-present", "property-optional", "one-of-present", "pattern-present", "tool-name-too-long"].map(|id| {
            let path = format!("rules/shared/{id}.yaml");
            let text = std::fs::read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR")));
            (path, text.unwrap())
        });
    Library::new(rules, [("p.yaml".to_owned(), PROFILE.to_owned())]).unwrap()
});

/// The judgement of a verdict that has these fields beside the usual ones.
fn check(fields: Value, judgement: &str, placing: Placing) {
    let mut line = json!({"id": "a", "profile": "p", "date": "2026-04-01", "kind": "schema", "outcome": "rejected"});
    for (key, value) in fields.as_object().into_iter().flatten() {
        line[key] = value.clone();
    }
    let verdicts = verdict::read("here", &line.to_string()).unwrap();
    let cases = suite::judge(&Judge::new(&LIBRARY, None), verdicts).unwrap();
    let judged = &cases[0].judged;
    assert_eq!((judged.judgement.word(), judged.placing), (judgement, placing), "{fields}: {}", judged.detail);
}

#[test]
fn refusals() {
    let schema = json!({"properties": {"a": {"const": 1}}, "required": ["a"]});
    check(json!({"input": schema, "message": "no const", "path": "/properties/a/const"}), "hit", Placing::Exact);
    check(json!({"input": schema, "message": "no const"}), "hit", Placing::Unknown);
    check(json!({"input": schema, "path": "/properties/a"}), "caught", Placing::Exact);
    check(json!({"input": schema, "path": ""}), "caught", Placing::Other);
    check(json!({"input": schema, "message": "no const", "path": ""}), "wrong_reason", Placing::Other);
    check(json!({"input": schema, "message": "no allOf", "path": "/properties/a"}), "wrong_reason", Placing::Exact);
    check(json!({"input": schema, "message": "no such words"}), "wrong_reason", Placing::Unknown);
    check(json!({"input": schema, "message": "no such words", "rule": "const-present"}), "hit", Placing::Unknown);
    check(json!({"input": {"type": "string"}, "message": "no const"}), "missing", Placing::Unknown);
    check(json!({"input": {"type": "string"}}), "missing", Placing::Unknown);
}

#[test]
fn the_first_stage_that_fails_is_compared() {
    let both = json!({"const": 1, "allOf": [{"type": "string"}]});
    check(json!({"input": both, "message": "no allOf"}), "hit", Placing::Unknown);
    check(json!({"input": both, "message": "no const"}), "wrong_reason", Placing::Unknown);
}

#[test]
fn dates_and_switches() {
    let one_of = json!({"oneOf": [{"type": "string"}, {"type": "number"}]});
    check(json!({"input": one_of, "message": "no oneOf", "date": "2026-01-31"}), "hit", Placing::Unknown);
    check(json!({"input": one_of, "message": "no oneOf", "date": "2026-02-15"}), "undecided", Placing::Unknown);
    check(json!({"input": one_of, "message": "no oneOf"}), "missing", Placing::Unknown);
    check(json!({"input": one_of, "outcome": "accepted", "date": "2026-01-31"}), "noisy", Placing::Unknown);
    check(json!({"input": one_of, "outcome": "accepted", "date": "2026-02-15"}), "undecided", Placing::Unknown);
    check(json!({"input": one_of, "outcome": "accepted"}), "silent", Placing::Unknown);
    let optional = json!({"properties": {"a": {"type": "string"}}});
    let missing = json!("Missing 'a'");
    check(json!({"input": optional, "message": missing, "model": "vendor/new-1", "path": "/required"}), "hit", Placing::Exact);
    check(json!({"input": optional, "outcome": "accepted", "model": "old-1"}), "silent", Placing::Unknown);
    check(json!({"input": optional, "outcome": "accepted"}), "undecided", Placing::Unknown);
}

#[test]
fn other_inputs_and_outcomes() {
    let pattern = json!({"properties": {"a": {"type": "string", "pattern": "x"}}, "required": ["a"]});
    check(
        json!({"input": pattern, "outcome": "silently_ignored", "path": "/properties/a/pattern", "model": "old"}),
        "known",
        Placing::Unknown,
    );
    check(json!({"input": pattern, "outcome": "silently_ignored", "path": "", "model": "old"}), "unknown", Placing::Unknown);
    check(json!({"input": pattern, "outcome": "degraded", "model": "old"}), "warned", Placing::Unknown);
    check(json!({"input": {"type": "string"}, "outcome": "degraded"}), "silent", Placing::Unknown);
    let tool = json!({"name": "long", "parameters": {"type": "object"}});
    check(json!({"kind": "tool", "input": tool, "message": "long name", "path": "/name"}), "hit", Placing::Exact);
    check(json!({"kind": "request", "input": {"tools": [tool]}, "message": "long name", "path": "/tools/0/name"}), "hit", Placing::Exact);
    check(
        json!({"kind": "request", "input": {"tools": [tool]}, "message": "long name", "path": "/tools/1/name"}),
        "wrong_reason",
        Placing::Other,
    );
    check(json!({"input": {}, "scorable": false}), "unscored", Placing::Unknown);
    check(json!({"input": {}, "profile": "q"}), "unscored", Placing::Unknown);
}
