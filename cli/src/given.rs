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

/// The documents of a call file: one, or one a line.
pub(crate) fn calls(path: &Path) -> Result<Vec<CallText>, Failure> {
    documents(path, "the call", |text| Ok(CallText { calls: Call::all_in_text(text)?, whole: Call::of_arguments(text)? }))
}

/// The JSON documents of a file; `noun` says what they are meant to be.
pub(crate) fn values(path: &Path, noun: &str) -> Result<Vec<Value>, Failure> {
    documents(path, noun, |text| serde_json::from_str(text))
}

fn documents<T>(path: &Path, noun: &str, one: impl Fn(&str) -> serde_json::Result<T>) -> Result<Vec<T>, Failure> {
    let mut bytes = Vec::new();
    reader(path)?.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|e| Failure::file(path, e))?;
    let fail = |e: serde_json::Error| Failure::Usage(format!("{}: {noun} {}", named(path).display(), cause(&e)));
    Deserializer::from_slice(&bytes).into_iter::<&RawValue>().map(|raw| one(raw.map_err(fail)?.get()).map_err(fail)).collect()
}

fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.strip_prefix("number out of range") {
        Some(place) => format!("holds a number that is too large for a 64-bit float{place}"),
        None => format!("is no JSON: {text}"),
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
