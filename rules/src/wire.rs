//! Where the parts of a tool stand in a request, and how the provider reports.

use indexmap::IndexMap;
use serde_json::Value;

use crate::bind::Effective;
use crate::error::{Errors, File, ProfileError};
use crate::yaml::At;

/// Where the parts of a tool stand in a request, as JSON Pointers.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// The tool's name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its schema.
    pub schema: String,
    /// The flag that asks for strictness, if the provider has one.
    pub strict: Option<String>,
    /// What else a tool carries.
    pub constants: Vec<(String, Value)>,
}

/// How the provider reports what it refuses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speaks {
    /// How many defects it reports at once.
    pub reports: Reports,
    /// The spelling of its paths.
    pub paths: Option<String>,
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

const REPORTS: [(&str, Reports); 3] = [("first", Reports::First), ("stage", Reports::Stage), ("all", Reports::All)];

impl Wire {
    /// Joins the `wire` of a profile and its ancestors, field by field.
    pub(crate) fn of(profile: &Effective<'_>, errors: &mut Errors) -> Option<Wire> {
        let mut fields: [Option<String>; 4] = Default::default();
        let mut constants = IndexMap::new();
        let mut last = None;
        for entry in &profile.chain {
            let Some(at) = &entry.profile.wire else {
                continue;
            };
            last = Some((&entry.file, &at.span));
            let wire = &at.value;
            let written = [&wire.name, &wire.description, &wire.schema, &wire.strict];
            for (field, pointer) in fields.iter_mut().zip(written) {
                if let Some(at) = pointer {
                    check_pointer(at, &entry.file, errors);
                    *field = Some(at.value.clone());
                }
            }
            for (pointer, value) in &wire.constants.0 {
                check_pointer(pointer, &entry.file, errors);
                constants.insert(pointer.value.clone(), value.value.to_json());
            }
        }
        let (file, span) = last?;
        let [name, description, schema, strict] = fields;
        let mut need = |field: Option<String>, word: &str| {
            if field.is_none() {
                errors.push(ProfileError::at(file, span, format!("`wire` lacks `{word}`")));
            }
            field
        };
        let name = need(name, "name");
        let description = need(description, "description");
        let schema = need(schema, "schema");
        Some(Wire { name: name?, description: description?, schema: schema?, strict, constants: constants.into_iter().collect() })
    }
}

fn check_pointer(at: &At<String>, file: &File, errors: &mut Errors) {
    let pointer = &at.value;
    let escapes = pointer.split('~').skip(1);
    let escaped = escapes.into_iter().all(|t| t.starts_with(['0', '1']));
    if !pointer.starts_with('/') || !escaped {
        errors.push(ProfileError::at(file, &at.span, format!("`{pointer}` is no JSON Pointer")).hint("write /function/name"));
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
            if let Some(at) = &file.reports {
                match REPORTS.iter().find(|(word, _)| *word == at.value) {
                    Some((_, reports)) => speaks.reports = *reports,
                    None => {
                        let message = format!("unknown word `{}`", at.value);
                        let error = ProfileError::at(&entry.file, &at.span, message);
                        errors.push(error.near(&at.value, REPORTS.iter().map(|(word, _)| *word)));
                    }
                }
            }
            if let Some(at) = &file.paths {
                speaks.paths = Some(at.value.clone());
            }
        }
        speaks
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
