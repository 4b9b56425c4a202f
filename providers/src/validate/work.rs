//! How much work judging would be: a validator looks at every branch of a schema at every place, and references multiply branches.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use schemalect_engine::refs::Refs;
use schemalect_engine::site::subschemas;
use schemalect_engine::{Id, Kw, Tree};
use serde_json::Value;

/// Arguments that take more looks at a schema for a value are not judged.
const MOST_LOOKS: f64 = 5e6;
/// A schema that leads to more others, one after the other, is not read.
pub(super) const DEEPEST: usize = 2_000;
/// So many pairs of a schema and a value are remembered for the estimate.
const MOST_PAIRS: usize = 1 << 20;

/// A schema for which the work is estimated.
#[derive(Debug)]
pub(super) struct Work {
    tree: Tree,
    refs: Refs,
    /// The schema's size with its references opened; infinite for a recursive one.
    opened: f64,
}

/// A schema at a value; `None` is the name of a member.
type Pair<'v> = (Id, Option<&'v Value>);
/// The same to be remembered by.
type Key = (Id, usize);

impl Work {
    pub(super) fn of(tree: &Tree) -> Work {
        let refs = Refs::of(tree, tree.root());
        let recursive = refs.iter().any(|(node, _)| refs.recursive(node));
        let opened = if recursive { f64::INFINITY } else { refs.expanded() as f64 };
        Work { tree: tree.clone(), refs, opened }
    }

    /// Whether schemas lead to so many others, one after the other, that a judge which calls itself for each could run out of stack.
    pub(super) fn is_too_deep(&self) -> bool {
        let mut depths: HashMap<Id, usize> = HashMap::new();
        let mut stack = vec![(self.tree.root(), false)];
        let mut next = Vec::new();
        while let Some((node, opened)) = stack.pop() {
            next.clear();
            next.extend(self.refs.node(node));
            subschemas(&self.tree, node, |child, _| next.push(child));
            if opened {
                let below = next.iter().filter_map(|id| depths.get(id)).max().copied().unwrap_or(0);
                if below >= DEEPEST {
                    return true;
                }
                depths.insert(node, below.saturating_add(1));
            } else if let Entry::Vacant(depth) = depths.entry(node) {
                // What leads back to itself adds nothing: a judge stops there, or goes on with a smaller value.
                depth.insert(0);
                stack.push((node, true));
                stack.extend(next.iter().map(|&id| (id, false)));
            }
        }
        false
    }

    /// Whether judging the arguments ends soon.
    pub(super) fn is_bearable(&self, arguments: &Value) -> bool {
        self.opened * size(arguments) <= MOST_LOOKS || self.looks(arguments).is_some()
    }

    /// The looks at a schema for a value; `None` where they are too many.
    fn looks(&self, arguments: &Value) -> Option<f64> {
        let root = (self.tree.root(), Some(arguments));
        // A pair that is being counted counts nothing for itself: validators stop there too.
        let mut counted: HashMap<Key, f64> = HashMap::new();
        let mut stack = vec![(root, false)];
        let mut inner = Vec::new();
        while let Some((pair, opened)) = stack.pop() {
            inner.clear();
            self.inner(pair, &mut inner);
            if opened {
                let looks = 1.0 + inner.iter().map(|(p, times)| times * counted.get(&key(*p)).copied().unwrap_or(0.0)).sum::<f64>();
                if looks > MOST_LOOKS {
                    return None;
                }
                counted.insert(key(pair), looks);
            } else if !counted.contains_key(&key(pair)) {
                if counted.len() >= MOST_PAIRS {
                    return None;
                }
                counted.insert(key(pair), 0.0);
                stack.push((pair, true));
                stack.extend(inner.iter().map(|(p, _)| (*p, false)));
            }
        }
        counted.get(&key(root)).copied()
    }

    /// What is looked at for a schema at a value, and how often.
    fn inner<'v>(&self, (node, value): Pair<'v>, out: &mut Vec<(Pair<'v>, f64)>) {
        let tree = &self.tree;
        let keys = tree.keys(node);
        // What is unevaluated is found by evaluating again.
        let here = if keys.has(Kw::UnevaluatedProperties) || keys.has(Kw::UnevaluatedItems) { 2.0 } else { 1.0 };
        out.extend(self.refs.node(node).map(|target| ((target, value), here)));
        let named = tree.get(node, Kw::Properties);
        let mut fixed = 0;
        subschemas(tree, node, |child, via| match (via, value) {
            (Kw::AnyOf | Kw::AllOf | Kw::OneOf | Kw::Not | Kw::If | Kw::Then | Kw::Else, _) => out.push(((child, value), here)),
            (Kw::DependentSchemas | Kw::Dependencies, Some(Value::Object(_))) => out.push(((child, value), here)),
            (Kw::PropertyNames, Some(Value::Object(map))) => out.push(((child, None), map.len() as f64)),
            (Kw::Properties, Some(Value::Object(map))) => {
                out.extend(map.get(tree.key(child).as_ref()).map(|member| ((child, Some(member)), 1.0)));
            }
            (Kw::AdditionalProperties | Kw::UnevaluatedProperties, Some(Value::Object(map))) => {
                let rest = map.iter().filter(|(name, _)| named.is_none_or(|n| tree.member(n, name).is_none()));
                out.extend(rest.map(|(_, member)| ((child, Some(member)), 1.0)));
            }
            (Kw::PatternProperties, Some(Value::Object(map))) => out.extend(map.values().map(|member| ((child, Some(member)), 1.0))),
            (Kw::PrefixItems, Some(Value::Array(list))) => {
                out.extend(list.get(fixed).map(|element| ((child, Some(element)), 1.0)));
                fixed = fixed.saturating_add(1);
            }
            (Kw::Items | Kw::AdditionalItems | Kw::UnevaluatedItems | Kw::Contains, Some(Value::Array(list))) => {
                out.extend(list.iter().map(|element| ((child, Some(element)), 1.0)));
            }
            _ => {}
        });
    }
}

fn key((node, value): Pair<'_>) -> Key {
    (node, value.map_or(0, |v| std::ptr::from_ref(v).addr()))
}

/// The values in a value, itself counted.
fn size(value: &Value) -> f64 {
    let (mut count, mut todo) = (0.0, vec![value]);
    while let Some(value) = todo.pop() {
        count += 1.0;
        match value {
            Value::Array(list) => todo.extend(list),
            Value::Object(map) => todo.extend(map.values()),
            _ => {}
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn check(schema: &Value, arguments: &Value, bearable: bool) {
        let found = crate::validate(schema, arguments);
        let refused = found.unchecked.iter().any(|u| u.path.is_empty() && u.reason.contains("work"));
        assert_eq!(!refused, bearable, "{:.300}", schema.to_string());
    }

    /// Definitions of which each names the next twice.
    fn doubling(levels: usize) -> Value {
        let twice = |i: usize| json!({"anyOf": [{"$ref": format!("#/$defs/d{i}")}, {"$ref": format!("#/$defs/d{i}")}]});
        let mut defs: Map<String, Value> = (0..levels).map(|i| (format!("d{i}"), twice(i + 1))).collect();
        defs.insert(format!("d{levels}"), json!({"type": "null"}));
        json!({"$ref": "#/$defs/d0", "$defs": defs})
    }

    #[test]
    fn what_multiplies_is_not_judged_and_everything_else_is() {
        check(&doubling(8), &json!(1), true);
        check(&doubling(60), &json!(1), false);
        let tree =
            json!({"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}, "additionalProperties": {"$ref": "#"}});
        let deep = (0..100).fold(json!({}), |inner, _| json!({"left": inner, "other": 1}));
        check(&tree, &deep, true);
        let either = json!({"anyOf": [{"items": {"$ref": "#"}, "minItems": 2}, {"items": {"$ref": "#"}, "maxItems": 0}]});
        check(&either, &(0..10).fold(json!(1), |inner, _| json!([inner])), true);
        check(&either, &(0..100).fold(json!(1), |inner, _| json!([inner])), false);
        check(&json!({"items": {"type": "integer"}}), &json!(vec![1; 200_000]), true);
        check(&json!({"$ref": "#"}), &json!(1), true);
    }
}
