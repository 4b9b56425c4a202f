//! Operations that keep the set of values while they change its spelling: unions, `allOf`, type lists, tuples.

use std::borrow::Cow;

use super::merge::{Absorbed, Stood, says};
use super::refs::STAYS;
use crate::attr::Types;
use crate::doc::{Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::exclusive::exclusive;
use crate::facts::{has_literals, literals};
use crate::keyword::{ARRAY_KEYS, COMBINATORS, DEFINITIONS, Kw, KwSet, NOTES, NUMBER_KEYS, OBJECT_KEYS, STRING_KEYS};
use crate::note::Note;
use crate::refs::REFERENCES;
use crate::tree::{Id, Kind, Tree};
use crate::valid::{read_types, value_type};
use crate::values::{Members, ValueSet, texts};

impl Doc<'_, '_> {
    /// Merges the branch of a combinator that has only one.
    pub(crate) fn unwrap_single(&mut self, node: Id) -> Outcome {
        let mut names = Vec::new();
        for kw in [Kw::AllOf, Kw::AnyOf, Kw::OneOf] {
            let Some(list) = self.tree.get(node, kw).filter(|&l| self.tree.kind(l) == Kind::Array) else { continue };
            let mut branches = self.tree.children(list);
            let (Some(branch), None) = (branches.next(), branches.next()) else { continue };
            // A branch with a union of its own puts it in the place of this one.
            let nested = self.tree.kind(branch) == Kind::Object && self.tree.keys(branch).has(kw);
            if nested {
                self.tree.detach(list);
            }
            let absorbed = self.absorb_branch(node, kw, branch);
            match (nested, absorbed.whole) {
                (false, true) => drop(self.tree.remove(node, kw)),
                (true, false) if self.tree.keys(node).has(kw) => {
                    self.tree.detach(branch);
                    self.apart(node, branch);
                }
                (true, false) => self.tree.set(node, kw, list),
                _ => {}
            }
            if absorbed.some {
                names.push(kw.name());
            }
        }
        if names.is_empty() { Err(Declined) } else { done(Effects::NONE, names.join(", ")) }
    }

    /// Merges the branches of `allOf`; what cannot be merged stays there.
    pub(crate) fn merge_all_of(&mut self, node: Id) -> Outcome {
        let list = self.tree.get(node, Kw::AllOf).filter(|&l| self.tree.kind(l) == Kind::Array).ok_or(Declined)?;
        let (mut merged, mut next) = (0_usize, self.tree.children(list).next());
        while let Some(branch) = next {
            let absorbed = self.absorb_branch(node, Kw::AllOf, branch);
            // Its own branches may stand behind it now.
            next = self.tree.node(branch).next.some();
            merged = merged.saturating_add(usize::from(absorbed.some));
            if absorbed.whole {
                self.tree.detach(branch);
            }
        }
        if self.tree.node(list).first.some().is_none() && merged > 0 {
            self.tree.detach(list);
        }
        if merged == 0 { Err(Declined) } else { done(Effects::NONE, format!("{merged} branches")) }
    }

    /// Moves what can be merged of a branch into the node. A reference is opened where it would not stand alone.
    fn absorb_branch(&mut self, node: Id, kw: Kw, branch: Id) -> Absorbed {
        let mut stays = KwSet::EMPTY;
        if self.tree.kind(branch) == Kind::Object && self.tree.keys(branch).meets(REFERENCES) {
            let beside = NOTES.with(DEFINITIONS).with(KwSet::of(&[kw, Kw::Nullable, Kw::Id, Kw::OldId, Kw::Anchor]));
            let single = self.tree.parent(branch).is_some_and(|list| self.tree.children(list).nth(1).is_none());
            let bare = NOTES.with(REFERENCES).covers(self.tree.keys(branch).without(KwSet::OTHER));
            let alone = single && bare && beside.covers(self.tree.keys(node).without(KwSet::OTHER));
            if !alone && !self.open(branch) {
                stays = REFERENCES;
            }
        }
        self.absorb(node, branch, Stood::Within, stays)
    }

    /// Makes one object of a union of objects.
    pub(crate) fn merge_branches(&mut self, node: Id) -> Outcome {
        let kw = [Kw::AnyOf, Kw::OneOf].into_iter().find(|&kw| self.tree.keys(node).has(kw)).ok_or(Declined)?;
        let list = self.tree.get(node, kw).filter(|&l| self.tree.kind(l) == Kind::Array).ok_or(Declined)?;
        let branches: Vec<Id> = self.tree.children(list).collect();
        let own = read_types(&self.tree, node).types;
        if branches.is_empty() || !(own.is_empty() || own == Types::OBJECT) {
            return Err(Declined);
        }
        let weight: usize = branches.iter().map(|&b| self.tree.size(b)).fold(0, usize::saturating_add);
        if !self.room(weight) {
            return Err(Declined);
        }
        let mut opened = Vec::new();
        for &branch in &branches {
            let copy = self.copy(branch).ok_or(Declined)?;
            if self.tree.kind(copy) != Kind::Object || (self.tree.keys(copy).meets(REFERENCES) && !self.open(copy)) {
                return Err(Declined);
            }
            let keys = self.tree.keys(copy);
            let types = read_types(&self.tree, copy).types;
            let object = types == Types::OBJECT || (types.is_empty() && (own == Types::OBJECT || keys.meets(OBJECT_KEYS)));
            if !object || keys.meets(COMBINATORS) {
                return Err(Declined);
            }
            opened.push(copy);
        }
        let joint = Joint::of(&self.tree, &opened);
        let overlap = if kw == Kw::OneOf && !exclusive(&self.tree, &self.refs, list) { Effects::WIDENS } else { Effects::NONE };
        let effect = self.permit(node, joint.effect(&self.tree, node, &opened).with(overlap))?;
        self.tree.detach(list);
        self.note_alternatives(node, &opened);
        self.join(node, &opened, joint);
        done(effect, format!("{} of {}", branches.len(), kw.name()))
    }

    /// Adds to an object what the alternatives declare: properties as unions, `required` as far as all agree.
    fn join(&mut self, node: Id, branches: &[Id], joint: Joint) {
        let common = self.common_required(branches);
        let all_closed = branches.iter().all(|&b| closed(&self.tree, b));
        if read_types(&self.tree, node).types.is_empty() {
            self.set_type(node, Types::OBJECT);
        }
        let map = match self.tree.get(node, Kw::Properties).filter(|&p| self.tree.kind(p) == Kind::Object) {
            Some(map) => Some(map),
            None if joint.properties.is_empty() => None,
            None => {
                let map = self.tree.new_object();
                self.tree.set(node, Kw::Properties, map);
                Some(map)
            }
        };
        let mine = Members::of(&self.tree, map);
        for property in joint.properties {
            let all = property.len() == branches.len();
            let Some(&first) = property.first() else { continue };
            let own = mine.like(&self.tree, first);
            match (own, map) {
                // An alternative that is silent takes whatever the object itself takes.
                (Some(_), _) if !all => {}
                (Some(own), _) => {
                    let union = self.union_of(first, &property);
                    self.tree.detach(union);
                    self.merge_beside(own, union);
                }
                (None, Some(map)) => {
                    let name = self.tree.key(first).into_owned();
                    let union = self.union_of(first, &property);
                    self.tree.detach(union);
                    self.tree.attach(map, &name, union);
                }
                (None, None) => {}
            }
        }
        if let Some(common) = common {
            match self.tree.get(node, Kw::Required).filter(|&r| self.tree.kind(r) == Kind::Array) {
                Some(list) => drop(self.add_names(list, common)),
                None => self.tree.set(node, Kw::Required, common),
            }
        }
        if all_closed && !self.tree.keys(node).has(Kw::AdditionalProperties) {
            let no = self.tree.new_bool(false);
            self.tree.set(node, Kw::AdditionalProperties, no);
        }
    }

    /// The names that all alternatives require, as a new list.
    fn common_required(&mut self, branches: &[Id]) -> Option<Id> {
        let tree = &self.tree;
        let lists: Option<Vec<Id>> = branches.iter().map(|&b| tree.get(b, Kw::Required).filter(|&r| tree.kind(r) == Kind::Array)).collect();
        let lists = lists?;
        let (first, rest) = lists.split_first()?;
        let others: Vec<_> = rest.iter().map(|&l| texts(tree, l)).collect();
        let names: Vec<String> = tree.children(*first).filter_map(|n| tree.str(n).map(Cow::into_owned)).collect();
        let common: Vec<String> = names.into_iter().filter(|n| others.iter().all(|o| o.contains(n))).collect();
        if common.is_empty() {
            return None;
        }
        let list = self.tree.new_array();
        for name in common {
            let item = self.tree.new_str(&name);
            self.tree.append(list, item);
        }
        Some(list)
    }

    /// Makes of the first schema one that admits what any of them admits.
    fn union_of(&mut self, top: Id, schemas: &[Id]) -> Id {
        let tree = &self.tree;
        let mut seen = ValueSet::new(tree);
        let differ: Vec<Id> = schemas.iter().copied().filter(|&s| tree.bool(s) != Some(false) && seen.insert(s)).collect();
        let Some(&first) = differ.first() else { return top };
        if differ.len() == 1 {
            return first;
        }
        if let Some(list) = self.one_list(&differ) {
            self.tree.set(first, Kw::Enum, list);
            return first;
        }
        for &schema in &differ {
            if self.tree.kind(schema) == Kind::Bool {
                self.clear(schema);
            }
        }
        let list = self.tree.new_array();
        // A union stays one and grows; any other schema becomes the first branch.
        let only_union = KwSet::of(&[Kw::AnyOf]).covers(self.tree.keys(first).without(NOTES))
            && self.tree.get(first, Kw::AnyOf).is_some_and(|l| self.tree.kind(l) == Kind::Array);
        if only_union && let Some(own) = self.tree.get(first, Kw::AnyOf) {
            for branch in self.tree.children(own).collect::<Vec<_>>() {
                self.tree.detach(branch);
                self.tree.append(list, branch);
            }
        } else {
            let inner = self.move_out(first, |tree, c| matches!(tree.kw(c), Some(Kw::Description | Kw::Title)));
            self.tree.append(list, inner);
        }
        for &schema in differ.iter().skip(1) {
            self.tree.detach(schema);
            self.tree.append(list, schema);
        }
        let mut seen = ValueSet::new(&self.tree);
        let twins: Vec<Id> = self.tree.children(list).filter(|&b| !seen.insert(b)).collect();
        for twin in twins {
            self.tree.detach(twin);
        }
        self.tree.set(first, Kw::AnyOf, list);
        first
    }

    /// The literals of schemas that are nothing but literals of one type.
    fn one_list(&mut self, schemas: &[Id]) -> Option<Id> {
        let lists = KwSet::of(&[Kw::Enum, Kw::Const]);
        let allowed = lists.with(KwSet::of(&[Kw::Type]));
        let plain = |n: Id| {
            let keys = self.tree.keys(n).without(NOTES);
            keys.meets(lists) && allowed.covers(keys)
        };
        let types = read_types(&self.tree, *schemas.first()?).types;
        if !schemas.iter().all(|&n| self.tree.kind(n) == Kind::Object && plain(n) && read_types(&self.tree, n).types == types) {
            return None;
        }
        for &schema in schemas {
            if self.tree.keys(schema).has(Kw::Const) {
                self.listify(schema, Kw::Const, Kw::Enum).ok()?;
            }
        }
        let tree = &self.tree;
        let mut seen = ValueSet::new(tree);
        let members: Vec<Id> = schemas.iter().flat_map(|&s| literals(tree, s)).filter(|&m| seen.insert(m)).collect();
        let list = self.tree.new_array();
        for member in members {
            self.tree.detach(member);
            self.tree.append(list, member);
        }
        Some(list)
    }

    /// Drops a union whose branches only list required properties, with a note.
    pub(crate) fn required_note(&mut self, node: Id) -> Outcome {
        let only = KwSet::of(&[Kw::Required, Kw::Not]).with(NOTES);
        for kw in [Kw::AnyOf, Kw::OneOf] {
            let Some(list) = self.tree.get(node, kw).filter(|&l| self.tree.kind(l) == Kind::Array) else { continue };
            let branches: Vec<Id> = self.tree.children(list).collect();
            let bare = |b: Id| self.tree.kind(b) == Kind::Object && only.covers(self.tree.keys(b));
            if !branches.iter().all(|&b| bare(b)) || !branches.iter().any(|&b| self.tree.keys(b).has(Kw::Required)) {
                continue;
            }
            let effect = self.permit(node, Effects::WIDENS)?;
            self.note_alternatives(node, &branches);
            self.tree.detach(list);
            return done(effect, kw.name());
        }
        Err(Declined)
    }

    fn note_alternatives(&mut self, node: Id, branches: &[Id]) {
        let mut sets: Vec<String> = Vec::new();
        for &branch in branches.iter().take(12) {
            let Some(list) = self.tree.get(branch, Kw::Required) else { continue };
            let names: Vec<String> = self.tree.children(list).filter_map(|n| self.tree.str(n).map(Cow::into_owned)).collect();
            let set = if let [name] = &names[..] { name.clone() } else { format!("({})", names.join(", ")) };
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
        if !read.list || read.unknown || self.tree.keys(node).meets(COMBINATORS.with(REFERENCES)) {
            return self.split_into_branches(node, read.types);
        }
        let mut types = read.types;
        if types.meets(Types::NUMBER) {
            types = types.without(Types::INTEGER);
        }
        let literal = has_literals(&self.tree, node);
        let takes = |one: Types| !literal || literals(&self.tree, node).any(|l| one.admits(value_type(&self.tree, l)));
        let alive: Vec<(&str, Types)> = Types::WORDS.into_iter().filter(|&(_, one)| types.meets(one) && takes(one)).collect();
        match alive[..] {
            [] => return Err(Declined),
            [(word, one)] => {
                // Of literals and types only one type is left.
                self.tree.remove(node, Kw::Type);
                self.fit_branch(node, one, word, types);
                return done(Effects::NONE, word);
            }
            _ => {}
        }
        if !self.affords(&[(node, alive.len())]) {
            return Err(Declined);
        }
        let names: Vec<&str> = alive.iter().map(|(word, _)| *word).collect();
        self.tree.remove(node, Kw::Type);
        let inner = self.move_out(node, |tree, c| tree.kw(c).is_none_or(|kw| STAYS.has(kw)));
        let list = self.tree.new_array();
        for (word, one) in alive {
            let Some(branch) = self.copy(inner) else { continue };
            self.fit_branch(branch, one, word, types);
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

    /// Makes a schema of several types one of a single type: what speaks of others goes.
    fn fit_branch(&mut self, branch: Id, one: Types, word: &str, types: Types) {
        let numbers = Types(Types::NUMBER.0 | Types::INTEGER.0);
        let format = self.tree.get(branch, Kw::Format).and_then(|f| self.tree.str(f));
        let numeric = format.is_some_and(|f| NUMBER_FORMATS.contains(&&*f)) && types.meets(numbers);
        let mut off = KwSet::EMPTY;
        for (group, of) in [(OBJECT_KEYS, Types::OBJECT), (ARRAY_KEYS, Types::ARRAY), (STRING_KEYS, Types::STRING), (NUMBER_KEYS, numbers)]
        {
            if !one.meets(of) {
                off = off.with(group);
            }
        }
        if numeric {
            off.remove(Kw::Format);
            if !one.meets(numbers) {
                off.insert(Kw::Format);
            }
        }
        let gone: Vec<Id> = self.tree.children(branch).filter(|&c| self.tree.kw(c).is_some_and(|kw| off.has(kw))).collect();
        for child in gone {
            self.tree.detach(child);
        }
        if one == Types::NULL {
            self.tree.remove(branch, Kw::Enum);
            self.tree.remove(branch, Kw::Const);
        } else if let Some(list) = self.tree.get(branch, Kw::Enum).filter(|&l| self.tree.kind(l) == Kind::Array) {
            let off: Vec<Id> = self.tree.children(list).filter(|&m| !one.admits(value_type(&self.tree, m))).collect();
            for member in off {
                self.tree.detach(member);
            }
        }
        let value = self.tree.new_str(word);
        self.set_first(branch, Kw::Type, value);
    }

    /// Moves the keywords beside a union into its branches.
    pub(crate) fn push_siblings(&mut self, node: Id) -> Outcome {
        let kw = [Kw::AnyOf, Kw::OneOf].into_iter().find(|&kw| self.tree.keys(node).has(kw)).ok_or(Declined)?;
        let list = self.tree.get(node, kw).filter(|&l| self.tree.kind(l) == Kind::Array).ok_or(Declined)?;
        let moves = |tree: &Tree, c: Id| tree.kw(c).is_some_and(|k| !STAYS.has(k));
        let movers: Vec<Id> = self.tree.children(node).filter(|&c| moves(&self.tree, c)).collect();
        let unevaluated = KwSet::of(&[Kw::UnevaluatedItems, Kw::UnevaluatedProperties]);
        let blind = movers.iter().any(|&c| self.tree.kw(c).is_some_and(|kw| unevaluated.has(kw)) && says(&self.tree, c));
        let branches: Vec<Id> = self.tree.children(list).collect();
        if movers.is_empty() || blind {
            return Err(Declined);
        }
        // Opened first and apart, so that nothing has happened where one cannot be.
        let mut ready = Vec::new();
        for &branch in &branches {
            let refers = self.tree.kind(branch) == Kind::Object && self.tree.keys(branch).meets(REFERENCES);
            let open = if refers { self.copy(branch).ok_or(Declined)? } else { branch };
            if refers && !self.open(open) {
                return Err(Declined);
            }
            let open_to_more = match self.tree.kind(open) {
                Kind::Object => !self.contradict(open, node),
                Kind::Bool => self.tree.bool(open) == Some(true),
                // What is no schema is left as it is.
                _ => false,
            };
            if open_to_more {
                ready.push((branch, open));
            }
        }
        let weight: Vec<(Id, usize)> = movers.iter().map(|&c| (c, ready.len())).collect();
        if ready.is_empty() || !self.affords(&weight) {
            return Err(Declined);
        }
        let names: Vec<String> = movers.iter().map(|&c| self.tree.key(c).into_owned()).collect();
        let inner = self.move_out(node, |tree, c| !moves(tree, c));
        // Before any is merged, which takes room as well.
        let mut copies: Vec<Id> = ready.iter().filter_map(|_| self.copy(inner)).collect();
        let mut kept = ready.into_iter().peekable();
        for branch in branches {
            match kept.next_if(|(b, _)| *b == branch) {
                Some((_, open)) => {
                    if open != branch {
                        self.tree.replace(branch, open);
                    }
                    if let Some(copy) = copies.pop() {
                        self.merge_beside(open, copy);
                    }
                }
                // No value fits this branch and what stands beside the union.
                None if self.tree.kind(branch) == Kind::Object => self.tree.detach(branch),
                None => {}
            }
        }
        done(Effects::NONE, names.join(", "))
    }

    /// Makes an array of a union of a tuple.
    pub(crate) fn union_items(&mut self, node: Id) -> Outcome {
        let (elements, rest) = self.tuple_parts(node).ok_or(Declined)?;
        let tree = &self.tree;
        let no = |id: Id| tree.bool(id) == Some(false);
        if elements.iter().any(|&e| no(e)) {
            return Err(Declined);
        }
        let count = elements.len();
        let most = tree.get(node, Kw::MaxItems).and_then(|n| tree.num(n));
        let closed = rest.is_some_and(no) || (rest.is_none() && tree.get(node, Kw::UnevaluatedItems).is_some_and(no));
        let short = most.is_some_and(|n| n <= count as f64);
        let tail = rest.filter(|&r| tree.kind(r) == Kind::Object && says(tree, r) && !short);
        let mut seen = ValueSet::new(tree);
        let schemas: Vec<Id> = elements.iter().copied().chain(tail).filter(|&e| seen.insert(e)).collect();
        let mut cost = if schemas.len() > 1 { Effects::WIDENS } else { Effects::NONE };
        let free = !closed && !short && tail.is_none();
        if free && schemas.iter().all(|&s| says(tree, s)) {
            cost = cost.with(Effects::NARROWS);
        }
        let effect = self.permit(node, cost)?;
        for &schema in &schemas {
            self.tree.detach(schema);
        }
        for kw in [Kw::PrefixItems, Kw::Items, Kw::AdditionalItems] {
            self.tree.remove(node, kw);
        }
        let items = if let [only] = schemas[..] {
            only
        } else {
            let list = self.tree.new_array();
            for &schema in &schemas {
                self.tree.append(list, schema);
            }
            let items = self.tree.new_object();
            self.tree.set(items, Kw::AnyOf, list);
            items
        };
        self.tree.set(node, Kw::Items, items);
        if closed && most.is_none_or(|n| n > count as f64) {
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

/// Formats that speak of numbers.
const NUMBER_FORMATS: [&str; 4] = ["int32", "int64", "float", "double"];

fn closed(tree: &Tree, node: Id) -> bool {
    tree.get(node, Kw::AdditionalProperties).and_then(|a| tree.bool(a)) == Some(false)
}

/// What several alternatives declare, by the names of properties.
struct Joint {
    /// For each name in the order of first sight: the alternatives' schemas.
    properties: Vec<Vec<Id>>,
}

impl Joint {
    fn of(tree: &Tree, branches: &[Id]) -> Joint {
        let mut places: hashbrown::HashMap<&str, usize, foldhash::fast::FixedState> = hashbrown::HashMap::default();
        let mut properties: Vec<Vec<Id>> = Vec::new();
        for &branch in branches {
            let map = tree.get(branch, Kw::Properties).filter(|&p| tree.kind(p) == Kind::Object);
            for property in map.into_iter().flat_map(|m| tree.children(m)) {
                let place = *places.entry(tree.raw_key(property)).or_insert(properties.len());
                match properties.get_mut(place) {
                    Some(known) => known.push(property),
                    None => properties.push(vec![property]),
                }
            }
        }
        Joint { properties }
    }

    /// What making one object of the alternatives does.
    fn effect(&self, tree: &Tree, node: Id, branches: &[Id]) -> Effects {
        let mine = Members::of(tree, tree.get(node, Kw::Properties));
        let mut effect = Effects::NONE;
        let mut put = |word: Effects, when: bool| {
            if when {
                effect = effect.with(word);
            }
        };
        // One property told apart is a choice kept; two are a choice of each, in any combination.
        let differing = |p: &Vec<Id>| p.iter().zip(p.iter().skip(1)).any(|(&a, &b)| !tree.same(a, b));
        let complete = |p: &Vec<Id>| p.len() == branches.len();
        let told = self.properties.iter().filter(|p| !complete(p) || differing(p)).count();
        let keys = branches.iter().fold(KwSet::EMPTY, |all, &b| all.with(tree.keys(b).without(NOTES)));
        let plain = KwSet::of(&[Kw::Type, Kw::Properties, Kw::Required, Kw::AdditionalProperties]);
        let same_required =
            branches.iter().zip(branches.iter().skip(1)).all(|(&a, &b)| match (tree.get(a, Kw::Required), tree.get(b, Kw::Required)) {
                (None, None) => true,
                (Some(a), Some(b)) => tree.same(a, b),
                _ => false,
            });
        let all_closed = branches.iter().all(|&b| closed(tree, b));
        let any_closed = branches.iter().any(|&b| closed(tree, b));
        put(Effects::WIDENS, told > 1 || !plain.covers(keys.without(KwSet::OTHER)) || !same_required);
        put(Effects::WIDENS, any_closed && (!all_closed || tree.keys(node).has(Kw::AdditionalProperties)));
        let bound = |p: &Vec<Id>| {
            !complete(p) && p.first().is_some_and(|&first| mine.like(tree, first).is_none()) && p.iter().any(|&s| says(tree, s))
        };
        put(Effects::WIDENS, self.properties.iter().any(|p| !complete(p)));
        put(Effects::NARROWS, !all_closed && self.properties.iter().any(bound));
        let map = |b: &Id| {
            let rest = tree.get(*b, Kw::AdditionalProperties).is_some_and(|r| tree.kind(r) == Kind::Object && says(tree, r));
            rest || tree.get(*b, Kw::PatternProperties).is_some_and(|p| tree.node(p).first.some().is_some())
        };
        put(Effects::LOSSY.with(Effects::WIDENS), branches.iter().any(map));
        effect
    }
}
