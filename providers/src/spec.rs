//! The schema that a tool is offered with, out of what its own validator enforces.

use serde_json::{Map, Value, json};

/// What a validator enforces of one argument.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldSpec {
    /// The argument's name.
    pub name: String,
    /// The JSON types that the validator checks: a constraint is written only where the declared type is among them.
    pub types: Vec<&'static str>,
    /// A call needs it.
    pub required: bool,
    /// The most characters of a text.
    pub max_length: Option<u64>,
    /// The only values; an empty text, which says the same as no value, is left out, and texts are sorted.
    pub allowed: Vec<Value>,
    /// The least number.
    pub minimum: Option<serde_json::Number>,
    /// The greatest number.
    pub maximum: Option<serde_json::Number>,
    /// The fewest elements of a list.
    pub min_items: Option<u64>,
    /// The most elements of a list.
    pub max_items: Option<u64>,
}

/// The declared schema with what the validator enforces written into it: where both say something, the validator's word counts. Only arguments that the
/// schema declares are touched, and `required` lists those that a call needs. Patterns have no place here, since validators differ in their dialects.
///
/// ```
/// use schemalect::{FieldSpec, enforced_schema};
/// use serde_json::json;
///
/// let declared = json!({"type": "object", "properties": {"name": {"type": "string", "maxLength": 500}, "tags": {"type": "string"}}});
/// let specs = [
///     FieldSpec { name: "name".into(), types: vec!["string"], required: true, max_length: Some(80), ..FieldSpec::default() },
///     // Declared as JSON text, so a limit of its elements cannot be said.
///     FieldSpec { name: "tags".into(), types: vec!["array"], max_items: Some(5), ..FieldSpec::default() },
/// ];
/// assert_eq!(
///     enforced_schema(&declared, &specs),
///     json!({"type": "object", "properties": {"name": {"type": "string", "maxLength": 80}, "tags": {"type": "string"}}, "required": ["name"]}),
/// );
/// ```
#[must_use]
pub fn enforced_schema(declared: &Value, specs: &[FieldSpec]) -> Value {
    let mut schema = declared.clone();
    let Some(root) = schema.as_object_mut() else { return schema };
    let Some(Value::Object(properties)) = root.get_mut("properties") else { return schema };
    let mut required = Vec::new();
    for spec in specs {
        let Some(property) = properties.get_mut(&spec.name) else { continue };
        if spec.required {
            required.push(Value::from(spec.name.as_str()));
        }
        if let Some(property) = property.as_object_mut().filter(|p| spec.speaks_of(p)) {
            spec.write(property);
        }
    }
    // What no spec speaks of stays as it was declared.
    let spoken = |name: &str| specs.iter().any(|spec| spec.name == name);
    let own = root.get("required").and_then(Value::as_array);
    let rest = own.into_iter().flatten().filter(|name| name.as_str().is_some_and(|name| !spoken(name)));
    let all: Vec<Value> = rest.cloned().chain(required).collect();
    if all.is_empty() {
        root.shift_remove("required");
    } else {
        root.insert("required".to_owned(), Value::Array(all));
    }
    schema
}

impl FieldSpec {
    /// Whether the declared type is one that the validator checks.
    fn speaks_of(&self, property: &Map<String, Value>) -> bool {
        match property.get("type") {
            Some(Value::String(one)) => self.types.contains(&one.as_str()),
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).any(|one| self.types.contains(&one)),
            _ => false,
        }
    }

    fn write(&self, property: &mut Map<String, Value>) {
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                property.insert(key.to_owned(), value);
            }
        };
        put("maxLength", self.max_length.map(Value::from));
        put("minimum", self.minimum.clone().map(Value::Number));
        put("maximum", self.maximum.clone().map(Value::Number));
        put("minItems", self.min_items.map(Value::from));
        put("maxItems", self.max_items.map(Value::from));
        let mut allowed: Vec<Value> = self.allowed.iter().filter(|v| **v != json!("")).cloned().collect();
        // Validators hold them in sets; the same schema each time needs an order.
        if allowed.iter().all(Value::is_string) {
            allowed.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
        }
        put("enum", (!allowed.is_empty()).then(|| Value::Array(allowed)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_validators_word_counts() {
        let declared = json!({"type": "object", "required": ["mode", "other"], "properties": {
            "mode": {"type": "string", "enum": ["x"]}, "n": {"type": ["integer", "null"], "minimum": 0}, "list": {"type": "array", "items": {"type": "string"}},
            "text": {"type": "string"}, "other": {"type": "string"}}});
        let specs = [
            FieldSpec {
                name: "mode".into(),
                types: vec!["string"],
                allowed: vec![json!("b"), json!(""), json!("a")],
                ..FieldSpec::default()
            },
            FieldSpec {
                name: "n".into(),
                types: vec!["integer"],
                required: true,
                minimum: Some(1.into()),
                maximum: Some(9.into()),
                ..FieldSpec::default()
            },
            FieldSpec { name: "list".into(), types: vec!["array"], min_items: Some(1), max_items: Some(5), ..FieldSpec::default() },
            FieldSpec { name: "text".into(), types: vec!["array"], max_items: Some(5), ..FieldSpec::default() },
            FieldSpec { name: "elsewhere".into(), required: true, ..FieldSpec::default() },
        ];
        let offered = json!({"type": "object", "required": ["other", "n"], "properties": {
            "mode": {"type": "string", "enum": ["a", "b"]}, "n": {"type": ["integer", "null"], "minimum": 1, "maximum": 9},
            "list": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 5}, "text": {"type": "string"}, "other": {"type": "string"}}});
        assert_eq!(enforced_schema(&declared, &specs), offered);
        assert_eq!(enforced_schema(&json!(true), &specs), json!(true));
        assert_eq!(enforced_schema(&json!({"required": ["a"]}), &specs), json!({"required": ["a"]}));
    }
}
