//! One walk over a schema: every finding of a plan.

use crate::finding::Finding;
use crate::plan::Plan;
use crate::tree::{Id, Tree};

/// A text member of a tool as it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Given<'t> {
    /// Not there.
    #[default]
    Missing,
    /// `null`.
    Null,
    /// Something that is no text.
    Odd,
    /// This text.
    Text(&'t str),
}

/// What rules see of a tool.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tool<'t> {
    /// Its name.
    pub name: Given<'t>,
    /// Its description.
    pub description: Given<'t>,
    /// Its schema, if it has one.
    pub schema: Option<(&'t Tree, Id)>,
}

/// The findings on one tool: its name, description and schema.
#[must_use]
pub fn check(plan: &Plan, tool: &Tool<'_>) -> Vec<Finding> {
    let _ = (plan, tool);
    Vec::new()
}

/// The findings of rules about the whole list, each with the index of the tool it blames, if any.
#[must_use]
pub fn check_request(plan: &Plan, tools: &[Tool<'_>]) -> Vec<(Option<usize>, Finding)> {
    let _ = (plan, tools);
    Vec::new()
}
