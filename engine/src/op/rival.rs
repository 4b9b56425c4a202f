//! Whether what a branch of a union is written as is also what another branch takes.

use crate::attr::Types;
use crate::doc::Doc;
use crate::effect::Effects;
use crate::keyword::{Kw, UNIONS};
use crate::site::holder;
use crate::tree::{Id, Kind};
use crate::valid::read_types;

/// So many schemas are looked at.
const MOST_LOOKS: usize = 256;

impl Doc<'_, '_> {
    /// What writing a node's values in other types costs: beside a branch that takes such values too, some cannot be told from its own.
    pub(crate) fn rival_cost(&self, node: Id, written: Types) -> Effects {
        if self.rivalled(node, written, &mut MOST_LOOKS.clone()) { Effects::NARROWS } else { Effects::NONE }
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
