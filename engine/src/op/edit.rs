//! Operations on single keywords: drop, keep, set, retain, rename, listify, close, bounds, types.

use serde_json::Value;

use super::cost::{drop_cost, set_cost};
use super::merge::{literal_fits, says};
use super::{Keys, Retain};
use crate::attr::Types;
use crate::doc::{Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::exclusive::exclusive;
use crate::facts::{implied_type, literals, off_type, undefined_required};
use crate::keyword::{COMBINATORS, DEFINITIONS, Kw, KwSet, NOTES, UNIONS};
use crate::note::Note;
use crate::refs::REFERENCES;
use crate::site::{holder, subschemas_under};
use crate::tree::{Id, Kind, Tree};
use crate::valid::{read_types, value_type};
use crate::values::{Members, ValueSet};

impl Doc<'_, '_> {
    /// Removes the members that `gone` picks, as far as their loss is allowed.
    pub(crate) fn drop_members(&mut self, node: Id, note: &Keys, gone: impl Fn(&Tree, Id) -> bool) -> Outcome {
        let picked: Vec<Id> = self.tree.children(node).filter(|&c| gone(&self.tree, c)).collect();
        // Below the root, what is in use comes back at the root.
        let top = node == self.tree.root();
        let defines = top && picked.iter().any(|&c| self.tree.kw(c).is_some_and(|kw| DEFINITIONS.has(kw)));
        let led = if defines { self.led_into() } else { hashbrown::HashSet::default() };
        let mut effect = Effects::NONE;
        let mut names = Vec::new();
        for child in picked {
            let kw = self.tree.kw(child);
            if kw.is_some_and(|kw| DEFINITIONS.has(kw)) && led.contains(&child) {
                continue;
            }
            let Ok(cost) = self.permit(node, drop_cost(&self.tree, node, child)) else { continue };
            effect = effect.with(cost);
            let name = self.tree.key(child).into_owned();
            if note.has(kw, self.tree.raw_key(child))
                && let Some(note) = Note::of(&self.tree, child)
            {
                self.note(node, note);
            }
            if kw.is_some_and(|kw| REFERENCES.has(kw)) {
                self.refs.forget(node);
            }
            self.tree.detach(child);
            names.push(name);
        }
        if names.is_empty() { Err(Declined) } else { done(effect, names.join(", ")) }
    }

    /// Removes keywords that say nothing about values of the node's type.
    pub(crate) fn drop_off_type(&mut self, node: Id) -> Outcome {
        let off = off_type(self.tree.keys(node), read_types(&self.tree, node).types);
        self.drop_members(node, &Keys::default(), |tree, c| tree.kw(c).is_some_and(|kw| off.has(kw)))
    }

    pub(crate) fn set_value(&mut self, node: Id, key: &str, value: &Value) -> Outcome {
        let value = self.tree.new_value(value);
        let old = self.tree.member(node, key);
        if old.is_some_and(|old| self.tree.same(old, value)) {
            return Err(Declined);
        }
        let effect = self.permit(node, set_cost(&self.tree, node, key, value))?;
        let before = self.tree.children(node).next().is_some();
        if key == Kw::Type.name() && before {
            self.set_first(node, Kw::Type, value);
        } else {
            self.tree.insert(node, key, value);
        }
        done(effect, key)
    }

    pub(crate) fn retain(&mut self, node: Id, key: Kw, what: Retain, least: usize) -> Outcome {
        let list = self.tree.get(node, key).filter(|&l| self.tree.kind(l) == Kind::Array).ok_or(Declined)?;
        let tree = &self.tree;
        let gone: Vec<Id> = match what {
            Retain::Declared => {
                let properties = tree.get(node, Kw::Properties).filter(|&p| tree.kind(p) == Kind::Object);
                undefined_required(tree, list, properties).collect()
            }
            Retain::FitsType => tree.children(list).filter(|&m| !literal_fits(tree, node, m)).collect(),
            Retain::NonEmptyText => tree.children(list).filter(|&m| tree.str(m).as_deref() == Some("")).collect(),
            Retain::Text => tree.children(list).filter(|&m| tree.kind(m) != Kind::Str).collect(),
            Retain::Unique => {
                let mut seen = ValueSet::new(tree);
                tree.children(list).filter(|&m| !seen.insert(m)).collect()
            }
        };
        if gone.is_empty() || tree.count(list).saturating_sub(gone.len()) < least {
            return Err(Declined);
        }
        let all = gone.len() == tree.count(list);
        let cost = match (what, key) {
            (Retain::Unique, _) | (Retain::Text, Kw::Required) => Effects::NONE,
            _ if NOTES.has(key) => Effects::NONE,
            // A required name that is not declared can be given all the same, where the object is open.
            (_, Kw::Required) => Effects::WIDENS,
            // Without a list every value of the type is one.
            _ if all => Effects::WIDENS,
            (Retain::FitsType, _) => Effects::NONE,
            _ => Effects::NARROWS,
        };
        let effect = self.permit(node, cost)?;
        let names: Vec<String> = gone.iter().take(8).map(|&m| self.tree.excerpt(m, 40)).collect();
        if key == Kw::Enum {
            self.note_default_of(node, &gone);
        }
        if all {
            if key == Kw::Enum
                && let Some(note) = Note::of(&self.tree, list)
            {
                self.note(node, note);
            }
            self.tree.detach(list);
        } else {
            for member in gone {
                self.tree.detach(member);
            }
        }
        done(effect, format!("{}: {}", key.name(), names.join(", ")))
    }

    /// A default that is no literal any more goes into the description.
    fn note_default_of(&mut self, node: Id, gone: &[Id]) {
        let Some(default) = self.tree.get(node, Kw::Default) else { return };
        let same = |m: &Id| self.tree.same(*m, default);
        let stays = self.tree.get(node, Kw::Enum).is_some_and(|l| self.tree.children(l).any(|m| same(&m) && !gone.contains(&m)));
        if gone.iter().any(same) && !stays {
            if let Some(note) = Note::of(&self.tree, default) {
                self.note(node, note);
            }
            self.tree.detach(default);
        }
    }

    pub(crate) fn listify(&mut self, node: Id, from: Kw, to: Kw) -> Outcome {
        let value = self.tree.get(node, from).ok_or(Declined)?;
        let text = self.tree.excerpt(value, 60);
        if let Some(list) = self.tree.get(node, to) {
            if self.tree.kind(list) != Kind::Array {
                return Err(Declined);
            }
            // Both must hold: the literal, if the list has it.
            let others: Vec<Id> = self.tree.children(list).filter(|&m| !self.tree.same(m, value)).collect();
            if others.len() == self.tree.count(list) {
                return Err(Declined);
            }
            for other in others {
                self.tree.detach(other);
            }
            self.tree.detach(value);
        } else {
            let list = self.tree.new_array();
            self.tree.replace(value, list);
            self.tree.rename(list, to.name());
            self.tree.append(list, value);
        }
        done(Effects::NONE, format!("{} {text}", from.name()))
    }

    pub(crate) fn close(&mut self, node: Id) -> Outcome {
        let value = self.tree.get(node, Kw::AdditionalProperties);
        let literal = self.tree.keys(node).meets(KwSet::of(&[Kw::Enum, Kw::Const]));
        if literal || value.is_some_and(|v| self.tree.bool(v) == Some(false)) || self.declared_apart(node) {
            return Err(Declined);
        }
        // A schema for undeclared properties is structure; an open end that was silent or `true` is not.
        let typed = value.is_some_and(|v| self.tree.kind(v) == Kind::Object && says(&self.tree, v));
        let cost = if typed { Effects::NARROWS.with(Effects::LOSSY) } else { Effects::NARROWS };
        let effect = self.permit(node, cost)?;
        let no = self.tree.new_bool(false);
        self.tree.set(node, Kw::AdditionalProperties, no);
        done(effect, "additionalProperties: false")
    }

    /// Leaves the whole schema out, where it says no more than that there are no arguments.
    pub(crate) fn omit_schema(&mut self) -> Outcome {
        let (tree, root) = (&self.tree, self.tree.root());
        let empty = |c: Id| matches!(tree.kind(c), Kind::Object | Kind::Array) && tree.count(c) == 0;
        let idle = |c: Id| match tree.kw(c) {
            Some(Kw::Type) => tree.str(c).as_deref() == Some("object"),
            Some(Kw::Properties | Kw::Required) => empty(c),
            Some(Kw::AdditionalProperties) => tree.kind(c) == Kind::Bool,
            Some(kw) => NOTES.with(DEFINITIONS).has(kw) || kw == Kw::Schema,
            None => false,
        };
        if !tree.children(root).all(idle) {
            return Err(Declined);
        }
        let closed = tree.get(root, Kw::AdditionalProperties).and_then(|a| tree.bool(a)) == Some(false);
        let effect = self.permit(root, if closed { Effects::NONE } else { Effects::NARROWS })?;
        self.omitted = true;
        done(effect, "no schema, as there are no arguments")
    }

    /// Whether other schemas of the same place declare properties that the node, once closed, would refuse.
    fn declared_apart(&self, node: Id) -> bool {
        let tree = &self.tree;
        let mut top = node;
        while let Some((up, via)) = (top != tree.root()).then(|| holder(tree, top)).flatten() {
            match via {
                // A condition looks at an object, it does not say what the object is.
                Kw::If | Kw::Not => return true,
                Kw::AllOf | Kw::AnyOf | Kw::OneOf | Kw::Then | Kw::Else | Kw::DependentSchemas => top = up,
                _ => break,
            }
        }
        if top == node && !tree.keys(node).meets(IN_PLACE) {
            return false;
        }
        let mine = Members::of(tree, tree.get(node, Kw::Properties));
        // Of a union around the node, only its own branch counts.
        let mut branches: hashbrown::HashMap<Id, Id, foldhash::fast::FixedState> = hashbrown::HashMap::default();
        let mut at = node;
        while let Some((up, _)) = (at != tree.root()).then(|| holder(tree, at)).flatten() {
            branches.insert(up, at);
            at = up;
        }
        let mut seen: hashbrown::HashSet<Id, foldhash::fast::FixedState> = hashbrown::HashSet::default();
        let mut stack = vec![top];
        while let Some(schema) = stack.pop() {
            if !seen.insert(schema) || tree.kind(schema) != Kind::Object {
                continue;
            }
            let properties = tree.get(schema, Kw::Properties).filter(|&p| schema != node && tree.kind(p) == Kind::Object);
            if properties.is_some_and(|p| tree.children(p).any(|c| mine.like(tree, c).is_none())) {
                return true;
            }
            stack.extend(self.refs.node(schema));
            let inside = tree.within(schema, node);
            subschemas_under(tree, schema, if inside { IN_PLACE } else { IN_PLACE.without(UNIONS) }, |child, _| stack.push(child));
            let branch = branches.get(&schema).filter(|&&b| !inside && holder(tree, b).is_some_and(|(_, via)| UNIONS.has(via)));
            stack.extend(branch);
        }
        false
    }

    pub(crate) fn infer_type(&mut self, node: Id, from: KwSet) -> Outcome {
        let keys = self.tree.keys(node).and(from);
        if !read_types(&self.tree, node).types.is_empty() || self.tree.keys(node).meets(REFERENCES) {
            return Err(Declined);
        }
        let found = implied_type(&self.tree, node, keys).ok_or(Declined)?;
        let literal = keys.has(Kw::Enum) || keys.has(Kw::Const);
        let effect = self.permit(node, if literal { Effects::NONE } else { Effects::NARROWS })?;
        let types = if literal { self.types_of_literals(node, found) } else { found };
        self.tree.remove(node, Kw::Type);
        self.set_type(node, types);
        done(effect, types.names().collect::<Vec<_>>().join(", "))
    }

    /// The one type that the literals have, an integer where all are, and null where one is.
    pub(crate) fn types_of_literals(&self, node: Id, found: Types) -> Types {
        let all = literals(&self.tree, node).fold(0, |bits, l| bits | value_type(&self.tree, l).0);
        let null = Types(all & Types::NULL.0);
        let integral = found == Types::NUMBER && all & Types::NUMBER.0 == 0;
        Types(if integral { Types::INTEGER.0 } else { found.0 } | null.0)
    }

    pub(crate) fn inclusive_bounds(&mut self, node: Id) -> Outcome {
        let types = read_types(&self.tree, node).types;
        let integer = types.meets(Types::INTEGER) && !types.meets(Types::NUMBER);
        let mut effect = Effects::NONE;
        let mut names = Vec::new();
        for (exclusive, inclusive, up) in [(Kw::ExclusiveMinimum, Kw::Minimum, true), (Kw::ExclusiveMaximum, Kw::Maximum, false)] {
            let Some(child) = self.tree.get(node, exclusive) else { continue };
            let Some(n) = self.tree.num(child).filter(|n| n.is_finite()) else { continue };
            if integer && n.abs() > 9_007_199_254_740_991.0 {
                continue;
            }
            let bound = match (integer, up) {
                (true, true) => format!("{}", n.floor() + 1.0),
                (true, false) => format!("{}", n.ceil() - 1.0),
                _ => self.tree.raw(child).to_owned(),
            };
            let value: f64 = bound.parse().unwrap_or(n);
            let own = self.tree.get(node, inclusive).and_then(|o| self.tree.num(o));
            let idle = own.is_some_and(|o| if up { o > n } else { o < n });
            let exact = integer || idle;
            let Ok(cost) = self.permit(node, if exact { Effects::NONE } else { Effects::WIDENS }) else { continue };
            effect = effect.with(cost);
            if !exact && let Some(note) = Note::of(&self.tree, child) {
                self.note(node, note);
            }
            names.push(format!("{} {n}", exclusive.name()));
            if own.is_some_and(|o| if up { o >= value } else { o <= value }) {
                self.tree.detach(child);
            } else {
                self.tree.remove(node, inclusive);
                let new = self.tree.new_num(&bound);
                self.tree.replace(child, new);
                self.tree.rename(new, inclusive.name());
            }
        }
        if names.is_empty() { Err(Declined) } else { done(effect, names.join(", ")) }
    }

    /// Gives a keyword another name; a union that becomes another kind of union may admit more.
    pub(crate) fn rename_key(&mut self, node: Id, from: &str, to: &str) -> Outcome {
        let child = self.tree.member(node, from).ok_or(Declined)?;
        let union = from == Kw::OneOf.name();
        let cost = if union && !exclusive(&self.tree, &self.refs, child) { Effects::WIDENS } else { Effects::NONE };
        let effect = self.permit(node, cost)?;
        match self.tree.member(node, to) {
            None => self.tree.rename(child, to),
            Some(own) if union => self.cross(node, own, child)?,
            Some(own) if self.tree.kind(own) == Kind::Object && self.tree.kind(child) == Kind::Object => {
                let theirs = Members::of(&self.tree, Some(own));
                for member in self.tree.children(child).collect::<Vec<_>>() {
                    if theirs.like(&self.tree, member).is_none() {
                        self.give(own, member);
                        continue;
                    }
                    let name = self.tree.key(member).into_owned();
                    let name = self.fresh_name(Some(own), &name);
                    self.tree.detach(member);
                    self.tree.attach(own, &name, member);
                }
                self.tree.detach(child);
            }
            Some(_) => return Err(Declined),
        }
        done(effect, format!("{from} to {to}"))
    }

    /// Two unions side by side become one: each pair of branches merged.
    pub(crate) fn cross(&mut self, node: Id, own: Id, other: Id) -> Result<(), Declined> {
        if self.tree.kind(own) != Kind::Array || self.tree.kind(other) != Kind::Array {
            return Err(Declined);
        }
        let (a, b): (Vec<Id>, Vec<Id>) = (self.tree.children(own).collect(), self.tree.children(other).collect());
        if a.len().saturating_mul(b.len()) > 32 {
            return Err(Declined);
        }
        let list = self.tree.new_array();
        for &x in &a {
            for &y in &b {
                if self.contradict(x, y) {
                    continue;
                }
                let (Some(left), Some(right)) = (self.copy(x), self.copy(y)) else { return Err(Declined) };
                self.merge_beside(left, right);
                self.tree.append(list, left);
            }
        }
        if self.tree.count(list) == 0 {
            return Err(Declined);
        }
        self.tree.detach(other);
        self.tree.set(node, Kw::AnyOf, list);
        Ok(())
    }
}

/// Keywords whose schemas speak of the same place as the node itself.
const IN_PLACE: KwSet = COMBINATORS.with(KwSet::of(&[Kw::Then, Kw::Else, Kw::DependentSchemas])).with(REFERENCES);
