//! What engines and SDKs answered when they were run: the questions, who was asked, and the answers, kept apart from those of endpoints.

mod file;
mod judge;
mod page;
mod score;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use file::{answers_text, engines, folder, load, load_answers, questions, recorders, write_answers, write_engines, written};
pub use judge::{Case, judge, misses_of};
pub use page::{known_misses, pages};
pub use score::{Row, rows};

use crate::judge::Within;
use crate::verdict::{Kind, Outcome, Verdict};

/// An input that engines are asked about, small enough to turn on one feature.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Unique.
    pub case: String,
    /// The group of questions that it belongs to; an engine names the groups that it is asked.
    pub group: String,
    /// The feature, in words.
    pub about: String,
    /// What the input is.
    pub kind: Kind,
    /// The input, as written.
    pub input: Box<RawValue>,
    /// Values that the schema takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub good: Vec<Box<RawValue>>,
    /// Values that break the feature and nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bad: Vec<Box<RawValue>>,
}

/// A package in one version with its options, and the profile that it speaks for.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Unique.
    pub engine: String,
    /// The profile.
    pub profile: String,
    /// The package, as its registry spells it.
    pub package: String,
    /// Its version, or the commit.
    pub version: String,
    /// How it was called.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, serde_json::Value>,
    /// The day as of which the profile is resolved: that of the release where the profile tells releases apart by days, else that of the run.
    pub date: String,
    /// The day on which it was asked last.
    pub ran: String,
    /// Switches of the profile.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub switches: BTreeMap<String, String>,
    /// The stages of the profile that the package carries out; none: all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<String>,
    /// The groups of questions that it is asked.
    pub groups: Vec<String>,
    /// The profile describes this very package, so its answers pin rules.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub itself: bool,
    /// How `recorders/families.py` asks it; none: the answers were taken by other means, and stay as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
    /// The list of packages below `recorders/environments`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub environment: Option<String>,
    /// Why its answers are kept and not scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unscored: Option<String>,
}

impl Engine {
    /// What of the profile its answers are held against. Most of its words are known to no rule.
    #[must_use]
    pub fn within(&self) -> Within<'_> {
        Within { stages: &self.stages, any_words: true }
    }
}

/// What one or several engines answered to one question.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The question.
    pub case: String,
    /// Who answered so.
    pub engines: Vec<String>,
    /// What became of the input.
    pub outcome: Became,
    /// The engine's own words, cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Good values that the result does not take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub narrow: Vec<Box<RawValue>>,
    /// Bad values that the result takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leak: Vec<Box<RawValue>>,
    /// JSON Pointers to what is not passed on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// What is passed on in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Box<RawValue>>,
    /// Why the profile does not predict it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpredicted: Option<String>,
}

/// What became of an input.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Became {
    /// Taken; every bad value is kept out and every good one let in.
    Enforced,
    /// Taken; there is no bad value to try, or no values are matched.
    Accepted,
    /// Taken, and a bad value is let in.
    SilentlyIgnored,
    /// Taken, and a good value is kept out: the sender is not refused, the answer can say less than the schema.
    TooNarrow,
    /// Taken, and wrong both ways.
    Wrong,
    /// Taken, and part of it is not passed on.
    Stripped,
    /// Taken, and passed on in another form.
    Rewritten,
    /// Refused.
    Rejected,
    /// The process died, or did not end.
    Crashed,
}

impl Became {
    /// The word used in files and output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Became::Enforced => "enforced",
            Became::Accepted => "accepted",
            Became::SilentlyIgnored => "silently_ignored",
            Became::TooNarrow => "too_narrow",
            Became::Wrong => "wrong",
            Became::Stripped => "stripped",
            Became::Rewritten => "rewritten",
            Became::Rejected => "rejected",
            Became::Crashed => "crashed",
        }
    }

    /// The class of the recorded answers that it is judged like. A process that dies is a refusal without words; a value that is let in
    /// wrongly, or a part that is lost, is a keyword without force.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Became::Enforced | Became::Accepted | Became::TooNarrow | Became::Rewritten => Outcome::Accepted,
            Became::SilentlyIgnored | Became::Wrong | Became::Stripped => Outcome::SilentlyIgnored,
            Became::Rejected | Became::Crashed => Outcome::Rejected,
        }
    }
}

/// One engine's answer to one question.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Who was asked.
    pub engine: Arc<Engine>,
    /// What.
    pub question: Arc<Question>,
    /// The answer.
    pub answer: Arc<Answer>,
}

impl Ran {
    /// Unique among all answers.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}:{}", self.engine.engine, self.question.case)
    }

    /// The answer in the form of a recorded one.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        Verdict {
            id: self.id(),
            profile: self.engine.profile.clone(),
            provider: None,
            api: None,
            model: None,
            strict: None,
            switches: self.engine.switches.clone(),
            date: Some(self.engine.date.clone()),
            kind: self.question.kind,
            input: self.question.input.clone(),
            outcome: self.answer.outcome.outcome(),
            status: None,
            message: self.answer.message.clone(),
            path: None,
            rule: None,
            at: None,
            source: Some(format!("{} {}, executed", self.engine.package, self.engine.version)),
            fidelity: Some("schema_shown".to_owned()),
            weak_source: None,
            scorable: self.engine.unscored.is_none(),
            out_of_scope: self.engine.unscored.clone(),
            unpredicted: self.answer.unpredicted.clone(),
            note: None,
        }
    }
}

/// A path below the folder of this crate.
fn below(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}
