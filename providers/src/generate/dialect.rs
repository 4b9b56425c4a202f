//! What a provider's schemas may say: a name, the keywords it forbids, and how it rewrites a copy.

use schemalect_engine::keyword::SUBSCHEMAS;
use schemalect_engine::site::subschemas;
use schemalect_engine::{Kind, Tree};
use serde_json::Value;

use super::error::CapabilityError;

/// A dialect of JSON Schema. Every [`Surface`](crate::Surface) is one: a profile in YAML says what it takes.
///
/// ```
/// use schemalect::{Dialect, SchemaOptions, declare};
///
/// struct NoUnions;
///
/// impl Dialect for NoUnions {
///     fn name(&self) -> &str {
///         "no-unions"
///     }
///
///     fn forbidden(&self) -> &[&str] {
///         &["anyOf", "oneOf"]
///     }
/// }
///
/// let schema = serde_json::json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
/// let error = declare("Name", &schema, &SchemaOptions { dialect: Some(&NoUnions), ..SchemaOptions::default() }).unwrap_err();
/// assert_eq!(error.to_string(), "Name: no-unions cannot say this, which needs `anyOf` at the root: the keyword is forbidden");
/// ```
pub trait Dialect {
    /// Its name, for errors.
    fn name(&self) -> &str;

    /// Keywords that no schema may have; they are looked for after [`Dialect::adapt`].
    fn forbidden(&self) -> &[&str] {
        &[]
    }

    /// How it writes a place in messages, from a JSON Pointer.
    fn place(&self, pointer: &str) -> String {
        pointer.to_owned()
    }

    /// Rewrites a copy, never into something that takes more.
    ///
    /// # Errors
    /// The dialect has no words for something that the schema needs.
    fn adapt(&self, schema: Value) -> Result<Value, CapabilityError> {
        Ok(schema)
    }
}

/// Refuses a schema that has a forbidden keyword, as a keyword: names of properties and values are neither here nor there.
pub(super) fn hold(dialect: &dyn Dialect, schema: &Value) -> Result<(), CapabilityError> {
    let forbidden = dialect.forbidden();
    if forbidden.is_empty() {
        return Ok(());
    }
    let tree = Tree::from_value(schema);
    let mut stack = vec![tree.root()];
    while let Some(node) = stack.pop() {
        if tree.kind(node) != Kind::Object {
            continue;
        }
        if let Some(member) = tree.children(node).find(|&m| forbidden.contains(&tree.key(m).as_ref())) {
            return Err(CapabilityError {
                dialect: dialect.name().into(),
                keyword: Some(tree.key(member).into()),
                path: tree.pointer(tree.root(), node).into(),
                reason: "the keyword is forbidden".into(),
                ..CapabilityError::default()
            });
        }
        if tree.keys(node).meets(SUBSCHEMAS) {
            let from = stack.len();
            subschemas(&tree, node, |child, _| stack.push(child));
            stack.get_mut(from..).unwrap_or_default().reverse();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    struct Without(&'static [&'static str]);

    impl Dialect for Without {
        fn name(&self) -> &str {
            "without"
        }

        fn forbidden(&self) -> &[&str] {
            self.0
        }
    }

    #[test]
    fn keywords_are_forbidden_and_nothing_else() {
        let check = |schema: Value, want: Option<(&str, &str)>| {
            let error = hold(&Without(&["pattern", "oneOf", "x-note"]), &schema).err();
            assert_eq!(error.as_ref().map(|e| (e.keyword.as_deref().unwrap_or_default(), &*e.path)), want, "{schema}");
        };
        check(json!({"pattern": "a"}), Some(("pattern", "")));
        check(json!({"properties": {"pattern": {"type": "string"}}, "default": {"oneOf": []}, "enum": [{"pattern": 1}]}), None);
        check(json!({"properties": {"a": {"items": {"oneOf": [{}]}}}}), Some(("oneOf", "/properties/a/items")));
        check(json!({"$defs": {"oneOf": {"x-note": 1}}}), Some(("x-note", "/$defs/oneOf")));
    }
}
