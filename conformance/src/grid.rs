//! For each surface what happens to each keyword: asked of its rules with small probes, and of the recorded verdicts.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use schemalect::engine::plan::{Certainty, Level};
use schemalect::engine::{Id, Kind, Tree, site};
use schemalect::{Input, ReadOptions, Surface, read};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::judge::parts;
use crate::suite::Case;
use crate::verdict::{Outcome, VerdictError};

/// A keyword in one use, and the same property without it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// What is asked about, as it is shown.
    pub keyword: String,
    /// The keyword that verdicts are searched for, with a value like that of the probe, where what is asked about is one use of it;
    /// empty: no verdict is searched for.
    #[serde(default)]
    pub key: Option<String>,
    /// A property's schema without it.
    pub without: Value,
    /// The property's schema with it.
    pub with: Value,
    /// What stands beside at the root, with it.
    #[serde(default)]
    pub root: Map<String, Value>,
}

/// What happens to a keyword.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The answer.
    pub answer: Answer,
    /// The bindings that say so.
    pub rules: BTreeSet<String>,
    /// The newest verdict on an input that holds the keyword and was taken: id and date.
    pub taken: Option<(String, String)>,
}

/// What happens to a keyword, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// The request is refused.
    Refused,
    /// Refused or taken: the day or a switch decides.
    Undecided,
    /// It is taken, and a verdict shows that it has no force, or a rule warns.
    Ignored,
    /// A request that holds it was taken.
    Accepted,
    /// Nothing is known.
    Unknown,
}

impl Answer {
    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Answer::Refused => "refused",
            Answer::Undecided => "undecided",
            Answer::Ignored => "warned",
            Answer::Accepted => "accepted",
            Answer::Unknown => "unknown",
        }
    }
}

/// The probes that the repository holds.
///
/// # Errors
/// The file cannot be read, or a line is no probe.
pub fn probes() -> Result<Vec<Probe>, VerdictError> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grid.jsonl");
    let text = std::fs::read_to_string(&path).map_err(|error| VerdictError::File { path: path.clone(), error })?;
    let line = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| VerdictError::Line { place: "grid.jsonl".to_owned(), line: at + 1, error })
    };
    text.lines().enumerate().map(line).collect()
}

/// The keywords that stand in schemas of inputs that a surface took, each with its uses.
#[derive(Debug, Default)]
pub struct Taken(BTreeMap<String, Vec<Use>>);

/// A keyword's value in an input that was taken, and that verdict.
#[derive(Debug)]
struct Use {
    value: Value,
    date: String,
    id: String,
}

impl Taken {
    /// Reads the verdicts of one surface; `surface` only tells how its inputs are read.
    #[must_use]
    pub fn of<'c>(surface: &Surface, cases: impl Iterator<Item = &'c Case>) -> Taken {
        let mut taken = BTreeMap::<String, Vec<Use>>::new();
        for case in cases.filter(|case| case.verdict.outcome != Outcome::Rejected && case.verdict.scorable) {
            let (date, id) = (case.verdict.date.clone().unwrap_or_default(), case.verdict.id.clone());
            let Ok(parts) = parts(&case.verdict, surface) else { continue };
            for part in &parts {
                for (tree, root) in part.list.tools().iter().filter_map(|tool| part.list.view(tool).schema) {
                    gather(tree, root, |key, value| {
                        taken.entry(key).or_default().push(Use { value, date: date.clone(), id: id.clone() });
                    });
                }
            }
        }
        Taken(taken)
    }

    /// The newest verdict on an input with this keyword, and with a value like this one where one is given.
    fn newest(&self, key: &str, like: Option<&Value>) -> Option<(String, String)> {
        let uses = self.0.get(key)?.iter();
        let newest =
            uses.filter(|found| like.is_none_or(|like| is_like(&found.value, like))).max_by_key(|found| (&found.date, &found.id))?;
        Some((newest.id.clone(), newest.date.clone()))
    }
}

fn gather(tree: &Tree, root: Id, mut found: impl FnMut(String, Value)) {
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        for child in tree.children(node).filter(|_| tree.kind(node) == Kind::Object) {
            found(tree.key(child).into_owned(), tree.to_value(child));
        }
        site::subschemas(tree, node, |child, _| todo.push(child));
    }
}

/// Whether a value is a use of a keyword as in a probe: of its kind, the same word or flag, as large, with such members.
fn is_like(value: &Value, probe: &Value) -> bool {
    match (value, probe) {
        (Value::String(a), Value::String(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(a), Value::Number(b)) => a.as_f64() >= b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            let null = json!("null");
            let kinds = |list: &[Value]| list.iter().any(Value::is_number);
            a.contains(&null) == b.contains(&null) && kinds(a) == kinds(b)
        }
        (Value::Object(_), Value::Object(_)) => true,
        _ => false,
    }
}

/// Asks a surface about a keyword.
#[must_use]
pub fn ask(surface: &Surface, probe: &Probe, taken: &Taken) -> Cell {
    let before: HashSet<String> = findings(surface, &probe.without, &Map::new()).into_iter().map(|(rule, _, _)| rule).collect();
    let mut rules: BTreeMap<Answer, BTreeSet<String>> = BTreeMap::new();
    for (rule, level, certainty) in findings(surface, &probe.with, &probe.root) {
        let answer = match (level, certainty) {
            (Level::Error, Certainty::Certain) => Answer::Refused,
            (Level::Error, Certainty::Undecided) => Answer::Undecided,
            (Level::Warning, _) => Answer::Ignored,
            (Level::Style, _) => continue,
        };
        if !before.contains(&rule) {
            rules.entry(answer).or_default().insert(rule);
        }
    }
    let key = probe.key.as_deref().unwrap_or(&probe.keyword);
    let like = probe.key.as_ref().and_then(|key| probe.with.get(key));
    let taken = taken.newest(key, like);
    match rules.pop_first() {
        Some((answer, rules)) => Cell { answer, rules, taken },
        None if taken.is_some() => Cell { answer: Answer::Accepted, rules: BTreeSet::new(), taken },
        None => Cell { answer: Answer::Unknown, rules: BTreeSet::new(), taken },
    }
}

/// What is found on an object with this one property.
fn findings(surface: &Surface, property: &Value, root: &Map<String, Value>) -> Vec<(String, Level, Certainty)> {
    let mut schema = json!({"type": "object", "properties": {"p": property}, "required": ["p"], "additionalProperties": false});
    if let Some(members) = schema.as_object_mut() {
        members.extend(root.clone());
    }
    let Ok(list) = read(schema.to_string().as_bytes(), &ReadOptions { input: Input::Schema, ..ReadOptions::default() }) else {
        return Vec::new();
    };
    let report = surface.check(&list, 1);
    report.findings().map(|f| (f.rule.rsplit('/').next().unwrap_or_default().to_owned(), f.level, f.certainty)).collect()
}

#[cfg(test)]
mod tests {
    use schemalect::rules::Library;
    use schemalect::rules::Selection;

    use super::*;
    use crate::judge::Judge;
    use crate::{suite, verdict};

    #[test]
    fn answers() {
        let rule = include_str!("../../rules/shared/const-present.yaml").to_owned();
        let pattern = include_str!("../../rules/shared/pattern-present.yaml").to_owned();
        let profile = "profile: p\ntitle: A surface\nwire: { name: /name, description: /description, schema: /parameters }\nstages: [s]\nrules:\n  \
             - { rule: const-present, stage: s, sources: [ { documented: a reference, seen: 2026-01-01 } ] }\n  \
             - { rule: pattern-present, level: warning, stage: s, sources: [ { documented: a reference, seen: 2026-01-01 } ] }\n";
        let rules = [("rules/shared/const-present.yaml".to_owned(), rule), ("rules/shared/pattern-present.yaml".to_owned(), pattern)];
        let library = Library::new(rules, [("p.yaml".to_owned(), profile.to_owned())]).expect("they read");
        let taken = r#"{"id":"a","profile":"p","date":"2026-01-10","kind":"schema","input":{"type":["string","null"],"format":"uri"},"outcome":"accepted"}"#;
        let verdicts = verdict::read("here", taken).expect("a verdict");
        let cases = suite::judge(&Judge::new(&library, None), verdicts).expect("it is judged");
        let day = "2026-02-01".parse().expect("a day");
        let surface = Surface::of(&library.bind("p", &Selection::on(day)).expect("it binds"));
        let taken = Taken::of(&surface, cases.iter());
        let probes = probes().expect("the probes read");
        let check = |keyword: &str, answer: Answer, id: Option<&str>| {
            let probe = probes.iter().find(|probe| probe.keyword == keyword).expect(keyword);
            let cell = ask(&surface, probe, &taken);
            assert_eq!((cell.answer, cell.taken.as_ref().map(|(id, _)| id.as_str())), (answer, id), "{keyword}");
        };
        check("const", Answer::Refused, None);
        check("pattern", Answer::Ignored, None);
        check("type with null", Answer::Accepted, Some("a"));
        check("type as a list", Answer::Unknown, None);
        check("format uri", Answer::Accepted, Some("a"));
        check("format date-time", Answer::Unknown, None);
    }
}
