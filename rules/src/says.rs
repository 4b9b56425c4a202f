//! The provider's own words: patterns over its messages.

use std::sync::{Arc, OnceLock};

use regex::Regex;

use crate::compile::scope::{Cx, Word};
use crate::error::ProfileError;
use crate::yaml::At;

/// What the named groups of a pattern may be called.
const GROUPS: [&str; 8] = ["key", "value", "path", "limit", "count", "ref", "index", "tool"];

/// A pattern over the provider's message. It is compiled when it is first asked for.
#[derive(Clone, Debug)]
pub struct Says {
    /// `profile/rule`, as in the plan.
    pub rule: Arc<str>,
    pattern: String,
    regex: OnceLock<Option<Regex>>,
}

impl Says {
    pub(crate) fn new(rule: Arc<str>, pattern: String) -> Says {
        Says { rule, pattern, regex: OnceLock::new() }
    }

    /// The pattern as written.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// The pattern compiled; `None` where it does not compile, which [`crate::Library::check`] reports.
    /// Its named groups are among `key`, `value`, `path`, `limit`, `count`, `ref`, `index` and `tool`.
    pub fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| Regex::new(&self.pattern).ok()).as_ref()
    }
}

/// Checks a pattern.
pub(crate) fn check(cx: &mut Cx<'_>, at: &At<String>) {
    let word = Word { text: &at.value, span: &at.span, file: cx.file };
    let Some(regex) = cx.compile_regex(word) else { return };
    for group in regex.capture_names().flatten() {
        if !GROUPS.contains(&group) {
            let error = ProfileError::at(cx.file, &at.span, format!("unknown group `{group}`"));
            cx.errors.push(error.near(group, GROUPS));
        }
    }
}
