//! Whether what a branch of a union is written as is also what another branch takes.

use serde_json::value::RawValue;

use crate::attr::Types;
use crate::doc::Doc;
use crate::effect::Effects;
use crate::facts::literals;
use crate::keyword::{Kw, KwSet, UNIONS};
use crate::site::holder;
use crate::tree::{Id, Kind};
use crate::valid::{read_types, value_type};

/// Keywords that look at the names of an object's members.
const WATCHERS: KwSet = KwSet::of(&[
    Kw::PropertyNames,
    Kw::PatternProperties,
    Kw::MinProperties,
    Kw::MaxProperties,
    Kw::DependentRequired,
    Kw::DependentSchemas,
    Kw::Dependencies,
    Kw::If,
    Kw::Not,
]);
/// So many schemas are looked at.
const MOST_LOOKS: usize = 256;

impl Doc<'_, '_> {
    /// What writing a node's values in other types costs: beside a branch that takes such values too, some cannot be told from its own.
    pub(crate) fn rival_cost(&self, node: Id, written: Types) -> Effects {
        let narrows = if self.rivalled(node, written, &mut MOST_LOOKS.clone()) { Effects::NARROWS } else { Effects::NONE };
        let widens = if self.overlaps(node, &mut MOST_LOOKS.clone()) { Effects::WIDENS } else { Effects::NONE };
        narrows.with(widens)
    }

    /// Whether some values of a branch of `oneOf` may fit a sibling too, and so fit neither until they are written apart.
    fn overlaps(&self, node: Id, left: &mut usize) -> bool {
        let own = read_types(&self.tree, node).types;
        let own = if own.is_empty() { Types(0x7f) } else { own };
        let mut at = node;
        while let Some((up, via)) = (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
            if !UNIONS.has(via) && via != Kw::AllOf {
                return false;
            }
            let mut siblings = self.tree.parent(at).into_iter().flat_map(|list| self.tree.children(list)).filter(|&s| s != at);
            if via == Kw::OneOf && siblings.any(|s| self.may_be(s, own, left)) {
                return true;
            }
            at = up;
        }
        false
    }

    fn rivalled(&self, node: Id, written: Types, left: &mut usize) -> bool {
        let mut at = node;
        while let Some((up, via)) = (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
            if *left == 0 {
                return true;
            }
            *left -= 1;
            if UNIONS.has(via) {
                let siblings = self.tree.parent(at).into_iter().flat_map(|list| self.tree.children(list));
                if siblings.filter(|&s| s != at).any(|s| self.may_be(s, written, left)) {
                    return true;
                }
            } else if via != Kw::AllOf {
                break;
            }
            at = up;
        }
        // What refers to it stands in other places.
        self.refs.aims_at(at)
            && self.refs.iter().any(|(from, _)| {
                from != node && self.refs.node(from) == Some(at) && self.attached(from) && self.rivalled(from, written, left)
            })
    }

    /// What giving members of an object other names, or null where there were none, costs: what else looks at its names sees others.
    pub(crate) fn watched(&self, object: Id) -> Effects {
        let mut at = object;
        loop {
            if self.tree.keys(at).meets(WATCHERS) {
                return Effects::WIDENS.with(Effects::NARROWS);
            }
            match (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
                Some((up, Kw::AllOf | Kw::AnyOf | Kw::OneOf | Kw::Then | Kw::Else | Kw::DependentSchemas)) => at = up,
                _ => return Effects::NONE,
            }
        }
    }

    /// Whether a schema may take values of these types.
    fn may_be(&self, node: Id, types: Types, left: &mut usize) -> bool {
        let tree = &self.tree;
        if *left == 0 {
            return true;
        }
        *left -= 1;
        if tree.kind(node) != Kind::Object {
            return tree.bool(node) != Some(false);
        }
        if tree.keys(node).meets(KwSet::of(&[Kw::Enum, Kw::Const])) {
            // Of literals only those that look like JSON can be taken for a value that is written as text.
            let like = |l: Id| tree.kind(l) != Kind::Str || tree.str(l).is_some_and(|t| serde_json::from_str::<&RawValue>(&t).is_ok());
            return literals(tree, node).any(|l| types.admits(value_type(tree, l)) && like(l));
        }
        let own = read_types(tree, node).types;
        if !own.is_empty() {
            return Types::WORDS.iter().any(|&(_, t)| types.meets(t) && own.admits(t));
        }
        if let Some(target) = self.refs.node(node) {
            return self.may_be(target, types, left);
        }
        let unions = [Kw::AnyOf, Kw::OneOf].into_iter().filter_map(|kw| tree.get(node, kw)).next();
        match unions.filter(|&l| tree.kind(l) == Kind::Array) {
            Some(list) => tree.children(list).any(|b| self.may_be(b, types, left)),
            None => true,
        }
    }
}
