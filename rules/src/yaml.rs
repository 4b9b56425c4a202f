//! YAML text to typed values with places; the only file that knows the YAML crate.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_yaml::options::MergeKeyPolicy;
use serde_yaml::{Error, Location, Spanned};

use crate::error::{Errors, File, ProfileError, Span};
use crate::form::{self, Form};

/// Reads one document; what is not of the form is reported, and what there is besides is read all the same.
pub(crate) fn read<T: DeserializeOwned>(file: &File, form: Option<&Form>, errors: &mut Errors) -> Option<T> {
    let mut slips = Errors::default();
    match form.map(|form| (form, parse::<At<Raw>>(file))) {
        Some((form, Ok(raw))) => form::check(form, &raw, file, &mut slips),
        Some((_, Err(error))) => {
            errors.push(error);
            return None;
        }
        None => {}
    }
    let value = parse::<T>(file);
    if let Err(error) = &value
        && slips.is_empty()
    {
        slips.push(error.clone());
    }
    errors.extend(slips.into_vec());
    value.ok()
}

/// Values may be nested so deeply: what a small stack holds without optimisation.
const DEEPEST: usize = 32;

/// A file may have so many bytes.
const LARGEST: usize = 4 << 20;

fn parse<T: DeserializeOwned>(file: &File) -> Result<T, ProfileError> {
    if file.text.len() > LARGEST {
        let message = format!("the file has {} bytes, and more than {LARGEST} are not read", file.text.len());
        return Err(ProfileError::at(file, &(0..0), message));
    }
    let options = serde_yaml::options! {
        strict_booleans: true,
        merge_keys: MergeKeyPolicy::Error,
        with_snippet: false,
        budget: serde_yaml::budget! { max_depth: DEEPEST },
    };
    serde_yaml::from_str_with_options(&file.text, options).map_err(|error| explain(file, &error))
}

fn explain(file: &File, error: &Error) -> ProfileError {
    let error = error.without_snippet();
    let span = error.location().map_or(0..0, |l| span(&file.text, l));
    let at = |message: String| ProfileError::at(file, &span, message);
    match error {
        Error::SerdeUnknownField { field, expected, .. } => at(format!("unknown field `{field}`")).near(field, expected.iter().copied()),
        Error::SerdeMissingField { field, .. } => at(format!("`{field}` is missing")),
        Error::DuplicateMappingKey { key: Some(key), .. } => at(format!("`{key}` stands twice in one map")),
        Error::NullIntoString { .. } => at("a text is needed here, not null".into()).hint("write \"null\" in quotes if the word is meant"),
        Error::MergeKeyNotAllowed { .. } => at("`<<` is not part of the language".into()),
        Error::MultipleDocuments { .. } => {
            at("a second document begins here".into()).hint("a file holds one; put the other into a file of its own")
        }
        Error::NonFiniteFloat { .. } => at("a number must be finite".into()),
        Error::SerdeInvalidType { unexpected, expected, .. } => at(format!("{expected} is needed here, not {unexpected}")),
        other => {
            let message = plain(&other.to_string());
            if let Some(beyond) = beyond(&message) {
                return at(beyond.to_owned());
            }
            match indenting_tab(&file.text, span.start).filter(|_| message.contains("tab")) {
                Some(tab) => {
                    ProfileError::at(file, &(tab..tab.saturating_add(1)), "a tab indents this line").hint("YAML is indented with spaces")
                }
                None => at(message),
            }
        }
    }
}

/// What goes beyond the limits of the reader, which tells them in words of its own, an alias within others.
fn beyond(told: &str) -> Option<&'static str> {
    match told {
        _ if told.contains("breached: Depth") || told.contains("recursion limit") => Some("values are nested too deeply"),
        _ if told.contains("breached") => Some("the file holds too many values; what an alias stands for counts each time"),
        _ => None,
    }
}

/// The first tab at the beginning of a line, from the line of this place on.
fn indenting_tab(text: &str, from: usize) -> Option<usize> {
    let start = text.get(..from)?.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let mut at = start;
    for line in text.get(start..)?.split_inclusive('\n') {
        let indent = line.len().saturating_sub(line.trim_start_matches([' ', '\t']).len());
        if let Some(tab) = line.find('\t').filter(|tab| *tab < indent) {
            return Some(at.saturating_add(tab));
        }
        at = at.saturating_add(line.len());
    }
    None
}

/// The message without the place, which is shown anyway.
fn plain(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(before, _)| before).to_owned()
}

fn span(text: &str, location: Location) -> Span {
    let span = location.span();
    let at = |n: Option<u64>| n.and_then(|n| usize::try_from(n).ok());
    match (at(span.byte_offset()), at(span.byte_len())) {
        (Some(start), Some(len)) => {
            let end = start.saturating_add(text.get(start..start.saturating_add(len)).map_or(0, |t| t.trim_end().len()));
            start..end
        }
        _ => {
            let start = offset(text, location.line(), location.column());
            start..start
        }
    }
}

fn offset(text: &str, line: u64, column: u64) -> usize {
    let skip = usize::try_from(line).unwrap_or(1).saturating_sub(1);
    let column = usize::try_from(column).unwrap_or(1).saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(skip).map(str::len).sum();
    let line = text.get(start..).and_then(|t| t.split('\n').next()).unwrap_or_default();
    start.saturating_add(line.chars().take(column).map(char::len_utf8).sum::<usize>())
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct At<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(deserializer)?;
        let place = spanned.referenced.span();
        let at = |n: Option<u64>| n.and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let start = at(place.byte_offset());
        Ok(At { value: spanned.value, span: start..start.saturating_add(at(place.byte_len())) })
    }
}

/// Any YAML value, with the places of all its parts.
#[derive(Clone, Debug)]
pub(crate) enum Raw {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<At<Raw>>),
    Map(Pairs<At<Raw>>),
}

/// The entries of a map, in order.
#[derive(Clone, Debug)]
pub(crate) struct Pairs<T>(pub(crate) Vec<(At<String>, T)>);

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Pairs(Vec::new())
    }
}

impl<T> Pairs<T> {
    pub(crate) fn get(&self, key: &str) -> Option<&(At<String>, T)> {
        self.0.iter().find(|(k, _)| k.value == key)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|(k, _)| k.value.as_str())
    }
}

impl Raw {
    /// What it is, for messages.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Raw::Null => "null",
            Raw::Bool(_) => "a boolean",
            Raw::Number(_) => "a number",
            Raw::Text(_) => "a text",
            Raw::List(_) => "a list",
            Raw::Map(_) => "a map",
        }
    }

    /// The same value as JSON.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Raw::Null => Value::Null,
            Raw::Bool(b) => Value::Bool(*b),
            Raw::Number(n) => Value::Number(n.clone()),
            Raw::Text(t) => Value::String(t.clone()),
            Raw::List(items) => items.iter().map(|i| i.value.to_json()).collect(),
            Raw::Map(pairs) => Value::Object(pairs.to_json()),
        }
    }

    /// A JSON value as if it had stood in a file at `span`.
    pub(crate) fn from_json(value: &Value, span: &Span) -> At<Raw> {
        let value = match value {
            Value::Null => Raw::Null,
            Value::Bool(b) => Raw::Bool(*b),
            Value::Number(n) => Raw::Number(n.clone()),
            Value::String(t) => Raw::Text(t.clone()),
            Value::Array(items) => Raw::List(items.iter().map(|i| Raw::from_json(i, span)).collect()),
            Value::Object(map) => Raw::Map(Pairs::from_json(map, span)),
        };
        At { value, span: span.clone() }
    }
}

impl Pairs<At<Raw>> {
    pub(crate) fn to_json(&self) -> Map<String, Value> {
        let entry = |(k, v): &(At<String>, At<Raw>)| (k.value.clone(), v.value.to_json());
        self.0.iter().map(entry).collect()
    }

    pub(crate) fn from_json(map: &Map<String, Value>, span: &Span) -> Pairs<At<Raw>> {
        let key = |k: &String| At { value: k.clone(), span: span.clone() };
        Pairs(map.iter().map(|(k, v)| (key(k), Raw::from_json(v, span))).collect())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PairsVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for PairsVisitor<T> {
            type Value = Pairs<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RawVisitor;

        impl<'de> Visitor<'de> for RawVisitor {
            type Value = Raw;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Raw, E> {
                Ok(Raw::Null)
            }

            fn visit_none<E>(self) -> Result<Raw, E> {
                Ok(Raw::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
                Ok(Raw::Bool(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
                Ok(Raw::Number(value.into()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
                Ok(Raw::Number(value.into()))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Raw, E> {
                let number = Number::from_f64(value).map(Raw::Number);
                number.ok_or_else(|| E::custom("a number must be finite"))
            }

            fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
                Ok(Raw::Text(value.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Raw, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Raw::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Raw::Map(Pairs(pairs)))
            }
        }

        deserializer.deserialize_any(RawVisitor)
    }
}
