//! From a model's call to a result: mapped back, read, judged, run.

use schemalect_engine::restore::{Issue, IssueLevel, RestoreOptions};
use serde_json::Value;

use super::error::{CallError, ToolArgsInvalid};
use super::names::respelled;
use super::spec::Ran;
use super::{Checked, Held, Origin, Rendered, ToolSpec, Toolbox, loose_schema};
use crate::call::Call;
use crate::restore::UnknownTool;
use crate::validate::{Mistake, Validator};

/// What judges the arguments of a tool.
#[derive(Debug)]
pub(crate) struct Judge(Validator);

impl Judge {
    pub(crate) fn of(spec: &ToolSpec) -> Judge {
        Judge(match (spec.origin, spec.checked) {
            (_, Checked::Loosely) => Validator::new(&loose_schema(&spec.input_schema)),
            (Origin::Own, Checked::Fully) => Validator::new(&spec.input_schema),
            (Origin::Imported, Checked::Fully) => Validator::new(&closed(&spec.input_schema)),
        })
    }
}

/// What speaks of members that a schema's `properties` do not name.
const OPENING: [&str; 9] =
    ["additionalProperties", "unevaluatedProperties", "patternProperties", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if"];

/// The schema with its root closed, where it names its properties and says nothing of others.
fn closed(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(root) = schema.as_object_mut()
        && root.get("properties").is_some_and(Value::is_object)
        && !OPENING.iter().any(|key| root.contains_key(*key))
    {
        root.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    schema
}

/// A call that may run.
#[derive(Debug)]
pub struct Prepared<'t> {
    held: &'t Held,
    /// The arguments: exactly those that were set, under the schema's own names.
    pub arguments: Value,
    /// What was read as something else.
    pub issues: Vec<Issue>,
}

impl Prepared<'_> {
    /// The tool that is meant.
    #[must_use]
    pub fn tool(&self) -> &ToolSpec {
        &self.held.spec
    }

    /// Runs the tool's function.
    ///
    /// # Errors
    /// There is none, it does not take the arguments, or it fails.
    pub fn run(self) -> Result<Value, CallError> {
        let tool = self.held.spec.name.clone();
        let Some(handler) = &self.held.spec.handler else { return Err(CallError::NoHandler { tool }) };
        handler(self.arguments).map_err(|ran| match ran {
            Ran::Failed(error) => CallError::Failed { tool, error },
            Ran::Arguments(message) => invalid(tool, vec![mistake("", message)]).into(),
        })
    }
}

impl Toolbox {
    /// Maps a call back and judges its arguments by the tool's own schema, whatever was sent to the provider.
    ///
    /// A null that the tool refuses in place of an argument that may be left out is taken for none; an argument of a name that differs
    /// from a declared one only in its signs is taken for that one.
    ///
    /// # Errors
    /// The call names no tool that was rendered, or its arguments are not what the tool takes.
    pub fn prepare(&self, rendered: &Rendered, call: Call) -> Result<Prepared<'_>, CallError> {
        let restored = rendered.plans.restore(call, &RestoreOptions::default())?;
        let held = self.known(restored.name.as_deref().unwrap_or_default())?;
        let lost = restored.issues.iter().filter(|issue| issue.level == IssueLevel::Error);
        let lost: Vec<Mistake> = lost.map(|issue| mistake(&issue.path, issue.message.clone())).collect();
        if !lost.is_empty() {
            return Err(invalid(held.spec.name.clone(), lost).into());
        }
        judged(held, restored.arguments, restored.issues)
    }

    /// As [`Toolbox::prepare`], for arguments under the tool's own name and in its own form.
    ///
    /// # Errors
    /// There is no such tool, or the arguments are not what it takes.
    pub fn prepare_own(&self, name: &str, arguments: Value) -> Result<Prepared<'_>, CallError> {
        judged(self.known(name)?, arguments, Vec::new())
    }

    /// Prepares a call and runs it.
    ///
    /// # Errors
    /// As [`Toolbox::prepare`] and [`Prepared::run`].
    pub fn run(&self, rendered: &Rendered, call: Call) -> Result<Value, CallError> {
        self.prepare(rendered, call)?.run()
    }

    fn known(&self, name: &str) -> Result<&Held, UnknownTool> {
        let unknown = || UnknownTool { name: name.to_owned(), known: self.tools().map(|tool| tool.name.clone()).collect() };
        self.held(name).map(AsRef::as_ref).ok_or_else(unknown)
    }
}

fn judged(held: &Held, arguments: Value, issues: Vec<Issue>) -> Result<Prepared<'_>, CallError> {
    let tool = || held.spec.name.clone();
    if !arguments.is_object() {
        return Err(invalid(tool(), vec![mistake("", "the arguments have to be an object".to_owned())]).into());
    }
    let Judge(validator) = &held.judge;
    let arguments = validator.without_nulls(respelled(&held.spec.input_schema, arguments));
    let found = validator.validate(&arguments);
    if !found.valid {
        return Err(ToolArgsInvalid { tool: tool(), mistakes: found.errors, missing: found.missing }.into());
    }
    Ok(Prepared { held, arguments, issues })
}

fn mistake(path: &str, message: String) -> Mistake {
    Mistake { path: path.to_owned(), schema_path: String::new(), message }
}

fn invalid(tool: String, mistakes: Vec<Mistake>) -> ToolArgsInvalid {
    ToolArgsInvalid { tool, mistakes, missing: Vec::new() }
}
