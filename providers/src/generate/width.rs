//! How wide a number is in Rust: a format that JSON Schema does not know, and that tells a model nothing. Bounds stay.

use schemalect_engine::Kw;
use schemalect_engine::keyword::Holds;
use serde_json::Value;

/// What schemars writes of the widths of numbers.
const WIDTHS: [&str; 14] =
    ["int", "int8", "int16", "int32", "int64", "int128", "uint", "uint8", "uint16", "uint32", "uint64", "uint128", "float", "double"];

/// Takes the formats of widths out of a schema that schemars made.
pub(super) fn forget(schema: &mut Value) {
    walk(schema, Holds::Schema);
}

fn walk(value: &mut Value, holds: Holds) {
    match value {
        Value::Object(members) => {
            let schema = matches!(holds, Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool);
            let is_width = |format: &Value| format.as_str().is_some_and(|word| WIDTHS.contains(&word));
            if schema && members.get(Kw::Format.name()).is_some_and(is_width) && !members.get(Kw::Type.name()).is_some_and(takes_text) {
                members.shift_remove(Kw::Format.name());
            }
            for (key, member) in members.iter_mut() {
                let inner = holds.member(key, member.is_array());
                walk(member, inner);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, holds.element())),
        _ => {}
    }
}

fn takes_text(types: &Value) -> bool {
    types == "string" || types.as_array().is_some_and(|list| list.iter().any(|name| name == "string"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn widths_are_forgotten_and_nothing_else() {
        let check = |mut given: Value, want: Value| {
            forget(&mut given);
            assert_eq!(given, want);
        };
        check(
            json!({"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255}),
            json!({"type": "integer", "minimum": 0, "maximum": 255}),
        );
        check(json!({"items": {"type": ["number", "null"], "format": "double"}}), json!({"items": {"type": ["number", "null"]}}));
        for same in [
            json!({"type": "string", "format": "date-time"}),
            json!({"type": "string", "format": "float"}),
            json!({"properties": {"format": {"const": "int64"}}, "default": {"format": "int64"}}),
        ] {
            check(same.clone(), same);
        }
    }
}
