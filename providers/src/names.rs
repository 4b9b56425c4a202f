//! Tells tools apart whose names are or became the same.

use std::collections::{HashMap, HashSet};

use schemalect_engine::Effects;
use schemalect_engine::attr::Attr;
use schemalect_engine::finding::Subject;
use schemalect_engine::log::Event;
use schemalect_engine::op::name::with_hash;
use schemalect_engine::op::{Op, Phase};
use schemalect_engine::plan::{Plan, Rule};
use serde_json::Value;

use crate::adapt::{AdaptedTool, Outcome};

/// So often a name that is taken is replaced by the next one.
const MOST_LEVELS: u8 = 8;

/// Gives every renamed tool whose new name another tool has too, and all tools that have one name from the beginning, a name of
/// their own: with a hash of what tells them apart, so that the result does not depend on the order. What is the same tool twice
/// keeps one name.
pub(crate) fn tell_apart(tools: &mut [&mut AdaptedTool], plans: &[&Plan], allow: Effects) {
    let mut named = named(tools, plans, allow);
    for level in 1..=MOST_LEVELS {
        let mut owners: HashMap<String, HashSet<String>> = HashMap::new();
        for tool in &named {
            owners.entry(tool.name.clone()).or_default().insert(tool.identity.clone());
        }
        let mut settled = true;
        for tool in named.iter_mut().filter(|t| t.renaming.is_some() && owners.get(&t.name).is_some_and(|o| o.len() > 1)) {
            tool.take_level(level);
            settled = false;
        }
        if settled {
            break;
        }
    }
    for Named { at, name, renaming, .. } in named {
        let Some(tool) = tools.get_mut(at) else { continue };
        if let Some(renaming) = renaming.filter(|_| tool.name.as_deref() != Some(name.as_str())) {
            rename(tool, name, renaming.rule);
        }
    }
}

/// A tool with its name so far.
struct Named<'p> {
    at: usize,
    form: String,
    name: String,
    /// What no other tool has.
    identity: String,
    renaming: Option<Renaming<'p>>,
}

/// The rule by which a tool may get another name, and how long a name may be.
#[derive(Clone, Copy)]
pub(crate) struct Renaming<'p> {
    pub(crate) rule: &'p Rule,
    pub(crate) max: usize,
}

impl Named<'_> {
    fn take_level(&mut self, level: u8) {
        let Some(Renaming { max, .. }) = self.renaming else { return };
        let identity = if level > 1 { format!("{}\0{level}", self.identity) } else { self.identity.clone() };
        self.name = with_hash(&self.form, &identity, max);
    }
}

fn named<'p>(tools: &[&mut AdaptedTool], plans: &[&'p Plan], allow: Effects) -> Vec<Named<'p>> {
    let mut contents: HashMap<&str, HashSet<String>> = HashMap::new();
    let mut seen: HashMap<&str, u32> = HashMap::new();
    for tool in tools.iter().filter_map(|t| t.original_name.as_deref()) {
        let times = seen.entry(tool).or_default();
        *times = times.saturating_add(1);
    }
    let repeated = |name: &str| seen.get(name).is_some_and(|&n| n > 1);
    for tool in tools {
        if let Some(name) = tool.original_name.as_deref().filter(|n| repeated(n)) {
            contents.entry(name).or_default().insert(content(tool));
        }
    }
    let mut out = Vec::new();
    for (at, tool) in tools.iter().enumerate() {
        let (Some(form), Some(original)) = (&tool.name, &tool.original_name) else { continue };
        let several = contents.get(original.as_str()).is_some_and(|c| c.len() > 1);
        let identity = if several { format!("{original}\0{}", content(tool)) } else { original.clone() };
        let may = tool.foreign.is_none() && Effects::RECODES.within(allow);
        let renaming = if form != original { renamed_by(tool, plans) } else { duplicates(plans).filter(|_| several) };
        out.push(Named { at, form: form.clone(), name: form.clone(), identity, renaming: renaming.filter(|_| may) });
    }
    out
}

/// What a model sees of a tool besides its name.
fn content(tool: &AdaptedTool) -> String {
    let schema = tool.schema.as_ref().map(|tree| tree.to_json(tree.root()));
    format!("{}\0{}\0{}", tool.description.as_deref().unwrap_or(""), schema.unwrap_or_default(), tool.foreign.as_deref().unwrap_or(""))
}

/// The rule that renamed a tool.
fn renamed_by<'p>(tool: &AdaptedTool, plans: &[&'p Plan]) -> Option<Renaming<'p>> {
    let event = tool.events.iter().rfind(|e| e.operation == "rename-tool")?;
    plans.iter().flat_map(|p| &p.rules).filter(|r| r.id == event.rule).find_map(renaming)
}

/// The rule that forbids tools of one name.
fn duplicates<'p>(plans: &[&'p Plan]) -> Option<Renaming<'p>> {
    plans.iter().flat_map(|p| &p.rules).filter(|r| r.when.is.has(Attr::NameDuplicate)).find_map(renaming)
}

pub(crate) fn renaming(rule: &Rule) -> Option<Renaming<'_>> {
    rule.operations().find_map(|op| if let Op::RenameTool { max, .. } = op { Some(Renaming { rule, max: *max }) } else { None })
}

pub(crate) fn rename(tool: &mut AdaptedTool, name: String, rule: &Rule) {
    let after = Value::from(name.as_str()).to_string();
    match tool.events.iter_mut().rfind(|e| e.operation == "rename-tool") {
        Some(event) => event.after = after,
        None => tool.events.push(Event {
            phase: Phase::Name,
            rule: rule.id.clone(),
            operation: "rename-tool",
            effect: Effects::RECODES,
            input: String::new(),
            output: String::new(),
            before: Value::from(tool.original_name.as_deref()).to_string(),
            after,
            what: Subject::Name.word().to_owned(),
            why: rule.why.clone(),
            sources: rule.sources.clone(),
        }),
    }
    if let Some(plan) = &mut tool.plan {
        plan.sent_as = Some(name.clone());
    }
    if tool.outcome == Outcome::Unchanged {
        tool.outcome = Outcome::Clean;
    }
    tool.effects = tool.effects.with(Effects::RECODES);
    tool.name = Some(name);
}
