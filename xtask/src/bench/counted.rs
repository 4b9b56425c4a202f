//! Ratios by instructions, which callgrind counts in a process of its own: the same on every machine that has the same compiler.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::sets::{Case, Set};
use super::work::{Bench, Work};
use super::{process, scratch};

/// Whether there is a callgrind.
pub(super) fn at_hand() -> bool {
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

/// For each job its instructions by those of what it is held against.
pub(super) fn ratios(set: &Set, works: &[Work<'_>]) -> Result<Vec<f64>> {
    let cases = scratch("cases.ndjson")?;
    let lines: Vec<String> = set.cases.iter().map(serde_json::to_string).collect::<serde_json::Result<_>>()?;
    std::fs::write(&cases, lines.join("\n"))?;
    let out = scratch("counts")?;
    for old in dumps(&out, works.len()) {
        let _ = std::fs::remove_file(old);
    }
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*counted_region*", "--dump-before=*counted_until_here*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(process::itself()?)
        .args(["bench", "--child", "counts"])
        .arg(&cases)
        .stderr(Stdio::null())
        .status()?;
    ensure!(status.success(), "callgrind failed on {}", set.name);
    let counts: Vec<f64> = dumps(&out, works.len()).map(|path| total(&path)).collect::<Result<_>>()?;
    Ok(works.iter().zip(&counts).map(|(work, count)| count / counts[work.base]).collect())
}

/// Callgrind writes a file whenever it meets the mark after a job.
fn dumps(out: &Path, count: usize) -> impl Iterator<Item = std::path::PathBuf> {
    let out = out.display().to_string();
    (1..=count).map(move |i| format!("{out}.{i}").into())
}

fn total(path: &Path) -> Result<f64> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let line = text.lines().find_map(|l| l.strip_prefix("totals: ").or_else(|| l.strip_prefix("summary: ")));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).with_context(|| format!("{} has no total", path.display()))
}

/// What runs under callgrind: each job once to warm up, then once to be counted.
pub(super) fn child(cases: &Path) -> Result<()> {
    let text = std::fs::read_to_string(cases)?;
    let cases: Vec<Case> = text.lines().map(serde_json::from_str).collect::<serde_json::Result<_>>()?;
    let bench = Bench::new()?;
    for work in bench.works(&cases) {
        black_box((work.run)());
        counted_until_here(counted_region(&work));
    }
    Ok(())
}

#[inline(never)]
fn counted_region(work: &Work<'_>) -> usize {
    (work.run)()
}

/// The mark after a job: a function of its own, or callgrind does not see it.
#[inline(never)]
fn counted_until_here(done: usize) {
    black_box(done);
}
