//! What the verbs about calls are given: calls and tools, from files or standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use schemalect::{Call, Opened, ReadOptions, ToolList, open, read};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Value};

use crate::error::Failure;

/// A file is read up to so many bytes.
const MOST_BYTES: u64 = 256 << 20;

/// A JSON document that holds calls, or arguments alone.
pub(crate) struct CallText {
    /// Every call in it.
    pub(crate) calls: Vec<Call>,
    /// The whole as arguments.
    pub(crate) whole: Call,
}

/// The documents of a call file: one, or one a line; of a line that cannot be read, why.
pub(crate) fn calls(path: &Path) -> Result<Vec<Result<CallText, String>>, Failure> {
    let one = |text: &str| Ok(CallText { calls: Call::all_in_text(text)?, whole: Call::of_arguments(text)? });
    let text = text(path)?;
    documents(&text, one).or_else(|error| lines(&text, one).ok_or(error)).map_err(|e| unread(path, "the call", &e))
}

/// The text of a file, whatever bytes it holds.
pub(crate) fn any_text(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    reader(path)?.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|e| Failure::file(path, e))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The JSON documents of a file; `noun` says what they are meant to be.
pub(crate) fn values(path: &Path, noun: &str) -> Result<Vec<Value>, Failure> {
    let text = text(path)?;
    let values: Vec<Value> = Deserializer::from_str(&text).into_iter().collect::<Result<_, _>>().map_err(|e| unread(path, noun, &e))?;
    match values.is_empty() {
        true => Err(Failure::Usage(format!("{}: {noun} is missing: the file is empty", named(path).display()))),
        false => Ok(values),
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    reader(path)?.take(MOST_BYTES).read_to_string(&mut text).map_err(|e| Failure::file(path, e))?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

fn unread(path: &Path, noun: &str, error: &serde_json::Error) -> Failure {
    Failure::Usage(format!("{}: {noun} {}", named(path).display(), cause(error)))
}

type One<T> = Result<T, String>;

fn documents<T>(text: &str, one: impl Fn(&str) -> serde_json::Result<T>) -> serde_json::Result<Vec<One<T>>> {
    Deserializer::from_str(text).into_iter::<&RawValue>().map(|raw| one(raw?.get()).map(Ok)).collect()
}

/// Each line alone; `None` where the text is not one document a line, or none can be read.
fn lines<T>(text: &str, one: impl Fn(&str) -> serde_json::Result<T>) -> Option<Vec<One<T>>> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let whole = |line: &str| serde_json::from_str::<&RawValue>(line).is_ok();
    let is_part = |line: &str| line.trim_start().starts_with(['}', ']', '"', ',']) && !whole(line);
    let is_object = |line: &str| line.trim_start().starts_with('{') && serde_json::from_str::<&RawValue>(line).is_ok();
    if lines().any(|(_, line)| is_part(line)) || !lines().any(|(_, line)| is_object(line)) {
        return None;
    }
    let read: Vec<One<T>> = lines()
        .map(|(i, line)| one(line).map_err(|e| format!("line {}: {}", i + 1, cause(&e).replace(" at line 1 column ", " at column "))))
        .collect();
    read.iter().any(Result::is_ok).then_some(read)
}

fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match (text.strip_prefix("number out of range"), text.strip_prefix("recursion limit exceeded")) {
        (Some(place), _) => format!("holds a number that is too large for a 64-bit float{place}"),
        (_, Some(place)) => format!("is nested more deeply than is read{place}"),
        _ => format!("is no JSON: {text}"),
    }
}

/// Takes the lists of tools of an input one after the other.
pub(crate) fn each_list(path: &Path, mut take: impl FnMut(ToolList) -> Result<(), Failure>) -> Result<(), Failure> {
    let options = ReadOptions::default();
    let fail = |error| Failure::file(path, error);
    let whole = |error| Failure::Input { path: named(path).to_owned(), error };
    match open(reader(path)?, &options).map_err(fail)? {
        Opened::Document(bytes) => take(read(&bytes, &options).map_err(whole)?),
        Opened::Lines(mut lines) => loop {
            let batch = lines.batch(512).map_err(fail)?;
            if batch.is_empty() {
                return Ok(());
            }
            for line in &batch {
                take(line.read(&options).map_err(whole)?)?;
            }
        },
    }
}

/// Refuses standard input for more than one of the inputs.
pub(crate) fn one_stdin<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<(), Failure> {
    match paths.into_iter().filter(|p| *p == Path::new("-")).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Usage("standard input can be only one of the inputs".to_owned())),
    }
}

/// A file as it is named to a person.
pub(crate) fn named(path: &Path) -> &Path {
    if path == Path::new("-") { Path::new("<stdin>") } else { path }
}

fn reader(path: &Path) -> Result<Box<dyn Read>, Failure> {
    Ok(if path == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(File::open(path).map_err(|e| Failure::file(path, e))?) })
}
