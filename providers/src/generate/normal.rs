//! One spelling of a generated schema: no titles, keys sorted, `required` sorted.

use std::collections::BTreeMap;

use schemalect_engine::Kw;
use schemalect_engine::keyword::Holds;
use serde_json::Value;

/// The schema in that spelling. A property that is called `title` or `required` is a property, and values stay what they are.
pub(super) fn normal(schema: Value) -> Value {
    walk(schema, Holds::Schema)
}

fn walk(value: Value, holds: Holds) -> Value {
    match value {
        Value::Object(members) => {
            let schema = matches!(holds, Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool);
            let kept = members.into_iter().filter(|(key, _)| !(schema && key == Kw::Title.name()));
            let sorted: BTreeMap<String, Value> = kept
                .map(|(key, member)| {
                    let inner = holds.member(&key, member.is_array());
                    let member = if schema && key == Kw::Required.name() { names(member) } else { walk(member, inner) };
                    (key, member)
                })
                .collect();
            sorted.into_iter().collect()
        }
        Value::Array(items) => items.into_iter().map(|item| walk(item, holds.element())).collect(),
        other => other,
    }
}

/// A list of names in order; anything else as it is.
fn names(list: Value) -> Value {
    match list {
        Value::Array(mut items) if items.iter().all(Value::is_string) => {
            items.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
            Value::Array(items)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, want: &str) {
        let given = serde_json::from_str(given).expect(given);
        assert_eq!(normal(given).to_string(), want);
    }

    #[test]
    fn one_spelling() {
        check(
            r#"{"type":"object","title":"T","required":["b","a"],"properties":{"b":{"title":"B"},"a":{}}}"#,
            r#"{"properties":{"a":{},"b":{}},"required":["a","b"],"type":"object"}"#,
        );
    }

    #[test]
    fn names_of_properties_are_no_keywords() {
        check(
            r#"{"properties":{"title":{"title":"Title","type":"string"},"required":{"type":"boolean"}},"required":["title","required"]}"#,
            r#"{"properties":{"required":{"type":"boolean"},"title":{"type":"string"}},"required":["required","title"]}"#,
        );
        check(r#"{"$defs":{"title":{"title":"x"}}}"#, r#"{"$defs":{"title":{}}}"#);
    }

    #[test]
    fn values_are_no_schemas() {
        check(r#"{"default":{"title":"x","required":["b","a"]}}"#, r#"{"default":{"required":["b","a"],"title":"x"}}"#);
        check(r#"{"enum":[{"title":"x"}],"const":{"title":1}}"#, r#"{"const":{"title":1},"enum":[{"title":"x"}]}"#);
    }

    #[test]
    fn schemas_in_lists_are_reached() {
        check(r#"{"anyOf":[{"title":"x"}],"items":[{"title":"x"}]}"#, r#"{"anyOf":[{}],"items":[{}]}"#);
        check(r#"{"dependencies":{"a":["c","b"],"b":{"title":"x"}}}"#, r#"{"dependencies":{"a":["c","b"],"b":{}}}"#);
    }
}
