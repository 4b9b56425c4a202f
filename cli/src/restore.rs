//! `restore` and `encode`: a call as the tool expects it, and as the provider's model writes it.

use std::path::Path;

use schemalect::{
    AdaptOptions, Call, Issue, IssueKind, IssueLevel, Json, Lenient, RestoreOptions, RestorePlans, RestoredCall, Surface, ToolList, pretty,
};
use serde_json::Value;

use crate::args::{AdaptArgs, Format, OutputArgs, Reading, RestoreArgs, SelectArgs};
use crate::error::Failure;
use crate::given::{self, each_list, named, one_stdin, values};
use crate::session::Session;

pub(crate) fn run(
    args: &RestoreArgs,
    select: &SelectArgs,
    adapt: &AdaptArgs,
    output: &OutputArgs,
    back: bool,
) -> Result<(String, u8), Failure> {
    one_stdin([Some(&args.call), args.tools.as_ref(), args.plan.as_ref()].into_iter().flatten().map(AsRef::as_ref))?;
    let plans = match (&args.plan, &args.tools) {
        (Some(plan), None) if select.profile.is_empty() => from_file(plan)?,
        (Some(_), _) => return Err(Failure::Usage("a plan needs neither a profile nor tools: give --plan FILE alone".to_owned())),
        (None, Some(tools)) => from_tools(tools, select, adapt, output.quiet)?,
        (None, None) => return Err(Failure::Usage("give -p PROFILE and --tools INPUT, or --plan FILE".to_owned())),
    };
    let options = RestoreOptions { drop_nulls: args.drop_nulls, lenient: lenient(&args.lenient), ..RestoreOptions::default() };
    let (calls, single) = calls(&args.call)?;
    let unread = calls.iter().any(Result::is_err);
    let mut answers = Vec::new();
    for call in calls {
        let call = match call {
            Ok(call) => call,
            Err(why) => {
                answers.push(unmapped(None, Value::Null, IssueKind::NotJson, why));
                continue;
            }
        };
        let (name, arguments) = (call.name.clone(), call.arguments.clone());
        let mapped = if back { plans.restore(call, &options) } else { plans.encode(call, &options) };
        answers.push(match mapped {
            Ok(answer) => answer,
            Err(unknown) if single => return Err(Failure::Usage(unknown.to_string())),
            Err(unknown) => unmapped(name, arguments, IssueKind::UnknownTool, unknown.to_string()),
        });
    }
    let issues = answers.iter().any(|a| !a.issues.is_empty());
    let code = if unread { 2 } else { u8::from(args.strict && issues) };
    Ok((show(&answers, single, output.format), code))
}

/// The answer to a call that cannot be mapped; the others are answered all the same.
fn unmapped(name: Option<String>, arguments: Value, issue: IssueKind, message: String) -> RestoredCall {
    RestoredCall { name, arguments, issues: vec![Issue { path: String::new(), issue, level: IssueLevel::Error, message }] }
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

/// The calls of the input, or why one cannot be read, and whether it is one.
fn calls(path: &Path) -> Result<(Vec<Result<Call, String>>, bool), Failure> {
    let documents = given::calls(path)?;
    let several = documents.len() > 1;
    let listed = documents.len() != 1 || documents.iter().flatten().any(|d| d.whole.arguments.is_array());
    let mut calls = Vec::new();
    for document in documents {
        match document {
            // Of one tool the arguments alone.
            Ok(document) if document.calls.is_empty() && document.whole.arguments.is_object() => calls.push(Ok(document.whole)),
            Ok(document) if document.calls.is_empty() && several => calls.push(Err("there is no call of a tool in it".to_owned())),
            Ok(document) => calls.extend(document.calls.into_iter().map(Ok)),
            Err(why) => calls.push(Err(why)),
        }
    }
    if calls.is_empty() {
        return Err(Failure::Usage(format!("{}: there is no call of a tool; give {{\"name\", \"arguments\"}}", named(path).display())));
    }
    let single = !listed && calls.len() == 1;
    Ok((calls, single))
}

fn from_file(path: &Path) -> Result<RestorePlans, Failure> {
    let mut plans = RestorePlans::default();
    for document in values(path, "the plan")? {
        plans.read(&document).map_err(|e| Failure::Usage(format!("{}: {e}", named(path).display())))?;
    }
    Ok(plans)
}

fn from_tools(path: &Path, select: &SelectArgs, adapt: &AdaptArgs, quiet: bool) -> Result<RestorePlans, Failure> {
    let surface = Session::open(select)?.quiet(quiet).surface()?;
    let mut plans = RestorePlans::default();
    each_list(path, |list| {
        plans.append(adapted(&surface, &list, adapt)?);
        Ok(())
    })?;
    Ok(plans)
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
        twice: has(Reading::JsonText),
        numeric_text: has(Reading::NumericText),
        integral: has(Reading::Integral),
        boolean_words: has(Reading::BooleanWords),
        letter_case: has(Reading::LetterCase),
    }
}
