//! The audit: one event for every change, with its rule, operation, effect and places.

use std::sync::Arc;

use crate::effect::Effects;
use crate::op::Phase;
use crate::plan::Source;

/// One change that a rule made.
#[derive(Clone, Debug)]
pub struct Event {
    /// The phase it happened in.
    pub phase: Phase,
    /// `profile/rule`.
    pub rule: Arc<str>,
    /// The operation's word.
    pub operation: &'static str,
    /// What it did to the set of values.
    pub effect: Effects,
    /// Pointer of the node into the input.
    pub input: String,
    /// Pointer of the node into the output, or of the nearest node that is still there.
    pub output: String,
    /// The node before, cut where large; empty where the audit was not asked for.
    pub before: String,
    /// The node after, likewise.
    pub after: String,
    /// What was done, in a few words.
    pub what: String,
    /// Why the rule exists.
    pub why: Arc<str>,
    /// Who says so.
    pub sources: Arc<[Source]>,
}
