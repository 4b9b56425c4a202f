//! Operations that change the shape of arguments; each leaves a codec.

use std::borrow::Cow;

use serde_json::Value;

use super::merge::{literal_fits, says};
use crate::attr::Types;
use crate::codec::Codec;
use crate::doc::{Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::facts::{literals, null_branch};
use crate::keyword::{ARRAY_KEYS, COMBINATORS, DEFINITIONS, Kw, KwSet, NOTES, OBJECT_KEYS};
use crate::note::Note;
use crate::print::cut;
use crate::refs::REFERENCES;
use crate::site::union_branches;
use crate::tree::{Id, Kind, Tree};
use crate::valid::{read_types, value_type};
use crate::values::ValueSet;

/// Of an inner schema at most so many bytes are shown in a description.
pub(crate) const SHOWN: usize = 800;

impl Doc<'_, '_> {
    /// Makes a string of the node that holds JSON text. A reference that says only a part of what a value is takes the whole value with it.
    pub(crate) fn json_text(&mut self, node: Id, words: Option<&str>) -> Outcome {
        let node = self.refs.node(node).and_then(|_| self.value_around(node)).unwrap_or(node);
        let target = self.refs.node(node).map(|_| self.refs.follow(node));
        let types = read_types(&self.tree, target.unwrap_or(node)).types;
        let mut shape = self.shape(target.unwrap_or(node));
        if target.is_some()
            && let Some(beside) = self.shape_beside(node)
        {
            shape = Some(shape.map_or_else(|| beside.clone(), |shape| format!("{shape} and {beside}")));
        }
        self.fold(node, shape, types, words)
    }

    /// What stands beside the node's reference, as a schema.
    fn shape_beside(&mut self, node: Id) -> Option<String> {
        let tree = &self.tree;
        let quiet = NOTES.with(REFERENCES).with(KwSet::of(&[Kw::Nullable]));
        if quiet.covers(tree.keys(node).without(KwSet::OTHER)) {
            return None;
        }
        Some(self.members_text(node, quiet))
    }

    /// The node's schema as text, without what its description says already.
    fn shape(&mut self, node: Id) -> Option<String> {
        let quiet = NOTES.with(KwSet::of(&[Kw::Nullable]));
        let (tree, keys) = (&self.tree, self.tree.keys(node));
        if tree.kind(node) == Kind::Bool || keys.without(quiet).without(KwSet::OTHER).is_empty() {
            return None;
        }
        let only_type = KwSet::of(&[Kw::Type]).with(quiet).with(KwSet::OTHER);
        let bare = only_type.covers(keys) && read_types(tree, node).types.without(Types::NULL).count() == 1;
        if bare {
            return None;
        }
        Some(self.members_text(node, NOTES))
    }

    /// The members of a node as compact JSON, without unknown keys and those of the set; cut where long.
    fn members_text(&self, node: Id, without: KwSet) -> String {
        let tree = &self.tree;
        let mut out = String::from("{");
        for child in tree.children(node) {
            if tree.kw(child).is_none_or(|kw| without.has(kw)) {
                continue;
            }
            if out.len() > 1 {
                out.push(',');
            }
            out.push('"');
            out.push_str(tree.raw_key(child));
            out.push_str("\":");
            out.push_str(&tree.excerpt(child, SHOWN));
            if out.len() > SHOWN {
                break;
            }
        }
        if out.len() > SHOWN {
            cut(&mut out, SHOWN);
        } else {
            out.push('}');
        }
        out
    }

    /// Makes a string of the node; `shape` is shown as the schema of the JSON text.
    pub(crate) fn fold(&mut self, node: Id, shape: Option<String>, types: Types, words: Option<&str>) -> Outcome {
        if node == self.tree.root() || self.tree.bool(node) == Some(false) || !self.is_value(node, Types::STRING) {
            return Err(Declined);
        }
        if self.codecs.of(node).any(|codec| matches!(codec, Codec::ParseJson { .. })) {
            return Err(Declined);
        }
        let effect = self.permit(node, Effects::RECODES.with(Effects::WIDENS).with(self.rival_cost(node, Types::STRING)))?;
        let bare = types.without(Types::NULL);
        let what = match bare {
            Types::OBJECT => "A JSON object",
            Types::ARRAY => "A JSON array",
            _ => "A JSON value",
        };
        let usual = || format!("{what}, as JSON text");
        let says = words.map_or_else(usual, ToOwned::to_owned);
        let text = match &shape {
            Some(shape) => format!("{says}, that fits this JSON Schema: {shape}"),
            None => format!("{says}."),
        };
        let mut nullable = bare != types || self.tree.get(node, Kw::Nullable).and_then(|n| self.tree.bool(n)) == Some(true);
        nullable |= union_branches(&self.tree, node).iter().any(|&b| null_branch(&self.tree, b));
        let keep: Vec<(String, Id)> = self
            .tree
            .children(node)
            .filter(|&c| matches!(self.tree.kw(c), Some(Kw::Description | Kw::Title | Kw::Deprecated)))
            .map(|c| (self.tree.key(c).into_owned(), c))
            .collect();
        let notes: Vec<Note> = [Kw::Default, Kw::Examples]
            .into_iter()
            .filter_map(|kw| self.tree.get(node, kw))
            .filter(|&c| self.tree.kind(c) != Kind::Null)
            .filter_map(|c| Note::of(&self.tree, c))
            .collect();
        if !self.codecs.is_empty() {
            for inside in self.tree.descendants(node) {
                self.codecs.remove(inside);
            }
        }
        self.refs.forget(node);
        self.clear(node);
        let types = if nullable { Types(Types::STRING.0 | Types::NULL.0) } else { Types::STRING };
        self.set_type(node, types);
        for (name, child) in keep {
            self.tree.detach(child);
            self.tree.insert(node, &name, child);
        }
        self.note(node, Note::free(text));
        for note in notes {
            self.note(node, note);
        }
        self.codecs.push(node, Codec::ParseJson { types: bare, nullable });
        done(effect, what.trim_start_matches("A ").to_owned() + " as text")
    }

    /// Makes a list of entries of a map.
    pub(crate) fn entries(&mut self, node: Id, key: &str, value: &str, rest: &str) -> Outcome {
        let types = read_types(&self.tree, node).types;
        let bare = types.without(Types::NULL);
        if (bare != Types::OBJECT && !bare.is_empty()) || self.tree.kind(node) != Kind::Object {
            return Err(Declined);
        }
        let (schemas, patterns, open) = self.map_parts(node);
        if schemas.is_empty() || !self.is_value(node, Types::ARRAY) || self.tree.keys(node).meets(WHOLE) {
            return Err(Declined);
        }
        let declared = self.tree.get(node, Kw::Properties).is_some_and(|p| self.tree.node(p).first.some().is_some());
        if !declared && node == self.tree.root() {
            return Err(Declined);
        }
        let rival = if declared { Effects::NONE } else { self.rival_cost(node, Types::ARRAY) };
        let effect = self.permit(node, self.entries_cost(node, declared, &schemas, &patterns, open).with(rival))?;
        let names = self.tree.remove(node, Kw::PropertyNames);
        let list = self.entry_list(&schemas, &patterns, open, names, key, value);
        for kw in [Kw::AdditionalProperties, Kw::PatternProperties] {
            self.tree.remove(node, kw);
        }
        let codec = |rest, named| Codec::Entries { key: key.to_owned(), value: value.to_owned(), rest, named };
        if declared {
            let properties = self.tree.get(node, Kw::Properties).ok_or(Declined)?;
            let name = self.fresh_name(Some(properties), rest);
            let named = self.tree.children(properties).map(|p| self.tree.key(p).into_owned()).collect();
            let text = self.tree.new_str("Further properties, as a list of keys and values.");
            self.tree.set(list, Kw::Description, text);
            self.tree.insert(properties, &name, list);
            self.codecs.push(node, codec(Some(name.clone()), named));
            return done(effect, format!("further properties under {name}"));
        }
        let lengths = [(Kw::MinProperties, Kw::MinItems), (Kw::MaxProperties, Kw::MaxItems)];
        let moved: Vec<(Kw, Id)> = lengths.into_iter().filter_map(|(from, to)| self.tree.remove(node, from).map(|v| (to, v))).collect();
        let gone: Vec<Id> = self.tree.children(node).filter(|&c| self.tree.kw(c).is_some_and(|kw| OBJECT_KEYS.has(kw))).collect();
        for child in gone {
            if self.tree.kw(child).is_some_and(|kw| BEYOND.has(kw))
                && let Some(note) = Note::of(&self.tree, child)
            {
                self.note(node, note);
            }
            self.tree.detach(child);
        }
        self.note_away(node, &[Kw::Default, Kw::Examples, Kw::Example]);
        self.set_type(node, Types(Types::ARRAY.0 | (types.0 & Types::NULL.0)));
        let items: Vec<Id> = self.tree.children(list).filter(|&c| self.tree.kw(c) == Some(Kw::Items)).collect();
        for item in items {
            self.tree.detach(item);
            self.tree.set(node, Kw::Items, item);
        }
        for (kw, value) in moved {
            self.tree.set(node, kw, value);
        }
        self.codecs.push(node, codec(None, Vec::new()));
        done(effect, "map to entries")
    }

    /// What entries admit and refuse that the map did not.
    fn entries_cost(&self, node: Id, declared: bool, schemas: &[Id], patterns: &[String], open: bool) -> Effects {
        let tree = &self.tree;
        let keys = tree.keys(node);
        let mut cost = Effects::RECODES;
        let mut put = |word: Effects, when: bool| {
            if when {
                cost = cost.with(word);
            }
        };
        let rest = tree.get(node, Kw::AdditionalProperties).is_some_and(|r| tree.kind(r) == Kind::Object && says(tree, r));
        let counted = KwSet::of(&[Kw::MinProperties, Kw::MaxProperties]);
        put(Effects::WIDENS, schemas.len() > 1 || declared || keys.meets(BEYOND));
        put(Effects::NARROWS, !declared && read_types(tree, node).types.is_empty());
        // An entry may stand twice in a list.
        put(Effects::WIDENS.with(Effects::NARROWS), !declared && keys.meets(counted));
        put(Effects::NARROWS, !patterns.is_empty() && open && !rest);
        let named = tree.get(node, Kw::PropertyNames).is_some_and(|n| tree.kind(n) == Kind::Object && tree.keys(n).has(Kw::Pattern));
        put(Effects::WIDENS, !patterns.is_empty() && named);
        cost
    }

    /// Values that are spelled in the old shape go into the description.
    fn note_away(&mut self, node: Id, keys: &[Kw]) {
        for &kw in keys {
            if let Some(child) = self.tree.remove(node, kw)
                && let Some(note) = Note::of(&self.tree, child)
            {
                self.note(node, note);
            }
        }
    }

    /// The schemas of a map's values, the patterns of its keys, and whether other keys are typed too.
    fn map_parts(&self, node: Id) -> (Vec<Id>, Vec<String>, bool) {
        let tree = &self.tree;
        let mut schemas = Vec::new();
        let mut patterns = Vec::new();
        if let Some(map) = tree.get(node, Kw::PatternProperties).filter(|&m| tree.kind(m) == Kind::Object) {
            for child in tree.children(map) {
                schemas.push(child);
                patterns.push(tree.key(child).into_owned());
            }
        }
        let rest = tree.get(node, Kw::AdditionalProperties);
        let open = rest.is_none_or(|r| tree.bool(r) != Some(false));
        schemas.extend(rest.filter(|&r| tree.kind(r) == Kind::Object && tree.node(r).first.some().is_some()));
        (schemas, patterns, open)
    }

    fn entry_list(&mut self, schemas: &[Id], patterns: &[String], open: bool, names: Option<Id>, key: &str, value: &str) -> Id {
        let list = self.tree.new_object();
        self.set_type(list, Types::ARRAY);
        let entry = self.tree.new_object();
        self.set_type(entry, Types::OBJECT);
        let properties = self.tree.new_object();
        let name = self.tree.new_object();
        self.set_type(name, Types::STRING);
        if let Some(names) = names.filter(|&n| self.tree.kind(n) == Kind::Object) {
            self.merge(name, names);
        }
        if !patterns.is_empty() && !open && !self.tree.keys(name).has(Kw::Pattern) {
            let text = match patterns {
                [pattern] => pattern.clone(),
                many => many.iter().map(|p| format!("(?:{p})")).collect::<Vec<_>>().join("|"),
            };
            let text = self.tree.new_str(&text);
            self.tree.set(name, Kw::Pattern, text);
        }
        self.tree.insert(properties, key, name);
        for &schema in schemas {
            self.tree.detach(schema);
        }
        let content = if let [one] = schemas {
            *one
        } else {
            let mut seen = ValueSet::new(&self.tree);
            let differ: Vec<Id> = schemas.iter().copied().filter(|&s| seen.insert(s)).collect();
            if let [one] = differ[..] {
                one
            } else {
                let union = self.tree.new_object();
                let branches = self.tree.new_array();
                for schema in differ {
                    self.tree.append(branches, schema);
                }
                self.tree.set(union, Kw::AnyOf, branches);
                union
            }
        };
        self.tree.insert(properties, value, content);
        self.tree.set(entry, Kw::Properties, properties);
        let required = self.tree.new_array();
        for text in [key, value] {
            let text = self.tree.new_str(text);
            self.tree.append(required, text);
        }
        self.tree.set(entry, Kw::Required, required);
        self.tree.set(list, Kw::Items, entry);
        list
    }

    /// Makes an object of a tuple.
    pub(crate) fn fields(&mut self, node: Id, prefix: &str) -> Outcome {
        let types = read_types(&self.tree, node).types;
        let bare = types.without(Types::NULL);
        if (bare != Types::ARRAY && !bare.is_empty()) || node == self.tree.root() || !self.is_value(node, Types::OBJECT) {
            return Err(Declined);
        }
        if self.tree.keys(node).meets(WHOLE) {
            return Err(Declined);
        }
        let (elements, rest) = self.tuple_parts(node).ok_or(Declined)?;
        let least = self.tree.get(node, Kw::MinItems).and_then(|n| self.tree.num(n)).unwrap_or(0.0);
        let whole = least >= elements.len() as f64;
        let tail = rest.filter(|&r| self.tree.kind(r) == Kind::Object && self.tree.node(r).first.some().is_some());
        let most = self.tree.get(node, Kw::MaxItems).and_then(|n| self.tree.num(n)).unwrap_or(f64::INFINITY);
        let ends = tail.is_some() || rest.is_some_and(|r| self.tree.bool(r) == Some(false)) || most <= elements.len() as f64;
        if most < elements.len() as f64 {
            return Err(Declined);
        }
        let mut cost = if whole && ends && !types.is_empty() { Effects::RECODES } else { Effects::RECODES.with(Effects::NARROWS) };
        // What the fields cannot say any more is told.
        let mut told = vec![Kw::Default, Kw::Examples, Kw::Example];
        let mut lost = Vec::new();
        if least > elements.len() as f64 {
            lost.push(Kw::MinItems);
        }
        if tail.is_some() && most.is_finite() {
            lost.push(Kw::MaxItems);
        }
        let demands = [Kw::UniqueItems, Kw::Contains, Kw::MinContains, Kw::MaxContains];
        lost.extend(demands.into_iter().filter(|&kw| self.tree.get(node, kw).is_some_and(|v| self.tree.bool(v) != Some(false))));
        if !lost.is_empty() {
            cost = cost.with(Effects::WIDENS);
        }
        let effect = self.permit(node, cost.with(self.rival_cost(node, Types::OBJECT)))?;
        told.extend(lost);
        self.note_away(node, &told);
        for element in elements.iter().copied().chain(tail) {
            self.tree.detach(element);
        }
        let gone: Vec<Id> = self.tree.children(node).filter(|&c| self.tree.kw(c).is_some_and(|kw| ARRAY_KEYS.has(kw))).collect();
        for child in gone {
            self.tree.detach(child);
        }
        self.set_type(node, Types(Types::OBJECT.0 | (types.0 & Types::NULL.0)));
        let (properties, required) = (self.tree.new_object(), self.tree.new_array());
        let mut names = Vec::new();
        for (i, element) in elements.into_iter().enumerate() {
            let name = format!("{prefix}{}", i.saturating_add(1));
            let text = self.tree.new_str(&name);
            self.tree.append(required, text);
            self.tree.insert(properties, &name, element);
            names.push(name);
        }
        let rest = tail.map(|tail| {
            let list = self.tree.new_object();
            self.set_type(list, Types::ARRAY);
            self.tree.set(list, Kw::Items, tail);
            let name = format!("{prefix}s_after");
            self.tree.insert(properties, &name, list);
            name
        });
        self.tree.set(node, Kw::Properties, properties);
        self.tree.set(node, Kw::Required, required);
        let count = names.len();
        let least = if least.is_finite() && least > 0.0 { (least as usize).min(count) } else { 0 };
        self.codecs.push(node, Codec::Fields { names, rest, least });
        done(effect, format!("{count} elements to fields"))
    }

    /// Makes text of literals that are none.
    pub(crate) fn text_enum(&mut self, node: Id) -> Outcome {
        let tree = &self.tree;
        let list = tree.get(node, Kw::Enum).filter(|&l| tree.kind(l) == Kind::Array).ok_or(Declined)?;
        let types = read_types(tree, node).types;
        if !self.is_value(node, Types::STRING) {
            return Err(Declined);
        }
        let fits = |m: Id| types.is_empty() || types.admits(value_type(tree, m));
        let all: Vec<Id> = tree.children(list).collect();
        let null_fits = |m: Id| tree.kind(m) == Kind::Null && tree.get(node, Kw::Nullable).and_then(|n| tree.bool(n)) == Some(true);
        let mut members: Vec<Id> = all.iter().copied().filter(|&m| (fits(m) || null_fits(m)) && within_bounds(tree, node, m)).collect();
        // None is a value by the schema's own word: the literals are meant, spelled as text.
        let meant = members.iter().all(|&m| tree.kind(m) == Kind::Null);
        if meant {
            members.clone_from(&all);
        }
        // What else the schema says of them is not looked at, and cannot be said of their text.
        let free = meant || !ON_LITERALS.covers(tree.keys(node).without(KwSet::OTHER));
        let odd = members.iter().any(|&m| !matches!(tree.kind(m), Kind::Str | Kind::Null));
        if members.is_empty() || (!odd && members.len() == all.len()) {
            return Err(Declined);
        }
        let cost = match (odd, free) {
            (true, true) => Effects::RECODES.with(Effects::WIDENS).with(self.rival_cost(node, Types::STRING)),
            (true, false) => Effects::RECODES.with(self.rival_cost(node, Types::STRING)),
            (false, _) => Effects::NONE,
        };
        let effect = self.permit(node, cost)?;
        let null = members.iter().any(|&m| self.tree.kind(m) == Kind::Null);
        let mut taken = Taken::of(members.iter().filter_map(|&m| self.tree.str(m)));
        let mut values = Vec::new();
        let fresh = self.tree.new_array();
        for member in members {
            let item = match self.tree.kind(member) {
                Kind::Str | Kind::Null => {
                    self.tree.detach(member);
                    member
                }
                _ => {
                    let text = taken.unused(&self.tree.to_json(member));
                    values.push((text.clone(), self.tree.to_value(member)));
                    self.tree.new_str(&text)
                }
            };
            self.tree.append(fresh, item);
        }
        self.tree.replace(list, fresh);
        let off: Vec<Id> = self
            .tree
            .children(node)
            .filter(|&c| {
                self.tree.kw(c).is_some_and(|kw| crate::keyword::NUMBER_KEYS.has(kw) || ARRAY_KEYS.has(kw) || OBJECT_KEYS.has(kw))
                    || (odd && self.tree.kw(c) == Some(Kw::Format))
            })
            .collect();
        for child in off {
            self.tree.detach(child);
        }
        self.recode_default(node, &values);
        self.set_type(node, Types(Types::STRING.0 | if null { Types::NULL.0 } else { 0 }));
        let what = values.iter().take(6).map(|(t, _)| t.as_str()).collect::<Vec<_>>().join(", ");
        if values.is_empty() {
            return done(effect, "literals of another type");
        }
        let plain = taken.without(&values);
        self.codecs.push(node, Codec::FromText { values, plain });
        done(effect, what)
    }

    /// A default or an example among the literals is spelled as they are; any other stays.
    fn recode_default(&mut self, node: Id, values: &[(String, Value)]) {
        let mut places: Vec<Id> = [Kw::Default, Kw::Example].into_iter().filter_map(|kw| self.tree.get(node, kw)).collect();
        let list = self.tree.get(node, Kw::Examples).filter(|&l| self.tree.kind(l) == Kind::Array);
        places.extend(list.into_iter().flat_map(|l| self.tree.children(l).take(64)));
        for place in places {
            let value = self.tree.to_value(place);
            if let Some((text, _)) = values.iter().find(|(_, v)| same_literal(v, &value)) {
                let new = self.tree.new_str(text);
                self.tree.replace(place, new);
            }
        }
    }

    /// Gives awkward literals plain names.
    pub(crate) fn alias_literals(&mut self, node: Id) -> Outcome {
        let awkward = |tree: &Tree, m: Id| tree.str(m).is_some_and(|t| t.contains(['"', '\n']));
        // What the type refuses is no value, and any other value has to be a text to be told from the names.
        let values: Vec<Id> = literals(&self.tree, node).filter(|&m| literal_fits(&self.tree, node, m)).collect();
        let texts = values.iter().all(|&m| matches!(self.tree.kind(m), Kind::Str | Kind::Null));
        let members: Vec<Id> = values.into_iter().filter(|&m| awkward(&self.tree, m)).collect();
        if members.is_empty() || !texts || !self.is_value(node, Types::STRING) {
            return Err(Declined);
        }
        let effect = self.permit(node, Effects::RECODES.with(self.rival_cost(node, Types::STRING)))?;
        let mut taken = Taken::of(literals(&self.tree, node).filter_map(|m| self.tree.str(m)));
        let mut values = Vec::new();
        for member in members {
            let text = self.tree.str(member).unwrap_or_default().into_owned();
            let plain = taken.unused(&text.replace('"', "'").replace("\r\n", " ").replace('\n', " "));
            let new = self.tree.new_str(&plain);
            self.tree.replace(member, new);
            values.push((plain, Value::String(text)));
        }
        self.recode_default(node, &values);
        let what = values.iter().take(4).map(|(t, _)| t.as_str()).collect::<Vec<_>>().join(", ");
        let plain = Taken::of(literals(&self.tree, node).filter_map(|m| self.tree.str(m))).without(&values);
        self.codecs.push(node, Codec::FromText { values, plain });
        done(effect, what)
    }

    /// Makes the root a property of an object.
    pub(crate) fn wrap_root(&mut self, name: &str) -> Outcome {
        let root = self.tree.root();
        let effect = self.permit(root, Effects::RECODES)?;
        let outer = self.tree.new_object();
        self.tree.replace(root, outer);
        self.set_type(outer, Types::OBJECT);
        for kw in [Kw::Schema, Kw::Id, Kw::OldId, Kw::Defs, Kw::Definitions] {
            if let Some(child) = self.tree.remove(root, kw) {
                self.tree.set(outer, kw, child);
            }
        }
        let properties = self.tree.new_object();
        self.tree.insert(properties, name, root);
        self.tree.set(outer, Kw::Properties, properties);
        let required = self.tree.new_array();
        let text = self.tree.new_str(name);
        self.tree.append(required, text);
        self.tree.set(outer, Kw::Required, required);
        self.codecs.push(outer, Codec::Unwrap { name: name.to_owned() });
        done(effect, name)
    }
}

/// Texts that are in use.
#[derive(Default)]
struct Taken {
    names: hashbrown::HashSet<String, foldhash::fast::FixedState>,
    /// The numbers that texts which were taken have got so far.
    numbers: hashbrown::HashMap<String, usize, foldhash::fast::FixedState>,
}

impl Taken {
    fn of<'t>(texts: impl Iterator<Item = Cow<'t, str>>) -> Taken {
        Taken { names: texts.map(Cow::into_owned).collect(), ..Taken::default() }
    }

    /// The wished text, with a number where it is taken.
    fn unused(&mut self, wish: &str) -> String {
        if self.names.insert(wish.to_owned()) {
            return wish.to_owned();
        }
        let next = self.numbers.entry(wish.to_owned()).or_insert(2);
        loop {
            let name = format!("{wish} ({next})");
            *next = next.saturating_add(1);
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    /// Those that stand for no value.
    fn without(mut self, values: &[(String, Value)]) -> Vec<String> {
        for (text, _) in values {
            self.names.remove(text);
        }
        self.names.into_iter().collect()
    }
}

fn same_literal(one: &Value, other: &Value) -> bool {
    one == other || (one.as_f64().is_some() && one.as_f64() == other.as_f64())
}

/// Whether a number keeps the node's bounds; any other value has none.
fn within_bounds(tree: &Tree, node: Id, literal: Id) -> bool {
    let Some(n) = tree.num(literal) else { return true };
    let bound = |kw: Kw| tree.get(node, kw).and_then(|b| tree.num(b));
    bound(Kw::Minimum).is_none_or(|b| n >= b)
        && bound(Kw::Maximum).is_none_or(|b| n <= b)
        && bound(Kw::ExclusiveMinimum).is_none_or(|b| n > b)
        && bound(Kw::ExclusiveMaximum).is_none_or(|b| n < b)
        && bound(Kw::MultipleOf).is_none_or(|b| b <= 0.0 || b.fract() != 0.0 || n % b == 0.0)
}

/// Beside literals, what says nothing or is held against each of them.
const ON_LITERALS: KwSet = NOTES.with(DEFINITIONS).with(KwSet::of(&[
    Kw::Enum,
    Kw::Const,
    Kw::Type,
    Kw::Nullable,
    Kw::Id,
    Kw::OldId,
    Kw::Anchor,
    Kw::Schema,
    Kw::Minimum,
    Kw::Maximum,
    Kw::ExclusiveMinimum,
    Kw::ExclusiveMaximum,
    Kw::MultipleOf,
]));
/// Keywords that look at a value as a whole, and so at its old spelling.
const WHOLE: KwSet = COMBINATORS.with(REFERENCES).with(KwSet::of(&[Kw::Enum, Kw::Const, Kw::Not, Kw::If, Kw::Then, Kw::Else]));
/// What a map may demand that a list of entries cannot.
const BEYOND: KwSet = KwSet::of(&[Kw::Required, Kw::Dependencies, Kw::DependentRequired, Kw::DependentSchemas]);
