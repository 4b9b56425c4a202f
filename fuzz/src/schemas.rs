//! Targets whose input is a schema.

use schemalect::engine::adapt::{Adapted, adapt as adapt_tool};
use schemalect::engine::check::{Given, Tool, check as check_tool};
use schemalect::engine::finding::Subject;
use schemalect::engine::restore::RestorePlan;
use schemalect::engine::{Budget, Effects, Finding, Kind, Plan, Tree, canonical};
use schemalect::{CanonicalForm, canonical_schema};
use serde_json::Value;

use crate::surfaces::asked;
use crate::{part, text};

/// Any bytes. A text is read where serde_json reads it, as the same value; what is printed reads as the same again.
pub fn parse(data: &[u8]) {
    let budget = Budget::default();
    let read = Tree::parse_bytes(data, &budget);
    let value = serde_json::from_slice::<Value>(data);
    let tree = match (read, &value) {
        (Ok(tree), _) => tree,
        (Err(error), Ok(_)) => {
            assert!(error.over_budget, "serde_json reads it: {error}");
            return;
        }
        (Err(error), Err(_)) => {
            assert!(error.offset <= data.len() && !error.to_string().is_empty());
            return;
        }
    };
    let root = tree.root();
    if let Ok(value) = &value {
        assert_eq!(&tree.to_value(root), value);
        let _ = canonical_schema(value, CanonicalForm::Sets);
    }
    let printed = tree.to_json(root);
    let again = Tree::parse(&printed, &budget).expect("what is printed is read");
    assert_eq!(again.to_json(again.root()), printed);
    assert!(schemalect::engine::tree::same_value(&tree, root, &again, again.root()));
    for form in [CanonicalForm::Sets, CanonicalForm::Ascii] {
        let canonical = canonical::schema(&tree, root, form);
        if value.is_err() {
            // Python writes a number that is too large as `Infinity`, which is no JSON.
            continue;
        }
        let read = Tree::parse(&canonical, &Budget { bytes: usize::MAX, ..budget }).expect("the canonical text is read");
        assert_eq!(canonical::schema(&read, read.root(), form), canonical, "canonical twice");
    }
}

/// A profile, and a schema. Findings point into the schema and into its text, and are the same every time.
pub fn check(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let (surface, _) = asked(part(text, 0, 2));
    let schema = part(text, 1, 2);
    let Ok(tree) = Tree::parse(schema, &Budget::default()) else { return };
    let tool = tool_of(&tree);
    let findings = check_tool(surface.plan(), &tool);
    for finding in &findings {
        if finding.subject == Subject::Schema {
            assert!(tree.at_pointer(tree.root(), &finding.path).is_some(), "{} at {:?}, which is nowhere", finding.rule, finding.path);
        }
        if let Some((start, end)) = finding.span {
            assert!(schema.get(start as usize..end as usize).is_some(), "{}: the span is no text", finding.rule);
        }
        assert!(!finding.message.is_empty() && finding.message.len() <= 10_000 + 2 * schema.len());
    }
    let again = check_tool(surface.plan(), &tool);
    let line = |f: &Finding| format!("{} {} {}", f.rule, f.path, f.message);
    assert!(findings.iter().map(line).eq(again.iter().map(line)));
}

/// A profile with choices, and a schema. What comes out fits if it is said to; adapted again it stays the same, and the plan reads as itself.
pub fn adapt(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let (surface, options) = asked(part(text, 0, 2));
    let schema = part(text, 1, 2);
    let Ok(tree) = Tree::parse(schema, &options.budget) else { return };
    let plan = surface.plan();
    let first = adapt_tool(plan, &tool_of(&tree), &options);
    let Some(result) = &first.schema else {
        assert_eq!(tree.kind(tree.root()), Kind::Null, "a schema was given, and none came back");
        return;
    };
    let printed = result.to_json(result.root());
    assert!(printed.len() <= 4_000_000 + 64 * schema.len(), "{} bytes of {}", printed.len(), schema.len());
    assert_eq!(first.changed, !first.events.is_empty());
    for event in &first.events {
        assert!(event.effect.within(options.allow), "{} has the effect {:?}, which is not allowed", event.rule, event.effect);
    }
    if !first.changed {
        assert_eq!(first.effects, Effects::NONE);
        assert!(schemalect::engine::tree::same_value(&tree, tree.root(), result, result.root()), "changed without an event");
    }
    if let Some(plan) = &first.plan {
        let json = plan.to_json();
        let read = RestorePlan::from_json(&json).expect("a plan that was written is read");
        assert_eq!(read.to_json(), json);
    }
    again(plan, &first, &printed, &options);
}

fn again(plan: &Plan, first: &Adapted, printed: &str, options: &schemalect::engine::adapt::Options) {
    let large = Budget { bytes: usize::MAX, depth: 1_000, nodes: usize::MAX, ..options.budget };
    let tree = Tree::parse(printed, &large).expect("what is printed is read");
    let tool = Tool {
        name: Given::Text(first.name.as_deref().unwrap_or(NAME)),
        description: first.description.as_deref().map_or(Given::Missing, Given::Text),
        schema: Some((&tree, tree.root())),
    };
    if first.residue.is_empty() {
        let left = check_tool(plan, &tool).into_iter().find(|f| f.level == schemalect::Level::Error);
        assert!(left.is_none(), "clean, but {} at {:?}", left.as_ref().map_or("", |f| &f.rule), left.as_ref().map_or("", |f| &f.path));
    }
    let second = adapt_tool(plan, &tool, options);
    if let Some(event) = second.events.first() {
        panic!("changes again: {} {} at {:?}: {}", event.rule, event.operation, event.input, event.what);
    }
    let same = second.schema.as_ref().map(|t| t.to_json(t.root()));
    assert_eq!(same.as_deref(), Some(printed), "changes again without an event");
}

const NAME: &str = "tool";

fn tool_of(tree: &Tree) -> Tool<'_> {
    Tool { name: Given::Text(NAME), description: Given::Missing, schema: Some((tree, tree.root())) }
}
