//! The table of jobs on real tools.

use std::fmt::Write;

use anyhow::Result;

use super::sets::sets;
use super::work::{Bench, Job};
use super::{counted, page, start, timed};

/// What a job must not exceed, as a ratio to the reference.
fn aim(job: Job) -> Option<f64> {
    match job {
        Job::Check => Some(0.35),
        Job::AdaptBytes => Some(0.8),
        _ => None,
    }
}

/// Jobs that are held against each other: the label, both, what the second is divided by, and the aim.
const PAIRS: [(&str, Job, Job, f64, f64); 2] = [
    ("12 profiles checked at once, beside one of the 12 on average", Job::CheckTwelve, Job::CheckEach, 12.0, 2.5),
    ("adapt, bytes to bytes: with audit, beside without", Job::AdaptBytesAudited, Job::AdaptBytes, 1.0, 1.1),
];

fn label(job: Job) -> &'static str {
    match job {
        Job::Reference => "serde_json",
        Job::Parse => "parse, with positions",
        Job::Check => "check",
        Job::CheckTwelve => "check for 12 profiles at once",
        Job::CheckEach => "check for each of the 12 alone, together",
        Job::AdaptTree => "adapt to a tree",
        Job::AdaptBytes => "adapt, bytes to bytes",
        Job::AdaptBytesAudited => "the same with audit",
        Job::Restore => "restore, bytes to bytes",
        Job::Encode => "encode, bytes to bytes",
    }
}

/// A ratio by instructions, where counted, and by the clock.
#[derive(Clone, Copy)]
struct Cell {
    counted: Option<f64>,
    timed: f64,
}

impl Cell {
    fn show(self, aim: Option<f64>) -> String {
        let figure = |ratio: f64| match aim {
            Some(aim) if ratio > aim => format!("**{ratio:.2}**"),
            _ => format!("{ratio:.2}"),
        };
        let counted = self.counted.map_or_else(|| "–".to_owned(), figure);
        format!("{counted} · {}", figure(self.timed))
    }

    fn over(self, other: Cell, parts: f64) -> Cell {
        let counted = self.counted.zip(other.counted).map(|(a, b)| a / b * parts);
        Cell { counted, timed: self.timed / other.timed * parts }
    }
}

/// Of one job and profile, a cell a set; `None` where a set has nothing for it.
struct Row {
    job: Job,
    profile: &'static str,
    cells: Vec<Option<Cell>>,
}

/// Measures and writes the part.
pub(super) fn run() -> Result<()> {
    let (sets, words) = sets()?;
    let bench = Bench::new()?;
    let counts = counted::at_hand();
    let mut rows: Vec<Row> = Vec::new();
    for (column, set) in sets.iter().enumerate() {
        println!("{}: {} tools", set.name, set.cases.len());
        let works = bench.works(&set.cases);
        let counted = if counts { Some(counted::ratios(set, &works)?) } else { None };
        let timed = timed::ratios(&works);
        for (i, work) in works.iter().enumerate().filter(|(_, w)| w.job != Job::Reference) {
            let at = rows.iter().position(|r| r.job == work.job && r.profile == work.profile).unwrap_or_else(|| {
                rows.push(Row { job: work.job, profile: work.profile, cells: vec![None; sets.len()] });
                rows.len() - 1
            });
            rows[at].cells[column] = Some(Cell { counted: counted.as_ref().map(|c| c[i]), timed: timed[i] });
        }
    }
    rows.sort_by_key(|row| row.job as u8);
    let heads: Vec<&str> = sets.iter().map(|s| s.name).collect();
    page::put(&page::TABLE, &text(&words, &heads, &rows, counts)?)
}

fn text(words: &str, heads: &[&str], rows: &[Row], counts: bool) -> Result<String> {
    let mut out = format!(
        "On {words}. Each figure is a ratio to `serde_json::Value` read and written: first by instructions ({}), then by the clock (all jobs take turns in one process, median of \
         the rounds). One thread. Bold: over the aim. Every job starts from bytes, so check and adapt include reading. Without audit, events carry no node before and after; \
         the events themselves cannot be left out. Restore and encode are of the arguments of a call, beside reading and writing those, for tools that have something to restore.\n\n",
        if counts { "callgrind" } else { "not counted here: there is no valgrind" },
    );
    let _ = writeln!(out, "| job | profile | {} | aim |\n|---|---|{}---|", heads.join(" | "), "---|".repeat(heads.len()));
    for row in rows {
        line(&mut out, &format!("{} | {}", label(row.job), row.profile), &row.cells, aim(row.job));
    }
    let _ =
        writeln!(out, "\nSome of these beside each other:\n\n| | {} | aim |\n|---|{}---|", heads.join(" | "), "---|".repeat(heads.len()));
    for (what, one, other, parts, aim) in PAIRS {
        for row in rows.iter().filter(|r| r.job == one) {
            let Some(other) = rows.iter().find(|r| r.job == other && r.profile == row.profile) else { continue };
            let cells: Vec<_> = row.cells.iter().zip(&other.cells).map(|(a, b)| Some((*a)?.over((*b)?, parts))).collect();
            let profile = if row.profile.is_empty() { String::new() } else { format!(", {}", row.profile) };
            line(&mut out, &format!("{what}{profile}"), &cells, Some(aim));
        }
    }
    let _ = write!(out, "\nTo begin:\n\n{}", start::rows()?);
    Ok(out)
}

fn line(out: &mut String, head: &str, cells: &[Option<Cell>], aim: Option<f64>) {
    let shown: Vec<String> = cells.iter().map(|c| c.map_or_else(|| "–".to_owned(), |c| c.show(aim))).collect();
    let aim = aim.map_or_else(String::new, |aim| format!("≤ {aim}: {}", verdict(cells, aim)));
    let _ = writeln!(out, "| {head} | {} | {aim} |", shown.join(" | "));
}

/// Whether all figures meet the aim, the instructions where they were counted.
fn verdict(cells: &[Option<Cell>], aim: f64) -> &'static str {
    let met = cells.iter().flatten().filter(|c| c.counted.unwrap_or(c.timed) <= aim).count();
    match met {
        0 => "missed",
        met if met == cells.iter().flatten().count() => "met",
        _ => "met in part",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aim_is_met_by_all_or_said_to_be_missed() {
        let cell = |counted, timed| Some(Cell { counted, timed });
        let cases = [
            (vec![cell(Some(0.3), 0.9), cell(Some(0.35), 0.2)], "met"),
            (vec![cell(Some(0.3), 0.3), None, cell(None, 0.4)], "met in part"),
            (vec![cell(Some(0.5), 0.1)], "missed"),
        ];
        for (cells, expected) in cases {
            assert_eq!(verdict(&cells, 0.35), expected);
        }
        assert_eq!(Cell { counted: Some(0.5), timed: 0.2 }.show(Some(0.35)), "**0.50** · 0.20");
    }
}
