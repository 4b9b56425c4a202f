//! Other adapters beside ours, on the same schemas in the same run: time a tool, and what the output loses.
//!
//! A peer is a program that reads a schema a line and writes an adapted schema a line, or `{"$error": …}`; with `--bench` it says its own time, reading and
//! writing left out, on standard error; `--list` names the peers it has. `FOLDER` holds `baseline.py` with `venv/`, `node/baseline.mjs`, and
//! `rust/target/release/rust-baselines`; those that are not there are left out.

mod loss;

use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use schemalect::engine::adapt::{Options, adapt};
use schemalect::engine::check::check;
use schemalect::engine::{Plan, Tree};
use schemalect::{Budget, Finding, Profiles};
use serde_json::Value;

use self::loss::Parts;
use super::sets::sets;
use super::work::view;
use super::{page, process, scratch};
use crate::data;

/// What peers call a target, and the profile that stands for it.
const TARGETS: [(&str, &str); 9] = [
    ("openai-strict", "openai-strict"),
    ("openai", "openai"),
    ("gemini-openapi", "gemini"),
    ("gemini", "gemini"),
    ("gemini-json-schema", "gemini-json-schema"),
    ("gemini-vertex", "vertex"),
    ("anthropic-strict", "anthropic-strict"),
    ("anthropic", "anthropic"),
    ("mistral", "mistral"),
];
/// Each peer goes over the schemas so many times, and the best time counts; ours too.
const REPEATS: usize = 3;

/// A program with peers in it.
struct Host {
    language: &'static str,
    folder: PathBuf,
    program: PathBuf,
    script: Option<&'static str>,
}

impl Host {
    fn all(folder: &Path) -> Vec<Host> {
        let rust = folder.join("rust/target/release/rust-baselines");
        vec![
            Host { language: "Python", folder: folder.to_owned(), program: folder.join("venv/bin/python"), script: Some("baseline.py") },
            Host { language: "JavaScript", folder: folder.join("node"), program: "node".into(), script: Some("baseline.mjs") },
            Host { language: "Rust", folder: folder.to_owned(), program: rust, script: None },
        ]
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder).args(self.script);
        command
    }

    /// Name, version and target of the peers that can be run; empty where the program is not there.
    fn peers(&self) -> Vec<(String, String, String)> {
        let Ok(output) = self.command().arg("--list").stderr(Stdio::null()).output() else { return Vec::new() };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let peer = |line: &str| match line.split('\t').collect::<Vec<_>>().as_slice() {
            [name, version, "rewrite", target, "ok"] => Some([*name, *version, *target].map(ToOwned::to_owned).into()),
            [name, version, target, _call] => Some([*name, *version, *target].map(ToOwned::to_owned).into()),
            _ => None,
        };
        text.lines().filter_map(peer).collect()
    }
}

/// What came of the schemas.
#[derive(Default)]
struct Tally {
    failed: usize,
    refused: usize,
    lossy: usize,
    /// Of properties, values, bounds, words: how many were lost.
    lost: [usize; 4],
    good: usize,
}

/// Measures and writes the part.
pub(super) fn run(folder: &Path) -> Result<()> {
    let folder = folder.canonicalize().with_context(|| folder.display().to_string())?;
    let (sets, _) = sets()?;
    let texts: Vec<String> = sets.into_iter().next_back().map(|s| s.cases.into_iter().map(|c| c.schema).collect()).unwrap_or_default();
    let input = scratch("peers.ndjson")?;
    std::fs::write(&input, texts.join("\n") + "\n")?;
    let inputs: Vec<Parts> = texts.iter().filter_map(|t| Parts::of(t)).collect();
    ensure!(inputs.len() == texts.len(), "a schema of the corpus cannot be read");
    let profiles = Profiles::builtin()?;
    let mut rows: Vec<(usize, String)> = Vec::new();
    for (order, (_, profile)) in TARGETS.iter().enumerate() {
        if !TARGETS.iter().take(order).any(|(_, p)| p == profile) {
            let plan = profiles.resolve(profile, &data::today()?)?.plan().clone();
            let (outputs, seconds, tree) = ours(&plan, &texts);
            let tally = tally(&plan, &inputs, &outputs);
            rows.push((order, row(profile, "**schemalect**", "Rust", seconds, Some(tree), &tally, texts.len())));
        }
    }
    let mut missing = Vec::new();
    for host in Host::all(&folder) {
        let peers = host.peers();
        if peers.is_empty() {
            missing.push(host.language);
        }
        for (name, version, target) in peers {
            let Some((_, profile)) = TARGETS.iter().find(|(t, _)| *t == target) else { continue };
            let order = TARGETS.iter().position(|(_, p)| p == profile).unwrap_or_default();
            let plan = profiles.resolve(profile, &data::today()?)?.plan().clone();
            let row = match theirs(&host, &name, &input) {
                Ok((outputs, seconds)) => row(
                    profile,
                    &format!("{name} ({version})"),
                    host.language,
                    seconds,
                    None,
                    &tally(&plan, &inputs, &outputs),
                    texts.len(),
                ),
                Err(error) => format!("| {profile} | {name} ({version}) | {} | failed: {error} |", host.language),
            };
            println!("{row}");
            rows.push((order, row));
        }
    }
    rows.sort_by_key(|(order, _)| *order);
    page::put(&page::PEERS, &text(texts.len(), &rows, &missing))
}

fn text(count: usize, rows: &[(usize, String)], missing: &[&str]) -> String {
    let mut out = format!(
        "{count} schemas (those of the whole list above) through every adapter, best of {REPEATS} passes in one thread. Time is per tool: for ours from bytes to bytes, and in brackets to a tree \
         that is already read; for the others on values that are already read, writing left out. `refused`: the output is refused by `schemalect check` for the profile, which is our own \
         reading of recorded answers and documentation. Lost: properties, values of enum and const, bounds (pattern, format, minimum…) and descriptions of the input that the output neither \
         has nor tells in words of its own. `good`: not failed, not refused, and no property or value lost; whether an optional property \
         can still be left out, or sent as null, is not judged here.\n\n\
         | profile | adapter | language | µs a tool | failed | refused | tools with a property or value lost | lost: properties, values, bounds, descriptions | good |\n\
         |---|---|---|---|---|---|---|---|---|\n"
    );
    for (_, row) in rows {
        let _ = writeln!(out, "{row}");
    }
    if !missing.is_empty() {
        let _ = writeln!(out, "\nNot run here, since their programs are not at hand: adapters in {}.", missing.join(", "));
    }
    out
}

fn row(profile: &str, name: &str, language: &str, seconds: f64, tree: Option<f64>, tally: &Tally, count: usize) -> String {
    let time = |seconds: f64| format!("{:.1}", seconds * 1e6 / count as f64);
    let tree = tree.map_or_else(String::new, |t| format!(" ({})", time(t)));
    let [properties, values, bounds, words] = tally.lost;
    let Tally { failed, refused, lossy, good, .. } = tally;
    format!(
        "| {profile} | {name} | {language} | {}{tree} | {failed} | {refused} | {lossy} | {properties}, {values}, {bounds}, {words} | {good} |",
        time(seconds)
    )
}

fn tally(plan: &Plan, inputs: &[Parts], outputs: &[String]) -> Tally {
    let mut out = Tally::default();
    for (i, input) in inputs.iter().enumerate() {
        let read = outputs.get(i).filter(|text| !is_error(text)).and_then(|text| Tree::parse(text, &Budget::default()).ok());
        let Some(tree) = read else {
            out.failed += 1;
            continue;
        };
        let refused = check(plan, &view(&tree)).iter().any(Finding::refuses);
        let lost = input.lost_in(&Parts::of_tree(&tree));
        let lossy = lost[0] + lost[1] > 0;
        out.refused += usize::from(refused);
        out.lossy += usize::from(lossy);
        out.good += usize::from(!refused && !lossy);
        out.lost.iter_mut().zip(lost).for_each(|(sum, n)| *sum += n);
    }
    out
}

fn is_error(text: &str) -> bool {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    !(value.is_object() || value.is_boolean()) || value.get("$error").is_some()
}

/// Outputs, seconds from bytes to bytes, seconds on trees that are already read.
fn ours(plan: &Plan, texts: &[String]) -> (Vec<String>, f64, f64) {
    let budget = Budget::default();
    let adapted = |tree: &Tree| adapt(plan, &view(tree), &Options::default()).schema;
    let bytes = |text: &String| {
        let tree = Tree::parse(text, &budget).ok().and_then(|tree| adapted(&tree));
        tree.map_or_else(|| "null".to_owned(), |tree| tree.to_json(tree.root()))
    };
    let trees: Vec<Tree> = texts.iter().filter_map(|text| Tree::parse(text, &budget).ok()).collect();
    let (mut outputs, mut best, mut best_tree) = (Vec::new(), f64::INFINITY, f64::INFINITY);
    for _ in 0..REPEATS {
        let start = Instant::now();
        outputs = texts.iter().map(bytes).collect();
        best = best.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let made: Vec<_> = trees.iter().map(adapted).collect();
        best_tree = best_tree.min(start.elapsed().as_secs_f64());
        drop(made);
    }
    (outputs, best, best_tree)
}

/// Outputs, and the seconds that the peer says it took.
fn theirs(host: &Host, name: &str, input: &Path) -> Result<(Vec<String>, f64)> {
    let (out, err) = (scratch("peer.out")?, scratch("peer.err")?);
    let mut command = host.command();
    command.args([name, "--bench", "--repeat", &REPEATS.to_string()]);
    command.stdin(File::open(input)?).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let ended = process::ended(command, Duration::from_secs(300))?;
    ensure!(ended, "it took too long, or ended with an error");
    let says = std::fs::read_to_string(&err)?;
    let figures = says.lines().rev().find_map(|l| serde_json::from_str::<Value>(l).ok()?.get("seconds")?.as_f64());
    let text = std::fs::read_to_string(&out)?;
    Ok((text.lines().map(ToOwned::to_owned).collect(), figures.context("it does not say its time")?))
}
