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
