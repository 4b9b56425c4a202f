//! Operations on the parts of a tool: its name, its description, and whether it has a schema.
#![allow(clippy::unwrap_used, missing_docs)]

use schemalect_rules::Library;
use schemalect_rules::engine::adapt::{Options, adapt};
use schemalect_rules::engine::check::{Given, Tool};
use schemalect_rules::engine::{Budget, Effects, Tree};
use serde_json::{Map, Value, json};

/// The tool `{name, description, schema}` after the rewrite of a rule, with its effects.
fn after(at: &str, when: &Value, rewrite: &Value, tool: &Value, allow: Effects) -> (Value, String) {
    let rule = json!({"rule": "case", "title": "case", "at": at, "when": when, "why": "case", "rewrite": [rewrite]});
    let library = Library::new([("case.yaml".to_owned(), rule.to_string())], []).unwrap();
    let plan = library.compile_rule_alone("case", &Map::new()).unwrap();
    let text = |key: &str| match tool.get(key) {
        None => Given::Missing,
        Some(Value::Null) => Given::Null,
        Some(value) => value.as_str().map_or(Given::Odd, Given::Text),
    };
    let tree = tool.get("schema").map(|s| Tree::parse(&s.to_string(), &Budget::default()).unwrap());
    let view = Tool { name: text("name"), description: text("description"), schema: tree.as_ref().map(|tree| (tree, tree.root())) };
    let done = adapt(&plan, &view, &Options { allow, ..Options::default() });
    let mut out = tool.clone();
    for (key, new) in [("name", &done.name), ("description", &done.description)] {
        if let Some(new) = new {
            out[key] = json!(new);
        }
    }
    match &done.schema {
        Some(tree) => out["schema"] = tree.to_value(tree.root()),
        None => drop(out.as_object_mut().unwrap().remove("schema")),
    }
    (out, done.effects.words().collect::<Vec<_>>().join(" "))
}

fn check(at: &str, when: &Value, rewrite: &Value, tool: &Value, want: &Value, effect: &str) {
    let got = after(at, when, rewrite, tool, Effects::DEFAULT_ALLOWED);
    assert_eq!((&got.0, got.1.as_str()), (want, effect), "{rewrite} of {tool}");
}

#[test]
fn a_schema_is_given() {
    let empty = json!({"type": "object", "properties": {}});
    let rewrite = json!({"give-schema": {"schema": empty}});
    let missing = json!({"is": "schema-missing"});
    check("tool", &missing, &rewrite, &json!({"name": "a"}), &json!({"name": "a", "schema": empty}), "");
    let same = json!({"name": "a", "schema": {"type": "object"}});
    check("tool", &missing, &rewrite, &same, &same, "");
    let odd = json!({"is": "schema-not-object"});
    check("tool", &odd, &rewrite, &json!({"schema": true}), &json!({"schema": empty}), "");
    // A tool that takes no arguments at all has no other schema.
    check("tool", &odd, &rewrite, &json!({"schema": false}), &json!({"schema": false}), "");
}

#[test]
fn a_schema_is_left_out() {
    let (root, rewrite) = (json!({"is": "root"}), json!("omit-schema"));
    let none = json!({"name": "a"});
    let open = json!({"name": "a", "schema": {"type": "object", "properties": {}, "required": [], "description": "Nothing."}});
    check("schema", &root, &rewrite, &open, &none, "narrows");
    assert_eq!(after("schema", &root, &rewrite, &open, Effects::RECODES).0, open);
    check("schema", &root, &rewrite, &json!({"name": "a", "schema": {"type": "object", "additionalProperties": false}}), &none, "");
    for schema in [json!({"properties": {"a": {}}}), json!({"additionalProperties": {"type": "string"}}), json!({"anyOf": [{}]})] {
        let same = json!({"name": "a", "schema": schema});
        check("schema", &root, &rewrite, &same, &same, "");
    }
}

#[test]
fn names_and_descriptions_are_written() {
    let name = json!({"rename-tool": {"allowed": "a-z0-9_", "first": "a-z", "max": 20}});
    let odd = json!({"text": {"of": "name", "not-matches": "^[a-z][a-z0-9_]*$"}});
    check("tool", &odd, &name, &json!({"name": "git/log", "schema": {}}), &json!({"name": "git_log", "schema": {}}), "recodes");
    let long = json!({"text": {"of": "description", "longer": 8, "unit": "bytes"}});
    let cut = json!({"describe": {"max": 8, "unit": "bytes"}});
    check("tool", &long, &cut, &json!({"description": "ääääää"}), &json!({"description": "ää…"}), "");
    check("tool", &long, &cut, &json!({"description": "ääää"}), &json!({"description": "ääää"}), "");
    let none = json!({"text": {"of": "description", "missing": true}});
    let written = after("tool", &none, &json!({"describe": {"min": 1}}), &json!({"name": "a"}), Effects::NONE).0;
    assert!(written["description"].as_str().is_some_and(|d| d.contains('a')), "{written}");
}

/// The places that are still refused of a schema from which one rule drops `not`, while another finds it at the root with this rewrite.
fn refused(rewrite: &str, schema: &Value) -> Vec<String> {
    let rule = |name: &str, when: Value, rewrite: Value| {
        let rule = json!({"rule": name, "title": name, "at": "schema", "when": when, "why": name, "rewrite": rewrite});
        let library = Library::new([(format!("{name}.yaml"), rule.to_string())], []).unwrap();
        library.compile_rule_alone(name, &Map::new()).unwrap()
    };
    let mut plan = rule("drop-it", json!({"has": ["not"]}), json!([{"drop": {"keys": ["not"]}}]));
    plan.rules.extend(rule("find-it", json!({"is": "root", "has": ["not"]}), json!([rewrite])).rules);
    let tree = Tree::parse(&schema.to_string(), &Budget::default()).unwrap();
    let tool = Tool { name: Given::Text("t"), description: Given::Missing, schema: Some((&tree, tree.root())) };
    adapt(&plan, &tool, &Options::default()).residue.into_iter().map(|finding| format!("{} {}", finding.rule, finding.path)).collect()
}

#[test]
fn what_is_final_stays_found_whatever_becomes_of_it() {
    let root = json!({"type": "object", "not": {"required": ["a"]}});
    assert_eq!(refused("refuse", &root), [""; 0]);
    assert_eq!(refused("leave-out", &root), ["find-it /not"]);
    // As the schema stands when references are resolved and combinators normalised: not as it came, where it cannot matter.
    assert_eq!(refused("leave-out", &json!({"type": "object", "properties": {"a": {"not": {}}}})), [""; 0]);
}

#[test]
fn what_copies_make_longer_is_measured() {
    let text = |over: u64| {
        json!({"rule": "case", "title": "case", "at": "schema", "why": "case", "rewrite": [{"inline-refs": {"recursion": "keep"}}],
            "when": {"is": "root", "measure": {"of": "bytes", "over": "schema", "above": over}}})
    };
    let written =
        json!({"rule": "written", "title": "t", "at": "schema", "why": "w", "when": {"has": ["$ref"]}, "rewrite": [{"inline-refs": {}}]});
    let profile = json!({"profile": "p", "title": "t", "wire": {"name": "/n", "description": "/d", "schema": "/s"}, "stages": ["s"], "rules": [
        {"rule": "written", "stage": "s", "sources": [{"inferred": "i", "seen": "2026-01-01"}]},
        {"rule": "case", "stage": "s", "rewrite": ["refuse"], "sources": [{"inferred": "i", "seen": "2026-01-01"}]}]});
    let properties: Map<String, Value> = (0..9).map(|i| (format!("p{i}"), json!({"$ref": "#/$defs/long"}))).collect();
    let schema = json!({"properties": properties, "$defs": {"long": {"description": "x".repeat(300)}}}).to_string();
    for (limit, left) in [(2_000, 1), (9_000, 0)] {
        let rules = [("written.yaml".to_owned(), written.to_string()), ("case.yaml".to_owned(), text(limit).to_string())];
        let library = Library::new(rules, [("p.yaml".to_owned(), profile.to_string())]).unwrap();
        let plan = library.bind("p", &schemalect_rules::Selection::on("2026-01-02".parse().unwrap())).unwrap().plan;
        let tree = Tree::parse(&schema, &Budget::default()).unwrap();
        let done = adapt(&plan, &Tool { schema: Some((&tree, tree.root())), ..Tool::default() }, &Options::default());
        let tree = done.schema.unwrap();
        assert!(tree.to_json(tree.root()).len() > 2_000);
        assert_eq!(done.residue.len(), left, "{limit}");
    }
}
