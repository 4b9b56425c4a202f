//! Nulls that a schema refuses: for a model they are often its way to leave something out.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::Validator;

/// A null inside a union can hide another; so often nulls are looked for anew.
const ROUNDS: usize = 8;

impl Validator {
    /// The arguments without the nulls that the schema refuses where it could do without a value, at any depth.
    ///
    /// A null that is a value of its place stays, and so does one in place of what is required; that one is refused later.
    ///
    /// ```
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object", "required": ["q"], "properties": {"q": {"type": "string"}, "n": {"type": "integer"},
    ///     "region": {"type": ["string", "null"]}}});
    /// let validator = schemalect::Validator::new(&schema);
    /// let given = json!({"q": null, "n": null, "region": null});
    /// assert_eq!(validator.without_nulls(given), json!({"q": null, "region": null}));
    /// ```
    #[must_use]
    pub fn without_nulls(&self, arguments: Value) -> Value {
        let Some((compiled, work)) = &self.compiled else { return arguments };
        let mut arguments = arguments;
        for _ in 0..ROUNDS {
            if !work.is_bearable(&arguments) {
                break;
            }
            let mut refused = Vec::new();
            compiled.iter_errors(&arguments).for_each(|error| collect(&error, &arguments, &mut refused));
            refused.sort();
            refused.dedup();
            let needed = self.needed(&arguments, &refused);
            let mut changed = false;
            for pointer in refused.iter().filter(|pointer| !needed.contains(pointer)) {
                changed |= remove(&mut arguments, pointer);
            }
            if !changed {
                break;
            }
        }
        arguments
    }

    /// Those of the places that are missed when they are empty.
    fn needed(&self, arguments: &Value, places: &[String]) -> Vec<String> {
        if places.is_empty() {
            return Vec::new();
        }
        let mut without = arguments.clone();
        for place in places {
            remove(&mut without, place);
        }
        self.validate(&without).missing
    }
}

/// Adds the pointers of members that are null and should not be.
fn collect(error: &ValidationError<'_>, arguments: &Value, out: &mut Vec<String>) {
    let place = error.instance_path().as_str();
    if arguments.pointer(place) == Some(&Value::Null) {
        let holder = place.rsplit_once('/').and_then(|(up, _)| arguments.pointer(up));
        if holder.is_some_and(Value::is_object) {
            out.push(place.to_owned());
        }
        return;
    }
    if let Kind::AnyOf { context } | Kind::OneOfNotValid { context } = error.kind() {
        context.iter().flatten().for_each(|error| collect(error, arguments, out));
    }
}

fn remove(arguments: &mut Value, pointer: &str) -> bool {
    let Some((up, token)) = pointer.rsplit_once('/') else { return false };
    let name = token.replace("~1", "/").replace("~0", "~");
    arguments.pointer_mut(up).and_then(Value::as_object_mut).is_some_and(|members| members.shift_remove(&name).is_some())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(schema: Value, given: Value, expected: Value) {
        assert_eq!(Validator::new(&schema).without_nulls(given), expected, "{schema}");
    }

    #[test]
    fn nulls_go_where_nothing_has_to_stand() {
        let item = json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "n": {"type": "integer"}}});
        let list = json!({"type": "object", "properties": {"items": {"type": "array", "items": item}}});
        check(list.clone(), json!({"items": [{"id": 1, "n": null}, {"id": null, "n": null}]}), json!({"items": [{"id": 1}, {"id": null}]}));
        check(list, json!({"items": [null]}), json!({"items": [null]}));
        let union = json!({"properties": {"a": {"anyOf": [item, {"type": "string"}]}}});
        check(union, json!({"a": {"id": 1, "n": null}}), json!({"a": {"id": 1}}));
        check(json!({"properties": {"a": {}}}), json!({"a": null}), json!({"a": null}));
        check(json!({"additionalProperties": {"type": "string"}}), json!({"a": null, "b~/c": null}), json!({}));
        check(json!({"properties": {"a": {"enum": ["x"]}}}), json!({"a": null}), json!({}));
        check(json!(true), json!({"a": null}), json!({"a": null}));
    }
}
