//! How a provider reports what it refuses: how much at once, how it spells paths, how it names a tool.

use std::sync::OnceLock;

use regex::Regex;

use crate::bind::{Effective, ProfileEntry};
use crate::error::{Errors, File, ProfileError};
use crate::yaml::{At, Raw};

/// How the provider reports what it refuses.
#[derive(Clone, Debug, Default)]
pub struct Speaks {
    /// How many defects it reports at once.
    pub reports: Reports,
    /// The spellings of its paths; the first that can be read holds.
    pub paths: Vec<PathForm>,
    /// How a message names a tool, with the groups `index` (from 0), `ordinal` (from 1), `group` (of the list around it, from 0)
    /// and `tool` (its name).
    pub tools: Vec<Pattern>,
    /// What stands in messages of this surface and in none of its siblings'.
    pub signs: Vec<Pattern>,
}

/// How many defects a provider reports at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reports {
    /// The first one.
    First,
    /// Those of the first stage that fails.
    Stage,
    /// All.
    #[default]
    All,
}

pub(crate) const REPORTS: [(&str, Reports); 3] = [("first", Reports::First), ("stage", Reports::Stage), ("all", Reports::All)];

/// How a provider spells the path of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathForm {
    /// `/properties/a/anyOf/0`, with or without `#` before it.
    Pointer,
    /// `$.properties.a.anyOf[0]`.
    JsonPath,
    /// `'properties', 'a', 'anyOf', '0'`.
    PythonTuple,
    /// `properties.a.anyOf.0` or `properties.a.anyOf[0]`.
    Dotted,
    /// As `Dotted`, with the tags of unions among the steps.
    Pydantic,
    /// As `Dotted`, where a number counts from 1 and `member` follows it.
    Member,
    /// `properties[3].value.any_of[0]` by position, or `properties[a].any_of[0]` by name.
    Proto,
    /// `a.b`: the names of properties alone.
    Names,
}

pub(crate) const PATHS: [(&str, PathForm); 8] = [
    ("pointer", PathForm::Pointer),
    ("json-path", PathForm::JsonPath),
    ("python-tuple", PathForm::PythonTuple),
    ("dotted", PathForm::Dotted),
    ("pydantic", PathForm::Pydantic),
    ("member", PathForm::Member),
    ("proto", PathForm::Proto),
    ("names", PathForm::Names),
];

/// A regular expression that is compiled when it is first asked for.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    regex: OnceLock<Option<Regex>>,
}

impl Pattern {
    pub(crate) fn new(text: String) -> Pattern {
        Pattern { text, regex: OnceLock::new() }
    }

    /// As written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Compiled; `None` where it does not compile, which [`crate::Library::check`] reports.
    pub fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| Regex::new(&self.text).ok()).as_ref()
    }
}

impl Speaks {
    /// Joins the `speaks` of a profile and its ancestors, field by field.
    pub(crate) fn of(profile: &Effective<'_>, errors: &mut Errors) -> Speaks {
        let mut speaks = Speaks::default();
        for entry in &profile.chain {
            let Some(file) = &entry.profile.speaks else {
                continue;
            };
            if let Some(at) = &file.reports
                && let Some(reports) = word(at, &entry.file, &REPORTS, errors)
            {
                speaks.reports = reports;
            }
            if let Some(at) = &file.paths {
                speaks.paths = path_forms(at, &entry.file, errors);
            }
            if let Some(at) = &file.tools {
                speaks.tools = patterns(&at.value);
            }
            if let Some(at) = &file.signs {
                speaks.signs = patterns(&at.value);
            }
        }
        speaks
    }
}

/// The groups that name a tool.
const NAMING: [&str; 4] = ["index", "ordinal", "group", "tool"];

pub(crate) fn word<T: Copy>(at: &At<String>, file: &File, table: &[(&'static str, T)], errors: &mut Errors) -> Option<T> {
    let found = table.iter().find(|(word, _)| *word == at.value);
    if found.is_none() {
        let error = ProfileError::at(file, &at.span, format!("unknown word `{}`", at.value));
        errors.push(error.near(&at.value, table.iter().map(|(word, _)| *word)));
    }
    found.map(|(_, meaning)| *meaning)
}

/// One spelling, or a list of them.
pub(crate) fn path_forms(at: &At<Raw>, file: &File, errors: &mut Errors) -> Vec<PathForm> {
    let items = match &at.value {
        Raw::List(items) => items.as_slice(),
        _ => std::slice::from_ref(at),
    };
    let mut forms = Vec::new();
    for item in items {
        match &item.value {
            Raw::Text(text) => {
                let text = At { value: text.clone(), span: item.span.clone() };
                forms.extend(word(&text, file, &PATHS, errors));
            }
            other => {
                let message = format!("`paths` takes a word or a list of words, not {}", other.noun());
                errors.push(ProfileError::at(file, &item.span, message));
            }
        }
    }
    forms
}

fn patterns(list: &[At<String>]) -> Vec<Pattern> {
    list.iter().map(|at| Pattern::new(at.value.clone())).collect()
}

/// Checks the patterns that a profile itself writes.
pub(crate) fn check(entry: &ProfileEntry, errors: &mut Errors) {
    let Some(speaks) = &entry.profile.speaks else { return };
    for (list, groups) in [(&speaks.tools, NAMING.as_slice()), (&speaks.signs, &[])] {
        for at in list.iter().flat_map(|list| &list.value) {
            let wrong = |message: String| ProfileError::at(&entry.file, &at.span, message);
            let regex = match Regex::new(&at.value).map_err(|error| why_not(&error)) {
                Ok(regex) => regex,
                Err(message) => {
                    errors.push(wrong(message));
                    continue;
                }
            };
            for group in regex.capture_names().flatten().filter(|group| !groups.contains(group)) {
                errors.push(wrong(format!("unknown group `{group}`")).near(group, groups.iter().copied()));
            }
            let names = |group: &str| group != "group" && NAMING.contains(&group);
            if !groups.is_empty() && !regex.capture_names().flatten().any(names) {
                let hint = r"give it a group `index`, `ordinal` or `tool`, such as `tools\[(?<index>\d+)\]`";
                errors.push(wrong("the pattern names no tool".to_owned()).hint(hint));
            }
        }
    }
}

/// What is wrong with a regular expression.
pub(crate) fn why_not(error: &regex::Error) -> String {
    let error = error.to_string();
    let reason = error.lines().last().unwrap_or_default();
    format!("the regular expression does not compile: {}", reason.trim_start_matches("error: "))
}

impl PathForm {
    /// The word used in files.
    #[must_use]
    pub fn word(self) -> &'static str {
        let word = PATHS.iter().find(|(_, form)| *form == self);
        word.map_or("", |(word, _)| *word)
    }
}

impl Reports {
    /// The word used in files.
    #[must_use]
    pub fn word(self) -> &'static str {
        let word = REPORTS.iter().find(|(_, reports)| *reports == self);
        word.map_or("", |(word, _)| *word)
    }
}
