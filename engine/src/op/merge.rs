//! Intersection of two schemas by merging one into the other.

use crate::attr::Types;
use crate::doc::Doc;
use crate::keyword::{Holds, Kw, NOTES};
use crate::tree::{Id, Kind, Tree};
use crate::valid::{read_types, value_type};

impl Doc<'_, '_> {
    /// Merges a detached schema into a node, deeply; what is said twice, the node's own wins for annotations.
    /// What cannot be merged stays apart, in the node's `allOf`. Returns whether all was merged.
    pub(crate) fn merge(&mut self, into: Id, from: Id) -> bool {
        if self.tree.kind(from) == Kind::Bool {
            if self.tree.bool(from) == Some(false) {
                self.apart(into, from);
                return false;
            }
            return true;
        }
        if self.tree.kind(into) == Kind::Bool {
            if self.tree.bool(into) == Some(true) {
                self.become_node(into, from);
            }
            return true;
        }
        if self.clashes(into, from) {
            self.apart(into, from);
            return false;
        }
        self.merge_additional(into, from);
        let members: Vec<Id> = self.tree.children(from).collect();
        for member in members {
            // A nested merge may have moved it already.
            if self.tree.parent(member) == Some(from) {
                self.merge_member(into, from, member);
            }
        }
        if let Some(notes) = self.notes.remove(&from) {
            self.notes.entry(into).or_default().extend(notes);
        }
        if let Some(list) = self.expanded.get(&from).cloned() {
            self.expanded.entry(into).or_default().extend(list);
        }
        if self.tree.children(from).next().is_some() {
            self.apart(into, from);
            return false;
        }
        true
    }

    /// Adds a schema to the node's `allOf`.
    fn apart(&mut self, into: Id, from: Id) {
        let list = match self.tree.get(into, Kw::AllOf).filter(|&l| self.tree.kind(l) == Kind::Array) {
            Some(list) => list,
            None => {
                let list = self.tree.new_array();
                self.tree.set(into, Kw::AllOf, list);
                list
            }
        };
        self.tree.append(list, from);
    }

    /// Whether no value can fit both, as far as types, literals and closed objects say, or merging would lose a property.
    pub(crate) fn clashes(&self, into: Id, from: Id) -> bool {
        let tree = &self.tree;
        let (a, b) = (read_types(tree, into).types, read_types(tree, from).types);
        if !a.is_empty() && !b.is_empty() && a.intersect(b).is_empty() {
            return true;
        }
        let pick = |node: Id, kw: Kw| tree.get(node, kw);
        if let (Some(x), Some(y)) = (pick(into, Kw::Const), pick(from, Kw::Const))
            && !tree.same(x, y)
        {
            return true;
        }
        for (one, other) in [(into, from), (from, into)] {
            if let (Some(list), Some(value)) = (pick(one, Kw::Enum), pick(other, Kw::Const))
                && !tree.children(list).any(|m| tree.same(m, value))
            {
                return true;
            }
            let closed = pick(one, Kw::AdditionalProperties).and_then(|x| tree.bool(x)) == Some(false);
            if closed && !tree.keys(one).has(Kw::PatternProperties) {
                let own = pick(one, Kw::Properties);
                let outside = |p: Id| own.is_none_or(|o| tree.member(o, &tree.key(p)).is_none());
                if pick(other, Kw::Properties).is_some_and(|ps| tree.children(ps).any(outside)) {
                    return true;
                }
            }
        }
        if let (Some(x), Some(y)) = (pick(into, Kw::Enum), pick(from, Kw::Enum)) {
            return !tree.children(x).any(|m| tree.children(y).any(|n| tree.same(m, n)));
        }
        false
    }

    /// A schema for undeclared properties also speaks of those that only the other side declares.
    fn merge_additional(&mut self, into: Id, from: Id) {
        for (one, other) in [(into, from), (from, into)] {
            let Some(rest) = self.tree.get(one, Kw::AdditionalProperties) else { continue };
            if self.tree.kind(rest) != Kind::Object || self.tree.node(rest).first.some().is_none() {
                continue;
            }
            let Some(theirs) = self.tree.get(other, Kw::Properties) else { continue };
            let own = self.tree.get(one, Kw::Properties);
            let only: Vec<Id> =
                self.tree.children(theirs).filter(|&p| own.is_none_or(|o| self.tree.member(o, &self.tree.key(p)).is_none())).collect();
            for property in only {
                if let Some(copy) = self.copy(rest) {
                    self.merge(property, copy);
                }
            }
        }
    }

    fn merge_member(&mut self, into: Id, from: Id, member: Id) {
        let Some(kw) = self.tree.kw(member) else {
            self.take_if_missing(into, member);
            return;
        };
        let Some(own) = self.tree.get(into, kw) else {
            let blocked = match kw {
                Kw::Nullable => !read_types(&self.tree, into).types.is_empty(),
                Kw::Then | Kw::Else => self.tree.keys(into).has(Kw::If),
                // Without its own `type`, null was allowed by silence.
                Kw::Type => false,
                _ => false,
            };
            if matches!(kw, Kw::Then | Kw::Else) && blocked {
                return;
            }
            if blocked {
                self.tree.detach(member);
                return;
            }
            if kw == Kw::Const && self.tree.keys(into).has(Kw::Enum) {
                self.tree.remove(into, Kw::Enum);
            }
            if kw == Kw::Enum && self.tree.keys(into).has(Kw::Const) {
                self.tree.detach(member);
                return;
            }
            self.take_if_missing(into, member);
            if kw == Kw::Ref {
                self.refs.adopt(from, into);
                self.refs.forget(from);
            }
            return;
        };
        if NOTES.has(kw) || matches!(kw, Kw::Id | Kw::OldId | Kw::Anchor | Kw::DynamicAnchor | Kw::RecursiveAnchor) {
            self.tree.detach(member);
            return;
        }
        if self.merge_value(into, kw, own, member) {
            self.tree.detach(member);
        }
    }

    fn take_if_missing(&mut self, into: Id, member: Id) {
        let name = self.tree.key(member).into_owned();
        self.tree.detach(member);
        if self.tree.member(into, &name).is_none() {
            self.tree.insert(into, &name, member);
        }
    }

    /// Narrows the node's own value by the other; false where both must stay.
    fn merge_value(&mut self, into: Id, kw: Kw, own: Id, other: Id) -> bool {
        if kw != Kw::Ref && self.tree.same(own, other) {
            return true;
        }
        match kw {
            Kw::Type => {
                let both = read_types(&self.tree, into).types;
                let theirs = self.tree.parent(other).map_or(Types::default(), |f| read_types(&self.tree, f).types);
                if theirs.is_empty() || both.is_empty() {
                    return theirs.is_empty();
                }
                self.set_type(into, both.intersect(theirs));
                true
            }
            Kw::Minimum | Kw::ExclusiveMinimum | Kw::MinLength | Kw::MinItems | Kw::MinProperties | Kw::MinContains => {
                self.keep_number(own, other, |mine, theirs| theirs > mine)
            }
            Kw::Maximum | Kw::ExclusiveMaximum | Kw::MaxLength | Kw::MaxItems | Kw::MaxProperties | Kw::MaxContains => {
                self.keep_number(own, other, |mine, theirs| theirs < mine)
            }
            Kw::MultipleOf => {
                let (Some(a), Some(b)) = (self.tree.num(own), self.tree.num(other)) else { return false };
                if a > 0.0 && b > 0.0 && (a % b == 0.0 || b % a == 0.0) {
                    return self.keep_number(own, other, |mine, theirs| theirs > mine);
                }
                false
            }
            Kw::UniqueItems => {
                if self.tree.bool(own) == Some(false) {
                    let yes = self.tree.new_bool(true);
                    self.tree.replace(own, yes);
                }
                true
            }
            Kw::Nullable => {
                if self.tree.bool(own) == Some(true) {
                    let no = self.tree.new_bool(false);
                    self.tree.replace(own, no);
                }
                true
            }
            Kw::Enum => {
                let gone: Vec<Id> = {
                    let tree = &self.tree;
                    tree.children(own).filter(|&m| !tree.children(other).any(|n| tree.same(m, n))).collect()
                };
                for member in gone {
                    self.tree.detach(member);
                }
                true
            }
            Kw::Required => {
                if self.tree.kind(own) != Kind::Array || self.tree.kind(other) != Kind::Array {
                    return self.tree.kind(other) != Kind::Array;
                }
                let names: Vec<Id> = self.tree.children(other).collect();
                for name in names {
                    if !self.tree.children(own).any(|n| self.tree.same(n, name)) {
                        self.tree.detach(name);
                        self.tree.append(own, name);
                    }
                }
                true
            }
            Kw::AdditionalProperties | Kw::Items | Kw::AdditionalItems | Kw::PropertyNames => self.merge_schema(own, other),
            Kw::AnyOf => self.cross(into, own, other).is_ok(),
            Kw::AllOf => {
                let branches: Vec<Id> = self.tree.children(other).collect();
                for branch in branches {
                    self.tree.detach(branch);
                    self.tree.append(own, branch);
                }
                true
            }
            Kw::Defs | Kw::Definitions => {
                let members: Vec<Id> = self.tree.children(other).collect();
                for member in members {
                    let name = self.fresh_name(Some(own), &self.tree.key(member).into_owned());
                    self.tree.detach(member);
                    self.tree.insert(own, &name, member);
                }
                true
            }
            _ if kw.holds() == Holds::SchemaMap => {
                let members: Vec<Id> = self.tree.children(other).collect();
                for member in members {
                    let name = self.tree.key(member).into_owned();
                    self.tree.detach(member);
                    match self.tree.member(own, &name) {
                        Some(mine) => drop(self.merge(mine, member)),
                        None => self.tree.insert(own, &name, member),
                    }
                }
                true
            }
            _ => false,
        }
    }

    fn keep_number(&mut self, own: Id, other: Id, better: impl Fn(f64, f64) -> bool) -> bool {
        match (self.tree.num(own), self.tree.num(other)) {
            (Some(a), Some(b)) => {
                if better(a, b) {
                    let text = self.tree.raw(other).to_owned();
                    let new = self.tree.new_num(&text);
                    self.tree.replace(own, new);
                }
                true
            }
            (_, None) => true,
            (None, _) => false,
        }
    }

    fn merge_schema(&mut self, own: Id, other: Id) -> bool {
        match (self.tree.kind(own), self.tree.kind(other)) {
            (_, Kind::Bool) if self.tree.bool(other) == Some(true) => true,
            (Kind::Bool, _) if self.tree.bool(own) == Some(false) => true,
            (Kind::Bool, Kind::Object) | (Kind::Object, Kind::Bool) => {
                self.tree.detach(other);
                self.tree.replace(own, other);
                true
            }
            (Kind::Object, Kind::Object) => {
                self.tree.detach(other);
                self.merge(own, other);
                true
            }
            _ => false,
        }
    }
}

/// Whether the literals of a node all have a type that it declares.
#[must_use]
pub(super) fn literal_fits(tree: &Tree, node: Id, literal: Id) -> bool {
    let types = read_types(tree, node).types;
    types.is_empty() || types.admits(value_type(tree, literal))
}
