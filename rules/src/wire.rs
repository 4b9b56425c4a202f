//! Where the parts of a tool stand in a request.

use indexmap::IndexMap;
use serde_json::Value;

use crate::bind::Effective;
use crate::error::{Errors, File, ProfileError, Span};
use crate::yaml::{At, Pairs, Raw};

/// Where the parts of a tool stand in a request, as JSON Pointers. One through `-` leads into a list that all tools share.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// The tool's name; a response format may have none.
    pub name: Option<String>,
    /// Its description; a response format may have none.
    pub description: Option<String>,
    /// Its schema.
    pub schema: String,
    /// Whether the schema is sent as JSON text.
    pub text: bool,
    /// What every tool carries besides.
    pub constants: Vec<(String, Value)>,
    /// What the request carries beside the list of tools, as pointers into it.
    pub request: Vec<(String, Value)>,
    /// What the request takes besides, from tools that have it.
    pub keeps: Vec<String>,
    /// Those of them that hold lists of arguments, which are written as the model would write them.
    pub arguments: Vec<String>,
}

/// How a schema is sent: as JSON, or as text that holds it.
const FORMS: [&str; 2] = ["json", "text"];

impl Wire {
    /// Joins the `wire` of a profile and its ancestors, field by field; null takes back what an ancestor says.
    pub(crate) fn of(profile: &Effective<'_>, errors: &mut Errors) -> Option<Wire> {
        let (mut name, mut description, mut schema, mut text) = (None, None, None, false);
        let (mut constants, mut request) = (IndexMap::new(), IndexMap::new());
        let (mut keeps, mut arguments): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut last = None;
        for entry in &profile.chain {
            let Some(at) = &entry.profile.wire else {
                continue;
            };
            last = Some((&entry.file, &at.span));
            let wire = &at.value;
            for (field, written) in [(&mut name, &wire.name), (&mut description, &wire.description)] {
                if let Some(at) = written {
                    *field = Some(pointer_or_null(at, &entry.file, errors));
                }
            }
            if let Some(at) = &wire.schema {
                check_pointer(&at.value, &at.span, &entry.file, errors);
                schema = Some(at.value.clone());
            }
            if let Some(at) = &wire.schema_as {
                text = at.value == FORMS[1];
                if !FORMS.contains(&at.value.as_str()) {
                    let error = ProfileError::at(&entry.file, &at.span, format!("unknown word `{}`", at.value));
                    errors.push(error.near(&at.value, FORMS));
                }
            }
            for (list, written) in [(&mut keeps, &wire.keeps), (&mut arguments, &wire.arguments)] {
                if let Some(at) = written {
                    at.value.iter().for_each(|p| check_pointer(&p.value, &p.span, &entry.file, errors));
                    *list = at.value.iter().map(|p| p.value.clone()).collect();
                }
            }
            for (values, written) in [(&mut constants, &wire.constants), (&mut request, &wire.request)] {
                join(values, written, &entry.file, errors);
            }
        }
        let (file, span) = last?;
        for (lacks, word) in [(name.is_none(), "name"), (description.is_none(), "description"), (schema.is_none(), "schema")] {
            if lacks {
                errors.push(ProfileError::at(file, span, format!("`wire` lacks `{word}`")));
            }
        }
        let (constants, request) = (constants.into_iter().collect(), request.into_iter().collect());
        let wire = Wire { name: name?, description: description?, schema: schema?, text, constants, request, keeps, arguments };
        let list = wire.list();
        if let Some(other) = wire.pointers().find(|p| list_of(p) != list) {
            let message = format!("`{other}` and `{}` do not lead into the same list of tools", wire.schema);
            errors.push(ProfileError::at(file, span, message).hint("let all pointers begin alike up to `/-/`, or none have it"));
        }
        Some(wire)
    }

    /// The pointer of the list that all tools share, where there is one.
    #[must_use]
    pub fn list(&self) -> Option<&str> {
        list_of(&self.schema)
    }

    /// A pointer from the tool's own entry of that list on.
    #[must_use]
    pub fn own<'p>(&self, pointer: &'p str) -> &'p str {
        let below = self.list().and_then(|list| pointer.strip_prefix(list)).and_then(|p| p.strip_prefix("/-"));
        below.unwrap_or(pointer)
    }

    fn pointers(&self) -> impl Iterator<Item = &str> {
        let constants = self.constants.iter().map(|(pointer, _)| pointer);
        self.name.iter().chain(&self.description).chain(&self.keeps).chain(&self.arguments).chain(constants).map(String::as_str)
    }
}

/// Adds members that are written as they are; null takes an inherited one back.
fn join(values: &mut IndexMap<String, Value>, written: &Pairs<At<Raw>>, file: &File, errors: &mut Errors) {
    for (pointer, value) in &written.0 {
        check_pointer(&pointer.value, &pointer.span, file, errors);
        if !matches!(value.value, Raw::Null) {
            values.insert(pointer.value.clone(), value.value.to_json());
        } else if values.shift_remove(&pointer.value).is_none() {
            let message = format!("`{}` is no inherited constant", pointer.value);
            let error = ProfileError::at(file, &pointer.span, message);
            errors.push(error.near(&pointer.value, values.keys().map(String::as_str)));
        }
    }
}

fn list_of(pointer: &str) -> Option<&str> {
    pointer.split_once("/-/").map(|(list, _)| list)
}

fn pointer_or_null(at: &At<Raw>, file: &File, errors: &mut Errors) -> Option<String> {
    match &at.value {
        Raw::Text(pointer) => {
            check_pointer(pointer, &at.span, file, errors);
            return Some(pointer.clone());
        }
        Raw::Null => {}
        other => {
            let message = format!("a JSON Pointer or null is needed here, not {}", other.noun());
            errors.push(ProfileError::at(file, &at.span, message).hint("write /function/name"));
        }
    }
    None
}

fn check_pointer(pointer: &str, span: &Span, file: &File, errors: &mut Errors) {
    let escapes = pointer.split('~').skip(1);
    let escaped = escapes.into_iter().all(|t| t.starts_with(['0', '1']));
    if !pointer.starts_with('/') || !escaped {
        errors.push(ProfileError::at(file, span, format!("`{pointer}` is no JSON Pointer")).hint("write /function/name"));
    }
}
