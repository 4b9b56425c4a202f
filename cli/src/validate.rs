//! `validate`: the arguments of a call against the tool's own schema, as it was given.

use std::fmt::Write;
use std::path::Path;

use schemalect::{Call, Form, IssueKind, IssueLevel, Json, Mistake, Tool, ToolList, Unchecked, Validation, Validator, pretty};
use serde_json::Value;

use crate::args::{Format, OutputArgs, ValidateArgs};
use crate::error::Failure;
use crate::given::{CallText, calls, each_list, named, one_stdin};
use crate::text::plain;

pub(crate) fn run(args: &ValidateArgs, output: &OutputArgs) -> Result<(String, u8), Failure> {
    one_stdin([args.call.as_path(), args.tools.as_path()])?;
    let documents = calls(&args.call)?;
    let mut lists = Vec::new();
    each_list(&args.tools, |list| {
        lists.push(list);
        Ok(())
    })?;
    let tools = Tools { lists: &lists, file: named(&args.tools) };
    let mut found = Vec::new();
    let unread = documents.iter().any(Result::is_err);
    let mut single = documents.len() == 1;
    for document in documents {
        let judged = match document {
            Ok(document) => tools.judge(document, single)?,
            Err(why) => vec![refused(why)],
        };
        single &= judged.len() == 1;
        found.extend(judged);
    }
    if found.is_empty() {
        let message = format!("{}: there is no call of a tool; give {{\"name\", \"arguments\"}}", named(&args.call).display());
        return Err(Failure::Usage(message));
    }
    for one in found.iter_mut().filter(|_| args.missing) {
        // What cannot be read has nothing that is asked for.
        one.errors.retain(|e| e.schema_path.is_empty() && e.path.is_empty());
        one.valid = one.missing.is_empty() && one.errors.is_empty();
    }
    let code = if unread { 2 } else { u8::from(found.iter().any(|f| !f.valid)) };
    Ok((show(&found, single, args.missing, output), code))
}

/// The tools that calls are calls of.
struct Tools<'t> {
    lists: &'t [ToolList],
    file: &'t Path,
}

type Place<'t> = (&'t ToolList, &'t Tool);

impl<'t> Tools<'t> {
    /// What there is to say of each call in a document, or of the document as the arguments of the only tool.
    /// A call of no tool fails where it is the only one.
    fn judge(&self, document: CallText, alone: bool) -> Result<Vec<Validation>, Failure> {
        let only = self.only();
        let calls: Vec<(Option<Place<'t>>, Call)> = document.calls.into_iter().map(|call| (self.of(&call), call)).collect();
        let whole = &document.whole.arguments;
        let bare = calls.iter().all(|(tool, _)| tool.is_none()) && !looks_like_call(whole, &calls);
        // Arguments may be called as the parts of a call are.
        let declared = |tool: &Place<'t>| calls.iter().all(|(_, call)| call.name.is_none()) && declares(*tool, whole);
        match only.filter(|tool| bare || declared(tool)) {
            Some(tool) => Ok(vec![judge(tool, document.whole)?]),
            None => {
                // A schema alone has no name.
                let nameless = only.filter(|(_, tool)| tool.form == Form::Schema);
                let alone = alone && calls.len() == 1;
                let one = |(tool, call): (Option<Place<'t>>, Call)| match tool.or(nameless) {
                    Some(tool) => {
                        let namesakes = call.name.as_deref().map_or(0, |name| self.named(name).count());
                        let mut judged = judge(tool, call)?;
                        if namesakes > 1 {
                            let reason = format!("{namesakes} tools have this name; judged by the first");
                            judged.unchecked.push(Unchecked { path: String::new(), reason });
                        }
                        Ok(judged)
                    }
                    None if alone => Err(Failure::Usage(self.unknown(&call))),
                    None => Ok(refused(self.unknown(&call))),
                };
                calls.into_iter().map(one).collect()
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = Place<'t>> + use<'t> {
        self.lists.iter().flat_map(|list| list.tools().iter().map(move |tool| (list, tool)))
    }

    fn only(&self) -> Option<Place<'t>> {
        self.all().next().filter(|_| self.all().nth(1).is_none())
    }

    /// The tool of the call's name; a call without a name is one of the only tool.
    fn of(&self, call: &Call) -> Option<Place<'t>> {
        let Some(name) = call.name.as_deref() else { return self.only().filter(|(_, tool)| tool.form != Form::Schema) };
        self.named(name).next()
    }

    fn named<'n>(&self, name: &'n str) -> impl Iterator<Item = Place<'t>> + use<'t, 'n> {
        self.all().filter(move |(_, tool)| tool.name.as_str() == Some(name))
    }

    fn unknown(&self, call: &Call) -> String {
        match &call.name {
            Some(name) => format!("{} has no tool named `{}`", self.file.display(), plain(name)),
            None => format!("{} has several tools: give the call as {{\"name\", \"arguments\"}}", self.file.display()),
        }
    }
}

/// Whether the tool declares every member of the arguments, and there is one.
fn declares((list, tool): Place<'_>, arguments: &Value) -> bool {
    let tree = list.document().tree();
    let properties = tool.schema.and_then(|s| tree.member(s, "properties"));
    let known = |name: &String| properties.is_some_and(|p| tree.member(p, name).is_some());
    arguments.as_object().is_some_and(|map| !map.is_empty() && map.keys().all(known))
}

/// Whether a document holds calls that cannot be arguments which happen to have a name.
fn looks_like_call(document: &Value, calls: &[(Option<Place<'_>>, Call)]) -> bool {
    let kind = document.get("type").and_then(Value::as_str);
    let typed = kind.is_some_and(|k| matches!(k, "function" | "function_call" | "tool_use" | "tool_call"));
    !calls.is_empty() && (typed || (document.get("name").is_none() && document.get("arguments").is_none()))
}

fn judge((list, tool): Place<'_>, call: Call) -> Result<Validation, Failure> {
    if let Some(problem) = &tool.problem {
        return Err(Failure::Usage(format!("the tool cannot be read: {}", plain(&problem.message))));
    }
    let schema = tool.schema.map_or(Value::Bool(true), |id| list.document().tree().to_value(id));
    let (arguments, issues) = match (tool.form, call.arguments) {
        (Form::Schema, Value::String(text)) => (serde_json::from_str(&text).unwrap_or(Value::String(text)), call.losses),
        (Form::Schema, given) => (given, call.losses),
        (_, given) => Call { arguments: given, ..call }.read(),
    };
    let mut found = Validator::new(&schema).validate(&arguments);
    for issue in issues {
        match issue.issue {
            // What is judged is the value; that its text says more is no fault by the schema.
            IssueKind::DuplicateKey | IssueKind::Rounded => {
                let reason = format!("the arguments are judged as they are read: {}: {}", place(&issue.path), issue.message);
                found.unchecked.push(Unchecked { path: String::new(), reason });
            }
            _ if issue.level == IssueLevel::Error => {
                found.valid = false;
                found.errors.insert(0, Mistake { path: issue.path, schema_path: String::new(), message: issue.message });
            }
            _ => {}
        }
    }
    Ok(found)
}

/// What is said of a call that is not judged.
fn refused(why: String) -> Validation {
    Validation { errors: vec![Mistake { path: String::new(), schema_path: String::new(), message: why }], ..Validation::default() }
}

/// A pointer as it is shown to a person.
fn place(path: &str) -> String {
    if path.is_empty() { "(root)".to_owned() } else { plain(path) }
}

fn show(found: &[Validation], single: bool, missing: bool, output: &OutputArgs) -> String {
    let list = || {
        if let ([only], true) = (found, single) {
            json(only)
        } else {
            format!("[{}]", found.iter().map(json).collect::<Vec<_>>().join(","))
        }
    };
    match output.format {
        Format::Text => found.iter().map(|f| text(f, missing, output.quiet)).collect(),
        Format::Json => format!("{}\n", pretty(&list())),
        Format::Ndjson => found.iter().map(|f| json(f) + "\n").collect(),
    }
}

fn text(found: &Validation, missing: bool, quiet: bool) -> String {
    let mut out = String::new();
    for error in found.errors.iter().filter(|_| !quiet) {
        let _ = writeln!(out, "{}  {}  (schema: {})", place(&error.path), plain(&error.message), place(&error.schema_path));
    }
    for path in found.missing.iter().filter(|_| missing) {
        let _ = writeln!(out, "{}  is required and missing", plain(path));
    }
    for unchecked in found.unchecked.iter().filter(|_| !quiet && !missing) {
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
