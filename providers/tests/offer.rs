//! Lists of tools as they are offered: what each becomes, under which name, and what is said of it.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::list;
use schemalect::{Call, Json, NameChoice, Offer, OfferFate, OfferOptions, Profiles, RestoreOptions, Selection};
use serde_json::{Value, json};

fn offer(tools: &Value, options: &OfferOptions) -> Offer {
    let surface = Profiles::builtin().unwrap().resolve("personalclaw-portable", &Selection::on("2026-11-29".parse().unwrap())).unwrap();
    surface.offer(&list(&tools.to_string()), options)
}

fn tool(name: &str, schema: Value) -> Value {
    json!({"name": name, "description": "d", "inputSchema": schema})
}

fn object(properties: Value) -> Value {
    json!({"type": "object", "properties": properties})
}

/// Name, the name that it is offered under or the word of its fate.
fn check(names: &[&str], options: &OfferOptions, expected: &[(&str, &str)]) {
    let tools: Value = names.iter().map(|name| tool(name, object(json!({"q": {"type": "string"}})))).collect();
    let offer = offer(&tools, options);
    let got: Vec<(&str, &str)> = offer
        .notes
        .iter()
        .map(|note| (note.name.as_deref().unwrap_or("-"), note.offered_as.as_deref().unwrap_or(note.fate.word())))
        .collect();
    assert_eq!(got, expected, "{names:?}");
}

#[test]
fn every_tool_has_its_note() {
    let tools = json!([
        tool("good", object(json!({"q": {"type": "string"}}))),
        tool("sloppy", json!({"type": "object", "properties": {"q": {"type": "string", "minimum": 1}}, "additionalProperties": false})),
        tool("broken", object(json!({"xs": {"type": "array"}, "o": {"type": "object"}}))),
        tool("hostile", object(json!({"a": {"type": {"x": 1}}}))),
        {"description": "nameless", "inputSchema": object(json!({}))},
        {"name": "bare/tool", "description": "  "},
        tool(" ", object(json!({}))),
    ]);
    let offer = offer(&tools, &OfferOptions::default());
    let fates: Vec<OfferFate> = offer.notes.iter().map(|note| note.fate).collect();
    use OfferFate::{Defective, Repaired, Unchanged};
    assert_eq!(fates, [Unchanged, Repaired, Defective, Defective, Defective, Repaired, Defective]);
    let paths =
        |at: usize| offer.notes[at].defects.iter().map(|d| (d.path.as_str(), d.stage.as_str(), d.repair.is_some())).collect::<Vec<_>>();
    assert_eq!(paths(2), [("/properties/xs", "array-items-missing", false), ("/properties/o", "object-properties-missing", false)]);
    assert!(paths(1).iter().all(|(.., repaired)| *repaired) && paths(1).len() == 2, "{:?}", paths(1));
    let described = "\"bare/tool\" came with no description, so this one is written from its name and inputs. It takes no arguments.";
    assert_eq!(offer.notes[5].description.as_deref(), Some(described));
    assert_eq!(
        offer.notes[5].line("app"),
        Some(
            "app: tool \"bare/tool\" is offered with repairs: tool-schema-missing (the empty object was given); \
        tool-name-characters (name changed to \"bare_tool\"); tool-description-blank (a description was written)"
                .to_owned()
        )
    );
    assert_eq!(offer.notes[0].line("app"), None);
    let line = offer.notes[2].line("app").unwrap();
    assert!(line.starts_with("app: tool \"broken\" is left out: array-of-anything at /properties/xs: "), "{line}");
    let mut json = Json::new();
    offer.write_json(&mut json);
    let written: Value = serde_json::from_str(&json.finish()).unwrap();
    assert_eq!(written["tools"].as_array().map(Vec::len), Some(7));
    assert_eq!(written["tools"][2]["defects"][0]["path"], "/properties/xs");
    let call = Call::new("bare_tool", json!({}));
    assert_eq!(offer.list.plans().restore(call, &RestoreOptions::default()).unwrap().name.as_deref(), Some("bare/tool"));
}

#[test]
fn a_root_that_is_a_map_is_left_out() {
    for schema in [
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"type": "object", "additionalProperties": true}),
        json!({"type": "object", "patternProperties": {"^x": {"type": "string"}}}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "not": {"required": ["a"]}}),
    ] {
        let mut options = OfferOptions::default();
        options.adapt.allow = schemalect::Effects::ALL;
        let offer = offer(&json!([tool("t", schema.clone())]), &options);
        assert_eq!(offer.notes[0].fate, OfferFate::Defective, "{schema}: {:?}", offer.notes[0]);
    }
    let closed =
        offer(&json!([tool("t", json!({"type": "object", "properties": {}, "additionalProperties": false}))]), &OfferOptions::default());
    assert_eq!(closed.notes[0].fate, OfferFate::Repaired);
}

#[test]
fn converse_wants_a_description() {
    let converse = Profiles::builtin().unwrap().resolve("bedrock", &Selection::on("2026-11-29".parse().unwrap())).unwrap();
    let tool =
        |text: &str| json!([{"name": "t", "description": text, "inputSchema": object(json!({"q": {"type": "string"}}))}]).to_string();
    for (text, refused) in [("", true), ("d", false)] {
        let report = converse.check(&list(&tool(text)), 1);
        assert_eq!(report.findings().any(|f| &*f.rule == "bedrock/tool-description-empty" && f.refuses()), refused, "{text:?}");
    }
    let offer = offer(&serde_json::from_str(&tool("")).unwrap(), &OfferOptions::default());
    assert!(offer.notes[0].description.as_deref().is_some_and(|text| text.starts_with("\"t\" came with no description")));
}

#[test]
fn names_are_told_apart_or_left_out() {
    let apart = OfferOptions::default();
    let left_out = OfferOptions { names: NameChoice::LeaveOut, ..OfferOptions::default() };
    let names = ["a/b", "a_b", "a.b", "c.d"];
    check(&names, &left_out, &[("a/b", "name-taken"), ("a_b", "a_b"), ("a.b", "name-taken"), ("c.d", "c_d")]);
    let offer = offer(&names.iter().map(|name| tool(name, object(json!({})))).collect(), &apart);
    let mut sent: Vec<&str> = offer.notes.iter().filter_map(|note| note.offered_as.as_deref()).collect();
    sent.sort_unstable();
    sent.dedup();
    assert_eq!(sent.len(), 4, "{sent:?}");
    let taken = OfferOptions { taken: vec!["c_d".to_owned()], names: NameChoice::LeaveOut, ..OfferOptions::default() };
    check(&["c.d", "c_d"], &taken, &[("c.d", "name-taken"), ("c_d", "name-taken")]);
    let taken = OfferOptions { names: NameChoice::Apart, ..taken };
    let offer = self::offer(&json!([tool("c_d", object(json!({})))]), &taken);
    let name = offer.notes[0].offered_as.clone().unwrap();
    assert!(name.starts_with("c_d_") && name.len() == 12, "{name}");
    let call = Call::new(name, json!({}));
    assert_eq!(offer.list.plans().restore(call, &RestoreOptions::default()).unwrap().name.as_deref(), Some("c_d"));
}

#[test]
fn null_that_is_required_comes_back() {
    let schema =
        json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {"type": "string"}}, "required": ["a", "b"]});
    let offer = offer(&json!([tool("t", schema)]), &OfferOptions::default());
    let sent = offer.list.tools[0].schema.as_ref().unwrap();
    assert_eq!(
        sent.to_value(sent.root()),
        json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["b"]})
    );
    for (written, expected) in
        [(json!({"b": "x"}), json!({"b": "x", "a": null})), (json!({"a": "y", "b": "x"}), json!({"a": "y", "b": "x"}))]
    {
        let call = Call::new("t", written);
        let plans = offer.list.plans();
        assert_eq!(plans.restore(call, &RestoreOptions::default()).unwrap().arguments, expected);
        let back = plans.encode(Call::new("t", expected.clone()), &RestoreOptions::default()).unwrap();
        assert!(back.arguments.get("a").is_none_or(|a| !a.is_null()), "{expected}");
    }
}
