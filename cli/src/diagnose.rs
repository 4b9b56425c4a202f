//! `diagnose`: the tools, places and rules that a provider's error text speaks of.

use std::fmt::Write;

use schemalect::engine::finding::Subject;
use schemalect::{Blamed, Confidence, Json, Match, Pointed, ToolList, pretty};

use crate::args::{DiagnoseArgs, Format, OutputArgs, SelectArgs};
use crate::error::Failure;
use crate::given::{any_text, each_list, one_stdin};
use crate::session::Session;
use crate::text::plain;

pub(crate) fn run(args: &DiagnoseArgs, select: &SelectArgs, output: &OutputArgs) -> Result<(String, u8), Failure> {
    one_stdin([args.error.as_path(), args.tools.as_path()])?;
    let session = Session::open(select)?.quiet(output.quiet);
    let error = any_text(&args.error)?;
    let mut lists: Vec<ToolList> = Vec::new();
    each_list(&args.tools, |list| {
        lists.push(list);
        Ok(())
    })?;
    let diagnoser = session.profiles.diagnoser(session.names(), &session.whole_selection()?)?;
    let lists: Vec<&ToolList> = lists.iter().collect();
    let found = diagnoser.diagnose(&error, &lists)?;
    let pointed = diagnoser.pointed(&error, &lists)?;
    Ok((show(&found, &pointed, output), u8::from(found.is_empty() && pointed.is_empty())))
}

fn show(found: &[Match], pointed: &[Pointed], output: &OutputArgs) -> String {
    let mut json = Json::new();
    let mut out = String::new();
    match output.format {
        Format::Text if found.is_empty() && pointed.is_empty() => out.push_str("nothing in the text is known\n"),
        Format::Text => {
            found.iter().for_each(|one| write_text(&mut out, one, output.quiet));
            pointed.iter().for_each(|one| write_pointed(&mut out, one));
        }
        Format::Json => {
            json.object(|json| {
                json.key("matches").list(found, |json, one| one.write_json(json));
                if !pointed.is_empty() {
                    json.key("pointed").list(pointed, |json, one| one.write_json(json));
                }
            });
            let _ = writeln!(out, "{}", pretty(&json.finish()));
        }
        Format::Ndjson => {
            for one in found {
                let mut json = Json::new();
                one.write_json(&mut json);
                let _ = writeln!(out, "{}", json.finish());
            }
            for one in pointed {
                let mut json = Json::new();
                json.object(|json| {
                    json.key("pointed");
                    one.write_json(json);
                });
                let _ = writeln!(out, "{}", json.finish());
            }
        }
    }
    out
}

fn named(tool: &Blamed) -> String {
    format!("{} (#{})", plain(tool.name.as_deref().unwrap_or("schema")), tool.index)
}

/// A tool that the text leads to, and nothing else is known.
fn write_pointed(out: &mut String, found: &Pointed) {
    let place = if found.path.is_empty() { "(root)".to_owned() } else { plain(&found.path) };
    let _ = writeln!(out, "{}  {place}  named in words that no rule of {} knows", named(&found.tool), plain(&found.profile));
}

fn write_text(out: &mut String, found: &Match, quiet: bool) {
    let tool = found.tool.as_ref().map_or_else(|| "no tool".to_owned(), named);
    let place = match (found.path.as_deref(), found.subject) {
        (None, _) => "place unknown".to_owned(),
        (Some(""), Subject::Schema) => "(root)".to_owned(),
        (Some(""), subject) => subject.word().to_owned(),
        (Some(path), _) => plain(path),
    };
    let how = match found.confidence {
        Confidence::Exact => "",
        Confidence::Recovered => "  found by checking",
        Confidence::MessageOnly => "  from the message alone",
    };
    let _ = writeln!(out, "{tool}  {place}  {}{how}", found.rule);
    if !quiet {
        let _ = writeln!(out, "    said: {}\n    {}", plain(&found.said), plain(&found.advice));
    }
}
