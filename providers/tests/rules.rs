//! Every rule's examples, run: what is found, what the rewrite makes of it, and what is left.
//!
//! One snapshot a rule. A finding on a `good` example, or none on a `bad` one, fails before any snapshot is compared.
#![allow(missing_docs)]

use std::fmt::Write;

use schemalect::engine::adapt::{Options, adapt};
use schemalect::engine::check::{Tool, check, check_request};
use schemalect::engine::plan::Site;
use schemalect::engine::{Plan, Tree};
use schemalect::rules::{ExampleTool, Library};
use schemalect::{Level, Profiles};
use serde_json::Value;

#[test]
fn examples() {
    let profiles = Profiles::builtin().expect("the built-in profiles load");
    let library = profiles.rule_library();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots/rules");
    settings.set_omit_expression(true);
    settings.bind(|| {
        for rule in library.rules() {
            insta::assert_snapshot!(rule.id.clone(), page(library, &rule.id));
        }
    });
}

/// All examples of a rule as text.
fn page(library: &Library, id: &str) -> String {
    let rule = library.rule_info(id).expect("the rule exists");
    let mut out = format!("{}: {}\n", rule.id, rule.title);
    for (kind, examples) in [("bad", &rule.bad), ("good", &rule.good)] {
        for example in examples {
            let plan = library.compile_rule_alone(id, &example.facts).expect("the rule compiles with its example's facts");
            let found = show(&mut out, kind, rule.at, &plan, &example.tools);
            assert_eq!(found > 0, kind == "bad", "{id}: {kind} example at line {} has {found} findings", example.line);
        }
    }
    out
}

/// Writes one example; returns how many findings there are.
fn show(out: &mut String, kind: &str, site: Site, plan: &Plan, tools: &[ExampleTool]) -> usize {
    let trees: Vec<Option<Tree>> = tools.iter().map(ExampleTool::tree).collect();
    let views: Vec<Tool<'_>> = tools.iter().zip(&trees).map(|(tool, tree)| tool.view(tree.as_ref())).collect();
    let mut found = 0;
    let mut line = |text: String| writeln!(out, "{text}").expect("writing to a string");
    if site == Site::Request {
        line(format!("\n{kind}: {} tools", tools.len()));
        for (_, finding) in check_request(plan, &views) {
            found += 1;
            line(format!("  {} {}", finding.subject.word(), finding.message));
        }
        return found;
    }
    for (tool, view) in tools.iter().zip(&views) {
        let text = tool.schema.as_ref().map_or_else(|| "no schema".to_owned(), Value::to_string);
        let names = [&tool.name, &tool.description].into_iter().flatten().map(|v| format!("{v} ")).collect::<String>();
        line(format!("\n{kind}: {names}{text}"));
        for finding in check(plan, view) {
            found += 1;
            assert_eq!(finding.level, Level::Error, "a rule alone is of level error");
            let path = if finding.path.is_empty() { "(root)" } else { &finding.path };
            line(format!("  {} {path}: {}", finding.subject.word(), finding.message));
        }
        let adapted = adapt(plan, view, &Options::default());
        for event in &adapted.events {
            line(format!("  {} {} {}: {}", event.phase.word(), event.operation, event.effect, event.what));
        }
        for (what, text) in [("name", &adapted.name), ("description", &adapted.description)] {
            if let Some(text) = text {
                line(format!("  {what} becomes {text:?}"));
            }
        }
        if let Some(tree) = adapted.schema.as_ref().filter(|_| adapted.changed) {
            line(format!("  becomes {}", tree.to_json(tree.root())));
        }
        if !adapted.residue.is_empty() {
            line(format!("  left: {}", adapted.residue.len()));
        }
    }
    found
}
