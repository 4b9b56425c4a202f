//! What a rewrite does to a tool around its schema: its name, its description, and a schema where there is none.

use serde_json::Value;

use crate::check::{Given, Tool};
use crate::effect::Effects;
use crate::finding::Subject;
use crate::log::Event;
use crate::op::describe::{derived_description, fit_text};
use crate::op::name::plain_name;
use crate::op::{Op, Phase};
use crate::plan::{Plan, Rule};
use crate::pred::{holds_tool, tool_attrs};
use crate::tree::{Kind, Tree};

use super::{Adapted, Options};

/// The schema of a tool that came without one, or with one that is no object, where a rule gives it one.
pub(super) fn give_schema(plan: &Plan, tool: &Tool<'_>, out: &mut Adapted) -> Option<Tree> {
    let attrs = tool_attrs(tool, false);
    let before = match tool.schema {
        // It takes no arguments at all, which no other schema says.
        Some((tree, root)) if tree.bool(root) == Some(false) => return None,
        Some((tree, root)) if tree.kind(root) == Kind::Object => return None,
        Some((tree, root)) => tree.to_json(root),
        None => String::new(),
    };
    for &i in &plan.index().tool {
        let rule = plan.rule(i);
        let given = rule.operations().find_map(|op| if let Op::GiveSchema { schema } = op { Some((op, schema)) } else { None });
        let Some((op, schema)) = given.filter(|_| holds_tool(&rule.when, tool, attrs)) else { continue };
        let after = schema.to_string();
        let Ok(tree) = Tree::parse(&after, &crate::Budget::default()) else { continue };
        out.events.push(tool_event(rule, op, Effects::NONE, Subject::Schema, before, after));
        return Some(tree);
    }
    None
}

/// The tool's name and description.
pub(super) fn adapt_texts(plan: &Plan, tool: &Tool<'_>, options: &Options, out: &mut Adapted) {
    let attrs = tool_attrs(tool, false);
    for &i in &plan.index().tool {
        let rule = plan.rule(i);
        let now = Tool {
            name: out.name.as_deref().map_or(tool.name, Given::Text),
            description: out.description.as_deref().map_or(tool.description, Given::Text),
            schema: tool.schema,
        };
        if !holds_tool(&rule.when, &now, attrs) {
            continue;
        }
        for op in rule.operations() {
            let (subject, before, after, effect) = match op {
                Op::RenameTool { allowed, first, max } => {
                    let Some(name) = now.name.text() else { continue };
                    (Subject::Name, name.to_owned(), plain_name(name, allowed, first, *max), Effects::RECODES)
                }
                Op::Describe { min, max, unit } => {
                    let text = now.description.text().unwrap_or_default();
                    let derived = derived_description(tool.name.text().unwrap_or_default(), tool.own_schema());
                    (Subject::Description, text.to_owned(), fit_text(text, *min, *max, *unit, &derived), Effects::NONE)
                }
                _ => continue,
            };
            if before == after && now.description != Given::Null || !effect.within(options.allow) {
                continue;
            }
            out.events.push(tool_event(
                rule,
                op,
                effect,
                subject,
                Value::from(before).to_string(),
                Value::from(after.as_str()).to_string(),
            ));
            match subject {
                Subject::Name => out.name = Some(after),
                _ => out.description = Some(after),
            }
            break;
        }
    }
}

/// An event about a part of a tool, with the part as JSON before and after.
fn tool_event(rule: &Rule, op: &Op, effect: Effects, subject: Subject, before: String, after: String) -> Event {
    Event {
        phase: op.phase().unwrap_or(Phase::Describe),
        rule: rule.id.clone(),
        operation: op.word(),
        effect,
        input: String::new(),
        output: String::new(),
        before,
        after,
        what: subject.word().to_owned(),
        why: rule.why.clone(),
        sources: rule.sources.clone(),
    }
}
