//! Arguments there and back through the built-in profiles: `restore.jsonl` holds a case a line.
//!
//! A case has a `schema`, the `model`'s arguments, what the `tool` gets (the same where it is left out), and the `issues` as
//! `issue path`. Every case is run with the plan read back from its JSON; where there is no issue, `tool` is encoded too, and comes
//! back as it was.
// Texts are compared, because the order of members counts.
#![allow(clippy::cmp_owned, clippy::unwrap_used, missing_docs)]

use std::collections::HashMap;

use schemalect::engine::restore::{Lenient, RestoreOptions, RestorePlan, encode, restore};
use schemalect::{AdaptOptions, OnUnfixable, Profiles, ReadOptions, Selection, Surface, read};
use serde_json::{Value, json};

fn surface(profiles: &Profiles, name: &str) -> Surface {
    profiles.resolve(name, &Selection::on("2026-11-29".parse().unwrap())).unwrap()
}

fn plan(surface: &Surface, schema: &Value, types: bool) -> Option<RestorePlan> {
    let tool = json!([{"name": "tool", "description": "A tool.", "inputSchema": schema}]).to_string();
    let list = read(tool.as_bytes(), &ReadOptions::default()).unwrap();
    let options = AdaptOptions { types, on_unfixable: Some(OnUnfixable::Keep), ..AdaptOptions::default() };
    let adapted = surface.adapt(&list, &options).unwrap();
    adapted.tools.into_iter().next().unwrap().plan
}

/// What is wrong with a case, if anything.
fn fault(case: &Value, surface: &Surface) -> Option<String> {
    let options = RestoreOptions {
        drop_nulls: case["drop_nulls"] == true,
        lenient: if case["lenient"] == true { Lenient::ALL } else { Lenient::NONE },
        ..RestoreOptions::default()
    };
    let tool = case.get("tool").unwrap_or(&case["model"]).to_string();
    let Some(plan) = plan(surface, &case["schema"], case["types"] != false) else {
        return (tool != case["model"].to_string()).then(|| "there is no plan".to_owned());
    };
    let written = plan.to_json();
    let plan = match RestorePlan::from_json(&written) {
        Ok(plan) if plan.to_json() == written => plan,
        other => return Some(format!("the plan read back: {other:?}\n  plan {written}")),
    };
    let got = restore(&plan, case["model"].clone(), &options);
    let issues: Vec<String> = got.issues.iter().map(|i| format!("{} {}", i.issue.word(), i.path).trim().to_owned()).collect();
    let want: Vec<&str> = case["issues"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if got.arguments.to_string() != tool || issues != want {
        return Some(format!("restored {}\n  expected {tool}\n  issues {issues:?}\n  expected {want:?}\n  plan {written}", got.arguments));
    }
    if want.is_empty() {
        let there = encode(&plan, got.arguments, &options);
        let back = restore(&plan, there.arguments.clone(), &options);
        if back.arguments.to_string() != tool || !there.issues.is_empty() || !back.issues.is_empty() {
            let issues = (&there.issues, &back.issues);
            return Some(format!("encoded {}\n  back {}\n  issues {issues:?}\n  plan {written}", there.arguments, back.arguments));
        }
    }
    None
}

#[test]
fn cases() {
    let profiles = Profiles::builtin().unwrap();
    let mut surfaces: HashMap<String, Surface> = HashMap::new();
    let mut faults = Vec::new();
    let file = include_str!("restore.jsonl");
    for line in file.lines().filter(|l| !l.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        for name in case["profiles"].as_str().unwrap_or_else(|| panic!("{line}")).split(' ') {
            let surface = surfaces.entry(name.to_owned()).or_insert_with(|| surface(&profiles, name));
            if let Some(fault) = fault(&case, surface) {
                faults.push(format!("{name}: {}\n  {fault}", case["about"]));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Values that fit a schema, by a stream of numbers; an optional property that takes null is always there, for null and absent are one
/// value for the model.
struct Maker<'s> {
    root: &'s Value,
    state: u64,
}

impl Maker<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % n.max(1)
    }

    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(target) = schema["$ref"].as_str() {
            let target = self.root.pointer(target.trim_start_matches('#')).unwrap().clone();
            return self.value(&target, depth + 1);
        }
        if let Some(list) = schema["enum"].as_array() {
            return list[self.below(list.len())].clone();
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(list) = schema.get("anyOf").or(schema.get("oneOf")).and_then(Value::as_array) {
            let branch = list[if depth > 6 { 0 } else { self.below(list.len()) }].clone();
            return self.value(&branch, depth + 1);
        }
        let types = match &schema["type"] {
            Value::String(one) => vec![one.clone()],
            Value::Array(list) => list.iter().map(|t| t.as_str().unwrap().to_owned()).collect(),
            _ => vec![["string", "integer", "null", "array", "object"][self.below(5)].to_owned()],
        };
        match types[self.below(types.len())].as_str() {
            "string" => Value::from(["", "a b", "{\"x\": 1}", "null", "5", "\"q\"\n"][self.below(6)]),
            "integer" => Value::from(self.below(2000) as i64 - 1000),
            "number" => [json!(0.5), json!(-3), json!(1e300)][self.below(3)].clone(),
            "boolean" => Value::from(self.below(2) == 0),
            "null" => Value::Null,
            "array" => {
                let prefix = schema["prefixItems"].as_array().cloned().unwrap_or_default();
                let mut out: Vec<Value> = prefix.iter().map(|s| self.value(s, depth + 1)).collect();
                let more = if depth > 6 || schema["items"] == false { 0 } else { self.below(3) };
                let items = schema.get("items").cloned().unwrap_or(json!({"type": "string"}));
                out.extend((0..more).map(|_| self.value(&items, depth + 1)));
                Value::Array(out)
            }
            _ => self.object(schema, depth),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut out = serde_json::Map::new();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let required = schema["required"].as_array().is_some_and(|r| r.contains(&json!(name)));
            let nullable = property.to_string().contains("null");
            if required || nullable || (depth < 6 && self.below(2) == 0) {
                out.insert(name.clone(), self.value(property, depth + 1));
            }
        }
        if let Some(rest) = schema.get("additionalProperties").filter(|r| r.is_object()) {
            for _ in 0..self.below(3) {
                out.insert(format!("k{}", self.below(9)), self.value(rest, depth + 1));
            }
        }
        Value::Object(out)
    }
}

#[test]
fn what_is_encoded_comes_back() {
    let profiles = Profiles::builtin().unwrap();
    let surfaces: Vec<Surface> = profiles.rule_library().profile_names().map(|name| surface(&profiles, name)).collect();
    let schemas: Vec<Value> =
        include_str!("schemas.jsonl").lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect();
    let mut faults = Vec::new();
    for schema in &schemas {
        for surface in &surfaces {
            let Some(plan) = plan(surface, schema, true) else { continue };
            let options = RestoreOptions::default();
            for seed in 0..60 {
                let value = Maker { root: schema, state: seed * 7919 + 1 }.value(schema, 0);
                let there = encode(&plan, value.clone(), &options);
                let back = restore(&plan, there.arguments.clone(), &options);
                // Two branches may give one spelling, an empty list and an empty map for one: then restoring says so.
                let told = back.issues.iter().any(|i| format!("{:?}", i.issue) == "AmbiguousBranch");
                if !told && (back.arguments.to_string() != value.to_string() || !there.issues.is_empty()) {
                    let issues = (there.issues, back.issues);
                    faults.push(format!(
                        "{}: {value}\n  encoded {}\n  back {}\n  {issues:?}\n  {schema}\n  {}",
                        surface.name(),
                        there.arguments,
                        back.arguments,
                        plan.to_json()
                    ));
                    break;
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
