//! Arguments whose name differs from a declared one only in signs, as it does where a name had to be a word of a programming language.

use serde_json::{Map, Value};

/// The arguments under the names that the schema's root declares, where exactly one is meant and it is not given itself.
pub(crate) fn respelled(schema: &Value, arguments: Value) -> Value {
    let Some(declared) = schema.get("properties").and_then(Value::as_object) else { return arguments };
    let Value::Object(given) = arguments else { return arguments };
    if given.keys().all(|name| declared.contains_key(name)) {
        return Value::Object(given);
    }
    let meant = |name: &str| {
        let mut alike = declared.keys().filter(|known| bare(known) == bare(name));
        alike.next().filter(|known| alike.next().is_none() && !given.contains_key(known.as_str()))
    };
    let named: Vec<Option<&String>> = given.keys().map(|name| if declared.contains_key(name) { None } else { meant(name) }).collect();
    let mut out = Map::new();
    for ((name, value), meant) in given.iter().zip(&named) {
        let once = |known: &&String| named.iter().filter(|other| **other == Some(*known)).count() == 1;
        out.insert(meant.filter(|known| once(known)).unwrap_or(name).clone(), value.clone());
    }
    Value::Object(out)
}

/// A name without the signs between and around its words: `max-results`, `max_results`; `_id`, `id_`.
fn bare(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("_");
    if joined.is_empty() { name.to_owned() } else { joined }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_name_is_meant_or_none() {
        let schema = json!({"properties": {"max-results": {}, "_id": {}, "schema": {}, "a-b": {}, "a_b": {}, "-": {}}});
        let check = |given: Value, expected: Value| assert_eq!(respelled(&schema, given.clone()), expected, "{given}");
        check(json!({"max_results": 2}), json!({"max-results": 2}));
        check(json!({"max-results": 1, "max_results": 2}), json!({"max-results": 1, "max_results": 2}));
        check(json!({"max_results": 1, "max.results": 2}), json!({"max_results": 1, "max.results": 2}));
        check(json!({"id": 1, "schema_": 2}), json!({"_id": 1, "schema": 2}));
        check(json!({"a.b": 1}), json!({"a.b": 1}));
        check(json!({"a_b": 1, "-": 2}), json!({"a_b": 1, "-": 2}));
        check(json!({"maxresults": 1, "": 2}), json!({"maxresults": 1, "": 2}));
        check(json!([1]), json!([1]));
    }
}
