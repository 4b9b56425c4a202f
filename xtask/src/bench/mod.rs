//! `cargo xtask bench`: measures the engine and writes `docs/performance.md`, each command its own part of the page.

mod child;
mod counted;
mod growth;
mod page;
mod peers;
mod process;
mod sets;
mod shapes;
mod start;
mod stream;
mod table;
mod timed;
mod work;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::data;

/// Profiles that stand for the rest: one that takes most things, one that reads a dialect of its own, one that wants much rewritten.
const PROFILES: [&str; 3] = ["anthropic", "gemini", "openai-strict"];

/// Runs the chore.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => table::run()?,
        ["--growth"] => growth::run(None)?,
        ["--growth", shape] => growth::run(Some(shape))?,
        ["--stream"] => stream::run(1_000_000)?,
        ["--stream", lines] => stream::run(lines.parse().with_context(|| format!("--stream {lines}: no number of tools"))?)?,
        ["--peers", folder] => peers::run(&PathBuf::from(folder))?,
        ["--child", rest @ ..] => child::run(rest)?,
        _ => bail!("bench [--growth [SHAPE] | --stream [TOOLS] | --peers FOLDER]"),
    }
    Ok(true)
}

/// A file for what is measured, below `target`.
fn scratch(name: &str) -> Result<PathBuf> {
    let folder = data::root().join("target/bench");
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(folder.join(name))
}

/// The middle one.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
