//! Tool names there and back, through every profile.
#![allow(clippy::unwrap_used, missing_docs)]

use schemalect::{AdaptOptions, Profiles, ReadOptions, Surface, read};
use schemalect_conformance::names::{broken, made};
use schemalect_rules::Selection;
use serde_json::{Value, json};

fn surfaces() -> Vec<Surface> {
    let profiles = Profiles::builtin().unwrap();
    let names: Vec<String> = profiles.rule_library().profile_names().map(str::to_owned).collect();
    let day = Selection::on("2026-11-29".parse().unwrap());
    names.iter().map(|name| profiles.resolve(name, &day).unwrap()).collect()
}

#[test]
fn names_lead_back_and_depend_on_nothing_else() {
    for (seed, surface) in (0..).zip(surfaces()) {
        let broken = broken(&surface, &made(120, seed), seed);
        assert!(broken.is_empty(), "{}, seed {seed}: {broken:#?}", surface.name());
    }
}

/// The names under which tools are sent, and those that are left out.
fn check(surface: &Surface, tools: &[(&str, &str)], sent: &[&str], dropped: &[&str]) {
    let tools: Vec<Value> = tools.iter().map(|(name, description)| json!({"name": name, "description": description})).collect();
    let list = read(Value::from(tools).to_string().as_bytes(), &ReadOptions::default()).unwrap();
    let adapted = surface.adapt(&list, &AdaptOptions::default()).unwrap();
    // A hash is shown by its length alone.
    let plain = |name: &String| match name.rsplit_once('_') {
        Some((head, tail)) if tail.len() == 8 && tail.chars().any(|c| c.is_ascii_digit()) => format!("{head}_#"),
        _ => name.clone(),
    };
    let got: Vec<String> = adapted.tools.iter().filter_map(|t| t.name.as_ref().map(plain)).collect();
    assert_eq!(got, sent);
    assert_eq!(adapted.dropped.iter().filter_map(|d| d.name.as_deref()).collect::<Vec<_>>(), dropped);
    assert_eq!(adapted.tools.iter().filter_map(|t| t.name.as_ref()).collect::<std::collections::HashSet<_>>().len(), sent.len());
}

#[test]
fn names_stay_readable() {
    let surfaces = surfaces();
    let surface = surfaces.iter().find(|s| s.name() == "anthropic").unwrap();
    check(surface, &[("github/search_issues", "d"), ("search", "d"), ("Search", "d")], &["github_search_issues", "search", "Search"], &[]);
    check(surface, &[("a/b", "d"), ("a_b", "d"), ("a.b", "d"), ("c.d", "d")], &["a_b_#", "a_b", "a_b_#", "c_d"], &[]);
    check(surface, &[("a", "one"), ("a", "two"), ("b", "d")], &["a_#", "a_#", "b"], &[]);
    check(surface, &[("a", "one"), ("a", "one"), ("b", "d")], &["a", "b"], &["a"]);
    check(surface, &[("名前", "d"), ("道具", "d")], &["_#", "_#"], &[]);
}
