//! Tools that a program offers to models: checked when they are added, rendered for a provider through its profile, called with arguments
//! that were mapped back and judged.
//!
//! Read `spec` (a tool), `typed` (a tool made of a Rust function), `render` (tools as a provider takes them), `call` (from a model's call to
//! a result), `loose` (the loose reading of an imported schema), `names` (arguments under another spelling).

mod call;
mod error;
mod loose;
mod names;
mod render;
mod spec;
#[cfg(feature = "typed")]
mod typed;

use std::sync::Arc;

use schemalect_engine::budget::Budget;
use schemalect_engine::date::Day;
use schemalect_rules::Selection;
use serde_json::Value;

pub use call::Prepared;
pub use error::{CallError, SchemaNotPortable, ToolArgsInvalid, ToolboxError};
pub use loose::loose_schema;
pub use render::{RenderError, Rendered};
pub use spec::{Checked, Failure, Origin, ToolSpec};

use crate::profiles::{Profiles, ProfilesError};
use crate::read::{Input, ReadOptions, ToolList, read};
use crate::surface::Surface;

/// The profile that says what is portable, where nothing else is said.
const PORTABLE: &str = "agent-adapter-portable";

/// What is portable has no dates, so the last day holds.
const LAST: u32 = 2_932_896;

/// Tools by name.
///
/// A tool of the program's own is refused where its schema is not portable; an imported one is taken, and sent without strict where the
/// provider has such a mode. [`ToolSpec::portable`] says otherwise for one tool.
///
/// ```
/// use schemalect::toolbox::{ToolSpec, Toolbox};
/// use schemalect::{Call, Profiles, Selection};
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "required": ["query"], "properties": {
///     "query": {"type": "string"}, "max-results": {"type": "integer", "default": 5}}});
/// let mut toolbox = Toolbox::new()?;
/// toolbox.add(ToolSpec::imported("search", "Searches the index.", schema).with_handler(|arguments| Ok(arguments)))?;
///
/// let profiles = Profiles::builtin()?;
/// let surface = profiles.resolve("openai-strict", &Selection::on("2026-11-29".parse()?))?;
/// let rendered = toolbox.render(&surface)?;
/// assert_eq!(rendered.entries()[0]["function"]["strict"], true);
///
/// // In strict mode the model has to send every argument; null stands for none.
/// let call = Call::new("search", json!({"query": "returns", "max-results": null}));
/// assert_eq!(toolbox.run(&rendered, call)?, json!({"query": "returns"}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Toolbox {
    tools: Vec<Arc<Held>>,
    portable: Arc<Surface>,
}

/// A tool that was added.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) spec: ToolSpec,
    /// What stands against sending it to every provider; empty as well where nobody looked.
    pub(crate) problems: Vec<Found>,
    pub(crate) judge: call::Judge,
}

/// A problem as a line and as the finding that it is.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) line: String,
    pub(crate) finding: crate::Finding,
}

impl Toolbox {
    /// A toolbox without tools.
    ///
    /// # Errors
    /// Never in a release; while the profiles are being worked on, a mistake in the one that says what is portable.
    pub fn new() -> Result<Toolbox, ProfilesError> {
        Ok(Toolbox::with_portable(Profiles::builtin()?.resolve(PORTABLE, &Selection::on(Day::from_unix_days(LAST)))?))
    }

    /// A toolbox without tools, where this profile says what is portable; one of `writes: { paths: rooted-names }` gives problems as `$.a: …`.
    #[must_use]
    pub fn with_portable(portable: Surface) -> Toolbox {
        Toolbox { tools: Vec::new(), portable: Arc::new(portable) }
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// It has no name, or one that another tool has; its schema is no object or cannot be read; it has to be portable and is not.
    pub fn add(&mut self, spec: ToolSpec) -> Result<(), ToolboxError> {
        if spec.name.is_empty() {
            return Err(ToolboxError::Nameless);
        }
        if self.get(&spec.name).is_some() {
            return Err(ToolboxError::NameTaken { name: spec.name });
        }
        let list = one(&spec)?;
        let checks = spec.portable != Some(false);
        let problems = if checks { self.problems(&list) } else { Vec::new() };
        let demanded = spec.portable.unwrap_or(spec.origin == Origin::Own);
        if demanded && !problems.is_empty() {
            let problems = problems.into_iter().map(|found| found.line).collect();
            return Err(SchemaNotPortable { tool: spec.name, problems }.into());
        }
        #[cfg(feature = "log")]
        problems.iter().for_each(|found| log::debug!("the tool `{}` is not portable: {}", spec.name, found.line));
        let judge = call::Judge::of(&spec);
        self.tools.push(Arc::new(Held { spec, problems, judge }));
        Ok(())
    }

    fn problems(&self, list: &ToolList) -> Vec<Found> {
        let report = self.portable.check(list, 1);
        let refusing = report.findings().filter(|finding| finding.refuses());
        refusing.map(|finding| Found { line: self.portable.line(finding), finding: finding.clone() }).collect()
    }

    /// The tools, in the order in which they were added.
    pub fn tools(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|held| &held.spec)
    }

    /// A tool by its own name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.held(name).map(|held| &held.spec)
    }

    /// What stands against sending a tool to every provider, as `$.path: text`; nothing where it was not looked for.
    #[must_use]
    pub fn problems_of(&self, name: &str) -> Vec<&str> {
        self.held(name).map(|held| held.problems.iter().map(|found| found.line.as_str()).collect()).unwrap_or_default()
    }

    /// The tools that are meant for a target: those that name it, with `*` for any ending, and those that name none.
    #[must_use]
    pub fn for_target(&self, target: &str) -> Toolbox {
        let tools = self.tools.iter().filter(|held| held.spec.is_for(target)).cloned().collect();
        Toolbox { tools, portable: Arc::clone(&self.portable) }
    }

    pub(crate) fn held(&self, name: &str) -> Option<&Arc<Held>> {
        self.tools.iter().find(|held| held.spec.name == name)
    }
}

/// A tool as the reader sees it.
fn one(spec: &ToolSpec) -> Result<ToolList, ToolboxError> {
    let unreadable = |what: String| ToolboxError::Unreadable { name: spec.name.clone(), what };
    if !spec.input_schema.is_object() {
        return Err(unreadable("it has to be an object".to_owned()));
    }
    if [Some(&spec.input_schema), spec.output_schema.as_ref()].into_iter().flatten().any(is_too_deep) {
        return Err(unreadable(format!("nested more than {} levels deep", Budget::DEEPEST)));
    }
    let list = listed([spec]).map_err(|error| unreadable(error.to_string()))?;
    match list.tools().first().and_then(|tool| tool.problem.as_ref()) {
        Some(problem) => Err(unreadable(problem.message.clone())),
        None => Ok(list),
    }
}

/// Whether a value is nested deeper than anything that is read: even a copy of it may take more stack than there is.
fn is_too_deep(value: &Value) -> bool {
    let mut open = vec![(value, 0_usize)];
    while let Some((value, depth)) = open.pop() {
        let inside = depth.saturating_add(1);
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, inside))),
            Value::Object(members) => open.extend(members.values().map(|member| (member, inside))),
            _ => continue,
        }
        if inside > Budget::DEEPEST {
            return true;
        }
    }
    false
}

/// Tools as a list that was read.
pub(crate) fn listed<'s>(specs: impl IntoIterator<Item = &'s ToolSpec>) -> Result<ToolList, crate::InputError> {
    let entries: Vec<Value> = specs.into_iter().map(ToolSpec::entry).collect();
    read(Value::from(entries).to_string().as_bytes(), &ReadOptions { input: Input::Tools, ..ReadOptions::default() })
}

#[cfg(all(doctest, feature = "typed"))]
#[doc = include_str!("../../../docs/toolbox.md")]
struct Page;
