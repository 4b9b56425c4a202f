//! The provider's own words: patterns over its messages.

use std::sync::Arc;

use regex::Regex;

use crate::bind::Binding;
use crate::compile::scope::{Cx, Word};
use crate::error::{Errors, ProfileError};
use crate::speaks::{PathForm, Pattern, Speaks, path_forms};
use crate::wire::Wire;
use crate::yaml::At;

/// What the named groups of a pattern may be called.
const GROUPS: [&str; 8] = ["key", "value", "path", "limit", "count", "ref", "index", "tool"];

/// A pattern over the provider's message. It is compiled when it is first asked for.
#[derive(Clone, Debug)]
pub struct Says {
    /// `profile/rule`, as in the plan.
    pub rule: Arc<str>,
    /// The spellings of its paths, where they are not those of the profile.
    pub paths: Vec<PathForm>,
    pattern: Pattern,
}

/// Everything a profile says of the provider's messages, whatever the day and the switches.
#[derive(Clone, Debug)]
pub struct Speech {
    /// The profile's name.
    pub profile: String,
    /// The profiles that it extends, the first ancestor first.
    pub ancestors: Vec<String>,
    /// How the provider reports.
    pub speaks: Speaks,
    /// Where the parts of a tool stand in a request.
    pub wire: Option<Wire>,
    /// The provider's own words, in the order of the rules.
    pub says: Vec<Says>,
}

impl Says {
    /// The words of a binding of this profile, if it has any.
    pub(crate) fn of(profile: &str, binding: &Binding<'_>) -> Option<Says> {
        let file = binding.value;
        let pattern = Pattern::new(file.says.as_ref()?.value.clone());
        let paths = file.paths.as_ref().map(|at| path_forms(at, binding.file, &mut Errors::default()));
        Some(Says { rule: Arc::from(format!("{profile}/{}", file.id().value)), paths: paths.unwrap_or_default(), pattern })
    }

    /// The pattern as written.
    #[must_use]
    pub fn pattern(&self) -> &str {
        self.pattern.text()
    }

    /// The pattern compiled; `None` where it does not compile, which [`crate::Library::check`] reports.
    /// Its named groups are among `key`, `value`, `path`, `limit`, `count`, `ref`, `index` and `tool`.
    pub fn regex(&self) -> Option<&Regex> {
        self.pattern.regex()
    }
}

/// Checks a pattern.
pub(crate) fn check(cx: &mut Cx<'_>, at: &At<String>) {
    let word = Word { text: &at.value, span: &at.span, file: cx.file };
    let Some(regex) = cx.compiled(word, Regex::new(word.text)) else { return };
    for group in regex.capture_names().flatten() {
        if !GROUPS.contains(&group) {
            let error = ProfileError::at(cx.file, &at.span, format!("unknown group `{group}`"));
            cx.errors.push(error.near(group, GROUPS));
        }
    }
}
