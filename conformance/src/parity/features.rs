//! Every documented behaviour of the four systems, with what shows that it is here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::record::{self, ParityError};
use super::{Outcome, System, folder};

/// A documented behaviour.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// Unique: `AA-`, `SS-`, `TX-`, `PC-` and a number.
    pub id: String,
    /// What the system does, in short.
    pub title: String,
    /// Whose it is.
    pub scope: Scope,
    /// The worked examples that show it.
    #[serde(default)]
    pub records: Vec<String>,
    /// The tests that show it, as `path::name`.
    #[serde(default)]
    pub tests: Vec<String>,
    /// The faults of the system that these tests show not to be ours, see [`unstated`].
    #[serde(default)]
    pub better: Option<String>,
    /// What does the same here, where theirs is a thing of its language.
    #[serde(default)]
    pub form: Option<String>,
    /// How we do otherwise, and why; or why nothing has to show it.
    #[serde(default)]
    pub reason: Option<String>,
    /// Not done.
    #[serde(default)]
    pub todo: bool,
}

/// Whose a behaviour is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum Scope {
    /// Something that an engine for schemas does.
    E,
    /// Something of the system's own product.
    P,
}

/// What a feature comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The faults of the system that are not ours.
    pub better: BTreeSet<String>,
    /// What does the same in another form.
    pub form: BTreeSet<String>,
    /// Where and why we do otherwise.
    pub differs: BTreeSet<String>,
    /// What is not done.
    pub todo: BTreeSet<String>,
    /// What is wrong.
    pub wrong: BTreeSet<String>,
}

/// Something that a system gets wrong, as far as it was listed before.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// Unique: `F-` where it was seen, `D-` where it follows from the documentation.
    pub id: String,
    /// Whose it is.
    pub system: String,
    /// What happens.
    pub fault: String,
    /// What should.
    pub right: String,
}

/// Every listed fault, in the order of the file.
///
/// # Errors
/// The file cannot be read, or a line is no fault.
pub fn faults() -> Result<Vec<Fault>, ParityError> {
    record::load(&folder().join("faults.jsonl"))
}

/// What is wrong with a claim to be better: it names listed faults by their ids, separated by commas, or states one in a sentence.
#[must_use]
pub fn unstated(better: &str, faults: &[Fault]) -> Vec<String> {
    if better.starts_with("F-") || better.starts_with("D-") {
        let unknown = better.split(", ").filter(|id| faults.iter().all(|fault| fault.id != *id));
        return unknown.map(|id| format!("there is no fault {id}")).collect();
    }
    let is_sentence = better.split(' ').nth(6).is_some();
    if is_sentence { Vec::new() } else { vec![format!("`{better}` states no fault; say what happens there, and why it is wrong")] }
}

/// Every feature, in the order of the file.
///
/// # Errors
/// The file cannot be read, or a line is no feature.
pub fn load() -> Result<Vec<Feature>, ParityError> {
    record::load(&folder().join("features.jsonl"))
}

/// What every record comes to, by its id.
///
/// # Errors
/// A file cannot be read, or a line is no record.
pub fn outcomes() -> Result<BTreeMap<String, Outcome>, ParityError> {
    let mut out = BTreeMap::new();
    for system in System::ALL {
        out.extend(system.records()?.iter().map(|record| (record.id.clone(), system.outcome(record))));
    }
    Ok(out)
}

impl Feature {
    /// The system whose it is.
    #[must_use]
    pub fn system(&self) -> Option<System> {
        System::ALL.into_iter().find(|system| self.id.starts_with(system.prefix()))
    }

    /// What it comes to, by the outcomes of the records.
    #[must_use]
    pub fn state(&self, outcomes: &BTreeMap<String, Outcome>) -> State {
        let mut state = State { better: self.better.iter().cloned().collect(), ..State::default() };
        state.differs.extend(self.reason.clone());
        state.form.extend(self.form.clone());
        if self.todo {
            state.todo.insert("nothing shows it yet".to_owned());
        }
        for id in &self.records {
            match outcomes.get(id) {
                Some(Outcome::Same) => {}
                Some(Outcome::Better(fault)) => _ = state.better.insert(fault.clone()),
                Some(Outcome::Differs(reason)) => _ = state.differs.insert(reason.clone()),
                Some(Outcome::Todo) => _ = state.todo.insert(id.clone()),
                Some(Outcome::Wrong(_)) => _ = state.wrong.insert(id.clone()),
                None => _ = state.wrong.insert(format!("there is no record {id}")),
            }
        }
        state
    }

    /// What is wrong with the row itself.
    #[must_use]
    pub fn mistakes(&self, outcomes: &BTreeMap<String, Outcome>, faults: &[Fault]) -> Vec<String> {
        let mut out = Vec::new();
        let state = self.state(outcomes);
        out.extend(state.better.iter().flat_map(|better| unstated(better, faults)));
        if self.scope == Scope::E && !state.differs.is_empty() {
            out.push("what an engine does has to be the same here, or better".to_owned());
        }
        let unshown = self.records.is_empty() && self.tests.is_empty();
        if unshown && (self.form.is_some() || self.better.is_some()) {
            out.push("`form` and `better` need records or tests that show it".to_owned());
        }
        if self.system().is_none() {
            out.push("its id belongs to no system".to_owned());
        }
        let shown = !self.records.is_empty() || !self.tests.is_empty() || self.reason.is_some();
        if shown == self.todo {
            out.push("it needs `records`, `tests` or a `reason`, or `todo` alone".to_owned());
        }
        out.extend(self.records.iter().filter(|id| !outcomes.contains_key(*id)).map(|id| format!("there is no record {id}")));
        out.extend(self.tests.iter().filter(|test| !exists(test)).map(|test| format!("there is no test {test}")));
        out
    }
}

/// Whether a file has a test of this name; a test of a table has its name as a text there.
fn exists(test: &str) -> bool {
    let Some((path, name)) = test.split_once("::") else { return false };
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap_or_default();
    !name.is_empty() && (text.contains(&format!("fn {name}(")) || text.contains(&format!("\"{name}\"")))
}
