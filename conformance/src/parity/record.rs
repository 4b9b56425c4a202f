//! A worked example of a system: what went in, what came out, and what of it we expect to be otherwise.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// One worked example.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Line")]
pub struct Record {
    /// Unique.
    pub id: String,
    /// The documented behaviour that it shows, or the group of such behaviours.
    pub feature: String,
    /// What was called.
    pub call: String,
    /// The type that was described, where a type is.
    pub of_type: Option<String>,
    /// Its declaration, where the input does not tell it.
    pub declared: Option<String>,
    /// The provider, dialect or mode that was asked for.
    pub target: Option<String>,
    /// The arguments of the call besides.
    pub options: Map<String, Value>,
    /// What went in.
    pub input: Value,
    /// What came out, as recorded.
    pub recorded: Told,
    /// Whether it was worked out from the system's documentation, where the system could not be run.
    pub derived: bool,
    /// What else there is to say.
    pub note: Option<String>,
    /// What the documentation leaves open.
    pub open: Vec<String>,
    /// What we expect to be otherwise.
    pub expect: Option<Expect>,
}

/// What comes out of a call; matchers stand for what is left open.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The output; `None` where the call fails.
    #[serde(default, deserialize_with = "present")]
    pub output: Option<Value>,
    /// What is said of it; `None` where that is not recorded.
    #[serde(default)]
    pub changes: Option<Value>,
    /// The error.
    #[serde(default)]
    pub raised: Option<Value>,
}

/// How our answer is other than the recorded one.
#[derive(Clone, Debug, PartialEq)]
pub enum Expect {
    /// The system is wrong there.
    Better {
        /// The fault: the id of a listed one, or a sentence that states it.
        better: String,
        /// What is right.
        right: Told,
    },
    /// We do something else on purpose, or the documentation does not fix it.
    Differs {
        /// Why.
        differs: String,
        /// What we answer.
        right: Told,
    },
    /// Not done.
    Todo(bool),
}

/// Why records could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ParityError {
    /// A file could not be read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line is not what it should be.
    #[error("{}:{line}: {error}", path.display())]
    Line {
        /// In which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Why.
        error: serde_json::Error,
    },
}

/// Reads a file of lines of JSON.
///
/// # Errors
/// The file cannot be read, or a line is not what it should be.
pub fn load<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>, ParityError> {
    let text = fs::read_to_string(path).map_err(|error| ParityError::File { path: path.to_owned(), error })?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| serde_json::from_str(line).map_err(|error| ParityError::Line { path: path.to_owned(), line: at + 1, error }))
        .collect()
}

/// The fields of a line, which stand in files in this order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    feature: String,
    call: String,
    #[serde(default, rename = "type")]
    of_type: Option<String>,
    #[serde(default)]
    target: Option<String>,
    #[serde(default)]
    options: Map<String, Value>,
    input: Value,
    #[serde(default, deserialize_with = "present")]
    output: Option<Value>,
    #[serde(default)]
    changes: Option<Value>,
    #[serde(default)]
    raised: Option<Value>,
    #[serde(default)]
    derived: bool,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    open: Vec<String>,
    #[serde(default)]
    declared: Option<String>,
    #[serde(default)]
    expect: Option<Expected>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    #[serde(default)]
    better: Option<String>,
    #[serde(default)]
    differs: Option<String>,
    #[serde(default)]
    right: Option<Told>,
    #[serde(default)]
    todo: bool,
}

/// A member that is null is there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl TryFrom<Line> for Record {
    type Error = &'static str;

    fn try_from(line: Line) -> Result<Record, &'static str> {
        let recorded = Told { output: line.output, changes: line.changes, raised: line.raised };
        if recorded == Told::default() {
            return Err("one of `output`, `changes` and `raised` is needed");
        }
        Ok(Record {
            id: line.id,
            feature: line.feature,
            call: line.call,
            of_type: line.of_type,
            declared: line.declared,
            target: line.target,
            options: line.options,
            input: line.input,
            recorded,
            derived: line.derived,
            note: line.note,
            open: line.open,
            expect: line.expect.map(Expect::try_from).transpose()?,
        })
    }
}

impl TryFrom<Expected> for Expect {
    type Error = &'static str;

    fn try_from(expected: Expected) -> Result<Expect, &'static str> {
        match expected {
            Expected { better: Some(better), differs: None, right: Some(right), todo: false } => Ok(Expect::Better { better, right }),
            Expected { better: None, differs: Some(differs), right: Some(right), todo: false } => Ok(Expect::Differs { differs, right }),
            Expected { better: None, differs: None, right: None, todo: true } => Ok(Expect::Todo(true)),
            _ => Err("`expect` is {better: FAULT, right: {…}}, {differs: REASON, right: {…}} or {todo: true}"),
        }
    }
}
