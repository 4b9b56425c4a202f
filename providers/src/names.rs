//! Tells tools apart whose names became the same.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use schemalect_engine::Plan;
use schemalect_engine::op::Op;
use schemalect_engine::op::name::with_hash;
use serde_json::Value;

use crate::adapt::AdaptedTool;

/// Gives every renamed tool whose new name another tool has too a name of its own: with a hash of the old name, so that the result
/// does not depend on the order. Tools that had one name from the beginning keep it.
pub(crate) fn distinct(tools: &mut [&mut AdaptedTool], plans: &[&Plan]) {
    let mut names: HashMap<String, HashSet<Option<String>>> = HashMap::new();
    for tool in tools.iter() {
        if let Some(name) = &tool.name {
            names.entry(name.clone()).or_default().insert(tool.original_name.clone());
        }
    }
    for tool in tools.iter_mut() {
        let (Some(name), Some(original)) = (tool.name.clone(), tool.original_name.clone()) else { continue };
        if name == original || names.get(&name).is_none_or(|originals| originals.len() < 2) {
            continue;
        }
        let Some((at, max)) = renaming(tool, plans) else { continue };
        let new = with_hash(&name, &original, max);
        if names.contains_key(&new) {
            continue;
        }
        tool.events[at].after = Value::from(new.as_str()).to_string();
        if let Some(plan) = &mut tool.plan {
            plan.sent_as = Some(new.clone());
        }
        tool.name = Some(new);
    }
}

/// The event that renamed a tool, and how long a name may be.
fn renaming(tool: &AdaptedTool, plans: &[&Plan]) -> Option<(usize, usize)> {
    let at = tool.events.iter().rposition(|e| e.operation == "rename-tool")?;
    let id: &Arc<str> = &tool.events[at].rule;
    let rule = plans.iter().flat_map(|p| &p.rules).find(|r| r.id == *id)?;
    let max = rule.operations().find_map(|op| if let Op::RenameTool { max, .. } = op { Some(*max) } else { None })?;
    Some((at, max))
}
