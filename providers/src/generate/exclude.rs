//! Parameters that the caller injects are no part of the schema: a model that guesses such a name could not set it.

use schemalect_engine::attr::AttrSet;
use schemalect_engine::definitions::unused_definitions;
use schemalect_engine::facts::Cx;
use schemalect_engine::refs::Refs;
use schemalect_engine::{Kw, Tree};
use serde_json::{Map, Value};

/// The keywords whose schemas speak of the same object.
const IN_PLACE: [Kw; 3] = [Kw::AllOf, Kw::AnyOf, Kw::OneOf];

/// The schema without these properties of its root, and without the definitions that nothing else refers to.
pub(super) fn exclude(mut schema: Value, names: &[&str]) -> Value {
    let Some(root) = schema.as_object_mut().filter(|_| !names.is_empty()) else { return schema };
    open(root);
    leave_out(root, names);
    let tree = Tree::from_value(&schema);
    let refs = Refs::of(&tree, tree.root());
    let cx = Cx { tree: &tree, root: tree.root(), refs: &refs, want: AttrSet::EMPTY };
    let unused: Vec<String> = unused_definitions(&cx).into_iter().map(|id| tree.pointer(tree.root(), id)).collect();
    for pointer in unused {
        drop_at(&mut schema, &pointer);
    }
    schema
}

/// A root that only refers to a definition becomes a copy of it, so that the definition itself stays whole.
fn open(root: &mut Map<String, Value>) {
    let target = root.get(Kw::Ref.name()).and_then(Value::as_str).and_then(|r| r.strip_prefix('#')).map(ToOwned::to_owned);
    let tree = Value::Object(root.clone());
    let Some(Value::Object(copy)) = target.filter(|t| !t.is_empty()).and_then(|t| tree.pointer(&t)) else { return };
    root.remove(Kw::Ref.name());
    for (key, member) in copy {
        root.entry(key.clone()).or_insert_with(|| member.clone());
    }
}

fn leave_out(schema: &mut Map<String, Value>, names: &[&str]) {
    if let Some(properties) = schema.get_mut(Kw::Properties.name()).and_then(Value::as_object_mut) {
        properties.retain(|name, _| !names.contains(&name.as_str()));
    }
    if let Some(required) = schema.get_mut(Kw::Required.name()).and_then(Value::as_array_mut) {
        required.retain(|name| name.as_str().is_none_or(|name| !names.contains(&name)));
        if required.is_empty() {
            schema.shift_remove(Kw::Required.name());
        }
    }
    for kw in IN_PLACE {
        let branches = schema.get_mut(kw.name()).and_then(Value::as_array_mut);
        branches.into_iter().flatten().filter_map(Value::as_object_mut).for_each(|branch| leave_out(branch, names));
    }
}

fn drop_at(schema: &mut Value, pointer: &str) {
    let Some((map, name)) = pointer.rsplit_once('/') else { return };
    let name = schemalect_engine::path::token_name(name);
    let Some(Value::Object(members)) = schema.pointer_mut(map) else { return };
    members.shift_remove(&name);
    if members.is_empty() {
        let holder = map.rsplit_once('/').and_then(|(up, key)| schema.pointer_mut(up).map(|up| (up, key)));
        if let Some((Value::Object(up), key)) = holder {
            up.shift_remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &str, names: &[&str], want: &str) {
        let given = serde_json::from_str(given).expect(given);
        assert_eq!(exclude(given, names).to_string(), want);
    }

    #[test]
    fn an_injected_parameter_is_no_part_of_the_schema() {
        let schema = r##"{"properties":{"a":{"$ref":"#/$defs/A"},"ctx":{"$ref":"#/$defs/C"}},"required":["a","ctx"],"$defs":{"A":{},"C":{"$ref":"#/$defs/D"},"D":{}}}"##;
        check(schema, &["ctx"], r##"{"properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"$defs":{"A":{}}}"##);
        check(schema, &["ctx", "a"], r#"{"properties":{}}"#);
        check(r#"{"properties":{"a":{}}}"#, &["other"], r#"{"properties":{"a":{}}}"#);
        check("true", &["a"], "true");
    }

    #[test]
    fn branches_speak_of_the_same_object() {
        check(
            r#"{"oneOf":[{"properties":{"a":{},"ctx":{}},"required":["ctx"]},{"properties":{"b":{"properties":{"ctx":{}}}}}]}"#,
            &["ctx"],
            r#"{"oneOf":[{"properties":{"a":{}}},{"properties":{"b":{"properties":{"ctx":{}}}}}]}"#,
        );
    }

    #[test]
    fn a_definition_that_the_root_refers_to_stays_whole() {
        check(
            r##"{"$ref":"#/$defs/N","$defs":{"N":{"properties":{"ctx":{},"next":{"$ref":"#/$defs/N"}}}}}"##,
            &["ctx"],
            r##"{"$defs":{"N":{"properties":{"ctx":{},"next":{"$ref":"#/$defs/N"}}}},"properties":{"next":{"$ref":"#/$defs/N"}}}"##,
        );
    }
}
