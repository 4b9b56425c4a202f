//! `check`: the findings per tool and per profile.

use std::fmt::Write;

use schemalect::{InputError, Json, Level, Report, Surface, ToolList};

use crate::args::{FailOn, Format, OutputArgs, SelectArgs, SourceArgs};
use crate::drive::{Answer, Answers, At, Sinks, Totals, drive};
use crate::error::Failure;
use crate::session::Session;
use crate::text;

pub(crate) fn run(source: &SourceArgs, select: &SelectArgs, output: &OutputArgs, fail_on: FailOn) -> Result<u8, Failure> {
    let surfaces = Session::open(select)?.quiet(output.quiet).surfaces()?;
    let check = Check { surfaces, format: output.format, quiet: output.quiet, fail_on: fail_on.level() };
    drive(source, Sinks { quiet: output.quiet, ..Sinks::default() }, &check)
}

struct Check {
    surfaces: Vec<Surface>,
    format: Format,
    quiet: bool,
    fail_on: Option<Level>,
}

impl Answers for Check {
    fn answer(&self, list: &ToolList, at: At<'_>) -> Answer {
        let reports: Vec<Report> = self.surfaces.iter().map(|s| s.check(list, at.jobs)).collect();
        let fails = self.fail_on.is_some_and(|level| reports.iter().any(|r| r.fails(level)));
        let mut answer = Answer { code: u8::from(fails), totals: reports.iter().map(totals).collect(), ..Answer::default() };
        match self.format {
            Format::Text if self.quiet => {}
            Format::Text => reports.iter().for_each(|r| write_text(&mut answer.out, r, at)),
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
        if self.format == Format::Text {
            for (surface, totals) in self.surfaces.iter().zip(totals) {
                let date = surface.as_of().map(|d| format!(" as of {d}")).unwrap_or_default();
                let Totals { tools, accepted, errors, warnings } = totals;
                let plural = |n: &usize, word: &str| format!("{n} {word}{}", if *n == 1 { "" } else { "s" });
                let (tools, errors, warnings) = (plural(tools, "tool"), plural(errors, "error"), plural(warnings, "warning"));
                let _ = writeln!(out, "{}{date}: {tools}, {accepted} accepted, {errors}, {warnings}", surface.name());
            }
        }
        out
    }
}

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

fn write_text(out: &mut String, report: &Report, at: At<'_>) {
    for tool in &report.tools {
        let name =
            tool.name.clone().unwrap_or_else(|| if report.tools.len() == 1 { "schema".to_owned() } else { format!("#{}", tool.index) });
        for placed in &tool.findings {
            text::finding(out, &name, placed, at);
        }
    }
    for placed in &report.request {
        text::finding(out, "(request)", placed, at);
    }
}
