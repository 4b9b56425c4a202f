//! One binding of a profile: its checks, and the rule it becomes.

use std::collections::BTreeSet;
use std::sync::Arc;

use schemalect_engine::date::Day;
use schemalect_engine::plan::{self, Certainty, Level, Site};

use super::change;
use super::rule::{self, RuleEntry};
use super::scope::{Cx, Scope};
use super::terms::Terms;
use super::words;
use crate::bind::{Binding, Effective};
use crate::error::{Errors, File, ProfileError, Span};
use crate::file::{BindingFile, SourceFile};
use crate::near::nearest;
use crate::says;
use crate::speaks::path_forms;
use crate::yaml::At;

/// What a binding becomes.
pub(crate) struct Compiled {
    /// `None` where the binding is wrong.
    pub(crate) rule: Option<plan::Rule>,
    /// The facts of the profile that it reads.
    pub(crate) used: BTreeSet<String>,
}

/// The terms of a binding, checked.
pub(crate) fn terms(profile: &Effective<'_>, binding: &Binding<'_>, errors: &mut Errors) -> Terms {
    let scope = scope(profile, binding);
    let mut cx = Cx { file: binding.file, scope: &scope, errors };
    Terms::read(&mut cx, binding.value, &profile.switches)
}

/// Checks what can be checked of a binding without its rule, and returns the facts that this reads.
pub(crate) fn check_own(profile: &Effective<'_>, binding: &Binding<'_>, errors: &mut Errors) -> BTreeSet<String> {
    let scope = scope(profile, binding);
    let mut cx = Cx { file: binding.file, scope: &scope, errors };
    Terms::read(&mut cx, binding.value, &profile.switches);
    if let Some(at) = &binding.value.says {
        says::check(&mut cx, at);
    }
    if let Some(at) = &binding.value.paths {
        path_forms(at, binding.file, cx.errors);
    }
    if let Some(at) = &binding.value.message {
        message(&mut cx, at);
    }
    parts(&mut cx, profile, binding);
    scope.used()
}

/// Checks a whole binding and returns the facts of the profile that it reads.
pub(crate) fn check(profile: &Effective<'_>, binding: &Binding<'_>, entry: &RuleEntry, errors: &mut Errors) -> BTreeSet<String> {
    let mut used = check_own(profile, binding, errors);
    used.extend(compile(profile, binding, entry, Certainty::Certain, errors).used);
    used
}

/// Compiles and checks a binding.
pub(crate) fn compile(
    profile: &Effective<'_>,
    binding: &Binding<'_>,
    entry: &RuleEntry,
    certainty: Certainty,
    errors: &mut Errors,
) -> Compiled {
    let file = binding.value;
    let scope = scope(profile, binding);
    let mut cx = Cx { file: binding.file, scope: &scope, errors };
    let (stage, level, sources) = parts(&mut cx, profile, binding);
    let site = entry.site().unwrap_or(Site::Schema);
    let own = file.rewrite.as_ref().map(|list| (list, binding.file));
    let default = entry.rule.rewrite.as_ref().map(|list| (list, &entry.file));
    let (when, rewrite) = rule::parts(entry, site, own.or(default), &scope, errors);
    let mut cx = Cx { file: binding.file, scope: &scope, errors };
    let change = file.change.as_ref().map(|raw| change::read(&mut cx, raw, &rewrite));
    unread(binding, &scope, errors);
    let rule = || {
        Some(plan::Rule {
            id: Arc::from(format!("{}/{}", profile.name, file.id().value)),
            title: entry.rule.title.value.clone(),
            message: file.message.as_ref().unwrap_or(entry.message()).value.clone(),
            change,
            why: entry.rule.why.value.as_str().into(),
            site,
            when,
            rewrite,
            level: level?,
            stage: stage?.into(),
            certainty,
            sources: Arc::from(sources),
        })
    };
    Compiled { rule: rule(), used: scope.used() }
}

/// Checks the words that a binding gives the rule's findings.
fn message(cx: &mut Cx<'_>, at: &At<String>) {
    if at.value.trim().is_empty() {
        cx.error_hint(&at.span, "`message` is empty", "leave it out for the rule's own");
    }
    rule::placeholders(cx, at);
}

/// The stage, the level and the sources.
fn parts(cx: &mut Cx<'_>, profile: &Effective<'_>, binding: &Binding<'_>) -> (Option<String>, Option<Level>, Vec<plan::Source>) {
    let stage = stage(cx, profile, binding);
    let level = match &binding.value.level {
        Some(word) => cx.meaning(word, "level", &words::LEVELS),
        None => Some(Level::Error),
    };
    if let Some(word) = &binding.value.unpinned {
        cx.meaning(word, "reason", &[("documented", ()), ("inferred", ())]);
    }
    (stage, level, sources(cx, binding))
}

fn scope<'a>(profile: &'a Effective<'a>, binding: &Binding<'a>) -> Scope<'a> {
    Scope::bound(&binding.value.with, binding.file, &profile.facts)
}

fn stage(cx: &mut Cx<'_>, profile: &Effective<'_>, binding: &Binding<'_>) -> Option<String> {
    let Some(stage) = &binding.value.stage else {
        cx.error(binding.span, "`stage` is missing");
        return None;
    };
    let Some((stages, file)) = profile.stages else {
        cx.error_hint(&stage.span, "the profile lists no stages", "write `stages: [..]`, in the order in which the provider checks");
        return None;
    };
    if !stages.value.iter().any(|at| at.value == stage.value) {
        let message = format!("unknown stage `{}`", stage.value);
        let error = ProfileError::at(cx.file, &stage.span, message);
        let words = stages.value.iter().map(|at| at.value.as_str());
        let error = error.and(file, &stages.span, "the stages");
        cx.errors.push(error.near(&stage.value, words));
    }
    Some(stage.value.clone())
}

/// Reports entries of `with` that nothing reads.
fn unread(binding: &Binding<'_>, scope: &Scope<'_>, errors: &mut Errors) {
    let asked = scope.asked();
    for (key, _) in &binding.value.with.0 {
        if !asked.contains(&key.value) {
            let rule = &binding.value.rule.value;
            let message = format!("`{rule}` does not read `facts.{}`", key.value);
            let error = ProfileError::at(binding.file, &key.span, message);
            errors.push(error.near(&key.value, asked.iter().map(String::as_str)));
        }
    }
}

fn sources(cx: &mut Cx<'_>, binding: &Binding<'_>) -> Vec<plan::Source> {
    let list = &binding.value.sources;
    let sources: Vec<plan::Source> = list.iter().filter_map(|at| source(cx, at)).collect();
    let supports = list.iter().any(|at| at.value.contradicts.is_none());
    if !supports {
        cx.error_hint(
            binding.span,
            "nobody says that this rule holds",
            "add `sources: [ { observed: \"https://..\", seen: YYYY-MM-DD } ]`",
        );
    }
    sources
}

fn source(cx: &mut Cx<'_>, at: &At<SourceFile>) -> Option<plan::Source> {
    let kind = kind(cx, at);
    let date = match &at.value.seen {
        Some(seen) => match seen.value.parse::<Day>() {
            Ok(day) => Some(day),
            Err(message) => {
                cx.error(&seen.span, message);
                None
            }
        },
        None if kind.is_none_or(|(word, _)| word == "verdicts") => None,
        None => {
            cx.error_hint(&at.span, "the source has no date", "add `seen: YYYY-MM-DD`, the day on which it was so");
            None
        }
    };
    let (kind, url) = kind?;
    Some(plan::Source { kind, url: url.value.clone(), date, note: at.value.note.as_ref().map(|note| note.value.clone()) })
}

fn kind<'s>(cx: &mut Cx<'_>, at: &'s At<SourceFile>) -> Option<(&'static str, &'s At<String>)> {
    let mut kinds = source_kinds(&at.value);
    match (kinds.next(), kinds.next()) {
        (Some(kind), None) => {
            if kind.1.value.trim().is_empty() {
                cx.error(&kind.1.span, "the source is empty");
            } else if matches!(kind.0, "observed" | "documented" | "executed" | "contradicts") && !is_source(&kind.1.value) {
                let message = format!("`{}` is neither an address nor a description in words", kind.1.value);
                cx.error_hint(&kind.1.span, message, "write \"https://..\", or say in words where it stands");
            }
            Some(kind)
        }
        (None, _) => {
            cx.error_hint(
                &at.span,
                "the source does not say of which kind it is",
                "known: observed, documented, executed, inferred, verdicts, contradicts",
            );
            None
        }
        (Some(_), Some((_, second))) => {
            cx.error_hint(&second.span, "the source is of two kinds", "write two sources");
            None
        }
    }
}

/// Whether a text can be looked up: an address, or words.
fn is_source(text: &str) -> bool {
    let text = text.trim();
    text.starts_with("https://") || text.starts_with("http://") || text.contains(char::is_whitespace)
}

/// The kinds that a source is written as, with what stands there.
pub(crate) fn source_kinds(file: &SourceFile) -> impl Iterator<Item = (&'static str, &At<String>)> {
    let kinds = [
        ("observed", &file.observed),
        ("documented", &file.documented),
        ("executed", &file.executed),
        ("inferred", &file.inferred),
        ("verdicts", &file.verdicts),
        ("contradicts", &file.contradicts),
    ];
    kinds.into_iter().filter_map(|(kind, at)| at.as_ref().map(|at| (kind, at)))
}

/// A rule that a binding names and nobody wrote.
pub(crate) fn unknown_rule<'c>(binding: &BindingFile, file: &File, known: impl IntoIterator<Item = &'c str>) -> ProfileError {
    let name = &binding.rule.value;
    let span: &Span = &binding.rule.span;
    let error = ProfileError::at(file, span, format!("unknown rule `{name}`"));
    match nearest(name, known) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint(format!("write rules/shared/{name}.yaml")),
    }
}
