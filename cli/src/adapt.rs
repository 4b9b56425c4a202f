//! `adapt`: the tools as a provider takes them.

use std::fmt::Write;
use std::path::PathBuf;

use schemalect::engine::log::Event;
use schemalect::{AdaptOptions, AdaptedList, Dropped, Effects, InputError, Json, Outcome, Surface, ToolList, pretty};

use crate::args::{AdaptArgs, As, Format, OutputArgs, SelectArgs, SourceArgs};
use crate::check::unreadable;
use crate::drive::{Answer, Answers, At, Sinks, drive};
use crate::error::Failure;
use crate::session::{Session, read_options};
use crate::sink::Sink;
use crate::text;

/// What `adapt` prints and writes.
pub(crate) struct Wanted<'a> {
    pub(crate) form: As,
    pub(crate) audit: Option<&'a Option<PathBuf>>,
    pub(crate) plan: Option<&'a PathBuf>,
}

pub(crate) fn run(
    source: &SourceArgs,
    select: &SelectArgs,
    output: &OutputArgs,
    adapt: &AdaptArgs,
    wanted: &Wanted<'_>,
) -> Result<u8, Failure> {
    let surface = Session::open(select)?.quiet(output.quiet).surface()?;
    let audit_file = wanted.audit.and_then(Option::as_ref);
    let sinks = Sinks {
        audit: audit_file.map(|p| Sink::create(p)).transpose()?,
        plan: wanted.plan.map(|p| Sink::create(p)).transpose()?,
        quiet: output.quiet,
    };
    let verb = Adapt {
        options: AdaptOptions {
            allow: adapt.allow,
            on_unfixable: adapt.on_unfixable.map(Into::into),
            audit: wanted.audit.is_some() || wanted.form == As::Tools,
            types: wanted.plan.is_some(),
            budget: read_options(source)?.schema,
            ..AdaptOptions::default()
        },
        surface,
        form: wanted.form,
        format: output.format,
        audit: wanted.audit.is_some_and(Option::is_none),
        audit_file: audit_file.is_some(),
        plan_file: wanted.plan.is_some(),
    };
    drive(source, sinks, &verb)
}

struct Adapt {
    surface: Surface,
    options: AdaptOptions,
    form: As,
    format: Format,
    audit: bool,
    audit_file: bool,
    plan_file: bool,
}

impl Answers for Adapt {
    fn answer(&self, list: &ToolList, at: At<'_>) -> Answer {
        let options = AdaptOptions { jobs: at.jobs, ..self.options.clone() };
        let adapted = match self.surface.adapt(list, &options) {
            Ok(adapted) => adapted,
            Err(unfixable) => {
                let mut notes = format!("error: {unfixable}\n");
                for tool in &unfixable.tools {
                    let _ = writeln!(notes, "  {}: {}", label(tool.index, tool.name.as_deref()), text::plain(&tool.reason));
                }
                let out = at.line.map(|line| in_place(line, &format!("{unfixable}"))).unwrap_or_default();
                return Answer { out, notes, code: 1, ..Answer::default() };
            }
        };
        let mut answer = Answer { code: u8::from(adapted.is_partial()), ..Answer::default() };
        match (adapted.dropped.first(), at.line) {
            (Some(dropped), line) if list.is_single() && self.form != As::Tools => {
                answer.out = line.map(|line| in_place(line, &left_out(dropped, false))).unwrap_or_default();
            }
            (_, line) => self.write_tools(&mut answer.out, &adapted, list.is_single(), line.is_some()),
        }
        notes(&mut answer.notes, &adapted, at);
        if let Some(beside) = adapted.beside(&self.surface).filter(|_| self.form == As::Wire) {
            let _ = writeln!(answer.notes, "the request carries beside the tools: {beside}");
        }
        if self.audit {
            self.write_audit(&mut answer.notes, &adapted);
        }
        for tool in adapted.tools.iter().filter(|_| self.audit_file) {
            for (seq, event) in tool.events.iter().enumerate() {
                text::audit_line(&mut answer.audit, &adapted.profile, (tool.index, tool.original_name.as_deref()), seq, event);
            }
        }
        if self.plan_file {
            let mut json = Json::new();
            adapted.write_plan(&mut json);
            let _ = writeln!(answer.plan, "{}", json.finish());
        }
        answer
    }

    fn unreadable(&self, error: &InputError) -> String {
        unreadable(error, Format::Json)
    }
}

impl Adapt {
    fn write_tools(&self, out: &mut String, adapted: &AdaptedList, single: bool, line: bool) {
        let mut answers: Vec<String> = Vec::new();
        if self.form == As::Tools {
            let mut json = Json::new();
            adapted.write_json(&mut json);
            answers.push(json.finish());
        } else if self.form == As::Wire {
            answers = adapted.wire(&self.surface);
        } else {
            answers.extend(adapted.tools.iter().map(|tool| {
                let mut json = Json::new();
                tool.write_schema(&mut json);
                json.finish()
            }));
        }
        let list = self.form != As::Tools && !single;
        match (self.format, list) {
            (Format::Ndjson, true) if !line => answers.iter().for_each(|a| {
                let _ = writeln!(out, "{a}");
            }),
            (format, _) => {
                let json = if list { format!("[{}]", answers.join(",")) } else { answers.concat() };
                let shown = if format == Format::Text && !line { pretty(&json) } else { json };
                let _ = writeln!(out, "{shown}");
            }
        }
    }

    fn write_audit(&self, out: &mut String, adapted: &AdaptedList) {
        let date = adapted.as_of.map(|d| format!("  as of {d}")).unwrap_or_default();
        let _ = writeln!(out, "{}{date}", adapted.profile);
        for tool in &adapted.tools {
            let _ = writeln!(out, "{}: {}", label(tool.index, tool.original_name.as_deref()), tool.outcome.word());
            if self.surface.words_changes() {
                tool.changes.iter().for_each(|change| {
                    let _ = writeln!(out, "{}", text::plain(&change.to_string()));
                });
            } else {
                text::audit(out, &tool.events);
            }
            let residue: Vec<String> = tool.residue.iter().map(|f| format!("{} at {}", f.rule, f.path)).collect();
            let residue = if residue.is_empty() { "none".to_owned() } else { residue.join(", ") };
            let restore = restore(&tool.events);
            let _ = writeln!(out, " residue: {residue}      restore: {restore}");
        }
    }
}

fn left_out(tool: &Dropped, several: bool) -> String {
    format!("left out: {}: {}", numbered(tool.index, tool.name.as_deref(), several), text::plain(&tool.reason))
}

/// What stands in the place of the answer to a line of which nothing is sent.
fn in_place(line: usize, message: &str) -> String {
    let mut json = Json::new();
    json.object(|json| {
        json.key("error").object(|json| {
            json.key("line").value(line).key("message").str(message);
        });
    });
    json.finish() + "\n"
}

/// What a person must know of the result: what is left out, or sent otherwise.
fn notes(out: &mut String, adapted: &AdaptedList, at: At<'_>) {
    let place = at.line.map(|l| format!("{}:{l}: ", at.file.display())).unwrap_or_default();
    let several = adapted.tools.len() + adapted.dropped.len() > 1;
    for tool in &adapted.dropped {
        let _ = writeln!(out, "{place}{}", left_out(tool, several));
    }
    for tool in &adapted.tools {
        let left = tool.residue.iter().find(|f| f.refuses()).filter(|_| tool.outcome == Outcome::Residue);
        if let Some(left) = left {
            let name = numbered(tool.index, tool.original_name.as_deref(), several);
            let _ = writeln!(out, "{place}kept, but refused: {name}: {}: {}", left.rule, text::plain(&left.message));
        }
    }
    let unstrict = adapted.tools.iter().filter(|t| t.outcome == Outcome::Unstrict).count();
    if unstrict > 0 {
        let _ = writeln!(out, "{place}sent under the lenient sibling of {}: {unstrict} of {} tools", adapted.profile, adapted.tools.len());
    }
    for placed in adapted.request.iter().filter(|p| p.finding.refuses()) {
        let _ = writeln!(out, "{place}the list: {}: {}", placed.finding.rule, text::plain(&placed.finding.message));
    }
}

/// Where arguments come back in another spelling.
fn restore(events: &[Event]) -> String {
    let codecs: Vec<String> = events
        .iter()
        .filter(|e| e.effect.meets(Effects::RECODES))
        .map(|e| format!("{} ({})", if e.input.is_empty() { "(root)" } else { &e.input }, e.operation))
        .collect();
    match &codecs[..] {
        [] => "nothing to do".to_owned(),
        [one] => format!("1 codec at {one}"),
        few @ ([_, _] | [_, _, _]) => format!("{} codecs at {}", few.len(), few.join(", ")),
        [first, ..] => format!("{} codecs, the first at {first}", codecs.len()),
    }
}

/// A tool's name, or its number.
fn label(index: usize, name: Option<&str>) -> String {
    name.map_or_else(|| format!("#{index}"), text::plain)
}

/// A tool's name, with its number where it is one of several.
fn numbered(index: usize, name: Option<&str>, several: bool) -> String {
    match name {
        Some(name) if several => format!("{} (#{index})", text::plain(name)),
        name => label(index, name),
    }
}
