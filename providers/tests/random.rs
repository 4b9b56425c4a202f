//! Tools and calls made by chance: nothing panics, every tool has its note, and what passes the preflight lacks nothing.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use common::list;
use proptest::prelude::*;
use schemalect::{OfferOptions, Profiles, Selection, Surface};
use serde_json::{Value, json};

const KEYS: [&str; 14] = [
    "type",
    "properties",
    "required",
    "items",
    "anyOf",
    "allOf",
    "enum",
    "const",
    "$ref",
    "nullable",
    "additionalProperties",
    "a",
    "b",
    "description",
];

/// Values that look like schemas often enough.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        (-3_i64..4).prop_map(Value::from),
        prop::sample::select(vec!["object", "array", "string", "integer", "null", "a", "b", "#/properties/a", "5", "[1]", ""])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(KEYS.to_vec()), inner), 0..5).prop_map(|members| members
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

fn surfaces() -> Vec<Surface> {
    let profiles = Profiles::builtin().unwrap();
    let names = ["schemashim-gemini", "schemashim-openai-strict", "personalclaw-portable"];
    names.iter().map(|name| profiles.resolve(name, &Selection::on("2026-11-29".parse().unwrap())).unwrap()).collect()
}

#[test]
fn every_tool_of_any_list_has_its_note() {
    let surfaces = surfaces();
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig { cases: 1000, ..ProptestConfig::default() });
    let tools = prop::collection::vec((prop::sample::select(vec!["a", "a/b", "a_b", "", "1"]), values()), 1..5);
    let run = runner.run(&tools, |tools| {
        let entries: Vec<Value> = tools.iter().map(|(name, schema)| json!({"name": name, "inputSchema": schema})).collect();
        for surface in &surfaces {
            let offer = surface.offer(&list(&Value::from(entries.clone()).to_string()), &OfferOptions::default());
            prop_assert_eq!(offer.notes.iter().map(|note| note.index).collect::<Vec<_>>(), (0..entries.len()).collect::<Vec<_>>());
            let sent = offer.notes.iter().filter(|note| note.offered_as.is_some()).count();
            prop_assert_eq!(sent, offer.list.tools.len());
            prop_assert!(offer.left_out().all(|note| !note.reason.is_empty() && note.line("x").is_some()));
        }
        Ok(())
    });
    run.unwrap();
}

#[cfg(feature = "validate")]
proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn what_passes_lacks_nothing(schema in values(), arguments in values()) {
        let tool = schemalect::Preflight::new(&schema);
        match tool.check(arguments) {
            Ok((sent, _)) => prop_assert!(tool.missing(&sent).is_none() && tool.mistyped(&sent).is_none(), "{} {}", schema, sent),
            Err(refusal) => prop_assert!(!refusal.mistakes.is_empty() && !refusal.to_string().is_empty()),
        }
    }
}
