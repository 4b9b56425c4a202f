//! The page of a profile: what it is, what happens to each keyword, and its rules with their evidence.

use std::fmt::Write;

use anyhow::Result;
use schemalect_conformance::grid::{self, Taken};
use schemalect_engine::plan::Source;
use schemalect_rules::{BindingInfo, ProfileInfo};
use serde_json::Value;

use super::{Book, cell, code};

pub(super) fn page(book: &Book, info: &ProfileInfo) -> Result<String> {
    let mut out = format!("# {}\n\n{}\n\n{}\n\n", info.name, info.title, info.about.trim());
    head(&mut out, info);
    facts(&mut out, info);
    keywords(&mut out, book, info)?;
    let verdicts = book.cases.iter().filter(|case| case.verdict.profile == info.name).count();
    let ran = book.ran.iter().filter(|case| case.ran.engine.profile == info.name).count();
    let ran = if ran == 0 { String::new() } else { format!(", and {ran} answers of engines or SDKs that were run") };
    let _ = writeln!(out, "## Rules\n\n{verdicts} recorded answers of this surface are held against them{ran}.\n");
    out.push_str("| rule | level | stage | when | pinned by | fix |\n|---|---|---|---|---|---|\n");
    for binding in &info.bindings {
        rule(&mut out, book, info, binding);
    }
    out.push_str("\n## Sources\n");
    for binding in info.bindings.iter().filter(|b| b.home == info.name) {
        sources(&mut out, binding);
    }
    if info.bindings.iter().any(|b| b.home != info.name) {
        out.push_str("\nThe sources of inherited rules stand on the page of the profile that they come from.\n");
    }
    Ok(out)
}

fn head(out: &mut String, info: &ProfileInfo) {
    let link = |name: &str| format!("[{name}]({name}.md)");
    let switch = |(name, values): &(String, Vec<String>)| format!("`{name}` ({})", values.join(", "));
    let paths: Vec<String> = info.speaks.paths.iter().map(|p| format!("`{}`", p.word())).collect();
    let paths = if paths.is_empty() { String::new() } else { format!(", places as {}", paths.join(" or ")) };
    let request = |(pointer, value): &(String, serde_json::Value)| format!("`{pointer}: {value}`");
    let lines = [
        ("file", format!("`{}`", info.path)),
        ("extends", info.extends.as_deref().map(link).unwrap_or_default()),
        ("takes as well", info.also.iter().map(|name| link(name)).collect::<Vec<_>>().join(", ")),
        (
            if info.together { "lenient sibling, for the whole list" } else { "lenient sibling" },
            info.lenient.as_deref().map(link).unwrap_or_default(),
        ),
        ("a request carries beside the tools", info.wire.iter().flat_map(|wire| &wire.request).map(request).collect::<Vec<_>>().join(", ")),
        ("stages", info.stages.join(", ")),
        ("reports", format!("{}{paths}", info.speaks.reports.word())),
        ("switches", info.switches.iter().map(switch).collect::<Vec<_>>().join("; ")),
        ("without", info.without.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")),
    ];
    for (what, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
        let _ = writeln!(out, "- {what}: {text}");
    }
}

fn facts(out: &mut String, info: &ProfileInfo) {
    if info.facts.is_empty() {
        return;
    }
    out.push_str("\n## Lists and limits\n\n");
    for (name, value) in &info.facts {
        let text = match value {
            Value::Array(items) => {
                items.iter().map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned)).collect::<Vec<_>>().join(", ")
            }
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let _ = writeln!(out, "- `{name}`: {}", if text.is_empty() { "none".to_owned() } else { code(&text) });
    }
}

/// The table "keyword x what happens".
fn keywords(out: &mut String, book: &Book, info: &ProfileInfo) -> Result<()> {
    let surface = book.surface(&info.name)?;
    let taken = Taken::of(&surface, book.cases.iter().filter(|case| case.verdict.profile == info.name));
    let _ = writeln!(
        out,
        "\n## Keywords\n\nAs of {}, each in a small probe; `unknown` where neither a rule nor a recorded answer speaks of it.\n",
        book.day
    );
    out.push_str("| keyword | what happens | rule | newest recorded answer that took it |\n|---|---|---|---|\n");
    for probe in &book.probes {
        let found = grid::ask(&surface, probe, &taken);
        let rules = found.rules.iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ");
        let answer = found.taken.map(|(id, date)| format!("{date} `{id}`")).unwrap_or_default();
        let _ = writeln!(out, "| {} | {} | {rules} | {} |", cell(&probe.keyword), found.answer.word(), cell(&answer));
    }
    out.push('\n');
    Ok(())
}

fn rule(out: &mut String, book: &Book, info: &ProfileInfo, binding: &BindingInfo) {
    let evidence = book.evidence(&binding.home, &binding.id);
    let pins = evidence.map(|e| e.pins.as_slice()).unwrap_or_default();
    let executed = evidence.map_or(0, |e| e.ran.len());
    let recorded = match (pins, binding.unpinned.as_deref()) {
        ([.., (_, newest)], _) => format!("{}, newest {newest}", pins.len()),
        ([], Some(why)) => format!("none: {why}"),
        ([], None) if executed == 0 => "none".to_owned(),
        ([], None) => String::new(),
    };
    let ran = if executed == 0 { String::new() } else { format!("{executed} executed") };
    let pinned = [recorded, ran].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ");
    let home = if binding.home == info.name { String::new() } else { format!(" (of [{0}]({0}.md))", binding.home) };
    let _ = writeln!(
        out,
        "| [{}](../rules/{}.md){home} | {} | {} | {} | {} | {} |",
        binding.id,
        binding.rule,
        binding.level.word(),
        cell(&binding.stage),
        cell(&terms(binding)),
        cell(&pinned),
        code(binding.rewrite.as_deref().unwrap_or_default()),
    );
}

/// On which days and with which switches a binding holds.
pub(super) fn terms(binding: &BindingInfo) -> String {
    let mut words = Vec::new();
    words.extend(binding.since.as_ref().map(|since| format!("since {since}")));
    words.extend(binding.until.as_ref().map(|until| format!("until {until}")));
    words.extend(binding.only.iter().map(|(switch, values)| format!("{switch}: {}", values.join(", "))));
    words.join("; ")
}

fn sources(out: &mut String, binding: &BindingInfo) {
    let _ = writeln!(out, "\n### {}\n\n{}.\n", binding.id, cell(&binding.title));
    if let Some(says) = &binding.says {
        let _ = writeln!(out, "- says: {}", code(says));
    }
    if let Some(change) = &binding.change {
        let _ = writeln!(out, "- a change is told: {}", code(change));
    }
    if let Some(follows) = &binding.follows {
        let _ = writeln!(out, "- follows: {}", cell(follows));
    }
    for source in &binding.sources {
        let _ = writeln!(out, "- {}", told(source));
    }
}

fn told(source: &Source) -> String {
    let date = source.date.map(|date| date.to_string()).unwrap_or_default();
    let url = if source.url.starts_with("http") { format!("<{}>", source.url) } else { cell(&source.url) };
    let note = source.note.as_deref().map(|note| format!(" ({})", cell(note))).unwrap_or_default();
    format!("{} {date}: {url}{note}", source.kind)
}
