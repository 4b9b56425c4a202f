//! `restore` and `encode`: a call as the tool expects it, and as the provider's model writes it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use schemalect::{
    AdaptOptions, Call, Json, Lenient, Opened, ReadOptions, RestoreOptions, RestorePlans, RestoredCall, Surface, ToolList, open, pretty,
    read,
};
use serde_json::{Deserializer, Value};

use crate::args::{AdaptArgs, Format, OutputArgs, Reading, RestoreArgs, SelectArgs};
use crate::error::Failure;
use crate::session::Session;

/// A call is read up to so many bytes.
const MOST_BYTES: u64 = 256 << 20;

pub(crate) fn run(
    args: &RestoreArgs,
    select: &SelectArgs,
    adapt: &AdaptArgs,
    output: &OutputArgs,
    back: bool,
) -> Result<(String, u8), Failure> {
    let inputs = [Some(&args.call), args.tools.as_ref(), args.plan.as_ref()];
    if inputs.into_iter().flatten().filter(|p| p.as_path() == Path::new("-")).count() > 1 {
        return Err(Failure::Usage("standard input can be only one of the call, the tools and the plan".to_owned()));
    }
    let plans = match (&args.plan, &args.tools) {
        (Some(plan), None) if select.profile.is_empty() => from_file(plan)?,
        (Some(_), _) => return Err(Failure::Usage("a plan needs neither a profile nor tools: give --plan FILE alone".to_owned())),
        (None, Some(tools)) => from_tools(tools, select, adapt)?,
        (None, None) => return Err(Failure::Usage("give -p PROFILE and --tools INPUT, or --plan FILE".to_owned())),
    };
    let options = RestoreOptions { drop_nulls: args.drop_nulls, lenient: lenient(&args.lenient), ..RestoreOptions::default() };
    let (calls, single) = calls(&args.call)?;
    let mut answers = Vec::new();
    for call in calls {
        let mapped = if back { plans.restore(call, &options) } else { plans.encode(call, &options) };
        answers.push(mapped.map_err(|e| Failure::Usage(e.to_string()))?);
    }
    let issues = answers.iter().any(|a| !a.issues.is_empty());
    Ok((show(&answers, single, output.format), u8::from(args.strict && issues)))
}

fn show(answers: &[RestoredCall], single: bool, format: Format) -> String {
    let json = |answer: &RestoredCall| {
        let mut json = Json::new();
        answer.write_json(&mut json);
        json.finish()
    };
    let answers: Vec<String> = answers.iter().map(json).collect();
    let whole = || if single { answers.concat() } else { format!("[{}]", answers.join(",")) };
    match format {
        Format::Ndjson => answers.iter().map(|a| format!("{a}\n")).collect(),
        Format::Json => whole() + "\n",
        Format::Text => pretty(&whole()) + "\n",
    }
}

/// The calls of the input, and whether it is one.
fn calls(path: &Path) -> Result<(Vec<Call>, bool), Failure> {
    let bytes = bytes(path)?;
    let mut documents = Vec::new();
    for document in Deserializer::from_slice(&bytes).into_iter::<Value>() {
        documents.push(document.map_err(|e| Failure::Usage(format!("{}: the call is no JSON: {e}", named(path).display())))?);
    }
    let listed = documents.len() != 1 || documents.iter().any(Value::is_array);
    let mut calls = Vec::new();
    for document in documents {
        let found = Call::all_in(&document);
        match document {
            // Of one tool the arguments alone.
            Value::Object(_) if found.is_empty() => calls.push(Call { name: None, id: None, arguments: document }),
            _ => calls.extend(found),
        }
    }
    if calls.is_empty() {
        return Err(Failure::Usage(format!("{}: there is no call of a tool; give {{\"name\", \"arguments\"}}", named(path).display())));
    }
    let single = !listed && calls.len() == 1;
    Ok((calls, single))
}

fn from_file(path: &Path) -> Result<RestorePlans, Failure> {
    let fail = |what: String| Failure::Usage(format!("{}: {what}", named(path).display()));
    let bytes = bytes(path)?;
    let mut plans = RestorePlans::default();
    for document in Deserializer::from_slice(&bytes).into_iter::<Value>() {
        let document = document.map_err(|e| fail(format!("the plan is no JSON: {e}")))?;
        plans.read(&document).map_err(|e| fail(e.to_string()))?;
    }
    Ok(plans)
}

fn from_tools(path: &Path, select: &SelectArgs, adapt: &AdaptArgs) -> Result<RestorePlans, Failure> {
    let surface = Session::open(select)?.surface()?;
    let options = ReadOptions::default();
    let fail = |error| Failure::file(path, error);
    let whole = |error| Failure::Input { path: named(path).to_owned(), error };
    match open(reader(path)?, &options).map_err(fail)? {
        Opened::Document(bytes) => adapted(&surface, &read(&bytes, &options).map_err(whole)?, adapt),
        Opened::Lines(mut lines) => {
            let mut plans = RestorePlans::default();
            loop {
                let batch = lines.batch(512).map_err(fail)?;
                if batch.is_empty() {
                    return Ok(plans);
                }
                for line in &batch {
                    plans.append(adapted(&surface, &line.read(&options).map_err(whole)?, adapt)?);
                }
            }
        }
    }
}

fn adapted(surface: &Surface, list: &ToolList, adapt: &AdaptArgs) -> Result<RestorePlans, Failure> {
    let options =
        AdaptOptions { allow: adapt.allow, on_unfixable: adapt.on_unfixable.map(Into::into), types: true, ..AdaptOptions::default() };
    surface.adapt(list, &options).map(|a| a.plans()).map_err(|e| Failure::Usage(e.to_string()))
}

fn lenient(readings: &Option<Vec<Reading>>) -> Lenient {
    let Some(readings) = readings else { return Lenient::NONE };
    let has = |reading| readings.is_empty() || readings.contains(&reading);
    Lenient {
        json_text: has(Reading::JsonText),
        numeric_text: has(Reading::NumericText),
        integral: has(Reading::Integral),
        boolean_words: has(Reading::BooleanWords),
        letter_case: has(Reading::LetterCase),
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::new();
    reader(path)?.take(MOST_BYTES).read_to_end(&mut out).map_err(|e| Failure::file(path, e))?;
    Ok(out)
}

fn reader(path: &Path) -> Result<Box<dyn Read>, Failure> {
    Ok(if path == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(File::open(path).map_err(|e| Failure::file(path, e))?) })
}

fn named(path: &Path) -> &Path {
    if path == Path::new("-") { Path::new("<stdin>") } else { path }
}
