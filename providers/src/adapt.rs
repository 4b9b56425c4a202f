//! Adapts a list of tools to a surface: what fits, what goes under the lenient sibling, what is left out.

use schemalect_engine::adapt::{Adapted, Options, adapt};
use schemalect_engine::check::{Given, Tool as View, check_request};
use schemalect_engine::date::Day;
use schemalect_engine::log::Event;
use schemalect_engine::{Budget, Effects, Finding, Tree};
use serde_json::Value;

use crate::names::distinct;
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
    /// 1 stays in this thread; otherwise rayon's current pool is used.
    pub jobs: usize,
    /// Limits of each schema.
    pub budget: Budget,
}

impl Default for AdaptOptions {
    fn default() -> AdaptOptions {
        AdaptOptions { allow: Effects::DEFAULT_ALLOWED, on_unfixable: None, audit: false, jobs: 0, budget: Budget::default() }
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
    /// What is still found on the result.
    pub residue: Vec<Finding>,
    /// How to map arguments back; `null` where they need no mapping.
    pub plan: Value,
    /// The entry itself, of a tool that the provider brings.
    pub foreign: Option<String>,
    form: Form,
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
    fn view(&self) -> View<'_> {
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
    fn adapt_one(&self, list: &ToolList, tool: &Tool, options: &AdaptOptions) -> AdaptedTool {
        let engine = Options { allow: options.allow, audit: options.audit, budget: options.budget };
        let Adapted { schema, name, description, changed, effects, events, mut residue, plan } =
            adapt(&self.plan, &list.view(tool), &engine);
        if tool.form == Form::Schema {
            residue.retain(about_schema);
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
            residue,
            plan,
            foreign: None,
            form: tool.form,
        }
    }
}

enum Fate {
    Sent(Box<AdaptedTool>),
    Dropped(Dropped),
}

struct Run<'r> {
    surface: &'r Surface,
    list: &'r ToolList,
    options: &'r AdaptOptions,
    on_unfixable: OnUnfixable,
}

impl Run<'_> {
    fn tool(&self, tool: &Tool) -> Fate {
        if let Some(problem) = &tool.problem {
            return Fate::Dropped(self.dropped(tool.index, problem.message.clone(), vec![of_problem(problem)]));
        }
        if tool.form == Form::Foreign {
            return Fate::Sent(Box::new(self.foreign(tool)));
        }
        let adapted = self.surface.adapt_one(self.list, tool, self.options);
        if adapted.outcome != Outcome::Residue || self.on_unfixable == OnUnfixable::Keep {
            return Fate::Sent(Box::new(adapted));
        }
        self.unstrict(tool.index).unwrap_or_else(|| {
            let first = adapted.residue.iter().find(|f| f.refuses());
            let reason = first.map(|f| format!("{} at {}: {}", f.rule, place(&f.path), f.message)).unwrap_or_default();
            Fate::Dropped(self.dropped(tool.index, reason, adapted.residue))
        })
    }

    /// The tool under the lenient sibling, if that is asked for and accepts it.
    fn unstrict(&self, index: usize) -> Option<Fate> {
        let lenient = self.surface.lenient().filter(|_| self.on_unfixable == OnUnfixable::Unstrict)?;
        let tool = self.list.tools().get(index)?;
        let mut adapted = lenient.adapt_one(self.list, tool, self.options);
        (adapted.outcome != Outcome::Residue).then(|| {
            adapted.outcome = Outcome::Unstrict;
            Fate::Sent(Box::new(adapted))
        })
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
            residue: Vec::new(),
            plan: Value::Null,
            foreign: Some(self.list.document().tree().to_json(tool.entry)),
            form: Form::Foreign,
        }
    }

    /// Findings on an adapted tool have no place in the input, those of the input itself have.
    fn dropped(&self, index: usize, reason: String, findings: Vec<Finding>) -> Dropped {
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

    /// Fits the tools together: what limits the whole list makes some unstrict, or leaves them out.
    fn settle(&self, mut fates: Vec<Fate>) -> AdaptedList {
        self.tell_apart(&mut fates);
        self.unstrict_for_limits(&mut fates);
        self.tell_apart(&mut fates);
        let mut findings = self.request(&fates);
        while self.leave_out(&mut fates, &findings) {
            findings = self.request(&fates);
        }
        let mut adapted = AdaptedList {
            profile: self.surface.name().to_owned(),
            as_of: self.surface.as_of(),
            tools: Vec::new(),
            dropped: Vec::new(),
            request: findings.into_iter().map(|(_, finding)| Placed { finding, place: None }).collect(),
        };
        for fate in fates {
            match fate {
                Fate::Sent(tool) => adapted.tools.push(*tool),
                Fate::Dropped(dropped) => adapted.dropped.push(dropped),
            }
        }
        adapted
    }

    fn tell_apart(&self, fates: &mut [Fate]) {
        let sent = fates.iter_mut().filter_map(|f| if let Fate::Sent(tool) = f { Some(&mut **tool) } else { None });
        let plans: Vec<_> = [Some(self.surface), self.surface.lenient()].into_iter().flatten().map(Surface::plan).collect();
        distinct(&mut sent.collect::<Vec<_>>(), &plans);
    }

    /// Leaves out the tools that are to blame for a refusal of the list: whether there were any.
    fn leave_out(&self, fates: &mut [Fate], findings: &[(Option<usize>, Finding)]) -> bool {
        if self.on_unfixable == OnUnfixable::Keep {
            return false;
        }
        let mut blamed: Vec<(usize, Finding)> = Vec::new();
        for (index, finding) in findings.iter().filter(|(_, f)| f.refuses()) {
            match index {
                Some(index) => blamed.push((*index, finding.clone())),
                // A limit of the whole list that one tool exceeds by itself.
                None => blamed.extend(sent(fates, |_| true).into_iter().filter_map(|tool| {
                    let alone = judge(self.under(tool), &[tool]).into_iter().find(|(_, f)| f.refuses() && f.rule == finding.rule)?;
                    Some((tool.index, alone.1))
                })),
            }
        }
        let mut some = false;
        for (index, finding) in blamed {
            if let Some(fate @ Fate::Sent(_)) = fates.get_mut(index) {
                let reason = format!("{}: {}", finding.rule, finding.message);
                *fate = Fate::Dropped(self.dropped(index, reason, vec![finding]));
                some = true;
            }
        }
        some
    }

    /// The surface under which a tool is sent.
    fn under(&self, tool: &AdaptedTool) -> &Surface {
        self.surface.lenient().filter(|_| tool.outcome == Outcome::Unstrict).unwrap_or(self.surface)
    }

    /// What there is against the list: the strict tools by the surface, all of them by the lenient one where it has some.
    fn request(&self, fates: &[Fate]) -> Vec<(Option<usize>, Finding)> {
        let strict = sent(fates, |t| t.outcome != Outcome::Unstrict);
        let mut findings = judge(self.surface, &strict);
        let all = sent(fates, |_| true);
        if let Some(lenient) = self.surface.lenient().filter(|_| all.len() > strict.len()) {
            findings.extend(judge(lenient, &all));
        }
        findings
    }

    /// Keeps as many tools strict as the limits of the whole list let, the small ones first.
    fn unstrict_for_limits(&self, fates: &mut [Fate]) {
        let Some(lenient) = self.surface.lenient().filter(|_| self.on_unfixable == OnUnfixable::Unstrict) else { return };
        let refuses = |tools: &[&AdaptedTool], known: &[String]| {
            judge(self.surface, tools).iter().any(|(_, f)| f.refuses() && !known.iter().any(|k| k == tail(&f.rule)))
        };
        let unstrict: Vec<usize> = {
            let mut strict = sent(fates, |t| t.outcome != Outcome::Unstrict && t.foreign.is_none());
            // What the lenient sibling holds against the list as well is not cured by it.
            let known: Vec<String> = judge(lenient, &sent(fates, |_| true)).iter().map(|(_, f)| tail(&f.rule).to_owned()).collect();
            if !refuses(&strict, &known) {
                return;
            }
            strict.sort_by_key(|t| (t.schema.as_ref().map_or(0, |s| s.size(s.root())), t.index));
            let mut kept: Vec<&AdaptedTool> = Vec::new();
            let mut over = Vec::new();
            for tool in strict {
                kept.push(tool);
                if refuses(&kept, &known) {
                    kept.pop();
                    over.push(tool.index);
                }
            }
            over
        };
        for index in unstrict {
            if let (Some(fate), Some(better)) = (fates.get_mut(index), self.unstrict(index)) {
                *fate = better;
            }
        }
    }
}

fn sent(fates: &[Fate], which: impl Fn(&AdaptedTool) -> bool) -> Vec<&AdaptedTool> {
    fates.iter().filter_map(|f| if let Fate::Sent(tool) = f { Some(&**tool) } else { None }).filter(|t| which(t)).collect()
}

/// The findings on a list, each with the position in the input of the tool that it blames.
fn judge(surface: &Surface, tools: &[&AdaptedTool]) -> Vec<(Option<usize>, Finding)> {
    let views: Vec<View<'_>> = tools.iter().map(|t| t.view()).collect();
    let nameless = tools.iter().all(|t| t.form == Form::Schema);
    let findings = check_request(surface.plan(), &views).into_iter().filter(|(_, f)| !nameless || about_schema(f));
    findings.map(|(at, f)| (at.and_then(|at| tools.get(at)).map(|t| t.index), f)).collect()
}

/// The rule's id without its profile.
fn tail(rule: &str) -> &str {
    rule.rsplit_once('/').map_or(rule, |(_, id)| id)
}

fn place(path: &str) -> &str {
    if path.is_empty() { "the root" } else { path }
}
