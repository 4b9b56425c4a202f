//! Operations on single keywords: drop, keep, set, retain, rename, listify, close, bounds, types.

use serde_json::Value;

use super::cost::{drop_cost, set_cost};
use super::merge::literal_fits;
use super::{Keys, Retain};
use crate::attr::Types;
use crate::doc::{Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::facts::{Facts, implied_type, literals, says_nothing, undefined_required};
use crate::keyword::Kw;
use crate::note::Note;
use crate::tree::{Id, Kind, Tree};
use crate::valid::{read_types, value_type};

impl Doc<'_, '_> {
    /// Removes the members that `gone` picks, as far as their loss is allowed.
    pub(crate) fn drop_members(&mut self, node: Id, note: &Keys, gone: impl Fn(&Tree, Id) -> bool) -> Outcome {
        let picked: Vec<Id> = self.tree.children(node).filter(|&c| gone(&self.tree, c)).collect();
        let mut effect = Effects::NONE;
        let mut names = Vec::new();
        for child in picked {
            let Ok(cost) = self.permit(node, drop_cost(&self.tree, node, child)) else { continue };
            effect = effect.with(cost);
            let name = self.tree.key(child).into_owned();
            if note.has(self.tree.kw(child), self.tree.raw_key(child))
                && let Some(note) = Note::of(&self.tree, child)
            {
                self.note(node, note);
            }
            if self.tree.kw(child) == Some(Kw::Ref) {
                self.refs.forget(node);
            }
            self.tree.detach(child);
            names.push(name);
        }
        if names.is_empty() { Err(Declined) } else { done(effect, names.join(", ")) }
    }

    /// Removes keywords that say nothing about values of the node's type.
    pub(crate) fn drop_off_type(&mut self, node: Id) -> Outcome {
        let facts = Facts {
            keys: self.tree.keys(node),
            kind: crate::attr::NodeKind::Any,
            types: read_types(&self.tree, node).types,
            attrs: crate::attr::AttrSet::EMPTY,
        };
        let off = crate::facts::off_type(&facts);
        self.drop_members(node, &Keys::default(), |tree, c| tree.kw(c).is_some_and(|kw| off.has(kw)))
    }

    pub(crate) fn set_value(&mut self, node: Id, key: &str, value: &Value) -> Outcome {
        let effect = self.permit(node, set_cost(key))?;
        let value = self.tree.new_value(value);
        if self.tree.member(node, key).is_some_and(|old| self.tree.same(old, value)) {
            return Err(Declined);
        }
        let before = self.tree.children(node).next().is_some();
        if key == Kw::Type.name() && before {
            self.set_first(node, Kw::Type, value);
        } else {
            self.tree.insert(node, key, value);
        }
        done(effect, key)
    }

    pub(crate) fn retain(&mut self, node: Id, key: Kw, what: Retain) -> Outcome {
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
                let all: Vec<Id> = tree.children(list).collect();
                let twin = |i: usize| all[..i].iter().any(|&e| tree.same(e, all[i]));
                (0..all.len().min(2_000)).filter(|&i| twin(i)).map(|i| all[i]).collect()
            }
        };
        if gone.is_empty() {
            return Err(Declined);
        }
        // A required name that is not declared can be given all the same, where the object is open.
        let cost = match (what, key) {
            (Retain::Unique | Retain::FitsType, _) => Effects::NONE,
            (_, Kw::Required) => Effects::WIDENS,
            _ => Effects::NARROWS,
        };
        let effect = self.permit(node, cost)?;
        let names: Vec<String> = gone.iter().take(8).map(|&m| self.tree.excerpt(m, 40)).collect();
        if gone.len() == self.tree.count(list) {
            self.tree.detach(list);
        } else {
            for member in gone {
                self.tree.detach(member);
            }
        }
        done(effect, format!("{}: {}", key.name(), names.join(", ")))
    }

    pub(crate) fn listify(&mut self, node: Id, from: Kw, to: Kw) -> Outcome {
        let value = self.tree.get(node, from).ok_or(Declined)?;
        let text = self.tree.excerpt(value, 60);
        if let Some(list) = self.tree.get(node, to) {
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
        if value.is_some_and(|v| self.tree.bool(v) == Some(false)) {
            return Err(Declined);
        }
        // A schema for undeclared properties is structure; an open end that was silent or `true` is not.
        let typed = value.is_some_and(|v| !says_nothing(&self.tree, v));
        let patterns = self.tree.get(node, Kw::PatternProperties).is_some_and(|p| self.tree.node(p).first.some().is_some());
        let cost = if typed || patterns { Effects::NARROWS.with(Effects::LOSSY) } else { Effects::NARROWS };
        let effect = self.permit(node, cost)?;
        let no = self.tree.new_bool(false);
        self.tree.set(node, Kw::AdditionalProperties, no);
        done(effect, "additionalProperties: false")
    }

    pub(crate) fn infer_type(&mut self, node: Id) -> Outcome {
        if !read_types(&self.tree, node).types.is_empty() || self.tree.kind(node) != Kind::Object {
            return Err(Declined);
        }
        let keys = self.tree.keys(node);
        let found = implied_type(&self.tree, node, keys).ok_or(Declined)?;
        let literal = keys.has(Kw::Enum) || keys.has(Kw::Const);
        let effect = self.permit(node, if literal { Effects::NONE } else { Effects::NARROWS })?;
        let types = if literal {
            let all = literals(&self.tree, node).fold(0, |bits, l| bits | value_type(&self.tree, l).0);
            let null = Types(all & Types::NULL.0);
            let integral = found == Types::NUMBER && all & Types::NUMBER.0 == 0;
            Types(if integral { Types::INTEGER.0 } else { found.0 } | null.0)
        } else {
            found
        };
        self.tree.remove(node, Kw::Type);
        self.set_type(node, types);
        done(effect, types.names().collect::<Vec<_>>().join(", "))
    }

    pub(crate) fn inclusive_bounds(&mut self, node: Id) -> Outcome {
        let integer = read_types(&self.tree, node).types.without(Types::NULL) == Types::INTEGER;
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
            let Ok(cost) = self.permit(node, if integer { Effects::NONE } else { Effects::WIDENS }) else { continue };
            effect = effect.with(cost);
            if !integer && let Some(note) = Note::of(&self.tree, child) {
                self.note(node, note);
            }
            let value: f64 = bound.parse().unwrap_or(n);
            let own = self.tree.get(node, inclusive).and_then(|o| self.tree.num(o));
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
        let cost = if union && !self.exclusive(child) { Effects::WIDENS } else { Effects::NONE };
        let effect = self.permit(node, cost)?;
        match self.tree.member(node, to) {
            None => self.tree.rename(child, to),
            Some(own) if union => self.cross(node, own, child)?,
            Some(own) if self.tree.kind(own) == Kind::Object && self.tree.kind(child) == Kind::Object => {
                let members: Vec<Id> = self.tree.children(child).collect();
                for member in members {
                    let name = self.fresh_name(Some(own), &self.tree.key(member).into_owned());
                    self.tree.detach(member);
                    self.tree.insert(own, &name, member);
                }
                self.tree.detach(child);
            }
            Some(_) => return Err(Declined),
        }
        done(effect, format!("{from} to {to}"))
    }

    /// Two unions side by side become one: each pair of branches merged.
    pub(crate) fn cross(&mut self, node: Id, own: Id, other: Id) -> Result<(), Declined> {
        let (a, b): (Vec<Id>, Vec<Id>) = (self.tree.children(own).collect(), self.tree.children(other).collect());
        if a.len() * b.len() > 32 {
            return Err(Declined);
        }
        let list = self.tree.new_array();
        for &x in &a {
            for &y in &b {
                if self.clashes(x, y) {
                    continue;
                }
                let (Some(left), Some(right)) = (self.copy(x), self.copy(y)) else { return Err(Declined) };
                self.merge(left, right);
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

    /// Whether no value fits two branches: by type, or by a required property with different literals.
    fn exclusive(&self, list: Id) -> bool {
        let tree = &self.tree;
        let branches: Vec<Id> = tree.children(list).map(|b| self.refs.follow(b)).collect();
        if branches.len() > 64 {
            return false;
        }
        let apart = |x: Id, y: Id| {
            let (a, b) = (read_types(tree, x).types, read_types(tree, y).types);
            if !a.is_empty() && !b.is_empty() && a.intersect(b).is_empty() {
                return true;
            }
            let lit = |n: Id| literals(tree, n).collect::<Vec<_>>();
            let (l, r) = (lit(x), lit(y));
            if !l.is_empty() && !r.is_empty() {
                return !l.iter().any(|&m| r.iter().any(|&n| tree.same(m, n)));
            }
            if a != Types::OBJECT || b != Types::OBJECT {
                return false;
            }
            let demands = |n: Id, p: Id| crate::site::Required::of(tree, n).has(p);
            let (Some(px), Some(py)) = (tree.get(x, Kw::Properties), tree.get(y, Kw::Properties)) else { return false };
            tree.children(px).any(|p| {
                let Some(q) = tree.member(py, &tree.key(p)) else { return false };
                let (l, r) = (lit(p), lit(q));
                demands(x, p) && demands(y, q) && !l.is_empty() && !r.is_empty() && !l.iter().any(|&m| r.iter().any(|&n| tree.same(m, n)))
            })
        };
        (0..branches.len()).all(|i| (0..i).all(|j| apart(branches[i], branches[j])))
    }
}

/// Whether an operation on keywords has anything to do at a node that is no object.
#[must_use]
pub(crate) fn is_object(tree: &Tree, node: Id, _facts: &Facts) -> bool {
    tree.kind(node) == Kind::Object
}
