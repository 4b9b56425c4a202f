//! The way back: a model's arguments as the tool expects them, and forth again.
//!
//! Read `plan` (what a plan is), `build` (how a phase becomes a stage), `walk` (a stage carried out), `step` (one codec undone or done),
//! `types` (what the tool's own schema says of a value). `docs/restore-plan.md` describes the plan's JSON.

mod branch;
pub(crate) mod build;
#[allow(clippy::indexing_slicing, reason = "a list of two by a truth value, and the place that a search found")]
pub(crate) mod guard;
mod issue;
mod json;
mod lenient;
mod loss;
pub(crate) mod plan;
mod read;
mod shape;
mod step;
mod text;
mod types;
mod walk;

pub use issue::{Issue, IssueKind, IssueLevel};
pub use loss::losses;
pub use plan::{PLAN_VERSION, PlanError, RestorePlan};
pub use text::{read_arguments, read_boolean, read_json_text, read_list_text};

use serde_json::Value;

use crate::attr::Types;

use plan::{Node, Step};
use text::read_root;
use walk::{At, Walk};

/// Choices for [`restore`] and [`encode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestoreOptions {
    /// Drops a null where the tool takes both null and no value, which are one value for the model.
    pub drop_nulls: bool,
    /// Writes 5.0 as 5 where the tool takes integers and no other numbers.
    pub integral: bool,
    /// What a model's slips are read as.
    pub lenient: Lenient,
}

impl Default for RestoreOptions {
    fn default() -> RestoreOptions {
        RestoreOptions { drop_nulls: false, integral: true, lenient: Lenient::NONE }
    }
}

/// Readings of values that do not fit; each leaves a note. All but `integral` need a plan with types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lenient {
    /// JSON text where an array, an object, a boolean or a number is wanted and no text.
    pub json_text: bool,
    /// With `json_text`: also where the JSON is the text of an array or an object once more.
    pub twice: bool,
    /// "5" where a number is wanted and no text.
    pub numeric_text: bool,
    /// 5.0 where an integer is wanted.
    pub integral: bool,
    /// "yes" and "off" where a boolean is wanted and no text.
    pub boolean_words: bool,
    /// A literal in other letter case, where exactly one fits.
    pub letter_case: bool,
}

impl Lenient {
    /// Nothing is read as something else.
    pub const NONE: Lenient =
        Lenient { json_text: false, twice: false, numeric_text: false, integral: false, boolean_words: false, letter_case: false };
    /// Every slip.
    pub const ALL: Lenient =
        Lenient { json_text: true, twice: true, numeric_text: true, integral: true, boolean_words: true, letter_case: true };
}

/// Arguments, and what was wrong with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Restored {
    /// The arguments; what could not be mapped is as it came.
    pub arguments: Value,
    /// What could not be mapped, and what was read as something else.
    pub issues: Vec<Issue>,
}

impl Restored {
    /// Whether everything could be mapped.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.issues.iter().all(|i| i.level == IssueLevel::Note)
    }
}

/// Maps the arguments of a call to what the tool expects. Arguments that are text are read as JSON first.
///
/// ```
/// use schemalect_engine::restore::{RestoreOptions, RestorePlan, restore};
/// use serde_json::json;
///
/// let plan = RestorePlan::from_json(&json!({"version": 1, "profile": "p", "stages": [{"phase": "recode", "root":
///     {"properties": {"tags": {"codecs": [{"codec": "parse-json"}]}}}}]}))?;
/// let back = restore(&plan, json!({"tags": "[\"a\", \"b\"]"}), &RestoreOptions::default());
/// assert_eq!(back.arguments, json!({"tags": ["a", "b"]}));
/// # Ok::<(), schemalect_engine::restore::PlanError>(())
/// ```
#[must_use]
pub fn restore(plan: &RestorePlan, arguments: Value, options: &RestoreOptions) -> Restored {
    let root = plan.stages.last().map(|stage| &stage.root);
    let listed = plan.types.as_ref().is_some_and(|t| !t.root.types.is_empty() && t.root.types != Types::OBJECT);
    let (mut arguments, mut issues) = match arguments {
        text @ Value::String(_) if root.is_some_and(takes_text) => (text, Vec::new()),
        other => read_root(other, listed || root.is_some_and(takes_others)),
    };
    if issues.iter().any(|i| i.level == IssueLevel::Error) {
        return Restored { arguments, issues };
    }
    let mut walk = Walk::new(options, &arguments);
    for stage in plan.stages.iter().rev() {
        walk.defs = &stage.defs;
        walk.restore(&stage.root, &mut arguments, &At::ROOT, 0);
    }
    if let Some(types) = &plan.types {
        walk.fit(types, &mut arguments);
    }
    issues.append(&mut walk.issues);
    Restored { arguments, issues }
}

/// Whether what the model writes may be something else than an object, as an answer in a given format may.
fn takes_others(root: &Node) -> bool {
    let list = matches!(root.steps.last(), Some(Step::Entries(entries)) if entries.rest.is_none());
    list || root.items.is_some() || !root.prefix.is_empty() || !root.branches.is_empty() || root.all.iter().any(takes_others)
}

/// Whether what the model writes may be text that a codec reads.
fn takes_text(root: &Node) -> bool {
    let text = matches!(root.steps.last(), Some(Step::ParseJson { .. } | Step::FromText { .. }));
    text || root.branches.iter().filter_map(|b| b.then.as_ref()).any(takes_text) || root.all.iter().any(takes_text)
}

/// Maps a tool's arguments to what the provider's model would have written: the inverse of [`restore`].
#[must_use]
pub fn encode(plan: &RestorePlan, arguments: Value, options: &RestoreOptions) -> Restored {
    let mut arguments = arguments;
    let mut walk = Walk::new(options, &arguments);
    for stage in &plan.stages {
        walk.defs = &stage.defs;
        walk.encode(&stage.root, &mut arguments, &At::ROOT, 0);
    }
    Restored { arguments, issues: walk.issues }
}
