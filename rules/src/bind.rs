//! A profile with everything it inherits, and the plan it becomes on a day with given switches.

use std::sync::Arc;

use indexmap::IndexMap;
use schemalect_engine::date::Day;
use schemalect_engine::plan::{Certainty, Plan, Rule};
use schemalect_engine::spelling::PathStyle;

use crate::compile::binding;
use crate::compile::scope::Fact;
use crate::compile::terms::{Switch, Verdict};
use crate::error::{Errors, File, ProfileError, Span};
use crate::file::{BindingFile, ProfileFile};
use crate::library::Library;
use crate::says::{Says, Speech};
use crate::speaks::{self, Speaks};
use crate::wire::Wire;
use crate::yaml::At;

/// The day and the switches for which a profile is resolved.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The day.
    pub as_of: Day,
    /// Switches that are set, with their values; later ones win.
    pub switches: Vec<(String, String)>,
}

impl Selection {
    /// A day, with every switch at its default.
    #[must_use]
    pub fn on(as_of: Day) -> Selection {
        Selection { as_of, switches: Vec::new() }
    }
}

/// A profile resolved for a day and switches.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The rules that hold.
    pub plan: Plan,
    /// Where the parts of a tool stand in a request.
    pub wire: Option<Wire>,
    /// The sibling that takes what this one refuses.
    pub lenient: Option<String>,
    /// Whether all tools of a list go under the sibling where one does.
    pub together: bool,
    /// How the provider reports.
    pub speaks: Speaks,
    /// The stages of the provider's checker, in order.
    pub stages: Vec<String>,
    /// The provider's own words, in the order of the rules.
    pub says: Vec<Says>,
    /// The switches with the values in force.
    pub switches: IndexMap<String, String>,
    /// The bindings that do not hold, and why.
    pub left_out: Vec<LeftOut>,
}

/// A binding that is no part of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The binding's name.
    pub rule: String,
    /// Why.
    pub reason: Reason,
}

/// Why a binding is no part of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It does not hold on that day.
    Date,
    /// It does not hold for the value of this switch.
    Switch(String),
}

/// A profile file that was read.
#[derive(Debug)]
pub(crate) struct ProfileEntry {
    pub(crate) file: File,
    pub(crate) profile: ProfileFile,
}

/// A profile and what it builds on, each once and before what builds on it.
#[derive(Debug, Default)]
pub(crate) struct Chain<'a> {
    /// The line of `extends`.
    pub(crate) line: Vec<&'a ProfileEntry>,
    /// The line and what it takes by `also`.
    all: Vec<&'a ProfileEntry>,
}

impl<'a> Chain<'a> {
    /// Of all profiles, the line of the last.
    pub(crate) fn of(all: Vec<&'a ProfileEntry>) -> Chain<'a> {
        let mut line: Vec<&ProfileEntry> = Vec::new();
        for entry in all.iter().rev() {
            let named = |heir: &&ProfileEntry| heir.profile.extends.as_ref().is_some_and(|at| at.value == entry.profile.profile.value);
            if line.last().is_none_or(named) {
                line.push(entry);
            }
        }
        line.reverse();
        Chain { line, all }
    }

    /// Whether a profile of this name is among them.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.all.iter().any(|entry| entry.profile.profile.value == name)
    }
}

/// A binding and the file it stands in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) value: &'a BindingFile,
    pub(crate) span: &'a Span,
    pub(crate) file: &'a File,
    /// The profile that declares it.
    pub(crate) home: &'a str,
}

/// A profile together with what it inherits.
#[derive(Debug, Default)]
pub(crate) struct Effective<'a> {
    pub(crate) name: &'a str,
    /// From the first ancestor to the profile itself, by `extends`.
    pub(crate) chain: Vec<&'a ProfileEntry>,
    pub(crate) facts: IndexMap<&'a str, Fact<'a>>,
    pub(crate) switches: IndexMap<&'a str, Switch<'a>>,
    pub(crate) stages: Option<(&'a At<Vec<At<String>>>, &'a File)>,
    pub(crate) bindings: IndexMap<&'a str, Binding<'a>>,
}

impl<'a> Effective<'a> {
    /// Joins the profiles of a chain.
    pub(crate) fn new(chain: Chain<'a>, errors: &mut Errors) -> Effective<'a> {
        let mut joined = Effective::default();
        for entry in &chain.all {
            joined.join(entry, errors);
        }
        let stages = chain.line.iter().rev().find_map(|entry| Some((entry.profile.stages.as_ref()?, &entry.file)));
        Effective { chain: chain.line, stages, ..joined }
    }

    fn join(&mut self, entry: &'a ProfileEntry, errors: &mut Errors) {
        let ProfileEntry { file, profile } = entry;
        self.name = &profile.profile.value;
        for (key, value) in &profile.facts.0 {
            self.facts.insert(&key.value, Fact { value, file });
        }
        for (key, values) in &profile.switches.0 {
            self.switches.insert(&key.value, Switch { values, file });
        }
        for at in &profile.without {
            if self.bindings.shift_remove(at.value.as_str()).is_none() {
                let message = format!("`{}` is no inherited binding", at.value);
                let error = ProfileError::at(file, &at.span, message);
                errors.push(error.near(&at.value, self.bindings.keys().copied()));
            }
        }
        for at in &profile.rules {
            self.add(at, entry, errors);
        }
    }

    fn add(&mut self, at: &'a At<BindingFile>, entry: &'a ProfileEntry, errors: &mut Errors) {
        let id = at.value.id();
        let binding = Binding { value: &at.value, span: &at.span, file: &entry.file, home: &entry.profile.profile.value };
        let old = self.bindings.insert(&id.value, binding);
        if let Some(old) = old
            && Arc::ptr_eq(old.file, binding.file)
        {
            errors.push(
                ProfileError::at(&entry.file, &id.span, format!("`{}` is bound twice", id.value))
                    .and(old.file, &old.value.id().span, "first here")
                    .hint("give one of them another name: `as: NAME`"),
            );
        }
    }

    /// The values of the switches, where the selection sets some.
    fn values(&self, selection: &Selection, errors: &mut Errors) -> IndexMap<String, String> {
        let own = |(name, switch): (&&str, &Switch<'_>)| ((*name).to_owned(), switch.default().to_owned());
        let mut values: IndexMap<String, String> = self.switches.iter().map(own).collect();
        for (name, value) in &selection.switches {
            let Some(switch) = self.switches.get(name.as_str()) else {
                let message = format!("{} has no switch `{name}`", self.name);
                let error = ProfileError::new(message);
                errors.push(error.near(name, self.switches.keys().copied()));
                continue;
            };
            if !switch.takes(value) {
                let message = format!("`{value}` is no value of the switch `{name}`");
                errors.push(ProfileError::new(message).near(value, switch.words()));
            }
            values.insert(name.clone(), value.clone());
        }
        values
    }
}

/// Resolves a profile for a day and switches; with `every`, what does not hold for them is bound as well, undecided.
pub(crate) fn bind(library: &Library, name: &str, selection: &Selection, every: bool) -> Result<Bound, Vec<ProfileError>> {
    let chain = library.chain(name).map_err(|error| vec![error])?;
    let mut errors = Errors::default();
    let profile = Effective::new(chain, &mut errors);
    let switches = profile.values(selection, &mut errors);
    let mut plan = Plan::new(profile.name.to_owned(), Some(selection.as_of), Vec::new());
    plan.paths = paths(&profile, &mut errors);
    let mut bound = Bound {
        plan,
        wire: Wire::of(&profile, &mut errors),
        lenient: lenient(&profile),
        together: together(&profile),
        speaks: Speaks::of(&profile, &mut errors),
        stages: stages(&profile),
        says: Vec::new(),
        switches,
        left_out: Vec::new(),
    };
    for binding in profile.bindings.values() {
        let terms = binding::terms(&profile, binding, &mut errors);
        let (certainty, reason) = match terms.on(selection.as_of, &bound.switches) {
            Verdict::Holds(certainty) => (certainty, None),
            Verdict::Date => (Certainty::Undecided, Some(Reason::Date)),
            Verdict::Switch(name) => (Certainty::Undecided, Some(Reason::Switch(name))),
        };
        if every || reason.is_none() {
            let rule = library.rule(binding, &mut errors);
            let rule = rule.and_then(|rule| binding::compile(&profile, binding, rule, certainty, &mut errors).rule);
            bound.push(binding, rule);
        }
        bound.left_out.extend(reason.map(|reason| LeftOut { rule: binding.value.id().value.clone(), reason }));
    }
    errors.or(bound)
}

impl Bound {
    fn push(&mut self, binding: &Binding<'_>, rule: Option<Rule>) {
        let Some(rule) = rule else { return };
        self.says.extend(Says::of(&self.plan.profile, binding));
        self.plan.rules.push(rule);
    }
}

/// How a profile writes places; the last of the chain that says it holds.
pub(crate) fn paths(profile: &Effective<'_>, errors: &mut Errors) -> PathStyle {
    let mut style = PathStyle::default();
    for entry in &profile.chain {
        if let Some(at) = entry.profile.writes.as_ref().and_then(|writes| writes.paths.as_ref()) {
            style = speaks::word(at, &entry.file, &PathStyle::WORDS, errors).unwrap_or(style);
        }
    }
    style
}

/// What a profile says of the provider's messages.
pub(crate) fn speech(library: &Library, name: &str) -> Result<Speech, ProfileError> {
    let chain = library.chain(name)?;
    let errors = &mut Errors::default();
    let profile = Effective::new(chain, errors);
    let ancestors = profile.chain.iter().rev().skip(1).rev();
    Ok(Speech {
        profile: profile.name.to_owned(),
        ancestors: ancestors.map(|entry| entry.profile.profile.value.clone()).collect(),
        speaks: Speaks::of(&profile, errors),
        wire: Wire::of(&profile, errors),
        says: profile.bindings.values().filter_map(|binding| Says::of(profile.name, binding)).collect(),
    })
}

/// The lenient sibling that the profile itself names; it is not inherited.
pub(crate) fn lenient(profile: &Effective<'_>) -> Option<String> {
    let own = profile.chain.last()?;
    let lenient = own.profile.lenient.as_ref()?;
    Some(lenient.value.clone())
}

/// For what the lenient sibling stands in: a tool, or the list that it is in.
pub(crate) const LENIENT_FOR: [&str; 2] = ["tool", "list"];

/// Whether the profile itself says that the lenient sibling stands in for the whole list.
pub(crate) fn together(profile: &Effective<'_>) -> bool {
    let own = profile.chain.last().and_then(|own| own.profile.lenient_for.as_ref());
    own.is_some_and(|at| at.value == LENIENT_FOR[1])
}

/// The words of the stages.
pub(crate) fn stages(profile: &Effective<'_>) -> Vec<String> {
    let stages = profile.stages.map(|(at, _)| at.value.iter());
    stages.into_iter().flatten().map(|at| at.value.clone()).collect()
}
