//! Why a type has no schema that a model can be told: something of the type, or something of the dialect.
//!
//! Both are seen where the type is declared, before any call, and asking again changes nothing.

use std::fmt;

use schemalect_engine::Kw;
use schemalect_engine::keyword::DEFINITIONS;
use schemalect_engine::spelling::PathStyle;
use serde_json::Value;

/// Why [`declare`](super::declare) and `schema_for` fail.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclareError {
    /// The type says too little, or too much.
    #[error(transparent)]
    Generation(#[from] SchemaGenerationError),
    /// The dialect cannot say what the type needs.
    #[error(transparent)]
    Capability(#[from] CapabilityError),
}

/// The type itself has no schema that is worth telling.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} (in {dialect})", shortcoming.of(.type_name))]
pub struct SchemaGenerationError {
    /// The type's name.
    pub type_name: String,
    /// The dialect's name.
    pub dialect: String,
    /// What is wrong with it.
    pub shortcoming: Shortcoming,
}

/// What is wrong with a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shortcoming {
    /// A value that has to be there may be anything.
    Untyped {
        /// The name of the field that holds it; empty at the root.
        field: Box<str>,
        /// Where the value stands in the schema, as a JSON Pointer.
        path: Box<str>,
        /// The same as the dialect writes places.
        place: Box<str>,
    },
    /// The schema has more bytes than are allowed.
    TooLarge {
        /// Bytes of the schema as it would be sent.
        bytes: usize,
        /// Bytes that are allowed.
        most: usize,
    },
    /// What was given is no schema.
    NoSchema {
        /// What it is.
        what: &'static str,
    },
}

impl SchemaGenerationError {
    /// The field that it is about, where it is about one.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match &self.shortcoming {
            Shortcoming::Untyped { field, .. } => Some(&**field).filter(|f| !f.is_empty()),
            _ => None,
        }
    }
}

impl Shortcoming {
    /// What it says of a type.
    fn of(&self, type_name: &str) -> String {
        match self {
            Shortcoming::Untyped { field, path, place } => {
                let what = if field.is_empty() { format!("{}the type itself", of_type(type_name)) } else { full(type_name, path) };
                let place = if path.is_empty() { "the root" } else { place };
                format!("{what} takes any value at {place}, so that no answer would be wrong; give it a type, or make the field optional")
            }
            Shortcoming::TooLarge { bytes, most } => {
                let of = of_type(type_name);
                format!("{of}the schema has {bytes} bytes and {most} are allowed; describe fewer fields, or split the tool")
            }
            Shortcoming::NoSchema { what } => format!("{}{what} is no schema; give an object, or true or false", of_type(type_name)),
        }
    }
}

/// The field with all that it stands in: `` `Type.field` ``, or from the definition on.
fn full(type_name: &str, path: &str) -> String {
    let names = PathStyle::Names.write(path);
    let defined = path.split('/').nth(1).and_then(Kw::of).is_some_and(|kw| DEFINITIONS.has(kw));
    let root = if defined || type_name.is_empty() { "" } else { type_name };
    format!("`{root}{}{names}`", if root.is_empty() || names.starts_with('[') { "" } else { "." })
}

/// A dialect has no words for what the type needs. Nothing is rewritten into something looser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CapabilityError {
    /// The type's name; filled in by [`declare`](super::declare).
    pub type_name: Box<str>,
    /// The dialect's name.
    pub dialect: Box<str>,
    /// The keyword that it does not take, where it is one.
    pub keyword: Option<Box<str>>,
    /// The definition that cannot be written out, where that is it.
    pub definition: Option<Box<str>>,
    /// The limit that was exceeded, where there is one.
    pub limit: Option<u32>,
    /// Where in the adapted schema, as a JSON Pointer to the schema that holds the keyword.
    pub path: Box<str>,
    /// The same as the dialect writes places; filled in by [`declare`](super::declare).
    pub place: Box<str>,
    /// What is wrong, in a few words.
    pub reason: Box<str>,
}

impl fmt::Display for CapabilityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CapabilityError { type_name, dialect, keyword, definition, limit, path, place, reason } = self;
        let place = [place, path].into_iter().find(|place| !place.is_empty()).map_or("the root", |place| place);
        write!(f, "{}{dialect} cannot say this", of_type(type_name))?;
        if let Some(keyword) = keyword {
            write!(f, ", which needs `{keyword}`")?;
        }
        write!(f, " at {place}: {reason}")?;
        match (definition, limit) {
            (Some(definition), Some(limit)) => write!(f, " ({definition}, limit {limit})"),
            (Some(definition), None) => write!(f, " ({definition})"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for CapabilityError {}

fn of_type(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("{name}: ") }
}

pub(super) fn noun(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
