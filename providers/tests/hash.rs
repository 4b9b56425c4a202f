//! Laws of hashes: how a schema is spelled does not count, whatever it says does.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use schemalect::engine::{Budget, Tree, canonical};
use schemalect::{CanonicalForm, canonical_schema, hash_of_text, schema_hash, schema_hash_in};
use serde_json::{Map, Value, json};

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop_oneof![any::<char>(), proptest::char::range('a', 'f'), Just('\u{fb33}'), Just('😀')], 0..6)
        .prop_map(|chars| chars.into_iter().collect())
}

fn value() -> impl Strategy<Value = Value> {
    let quarter = |n: i32| Value::from(f64::from(n) / 4.0);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i32>().prop_map(quarter),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((text(), inner), 0..5).prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Schemas with values of every kind, names in sets, and other schemas below.
fn schema() -> impl Strategy<Value = Value> {
    let names = proptest::collection::btree_set(text(), 0..5).prop_map(|names| Value::from(names.into_iter().collect::<Vec<_>>()));
    let leaf = (value(), value(), names, any::<i32>()).prop_map(|(default, constant, required, minimum)| {
        json!({"default": default, "const": constant, "required": required, "minimum": minimum, "type": ["string", "null"]})
    });
    leaf.prop_recursive(3, 12, 4, |inner| {
        (proptest::collection::vec((text(), inner.clone()), 0..4), proptest::collection::vec(inner, 0..3)).prop_map(
            |(properties, branches)| {
                let properties: Map<String, Value> = properties.into_iter().collect();
                json!({"properties": properties, "anyOf": branches, "description": "d"})
            },
        )
    })
}

/// A source of choices.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The same value in another spelling: keys in another order, blanks, escapes; with `sets`, numbers and names in sets as well.
fn respell(value: &Value, key: Option<&str>, sets: bool, choices: &mut Choices, out: &mut String) {
    let blank = |choices: &mut Choices, out: &mut String| out.push_str(["", " ", "\n"][choices.below(3)]);
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            choices.shuffle(&mut members);
            out.push('{');
            for (i, (key, member)) in members.into_iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                blank(choices, out);
                quote(key, choices, out);
                out.push(':');
                respell(member, Some(key), sets, choices, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            let mut items: Vec<_> = items.iter().collect();
            if sets && key == Some("required") {
                choices.shuffle(&mut items);
            }
            out.push('[');
            for (i, item) in items.into_iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                blank(choices, out);
                respell(item, None, sets, choices, out);
            }
            out.push(']');
        }
        Value::String(text) => quote(text, choices, out),
        Value::Number(n) if sets => match (n.as_i64(), choices.below(3)) {
            // More digits than a double has are not written as one.
            (Some(n), 1) if n.unsigned_abs() < 1 << 50 => out.push_str(&format!("{n}.0")),
            (Some(n), 2) if n != 0 && n.unsigned_abs() < 1 << 50 => out.push_str(&format!("{n}0e-1")),
            _ => out.push_str(&n.to_string()),
        },
        other => out.push_str(&other.to_string()),
    }
}

fn quote(text: &str, choices: &mut Choices, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        if choices.below(3) == 0 || c.is_control() || c == '"' || c == '\\' {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04X}")));
        } else {
            out.push(c);
        }
    }
    out.push('"');
}

fn of_text(text: &str, form: CanonicalForm) -> String {
    let tree = Tree::parse(text, &Budget::default()).unwrap();
    canonical::schema(&tree, tree.root(), form)
}

/// A value is changed somewhere, at a place that is chosen.
fn change(value: &mut Value, choices: &mut Choices) {
    match value {
        Value::Object(members) if !members.is_empty() => match choices.below(4) {
            0 => {
                let key = members.keys().nth(choices.below(members.len())).cloned().unwrap_or_default();
                let member = members.shift_remove(&key).unwrap_or_default();
                members.insert(format!("{key}x~"), member);
            }
            1 => drop(members.insert("new~".to_owned(), Value::Null)),
            _ => {
                let at = choices.below(members.len());
                members.values_mut().nth(at).into_iter().for_each(|member| change(member, choices));
            }
        },
        Value::Array(items) if !items.is_empty() && choices.below(2) == 0 => {
            let at = choices.below(items.len());
            change(&mut items[at], choices);
        }
        Value::Array(items) => items.push("new~".into()),
        Value::String(text) => text.push('~'),
        Value::Number(n) => *value = n.as_i64().map_or_else(|| Value::from(n.as_f64().unwrap_or_default() + 0.125), |n| Value::from(n ^ 1)),
        _ => *value = json!({"new~": value}),
    }
}

proptest! {
    #[test]
    fn spelling_does_not_count(schema in schema(), seed in any::<u64>()) {
        let mut choices = Choices(seed);
        for (form, sets) in [(CanonicalForm::Sets, true), (CanonicalForm::Ascii, false)] {
            let mut spelled = String::new();
            respell(&schema, None, sets, &mut choices, &mut spelled);
            prop_assert_eq!(of_text(&spelled, form), canonical_schema(&schema, form), "{}", spelled);
        }
    }

    #[test]
    fn whatever_is_said_counts(schema in schema(), seed in any::<u64>()) {
        let mut other = schema.clone();
        change(&mut other, &mut Choices(seed));
        prop_assert_ne!(schema_hash(&schema), schema_hash(&other), "{}\n{}", schema, other);
        prop_assert_ne!(schema_hash_in(&schema, CanonicalForm::Ascii), schema_hash_in(&other, CanonicalForm::Ascii));
    }

    #[test]
    fn canonical_texts_say_the_same_and_stay(schema in schema()) {
        for form in [CanonicalForm::Sets, CanonicalForm::Ascii] {
            let text = canonical_schema(&schema, form);
            prop_assert_eq!(&of_text(&text, form), &text);
            let read: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(schema_hash(&read), schema_hash(&schema));
            prop_assert_eq!(hash_of_text(&text), schema_hash_in(&schema, form));
        }
        prop_assert!(canonical_schema(&schema, CanonicalForm::Ascii).is_ascii());
    }
}
