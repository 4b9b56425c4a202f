//! A rule file on its own: its checks, and the plan that runs its examples.

use std::sync::Arc;

use schemalect_engine::op::Step;
use schemalect_engine::plan::{Certainty, Level, Plan, Pred, Rule, Site};

use super::scope::{Cx, Scope};
use super::{example, ops, pred, words};
use crate::error::{Errors, File, ProfileError};
use crate::file::RuleFile;
use crate::near::nearest;
use crate::yaml::{At, Pairs, Raw};

/// A rule file that was read.
#[derive(Debug)]
pub(crate) struct RuleEntry {
    pub(crate) file: File,
    pub(crate) rule: RuleFile,
}

impl RuleEntry {
    pub(crate) fn id(&self) -> &str {
        &self.rule.rule.value
    }

    /// What a finding says where the profile says nothing else.
    pub(crate) fn message(&self) -> &At<String> {
        self.rule.message.as_ref().unwrap_or(&self.rule.title)
    }

    pub(crate) fn site(&self) -> Option<Site> {
        let site = |(word, _): &&(&str, Site)| *word == self.rule.at.value;
        words::SITES.iter().find(site).map(|(_, site)| *site)
    }
}

/// Everything that can be wrong with a rule file, whichever profile binds it.
pub(crate) fn check(entry: &RuleEntry, errors: &mut Errors) {
    let rule = &entry.rule;
    check_id(entry, errors);
    let scope = Scope::open();
    let mut cx = Cx { file: &entry.file, scope: &scope, errors };
    for (text, field) in [(&rule.title, "title"), (&rule.why, "why")] {
        if text.value.trim().is_empty() {
            cx.error(&text.span, format!("`{field}` is empty"));
        }
    }
    placeholders(&mut cx, entry.message());
    let Some(site) = cx.meaning(&rule.at, "site", &words::SITES) else {
        return;
    };
    pred::when(&mut cx, &rule.when, site);
    let needed = scope.asked();
    if let Some(list) = &rule.rewrite {
        ops::steps(&mut cx, list, site);
    }
    example::check(&mut cx, rule, site, &needed);
}

/// A plan with this rule alone: certain, of level error, with the facts of one example.
pub(crate) fn alone(entry: &RuleEntry, facts: &serde_json::Map<String, serde_json::Value>) -> Result<Plan, Vec<ProfileError>> {
    let mut errors = Errors::default();
    let facts = Pairs::from_json(facts, &entry.rule.rule.span);
    let scope = Scope::example(&facts, &entry.file);
    let mut cx = Cx { file: &entry.file, scope: &scope, errors: &mut errors };
    let site = cx.meaning(&entry.rule.at, "site", &words::SITES);
    let site = site.unwrap_or(Site::Schema);
    let when = pred::when(&mut cx, &entry.rule.when, site);
    let rewrite = entry.rule.rewrite.as_ref();
    let rule = Rule {
        id: Arc::from(entry.id()),
        title: entry.rule.title.value.clone(),
        message: entry.message().value.clone(),
        change: None,
        why: entry.rule.why.value.as_str().into(),
        site,
        when,
        rewrite: rewrite.map(|list| ops::steps(&mut cx, list, site)).unwrap_or_default(),
        level: Level::Error,
        stage: "".into(),
        certainty: Certainty::Certain,
        sources: Arc::from([]),
    };
    errors.or(Plan::new(entry.id().to_owned(), None, vec![rule]))
}

/// Compiles a rule's predicate and the rewrite that a binding chose, each in its own file.
pub(crate) fn parts(
    entry: &RuleEntry,
    site: Site,
    rewrite: Option<(&At<Vec<At<Raw>>>, &File)>,
    scope: &Scope<'_>,
    errors: &mut Errors,
) -> (Pred, Vec<Step>) {
    let mut cx = Cx { file: &entry.file, scope, errors };
    let when = pred::when(&mut cx, &entry.rule.when, site);
    let Some((list, file)) = rewrite else {
        return (when, Vec::new());
    };
    let mut cx = Cx { file, scope, errors: cx.errors };
    let steps = ops::steps(&mut cx, list, site);
    (when, steps)
}

fn check_id(entry: &RuleEntry, errors: &mut Errors) {
    let id = &entry.rule.rule;
    if !is_kebab(&id.value) {
        errors.push(
            ProfileError::at(&entry.file, &id.span, format!("`{}` is not kebab-case", id.value))
                .hint("write lower-case words with hyphens between them"),
        );
    }
    let path = entry.file.path.replace('\\', "/");
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    if stem != id.value {
        errors.push(
            ProfileError::at(&entry.file, &id.span, format!("the rule is `{}`, its file is `{name}`", id.value))
                .hint("the file name of a rule is its id"),
        );
    }
}

/// Whether a name is lower-case words with hyphens between them.
pub(crate) fn is_kebab(name: &str) -> bool {
    let word = |word: &str| {
        let mut bytes = word.bytes();
        !word.is_empty() && bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.split('-').all(word)
}

/// Reports placeholders that there are not.
pub(crate) fn placeholders(cx: &mut Cx<'_>, message: &At<String>) {
    let mut rest = message.value.as_str();
    while let Some((_, after)) = rest.split_once('{') {
        rest = after;
        let Some((name, _)) = after.split_once('}') else {
            return;
        };
        let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphabetic());
        if is_name && !words::PLACEHOLDERS.contains(&name) {
            let near = nearest(name, words::PLACEHOLDERS);
            let hint = match near {
                Some(near) => format!("did you mean `{{{near}}}`?"),
                None => "known: {key} {value} {path} {limit} {count}".to_owned(),
            };
            let message_text = format!("unknown placeholder `{{{name}}}`");
            cx.error_hint(&message.span, message_text, hint);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kebab() {
        for (name, ok) in [
            ("object-open", true),
            ("a2-b", true),
            ("Object", false),
            ("a--b", false),
            ("a-", false),
            ("2a", false),
            ("a_b", false),
            ("", false),
        ] {
            assert_eq!(is_kebab(name), ok, "{name}");
        }
    }
}
