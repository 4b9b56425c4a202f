//! What `check` finds.

use std::sync::Arc;

use crate::effect::Effects;
use crate::plan::{Certainty, Level, Source};

/// What a finding speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The tool's schema; the path points into it.
    Schema,
    /// The tool's name.
    Name,
    /// The tool's description.
    Description,
    /// The tool as a whole.
    Tool,
    /// The list of tools.
    Request,
}

impl Subject {
    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Subject::Schema => "schema",
            Subject::Name => "name",
            Subject::Description => "description",
            Subject::Tool => "tool",
            Subject::Request => "request",
        }
    }
}

/// One thing that a profile has against an input.
#[derive(Clone, Debug)]
pub struct Finding {
    /// `profile/rule`.
    pub rule: Arc<str>,
    /// How bad.
    pub level: Level,
    /// The stage of the provider's checker.
    pub stage: Arc<str>,
    /// Whether it surely holds.
    pub certainty: Certainty,
    /// What it speaks about.
    pub subject: Subject,
    /// RFC 6901 pointer into the subject, in the tree that was checked.
    pub path: String,
    /// Bytes of the node in the text that was parsed, if it stands there.
    pub span: Option<(u32, u32)>,
    /// The offence in a sentence.
    pub message: String,
    /// The operations that repair it, and what they may cost.
    pub fix: Option<Fix>,
    /// Who says so.
    pub sources: Arc<[Source]>,
}

/// How a finding can be repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Words of the operations.
    pub operations: Arc<[&'static str]>,
    /// What they may cost at most.
    pub effect: Effects,
}

impl Finding {
    /// Whether the provider is predicted to refuse because of it.
    #[must_use]
    pub fn refuses(&self) -> bool {
        self.level == Level::Error && self.certainty == Certainty::Certain
    }
}
