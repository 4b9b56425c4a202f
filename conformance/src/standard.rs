//! A schema in words that a validator knows.

use serde_json::{Map, Value, json};

/// The keywords that hold schemas by name.
pub(crate) const MAPS: [&str; 6] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
/// The keywords that hold values.
pub(crate) const VALUES: [&str; 7] = ["default", "const", "enum", "examples", "example", "required", "dependentRequired"];

/// A schema with `nullable` and types in capitals in the standard's words.
pub(crate) fn standard(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let mut out: Map<String, Value> = members.iter().map(|(name, member)| (name.clone(), below(name, member))).collect();
            if out.remove("nullable") != Some(Value::Bool(true)) {
                return Value::Object(out);
            }
            let kept: Vec<_> = ["$defs", "definitions", "$schema"].iter().filter_map(|k| Some((*k, out.shift_remove(*k)?))).collect();
            let mut union = json!({"anyOf": [out, {"type": "null"}]});
            for (name, map) in kept {
                union[name] = map;
            }
            union
        }
        Value::Array(items) => items.iter().map(standard).collect(),
        other => other.clone(),
    }
}

fn below(name: &str, member: &Value) -> Value {
    match member {
        Value::String(word) if name == "type" && word.chars().all(|c| c.is_ascii_uppercase()) => word.to_ascii_lowercase().into(),
        Value::Object(map) if MAPS.contains(&name) => map.iter().map(|(name, schema)| (name.clone(), standard(schema))).collect(),
        _ if VALUES.contains(&name) => member.clone(),
        _ => standard(member),
    }
}
