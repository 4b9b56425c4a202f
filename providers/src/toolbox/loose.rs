//! The loose reading of an imported schema: what a simple client can judge of arguments without understanding the schema.

use schemalect_engine::attr::Types;
use serde_json::{Map, Value, json};

/// What a loose reader makes of a schema: the root's properties by their types alone.
///
/// | a property | is read as |
/// |---|---|
/// | a string with an enum of strings | one of these |
/// | string, integer, number, boolean | that type |
/// | one of these or null, as a list of types or as a union | that type or null |
/// | array, object | a list or an object of anything |
/// | anything else: `oneOf`, `allOf`, `$ref`, no type, several types | anything |
///
/// Required properties are required; others than the declared ones are refused unless the root says something of `additionalProperties`.
///
/// ```
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "required": ["q"], "properties": {
///     "q": {"type": "string", "minLength": 3}, "n": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, "x": {"oneOf": []}}});
/// assert_eq!(schemalect::toolbox::loose_schema(&schema), json!({"type": "object", "properties": {
///     "q": {"type": "string"}, "n": {"type": ["integer", "null"]}, "x": {}}, "required": ["q"], "additionalProperties": false}));
/// ```
#[must_use]
pub fn loose_schema(schema: &Value) -> Value {
    let empty = Map::new();
    let root = schema.as_object().unwrap_or(&empty);
    let properties = root.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let properties: Map<String, Value> = properties.iter().map(|(name, property)| (name.clone(), loose(property))).collect();
    let required: Vec<&Value> =
        root.get("required").and_then(Value::as_array).into_iter().flatten().filter(|name| name.is_string()).collect();
    let others = match root.get("additionalProperties") {
        Some(Value::Bool(open)) => Value::Bool(*open),
        Some(_) => Value::Bool(true),
        None => Value::Bool(false),
    };
    let mut out = Map::new();
    out.insert("type".to_owned(), json!("object"));
    out.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        out.insert("required".to_owned(), json!(required));
    }
    out.insert("additionalProperties".to_owned(), others);
    Value::Object(out)
}

fn loose(schema: &Value) -> Value {
    read(schema).unwrap_or_else(|| json!({}))
}

/// The loose reading where it says something.
fn read(schema: &Value) -> Option<Value> {
    let members = schema.as_object()?;
    if ["$ref", "$dynamicRef", "oneOf", "allOf"].iter().any(|key| members.contains_key(*key)) {
        return None;
    }
    let unions = members.get("anyOf");
    if let Some(branches) = unions {
        let is_null = |branch: &&Value| branch.get("type") == Some(&json!("null"));
        let (nulls, others): (Vec<&Value>, Vec<&Value>) = branches.as_array()?.iter().partition(is_null);
        return match others[..] {
            [only] if !nulls.is_empty() => or_null(read(only)?),
            _ => None,
        };
    }
    match members.get("type")? {
        Value::String(name) => of_type(name, members),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            match names.iter().filter(|name| **name != "null").collect::<Vec<_>>()[..] {
                [only] if names.len() > 1 => or_null(of_type(only, members)?),
                [only] => of_type(only, members),
                _ => None,
            }
        }
        _ => None,
    }
}

fn of_type(name: &str, members: &Map<String, Value>) -> Option<Value> {
    let known = Types::WORDS.iter().any(|(word, types)| *word == name && *types != Types::NULL);
    let literals = members.get("enum").and_then(Value::as_array).filter(|list| name == "string" && list.iter().all(Value::is_string));
    match literals {
        Some(literals) => Some(json!({"type": "string", "enum": literals})),
        None => known.then(|| json!({"type": name})),
    }
}

/// The reading of a primitive that may be null as well.
fn or_null(reading: Value) -> Option<Value> {
    let name = reading.get("type")?.as_str().filter(|name| !matches!(*name, "array" | "object"))?.to_owned();
    let literals = reading.get("enum").and_then(Value::as_array);
    Some(match literals {
        Some(literals) => json!({"type": [name, "null"], "enum": literals.iter().chain([&Value::Null]).collect::<Vec<_>>()}),
        None => json!({"type": [name, "null"]}),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings() {
        let check = |schema: Value, expected: Value| assert_eq!(loose(&schema), expected, "{schema}");
        check(json!({"type": "string", "enum": ["a", "b"], "pattern": "x"}), json!({"type": "string", "enum": ["a", "b"]}));
        check(json!({"type": "integer", "enum": [1, 2]}), json!({"type": "integer"}));
        check(json!({"type": "array", "items": {"type": "string"}}), json!({"type": "array"}));
        check(json!({"type": ["object", "null"]}), json!({}));
        check(json!({"type": ["string", "null"], "enum": ["a", null]}), json!({"type": ["string", "null"]}));
        check(
            json!({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        );
        check(json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}), json!({}));
        check(json!({"type": ["string", "integer"]}), json!({}));
        check(json!({"type": "strng"}), json!({}));
        check(json!({"type": ["null"]}), json!({}));
        check(json!(true), json!({}));
        for odd in [json!(null), json!({"properties": 3, "required": "a"}), json!({"properties": {"a": {"type": {"x": 1}}}})] {
            assert_eq!(loose_schema(&odd)["type"], "object");
        }
    }
}
