//! Many tools as NDJSON through the command line: tools a second, memory, cores.

use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::sets::FILE;
use super::{page, process};
use crate::data;

/// What is run: the verb, the profile.
const RUNS: [(&str, &str); 3] = [("check", "openai-strict"), ("adapt", "openai-strict"), ("adapt", "anthropic")];
/// Memory may differ by so much between a short stream and a long one, and still not grow with it.
const STEADY: f64 = 1.25;

struct Figures {
    seconds: f64,
    used: process::Used,
    read: usize,
    written: usize,
    answers: usize,
}

/// Measures a tenth of so many tools and all of them, and writes the part.
pub(super) fn run(count: usize) -> Result<()> {
    ensure!(count >= 10, "so few tools are no stream");
    let path = data::corpus().join(FILE);
    let text =
        std::fs::read_to_string(&path).with_context(|| format!("{}; set SCHEMALECT_CORPUS to a folder that has it", path.display()))?;
    let cli = process::command_line()?;
    let mut out = format!(
        "{count} tools, the {} of the corpus over and over, one a line, through `schemalect VERB - -p PROFILE --quiet`; the answers of `adapt` (a line each) are read and thrown away. \
         `cores` is processor time by time. Memory is bounded where the peak for all tools is that for a tenth of them.\n\n\
         | verb | profile | tools a second | MB a second | written, MB | cores | peak MB, a tenth | peak MB, all | bounded |\n|---|---|---|---|---|---|---|---|---|\n",
        text.lines().count()
    );
    for (verb, profile) in RUNS {
        let tenth = stream(&cli, verb, profile, &text, count / 10)?;
        let all = stream(&cli, verb, profile, &text, count)?;
        let mb = |bytes: usize| bytes as f64 / 1e6;
        let bounded = if all.used.peak as f64 <= tenth.used.peak as f64 * STEADY { "yes" } else { "**no**" };
        let line = format!(
            "| {verb} | {profile} | {:.0} | {:.0} | {:.0} | {:.2} | {:.0} | {:.0} | {bounded} |",
            count as f64 / all.seconds,
            mb(all.read) / all.seconds,
            mb(all.written),
            all.used.cores / all.seconds,
            mb(tenth.used.peak),
            mb(all.used.peak),
        );
        println!("{line}");
        ensure!(verb == "check" || all.answers == count, "{verb} {profile}: {} answers to {count} tools", all.answers);
        let _ = writeln!(out, "{line}");
    }
    page::put(&page::STREAM, &out)
}

fn stream(cli: &Path, verb: &str, profile: &str, text: &str, count: usize) -> Result<Figures> {
    let mut child = Command::new(cli)
        .args([verb, "-", "-p", profile, "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| cli.display().to_string())?;
    let start = Instant::now();
    let (input, output) = child.stdin.take().zip(child.stdout.take()).context("no pipes")?;
    thread::scope(|scope| {
        let feeder = scope.spawn(|| feed(input, text, count));
        let reader = scope.spawn(|| drain(output));
        let (used, fine) = process::watch(&mut child)?;
        let seconds = start.elapsed().as_secs_f64();
        let read = feeder.join().ok().context("the feeder panicked")??;
        let (written, answers) = reader.join().ok().context("the reader panicked")??;
        ensure!(fine, "{verb} {profile} failed");
        Ok(Figures { seconds, used, read, written, answers })
    })
}

/// Writes so many lines, and says how many bytes they were.
fn feed(mut input: impl std::io::Write, text: &str, count: usize) -> Result<usize> {
    let mut bytes = 0;
    let mut block = String::new();
    for line in text.lines().cycle().take(count) {
        block.push_str(line);
        block.push('\n');
        if block.len() > 1 << 18 {
            input.write_all(block.as_bytes())?;
            bytes += block.len();
            block.clear();
        }
    }
    input.write_all(block.as_bytes())?;
    Ok(bytes + block.len())
}

/// Reads to the end: bytes and lines.
fn drain(mut output: impl Read) -> Result<(usize, usize)> {
    let (mut bytes, mut lines) = (0, 0);
    let mut buffer = vec![0_u8; 1 << 18];
    loop {
        let read = output.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, lines));
        }
        bytes += read;
        lines += buffer.iter().take(read).filter(|&&b| b == b'\n').count();
    }
}
