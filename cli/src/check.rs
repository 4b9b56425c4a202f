//! `check`: the findings per tool and per profile.

use std::cmp::Reverse;
use std::fmt::Write;

use schemalect::{InputError, Json, Level, Report, Surface, ToolList, ToolReport};

use crate::args::{FailOn, Format, OutputArgs, SelectArgs, SourceArgs};
use crate::crowd::{self, is_crowd};
use crate::drive::{Answer, Answers, At, Sinks, Totals, drive};
use crate::error::Failure;
use crate::session::Session;
use crate::text;

pub(crate) fn run(source: &SourceArgs, select: &SelectArgs, output: &OutputArgs, fail_on: FailOn) -> Result<u8, Failure> {
    let session = Session::open(select)?.quiet(output.quiet);
    let surfaces = session.surfaces()?;
    let check = Check {
        // All that is known of the profiles is read for a crowd only.
        gathered: if is_crowd(surfaces.len()) { session.gathered() } else { Vec::new() },
        surfaces,
        groups: session.groups(),
        format: output.format,
        quiet: output.quiet,
        fail_on: fail_on.level(),
    };
    drive(source, Sinks { quiet: output.quiet, ..Sinks::default() }, &check)
}

struct Check {
    surfaces: Vec<Surface>,
    /// Of each surface.
    groups: Vec<String>,
    /// Whether each gathers what others refuse, where they are a crowd.
    gathered: Vec<bool>,
    format: Format,
    quiet: bool,
    fail_on: Option<Level>,
}

impl Answers for Check {
    fn answer(&self, list: &ToolList, at: At<'_>) -> Answer {
        let reports = Surface::check_each(&self.surfaces, list, at.jobs);
        let fails = self.fail_on.is_some_and(|level| reports.iter().any(|r| r.fails(level)));
        let mut answer = Answer { code: u8::from(fails), totals: reports.iter().map(totals).collect(), ..Answer::default() };
        match self.format {
            Format::Text if self.quiet => {}
            Format::Text if is_crowd(reports.len()) => self.write_worst(&mut answer.out, &reports, at),
            Format::Text => reports.iter().for_each(|r| {
                write_text(&mut answer.out, r, at, usize::MAX);
            }),
            Format::Ndjson if at.line.is_none() => {
                for report in &reports {
                    let mut json = Json::new();
                    report.write_json(&mut json);
                    let _ = writeln!(answer.out, "{}", json.finish());
                }
            }
            Format::Json | Format::Ndjson => {
                let mut json = Json::new();
                match reports.as_slice() {
                    [report] => report.write_json(&mut json),
                    reports => {
                        json.list(reports, |json, report| report.write_json(json));
                    }
                }
                let _ = writeln!(answer.out, "{}", json.finish());
            }
        }
        answer
    }

    fn unreadable(&self, error: &InputError) -> String {
        unreadable(error, self.format)
    }

    fn finish(&self, totals: &[Totals]) -> String {
        let mut out = String::new();
        if self.format == Format::Text && is_crowd(self.surfaces.len()) {
            self.write_groups(&mut out, totals);
        } else if self.format == Format::Text {
            for (surface, totals) in self.surfaces.iter().zip(totals) {
                let date = surface.as_of().map(|d| format!(" as of {d}")).unwrap_or_default();
                let Totals { tools, accepted, errors, warnings } = *totals;
                let (tools, errors, warnings) = (plural(tools, "tool"), plural(errors, "error"), plural(warnings, "warning"));
                let _ = writeln!(out, "{}{date}: {tools}, {accepted} accepted, {errors}, {warnings}", surface.name());
            }
        }
        out
    }
}

impl Check {
    /// What the worst of many profiles finds. One that gathers what others refuse would always be it.
    fn write_worst(&self, out: &mut String, reports: &[Report], at: At<'_>) {
        let bad = |(report, gathered): &(&Report, &bool)| {
            (!**gathered, Reverse(report.accepted()), report.count(Level::Error), report.count(Level::Warning))
        };
        // Of equals the first, as in the table of groups.
        let worst = reports.iter().zip(&self.gathered).rev().max_by_key(bad).map(|(report, _)| report);
        let Some(worst) = worst.filter(|r| r.findings().next().is_some()) else { return };
        let _ = writeln!(out, "{}, the worst:", worst.profile);
        let found = write_text(out, worst, at, SHOWN);
        if found > SHOWN {
            let _ = writeln!(out, "  … {} more; `-p {}` shows all", found - SHOWN, worst.profile);
        }
        out.push('\n');
    }

    fn write_groups(&self, out: &mut String, totals: &[Totals]) {
        let members = self.surfaces.iter().map(Surface::name).zip(self.groups.iter().map(String::as_str));
        let rows = crowd::rows(members.zip(totals.iter().map(|t| (Reverse(t.accepted), t.errors, t.warnings))));
        let tools = totals.first().map_or(0, |t| t.tools);
        let date = self.surfaces.iter().find_map(Surface::as_of).map(|d| format!(" as of {d}")).unwrap_or_default();
        let _ = writeln!(out, "{} by {}{date}, worst first:", plural(tools, "tool"), plural(self.surfaces.len(), "profile"));
        let heads = ["accepted", "errors", "warnings"].map(ToOwned::to_owned);
        crowd::table(out, &heads, &rows, |(Reverse(accepted), errors, warnings)| {
            vec![format!("{accepted} of {tools}"), errors.to_string(), warnings.to_string()]
        });
    }
}

fn plural(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

/// Findings of the worst of many profiles that are shown.
const SHOWN: usize = 12;

/// What stands in the place of a line that cannot be read.
pub(crate) fn unreadable(error: &InputError, format: Format) -> String {
    if format == Format::Text {
        return String::new();
    }
    let mut json = Json::new();
    json.object(|json| {
        json.key("error").object(|json| {
            json.key("line").value(error.line).key("column").value(error.column).key("message").str(&error.what);
        });
    });
    format!("{}\n", json.finish())
}

fn totals(report: &Report) -> Totals {
    Totals {
        tools: report.tools.len(),
        accepted: report.accepted(),
        errors: report.count(Level::Error),
        warnings: report.count(Level::Warning),
    }
}

/// Writes so many findings at most, and returns how many there are.
fn write_text(out: &mut String, report: &Report, at: At<'_>, most: usize) -> usize {
    let name = |tool: &ToolReport| {
        tool.name.clone().unwrap_or_else(|| if report.tools.len() == 1 { "schema".to_owned() } else { format!("#{}", tool.index) })
    };
    let of_tools = report.tools.iter().flat_map(|tool| tool.findings.iter().map(move |placed| (Some(tool), placed)));
    let all = of_tools.chain(report.request.iter().map(|placed| (None, placed)));
    for (tool, placed) in all.clone().take(most) {
        text::finding(out, &tool.map_or_else(|| "(request)".to_owned(), name), placed, report.paths, at);
    }
    all.count()
}
