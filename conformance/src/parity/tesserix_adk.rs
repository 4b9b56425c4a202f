//! Calls of tesserix_adk, and what stands for them here.
//!
//! What it derives of a Python type is a schema in the record, which goes the same way here; a function becomes the Rust type of its arguments.

use schemalect::{
    CanonicalForm, CapabilityError, DeclareError, Dialect, SchemaGenerationError, SchemaOptions, Surface, declare, schema_for_with,
    schema_hash_in,
};
use serde_json::{Value, json};

use super::record::Record;
use super::{Adaptor, Answer, profiles, surface};

/// Each call, with what answers it.
pub(super) const CALLS: &[(&str, Adaptor)] =
    &[("schema_for", derived), ("derive", derived), ("schema_hash", hashed), ("schema_hash_of", hash_of_derived)];

fn derived(record: &Record) -> Result<Answer, String> {
    Ok(match derive(record)? {
        Ok(schema) => Answer { output: Some(schema), ..Answer::default() },
        Err(DeclareError::Generation(error)) => Answer { raised: Some(generation(&error)), ..Answer::default() },
        Err(DeclareError::Capability(error)) => Answer { raised: Some(capability(&error)), ..Answer::default() },
    })
}

fn hashed(record: &Record) -> Result<Answer, String> {
    Ok(Answer { output: Some(schema_hash_in(&record.input, CanonicalForm::Ascii).into()), ..Answer::default() })
}

fn hash_of_derived(record: &Record) -> Result<Answer, String> {
    let schema = derive(record)?.map_err(|error| error.to_string())?;
    Ok(Answer { output: Some(schema_hash_in(&schema, CanonicalForm::Ascii).into()), ..Answer::default() })
}

fn derive(record: &Record) -> Result<Result<Value, DeclareError>, String> {
    let dialect = dialect(record)?;
    let exclude: Vec<&str> =
        record.options.get("exclude").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let most = record.options.get("max_bytes").and_then(Value::as_u64);
    let max_bytes = most.map(usize::try_from).transpose().map_err(|error| error.to_string())?;
    let options = SchemaOptions { exclude: &exclude, max_bytes, dialect: Some(&*dialect) };
    let name = record.of_type.as_deref().unwrap_or_default();
    match (&record.input, types::of(&record.id)) {
        (Value::Null, Some(of)) => Ok(of(&options)),
        (Value::Null, None) => Err("no Rust type stands for the function".to_owned()),
        (schema, _) => Ok(declare(name, schema, &options)),
    }
}

/// The dialect that was asked for.
fn dialect(record: &Record) -> Result<Box<dyn Dialect>, String> {
    let target = record.target.as_deref().unwrap_or("json-schema");
    if let Some(always) = record.options.get("always") {
        return Ok(Box::new(Rewriting(always.clone())));
    }
    Ok(Box::new(match record.options.get("max_depth") {
        Some(depth) => shallow(target, depth)?,
        None => surface(target)?,
    }))
}

/// The profile with another depth, as a user would write it.
fn shallow(target: &str, depth: &Value) -> Result<Surface, String> {
    let text = format!("profile: {target}-{depth}\ntitle: another depth\nextends: {target}\nfacts: {{ deepest: {depth} }}\n");
    let own = profiles()?.with_text(&format!("{target}-{depth}.yaml"), &text).map_err(|error| error.to_string())?;
    own.resolve(&format!("{target}-{depth}"), &super::last()).map_err(|error| error.to_string())
}

/// Writes something else for one property.
struct Rewriting(Value);

impl Dialect for Rewriting {
    fn name(&self) -> &str {
        "rewriting"
    }

    fn adapt(&self, mut schema: Value) -> Result<Value, CapabilityError> {
        schema["properties"]["always"] = self.0.clone();
        Ok(schema)
    }
}

fn generation(error: &SchemaGenerationError) -> Value {
    json!({"type": "SchemaGenerationError", "message": error.to_string(), "field": error.field()})
}

fn capability(error: &CapabilityError) -> Value {
    // A profile with another depth is known by the name of what it extends.
    let dialect = error.dialect.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('-');
    let mut details = json!({"dialect": dialect});
    match (&error.definition, error.limit) {
        (Some(definition), limit) => {
            details["type"] = definition.as_ref().into();
            if let Some(limit) = limit {
                details["depth"] = limit.to_string().into();
            }
        }
        (None, _) => {
            details["keyword"] = error.keyword.as_deref().into();
            details["path"] = error.path.as_ref().into();
        }
    }
    json!({"type": "CapabilityError", "message": error.to_string(), "details": details})
}

/// The arguments of the functions, as Rust has them.
mod types {
    #![allow(dead_code)]

    use std::collections::HashMap;

    use schemalect::schemars::{self, JsonSchema};
    use serde::Deserialize;

    use super::{DeclareError, SchemaOptions, Value, declare, json, schema_for_with};

    type Of = fn(&SchemaOptions<'_>) -> Result<Value, DeclareError>;

    pub(super) fn of(id: &str) -> Option<Of> {
        Some(match id {
            "tx-006" => schema_for_with::<Find>,
            "tx-011" => |options| declare("3", &json!(3), options),
            "tx-012" => |options| declare("None", &Value::Null, options),
            "tx-017" => schema_for_with::<Typed>,
            "tx-021" => schema_for_with::<Variadic>,
            "tx-022" => schema_for_with::<WithContext>,
            "tx-069" => schema_for_with::<Bare>,
            "tx-070" => schema_for_with::<Named>,
            "tx-071" => schema_for_with::<Listed>,
            "tx-084" => schema_for_with::<WithOperation>,
            "tx-085" => schema_for_with::<WithSocket>,
            "tx-089" => schema_for_with::<Underscored>,
            _ => return None,
        })
    }

    /// Find a flight.
    ///
    /// Args:
    ///     origin: From.
    ///     destination: To.
    #[derive(Deserialize, JsonSchema)]
    struct Find {
        origin: String,
        destination: String,
        #[serde(default = "one")]
        nights: i64,
    }

    fn one() -> i64 {
        1
    }

    /// Do it.
    ///
    /// Args:
    ///     a: first
    ///     b (int): second
    ///     mode: one of
    ///         fast: quick
    #[derive(JsonSchema)]
    struct Typed {
        a: String,
        b: i64,
        mode: String,
    }

    #[derive(JsonSchema)]
    #[schemars(rename = "f")]
    struct Variadic {
        a: String,
        args: Vec<i64>,
        kw: HashMap<String, i64>,
    }

    #[derive(JsonSchema)]
    #[schemars(rename = "f")]
    struct WithContext {
        city: String,
        ctx: Value,
    }

    #[derive(JsonSchema)]
    #[schemars(rename = "f")]
    struct Bare {
        origin: Value,
        destination: String,
    }

    #[derive(JsonSchema)]
    #[schemars(rename = "f")]
    struct Named {
        origin: String,
        rest: HashMap<String, Value>,
    }

    #[derive(JsonSchema)]
    #[schemars(rename = "f")]
    struct Listed {
        origin: String,
        rest: Vec<Value>,
    }

    #[derive(JsonSchema)]
    #[schemars(rename = "f")]
    struct WithOperation {
        a: i64,
        s: Value,
    }

    #[derive(JsonSchema)]
    #[schemars(rename = "f")]
    struct WithSocket {
        sock: Value,
    }

    #[derive(JsonSchema)]
    #[schemars(rename = "f")]
    struct Underscored {
        _x: String,
        y: String,
    }
}
