//! The examples of the shared rules: a bad one gives a finding, a good one gives none.

mod common;

use schemalect_rules::engine::adapt::{Options, adapt};
use schemalect_rules::engine::check::{Tool, check, check_request};
use schemalect_rules::engine::plan::{Plan, Site};
use schemalect_rules::{Example, Library};
use serde_json::Value;

#[test]
fn examples() {
    let library = Library::new(common::files(&common::folder("shared")), []).expect("the shared rules load");
    let mut wrong = Vec::new();
    for rule in library.rules() {
        let lists = [(&rule.bad, true), (&rule.good, false)];
        for (example, bad) in lists.iter().flat_map(|(list, bad)| list.iter().map(move |example| (example, *bad))) {
            let plan = library.compile_rule_alone(&rule.id, &example.facts).expect("the rule compiles");
            let found = findings(&plan, rule.at, example);
            if (found > 0) != bad {
                let word = if bad { "bad" } else { "good" };
                wrong.push(format!("{}:{}: {found} findings on a {word} example", rule.path, example.line));
            }
        }
        for example in &rule.bad {
            let plan = library.compile_rule_alone(&rule.id, &example.facts).expect("the rule compiles");
            let after = rewritten(&plan, example);
            if example.after.is_some() && example.after != after {
                wrong.push(format!("{}:{}: rewritten to {}", rule.path, example.line, after.unwrap_or_default()));
            }
        }
        if rule.bad.is_empty() || rule.good.is_empty() {
            wrong.push(format!("{}: needs a bad and a good example", rule.path));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn findings(plan: &Plan, at: Site, example: &Example) -> usize {
    let trees: Vec<_> = example.tools.iter().map(|tool| (tool, tool.tree())).collect();
    let tools: Vec<Tool<'_>> = trees.iter().map(|(tool, tree)| tool.view(tree.as_ref())).collect();
    match at {
        Site::Request => check_request(plan, &tools).len(),
        Site::Tool | Site::Schema => tools.iter().map(|tool| check(plan, tool).len()).sum(),
    }
}

fn rewritten(plan: &Plan, example: &Example) -> Option<Value> {
    let tool = example.tools.first()?;
    let tree = tool.tree()?;
    let schema = adapt(plan, &tool.view(Some(&tree)), &Options::default()).schema?;
    Some(schema.to_value(schema.root()))
}
