//! Where a value may be written in another type: what stands around it, what it could be taken for, and what else looks at it.

use serde_json::value::RawValue;

use crate::attr::Types;
use crate::doc::Doc;
use crate::effect::Effects;
use crate::facts::literals;
use crate::keyword::{DEFINITIONS, Kw, KwSet, NOTES, UNIONS};
use crate::site::holder;
use crate::tree::{Id, Kind};
use crate::valid::{read_types, value_type};

/// What may stand beside a union whose branches are written in other types.
const BESIDE_BRANCHES: KwSet =
    NOTES.with(DEFINITIONS).with(KwSet::of(&[Kw::Type, Kw::Nullable, Kw::Id, Kw::OldId, Kw::Anchor, Kw::Schema]));
/// Keywords whose schemas test a value and are not what it is.
const TESTS: KwSet =
    KwSet::of(&[Kw::Not, Kw::If, Kw::Then, Kw::Else, Kw::Contains, Kw::PropertyNames, Kw::DependentSchemas, Kw::Dependencies]);
/// Keywords that hold a condition.
const CONDITIONS: KwSet = KwSet::of(&[Kw::If, Kw::Not, Kw::Contains]);
/// So many schemas are looked at.
const MOST_LOOKS: usize = 256;

impl Doc<'_, '_> {
    /// Whether the node is what a value is, and not a condition that a value is tested by; `written`: as what its values are written then.
    pub(crate) fn is_value(&self, node: Id, written: Types) -> bool {
        let tree = &self.tree;
        let mut at = node;
        let mut here = true;
        while let Some((up, via)) = (at != tree.root()).then(|| holder(tree, at)).flatten() {
            match via {
                // A branch of allOf is one condition among others, and so is one of a union with more beside it.
                Kw::AllOf if here => return false,
                Kw::AnyOf | Kw::OneOf if here && !self.leaves_open(up, via, written) => return false,
                Kw::AnyOf | Kw::OneOf => at = up,
                _ => (at, here) = (up, false),
            }
        }
        !self.is_tested(node)
    }

    /// The value that the node says something of: itself, or the nearest of the schemas whose branch it is that can be written as text.
    pub(crate) fn value_around(&self, node: Id) -> Option<Id> {
        let mut at = node;
        while !self.is_value(at, Types::STRING) {
            let (up, via) = (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten()?;
            at = Some(up).filter(|_| UNIONS.has(via) || via == Kw::AllOf)?;
        }
        Some(at).filter(|&at| at != self.tree.root())
    }

    /// Whether the node is part of a condition, or of what a reference in a condition leads to.
    fn is_tested(&self, node: Id) -> bool {
        let tree = &self.tree;
        if !tree.seen_keys().meets(TESTS) {
            return false;
        }
        let mut seen: hashbrown::HashSet<Id, foldhash::fast::FixedState> = hashbrown::HashSet::default();
        let (mut todo, mut followed) = (vec![node], 0_usize);
        while let Some(mut at) = todo.pop() {
            // What is above a node that was seen was seen with it.
            while seen.insert(at) {
                let before = todo.len();
                todo.extend(self.refs.leading_to(at).filter(|&from| self.attached(from)).take(MOST_LOOKS.saturating_sub(followed)));
                followed = followed.saturating_add(todo.len().saturating_sub(before));
                match (at != tree.root()).then(|| holder(tree, at)).flatten() {
                    Some((_, via)) if TESTS.has(via) => return true,
                    Some((up, via)) if !DEFINITIONS.has(via) => at = up,
                    _ => break,
                }
            }
        }
        false
    }

    /// Whether what stands beside a union takes branches of these types.
    fn leaves_open(&self, union: Id, via: Kw, written: Types) -> bool {
        let beside = self.tree.keys(union).without(KwSet::of(&[via])).without(KwSet::OTHER);
        let types = read_types(&self.tree, union).types;
        BESIDE_BRANCHES.covers(beside) && (types.is_empty() || types.covers(written))
    }

    /// What writing a node's values in other types costs: beside a branch that takes such values too, some cannot be told from its own.
    pub(crate) fn rival_cost(&self, node: Id, written: Types) -> Effects {
        let narrows = if self.rivalled(node, written, &mut MOST_LOOKS.clone()) { Effects::NARROWS } else { Effects::NONE };
        let widens = if self.overlaps(node, &mut MOST_LOOKS.clone()) { Effects::WIDENS } else { Effects::NONE };
        narrows.with(widens).with(self.looked_into(node))
    }

    /// A condition around a value that looks into it sees it as it is written then.
    fn looked_into(&self, node: Id) -> Effects {
        let mut at = node;
        while let Some((up, _)) = (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
            if self.tree.keys(up).meets(CONDITIONS) {
                return Effects::WIDENS.with(Effects::NARROWS);
            }
            at = up;
        }
        Effects::NONE
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
            *left = left.saturating_sub(1);
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
        self.refs.leading_to(at).any(|from| from != node && self.attached(from) && self.rivalled(from, written, left))
    }

    /// What giving members of an object other names, or null where there were none, costs: what else looks at them sees others;
    /// `own` keywords of the object itself, and those `within` the branches of its unions.
    pub(crate) fn watched(&self, object: Id, own: KwSet, within: KwSet) -> Effects {
        let mut at = object;
        loop {
            let lists = [Kw::AllOf, Kw::AnyOf, Kw::OneOf].into_iter().filter_map(|kw| self.tree.get(at, kw));
            let watches = |branch: Id| self.tree.kind(branch) == Kind::Object && self.tree.keys(branch).meets(within);
            if self.tree.keys(at).meets(own) || lists.flat_map(|l| self.tree.children(l)).any(watches) {
                return Effects::WIDENS.with(Effects::NARROWS);
            }
            match (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
                Some((up, Kw::AllOf | Kw::AnyOf | Kw::OneOf | Kw::Then | Kw::Else | Kw::DependentSchemas)) => at = up,
                _ => return self.looked_into(object),
            }
        }
    }

    /// Whether a schema may take values of these types.
    fn may_be(&self, node: Id, types: Types, left: &mut usize) -> bool {
        let tree = &self.tree;
        if *left == 0 {
            return true;
        }
        *left = left.saturating_sub(1);
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
