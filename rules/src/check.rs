//! What can be wrong with a profile as a whole.

use indexmap::IndexMap;

use crate::bind::{self, Effective, LENIENT_FOR, ProfileEntry};
use crate::compile::rule::{self, is_kebab};
use crate::compile::scope::fact_name;
use crate::compile::terms::ANY;
use crate::error::{Errors, ProfileError};
use crate::library::Library;
use crate::speaks::{self, Speaks};
use crate::wire::Wire;
use crate::yaml::{At, Raw};

/// Checks a profile with all its bindings.
pub(crate) fn profile(library: &Library, profile: Effective<'_>, errors: &mut Errors) {
    let Some(entry) = profile.chain.last() else {
        return;
    };
    names(entry, errors);
    siblings(library, entry, errors);
    switches(entry, errors);
    facts(&profile, entry, errors);
    Wire::of(&profile, errors);
    Speaks::of(&profile, errors);
    bind::paths(&profile, errors);
    speaks::check(entry, errors);
    for binding in profile.bindings.values() {
        if let Some(rule) = library.rule_entry(&binding.value.rule.value) {
            rule::check(rule, errors);
        }
    }
    bindings(library, &profile, entry, errors);
}

fn names(entry: &ProfileEntry, errors: &mut Errors) {
    let profile = &entry.profile;
    let bindings = profile.rules.iter().filter_map(|at| at.value.r#as.as_ref());
    let stages = profile.stages.iter().flat_map(|at| &at.value);
    let facts = profile.facts.0.iter().map(|(key, _)| key);
    let switches = profile.switches.0.iter().map(|(key, _)| key);
    let all = [&profile.profile].into_iter().chain(bindings);
    for at in all.chain(stages).chain(facts).chain(switches) {
        if !is_kebab(&at.value) {
            errors.push(
                ProfileError::at(&entry.file, &at.span, format!("`{}` is not kebab-case", at.value))
                    .hint("write lower-case words with hyphens between them"),
            );
        }
    }
    for (text, field) in [(Some(&profile.title), "title"), (profile.about.as_ref(), "about")] {
        if let Some(at) = text
            && at.value.trim().is_empty()
        {
            errors.push(ProfileError::at(&entry.file, &at.span, format!("`{field}` is empty")));
        }
    }
    if let Some(at) = &profile.stages {
        once(&at.value, entry, errors);
    }
}

fn siblings(library: &Library, entry: &ProfileEntry, errors: &mut Errors) {
    let unknown = |at: &At<String>| {
        let error = ProfileError::at(&entry.file, &at.span, format!("unknown profile `{}`", at.value));
        error.near(&at.value, library.profile_names().collect::<Vec<_>>())
    };
    for met in &entry.profile.meets {
        if met.value == entry.profile.profile.value {
            errors.push(ProfileError::at(&entry.file, &met.span, "the profile meets itself"));
        } else if !library.profile_names().any(|name| name == met.value) {
            errors.push(unknown(met));
        }
    }
    if let Some(at) = &entry.profile.lenient_for {
        if !LENIENT_FOR.contains(&at.value.as_str()) {
            let error = ProfileError::at(&entry.file, &at.span, format!("unknown word `{}`", at.value));
            errors.push(error.near(&at.value, LENIENT_FOR));
        } else if entry.profile.lenient.is_none() {
            errors.push(ProfileError::at(&entry.file, &at.span, "`lenient-for` says nothing without `lenient`"));
        }
    }
    let Some(lenient) = &entry.profile.lenient else {
        return;
    };
    let at = |message: String| ProfileError::at(&entry.file, &lenient.span, message);
    if lenient.value == entry.profile.profile.value {
        errors.push(at("the profile is its own lenient sibling".into()));
    } else if !library.profile_names().any(|name| name == lenient.value) {
        errors.push(unknown(lenient));
    }
}

fn switches(entry: &ProfileEntry, errors: &mut Errors) {
    for (key, values) in &entry.profile.switches.0 {
        if values.value.is_empty() {
            errors.push(
                ProfileError::at(&entry.file, &key.span, format!("the switch `{}` has no values", key.value))
                    .hint(format!("the first is the default; write [{ANY}, ..] if it is unknown")),
            );
        }
        once(&values.value, entry, errors);
    }
}

/// Reports facts that are of another kind than the inherited ones that they replace.
fn facts(profile: &Effective<'_>, entry: &ProfileEntry, errors: &mut Errors) {
    for (key, own) in &entry.profile.facts.0 {
        let ancestors = profile.chain.iter().rev().skip(1);
        let Some((file, old)) = ancestors.filter_map(|a| a.profile.facts.get(&key.value).map(|(_, old)| (&a.file, old))).next() else {
            continue;
        };
        if let (Some(was), Some(is)) = (kind(&old.value), kind(&own.value))
            && was != is
        {
            let message = format!("the fact `{}` takes {was}, not {is}", key.value);
            errors.push(ProfileError::at(&entry.file, &own.span, message).and(file, &old.span, "the inherited fact"));
        }
    }
}

/// What a fact is; one word stands for a list, and an empty list is of every kind.
fn kind(fact: &Raw) -> Option<&'static str> {
    match fact {
        Raw::List(items) => items.first().and_then(|at| kind(&at.value)),
        Raw::Text(text) => fact_name(text).is_none().then_some("words"),
        Raw::Number(_) => Some("a number"),
        Raw::Bool(_) => Some("a boolean"),
        Raw::Null | Raw::Map(_) => None,
    }
}

fn once(words: &[At<String>], entry: &ProfileEntry, errors: &mut Errors) {
    let mut first: IndexMap<&str, &At<String>> = IndexMap::new();
    for at in words {
        if let Some(first) = first.get(at.value.as_str()) {
            let error = ProfileError::at(&entry.file, &at.span, format!("`{}` stands twice", at.value));
            errors.push(error.and(&entry.file, &first.span, "first here"));
        } else {
            first.insert(&at.value, at);
        }
    }
}

/// Checks the bindings, and reports facts that none reads, neither here nor in a profile that extends this one.
fn bindings(library: &Library, profile: &Effective<'_>, entry: &ProfileEntry, errors: &mut Errors) {
    let Some(used) = library.check_bindings(profile, errors) else { return };
    let mut unused: Vec<&At<String>> = entry.profile.facts.0.iter().map(|(key, _)| key).collect();
    unused.retain(|key| !used.contains(&key.value));
    if unused.is_empty() {
        return;
    }
    for heir in library.heirs(profile.name) {
        let used = library.check_bindings(&heir, &mut Errors::default());
        unused.retain(|key| used.as_ref().is_some_and(|used| !used.contains(&key.value)));
    }
    for key in unused {
        errors.push(
            ProfileError::at(&entry.file, &key.span, format!("no binding reads the fact `{}`", key.value))
                .hint("remove it, or name it in a binding: `with: { NAME: facts.NAME }`"),
        );
    }
}
