//! Restore plans as data: every codec there and back, and plans and arguments that mean harm.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::{Duration, Instant};

use proptest::prelude::*;
use schemalect_engine::restore::{IssueKind, Lenient, RestoreOptions, RestorePlan, Restored, encode, restore};
use serde_json::{Map, Value, json};

fn plan(stage: &Value) -> RestorePlan {
    let plan = json!({"version": 1, "profile": "p", "stages": [stage]});
    RestorePlan::from_json(&plan).unwrap_or_else(|e| panic!("{e}: {stage}"))
}

fn words(restored: &Restored) -> String {
    restored.issues.iter().map(|i| format!("{} {}", i.issue.word(), i.path)).collect::<Vec<_>>().join(", ")
}

/// Restores and compares; where nothing is wrong, what the model wrote is what is encoded.
fn check(root: &Value, model: Value, tool: Value, issues: &str) {
    let plan = plan(&json!({"phase": "recode", "root": root}));
    let options = RestoreOptions::default();
    let got = restore(&plan, model.clone(), &options);
    assert_eq!((got.arguments.to_string(), &words(&got)[..]), (tool.to_string(), issues), "{root}\n{model}");
    if issues.is_empty() {
        let there = encode(&plan, tool, &options);
        assert_eq!((there.arguments.to_string(), &words(&there)[..]), (model.to_string(), ""), "{root}");
    }
}

#[test]
fn json_text() {
    let root = json!({"properties": {"a": {"codecs": [{"codec": "parse-json", "types": "array", "nullable": true}]}}});
    check(&root, json!({"a": "[1]", "b": "2"}), json!({"a": [1], "b": "2"}), "");
    check(&root, json!({"a": null}), json!({"a": null}), "");
    check(&root, json!({"a": "[1"}), json!({"a": "[1"}), "not-json /a");
    check(&root, json!({"a": "\"[1]\""}), json!({"a": [1]}), "double-encoded /a");
    check(&root, json!({"a": "```\n[1]\n```"}), json!({"a": [1]}), "fenced /a");
}

#[test]
fn literals() {
    let codec = json!({"codec": "from-text", "values": [["1", 1], ["2.5", 2.5], ["1 (2)", [1]]], "plain": ["x", "y"]});
    let root = json!({"properties": {"a": {"codecs": [codec]}}});
    check(&root, json!({"a": "2.5"}), json!({"a": 2.5}), "");
    check(&root, json!({"a": "1 (2)"}), json!({"a": [1]}), "");
    check(&root, json!({"a": "y"}), json!({"a": "y"}), "");
    check(&root, json!({"a": null}), json!({"a": null}), "");
    check(&root, json!({"a": "z"}), json!({"a": "z"}), "unknown-alias /a");
    check(&root, json!({"a": 7}), json!({"a": 7}), "unknown-alias /a");
}

#[test]
fn names() {
    let below = json!({"c_d": {"codecs": [{"codec": "parse-json"}]}});
    let root = json!({"codecs": [{"codec": "rename", "names": {"a_b": "a b", "c_d": "c/d"}}], "properties": below});
    check(&root, json!({"z": 1, "a_b": 2, "c_d": "3"}), json!({"z": 1, "a b": 2, "c/d": 3}), "");
    check(&root, json!({"c_d": "{"}), json!({"c/d": "{"}), "not-json /c~1d");
    check(&root, json!({"a_b": 1, "a b": 2}), json!({"a_b": 1, "a b": 2}), "duplicate-key /a_b");
    // Two names that change places.
    let swap = json!({"codecs": [{"codec": "rename", "names": {"a": "b", "b": "a"}}]});
    check(&swap, json!({"a": 1, "b": 2}), json!({"b": 1, "a": 2}), "");
}

#[test]
fn wrapped_arguments() {
    let below = json!({"value": {"items": {"codecs": [{"codec": "parse-json"}]}}});
    let root = json!({"codecs": [{"codec": "unwrap", "name": "value"}], "properties": below});
    check(&root, json!({"value": ["1", "{}"]}), json!([1, {}]), "");
    check(&root, json!({"value": ["}"]}), json!(["}"]), "not-json /0");
    check(&root, json!({"x": 1}), json!({"x": 1}), "missing-key ");
    check(&root, json!({"value": [], "x": 1}), json!({"value": [], "x": 1}), "unknown-key ");
}

#[test]
fn nulls() {
    let names = json!({"codec": "null-is-absent", "properties": ["a", "b", "c"], "nullable": ["b", "c"], "default_null": ["c"]});
    let root = json!({"codecs": [names]});
    check(&root, json!({"x": null, "b": null, "a": null, "c": null}), json!({"x": null, "b": null}), "");
    check(&root, json!({"b": 1, "a": null, "c": null}), json!({"b": 1}), "");
    let drop = RestoreOptions { drop_nulls: true, ..RestoreOptions::default() };
    let got = restore(&plan(&json!({"phase": "close", "root": root})), json!({"a": null, "b": null, "d": null}), &drop);
    assert_eq!(got.arguments, json!({"d": null}));
    let left_out = json!({"codecs": [{"codec": "null-for-absent", "properties": ["a", "b"]}]});
    check(&left_out, json!({"x": null, "b": 1}), json!({"x": null, "b": 1, "a": null}), "");
    let got = restore(&plan(&json!({"phase": "filter", "root": left_out})), json!({"a": null}), &RestoreOptions::default());
    assert_eq!(got.arguments, json!({"a": null, "b": null}));
}

#[test]
fn entries() {
    let below = json!({"properties": {"value": {"codecs": [{"codec": "parse-json"}]}}});
    let root = json!({"codecs": [{"codec": "entries", "key": "key", "value": "value"}], "items": below});
    let root = json!({"properties": {"m": root}});
    let entry = |key: &str, value: &str| json!({"key": key, "value": value});
    check(&root, json!({"m": [entry("b", "1"), entry("a", "{}")]}), json!({"m": {"b": 1, "a": {}}}), "");
    check(&root, json!({"m": []}), json!({"m": {}}), "");
    check(&root, json!({"m": [entry("b", "{")]}), json!({"m": {"b": "{"}}), "not-json /m/b");
    let twice = json!({"m": [{"key": "b", "value": 1}, {"key": "b", "value": 1}]});
    check(&root, json!({"m": [entry("b", "1"), entry("b", "1")]}), twice, "duplicate-key /m/1/key");
    check(
        &root,
        json!({"m": [{"key": 1, "value": 1}, {"key": "a"}, 3]}),
        json!({"m": [{"key": 1, "value": 1}, {"key": "a"}, 3]}),
        "missing-key /m/0, missing-key /m/1, missing-key /m/2",
    );
    check(&root, json!({"m": {"a": 1}}), json!({"m": {"a": 1}}), "wrong-shape /m");
    check(&root, json!({"m": "x"}), json!({"m": "x"}), "wrong-shape /m");
}

#[test]
fn entries_beside_properties() {
    let codec = json!({"codec": "entries", "key": "k", "value": "v", "rest": "more", "named": ["a", "b"]});
    let below = json!({"items": {"properties": {"v": {"codecs": [{"codec": "parse-json"}]}}}});
    let root = json!({"codecs": [codec], "properties": {"more": below}});
    check(
        &root,
        json!({"a": 1, "more": [{"k": "x", "v": "1"}, {"k": "y", "v": "2"}], "b": 2}),
        json!({"a": 1, "x": 1, "y": 2, "b": 2}),
        "",
    );
    check(&root, json!({"a": 1}), json!({"a": 1}), "");
    check(&root, json!({"more": [{"k": "more", "v": "1"}]}), json!({"more": 1}), "");
    check(&root, json!({"more": [{"k": "x", "v": "{"}]}), json!({"x": "{"}), "not-json /x");
    check(&root, json!({"more": [{"k": "a", "v": "1"}]}), json!({"more": [{"k": "a", "v": 1}]}), "duplicate-key /more/0/k");
}

#[test]
fn fields() {
    let below = json!({"p2": {"codecs": [{"codec": "parse-json"}]}, "more": {"items": {"codecs": [{"codec": "parse-json"}]}}});
    let root = json!({"codecs": [{"codec": "fields", "names": ["p1", "p2"], "rest": "more", "least": 1}], "properties": below});
    let root = json!({"properties": {"t": root}});
    check(&root, json!({"t": {"p1": 1, "p2": "2", "more": ["3"]}}), json!({"t": [1, 2, 3]}), "");
    check(&root, json!({"t": {"p1": 1, "p2": "2", "more": []}}), json!({"t": [1, 2]}), "");
    check(&root, json!({"t": {"p1": 1}}), json!({"t": [1]}), "");
    check(&root, json!({"t": {"p1": 1, "p2": "{", "more": ["["]}}), json!({"t": [1, "{", "["]}), "not-json /t/1, not-json /t/2");
    check(&root, json!({"t": {"p2": "2"}}), json!({"t": {"p2": 2}}), "missing-key /t");
    check(&root, json!({"t": {"p1": 1, "x": 2}}), json!({"t": {"p1": 1, "x": 2}}), "unknown-key /t");
    check(&root, json!({"t": [1]}), json!({"t": [1]}), "wrong-shape /t");
    let short = plan(&json!({"phase": "recode", "root": {"codecs": [{"codec": "fields", "names": ["a"], "least": 1}]}}));
    assert_eq!(words(&encode(&short, json!([1, 2]), &RestoreOptions::default())), "not-expressible ");
    assert_eq!(words(&encode(&short, json!([]), &RestoreOptions::default())), "not-expressible ");
}

#[test]
fn branches() {
    let text = json!({"codecs": [{"codec": "parse-json"}]});
    let two = json!({"branches": [
        {"when": {"types": "object", "required": ["a"]}, "then": {"properties": {"a": text}}},
        {"when": {"types": "object", "required": ["b"]}},
        {"when": {"types": "string"}, "was": {"types": "array"}, "then": text},
    ]});
    let root = json!({"properties": {"v": two}});
    check(&root, json!({"v": {"a": "1"}}), json!({"v": {"a": 1}}), "");
    check(&root, json!({"v": {"b": "1"}}), json!({"v": {"b": "1"}}), "");
    check(&root, json!({"v": "[1]"}), json!({"v": [1]}), "");
    check(&root, json!({"v": 5}), json!({"v": 5}), "no-branch /v");
    // Both fit, and each makes something else of it.
    let same = json!({"branches": [{"when": {"types": "string"}, "was": {}, "then": text}, {"when": {"types": "string"}}]});
    check(&json!({"properties": {"v": same}}), json!({"v": "1"}), json!({"v": 1}), "ambiguous-branch /v");
    // Only what the branch takes can be meant.
    let number = json!({"types": "number"});
    let told = json!({"branches": [{"when": {"types": "string"}, "was": number, "then": text}, {"when": {"types": "string"}}]});
    let root = json!({"properties": {"v": told}});
    check(&root, json!({"v": "x"}), json!({"v": "x"}), "");
    check(&root, json!({"v": "[]"}), json!({"v": "[]"}), "");
}

#[test]
fn plans_that_are_wrong() {
    let stage = "/stages/0/root";
    let types = "/types/root";
    for (plan, message) in [
        (json!([]), "restore plan: the root: an object is needed"),
        (json!({"stages": []}), "restore plan: the root: no `version`"),
        (json!({"version": 2, "stages": []}), "restore plan: /version: version 2; this reads version 1"),
        (json!({"version": 1, "stages": [{"phase": "x", "root": {}}]}), "restore plan: /stages/0/phase: unknown phase"),
        (json!({"version": 1, "stages": [{"phase": "name"}]}), "restore plan: /stages/0: no `root`"),
        (
            json!({"version": 1, "stages": [{"phase": "name", "root": {"codecs": [{"codec": "x"}]}}]}),
            &format!("restore plan: {stage}/codecs/0/codec: unknown codec `x`"),
        ),
        (
            json!({"version": 1, "stages": [{"phase": "name", "root": {"ref": "x"}}]}),
            &format!("restore plan: {stage}/ref: no such definition"),
        ),
        (json!({"version": 1, "extra": 1}), "restore plan: /extra: unknown member"),
        (json!({"version": 1, "types": {"root": {"types": "text"}}}), &format!("restore plan: {types}/types: a type is needed")),
    ] {
        assert_eq!(RestorePlan::from_json(&plan).unwrap_err().to_string(), message);
    }
}

/// Plans and arguments that would take for ever, or no end of stack, if nothing bounded them.
#[test]
fn hostile_plans() {
    let text = json!({"codecs": [{"codec": "parse-json"}]});
    let fork = json!({"branches": [
        {"when": {}, "then": {"properties": {"n": {"ref": "f"}, "t": text}}},
        {"when": {}, "then": {"properties": {"n": {"ref": "f"}}}},
    ]});
    let mut deep = json!({"t": "1"});
    for _ in 0..100 {
        deep = json!({"n": deep, "t": "1"});
    }
    let doubled: Map<String, Value> =
        (0..60).map(|i| (format!("d{i}"), json!({"all": [{"ref": format!("d{}", i + 1)}, {"ref": format!("d{}", i + 1)}]}))).collect();
    let mut doubled = doubled;
    doubled.insert("d60".into(), json!({}));
    for (stage, value) in [
        (json!({"phase": "recode", "root": {"ref": "l"}, "definitions": {"l": {"ref": "l"}}}), json!({})),
        (json!({"phase": "recode", "root": {"ref": "l"}, "definitions": {"l": {"all": [{"ref": "l"}, {"ref": "l"}]}}}), json!({})),
        (json!({"phase": "recode", "root": {"ref": "d0"}, "definitions": doubled}), json!({})),
        (json!({"phase": "recode", "root": {"ref": "f"}, "definitions": {"f": fork}}), deep),
    ] {
        let plan = plan(&stage);
        let start = Instant::now();
        for out in [restore(&plan, value.clone(), &RestoreOptions::default()), encode(&plan, value, &RestoreOptions::default())] {
            let bounded = |kind| matches!(kind, IssueKind::OverBudget | IssueKind::TooDeep | IssueKind::AmbiguousBranch);
            assert!(out.issues.iter().any(|i| bounded(i.issue)), "{stage}");
            assert!(out.issues.len() < 2000, "{}", out.issues.len());
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{stage}: {:?}", start.elapsed());
    }
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        any::<f32>().prop_map(|f| json!(f)),
        prop::sample::select(vec!["", "1", "{}", "[1, {\"a\": null}]", "yes", "{\"a\":", "```json {}```", "A", "\"[]\""])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(vec!["a", "b", "c", "key", "value"]), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

fn shapes() -> impl Strategy<Value = Value> {
    let types = prop::sample::subsequence(vec!["object", "array", "string", "number", "integer", "boolean", "null"], 0..4);
    let leaf = prop_oneof![types.prop_map(|t| json!({"types": t})), values().prop_map(|v| json!({"values": [v, "a", 1]}))];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let words = prop::sample::subsequence(vec!["a", "b", "c"], 0..3);
        prop_oneof![
            (inner.clone(), words, any::<bool>())
                .prop_map(|(s, w, c)| json!({"properties": {"a": s, "b": {}}, "required": w, "closed": c})),
            inner.clone().prop_map(|s| json!({"types": "array", "items": s})),
            prop::collection::vec(inner.clone(), 1..3).prop_map(|s| json!({"any": s})),
            inner.clone().prop_map(|s| json!({"rest": s, "all": [s]})),
            Just(json!({"ref": "d"})),
        ]
    })
}

/// Without references: guards have none.
fn guards() -> impl Strategy<Value = Value> {
    shapes().prop_map(|s| serde_json::from_str(&s.to_string().replace(r#"{"ref":"d"}"#, "{}")).unwrap())
}

fn nodes() -> impl Strategy<Value = Value> {
    let codec = prop_oneof![
        Just(json!({"codec": "parse-json"})),
        Just(json!({"codec": "parse-json", "types": ["array", "object"], "nullable": true})),
        Just(json!({"codec": "entries", "key": "key", "value": "value"})),
        Just(json!({"codec": "entries", "key": "a", "value": "b", "rest": "c", "named": ["a"]})),
        Just(json!({"codec": "fields", "names": ["a", "b"], "rest": "c", "least": 1})),
        Just(json!({"codec": "unwrap", "name": "a"})),
        Just(json!({"codec": "from-text", "values": [["1", 1], ["", null]], "plain": ["A"]})),
        Just(json!({"codec": "rename", "names": {"a": "b", "c": "d"}})),
        Just(json!({"codec": "null-is-absent", "properties": ["a", "b"], "nullable": ["b"]})),
        Just(json!({"codec": "null-for-absent", "properties": ["a", "b"]})),
    ];
    let leaf = prop::collection::vec(codec, 0..3).prop_map(|codecs| json!({"codecs": codecs}));
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"properties": {"a": a, "b": b}})),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| json!({"codecs": [{"codec": "entries", "key": "key", "value": "value"}], "prefix": [a], "items": b})),
            inner.clone().prop_map(|a| json!({"rest": a, "named": ["a"], "ref": "d"})),
            (guards(), guards(), inner.clone(), inner)
                .prop_map(|(g, w, a, b)| json!({"branches": [{"when": g, "was": w, "then": a}, {"when": {}, "then": b}]})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics(root in nodes(), def in nodes(), types in shapes(), type_def in shapes(), value in values(), all in any::<bool>()) {
        let json = json!({
            "version": 1, "profile": "p", "name": null, "sent_as": null,
            "stages": [{"phase": "recode", "root": root, "definitions": {"d": def}}],
            "types": {"root": types, "definitions": {"d": type_def}},
        });
        let plan = RestorePlan::from_json(&json).unwrap();
        prop_assert_eq!(RestorePlan::from_json(&plan.to_json()).unwrap(), plan.clone());
        let lenient = if all { Lenient::ALL } else { Lenient::NONE };
        let options = RestoreOptions { lenient, drop_nulls: all, ..RestoreOptions::default() };
        let _ = encode(&plan, value.clone(), &options);
        let _ = restore(&plan, value.clone(), &options);
        let _ = restore(&plan, Value::String(value.to_string()), &options);
        let _ = RestorePlan::from_json(&value);
    }
}

#[test]
fn keys_that_stand_twice_in_text() {
    let root = json!({"properties": {"a": {"codecs": [{"codec": "parse-json"}]}}});
    check(&root, json!({"a": "{\"k\": 1, \"k\": 2}"}), json!({"a": {"k": 2}}), "duplicate-key /a/k");
    check(&root, json!({"a": "{\"n\": 123456789012345678901}"}), json!({"a": {"n": 123_456_789_012_345_678_901.0}}), "rounded /a/n");
    check(&root, json!({"a": "[{\"k\":1},{\"k\":2}]"}), json!({"a": [{"k": 1}, {"k": 2}]}), "");
}

#[test]
fn a_pattern_that_cannot_be_matched_is_no_plan() {
    for pattern in ["(", "^(?=a)", "((a{1000}){1000}){1000}"] {
        let root = json!({"rest": {"codecs": [{"codec": "parse-json"}]}, "patterns": {pattern: {}}});
        let plan = json!({"version": 1, "profile": "p", "stages": [{"phase": "recode", "root": root}]});
        let error = RestorePlan::from_json(&plan).expect_err("no pattern");
        assert!(error.path.contains("patterns") && error.path.ends_with(&pattern.replace('/', "~1")), "{error}");
    }
}

#[test]
fn patterns_of_names_come_before_the_rest() {
    let root = json!({"rest": {"codecs": [{"codec": "parse-json"}]}, "patterns": {"^x": {}}});
    check(&root, json!({"x1": "1", "y": "[1]"}), json!({"x1": "1", "y": [1]}), "");
}
