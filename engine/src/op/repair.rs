//! Keyword values that JSON Schema does not allow get their evident reading, or go.

use std::borrow::Cow;

use crate::attr::Attr;
use crate::doc::{Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::facts::Facts;
use crate::keyword::{Holds, Kw, Role, SUBSCHEMAS};
use crate::note::Note;
use crate::op::Repair;
use crate::refs::REFERENCES;
use crate::site::Place;
use crate::tree::{Id, Kind};
use crate::valid::{aliased_type, allowed, read_types};

impl Doc<'_, '_> {
    /// Repairs every member of the node that needs it.
    pub(crate) fn repair(&mut self, node: Id, place: &Place, facts: &Facts, how: &Repair) -> Outcome {
        if self.tree.kind(node) != Kind::Object {
            return self.spell_boolean(node, place);
        }
        let mut effect = Effects::NONE;
        let mut names = Vec::new();
        if facts.is(Attr::DuplicateKey) {
            let properties = self.tree.get(node, Kw::Properties);
            self.tree.duplicates.forget(node);
            if let Some(properties) = properties {
                self.tree.duplicates.forget(properties);
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
            if !odd || foreign(kw) || how.leave.has(kw) {
                continue;
            }
            let name = kw.name();
            match self.read_anew(node, place, kw, member, how) {
                Reading::Done(cost) => {
                    effect = effect.with(cost);
                    names.push(name.to_owned());
                }
                Reading::NotAllowed => {}
                Reading::None => {
                    let lost = SUBSCHEMAS.has(kw) && self.tree.node(member).first.some().is_some();
                    let cost = if lost { Effects::LOSSY.with(Effects::WIDENS) } else { Effects::WIDENS };
                    let Ok(cost) = self.permit(node, cost) else { continue };
                    // What it meant cannot be known; the reader of the description still sees it.
                    if how.note
                        && self.tree.kind(member) != Kind::Null
                        && !SUBSCHEMAS.has(kw)
                        && let Some(note) = Note::of(&self.tree, member)
                    {
                        self.note(node, note);
                    }
                    self.tree.detach(member);
                    if REFERENCES.has(kw) {
                        self.refs.forget(node);
                    }
                    effect = effect.with(cost);
                    names.push(format!("{name} (dropped)"));
                }
            }
        }
        if names.is_empty() { Err(Declined) } else { done(effect, names.join(", ")) }
    }

    /// The evident reading of an odd value.
    fn read_anew(&mut self, node: Id, place: &Place, kw: Kw, value: Id, how: &Repair) -> Reading {
        let of_property = kw == Kw::Required && self.tree.kind(value) == Kind::Bool && place.via == Some(Kw::Properties);
        if !how.read.has(kw) || (of_property && !how.hoist) {
            return Reading::None;
        }
        if kw == Kw::Type {
            return self.read_type(node, value);
        }
        self.read_plainly(node, place, kw, value).map_or(Reading::None, |()| Reading::Done(Effects::NONE))
    }

    /// A reading that says what was said; `None`, and nothing changed, where there is none.
    fn read_plainly(&mut self, node: Id, place: &Place, kw: Kw, value: Id) -> Option<()> {
        let kind = self.tree.kind(value);
        let text = self.tree.str(value).map(Cow::into_owned);
        match kw.holds() {
            Holds::Names if kw == Kw::Required => return self.read_required(node, place, value),
            Holds::Names => return self.unique_names(value),
            Holds::Flag => {
                let word = match text?.trim().to_ascii_lowercase().as_str() {
                    "true" | "yes" | "1" => true,
                    "false" | "no" | "0" => false,
                    _ => return None,
                };
                let new = self.tree.new_bool(word);
                self.tree.replace(value, new);
            }
            Holds::Number if kind == Kind::Bool => return self.draft_4_bound(node, kw, value),
            Holds::Number | Holds::Count => {
                let number = text?.trim().to_owned();
                let n: f64 = number.parse().ok()?;
                let whole = kw.holds() == Holds::Number || (n >= 0.0 && n.fract() == 0.0);
                let bad = !n.is_finite() || !whole || (kw == Kw::MultipleOf && n <= 0.0);
                if bad || serde_json::from_str::<serde_json::Number>(&number).is_err() {
                    return None;
                }
                let new = self.tree.new_num(&number);
                self.tree.replace(value, new);
            }
            Holds::Values => {
                if kind == Kind::Null || kind == Kind::Object {
                    return None;
                }
                let list = self.tree.new_array();
                self.tree.replace(value, list);
                self.tree.append(list, value);
            }
            Holds::Text if matches!(kw, Kw::Title | Kw::Description) && kind != Kind::Null => {
                let json = self.tree.excerpt(value, 500);
                let new = self.tree.new_str(&json);
                self.tree.replace(value, new);
            }
            Holds::Text if kw.role() == Role::Note || kind == Kind::Null || matches!(kw, Kw::Id | Kw::Anchor) => self.tree.detach(value),
            Holds::SchemaMap => return self.read_map(value),
            Holds::SchemaList => return self.read_list(value),
            Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool => return self.read_schema(node, kw, value),
            _ => return None,
        }
        Some(())
    }

    fn read_type(&mut self, node: Id, value: Id) -> Reading {
        let read = read_types(&self.tree, node);
        if read.types.is_empty() {
            if self.tree.kind(value) != Kind::Null && !(read.list && self.tree.node(value).first.some().is_none()) {
                return Reading::None;
            }
            self.tree.detach(value);
            return Reading::Done(Effects::NONE);
        }
        let cost = if read.unknown { Effects::NARROWS } else { Effects::NONE };
        let Ok(cost) = self.permit(node, cost) else { return Reading::NotAllowed };
        if read.types.0 == 0x7f {
            self.tree.remove(node, Kw::Type);
        } else {
            self.set_type(node, read.types);
        }
        Reading::Done(cost)
    }

    fn read_required(&mut self, node: Id, place: &Place, value: Id) -> Option<()> {
        match self.tree.kind(value) {
            Kind::Bool => {
                let demanded = self.tree.bool(value) == Some(true);
                self.tree.detach(value);
                let Some(holder) = place.holder.filter(|_| demanded && place.via == Some(Kw::Properties)) else {
                    return Some(());
                };
                let name = self.tree.key(node).into_owned();
                let list = self.list(holder, Kw::Required);
                if place.optional {
                    let item = self.tree.new_str(&name);
                    self.tree.append(list, item);
                }
                Some(())
            }
            Kind::Str => {
                let list = self.tree.new_array();
                self.tree.replace(value, list);
                self.tree.append(list, value);
                Some(())
            }
            Kind::Array => self.unique_names(value),
            Kind::Null => {
                self.tree.detach(value);
                Some(())
            }
            _ => None,
        }
    }

    fn unique_names(&mut self, list: Id) -> Option<()> {
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
        Some(())
    }

    /// `exclusiveMinimum: true` beside `minimum`.
    fn draft_4_bound(&mut self, node: Id, kw: Kw, value: Id) -> Option<()> {
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
        Some(())
    }

    /// A map whose members are all schemas; `[]` and null are how some languages write an empty one.
    fn read_map(&mut self, value: Id) -> Option<()> {
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
                return Some(());
            }
            _ => return None,
        }
        let empty = self.tree.new_object();
        self.tree.replace(value, empty);
        Some(())
    }

    fn read_list(&mut self, value: Id) -> Option<()> {
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
        Some(())
    }

    fn read_schema(&mut self, node: Id, kw: Kw, value: Id) -> Option<()> {
        match (kw, self.tree.kind(value)) {
            (Kw::Items, Kind::Array) => {
                if self.tree.node(value).first.some().is_none() {
                    self.tree.detach(value);
                    return Some(());
                }
                if self.tree.keys(node).has(Kw::PrefixItems) {
                    return None;
                }
                let members: Vec<Id> = self.tree.children(value).collect();
                for member in members {
                    if !matches!(self.tree.kind(member), Kind::Object | Kind::Bool) {
                        self.schema_from(member);
                    }
                }
                self.tree.rename(value, Kw::PrefixItems.name());
                if let Some(rest) = self.tree.get(node, Kw::AdditionalItems) {
                    self.tree.rename(rest, Kw::Items.name());
                }
                Some(())
            }
            (Kw::AdditionalProperties | Kw::UnevaluatedProperties | Kw::UnevaluatedItems, Kind::Str) => {
                let flag = match self.tree.str(value)?.trim() {
                    "true" => true,
                    "false" => false,
                    name => {
                        aliased_type(name)?;
                        self.schema_from(value);
                        return Some(());
                    }
                };
                let new = self.tree.new_bool(flag);
                self.tree.replace(value, new);
                Some(())
            }
            (_, Kind::Null) => {
                self.tree.detach(value);
                Some(())
            }
            (_, Kind::Str) => {
                self.schema_from(value);
                Some(())
            }
            _ => None,
        }
    }

    /// A schema in place of a value that is none: text that names a type means that type, any other describes.
    fn schema_from(&mut self, value: Id) {
        let text = self.tree.str(value).map(Cow::into_owned);
        let types = text.as_deref().and_then(aliased_type);
        let schema = self.tree.new_object();
        self.tree.replace(value, schema);
        match (types, text) {
            (Some(types), _) if types.count() == 1 => self.set_type(schema, types),
            (None, Some(text)) if !text.is_empty() => {
                let text = self.tree.new_str(&text);
                self.tree.set(schema, Kw::Description, text);
            }
            _ => {}
        }
    }

    /// Writes a boolean schema as an object, or takes the place it forbids away.
    fn spell_boolean(&mut self, node: Id, place: &Place) -> Outcome {
        if self.tree.bool(node) == Some(true) {
            self.clear(node);
            return done(Effects::NONE, "true");
        }
        if node == self.tree.root() {
            let effect = self.permit(node, Effects::WIDENS)?;
            self.clear(node);
            let (object, no) = (self.tree.new_str("object"), self.tree.new_bool(false));
            self.tree.set(node, Kw::Type, object);
            self.tree.set(node, Kw::AdditionalProperties, no);
            return done(effect, "false");
        }
        let holder = place.holder.ok_or(Declined)?;
        match place.via {
            Some(Kw::Properties | Kw::PatternProperties) => {
                let effect = self.permit(node, Effects::WIDENS)?;
                self.tree.detach(node);
                done(effect, "false")
            }
            Some(Kw::AnyOf | Kw::OneOf) if self.tree.node(node).prev != self.tree.node(node).next => {
                self.tree.detach(node);
                done(Effects::NONE, "false")
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

/// What became of an odd value.
enum Reading {
    /// It says what it meant, at this cost.
    Done(Effects),
    /// It would, at a cost that is not allowed.
    NotAllowed,
    /// Nobody can know what it meant.
    None,
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
