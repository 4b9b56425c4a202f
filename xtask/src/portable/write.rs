//! A derived profile as YAML.

use std::fmt::Write;

use schemalect_engine::plan::{Level, Site};
use schemalect_rules::ProfileInfo;
use serde_json::Value;

use super::derive::Derived;
use crate::schema::with_line;

const WIRE: &str = "wire: { name: /name, description: /description, schema: /inputSchema, \
                    keeps: [/title, /annotations, /outputSchema, /icons, /execution, /_meta] }";

/// The file of the profile `name`, which `info` extends.
pub(super) fn text(name: &str, info: &ProfileInfo, derived: &Derived) -> String {
    let mut out =
        format!("# Written by `cargo xtask portable` from the profiles that {} meets; what is changed here is overwritten.\n", info.name);
    let members = info.meets.join(", ");
    let _ = writeln!(out, "profile: {name}\ntitle: What any of {} surfaces refuses or misreads\nabout: |", info.meets.len());
    let _ = writeln!(
        out,
        "  Put together from the rules of {members}.\n  \
         A rule of several holds as soon as one of them has it: lists of what is accepted are cut to what all accept, lists of what is refused\n  \
         are joined, of limits the least counts. Its messages are no provider's. Unknown here is what is unknown of a member; {} says where\n  \
         the rewrites of the members contradict each other.",
        info.name
    );
    let _ = writeln!(out, "speaks: {{ reports: all, paths: pointer }}\n{WIRE}\nstages: [request, schema]");
    if !derived.switches.is_empty() {
        let switch = |(name, values): (&String, &Vec<String>)| format!("{name}: {}", words(values));
        let _ = writeln!(out, "switches: {{ {} }}", derived.switches.iter().map(switch).collect::<Vec<_>>().join(", "));
    }
    if !derived.facts.is_empty() {
        out.push_str("\nfacts:\n");
        derived.facts.iter().for_each(|(name, value)| {
            let _ = writeln!(out, "  {name}: {}", flow(value));
        });
    }
    out.push_str("\nrules:\n");
    for binding in &derived.bindings {
        let _ = writeln!(out, "  - rule: {}", binding.rule);
        if binding.id != binding.rule {
            let _ = writeln!(out, "    as: {}", binding.id);
        }
        let _ = writeln!(out, "    stage: {}", if binding.site == Site::Schema { "schema" } else { "request" });
        if binding.level != Level::Error {
            let _ = writeln!(out, "    level: {}", binding.level.word());
        }
        if !binding.only.is_empty() {
            let only = |(switch, values): (&String, &Vec<String>)| format!("{switch}: {}", words(values));
            let _ = writeln!(out, "    only: {{ {} }}", binding.only.iter().map(only).collect::<Vec<_>>().join(", "));
        }
        for (field, interval) in [("since", &binding.since), ("until", &binding.until)] {
            if let Some(interval) = interval {
                let _ = writeln!(out, "    {field}: {interval}");
            }
        }
        if !binding.with.is_empty() {
            let fact = |(name, value): (&String, &Value)| format!("{name}: {}", flow(value));
            let _ = writeln!(out, "    with: {{ {} }}", binding.with.iter().map(fact).collect::<Vec<_>>().join(", "));
        }
        if let Some(rewrite) = &binding.rewrite {
            let _ = writeln!(out, "    rewrite: {rewrite}");
        }
        let day = binding.seen.map(|day| format!(", seen: {day}")).unwrap_or_default();
        let _ =
            writeln!(out, "    unpinned: inferred\n    sources: [ {{ inferred: \"rules of {}\"{day} }} ]\n", binding.members.join(", "));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    with_line(&out, "profile.json")
}

/// A list of words, quoted where YAML would read something else.
fn words(list: &[String]) -> String {
    format!("[{}]", list.iter().map(|word| scalar(word)).collect::<Vec<_>>().join(", "))
}

/// A value on one line.
fn flow(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::String(text) => scalar(text),
        other => other.to_string(),
    }
}

fn scalar(word: &str) -> String {
    let plain = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        && !matches!(word, "null" | "true" | "false" | "yes" | "no" | "on" | "off" | "not");
    if plain { word.to_owned() } else { Value::from(word).to_string() }
}

/// A list that may be written over several lines as one in brackets.
pub(super) fn on_one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let items: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("- ")).map(str::trim).collect();
    if !items.is_empty() && items.len() == lines.len() { format!("[ {} ]", items.join(", ")) } else { lines.join(" ") }
}

/// The facts that a text of a rule reads, each once.
pub(super) fn facts_in(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in text.split("facts.").skip(1) {
        let name: String = part.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// What stands before and after a word that is no part of a longer one.
pub(super) fn split_at_word<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    text.match_indices(word)
        .map(|(at, _)| (&text[..at], &text[at + word.len()..]))
        .find(|(_, after)| after.chars().next().is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_on_one_line() {
        assert_eq!(on_one_line("[ a,\n      b ]"), "[ a, b ]");
        assert_eq!(on_one_line("- a\n      - b: { c: 1 }\n"), "[ a, b: { c: 1 } ]");
    }

    #[test]
    fn facts_of_a_text() {
        assert_eq!(facts_in("{ has: facts.a-b, in: facts.c, x: facts.a-b }"), ["a-b", "c"]);
        assert_eq!(split_at_word("{ a: facts.x-y, b: facts.x }", "facts.x"), Some(("{ a: facts.x-y, b: ", " }")));
    }
}
