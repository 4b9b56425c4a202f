//! What is measured, each job beside the reading and writing of the same bytes by `serde_json::Value`.

use anyhow::Result;
use schemalect::engine::adapt::{Adapted, Options, adapt};
use schemalect::engine::check::{Given, Tool, check_each};
use schemalect::engine::restore::{RestorePlan, encode, restore};
use schemalect::engine::{Plan, Tree};
use schemalect::{Budget, Profiles, RestoreOptions};
use serde_json::Value;

use super::PROFILES;
use super::sets::Case;
use crate::data;

/// Profiles that are checked at once: those that people name most.
const TWELVE: [&str; 12] = [
    "anthropic",
    "anthropic-strict",
    "bedrock",
    "gemini",
    "gemini-json-schema",
    "mistral",
    "ollama",
    "openai",
    "openai-responses",
    "openai-strict",
    "vertex",
    "xai",
];

/// A job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Reading and writing as `serde_json::Value`, which others are held against.
    Reference,
    Parse,
    Check,
    /// Read once, checked for twelve profiles.
    CheckTwelve,
    /// The same tools checked for each of the twelve, each time read anew.
    CheckEach,
    AdaptTree,
    AdaptBytes,
    AdaptBytesAudited,
    Restore,
    Encode,
}

/// A job to be done on all tools of a set.
pub(super) struct Work<'s> {
    pub(super) job: Job,
    pub(super) profile: &'static str,
    /// The place in the list of what it is held against.
    pub(super) base: usize,
    /// What it returns differs when the work is left out.
    pub(super) run: Box<dyn Fn() -> usize + 's>,
}

/// Plans, resolved once.
pub(super) struct Bench {
    three: Vec<(&'static str, Plan)>,
    twelve: Vec<Plan>,
}

impl Bench {
    pub(super) fn new() -> Result<Bench> {
        let (profiles, today) = (Profiles::builtin()?, data::today()?);
        let plan = |name: &str| Ok(profiles.resolve(name, &today)?.plan().clone());
        Ok(Bench {
            three: PROFILES.iter().map(|name| Ok((*name, plan(name)?))).collect::<Result<_>>()?,
            twelve: TWELVE.iter().map(|name| plan(name)).collect::<Result<_>>()?,
        })
    }

    /// Everything that is measured on a set, in an order that is always the same.
    pub(super) fn works<'s>(&'s self, cases: &'s [Case]) -> Vec<Work<'s>> {
        let mut out = Vec::new();
        let each = |f: Box<dyn Fn(&str) -> usize + 's>| -> Box<dyn Fn() -> usize + 's> {
            Box::new(move || cases.iter().map(|case| f(&case.schema)).sum())
        };
        let mut on_schemas = |job, profile, f| out.push(Work { job, profile, base: 0, run: each(f) });
        on_schemas(Job::Reference, "", Box::new(reference));
        on_schemas(Job::Parse, "", Box::new(|text| parse(text).map_or(0, |tree| tree.len())));
        for (name, plan) in &self.three {
            on_schemas(Job::Check, *name, Box::new(move |text| checked(&[plan], text)));
        }
        let twelve: Vec<&Plan> = self.twelve.iter().collect();
        on_schemas(Job::CheckTwelve, "", Box::new(move |text| checked(&twelve, text)));
        on_schemas(Job::CheckEach, "", Box::new(move |text| self.twelve.iter().map(|plan| checked(&[plan], text)).sum()));
        for (job, audit) in [(Job::AdaptTree, false), (Job::AdaptBytes, false), (Job::AdaptBytesAudited, true)] {
            for (name, plan) in &self.three {
                on_schemas(job, *name, Box::new(move |text| adapted(plan, text, audit, job != Job::AdaptTree)));
            }
        }
        for (name, plan) in &self.three {
            add_calls(&mut out, name, plan, cases);
        }
        out
    }
}

/// Restore and encode, on arguments of tools that have something to restore.
fn add_calls<'s>(out: &mut Vec<Work<'s>>, profile: &'static str, plan: &Plan, cases: &[Case]) {
    let options = RestoreOptions::default();
    let mut calls: Vec<(RestorePlan, String, String)> = Vec::new();
    for case in cases {
        let Some(arguments) = &case.arguments else { continue };
        let Some(restore) = parse(&case.schema).and_then(|tree| adapt_tree(plan, &tree, false).plan) else { continue };
        let written = encode(&restore, arguments.clone(), &options).arguments;
        calls.push((restore, arguments.to_string(), written.to_string()));
    }
    if calls.is_empty() {
        return;
    }
    for (job, way) in [(Job::Restore, restore as fn(&_, _, &_) -> _), (Job::Encode, encode)] {
        let calls: Vec<(RestorePlan, String)> =
            calls.iter().map(|(plan, own, sent)| (plan.clone(), if job == Job::Restore { sent.clone() } else { own.clone() })).collect();
        let base = out.len();
        let texts: Vec<String> = calls.iter().map(|(_, text)| text.clone()).collect();
        let reference = move || texts.iter().map(|text| reference(text)).sum();
        out.push(Work { job: Job::Reference, profile, base, run: Box::new(reference) });
        let run = move || {
            calls.iter().filter_map(|(plan, text)| Some(way(plan, value(text)?, &options).arguments.to_string().len())).sum::<usize>()
        };
        out.push(Work { job, profile, base, run: Box::new(run) });
    }
}

fn parse(text: &str) -> Option<Tree> {
    Tree::parse(text, &Budget::default()).ok()
}

fn value(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// What everything is held against.
pub(super) fn reference(text: &str) -> usize {
    value(text).map_or(0, |value| value.to_string().len())
}

/// What rules see of a tool that has nothing odd but its schema.
pub(super) fn view(tree: &Tree) -> Tool<'_> {
    Tool { name: Given::Text("tool"), description: Given::Text("A tool."), schema: Some((tree, tree.root())) }
}

fn checked(plans: &[&Plan], text: &str) -> usize {
    parse(text).map_or(0, |tree| check_each(plans, &view(&tree)).iter().map(Vec::len).sum())
}

fn adapt_tree(plan: &Plan, tree: &Tree, audit: bool) -> Adapted {
    adapt(plan, &view(tree), &Options { audit, ..Options::default() })
}

fn adapted(plan: &Plan, text: &str, audit: bool, print: bool) -> usize {
    let Some(tree) = parse(text) else { return 0 };
    let adapted = adapt_tree(plan, &tree, audit);
    let schema = adapted.schema.as_ref();
    adapted.events.len() + schema.map_or(0, |tree| if print { tree.to_json(tree.root()).len() } else { tree.len() })
}
