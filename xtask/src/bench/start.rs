//! What it costs to begin: the profiles loaded, the command line started.

use std::fmt::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use schemalect::Profiles;

use super::{median, process};
use crate::data;

const TIMES: usize = 20;
/// Aims, in milliseconds.
const LOAD: f64 = 10.0;
const START: f64 = 15.0;

/// The rows of the page.
pub(super) fn rows() -> Result<String> {
    let loads: Vec<[f64; 3]> = (0..TIMES).map(|_| load()).collect::<Result<_>>()?;
    let nth = |i: usize| median(loads.iter().map(|l| l[i]).collect());
    let cli = process::command_line()?;
    let tools = data::root().join("examples/tools.json");
    let tools = tools.display().to_string();
    let check = started(&cli, &["check", &tools, "-p", "gemini"])?;
    let bare = started(&cli, &["--version"])?;
    let mut out = format!("| | ms, median of {TIMES} processes | aim |\n|---|---|---|\n");
    let mut row = |what: &str, ms: f64, aim: Option<f64>| {
        let aim = aim.map_or_else(String::new, |aim| format!("≤ {aim} ms: {}", if ms <= aim { "met" } else { "missed" }));
        let _ = writeln!(out, "| {what} | {ms:.2} | {aim} |");
    };
    row("the built-in rules and profiles are loaded, the first time in a process", nth(0), Some(LOAD));
    row("likewise, any later time", nth(1), None);
    row("one profile (`gemini`) is resolved for a day", nth(2), None);
    row("`schemalect check examples/tools.json -p gemini`, from start to end", check, Some(START));
    row("`schemalect --version`, for comparison", bare, None);
    Ok(out)
}

/// Milliseconds of each step in a fresh process.
fn load() -> Result<[f64; 3]> {
    let output = Command::new(process::itself()?).args(["bench", "--child", "load"]).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8(output.stdout)?;
    let figures: Vec<f64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    figures.try_into().ok().context("the process that loads the profiles failed")
}

pub(super) fn child() -> Result<()> {
    let ms = |start: Instant| start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    Profiles::builtin()?;
    let first = ms(start);
    let start = Instant::now();
    let profiles = Profiles::builtin()?;
    let later = ms(start);
    let start = Instant::now();
    profiles.resolve("gemini", &data::today()?)?;
    println!("{first} {later} {}", ms(start));
    Ok(())
}

fn started(cli: &std::path::Path, words: &[&str]) -> Result<f64> {
    let once = || -> Result<f64> {
        let start = Instant::now();
        let status = Command::new(cli).args(words).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        ensure!(status.code().is_some_and(|c| c < 2), "{} {} failed", cli.display(), words.join(" "));
        Ok(start.elapsed().as_secs_f64() * 1e3)
    };
    once()?;
    Ok(median((0..TIMES).map(|_| once()).collect::<Result<_>>()?))
}
