//! Values of no type where one has to be given: a model that is told nothing may answer anything.

use std::collections::HashSet;

use schemalect_engine::attr::{Attr, AttrSet};
use schemalect_engine::facts::{Cx, Facts};
use schemalect_engine::keyword::NOTES;
use schemalect_engine::refs::Refs;
use schemalect_engine::site::{Place, Required, subschemas};
use schemalect_engine::{Id, Kind, Kw, Tree};

/// A value that may be anything.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Untyped {
    /// The field that holds it; empty at the root.
    pub(super) field: String,
    /// Where it stands.
    pub(super) path: String,
}

/// The first required value that may be anything. A value is required where the field that holds it is, however deep in lists, maps,
/// unions and references the value stands; where the field is optional, it may hold anything.
pub(super) fn first(tree: &Tree) -> Option<Untyped> {
    let refs = Refs::of(tree, tree.root());
    let mut walk = Walk { tree, refs: &refs, seen: HashSet::new() };
    let found = walk.node(At { node: tree.root(), shown: tree.root(), field: None, required: true })?;
    Some(Untyped {
        field: found.field.map(|field| tree.key(field).into_owned()).unwrap_or_default(),
        path: tree.pointer(tree.root(), found.shown),
    })
}

/// A schema on the way.
#[derive(Clone, Copy)]
struct At {
    node: Id,
    /// The node to point at: where a definition says nothing, the reference to it.
    shown: Id,
    field: Option<Id>,
    required: bool,
}

struct Walk<'t> {
    tree: &'t Tree,
    refs: &'t Refs,
    seen: HashSet<(Id, bool)>,
}

impl Walk<'_> {
    fn node(&mut self, top: At) -> Option<At> {
        let mut stack = vec![top];
        while let Some(at) = stack.pop() {
            if !self.seen.insert((at.node, at.required)) {
                continue;
            }
            if let Some(to) = self.refs.node(at.node) {
                // What stands beside a reference is told as well, and says no less.
                stack.push(At { node: to, ..at });
            } else if at.required && self.says_nothing(at.node) {
                return Some(at);
            }
            if at.required
                && let Some(inner) = self.hollow(at.node)
            {
                return Some(At { shown: inner, ..at });
            }
            let from = stack.len();
            self.below(at, &mut stack);
            stack.get_mut(from..).unwrap_or_default().reverse();
        }
        None
    }

    fn below(&self, at: At, stack: &mut Vec<At>) {
        let tree = self.tree;
        let required = Required::of(tree, at.node);
        let declared = self.declares(at.node);
        let several = tree.get(at.node, Kw::AllOf).is_some_and(|list| tree.count(list) > 1);
        subschemas(tree, at.node, |child, via| {
            let inner = At { node: child, shown: child, ..at };
            match via {
                Kw::Properties => stack.push(At { field: Some(child), required: required.has(child), ..inner }),
                // Keys that are not declared need not be there.
                Kw::AdditionalProperties | Kw::PatternProperties if declared => stack.push(At { required: false, ..inner }),
                // The other branches say what the value is.
                Kw::AllOf if several && self.says_nothing(child) => {}
                Kw::Items | Kw::PrefixItems | Kw::AdditionalProperties | Kw::PatternProperties | Kw::AnyOf | Kw::OneOf | Kw::AllOf => {
                    stack.push(inner);
                }
                _ => {}
            }
        });
    }

    fn says_nothing(&self, node: Id) -> bool {
        let cx = Cx { tree: self.tree, root: self.tree.root(), refs: self.refs, want: AttrSet::EMPTY };
        Facts::of(&cx, node, &Place::ROOT).is(Attr::Untyped)
    }

    fn declares(&self, node: Id) -> bool {
        self.tree.get(node, Kw::Properties).is_some_and(|p| self.tree.children(p).next().is_some())
    }

    /// The node that says of a list or a map that it holds anything.
    fn hollow(&self, node: Id) -> Option<Id> {
        let tree = self.tree;
        let additional = tree.get(node, Kw::AdditionalProperties);
        if let Some(rest) = additional.filter(|&a| tree.bool(a) == Some(true))
            && !self.declares(node)
            && !tree.keys(node).has(Kw::PatternProperties)
        {
            return Some(rest);
        }
        let cx = Cx { tree, root: tree.root(), refs: self.refs, want: AttrSet::EMPTY };
        let facts = Facts::of(&cx, node, &Place::ROOT);
        let listed = tree.keys(node).meets(schemalect_engine::keyword::KwSet::of(&[Kw::Enum, Kw::Const]));
        let told = |kw: Kw| tree.get(node, kw).is_some_and(|list| tree.kind(list) == Kind::Array && tree.count(list) > 0);
        let combined = [Kw::AnyOf, Kw::OneOf, Kw::AllOf].into_iter().any(told);
        (facts.is(Attr::ItemsMissing) && !listed && !combined && !NOTES.covers(tree.keys(node))).then_some(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: &str, want: Option<(&str, &str)>) {
        let tree = Tree::parse(schema, &Default::default()).expect(schema);
        let found = first(&tree);
        assert_eq!(found.as_ref().map(|f| (f.field.as_str(), f.path.as_str())), want, "{schema}");
    }

    fn property(schema: &str) -> String {
        format!(r#"{{"type":"object","properties":{{"a":{schema}}},"required":["a"]}}"#)
    }

    #[test]
    fn what_has_to_be_there_has_a_type() {
        for (schema, path) in [
            ("true", "/properties/a"),
            ("{}", "/properties/a"),
            (r#"{"description":"d"}"#, "/properties/a"),
            (r#"{"writeOnly":true,"default":1}"#, "/properties/a"),
            (r#"{"type":"array","items":true}"#, "/properties/a/items"),
            (r#"{"type":"array","items":{}}"#, "/properties/a/items"),
            (r#"{"type":"array"}"#, "/properties/a"),
            (r#"{"type":"array","prefixItems":[{"type":"string"},true]}"#, "/properties/a/prefixItems/1"),
            (r#"{"type":"object","additionalProperties":true}"#, "/properties/a/additionalProperties"),
            (r#"{"type":"object","additionalProperties":{}}"#, "/properties/a/additionalProperties"),
            (r#"{"type":"object","additionalProperties":{"type":"array","items":{}}}"#, "/properties/a/additionalProperties/items"),
            (r#"{"anyOf":[true,{"type":"null"}]}"#, "/properties/a/anyOf/0"),
            (r#"{"allOf":[{}]}"#, "/properties/a/allOf/0"),
        ] {
            check(&property(schema), Some(("a", path)));
        }
        check("true", Some(("", "")));
        check("{}", Some(("", "")));
        check(r#"{"type":"array","items":{}}"#, Some(("", "/items")));
    }

    #[test]
    fn what_says_something_passes() {
        for schema in [
            "false",
            r#"{"type":"string"}"#,
            r#"{"const":1}"#,
            r#"{"enum":["a"]}"#,
            r#"{"type":"object"}"#,
            r#"{"type":"object","properties":{"b":{}}}"#,
            r#"{"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":true}"#,
            r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
            r#"{"type":"array","prefixItems":[{"type":"string"}]}"#,
            r#"{"allOf":[{"description":"d"},{"type":"string"}]}"#,
            r#"{"not":{"type":"string"},"type":"integer"}"#,
        ] {
            check(&property(schema), None);
        }
        check(r#"{"type":"object","properties":{"a":{},"b":{"type":"array","items":{}}}}"#, None);
    }

    #[test]
    fn references_lead_to_what_is_told() {
        let with = |schema: &str, defs: &str| format!(r#"{{"properties":{{"a":{schema}}},"required":["a"],"$defs":{defs}}}"#);
        let to = r##"{"$ref":"#/$defs/X"}"##;
        check(&with(to, r#"{"X":{}}"#), Some(("a", "/properties/a")));
        check(&with(to, r#"{"X":{"properties":{"b":{}},"required":["b"]}}"#), Some(("b", "/$defs/X/properties/b")));
        check(&with(to, r#"{"X":{"properties":{"b":{"type":"string"}}}}"#), None);
        check(&with(to, r##"{"X":{"properties":{"b":{"$ref":"#/$defs/X"}},"required":["b"]}}"##), None);
        check(&with(r##"{"$ref":"#/$defs/Y"}"##, r#"{"X":{}}"#), None);
        check(r##"{"$ref":"#"}"##, None);
        check(&with(to, r##"{"X":{"$ref":"#/$defs/Y"},"Y":{"$ref":"#/$defs/X"}}"##), None);
        // Required in a definition, whoever refers to it.
        check(
            r##"{"properties":{"a":{"$ref":"#/$defs/X"}},"$defs":{"X":{"properties":{"b":{}},"required":["b"]}}}"##,
            Some(("b", "/$defs/X/properties/b")),
        );
        check(
            r##"{"properties":{"a":{"$ref":"#/$defs/X"},"c":{"$ref":"#/$defs/X"}},"required":["c"],"$defs":{"X":true}}"##,
            Some(("c", "/properties/c")),
        );
    }
}
