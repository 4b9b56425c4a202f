//! `validate`: the arguments of a call against the tool's own schema, as it was given.

use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use schemalect::{Json, Opened, ReadOptions, ToolList, Validation, Validator, open, pretty, read};
use serde_json::Value;

use crate::args::{Format, OutputArgs, ValidateArgs};
use crate::error::Failure;
use crate::text::plain;

pub(crate) fn run(args: &ValidateArgs, output: &OutputArgs) -> Result<(String, u8), Failure> {
    if args.call == Path::new("-") && args.tools == Path::new("-") {
        return Err(Failure::Usage("standard input is either the call or the tools".to_owned()));
    }
    let call: Value = serde_json::from_slice(&bytes(&args.call)?)
        .map_err(|e| Failure::Usage(format!("{} is no JSON: {e}", named(&args.call).display())))?;
    let lists = lists(&args.tools)?;
    let (schema, arguments) = chosen(&lists, call, named(&args.tools))?;
    let mut found = Validator::new(&schema).validate(&arguments);
    if args.missing {
        found.errors.clear();
        found.valid = found.missing.is_empty();
    }
    Ok((show(&found, args.missing, output), u8::from(!found.valid)))
}

/// The schema of the tool that is called, and the arguments.
fn chosen(lists: &[ToolList], call: Value, file: &Path) -> Result<(Value, Value), Failure> {
    let schemas = || lists.iter().flat_map(|list| list.tools().iter().map(move |tool| (list, tool)));
    let name = call.get("name").and_then(Value::as_str).filter(|_| call.get("arguments").is_some());
    let found = schemas().find(|(_, tool)| name.is_some() && tool.name.as_str() == name);
    let only = || schemas().next().filter(|_| schemas().nth(1).is_none());
    let (list, tool, arguments) = match (found, name) {
        (Some((list, tool)), _) => (list, tool, call["arguments"].clone()),
        (None, name) => match (only(), name) {
            (Some((list, tool)), _) => (list, tool, call),
            (None, Some(name)) => return Err(Failure::Usage(format!("{} has no tool named `{}`", file.display(), plain(name)))),
            (None, None) => {
                return Err(Failure::Usage(format!("{} has several tools: give the call as {{\"name\", \"arguments\"}}", file.display())));
            }
        },
    };
    if let Some(problem) = &tool.problem {
        return Err(Failure::Usage(format!("the tool cannot be read: {}", plain(&problem.message))));
    }
    let arguments = match arguments {
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        other => other,
    };
    Ok((tool.schema.map_or(Value::Bool(true), |id| list.document().tree().to_value(id)), arguments))
}

fn lists(path: &Path) -> Result<Vec<ToolList>, Failure> {
    let options = ReadOptions::default();
    let fail = |error| Failure::file(path, error);
    let whole = |error| Failure::Input { path: named(path).to_owned(), error };
    match open(reader(path)?, &options).map_err(fail)? {
        Opened::Document(bytes) => Ok(vec![read(&bytes, &options).map_err(whole)?]),
        Opened::Lines(mut lines) => {
            let mut out = Vec::new();
            loop {
                let batch = lines.batch(512).map_err(fail)?;
                if batch.is_empty() {
                    return Ok(out);
                }
                for line in &batch {
                    out.push(line.read(&options).map_err(whole)?);
                }
            }
        }
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    reader(path)?.read_to_end(&mut out).map_err(|e| Failure::file(path, e))?;
    Ok(out)
}

fn reader(path: &Path) -> Result<Box<dyn Read>, Failure> {
    Ok(if path == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(File::open(path).map_err(|e| Failure::file(path, e))?) })
}

fn named(path: &Path) -> &Path {
    if path == Path::new("-") { Path::new("<stdin>") } else { path }
}

fn show(found: &Validation, missing: bool, output: &OutputArgs) -> String {
    if output.format != Format::Text {
        let json = json(found);
        return if output.format == Format::Json { format!("{}\n", pretty(&json)) } else { format!("{json}\n") };
    }
    let mut out = String::new();
    let place = |path: &str| if path.is_empty() { "(root)".to_owned() } else { plain(path) };
    for error in found.errors.iter().filter(|_| !output.quiet) {
        let _ = writeln!(out, "{}  {}  (schema: {})", place(&error.path), plain(&error.message), place(&error.schema_path));
    }
    for path in found.missing.iter().filter(|_| missing) {
        let _ = writeln!(out, "{}  is required and missing", plain(path));
    }
    for unchecked in found.unchecked.iter().filter(|_| !output.quiet && !missing) {
        let _ = writeln!(out, "not checked: {}: {}", place(&unchecked.path), plain(&unchecked.reason));
    }
    let verdict = match (missing, found.valid) {
        (true, true) => "nothing is missing",
        (true, false) => return out,
        (false, true) => "valid",
        (false, false) => "not valid",
    };
    let _ = writeln!(out, "{verdict}");
    out
}

fn json(found: &Validation) -> String {
    let mut json = Json::new();
    json.object(|json| {
        json.key("valid").value(found.valid);
        json.key("errors").list(&found.errors, |json, error| {
            json.object(|json| {
                json.key("path").str(&error.path).key("schema_path").str(&error.schema_path).key("message").str(&error.message);
            });
        });
        json.key("missing").words(&found.missing);
        json.key("unchecked").list(&found.unchecked, |json, unchecked| {
            json.object(|json| {
                json.key("path").str(&unchecked.path).key("reason").str(&unchecked.reason);
            });
        });
    });
    json.finish()
}
