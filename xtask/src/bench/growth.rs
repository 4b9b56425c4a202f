//! Time and memory a byte as inputs grow; every measurement is a process of its own that is stopped when it takes too long.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use schemalect::engine::adapt::{Options, adapt};
use schemalect::engine::check::check;
use schemalect::engine::{Plan, Tree};
use schemalect::{AdaptOptions, Budget, Profiles, ReadOptions, Surface, read};

use super::shapes::{SHAPES, Shape, stand_in};
use super::work::{reference, view};
use super::{PROFILES, page, process};
use crate::data;

const SIZES: [(&str, usize); 7] = [
    ("1 KB", 1 << 10),
    ("8 KB", 8 << 10),
    ("64 KB", 64 << 10),
    ("512 KB", 512 << 10),
    ("4 MB", 4 << 20),
    ("32 MB", 32 << 20),
    ("64 MB", 64 << 20),
];
const VERBS: [&str; 2] = ["check", "adapt"];
/// A measurement that takes longer is stopped.
const LIMIT: Duration = Duration::from_secs(20);
/// No process gets more memory, in kilobytes.
const MEMORY: usize = 10 << 20;
/// Measurements are repeated as long as they fit in this.
const REPEATED: Duration = Duration::from_millis(3000);
const MOST_ROUNDS: usize = 15;
/// The ratio may grow so many times before that is called superlinear.
const STEADY: f64 = 3.0;
/// Less than this tells of start-up and page sizes.
const TELLING: usize = 64 << 10;

const UNBOUNDED: Budget = Budget { bytes: usize::MAX, depth: usize::MAX, nodes: usize::MAX, expanded: usize::MAX, events: usize::MAX };

/// A measurement.
enum Cell {
    /// Time by that of the reference, nanoseconds a byte, bytes of memory a byte.
    Measured { ratio: f64, time: f64, memory: Option<f64> },
    /// What happened instead.
    Failed(String),
    /// A smaller one had failed.
    Left,
}

/// The rows by verb and profile.
type Tables<'s> = BTreeMap<(usize, usize), Vec<(&'s Shape, Vec<Cell>)>>;

/// Measures every shape, or one, and writes the part.
pub(super) fn run(only: Option<&str>) -> Result<()> {
    let shapes: Vec<&Shape> = SHAPES.iter().filter(|s| only.is_none_or(|o| s.word.starts_with(o))).collect();
    ensure!(!shapes.is_empty(), "no shape begins like that; there are {}", SHAPES.map(|s| s.word).join("; "));
    let mut tables = Tables::new();
    for shape in shapes {
        for (v, verb) in VERBS.iter().enumerate() {
            for (p, profile) in PROFILES.iter().enumerate() {
                let cells = series(shape, verb, profile)?;
                println!("{verb} {profile} | {}", row(shape, &cells));
                tables.entry((v, p)).or_default().push((shape, cells));
            }
        }
        if only.is_none() {
            // A run takes long, and may be stopped.
            page::put(&page::GROWTH, &text(&tables))?;
        }
    }
    Ok(())
}

fn text(tables: &Tables<'_>) -> String {
    let mut out = format!(
        "Generated inputs that grow in one way each, all limits raised as far as they go; the limits by default are far below. A cell: time as a ratio to `serde_json::Value` on the same \
         bytes · nanoseconds a byte · bytes of memory at the peak a byte of input, beside the input itself (from {} KB on). `growth` is the largest ratio by the least before it, from {} KB on; \
         more than {STEADY} is called superlinear. Each measurement is a process of its own, stopped after {} s or at {} GB of memory; larger inputs are then not tried (–). \
         Lists of tools go through the reader of lists in one thread. *: `serde_json::Value` reads no more than 128 levels, so the ratio is to wide objects of the same size.\n",
        TELLING >> 10,
        TELLING >> 10,
        LIMIT.as_secs(),
        MEMORY >> 20,
    );
    let heads = SIZES.map(|(name, _)| name).join(" | ");
    for ((v, p), rows) in tables {
        let _ =
            writeln!(out, "\n`{}` for `{}`:\n\n| | {heads} | growth |\n|---|{}---|", VERBS[*v], PROFILES[*p], "---|".repeat(SIZES.len()));
        for (shape, cells) in rows {
            let _ = writeln!(out, "| {} |", row(shape, cells));
        }
    }
    out
}

fn row(shape: &Shape, cells: &[Cell]) -> String {
    let star = if shape.readable { "" } else { "*" };
    let shown: Vec<String> = cells
        .iter()
        .map(|cell| match cell {
            Cell::Measured { ratio, time, memory } => {
                let memory = memory.map_or_else(String::new, |m| format!(" · {m:.0} B"));
                format!("{ratio:.1}{star} · {time:.0} ns{memory}")
            }
            Cell::Failed(what) => what.clone(),
            Cell::Left => "–".to_owned(),
        })
        .collect();
    format!("{} | {} | {}", shape.word, shown.join(" | "), growth(cells))
}

fn growth(cells: &[Cell]) -> String {
    let ratios: Vec<f64> = cells
        .iter()
        .zip(SIZES)
        .filter_map(|(cell, (_, bytes))| match cell {
            Cell::Measured { ratio, .. } if bytes >= TELLING => Some(*ratio),
            _ => None,
        })
        .collect();
    // Only what comes after the least is growth.
    let (mut least, mut most) = (f64::INFINITY, 1.0_f64);
    for ratio in ratios {
        least = least.min(ratio);
        most = most.max(ratio / least);
    }
    let failed = cells.iter().any(|c| matches!(c, Cell::Failed(_)));
    let word = if failed { ", ran out" } else { "" };
    if most > STEADY { format!("**{most:.1}, superlinear{word}**") } else { format!("{most:.1}{word}") }
}

fn series(shape: &Shape, verb: &str, profile: &str) -> Result<Vec<Cell>> {
    let mut out = Vec::new();
    for (_, bytes) in SIZES {
        let failed = out.iter().any(|c| !matches!(c, Cell::Measured { .. }));
        out.push(if failed { Cell::Left } else { measure(shape, bytes, verb, profile)? });
    }
    Ok(out)
}

fn measure(shape: &Shape, bytes: usize, verb: &str, profile: &str) -> Result<Cell> {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).arg(process::itself()?);
    command.args(["bench", "--child", "growth", shape.word, &bytes.to_string(), verb, profile]);
    let output = match process::within(command, LIMIT)? {
        process::End::TimeOut => return Ok(Cell::Failed(format!("over {} s", LIMIT.as_secs()))),
        process::End::Done(output) => output,
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<f64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    let errors = String::from_utf8_lossy(&output.stderr);
    Ok(match figures.as_slice() {
        [time, reference, peak, length] if output.status.success() => Cell::Measured {
            ratio: time / reference,
            time: time * 1e9 / length,
            memory: (bytes >= TELLING && *peak > 0.0).then_some(peak / length),
        },
        _ if errors.contains("memory allocation") => Cell::Failed(format!("over {} GB", MEMORY >> 20)),
        _ if errors.contains("overflowed its stack") => Cell::Failed("stack overflow".to_owned()),
        _ => bail!("{verb} {profile}, {} of {bytes} bytes: {} {errors}", shape.word, output.status),
    })
}

/// Prints seconds of the job, seconds of the reference, bytes at the peak, bytes of the input.
pub(super) fn child(shape: &str, bytes: usize, verb: &str, profile: &str) -> Result<()> {
    let shape = SHAPES.iter().find(|s| s.word == shape).context("no such shape")?;
    let surface = Profiles::builtin()?.resolve(profile, &data::today()?)?;
    let text = shape.text(bytes);
    let job = || if shape.list { on_list(&surface, &text, verb) } else { on_schema(surface.plan(), &text, verb) };
    // Writing this sets the peak back to what is in use now.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = process::memory("self", "VmRSS:");
    let start = Instant::now();
    ensure!(black_box(job()?) > 0, "nothing was done");
    let first = start.elapsed();
    let peak = process::memory("self", "VmHWM:").zip(before).map_or(0, |(peak, before)| peak.saturating_sub(before));
    let other = if shape.readable { text.clone() } else { stand_in(bytes) };
    ensure!(reference(&other) > 0, "the reference reads nothing");
    let (job, base) = (|| job().unwrap_or_default(), || reference(&other));
    let [time, reference] = turns([first.as_secs_f64(), seconds(&base)], [&job, &base]);
    let reference = reference * text.len() as f64 / other.len() as f64;
    println!("{time} {reference} {peak} {}", text.len());
    Ok(())
}

/// The least seconds of each of two jobs that take turns, after a first run of each; what else the machine does only adds to them.
fn turns(first: [f64; 2], jobs: [&dyn Fn() -> usize; 2]) -> [f64; 2] {
    let (start, mut least) = (Instant::now(), first);
    let mut rounds = 0;
    while rounds < MOST_ROUNDS && (start.elapsed() + Duration::from_secs_f64(least[0] + least[1])) < REPEATED {
        for (least, job) in least.iter_mut().zip(jobs) {
            *least = least.min(seconds(job));
        }
        rounds += 1;
    }
    least
}

fn seconds(job: &dyn Fn() -> usize) -> f64 {
    let start = Instant::now();
    black_box(job());
    start.elapsed().as_secs_f64()
}

fn on_schema(plan: &Plan, text: &str, verb: &str) -> Result<usize> {
    let tree = Tree::parse(text, &UNBOUNDED)?;
    if verb == "check" {
        return Ok(check(plan, &view(&tree)).len() + 1);
    }
    let adapted = adapt(plan, &view(&tree), &Options { budget: UNBOUNDED, ..Options::default() });
    Ok(adapted.schema.map_or(0, |tree| tree.to_json(tree.root()).len()))
}

fn on_list(surface: &Surface, text: &str, verb: &str) -> Result<usize> {
    let options =
        ReadOptions { schema: UNBOUNDED, document: Budget { depth: ReadOptions::DEEPEST, ..UNBOUNDED }, ..ReadOptions::default() };
    let list = read(text.as_bytes(), &options)?;
    if verb == "check" {
        return Ok(surface.check(&list, 1).tools.len());
    }
    let adapted = surface.adapt(&list, &AdaptOptions { jobs: 1, budget: UNBOUNDED, ..AdaptOptions::default() })?;
    Ok(adapted.wire(surface).iter().map(String::len).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_what_comes_after_the_least() {
        let cell = |ratio| Cell::Measured { ratio, time: 1.0, memory: None };
        let cases = [
            (vec![cell(99.0), cell(50.0), cell(10.0), cell(9.0), cell(18.0)], "2.0"),
            (
                vec![cell(1.0), cell(1.0), cell(10.0), cell(40.0), Cell::Failed("over 20 s".to_owned()), Cell::Left],
                "**4.0, superlinear, ran out**",
            ),
        ];
        for (cells, expected) in cases {
            assert_eq!(growth(&cells), expected);
        }
    }

    #[test]
    fn every_shape_is_checked_and_adapted() {
        for shape in &SHAPES {
            for verb in VERBS {
                child(shape.word, 2 << 10, verb, "gemini").unwrap_or_else(|e| panic!("{verb} {}: {e}", shape.word));
            }
        }
    }
}
