//! Processes that are measured: how long, how much memory, how many cores.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The program that runs now.
pub(super) fn itself() -> Result<PathBuf> {
    std::env::current_exe().context("the path of this program")
}

/// The command line in release mode, built if need be.
pub(super) fn command_line() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "-p", "schemalect-cli"])
        .current_dir(crate::data::root())
        .status()
        .context("cargo build")?;
    anyhow::ensure!(status.success(), "the command line does not build");
    let folder = itself()?.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
    Ok(folder.join(format!("schemalect{}", std::env::consts::EXE_SUFFIX)))
}

/// How a process ended.
pub(super) enum End {
    Done(Output),
    /// It was stopped.
    TimeOut,
}

/// Runs a process to its end, or stops it after so long. What it prints is little.
pub(super) fn within(mut command: Command, limit: Duration) -> Result<End> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(End::TimeOut);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(End::Done(child.wait_with_output()?))
}

/// Runs a process whose output goes elsewhere; whether it ended well, and within so long.
pub(super) fn ended(mut command: Command, limit: Duration) -> Result<bool> {
    let mut child = command.spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A number of kilobytes out of `/proc`, in bytes; `None` where there is no such file.
pub(super) fn memory(of: &str, what: &str) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{of}/status")).ok()?;
    let line = status.lines().find(|l| l.starts_with(what))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}

/// What a process had used when it was last seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    /// Bytes of memory, at most.
    pub(super) peak: usize,
    /// Seconds of all cores.
    pub(super) cores: f64,
}

/// Watches a process until it ends.
pub(super) fn watch(child: &mut Child) -> Result<(Used, bool)> {
    let id = child.id().to_string();
    let mut used = Used::default();
    loop {
        let ended = child.try_wait()?;
        if let Some(peak) = memory(&id, "VmHWM:") {
            used.peak = used.peak.max(peak);
        }
        if let Some(cores) = cores(&id) {
            used.cores = used.cores.max(cores);
        }
        if let Some(status) = ended {
            return Ok((used, status.code().is_some_and(|code| code < 2)));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Seconds that a process has run on any core; the kernel counts hundredths.
fn cores(id: &str) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let after = stat.rsplit_once(')')?.1;
    let mut fields = after.split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}
