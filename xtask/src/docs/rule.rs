//! The page of a rule: what it is, where it holds, and an example that was run.

use std::fmt::Write;

use schemalect_engine::Effects;
use schemalect_engine::adapt::{Options, adapt};
use schemalect_engine::check::{check, check_request};
use schemalect_engine::plan::Site;
use schemalect_rules::{Example, ExampleTool, RuleInfo};

use super::profile::terms;
use super::{Book, cell};

pub(super) fn page(book: &Book, info: &RuleInfo) -> String {
    let site = match info.at {
        Site::Request => "the list of tools",
        Site::Tool => "a tool",
        Site::Schema => "a schema node",
    };
    let mut out = format!("# {}\n\n{}: {}.\n\n{}\n\n", info.id, cell(&info.title), site, info.why.trim());
    let _ = writeln!(out, "```yaml\nwhen: {}\nrewrite: {}\n```\n", info.when, info.rewrite.as_deref().unwrap_or("[]"));
    holds(&mut out, book, info);
    if let Some(example) = info.bad.first() {
        ran(&mut out, book, info, example);
    }
    out
}

/// The profiles that declare a binding of the rule, with the verdicts that pin it.
fn holds(out: &mut String, book: &Book, info: &RuleInfo) {
    out.push_str("## Where it holds\n\n");
    let mut bound = false;
    for profile in &book.profiles {
        for binding in profile.bindings.iter().filter(|b| b.rule == info.id && b.home == profile.name) {
            bound = true;
            let evidence = book.evidence(&profile.name, &binding.id);
            let recorded = evidence.iter().flat_map(|e| &e.pins).map(|(id, date)| format!("`{id}` {date}"));
            let ran = evidence.iter().flat_map(|e| e.engines()).map(|(engine, count)| format!("{count} of `{engine}`, executed"));
            let pins: Vec<String> = recorded.chain(ran).collect();
            let why = binding.unpinned.as_deref().map(|why| format!("no recorded answer: {why}")).unwrap_or_default();
            let pins = if pins.is_empty() { why } else { pins.join(", ") };
            let terms = terms(binding);
            let terms = if terms.is_empty() { String::new() } else { format!(", {terms}") };
            let name = if binding.id == binding.rule { String::new() } else { format!(" as `{}`", binding.id) };
            let _ =
                writeln!(out, "- [{0}](../profiles/{0}.md){name}: {1}{terms}. {2}", profile.name, binding.level.word(), cell(pins.trim()));
        }
    }
    if !bound {
        out.push_str("No profile binds it.\n");
    }
}

/// The first bad example, run with the rule alone and every effect allowed.
fn ran(out: &mut String, book: &Book, info: &RuleInfo, example: &Example) {
    let Ok(plan) = book.rulebook.compile_rule_alone(&info.id, &example.facts) else { return };
    out.push_str("\n## An example, run\n\n");
    if !example.facts.is_empty() {
        let _ = writeln!(out, "With the facts `{}`.\n", serde_json::Value::Object(example.facts.clone()));
    }
    let trees: Vec<_> = example.tools.iter().map(ExampleTool::tree).collect();
    let views: Vec<_> = example.tools.iter().zip(&trees).map(|(tool, tree)| tool.view(tree.as_ref())).collect();
    if info.at == Site::Request {
        for (_, finding) in check_request(&plan, &views) {
            let _ = writeln!(out, "{} tools: {}.", views.len(), finding.message);
        }
        return;
    }
    for (tool, view) in example.tools.iter().zip(&views) {
        for (what, value) in [("name", &tool.name), ("description", &tool.description)] {
            if let Some(value) = value {
                let _ = writeln!(out, "{what} `{value}`\n");
            }
        }
        if let Some(schema) = &tool.schema {
            let _ = writeln!(out, "```json\n{schema}\n```\n");
        }
        for finding in check(&plan, view) {
            let place = if finding.path.is_empty() { String::new() } else { format!(" at `{}`", finding.path) };
            let _ = writeln!(out, "Found{place}: {}.\n", finding.message);
        }
        let adapted = adapt(&plan, view, &Options { allow: Effects::ALL, ..Options::default() });
        if !adapted.changed {
            out.push_str("It is reported, not rewritten.\n");
            continue;
        }
        for (what, text) in [("name", &adapted.name), ("description", &adapted.description)] {
            if let Some(text) = text {
                let _ = writeln!(out, "The {what} becomes `{}`.\n", text.replace('\n', " "));
            }
        }
        if let Some(tree) = &adapted.schema {
            let _ = writeln!(out, "It becomes ({}):\n\n```json\n{}\n```\n", adapted.effects, tree.to_json(tree.root()));
        }
    }
}
