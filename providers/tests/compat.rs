//! The profiles that stand for agent_adapter, where its page is silent or wrong.
#![allow(clippy::unwrap_used, missing_docs)]

use schemalect::{AdaptOptions, Input, Outcome, Profiles, ReadOptions, Selection, Surface, ToolList, read};
use serde_json::{Value, json};

fn surface(name: &str) -> Surface {
    Profiles::builtin().unwrap().resolve(name, &Selection::on("2026-11-29".parse().unwrap())).unwrap()
}

fn list(property: &Value, rest: &Value) -> ToolList {
    let mut schema = json!({"type": "object", "properties": {"a": property}, "required": ["a"]});
    schema.as_object_mut().unwrap().extend(rest.as_object().cloned().unwrap_or_default());
    read(schema.to_string().as_bytes(), &ReadOptions { input: Input::Schema, ..ReadOptions::default() }).unwrap()
}

/// What becomes of a property, and under which of the two siblings.
fn check(profile: &str, property: Value, rest: Value, outcome: Outcome, expected: Value) {
    let adapted = surface(profile).adapt(&list(&property, &rest), &AdaptOptions::default()).unwrap();
    let tool = adapted.tools.first().unwrap_or_else(|| panic!("{property}: {:?}", adapted.dropped));
    let tree = tool.schema.as_ref().unwrap();
    let got = tree.to_value(tree.root());
    assert_eq!((tool.outcome, &got["properties"]["a"]), (outcome, &expected), "{profile} {property}");
}

fn problems(property: Value, rest: Value) -> Vec<String> {
    let surface = surface("agent-adapter-portable");
    let report = surface.check(&list(&property, &rest), 1);
    report.findings().map(|finding| surface.line(finding)).collect()
}

#[test]
fn strict_sends_nothing_that_is_refused() {
    let check = |property: Value, outcome: Outcome, expected: Value| {
        check("agent-adapter-openai-strict", property, json!({}), outcome, expected);
    };
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    check(map.clone(), Outcome::Unstrict, map);
    let open = json!({"type": "object"});
    check(open.clone(), Outcome::Unstrict, open);
    let pair = json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false});
    check(pair.clone(), Outcome::Unstrict, pair);
    check(json!({}), Outcome::Unstrict, json!({}));
    check(
        json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true}),
        Outcome::Clean,
        json!({"type": "array", "items": {"type": "string"}, "description": "Items are unique."}),
    );
    check(
        json!({"oneOf": [{"type": "string"}, {"type": "integer"}]}),
        Outcome::Clean,
        json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
    );
    check(json!({"allOf": [{"type": "string"}, {"minLength": 1}]}), Outcome::Clean, json!({"type": "string", "minLength": 1}));
    check(
        json!({"type": "string", "minLength": 1, "format": "email"}),
        Outcome::Clean,
        json!({"type": "string", "minLength": 1, "format": "email"}),
    );
}

#[test]
fn gemini_gets_what_it_takes() {
    let check = |property: Value, expected: Value| check("agent-adapter-gemini", property, json!({}), Outcome::Clean, expected);
    check(json!({"type": "integer", "enum": [1, 2]}), json!({"type": "string", "enum": ["1", "2"]}));
    check(json!({"type": ["string", "null"]}), json!({"anyOf": [{"type": "string"}, {"type": "null"}]}));
    check(json!({"type": ["string", "integer"]}), json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}));
    check(json!({"allOf": [{"type": "string"}, {"description": "x"}]}), json!({"type": "string", "description": "x"}));
    check(json!({"type": "string", "format": "date-time", "title": "T"}), json!({"type": "string", "format": "date-time"}));
}

#[test]
fn what_the_page_leaves_open() {
    for (keyword, portable) in [("exclusiveMinimum", false), ("multipleOf", false), ("minimum", true)] {
        let found = problems(json!({"type": "integer", (keyword): 2}), json!({}));
        let expected = if portable { Vec::new() } else { vec![format!("$.a: {keyword} is not portable")] };
        assert_eq!(found, expected);
    }
    let list = json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3});
    assert_eq!(problems(list, json!({})), [""; 0]);
    assert_eq!(problems(json!({"type": "string", "not": {"const": "x"}}), json!({})), ["$.a: not is not portable"]);
    assert_eq!(problems(json!({"const": 5}), json!({})), ["$.a: enum value that is no string is not portable"]);
    let recursive = json!({"$defs": {"N": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}}}});
    let node = json!({"$ref": "#/$defs/N"});
    assert_eq!(problems(node.clone(), recursive.clone()), ["$.$defs.N.n: recursive model is not portable"]);
    // References that cannot be written out stay where they are understood, and are text where they are not.
    check("agent-adapter-anthropic", node.clone(), recursive.clone(), Outcome::Unchanged, node.clone());
    let adapted = surface("agent-adapter-gemini").adapt(&self::list(&node, &recursive), &AdaptOptions::default()).unwrap();
    let tree = adapted.tools[0].schema.as_ref().unwrap();
    let text = tree.to_json(tree.root());
    assert!(!text.contains("{\"$ref\"") && !text.contains("\"$defs\":") && text.contains("as JSON text"), "{text}");
}
