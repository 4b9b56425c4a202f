//! The files of questions, engines and answers, read and written in one form.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Answer, Engine, Question, Ran, below};
use crate::verdict::VerdictError;

/// The folder of the answers, one file a profile.
#[must_use]
pub fn folder() -> PathBuf {
    below("executed")
}

/// The folder of the questions, of the engines, and of the scripts that ask.
#[must_use]
pub fn recorders() -> PathBuf {
    below("recorders")
}

/// Every answer of every engine: by profile, then in the order of the questions.
///
/// # Errors
/// A file cannot be read, a line is not of its form, or names a question or an engine that is not there.
pub fn load() -> Result<Vec<Ran>, VerdictError> {
    let questions: BTreeMap<String, Arc<Question>> = questions()?.into_iter().map(|q| (q.case.clone(), Arc::new(q))).collect();
    let engines: BTreeMap<String, Arc<Engine>> = engines()?.into_iter().map(|e| (e.engine.clone(), Arc::new(e))).collect();
    let mut out = Vec::new();
    for (profile, answers) in load_answers()? {
        let path = folder().join(format!("{profile}.jsonl"));
        for (at, answer) in answers.into_iter().enumerate() {
            let answer = Arc::new(answer);
            let unknown = |what: &str, name: &str| VerdictError::Unknown {
                place: path.display().to_string(),
                line: at + 1,
                told: format!("no {what} `{name}` of this profile in conformance/recorders"),
            };
            let question = questions.get(&answer.case).ok_or_else(|| unknown("case", &answer.case))?;
            for name in &answer.engines {
                let engine = engines.get(name).filter(|engine| engine.profile == profile).ok_or_else(|| unknown("engine", name))?;
                out.push(Ran { engine: Arc::clone(engine), question: Arc::clone(question), answer: Arc::clone(&answer) });
            }
        }
    }
    Ok(out)
}

/// The answers by profile, as the files hold them.
///
/// # Errors
/// A file cannot be read, or a line is not of its form.
pub fn load_answers() -> Result<BTreeMap<String, Vec<Answer>>, VerdictError> {
    let folder = folder();
    let fail = |error| VerdictError::File { path: folder.clone(), error };
    let mut out = BTreeMap::new();
    for entry in fs::read_dir(&folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            out.insert(path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), lines(&path)?);
        }
    }
    Ok(out)
}

/// Writes the answers of each profile in canonical form.
///
/// # Errors
/// A file cannot be read or written.
pub fn write_answers(answers: &BTreeMap<String, Vec<Answer>>) -> Result<(), VerdictError> {
    for (profile, answers) in answers {
        let path = folder().join(format!("{profile}.jsonl"));
        let text = answers_text(answers.clone())?;
        fs::write(&path, text).map_err(|error| VerdictError::File { path, error })?;
    }
    Ok(())
}

/// Answers in canonical form: in the order of questions, then of engines; engines that answered alike share a line.
///
/// # Errors
/// A file of questions or engines cannot be read.
pub fn answers_text(answers: Vec<Answer>) -> Result<String, VerdictError> {
    let (questions, engines) = (questions()?, engines()?);
    let questions: HashMap<&str, usize> = questions.iter().enumerate().map(|(at, q)| (q.case.as_str(), at)).collect();
    let engines: HashMap<&str, usize> = engines.iter().enumerate().map(|(at, e)| (e.engine.as_str(), at)).collect();
    let rank = |known: &HashMap<&str, usize>, name: &str| known.get(name).copied().unwrap_or(usize::MAX);
    let mut alike: BTreeMap<(usize, String), Answer> = BTreeMap::new();
    for answer in answers {
        let key = (rank(&questions, &answer.case), line(&Answer { engines: Vec::new(), ..answer.clone() }));
        match alike.get_mut(&key) {
            Some(known) => known.engines.extend(answer.engines),
            None => drop(alike.insert(key, answer)),
        }
    }
    let mut sorted: Vec<(usize, Answer)> = alike.into_iter().map(|((at, _), answer)| (at, answer)).collect();
    for (_, answer) in &mut sorted {
        answer.engines.sort_by_key(|name| rank(&engines, name));
        answer.engines.dedup();
    }
    sorted.sort_by_key(|(at, answer)| (*at, answer.engines.first().map_or(usize::MAX, |name| rank(&engines, name))));
    Ok(sorted.iter().map(|(_, answer)| line(answer) + "\n").collect())
}

/// A value without map keys that are no text can always be written.
fn line(answer: &Answer) -> String {
    serde_json::to_string(answer).unwrap_or_default()
}

/// Every question, in the order of the file.
///
/// # Errors
/// The file cannot be read, or a line is not of its form.
pub fn questions() -> Result<Vec<Question>, VerdictError> {
    lines(&recorders().join("cases.jsonl"))
}

/// Every engine, in the order of the file.
///
/// # Errors
/// The file cannot be read, or a line is not of its form.
pub fn engines() -> Result<Vec<Engine>, VerdictError> {
    lines(&recorders().join("engines.jsonl"))
}

/// Writes the engines in canonical form.
///
/// # Errors
/// The file cannot be written.
pub fn write_engines(engines: &[Engine]) -> Result<(), VerdictError> {
    let path = recorders().join("engines.jsonl");
    fs::write(&path, written(engines)).map_err(|error| VerdictError::File { path, error })
}

/// Values in canonical form, one a line.
pub fn written<T: Serialize>(values: &[T]) -> String {
    values.iter().map(|value| serde_json::to_string(value).unwrap_or_default() + "\n").collect()
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, VerdictError> {
    let text = fs::read_to_string(path).map_err(|error| VerdictError::File { path: path.to_owned(), error })?;
    let one = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| VerdictError::Line { place: path.display().to_string(), line: at + 1, error })
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(one).collect()
}
