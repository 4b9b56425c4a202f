//! When and where a binding holds: dates and switches.

use indexmap::IndexMap;
use schemalect_engine::date::{Change, Day, Holds, holds};
use schemalect_engine::plan::Certainty;

use super::scope::{Cx, Word};
use crate::error::{File, ProfileError};
use crate::file::BindingFile;
use crate::yaml::At;

/// The value of a switch that is not known.
pub(crate) const ANY: &str = "any";

/// The values of a switch, and the file that lists them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switch<'a> {
    pub(crate) values: &'a At<Vec<At<String>>>,
    pub(crate) file: &'a File,
}

impl<'a> Switch<'a> {
    pub(crate) fn words(self) -> impl Iterator<Item = &'a str> + Clone {
        self.values.value.iter().map(|at| at.value.as_str())
    }

    /// The value while nobody sets another.
    pub(crate) fn default(self) -> &'a str {
        self.words().next().unwrap_or(ANY)
    }

    /// Whether the switch can be set to values that are not listed.
    pub(crate) fn is_open(self) -> bool {
        self.words().any(|word| word == ANY)
    }

    /// Whether the switch can be set to this value. That it is not known can be said of any switch.
    pub(crate) fn takes(self, value: &str) -> bool {
        value == ANY || self.is_open() || self.words().any(|word| glob(word, value))
    }
}

/// When and where a binding holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    since: Option<Change>,
    until: Option<Change>,
    /// Switches and the patterns of which one must match.
    pub(crate) only: Vec<(String, Vec<String>)>,
}

/// Whether a binding is part of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Holds(Certainty),
    Date,
    Switch(String),
}

impl Terms {
    /// Reads and checks the terms of a binding.
    pub(crate) fn read(cx: &mut Cx<'_>, binding: &BindingFile, switches: &IndexMap<&str, Switch<'_>>) -> Terms {
        let terms = Terms {
            since: change(cx, binding.since.as_ref()),
            until: change(cx, binding.until.as_ref()),
            only: only(cx, binding, switches),
        };
        if let (Some(since), Some(until)) = (terms.since, terms.until)
            && let (Some(begun), Some(ended)) = (since.to, until.from)
            && begun > ended
            && let Some(at) = &binding.until
        {
            cx.error(&at.span, "the rule ends before it begins");
        }
        terms
    }

    /// Whether the binding holds on a day, with these values of the switches.
    pub(crate) fn on(&self, day: Day, values: &IndexMap<String, String>) -> Verdict {
        let mut certainty = match holds(self.since, self.until, day) {
            Holds::No => return Verdict::Date,
            Holds::Yes => Certainty::Certain,
            Holds::Undecided => Certainty::Undecided,
        };
        for (switch, patterns) in &self.only {
            let value = values.get(switch).map_or(ANY, String::as_str);
            if value == ANY {
                certainty = Certainty::Undecided;
            } else if !patterns.iter().any(|pattern| glob(pattern, value)) {
                return Verdict::Switch(switch.clone());
            }
        }
        Verdict::Holds(certainty)
    }
}

fn change(cx: &mut Cx<'_>, at: Option<&At<String>>) -> Option<Change> {
    let at = at?;
    match at.value.parse() {
        Ok(change) => Some(change),
        Err(message) => {
            cx.error(&at.span, message);
            None
        }
    }
}

fn only(cx: &mut Cx<'_>, binding: &BindingFile, switches: &IndexMap<&str, Switch<'_>>) -> Vec<(String, Vec<String>)> {
    let mut only = Vec::new();
    for (key, raw) in &binding.only.0 {
        let Some(switch) = switches.get(key.value.as_str()) else {
            let message = format!("unknown switch `{}`", key.value);
            let error = ProfileError::at(cx.file, &key.span, message);
            cx.errors.push(error.near(&key.value, switches.keys().copied()));
            continue;
        };
        let mut patterns = Vec::new();
        for word in cx.words(raw) {
            pattern(cx, word, &key.value, *switch);
            patterns.push(word.text.to_owned());
        }
        only.push((key.value.clone(), patterns));
    }
    only
}

fn pattern(cx: &mut Cx<'_>, word: Word<'_>, name: &str, switch: Switch<'_>) {
    let at = |message: String| ProfileError::at(word.file, word.span, message);
    if word.text == ANY {
        let error = at(format!("`{ANY}` means that the switch `{name}` is not set"));
        cx.errors.push(error.hint("leave the condition out if the value does not matter"));
    } else if !word.text.contains('*') && !switch.words().any(|value| glob(value, word.text)) {
        let error = at(format!("`{}` is no value of the switch `{name}`", word.text)).and(switch.file, &switch.values.span, "the values");
        cx.errors.push(error.near(word.text, switch.words()));
    }
}

/// Whether a text fits a pattern in which `*` stands for anything.
pub(crate) fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (pattern, text, fits) in [
            ("gamma-4", "gamma-4", true),
            ("gamma-4", "gamma-4o", false),
            ("gamma-4*", "gamma-4o", true),
            ("*-4", "gamma-4", true),
            ("g*4", "g4", true),
            ("g*4", "g4x", false),
            ("a*b*c", "a-b-b-c", true),
            ("ab*ba", "aba", false),
            ("*", "", true),
        ] {
            assert_eq!(glob(pattern, text), fits, "{pattern} {text}");
        }
    }
}
