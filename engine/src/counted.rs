//! How many of an object's optional properties there may be.

use crate::keyword::{Kw, KwSet};
use crate::tree::{Id, Tree};

/// The least and the most of the optional properties, where that is bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    least: f64,
    most: Option<f64>,
}

impl Bound {
    /// Whether one of them is asked for, or let in, or both.
    pub(crate) fn is_once(self) -> bool {
        self.least <= 1.0 && self.most.is_none_or(|most| most == 1.0)
    }
}

/// What schemas that hold together say of the number of properties beyond the required ones, if one that they declare is optional.
pub(crate) fn of_optional(tree: &Tree, parts: &[Id]) -> Option<Bound> {
    if !parts.iter().any(|&part| counts(tree, part)) {
        return None;
    }
    let each = |keyword| parts.iter().filter_map(move |&part| tree.get(part, keyword));
    let required: hashbrown::HashSet<_, foldhash::fast::FixedState> =
        each(Kw::Required).flat_map(|list| tree.children(list)).filter_map(|name| tree.str(name)).collect();
    let beyond = |keyword| each(keyword).filter_map(|n| tree.num(n)).map(|n| (n - required.len() as f64).max(0.0));
    let bound =
        Bound { least: beyond(Kw::MinProperties).reduce(f64::max).unwrap_or(0.0), most: beyond(Kw::MaxProperties).reduce(f64::min) };
    let mut properties = each(Kw::Properties).flat_map(|properties| tree.children(properties));
    let counted = bound.least > 0.0 || bound.most.is_some();
    (counted && properties.any(|property| !required.contains(&tree.key(property)))).then_some(bound)
}

/// Whether a node and its branches of allOf bound the number together, and none of them alone.
pub(crate) fn across(tree: &Tree, node: Id) -> bool {
    let mut parts = vec![node];
    let mut next = 0;
    while let Some(&part) = parts.get(next) {
        parts.extend(tree.get(part, Kw::AllOf).into_iter().flat_map(|list| tree.children(list)));
        next = next.saturating_add(1);
    }
    of_optional(tree, &parts).is_some() && parts.iter().all(|&part| of_optional(tree, &[part]).is_none())
}

fn counts(tree: &Tree, node: Id) -> bool {
    tree.keys(node).meets(KwSet::of(&[Kw::MinProperties, Kw::MaxProperties]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    /// Of a schema with these members beside the properties `a` and `b`: what it says alone, if it does, and whether its parts do together.
    fn check(rest: &str, alone: Option<bool>, together: bool) {
        let tree = Tree::parse(&format!(r#"{{"properties":{{"a":{{}},"b":{{}}}},{rest}}}"#), &Budget::default()).expect(rest);
        assert_eq!(of_optional(&tree, &[tree.root()]).map(Bound::is_once), alone, "{rest}");
        assert_eq!(across(&tree, tree.root()), together, "{rest}");
    }

    #[test]
    fn bounds() {
        check(r#""maxProperties":2"#, Some(false), false);
        check(r#""maxProperties":2,"required":["b"]"#, Some(true), false);
        check(r#""maxProperties":2,"required":["b","a"]"#, None, false);
        check(r#""minProperties":1"#, Some(true), false);
        check(r#""minProperties":1,"required":["c"]"#, None, false);
        check(r#""minItems":1"#, None, false);
        check(r#""allOf":[{"maxProperties":2}]"#, None, true);
        check(r#""allOf":[{"required":["a"]},{"allOf":[{"maxProperties":3}]}]"#, None, true);
        check(r#""allOf":[{"minProperties":2,"required":["a"]},{"required":["b"]}]"#, None, false);
        check(r#""maxProperties":2,"allOf":[{"minProperties":2}]"#, Some(false), false);
        let empty = Tree::parse(r#"{"type":"object","minProperties":1}"#, &Budget::default()).expect("parses");
        assert_eq!(of_optional(&empty, &[empty.root()]), None);
    }
}
