//! What a real endpoint, SDK or engine answered on one day, and the files that hold such answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use schemalect::Day;
use schemalect::engine::{Budget, Tree};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// What a real endpoint, SDK or engine answered to one input on one day.
///
/// The fields stand in files in this order.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Verdict {
    /// Unique.
    pub id: String,
    /// The surface that answered; it may have no profile.
    pub profile: String,
    /// Who answered.
    #[serde(default)]
    pub provider: Option<String>,
    /// Which API, in words.
    #[serde(default)]
    pub api: Option<String>,
    /// Which model, as reported.
    #[serde(default)]
    pub model: Option<String>,
    /// The strict flag that was sent.
    #[serde(default)]
    pub strict: Option<bool>,
    /// Switches of the profile that follow from no other field.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub switches: BTreeMap<String, String>,
    /// The day, `YYYY-MM-DD`; a month or a year where no more is known.
    #[serde(default)]
    pub date: Option<String>,
    /// What the input is.
    pub kind: Kind,
    /// What was sent, as written.
    pub input: Box<RawValue>,
    /// What became of it.
    pub outcome: Outcome,
    /// The HTTP status.
    #[serde(default)]
    pub status: Option<u16>,
    /// The provider's own words, cut.
    #[serde(default)]
    pub message: Option<String>,
    /// JSON Pointer into the input to the node or keyword that the service named.
    #[serde(default)]
    pub path: Option<String>,
    /// The binding that explains a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// JSON Pointer into the input to where that rule fires, where the service named no place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Where it was reported.
    #[serde(default)]
    pub source: Option<String>,
    /// How the input is known.
    #[serde(default)]
    pub fidelity: Option<String>,
    /// The address of the source is not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weak_source: Option<bool>,
    /// Whether a checker of schemas could predict it.
    #[serde(default = "yes")]
    pub scorable: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_scope: Option<String>,
    /// Why its profile does not predict it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpredicted: Option<String>,
    /// What else there is to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

fn yes() -> bool {
    true
}

/// What the input of a verdict is.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A JSON Schema.
    Schema,
    /// A tool: name, description, parameters.
    Tool,
    /// A request with a list of tools.
    Request,
}

/// What became of an input.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was refused.
    Rejected,
    /// The request was taken.
    Accepted,
    /// It was taken, and a keyword was shown to have no force.
    SilentlyIgnored,
    /// It was taken, and the answer was empty or endless.
    Degraded,
}

/// Why verdicts could not be read.
#[derive(Debug, thiserror::Error)]
pub enum VerdictError {
    /// A file or folder could not be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// A line is no verdict.
    #[error("{place}:{line}: {error}")]
    Line {
        /// The file.
        place: String,
        /// The line, from 1.
        line: usize,
        /// Why.
        #[source]
        error: serde_json::Error,
    },
    /// A line names what is not there.
    #[error("{place}:{line}: {told}")]
    Unknown {
        /// The file.
        place: String,
        /// The line, from 1.
        line: usize,
        /// What.
        told: String,
    },
}

impl Verdict {
    /// The day as of which a profile is resolved for it: the last day that the date leaves open.
    #[must_use]
    pub fn day(&self) -> Option<Day> {
        let date = self.date.as_deref()?;
        if let Ok(day) = date.parse() {
            return Some(day);
        }
        let last = |month: &str| (28..=31).rev().find_map(|day| format!("{month}-{day}").parse().ok());
        last(date).or_else(|| last(&format!("{date}-12")))
    }
}

/// The folder of the verdicts that the repository holds.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("verdicts")
}

/// Reads every file of a folder, in the order of their names: each file's stem and its verdicts.
///
/// # Errors
/// The folder or a file cannot be read, or a line is no verdict.
pub fn load(folder: &Path) -> Result<Vec<(String, Vec<Verdict>)>, VerdictError> {
    let fail = |error| VerdictError::File { path: folder.to_owned(), error };
    let entries = fs::read_dir(folder).map_err(fail)?;
    let mut paths = entries.map(|entry| entry.map(|e| e.path())).collect::<Result<Vec<_>, _>>().map_err(fail)?;
    paths.retain(|path| path.extension().is_some_and(|e| e == "jsonl"));
    paths.sort();
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    paths.into_iter().map(|path| Ok((stem(&path), load_file(&path)?))).collect()
}

/// Reads one file.
///
/// # Errors
/// The file cannot be read, or a line is no verdict.
pub fn load_file(path: &Path) -> Result<Vec<Verdict>, VerdictError> {
    let text = fs::read_to_string(path).map_err(|error| VerdictError::File { path: path.to_owned(), error })?;
    read(&path.display().to_string(), &text)
}

/// Reads verdicts, one JSON object a line; empty lines are passed over. `place` names the text in errors.
///
/// # Errors
/// A line is no verdict.
pub fn read(place: &str, text: &str) -> Result<Vec<Verdict>, VerdictError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let one = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| VerdictError::Line { place: place.to_owned(), line: at + 1, error })
    };
    lines.map(one).collect()
}

/// Verdicts in the canonical form of a file: sorted by id, one a line, without blanks, numbers as they were written.
///
/// # Errors
/// An input is no JSON within the budget.
pub fn write(verdicts: &[Verdict]) -> Result<String, serde_json::Error> {
    let mut sorted: Vec<Verdict> = verdicts.to_vec();
    sorted.sort_by(|a, b| a.id.cmp(&b.id));
    let mut out = String::new();
    for mut verdict in sorted {
        if let Ok(tree) = Tree::parse(verdict.input.get(), &Budget::default()) {
            verdict.input = RawValue::from_string(tree.to_json(tree.root()))?;
        }
        out.push_str(&serde_json::to_string(&verdict)?);
        out.push('\n');
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        let check = |date: Option<&str>, day: Option<&str>| {
            let line = serde_json::json!({"id": "a", "profile": "p", "date": date, "kind": "schema", "input": {}, "outcome": "accepted"});
            let verdicts = read("here", &line.to_string()).expect("a verdict");
            assert_eq!(verdicts[0].day().map(|d| d.to_string()).as_deref(), day, "{date:?}");
        };
        check(Some("2026-02-03"), Some("2026-02-03"));
        check(Some("2026-02"), Some("2026-02-28"));
        check(Some("2026"), Some("2026-12-31"));
        check(Some("spring"), None);
        check(None, None);
    }

    #[test]
    fn numbers_and_keys_stay_as_written() {
        let line =
            r#"{"id":"a","profile":"p","kind":"schema","input":{ "b": 1.0, "a": [1e400, 9223372036854775808] },"outcome":"accepted"}"#;
        let text = write(&read("here", line).expect("a verdict")).expect("it is written");
        assert!(text.contains(r#""input":{"b":1.0,"a":[1e400,9223372036854775808]}"#), "{text}");
    }
}
