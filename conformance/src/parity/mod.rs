//! Worked examples of the four systems that came before, held against the profiles and functions that stand for their calls.
//!
//! `conformance/parity/<system>.jsonl` holds the records (`record`), `features.jsonl` every documented behaviour (`features`); a file a system
//! answers calls; `matching` compares.

mod agent_adapter;
pub mod features;
pub mod matching;
mod personalclaw;
pub mod record;
mod schemashim;
mod tesserix_adk;

use std::path::PathBuf;
use std::sync::LazyLock;

use schemalect::{Day, Profiles, Selection, Surface};
use serde_json::Value;

use matching::mismatch;
use record::{Expect, ParityError, Record};

/// A system whose behaviour is held against ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    /// agent_adapter.
    AgentAdapter,
    /// schemashim.
    Schemashim,
    /// tesserix_adk.
    TesserixAdk,
    /// PersonalClaw.
    Personalclaw,
}

/// What we do with the input of a record.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What comes out; `None` where the call fails.
    pub output: Option<Value>,
    /// What is said of it: the problems, issues or changes.
    pub changes: Option<Value>,
    /// The error, as `{"type": …}` with what else it tells.
    pub raised: Option<Value>,
}

/// What a record comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// We answer what the system answers.
    Same,
    /// The system is wrong there, by this fault, and we answer what is right.
    Better(String),
    /// We answer otherwise, for this reason.
    Differs(String),
    /// Listed as not done.
    Todo,
    /// We answer something that nobody expects.
    Wrong(String),
}

/// Answers one kind of call.
pub(crate) type Adaptor = fn(&Record) -> Result<Answer, String>;

impl System {
    /// All of them.
    pub const ALL: [System; 4] = [System::AgentAdapter, System::Schemashim, System::TesserixAdk, System::Personalclaw];

    /// Its name, and that of its file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            System::AgentAdapter => "agent_adapter",
            System::Schemashim => "schemashim",
            System::TesserixAdk => "tesserix_adk",
            System::Personalclaw => "personalclaw",
        }
    }

    /// What the ids of its features begin with.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            System::AgentAdapter => "AA-",
            System::Schemashim => "SS-",
            System::TesserixAdk => "TX-",
            System::Personalclaw => "PC-",
        }
    }

    /// Its calls, each with what answers it here.
    fn calls(self) -> &'static [(&'static str, Adaptor)] {
        match self {
            System::AgentAdapter => agent_adapter::CALLS,
            System::Schemashim => schemashim::CALLS,
            System::TesserixAdk => tesserix_adk::CALLS,
            System::Personalclaw => personalclaw::CALLS,
        }
    }

    /// Its records, in the order of its file.
    ///
    /// # Errors
    /// The file cannot be read, or a line is no record.
    pub fn records(self) -> Result<Vec<Record>, ParityError> {
        record::load(&folder().join(format!("{}.jsonl", self.name())))
    }

    /// Answers a record and compares.
    #[must_use]
    pub fn outcome(self, record: &Record) -> Outcome {
        let adaptor = self.calls().iter().find(|(call, _)| *call == record.call).map(|(_, adaptor)| adaptor);
        match (adaptor, &record.expect) {
            (None, Some(Expect::Todo(true))) => Outcome::Todo,
            (None, _) => Outcome::Wrong(format!("nothing answers the call `{}`", record.call)),
            (Some(adaptor), _) => match adaptor(record) {
                Ok(answer) => compare(record, &answer),
                Err(_) if record.expect == Some(Expect::Todo(true)) => Outcome::Todo,
                Err(error) => Outcome::Wrong(error),
            },
        }
    }
}

/// What an answer is to a record.
#[must_use]
pub fn compare(record: &Record, answer: &Answer) -> Outcome {
    let recorded = mismatch(&record.recorded, answer);
    match &record.expect {
        None => recorded.map_or(Outcome::Same, Outcome::Wrong),
        Some(Expect::Todo(_)) if recorded.is_none() => {
            Outcome::Wrong("listed as todo, but it answers as recorded: take `expect` away".to_owned())
        }
        Some(Expect::Todo(_)) => Outcome::Todo,
        Some(Expect::Better { .. } | Expect::Differs { .. }) if recorded.is_none() => {
            Outcome::Wrong("expected to be otherwise than recorded, but it is the same".to_owned())
        }
        Some(Expect::Better { better, right }) => mismatch(right, answer).map_or_else(|| Outcome::Better(better.clone()), Outcome::Wrong),
        Some(Expect::Differs { differs, right }) => {
            mismatch(right, answer).map_or_else(|| Outcome::Differs(differs.clone()), Outcome::Wrong)
        }
    }
}

/// The folder of the records.
#[must_use]
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("parity")
}

/// A built-in profile as it is known last.
///
/// # Errors
/// There is no such profile.
pub fn surface(profile: &str) -> Result<Surface, String> {
    static PROFILES: LazyLock<Result<Profiles, String>> = LazyLock::new(profiles);
    let profiles = PROFILES.as_ref().map_err(Clone::clone)?;
    profiles.resolve(profile, &last()).map_err(|error| error.to_string())
}

/// The built-in profiles.
pub(crate) fn profiles() -> Result<Profiles, String> {
    Profiles::builtin().map_err(|error| error.to_string())
}

/// A day after all that is known.
pub(crate) fn last() -> Selection {
    Selection::on("9999-12-31".parse().unwrap_or(Day::from_unix_days(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use matching::matches;
    use serde_json::json;

    fn record(members: Value) -> Record {
        let mut all = json!({"id": "x", "feature": "AA-1", "call": "c", "input": 1});
        let target = all.as_object_mut().expect("an object");
        target.extend(members.as_object().cloned().unwrap_or_default());
        serde_json::from_value(all).expect("a record")
    }

    fn check(members: Value, output: Option<Value>, expected: &Outcome) {
        let got = compare(&record(members.clone()), &Answer { output, ..Answer::default() });
        let alike = std::mem::discriminant(&got) == std::mem::discriminant(expected);
        assert!(alike && (matches!(got, Outcome::Wrong(_)) || got == *expected), "{members}: {got:?}");
    }

    #[test]
    fn outcomes_are_told_apart() {
        let wrong = || Outcome::Wrong(String::new());
        check(json!({"output": 1}), Some(json!(1)), &Outcome::Same);
        check(json!({"output": null}), Some(json!(null)), &Outcome::Same);
        check(json!({"output": 1}), Some(json!(2)), &wrong());
        check(json!({"output": 1}), None, &wrong());
        check(json!({"raised": {"type": "E"}}), Some(json!(2)), &wrong());
        check(json!({"output": 1, "expect": {"todo": true}}), Some(json!(2)), &Outcome::Todo);
        check(json!({"output": 1, "expect": {"todo": true}}), Some(json!(1)), &wrong());
        let better = json!({"output": 1, "expect": {"better": "F-1", "right": {"output": 2}}});
        check(better.clone(), Some(json!(2)), &Outcome::Better("F-1".to_owned()));
        check(better.clone(), Some(json!(3)), &wrong());
        check(better, Some(json!(1)), &wrong());
        let differs = json!({"output": 1, "expect": {"differs": "why", "right": {"output": 2}}});
        check(differs.clone(), Some(json!(2)), &Outcome::Differs("why".to_owned()));
        check(differs, Some(json!(1)), &wrong());
    }

    #[test]
    fn matchers_leave_open_what_they_say() {
        let check =
            |pattern: Value, value: Value, expected: bool| assert_eq!(matches(&pattern, Some(&value)), expected, "{pattern} {value}");
        check(json!({"$any": true}), json!([1]), true);
        check(json!({"a": {"$any": true}}), json!({}), true);
        check(json!({"a": 1}), json!({}), false);
        check(json!({"a": 1}), json!({"a": 1, "b": 2}), false);
        check(json!({"$contains": ["b", "a"]}), json!("abc"), true);
        check(json!({"$contains": ["b", "x"]}), json!("abc"), false);
        check(json!({"$contains": ["1"]}), json!(1), false);
        check(json!({"$set": [1, 2]}), json!([2, 1]), true);
        check(json!({"$set": [1, 2]}), json!([2, 3]), false);
        check(json!({"$set": [1, 2]}), json!([2, 1, 1]), false);
        check(json!([{"$any": true}, 2]), json!([1, 2]), true);
        check(json!([1, 2]), json!([2, 1]), false);
        check(json!({"b": 1, "a": 2}), json!({"a": 2, "b": 1}), true);
        check(json!(5), json!(5.0), false);
    }
}
