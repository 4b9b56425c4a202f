//! Where a value may be written in another type: what stands around it, what it could be taken for, and what else looks at it.

use serde_json::value::RawValue;

use super::merge::says;
use crate::attr::Types;
use crate::doc::Doc;
use crate::effect::Effects;
use crate::exclusive::exclusive;
use crate::facts::{has_literals, literals};
use crate::keyword::{COMBINATORS, DEFINITIONS, Holds, Kw, KwSet, NOTES, Role, SUBSCHEMAS, UNIONS};
use crate::site::{holder, subschemas_under};
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
/// Limits that are looked at when a branch is chosen for a value.
const SHAPED: KwSet = KwSet::of(&[Kw::Required, Kw::Nullable]);
/// Keywords whose schemas speak of an object's members.
const MEMBERS: KwSet = KwSet::of(&[Kw::Properties, Kw::PatternProperties, Kw::AdditionalProperties, Kw::UnevaluatedProperties]);
/// Keywords whose schemas speak of an array's elements.
const ELEMENTS: KwSet = KwSet::of(&[Kw::Items, Kw::PrefixItems, Kw::AdditionalItems, Kw::UnevaluatedItems]);
/// Keywords whose schemas speak of the value itself.
const IN_PLACE: KwSet = COMBINATORS.with(KwSet::of(&[Kw::Then, Kw::Else, Kw::DependentSchemas]));
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
                Kw::AnyOf | Kw::OneOf if here && !self.leaves_open((up, via), at, written) => return false,
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
        if !self.tree.seen_keys().meets(TESTS) {
            return false;
        }
        self.is_around(node, |_, _, via| TESTS.has(via))
    }

    /// Whether this holds of a schema around the node, or around a reference that leads there: what holds another, under which keyword.
    fn is_around(&self, node: Id, holds: impl Fn(Id, Id, Kw) -> bool) -> bool {
        let mut seen: hashbrown::HashSet<Id, foldhash::fast::FixedState> = hashbrown::HashSet::default();
        let (mut todo, mut followed) = (vec![node], 0_usize);
        while let Some(mut at) = todo.pop() {
            // What is above a node that was seen was seen with it.
            while seen.insert(at) {
                let before = todo.len();
                todo.extend(self.refs.leading_to(at).filter(|&from| self.attached(from)).take(MOST_LOOKS.saturating_sub(followed)));
                followed = followed.saturating_add(todo.len().saturating_sub(before));
                match (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
                    Some((up, via)) if !DEFINITIONS.has(via) && holds(at, up, via) => return true,
                    Some((up, via)) if !DEFINITIONS.has(via) => at = up,
                    _ => break,
                }
            }
        }
        false
    }

    /// Whether what stands beside a union takes values of a branch, as they are and as they are written then.
    fn leaves_open(&self, (union, via): (Id, Kw), branch: Id, written: Types) -> bool {
        let beside = self.tree.keys(union).without(KwSet::of(&[via])).without(KwSet::OTHER);
        let types = read_types(&self.tree, union).types;
        BESIDE_BRANCHES.covers(beside) && (types.is_empty() || (types.covers(written) && !types.intersect(self.own(branch)).is_empty()))
    }

    /// What writing a node's values in other types costs: beside a branch that takes such values too, some cannot be told from its own.
    pub(crate) fn rival_cost(&self, node: Id, written: Types) -> Effects {
        let narrows = self.rivalled(node, written, &mut MOST_LOOKS.clone()) || self.crowds(node, &mut MOST_LOOKS.clone());
        let narrows = if narrows { Effects::NARROWS } else { Effects::NONE };
        let widens = if self.overlaps(node, &mut MOST_LOOKS.clone()) { Effects::WIDENS } else { Effects::NONE };
        narrows.with(widens).with(self.looked_into(node))
    }

    /// A condition around a value that looks into it sees it as it is written then, and so does what else is said of the same place.
    fn looked_into(&self, node: Id) -> Effects {
        let looks = |at: Id, up: Id, via: Kw| self.tree.keys(up).meets(CONDITIONS) || self.said_apart(up, via, at);
        if self.is_around(node, looks) { Effects::WIDENS.with(Effects::NARROWS) } else { Effects::NONE }
    }

    /// Whether another schema of the same place as `object` says something of its part as well.
    fn said_apart(&self, object: Id, via: Kw, part: Id) -> bool {
        let family = if MEMBERS.has(via) {
            MEMBERS
        } else if ELEMENTS.has(via) {
            ELEMENTS
        } else {
            return false;
        };
        let tree = &self.tree;
        if !tree.seen_keys().meets(IN_PLACE) {
            return false;
        }
        let speaks = |schema: Id| {
            tree.children(schema).any(|c| match tree.kw(c).filter(|&kw| family.has(kw)) {
                None => false,
                Some(Kw::Properties) if via == Kw::Properties => tree.member(c, &tree.key(part)).is_some_and(|p| says(tree, p)),
                Some(kw) if kw.holds() == Holds::SchemaMap || tree.kind(c) == Kind::Array => tree.children(c).any(|p| says(tree, p)),
                Some(_) => says(tree, c),
            })
        };
        self.in_place(object).into_iter().any(speaks)
    }

    /// The other schemas that hold of the same value, as far as they are no alternatives to the schema.
    pub(crate) fn in_place(&self, schema: Id) -> Vec<Id> {
        let tree = &self.tree;
        let (mut top, mut own) = (schema, vec![schema]);
        while let Some((up, _)) = (top != tree.root()).then(|| holder(tree, top)).flatten().filter(|(_, via)| IN_PLACE.has(*via)) {
            top = up;
            own.push(top);
        }
        let (mut out, mut todo) = (Vec::new(), vec![top]);
        let mut seen: hashbrown::HashSet<Id, foldhash::fast::FixedState> = hashbrown::HashSet::default();
        while let Some(at) = todo.pop().filter(|_| seen.len() < MOST_LOOKS) {
            if tree.kind(at) != Kind::Object || !seen.insert(at) {
                continue;
            }
            if at != schema {
                out.push(at);
            }
            todo.extend(self.refs.node(at));
            let from = todo.len();
            subschemas_under(tree, at, IN_PLACE, |child, _| todo.push(child));
            // Of the union that it is a branch of, the others are alternatives.
            let chosen = todo.iter().skip(from).find(|c| own.contains(c)).and_then(|&c| Some((c, tree.parent(c)?)));
            if let Some((branch, list)) = chosen.filter(|(_, list)| tree.kw(*list).is_some_and(|kw| UNIONS.has(kw))) {
                let others = todo.split_off(from);
                todo.extend(others.into_iter().filter(|&c| c == branch || tree.parent(c) != Some(list)));
            }
        }
        out
    }

    /// Whether some values of a branch of `oneOf` may fit a sibling too, and so fit neither until they are written apart.
    fn overlaps(&self, node: Id, left: &mut usize) -> bool {
        let mut at = node;
        while let Some((up, via)) = (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
            let list = self.tree.parent(at).filter(|_| via == Kw::OneOf);
            if list.is_some_and(|list| {
                !exclusive(&self.tree, &self.refs, list) && self.siblings(at).any(|s| self.may_be(s, self.own(at), left))
            }) {
                return true;
            }
            at = up;
        }
        false
    }

    /// Whether a sibling looks as if it took values of the branch, and refuses some of them for what is not looked at when a branch is chosen.
    fn crowds(&self, node: Id, left: &mut usize) -> bool {
        let mut at = node;
        while let Some((up, via)) = (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
            if UNIONS.has(via) {
                if self.siblings(at).any(|s| self.may_be(s, self.own(at), left) && self.is_limited(s)) {
                    return true;
                }
            } else if via != Kw::AllOf {
                return false;
            }
            at = up;
        }
        false
    }

    /// The types of a schema's values.
    fn own(&self, node: Id) -> Types {
        let own = read_types(&self.tree, node).types;
        if own.is_empty() { Types(0x7f) } else { own }
    }

    /// The other branches of a union.
    fn siblings(&self, branch: Id) -> impl Iterator<Item = Id> + '_ {
        self.tree.parent(branch).into_iter().flat_map(|list| self.tree.children(list)).filter(move |&s| s != branch)
    }

    /// Whether something in a schema, or what it refers to, refuses values of the right shape.
    fn is_limited(&self, schema: Id) -> bool {
        let mut seen: hashbrown::HashSet<Id, foldhash::fast::FixedState> = hashbrown::HashSet::default();
        let mut todo = vec![schema];
        while let Some(at) = todo.pop() {
            if seen.len() >= MOST_LOOKS || self.limits(at) {
                return true;
            }
            if self.tree.kind(at) == Kind::Object && seen.insert(at) {
                todo.extend(self.refs.node(at));
                subschemas_under(&self.tree, at, SUBSCHEMAS, |child, _| todo.push(child));
            }
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
        self.refs
            .leading_to(at)
            .any(|from| from != node && self.attached(from) && (self.limited_beside(from) || self.rivalled(from, written, left)))
    }

    /// Whether a schema has limits of its own that are not looked at when a branch is chosen.
    fn limits(&self, schema: Id) -> bool {
        self.tree.children(schema).any(|c| self.tree.kw(c).is_some_and(|kw| kw.role() == Role::Limit && !SHAPED.has(kw)))
    }

    /// Whether something beside a reference, or beside a union that it is a branch of, refuses values for what they are written like.
    fn limited_beside(&self, reference: Id) -> bool {
        let mut at = reference;
        loop {
            if self.limits(at) {
                return true;
            }
            match (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
                Some((up, via)) if COMBINATORS.has(via) => at = up,
                _ => return false,
            }
        }
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
        if has_literals(tree, node) {
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
