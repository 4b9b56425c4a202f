//! Operations that keep the set of values while they change its spelling: unions, `allOf`, type lists, tuples.

use super::refs::STAYS;
use crate::attr::Types;
use crate::doc::{Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::keyword::{ARRAY_KEYS, COMBINATORS, Kw, KwSet, NOTES, NUMBER_KEYS, OBJECT_KEYS, STRING_KEYS};
use crate::note::Note;
use crate::tree::{Id, Kind};
use crate::valid::{read_types, value_type};

impl Doc<'_, '_> {
    /// Merges the branch of a combinator that has only one.
    pub(crate) fn unwrap_single(&mut self, node: Id) -> Outcome {
        let mut names = Vec::new();
        for kw in [Kw::AllOf, Kw::AnyOf, Kw::OneOf] {
            let Some(list) = self.tree.get(node, kw).filter(|&l| self.tree.kind(l) == Kind::Array) else { continue };
            let mut branches = self.tree.children(list);
            let (Some(branch), None) = (branches.next(), branches.next()) else { continue };
            if self.tree.kind(branch) == Kind::Object && self.clashes(node, branch) {
                continue;
            }
            let before = self.tree.to_json(list);
            self.tree.detach(list);
            self.tree.detach(branch);
            self.merge(node, branch);
            // What cannot be merged comes back as the one branch of allOf.
            if kw != Kw::AllOf || self.tree.get(node, kw).is_none_or(|l| self.tree.to_json(l) != before) {
                names.push(kw.name());
            }
        }
        if names.is_empty() { Err(Declined) } else { done(Effects::NONE, names.join(", ")) }
    }

    /// Merges the branches of `allOf`; what cannot be merged stays there.
    pub(crate) fn merge_all_of(&mut self, node: Id) -> Outcome {
        let list = self.tree.get(node, Kw::AllOf).filter(|&l| self.tree.kind(l) == Kind::Array).ok_or(Declined)?;
        let branches: Vec<Id> = self.tree.children(list).collect();
        let before = self.tree.to_json(list);
        self.tree.detach(list);
        for branch in &branches {
            self.tree.detach(*branch);
            self.merge(node, *branch);
        }
        if self.tree.get(node, Kw::AllOf).is_some_and(|l| self.tree.to_json(l) == before) {
            return Err(Declined);
        }
        done(Effects::NONE, format!("{} branches", branches.len()))
    }

    /// Makes one object of a union of objects.
    pub(crate) fn merge_branches(&mut self, node: Id) -> Outcome {
        let kw = [Kw::AnyOf, Kw::OneOf].into_iter().find(|&kw| self.tree.keys(node).has(kw)).ok_or(Declined)?;
        let list = self.tree.get(node, kw).filter(|&l| self.tree.kind(l) == Kind::Array).ok_or(Declined)?;
        let branches: Vec<Id> = self.tree.children(list).collect();
        let own = read_types(&self.tree, node).types;
        let object = |doc: &Doc<'_, '_>, b: Id| {
            let b = doc.refs.follow(b);
            let types = read_types(&doc.tree, b).types;
            doc.tree.kind(b) == Kind::Object
                && (types == Types::OBJECT || (types.is_empty() && (own == Types::OBJECT || doc.tree.keys(b).meets(OBJECT_KEYS))))
                && !doc.tree.keys(b).meets(COMBINATORS)
        };
        if branches.is_empty() || !branches.iter().all(|&b| object(self, b)) || !(own.is_empty() || own == Types::OBJECT) {
            return Err(Declined);
        }
        let effect = self.permit(node, Effects::WIDENS)?;
        let mut opened = Vec::new();
        for &branch in &branches {
            let copy = if self.tree.keys(branch).has(Kw::Ref) {
                let target = self.refs.follow(branch);
                self.copy(target).ok_or(Declined)?
            } else {
                self.copy(branch).ok_or(Declined)?
            };
            opened.push(copy);
        }
        self.tree.detach(list);
        self.note_alternatives(node, &opened);
        self.join(node, &opened);
        done(effect, format!("{} of {}", branches.len(), kw.name()))
    }

    /// Adds to an object what the alternatives declare: properties as unions, `required` as far as all agree.
    fn join(&mut self, node: Id, branches: &[Id]) {
        let common = self.common_required(branches);
        let closed = |doc: &Doc<'_, '_>, b: Id| doc.tree.get(b, Kw::AdditionalProperties).and_then(|a| doc.tree.bool(a)) == Some(false);
        let all_closed = branches.iter().all(|&b| closed(self, b));
        let shared = self.tree.new_object();
        for &branch in branches {
            let properties: Vec<Id> =
                self.tree.get(branch, Kw::Properties).into_iter().flat_map(|p| self.tree.children(p).collect::<Vec<_>>()).collect();
            for property in properties {
                let name = self.tree.key(property).into_owned();
                self.tree.detach(property);
                match self.tree.member(shared, &name) {
                    None => self.tree.insert(shared, &name, property),
                    Some(have) => self.either(have, property),
                }
            }
        }
        let types = read_types(&self.tree, node).types;
        if types.is_empty() {
            self.set_type(node, Types::OBJECT);
        }
        let map = match self.tree.get(node, Kw::Properties).filter(|&p| self.tree.kind(p) == Kind::Object) {
            Some(map) => map,
            None => {
                let map = self.tree.new_object();
                self.tree.set(node, Kw::Properties, map);
                map
            }
        };
        let joined: Vec<Id> = self.tree.children(shared).collect();
        for property in joined {
            let name = self.tree.key(property).into_owned();
            self.tree.detach(property);
            match self.tree.member(map, &name) {
                None => self.tree.insert(map, &name, property),
                Some(own) => drop(self.merge(own, property)),
            }
        }
        if !common.is_empty() {
            let list = match self.tree.get(node, Kw::Required).filter(|&r| self.tree.kind(r) == Kind::Array) {
                Some(list) => list,
                None => {
                    let list = self.tree.new_array();
                    self.tree.set(node, Kw::Required, list);
                    list
                }
            };
            for name in common {
                if !self.tree.children(list).any(|n| self.tree.str(n).as_deref() == Some(&name)) {
                    let item = self.tree.new_str(&name);
                    self.tree.append(list, item);
                }
            }
        }
        if all_closed && !self.tree.keys(node).has(Kw::AdditionalProperties) {
            let no = self.tree.new_bool(false);
            self.tree.set(node, Kw::AdditionalProperties, no);
        }
    }

    fn common_required(&self, branches: &[Id]) -> Vec<String> {
        let names = |b: Id| -> Vec<String> {
            let list = self.tree.get(b, Kw::Required).filter(|&r| self.tree.kind(r) == Kind::Array);
            list.map(|l| self.tree.children(l).filter_map(|n| self.tree.str(n).map(|s| s.into_owned())).collect()).unwrap_or_default()
        };
        let mut rest = branches.iter().map(|&b| names(b));
        let mut common = rest.next().unwrap_or_default();
        for other in rest {
            common.retain(|n| other.contains(n));
        }
        common
    }

    /// Makes a schema admit what another admits too.
    fn either(&mut self, have: Id, other: Id) {
        if self.tree.same(have, other) || self.tree.kind(have) == Kind::Bool {
            return;
        }
        if self.tree.kind(other) == Kind::Bool {
            return;
        }
        let literal = |doc: &Doc<'_, '_>, n: Id| {
            let keys = doc.tree.keys(n).without(NOTES);
            !keys.is_empty() && KwSet::of(&[Kw::Type, Kw::Enum, Kw::Const]).covers(keys) && keys.meets(KwSet::of(&[Kw::Enum, Kw::Const]))
        };
        let (a, b) = (read_types(&self.tree, have).types, read_types(&self.tree, other).types);
        if literal(self, have) && literal(self, other) && a == b {
            for n in [have, other] {
                if self.tree.keys(n).has(Kw::Const) {
                    drop(self.listify(n, Kw::Const, Kw::Enum));
                }
            }
            if let (Some(list), Some(more)) = (self.tree.get(have, Kw::Enum), self.tree.get(other, Kw::Enum)) {
                let members: Vec<Id> = self.tree.children(more).collect();
                for member in members {
                    if !self.tree.children(list).any(|m| self.tree.same(m, member)) {
                        self.tree.detach(member);
                        self.tree.append(list, member);
                    }
                }
                return;
            }
        }
        // A union made here grows; any other schema becomes its first branch.
        let only_union = KwSet::of(&[Kw::AnyOf]).covers(self.tree.keys(have).without(NOTES));
        let list = match self.tree.get(have, Kw::AnyOf).filter(|_| only_union) {
            Some(list) => list,
            None => {
                let inner = self.move_out(have, |tree, c| matches!(tree.kw(c), Some(Kw::Description | Kw::Title)));
                let list = self.tree.new_array();
                self.tree.append(list, inner);
                self.tree.set(have, Kw::AnyOf, list);
                list
            }
        };
        if !self.tree.children(list).any(|b| self.tree.same(b, other)) {
            self.tree.append(list, other);
        }
    }

    /// Drops a union whose branches only list required properties, with a note.
    pub(crate) fn required_note(&mut self, node: Id) -> Outcome {
        let kw = [Kw::AnyOf, Kw::OneOf].into_iter().find(|&kw| self.tree.keys(node).has(kw)).ok_or(Declined)?;
        let list = self.tree.get(node, kw).ok_or(Declined)?;
        let effect = self.permit(node, Effects::WIDENS)?;
        let branches: Vec<Id> = self.tree.children(list).collect();
        self.note_alternatives(node, &branches);
        self.tree.detach(list);
        done(effect, kw.name())
    }

    fn note_alternatives(&mut self, node: Id, branches: &[Id]) {
        let mut sets: Vec<String> = Vec::new();
        for &branch in branches.iter().take(12) {
            let Some(list) = self.tree.get(branch, Kw::Required) else { continue };
            let names: Vec<String> = self.tree.children(list).filter_map(|n| self.tree.str(n).map(|s| s.into_owned())).collect();
            let set = if names.len() == 1 { names[0].clone() } else { format!("({})", names.join(", ")) };
            if !names.is_empty() && !sets.contains(&set) {
                sets.push(set);
            }
        }
        if sets.len() > 1 {
            self.note(node, Note::free(format!("Requires one of: {}.", sets.join("; "))));
        }
    }

    /// Makes a union of a type list; keywords of one type go with that type.
    pub(crate) fn split_types(&mut self, node: Id) -> Outcome {
        let read = read_types(&self.tree, node);
        if !read.list || read.unknown || self.tree.keys(node).meets(COMBINATORS.with(KwSet::of(&[Kw::Ref]))) {
            return self.split_into_branches(node, read.types);
        }
        let mut types = read.types;
        if types.meets(Types::NUMBER) {
            types = types.without(Types::INTEGER);
        }
        if types.count() < 2 {
            self.set_type(node, types);
            return done(Effects::NONE, "one type");
        }
        let names: Vec<&str> = types.names().collect();
        self.tree.remove(node, Kw::Type);
        let inner = self.move_out(node, |tree, c| tree.kw(c).is_none_or(|kw| STAYS.has(kw)));
        let list = self.tree.new_array();
        for (word, one) in Types::WORDS {
            if !types.meets(one) {
                continue;
            }
            let Some(branch) = self.branch_of(inner, one, word) else { continue };
            self.tree.append(list, branch);
        }
        self.tree.set(node, Kw::AnyOf, list);
        done(Effects::NONE, names.join(", "))
    }

    /// With a union beside it, a type list narrows each branch instead.
    fn split_into_branches(&mut self, node: Id, types: Types) -> Outcome {
        let list = self.tree.get(node, Kw::AnyOf).filter(|&l| self.tree.kind(l) == Kind::Array).ok_or(Declined)?;
        let branches: Vec<Id> = self.tree.children(list).collect();
        let fits = |doc: &Doc<'_, '_>, b: Id| {
            let own = read_types(&doc.tree, b).types;
            doc.tree.kind(b) == Kind::Object && !own.is_empty() && own.intersect(types) == own
        };
        if types.is_empty() || branches.is_empty() || !branches.iter().all(|&b| fits(self, b)) {
            return Err(Declined);
        }
        self.tree.remove(node, Kw::Type);
        done(Effects::NONE, "type beside anyOf")
    }

    fn branch_of(&mut self, inner: Id, one: Types, word: &str) -> Option<Id> {
        let numbers = Types(Types::NUMBER.0 | Types::INTEGER.0);
        let branch = self.copy(inner)?;
        for (group, of) in [(OBJECT_KEYS, Types::OBJECT), (ARRAY_KEYS, Types::ARRAY), (STRING_KEYS, Types::STRING), (NUMBER_KEYS, numbers)]
        {
            if one.meets(of) {
                continue;
            }
            let off: Vec<Id> = self.tree.children(branch).filter(|&c| self.tree.kw(c).is_some_and(|kw| group.has(kw))).collect();
            for child in off {
                self.tree.detach(child);
            }
        }
        let mut had = false;
        if let Some(list) = self.tree.get(branch, Kw::Enum) {
            had = true;
            let off: Vec<Id> = self.tree.children(list).filter(|&m| !one.admits(value_type(&self.tree, m))).collect();
            for member in off {
                self.tree.detach(member);
            }
            if self.tree.count(list) == 0 {
                return None;
            }
        }
        if let Some(value) = self.tree.get(branch, Kw::Const) {
            had = true;
            if !one.admits(value_type(&self.tree, value)) {
                return None;
            }
        }
        if had && one == Types::NULL {
            self.tree.remove(branch, Kw::Enum);
            self.tree.remove(branch, Kw::Const);
        }
        let value = self.tree.new_str(word);
        self.set_first(branch, Kw::Type, value);
        Some(branch)
    }

    /// Moves the keywords beside a union into its branches.
    pub(crate) fn push_siblings(&mut self, node: Id) -> Outcome {
        let kw = [Kw::AnyOf, Kw::OneOf].into_iter().find(|&kw| self.tree.keys(node).has(kw)).ok_or(Declined)?;
        let list = self.tree.get(node, kw).filter(|&l| self.tree.kind(l) == Kind::Array).ok_or(Declined)?;
        let moves = |doc: &Doc<'_, '_>, c: Id| doc.tree.kw(c).is_some_and(|k| !STAYS.has(k));
        let names: Vec<String> = self.tree.children(node).filter(|&c| moves(self, c)).map(|c| self.tree.key(c).into_owned()).collect();
        if names.is_empty() {
            return Err(Declined);
        }
        let branches: Vec<Id> = self.tree.children(list).collect();
        let weight: usize = self.tree.children(node).filter(|&c| moves(self, c)).map(|c| self.tree.size(c)).sum();
        if branches.iter().any(|&b| self.refs.recursive(b)) || !self.room(weight * branches.len()) {
            return Err(Declined);
        }
        let stays = |tree: &crate::tree::Tree, c: Id| tree.kw(c).is_none_or(|k| STAYS.has(k));
        let inner = self.move_out(node, stays);
        let mut kept = 0;
        for branch in branches {
            if self.tree.keys(branch).has(Kw::Ref) && self.tree.kind(branch) == Kind::Object {
                let Some(opened) = self.opened(branch) else { continue };
                for child in self.tree.children(branch).collect::<Vec<_>>() {
                    if self.tree.kw(child) == Some(Kw::Ref) {
                        self.tree.detach(child);
                    }
                }
                self.refs.forget(branch);
                self.merge(branch, opened);
            }
            if self.clashes(branch, inner) {
                // No value fits this branch and what stands beside the union.
                self.tree.detach(branch);
                continue;
            }
            let Some(copy) = self.copy(inner) else { continue };
            self.merge(branch, copy);
            kept += 1;
        }
        if kept == 0 {
            self.tree.remove(node, kw);
            self.merge(node, inner);
        }
        done(Effects::NONE, names.join(", "))
    }

    /// Makes an array of a union of a tuple.
    pub(crate) fn union_items(&mut self, node: Id) -> Outcome {
        let (elements, rest) = self.tuple_parts(node).ok_or(Declined)?;
        let effect = self.permit(node, Effects::WIDENS)?;
        let closed = rest.is_some_and(|r| self.tree.bool(r) == Some(false));
        let count = elements.len();
        let list = self.tree.new_array();
        let tail = rest.filter(|&r| self.tree.kind(r) == Kind::Object);
        for element in elements.into_iter().chain(tail) {
            self.tree.detach(element);
            if !self.tree.children(list).any(|b| self.tree.same(b, element)) {
                self.tree.append(list, element);
            }
        }
        for kw in [Kw::PrefixItems, Kw::Items, Kw::AdditionalItems] {
            self.tree.remove(node, kw);
        }
        let items = if self.tree.count(list) == 1 {
            let only = self.tree.children(list).next().ok_or(Declined)?;
            self.tree.detach(only);
            only
        } else {
            let items = self.tree.new_object();
            self.tree.set(items, Kw::AnyOf, list);
            items
        };
        self.tree.set(node, Kw::Items, items);
        if closed && !self.tree.keys(node).has(Kw::MaxItems) {
            let most = self.tree.new_num(&count.to_string());
            self.tree.set(node, Kw::MaxItems, most);
        }
        done(effect, format!("{count} elements"))
    }

    /// The elements of a tuple and what may follow them.
    pub(crate) fn tuple_parts(&self, node: Id) -> Option<(Vec<Id>, Option<Id>)> {
        let tree = &self.tree;
        let (list, rest) = match tree.get(node, Kw::PrefixItems) {
            Some(list) => (list, tree.get(node, Kw::Items)),
            None => (tree.get(node, Kw::Items)?, tree.get(node, Kw::AdditionalItems)),
        };
        let elements: Vec<Id> = (tree.kind(list) == Kind::Array).then(|| tree.children(list).collect())?;
        (!elements.is_empty() && elements.len() <= 64).then_some((elements, rest))
    }
}
