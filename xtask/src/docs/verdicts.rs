//! `providers/verdicts.json`: how many answers are recorded of each surface, and which of them each of its rules explains.

use std::collections::BTreeMap;

use serde_json::json;

use super::Book;

/// Where it stands, seen from the pages.
pub(super) const PATH: &str = "../providers/verdicts.json";

/// A line a rule, so that a new answer changes one.
pub(super) fn page(book: &Book) -> String {
    let mut profiles = Vec::new();
    for info in &book.profiles {
        let recorded = book.cases.iter().filter(|case| case.verdict.profile == info.name).count();
        let executed = book.ran.iter().filter(|case| case.ran.engine.profile == info.name).count();
        let pinned = book.evidence.iter().filter(|e| e.profile == info.name && !(e.pins.is_empty() && e.ran.is_empty()));
        let rules: Vec<String> = pinned
            .map(|e| {
                let ids: Vec<&str> = e.pins.iter().map(|(id, _)| id.as_str()).collect();
                let engines: BTreeMap<&str, usize> = e.engines();
                format!("    {}: {}", json!(e.binding.id), json!({ "verdicts": ids, "executed": engines }))
            })
            .collect();
        let rules = if rules.is_empty() { String::new() } else { format!("\n{}\n  ", rules.join(",\n")) };
        let name = json!(info.name);
        profiles.push(format!("  {name}: {{ \"verdicts\": {recorded}, \"executed\": {executed}, \"rules\": {{{rules}}} }}"));
    }
    format!("{{\n{}\n}}\n", profiles.join(",\n"))
}
