//! Adapts a list of tools to a surface: what fits, what goes under the lenient sibling, what is left out.

use std::collections::BTreeMap;

use schemalect_engine::adapt::{Adapted, Options, adapt};
use schemalect_engine::check::{Given, Tool as View};
use schemalect_engine::date::Day;
use schemalect_engine::log::Event;
use schemalect_engine::op::Phase;
use schemalect_engine::restore::RestorePlan;
use schemalect_engine::{Budget, Effects, Finding, Tree};

use crate::change::Change;
use crate::parallel;
use crate::read::{Form, Text, Tool, ToolList};
use crate::report::{Placed, of_problem};
use crate::surface::{Surface, about_schema};

/// What becomes of a tool that cannot be made to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnUnfixable {
    /// It is sent under the lenient sibling, if that takes it; else it is left out.
    Unstrict,
    /// It is left out.
    Drop,
    /// The whole list fails.
    Error,
    /// It is kept with what is left.
    Keep,
}

/// Choices for [`Surface::adapt`].
#[derive(Clone, Debug)]
pub struct AdaptOptions {
    /// The effects that rewrites may have.
    pub allow: Effects,
    /// What becomes of a tool that cannot be made to fit; by default `Unstrict` where there is a lenient sibling, else `Drop`.
    pub on_unfixable: Option<OnUnfixable>,
    /// Whether events carry the node before and after.
    pub audit: bool,
    /// Whether restore plans say what the tools' own schemas take: for nulls and integers, and for lenient reading.
    pub types: bool,
    /// Tools, by position, that go under the lenient sibling whatever the surface says of them, each with the finding that is why.
    pub unstrict: BTreeMap<usize, Finding>,
    /// 1 stays in this thread; otherwise rayon's current pool is used.
    pub jobs: usize,
    /// Limits of each schema.
    pub budget: Budget,
}

impl Default for AdaptOptions {
    fn default() -> AdaptOptions {
        AdaptOptions {
            allow: Effects::DEFAULT_ALLOWED,
            on_unfixable: None,
            audit: false,
            types: false,
            unstrict: BTreeMap::new(),
            jobs: 0,
            budget: Budget::default(),
        }
    }
}

/// What became of a tool that is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing had to change.
    Unchanged,
    /// The profile accepts the result.
    Clean,
    /// The lenient sibling accepts the result.
    Unstrict,
    /// Something is left that the provider is predicted to refuse.
    Residue,
}

impl Outcome {
    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Unchanged => "unchanged",
            Outcome::Clean => "clean",
            Outcome::Unstrict => "unstrict",
            Outcome::Residue => "residue",
        }
    }
}

/// A list of tools as it can be sent.
#[derive(Debug)]
pub struct AdaptedList {
    /// The profile's name.
    pub profile: String,
    /// The day it was resolved for.
    pub as_of: Option<Day>,
    /// The tools to send, in order.
    pub tools: Vec<AdaptedTool>,
    /// The tools that are left out, in order.
    pub dropped: Vec<Dropped>,
    /// What is left against the list as a whole.
    pub request: Vec<Placed>,
}

/// A tool as it can be sent.
#[derive(Debug)]
pub struct AdaptedTool {
    /// Its position in the input.
    pub index: usize,
    /// The name to send.
    pub name: Option<String>,
    /// The name in the input.
    pub original_name: Option<String>,
    /// The description to send.
    pub description: Option<String>,
    /// The schema to send.
    pub schema: Option<Tree>,
    /// What became of it.
    pub outcome: Outcome,
    /// All effects of the events.
    pub effects: Effects,
    /// Every change, in order.
    pub events: Vec<Event>,
    /// The same in the profile's words, in the order in which the schema is written; none where it has no words of its own.
    pub changes: Vec<Change>,
    /// What is still found on the result.
    pub residue: Vec<Finding>,
    /// How to map arguments back; `None` where they need no mapping.
    pub plan: Option<RestorePlan>,
    /// What the tool carries besides, as JSON.
    pub other: Vec<(String, String)>,
    /// The entry itself, of a tool that the provider brings.
    pub foreign: Option<String>,
    pub(crate) form: Form,
}

/// A tool that is left out.
#[derive(Clone, Debug)]
pub struct Dropped {
    /// Its position in the input.
    pub index: usize,
    /// Its name in the input.
    pub name: Option<String>,
    /// Why, in a sentence.
    pub reason: String,
    /// What there is against it.
    pub findings: Vec<Placed>,
}

/// Some tools cannot be made to fit, and the caller wanted that to be an error.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be made to fit {profile}", count(tools.len()))]
pub struct Unfixable {
    /// The profile's name.
    pub profile: String,
    /// The tools, in order.
    pub tools: Vec<Dropped>,
}

fn count(tools: usize) -> String {
    if tools == 1 { "one tool".to_owned() } else { format!("{tools} tools") }
}

impl AdaptedTool {
    pub(crate) fn view(&self) -> View<'_> {
        View {
            name: self.name.as_deref().map_or(Given::Missing, Given::Text),
            description: self.description.as_deref().map_or(Given::Missing, Given::Text),
            schema: self.schema.as_ref().map(|tree| (tree, tree.root())),
        }
    }
}

impl Surface {
    /// Rewrites a copy of each tool so that the surface takes it. One bad tool never harms the others.
    ///
    /// # Errors
    /// A tool cannot be made to fit and [`OnUnfixable::Error`] was asked for.
    pub fn adapt(&self, list: &ToolList, options: &AdaptOptions) -> Result<AdaptedList, Unfixable> {
        let default = if self.lenient.is_some() { OnUnfixable::Unstrict } else { OnUnfixable::Drop };
        let run = Run { surface: self, list, options, on_unfixable: options.on_unfixable.unwrap_or(default) };
        let fates = parallel::map(list.tools(), options.jobs, |tool| run.tool(tool));
        let adapted = run.settle(fates);
        if run.on_unfixable == OnUnfixable::Error && !adapted.dropped.is_empty() {
            return Err(Unfixable { profile: adapted.profile, tools: adapted.dropped });
        }
        Ok(adapted)
    }

    /// Adapts one tool; the outcome is what this surface says of it.
    fn adapt_one(&self, list: &ToolList, tool: &Tool, options: &AdaptOptions, require: usize) -> AdaptedTool {
        let engine = Options { allow: options.allow, audit: options.audit, types: options.types, require, budget: options.budget };
        let Adapted { schema, mut name, mut description, mut changed, mut effects, mut events, mut residue, plan } =
            adapt(&self.plan, &list.view(tool), &engine);
        if tool.form == Form::Schema {
            residue.retain(about_schema);
            // It has neither to begin with.
            (name, description) = (None, None);
            events.retain(|event| !matches!(event.operation, "rename-tool" | "describe"));
            changed = !events.is_empty();
            effects = events.iter().fold(Effects::NONE, |all, event| all.with(event.effect));
        }
        let outcome = match residue.iter().any(Finding::refuses) {
            true => Outcome::Residue,
            false if changed => Outcome::Clean,
            false => Outcome::Unchanged,
        };
        let given = |text: &Text| text.as_str().map(ToOwned::to_owned);
        AdaptedTool {
            index: tool.index,
            name: name.or_else(|| given(&tool.name)),
            original_name: given(&tool.name),
            description: description.or_else(|| given(&tool.description)),
            schema,
            outcome,
            effects,
            events,
            changes: Vec::new(),
            residue,
            plan,
            other: list.others(tool),
            foreign: None,
            form: tool.form,
        }
    }
}

impl Surface {
    /// The event that a tool is sent under the lenient sibling.
    fn unstrict_event(&self, because: &Finding, what: String) -> Event {
        let rule = self.plan.rules.iter().find(|r| r.id == because.rule);
        Event {
            phase: Phase::Request,
            rule: because.rule.clone(),
            operation: "unstrict",
            effect: Effects::NONE,
            input: because.path.clone(),
            output: String::new(),
            before: String::new(),
            after: String::new(),
            what,
            why: rule.map(|r| r.why.clone()).unwrap_or_default(),
            sources: because.sources.clone(),
        }
    }
}

pub(crate) enum Fate {
    Sent(Box<AdaptedTool>),
    Dropped(Dropped),
}

pub(crate) struct Run<'r> {
    pub(crate) surface: &'r Surface,
    list: &'r ToolList,
    pub(crate) options: &'r AdaptOptions,
    pub(crate) on_unfixable: OnUnfixable,
}

impl Run<'_> {
    fn tool(&self, tool: &Tool) -> Fate {
        if let Some(problem) = &tool.problem {
            return Fate::Dropped(self.dropped(tool.index, problem.message.clone(), vec![of_problem(problem)]));
        }
        if tool.form == Form::Foreign {
            return Fate::Sent(Box::new(self.foreign(tool)));
        }
        if let Some(because) = self.options.unstrict.get(&tool.index)
            && let Some(lenient) = self.surface.lenient()
        {
            return self.asked_unstrict(lenient, tool, because);
        }
        let adapted = self.surface.adapt_one(self.list, tool, self.options, 0);
        if adapted.outcome != Outcome::Residue || self.on_unfixable == OnUnfixable::Keep {
            return Fate::Sent(Box::new(adapted));
        }
        let Some(first) = adapted.residue.iter().find(|f| f.refuses()).cloned() else { return Fate::Sent(Box::new(adapted)) };
        let why = format!("{} at {}", first.message, place(&first.path));
        let reason = format!("{} at {}: {}", first.rule, place(&first.path), first.message);
        let unstrict = self.unstrict(tool.index, &first, why);
        unstrict.unwrap_or_else(|| Fate::Dropped(self.dropped(tool.index, reason, adapted.residue)))
    }

    /// The tool under the lenient sibling, as the caller wants it.
    fn asked_unstrict(&self, lenient: &Surface, tool: &Tool, because: &Finding) -> Fate {
        let mut adapted = lenient.adapt_one(self.list, tool, self.options, 0);
        if let Some(first) = adapted.residue.iter().find(|f| f.refuses())
            && self.on_unfixable != OnUnfixable::Keep
        {
            let reason = format!("{} at {}: {}", first.rule, place(&first.path), first.message);
            return Fate::Dropped(self.dropped(tool.index, reason, adapted.residue));
        }
        adapted.outcome = Outcome::Unstrict;
        adapted.events.push(self.surface.unstrict_event(because, format!("{} at {}", because.message, place(&because.path))));
        Fate::Sent(Box::new(adapted))
    }

    /// The tool under the lenient sibling, if that is asked for and accepts it; `what` says why.
    pub(crate) fn unstrict(&self, index: usize, because: &Finding, what: String) -> Option<Fate> {
        self.unstrict_by(index, self.surface.unstrict_event(because, what))
    }

    /// The same, with the event that tells it.
    pub(crate) fn unstrict_by(&self, index: usize, event: Event) -> Option<Fate> {
        let lenient = self.surface.lenient().filter(|_| self.on_unfixable == OnUnfixable::Unstrict)?;
        let tool = self.list.tools().get(index)?;
        let mut adapted = lenient.adapt_one(self.list, tool, self.options, 0);
        (adapted.outcome != Outcome::Residue).then(|| {
            adapted.outcome = Outcome::Unstrict;
            adapted.events.push(event);
            Fate::Sent(Box::new(adapted))
        })
    }

    /// The tool under the surface, with so many optional properties required.
    pub(crate) fn requiring(&self, index: usize, require: usize) -> Option<AdaptedTool> {
        let adapted = self.surface.adapt_one(self.list, self.list.tools().get(index)?, self.options, require);
        (adapted.outcome != Outcome::Residue).then_some(adapted)
    }

    fn foreign(&self, tool: &Tool) -> AdaptedTool {
        let name = tool.name.as_str().map(ToOwned::to_owned);
        AdaptedTool {
            index: tool.index,
            name: name.clone(),
            original_name: name,
            description: None,
            schema: None,
            outcome: Outcome::Unchanged,
            effects: Effects::NONE,
            events: Vec::new(),
            changes: Vec::new(),
            residue: Vec::new(),
            plan: None,
            other: Vec::new(),
            foreign: Some(self.list.document().tree().to_json(tool.entry)),
            form: Form::Foreign,
        }
    }

    /// Findings on an adapted tool have no place in the input, those of the input itself have.
    pub(crate) fn dropped(&self, index: usize, reason: String, findings: Vec<Finding>) -> Dropped {
        let tool = self.list.tools().get(index);
        let input = tool.is_some_and(|t| t.problem.is_some());
        let place = |f: &Finding| f.span.filter(|_| input).map(|s| self.list.document().place(s));
        Dropped {
            index,
            name: tool.and_then(|t| t.name.as_str()).map(ToOwned::to_owned),
            reason,
            findings: findings.into_iter().map(|finding| Placed { place: place(&finding), finding }).collect(),
        }
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() { "the root" } else { path }
}
