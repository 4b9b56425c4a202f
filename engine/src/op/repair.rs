//! Keyword values that JSON Schema does not allow get their evident reading, or go.

use super::edit::is_object;
use crate::attr::Attr;
use crate::doc::{Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::facts::Facts;
use crate::keyword::{Holds, Kw};
use crate::note::Note;
use crate::site::Place;
use crate::tree::{Id, Kind};
use crate::valid::{allowed, read_types};

impl Doc<'_, '_> {
    /// Repairs every member of the node that needs it.
    pub(crate) fn repair(&mut self, node: Id, place: &Place, facts: &Facts) -> Outcome {
        if !is_object(&self.tree, node, facts) {
            return self.spell_boolean(node, place);
        }
        let mut effect = Effects::NONE;
        let mut names = Vec::new();
        if facts.is(Attr::DuplicateKey) {
            let properties = self.tree.get(node, Kw::Properties);
            self.tree.forget_duplicates(node);
            if let Some(properties) = properties {
                self.tree.forget_duplicates(properties);
            }
            names.push("duplicate keys".to_owned());
        }
        let members: Vec<Id> = self.tree.children(node).collect();
        for member in members {
            let Some(kw) = self.tree.kw(member) else { continue };
            if self.tree.parent(member) != Some(node) {
                continue;
            }
            let odd = !allowed(&self.tree, member, kw) || (kw == Kw::Type && facts.is(Attr::TypeAlias));
            if !odd || foreign(kw) {
                continue;
            }
            let name = kw.name();
            match self.read_anew(node, place, kw, member) {
                Some(cost) => {
                    effect = effect.with(cost);
                    names.push(name.to_owned());
                }
                None => {
                    // What it meant cannot be known; the reader of the description still sees it.
                    if self.tree.kind(member) != Kind::Null
                        && let Some(note) = Note::of(&self.tree, member)
                        && !matches!(kw.holds(), Holds::SchemaMap | Holds::SchemaList | Holds::Schema)
                        && kw != Kw::Description
                        && kw != Kw::Title
                    {
                        self.note(node, note);
                    }
                    self.tree.detach(member);
                    if kw == Kw::Ref {
                        self.refs.forget(node);
                    }
                    effect = effect.with(Effects::WIDENS);
                    names.push(format!("{name} (dropped)"));
                }
            }
        }
        if names.is_empty() { Err(Declined) } else { done(effect, names.join(", ")) }
    }

    /// The evident reading of an odd value; `None` where there is none.
    fn read_anew(&mut self, node: Id, place: &Place, kw: Kw, value: Id) -> Option<Effects> {
        let kind = self.tree.kind(value);
        let text = self.tree.str(value).map(|t| t.into_owned());
        match kw.holds() {
            Holds::Types => self.read_type(node),
            Holds::Names if kw == Kw::Required => self.read_required(node, place, value),
            Holds::Names => self.unique_names(value),
            Holds::Flag => {
                let word = match text?.trim().to_ascii_lowercase().as_str() {
                    "true" | "yes" | "1" => true,
                    "false" | "no" | "0" => false,
                    _ => return None,
                };
                let new = self.tree.new_bool(word);
                self.tree.replace(value, new);
                Some(Effects::NONE)
            }
            Holds::Number if kind == Kind::Bool => self.draft_4_bound(node, kw, value),
            Holds::Number | Holds::Count => {
                let number = text?.trim().to_owned();
                let n: f64 = number.parse().ok()?;
                let whole = kw.holds() == Holds::Number || (n >= 0.0 && n.fract() == 0.0);
                if !n.is_finite() || !whole || serde_json::from_str::<serde_json::Number>(&number).is_err() {
                    return None;
                }
                let new = self.tree.new_num(&number);
                self.tree.replace(value, new);
                (kw != Kw::MultipleOf || n > 0.0).then_some(Effects::NONE)
            }
            Holds::Values => {
                if kind == Kind::Null || kind == Kind::Object {
                    return None;
                }
                let list = self.tree.new_array();
                self.tree.replace(value, list);
                self.tree.append(list, value);
                Some(Effects::NONE)
            }
            Holds::Text if matches!(kw, Kw::Title | Kw::Description) => {
                if kind == Kind::Null {
                    self.tree.detach(value);
                    return Some(Effects::NONE);
                }
                let json = self.tree.excerpt(value, 500);
                let new = self.tree.new_str(&json);
                self.tree.replace(value, new);
                Some(Effects::NONE)
            }
            Holds::Text if kw.role() == crate::keyword::Role::Note || kind == Kind::Null => {
                self.tree.detach(value);
                Some(Effects::NONE)
            }
            Holds::Text if matches!(kw, Kw::Id | Kw::Anchor) => {
                self.tree.detach(value);
                Some(Effects::NONE)
            }
            Holds::SchemaMap => self.read_map(value),
            Holds::SchemaList => self.read_list(node, kw, value),
            Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool => self.read_schema(node, kw, value),
            _ => None,
        }
    }

    fn read_type(&mut self, node: Id) -> Option<Effects> {
        let read = read_types(&self.tree, node);
        if read.types.is_empty() {
            return None;
        }
        if read.types.0 == 0x7f {
            self.tree.remove(node, Kw::Type);
        } else {
            self.set_type(node, read.types);
        }
        Some(if read.unknown { Effects::NARROWS } else { Effects::NONE })
    }

    fn read_required(&mut self, node: Id, place: &Place, value: Id) -> Option<Effects> {
        match self.tree.kind(value) {
            Kind::Bool => {
                let demanded = self.tree.bool(value) == Some(true);
                self.tree.detach(value);
                let Some(holder) = place.holder.filter(|_| demanded && place.via == Some(Kw::Properties)) else {
                    return Some(Effects::NONE);
                };
                let name = self.tree.key(node).into_owned();
                let list = match self.tree.get(holder, Kw::Required).filter(|&r| self.tree.kind(r) == Kind::Array) {
                    Some(list) => list,
                    None => {
                        let list = self.tree.new_array();
                        self.tree.set(holder, Kw::Required, list);
                        list
                    }
                };
                if !self.tree.children(list).any(|n| self.tree.str(n).as_deref() == Some(&name)) {
                    let item = self.tree.new_str(&name);
                    self.tree.append(list, item);
                }
                Some(Effects::NONE)
            }
            Kind::Str => {
                let list = self.tree.new_array();
                self.tree.replace(value, list);
                self.tree.append(list, value);
                Some(Effects::NONE)
            }
            Kind::Array => self.unique_names(value),
            Kind::Null => {
                self.tree.detach(value);
                Some(Effects::NONE)
            }
            _ => None,
        }
    }

    fn unique_names(&mut self, list: Id) -> Option<Effects> {
        if self.tree.kind(list) != Kind::Array {
            return None;
        }
        let members: Vec<Id> = self.tree.children(list).collect();
        let mut seen: hashbrown::HashSet<String, foldhash::fast::FixedState> = hashbrown::HashSet::default();
        for member in members {
            let fresh = self.tree.str(member).is_some_and(|name| seen.insert(name.into_owned()));
            if !fresh {
                self.tree.detach(member);
            }
        }
        Some(Effects::NONE)
    }

    /// `exclusiveMinimum: true` beside `minimum`.
    fn draft_4_bound(&mut self, node: Id, kw: Kw, value: Id) -> Option<Effects> {
        let plain = match kw {
            Kw::ExclusiveMinimum => Kw::Minimum,
            Kw::ExclusiveMaximum => Kw::Maximum,
            _ => return None,
        };
        let exclusive = self.tree.bool(value) == Some(true);
        self.tree.detach(value);
        if exclusive && let Some(bound) = self.tree.get(node, plain) {
            self.tree.rename(bound, kw.name());
        }
        Some(Effects::NONE)
    }

    /// A map whose members are all schemas; `[]` and null are how some languages write an empty one.
    fn read_map(&mut self, value: Id) -> Option<Effects> {
        match self.tree.kind(value) {
            Kind::Null => {}
            Kind::Array if self.tree.node(value).first.some().is_none() => {}
            Kind::Object => {
                let members: Vec<Id> = self.tree.children(value).collect();
                for member in members {
                    if !matches!(self.tree.kind(member), Kind::Object | Kind::Bool) {
                        self.schema_from(member);
                    }
                }
                return Some(Effects::NONE);
            }
            _ => return None,
        }
        let empty = self.tree.new_object();
        self.tree.replace(value, empty);
        Some(Effects::NONE)
    }

    fn read_list(&mut self, _node: Id, _kw: Kw, value: Id) -> Option<Effects> {
        match self.tree.kind(value) {
            Kind::Object => {
                let list = self.tree.new_array();
                self.tree.replace(value, list);
                self.tree.append(list, value);
            }
            Kind::Array if self.tree.node(value).first.some().is_none() => self.tree.detach(value),
            Kind::Array => {
                let members: Vec<Id> = self.tree.children(value).collect();
                for member in members {
                    if !matches!(self.tree.kind(member), Kind::Object | Kind::Bool) {
                        self.schema_from(member);
                    }
                }
            }
            _ => return None,
        }
        Some(Effects::NONE)
    }

    fn read_schema(&mut self, node: Id, kw: Kw, value: Id) -> Option<Effects> {
        match (kw, self.tree.kind(value)) {
            (Kw::Items, Kind::Array) => {
                if self.tree.node(value).first.some().is_none() {
                    self.tree.detach(value);
                    return Some(Effects::NONE);
                }
                let members: Vec<Id> = self.tree.children(value).collect();
                for member in members {
                    if !matches!(self.tree.kind(member), Kind::Object | Kind::Bool) {
                        self.schema_from(member);
                    }
                }
                if self.tree.keys(node).has(Kw::PrefixItems) {
                    return None;
                }
                self.tree.rename(value, Kw::PrefixItems.name());
                if let Some(rest) = self.tree.get(node, Kw::AdditionalItems) {
                    self.tree.rename(rest, Kw::Items.name());
                }
                Some(Effects::NONE)
            }
            (Kw::AdditionalProperties, Kind::Str) => {
                let flag = match self.tree.str(value)?.trim() {
                    "true" => true,
                    "false" => false,
                    _ => return None,
                };
                let new = self.tree.new_bool(flag);
                self.tree.replace(value, new);
                Some(Effects::NONE)
            }
            (_, Kind::Null) => {
                self.tree.detach(value);
                Some(Effects::NONE)
            }
            (_, Kind::Str) => {
                self.schema_from(value);
                Some(Effects::NONE)
            }
            _ => None,
        }
    }

    /// A schema in place of a value that is none: text that names a type means that type.
    fn schema_from(&mut self, value: Id) {
        let types = self.tree.str(value).and_then(|t| crate::valid::aliased_type(&t)).filter(|t| t.count() == 1);
        let schema = self.tree.new_object();
        self.tree.replace(value, schema);
        if let Some(types) = types {
            self.set_type(schema, types);
        }
    }

    /// Writes a boolean schema as an object, or takes the place it forbids away.
    fn spell_boolean(&mut self, node: Id, place: &Place) -> Outcome {
        if node == self.tree.root() || self.tree.bool(node) == Some(true) {
            let forbids = self.tree.bool(node) == Some(false);
            self.clear(node);
            if forbids {
                let (object, no) = (self.tree.new_str("object"), self.tree.new_bool(false));
                self.tree.set(node, Kw::Type, object);
                self.tree.set(node, Kw::AdditionalProperties, no);
                return done(Effects::WIDENS, "false");
            }
            return done(Effects::NONE, "true");
        }
        let holder = place.holder.ok_or(Declined)?;
        match place.via {
            Some(Kw::Properties | Kw::PatternProperties | Kw::AnyOf | Kw::OneOf) => {
                let effect = self.permit(node, Effects::WIDENS)?;
                self.tree.detach(node);
                done(effect, "false")
            }
            Some(Kw::Items) if !self.tree.keys(holder).has(Kw::PrefixItems) => {
                self.clear(node);
                let none = self.tree.new_num("0");
                self.tree.set(holder, Kw::MaxItems, none);
                done(Effects::NONE, "false")
            }
            _ => Err(Declined),
        }
    }
}

/// Keywords of other dialects, which nothing here judges.
fn foreign(kw: Kw) -> bool {
    matches!(
        kw,
        Kw::OldId
            | Kw::AdditionalItems
            | Kw::Nullable
            | Kw::Example
            | Kw::Discriminator
            | Kw::Xml
            | Kw::ExternalDocs
            | Kw::PropertyOrdering
    )
}
