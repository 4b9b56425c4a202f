//! Targets whose input holds the arguments of a call.

use schemalect::engine::adapt::adapt;
use schemalect::engine::check::{Given, Tool};
use schemalect::engine::restore::{RestorePlan, encode, losses, restore as restore_arguments};
use schemalect::engine::{Budget, Effects, Tree};
use schemalect::{Call, Lenient, Preflight, RestoreOptions, RestorePlans, Validator};
use serde_json::Value;

use crate::surfaces::asked;
use crate::{part, text};

const OPTIONS: [RestoreOptions; 3] = [
    RestoreOptions { drop_nulls: false, integral: true, lenient: Lenient::NONE },
    RestoreOptions { drop_nulls: true, integral: true, lenient: Lenient::ALL },
    RestoreOptions { drop_nulls: false, integral: false, lenient: Lenient::ALL },
];

/// A profile with choices, a schema, and a text that a model wrote as its arguments. Whatever it wrote, something bounded comes back; and
/// arguments that the tool takes come back as they were, unless a rewrite says that it keeps some of them out.
pub fn restore(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let (surface, options) = asked(part(text, 0, 3));
    let Ok(tree) = Tree::parse(part(text, 1, 3), &options.budget) else { return };
    let written = part(text, 2, 3);
    let tool = Tool { name: Given::Text("tool"), description: Given::Missing, schema: Some((&tree, tree.root())) };
    let adapted = adapt(surface.plan(), &tool, &options);
    let value: Value = serde_json::from_str(written).unwrap_or(Value::Null);
    if let Some(plan) = &adapted.plan {
        hostile(plan, written, &value);
        let taken = value.is_object() && !adapted.effects.meets(Effects::NARROWS.with(Effects::LOSSY));
        let judge = Validator::new(&tree.to_value(tree.root()));
        if taken && judge.unchecked().is_empty() && judge.is_valid(&value) {
            there_and_back(plan, &value);
        }
    }
    let schema = tree.to_value(tree.root());
    let found = schemalect::validate(&schema, &value);
    assert_eq!(found.valid, found.errors.is_empty());
    let preflight = Preflight::new(&schema);
    let _ = (preflight.missing(&value), preflight.mistyped(&value));
    let _ = preflight.coerce(value);
}

/// A document that should be a restore plan, and a text that a model wrote. A plan that is read is written as it is, and carried out on anything.
pub fn plan(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let (Ok(document), written) = (serde_json::from_str::<Value>(part(text, 0, 2)), part(text, 1, 2)) else { return };
    let value: Value = serde_json::from_str(written).unwrap_or(Value::Null);
    if let Ok(plan) = RestorePlan::from_json(&document) {
        let json = plan.to_json();
        let again = RestorePlan::from_json(&json).expect("a plan that was written is read");
        assert_eq!(again.to_json(), json);
        hostile(&plan, written, &value);
    }
    if let Ok(plans) = RestorePlans::from_json(&document) {
        for call in Call::all_in_text(written).unwrap_or_default() {
            let _ = plans.encode(call.clone(), &OPTIONS[1]);
            let _ = plans.restore(call, &OPTIONS[1]);
        }
    }
}

fn hostile(plan: &RestorePlan, written: &str, value: &Value) {
    let _ = losses(written, &Budget::default());
    for options in &OPTIONS {
        for arguments in [Value::String(written.to_owned()), value.clone()] {
            let back = restore_arguments(plan, arguments.clone(), options);
            bounded(&back.arguments, written, plan);
            bounded(&encode(plan, back.arguments, options).arguments, written, plan);
            bounded(&encode(plan, arguments, options).arguments, written, plan);
        }
    }
}

fn bounded(value: &Value, written: &str, plan: &RestorePlan) {
    // What work is left for the smallest arguments makes so much text.
    let most = 50_000 + 256 * (written.len() + plan.to_json().to_string().len());
    let size = value.to_string().len();
    assert!(size <= most, "{size} bytes came of {}", written.len());
}

fn there_and_back(plan: &RestorePlan, value: &Value) {
    let there = encode(plan, value.clone(), &OPTIONS[0]);
    if !there.issues.is_empty() {
        return;
    }
    let back = restore_arguments(plan, there.arguments.clone(), &OPTIONS[0]);
    let same = |value: &Value| plain(value).map_or(Value::Null, |value| value);
    assert_eq!(same(&back.arguments), same(value), "by way of {}; {:?}", there.arguments, back.issues);
}

/// Without nulls of members, which some surfaces do not tell from nothing, and with 1.0 written as 1.
fn plain(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Null => return None,
        Value::Number(n) => match n.as_f64().filter(|f| f.fract() == 0.0 && f.abs() < 9e15) {
            Some(whole) => Value::from(whole as i64),
            None => value.clone(),
        },
        Value::Array(list) => list.iter().map(|v| plain(v).unwrap_or_default()).collect(),
        Value::Object(map) => Value::Object(map.iter().filter_map(|(k, v)| Some((k.clone(), plain(v)?))).collect()),
        other => other.clone(),
    })
}
