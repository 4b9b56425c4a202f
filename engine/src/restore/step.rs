//! One codec undone, or carried out, at one value.

use serde_json::{Map, Value};

use super::issue::IssueKind;
use super::plan::{Entries, Fields, NullProperty, Renames, Step};
use super::shape::{count, lists, same, type_of};
use super::text::{Decoded, decode};
use super::walk::{At, Walk};
use crate::attr::Types;
use crate::path::{push_token, token_name};

impl Walk<'_> {
    /// Maps a value back; `mark`: the issues from there on are about what is below the value.
    pub(crate) fn undo(&mut self, step: &Step, value: &mut Value, at: &At<'_>, mark: usize) {
        match step {
            Step::Nulls(properties) => self.drop_nulls(properties, value),
            Step::Absent(_) => {}
            Step::Omitted(properties) => self.put_nulls(properties.iter(), value, at),
            Step::ParseJson { types, .. } => self.parse(*types, value, at),
            Step::Entries(entries) => self.join_entries(entries, value, at, mark),
            Step::Fields(fields) => self.fields_to_list(fields, value, at, mark),
            Step::Unwrap { name } => self.unwrap(name, value, at, mark),
            Step::FromText { values, plain } => self.literal(values, plain, value, at),
            Step::Rename(renames) => {
                let moved = self.rename(|name| renames.expected(name), value, at);
                if moved {
                    self.move_issues(mark, at, |path| {
                        let (name, below) = first_token(path)?;
                        Some(token(renames.expected(&name)?) + below)
                    });
                }
            }
        }
    }

    /// Maps a value forth.
    pub(crate) fn carry_out(&mut self, step: &Step, value: &mut Value, at: &At<'_>) {
        match step {
            Step::Nulls(properties) => self.put_nulls(properties.iter().map(|p| &p.name), value, at),
            Step::Absent(properties) | Step::Omitted(properties) => {
                if let Value::Object(map) = value {
                    map.retain(|name, value| !value.is_null() || !lists(properties, name));
                }
            }
            Step::ParseJson { nullable, .. } if *nullable && value.is_null() => {}
            Step::ParseJson { types, .. } if !types.is_empty() && !types.admits(type_of(value)) => {
                self.error(at, IssueKind::NotExpressible, "the value is of another type than the text is for");
            }
            Step::ParseJson { .. } => {
                // Text in text doubles its escapes each time.
                let text = value.to_string();
                if self.has_fuel(at, text.len() as u64 / 4) {
                    *value = Value::String(text);
                }
            }
            Step::Entries(entries) => self.split_entries(entries, value, at),
            Step::Fields(fields) => self.list_to_fields(fields, value, at),
            Step::Unwrap { name } => *value = Value::Object(Map::from_iter([(name.clone(), value.take())])),
            Step::FromText { values, plain } => {
                if !self.has_fuel(at, values.len() as u64 / 64) {
                    return;
                }
                let known = value.as_str().is_some_and(|text| lists(plain, text));
                if let Some((text, _)) = values.iter().find(|(_, literal)| same(literal, value)) {
                    *value = Value::String(text.clone());
                } else if !value.is_null() && !known {
                    self.error(at, IssueKind::NotExpressible, "the value is none of the literals");
                }
            }
            Step::Rename(renames) => self.rename_forth(renames, value, at),
        }
    }

    fn drop_nulls(&mut self, properties: &[NullProperty], value: &mut Value) {
        let Value::Object(map) = value else { return };
        if !map.values().any(Value::is_null) {
            return;
        }
        let drop_nullable = self.options.drop_nulls;
        map.retain(|name, value| {
            let ours = || properties.binary_search_by(|p| p.name.as_str().cmp(name)).ok().and_then(|i| properties.get(i));
            !value.is_null() || ours().is_none_or(|p| p.nullable && !p.default_null && !drop_nullable)
        });
    }

    /// Null for every property that is absent.
    fn put_nulls<'n>(&mut self, properties: impl ExactSizeIterator<Item = &'n String>, value: &mut Value, at: &At<'_>) {
        let Value::Object(map) = value else { return };
        if !self.has_fuel(at, properties.len() as u64 / 64) {
            return;
        }
        for property in properties {
            if !map.contains_key(property) {
                map.insert(property.clone(), Value::Null);
            }
        }
    }

    fn parse(&mut self, types: Types, value: &mut Value, at: &At<'_>) {
        let Value::String(text) = value else { return };
        let decoded = decode(text).and_then(|once| match &once.value {
            // Text is no value here, so it is JSON once more.
            Value::String(again) if !types.is_empty() && !types.meets(Types::STRING) => {
                decode(again).map(|twice| (Decoded { fenced: once.fenced, ..twice }, true))
            }
            _ => Ok((once, false)),
        });
        match decoded {
            Ok((Decoded { value: inner, fenced, losses }, twice)) => {
                *value = inner;
                if fenced {
                    self.note(at, IssueKind::Fenced, "the JSON stood in a code fence");
                }
                if twice {
                    self.note(at, IssueKind::DoubleEncoded, "the JSON was encoded twice");
                }
                self.lost(at, losses);
            }
            // That a call was cut off is said of its whole arguments alone.
            Err(unread) if unread.kind == IssueKind::CutOff => {
                self.error(at, IssueKind::NotJson, "the text should be JSON, and ends in the middle");
            }
            Err(unread) => self.error(at, unread.kind, format!("the text should be JSON; its contents {}", unread.what)),
        }
    }

    /// A list of entries as an object, or the entries under `rest` as members.
    fn join_entries(&mut self, entries: &Entries, value: &mut Value, at: &At<'_>, mark: usize) {
        let Some(rest) = &entries.rest else {
            match value {
                Value::Array(list) => {
                    let Some(keys) = self.keys(entries, list, None, at) else { return };
                    *value = Value::Object(keys.iter().cloned().zip(values(entries, list)).collect());
                    self.move_issues(mark, at, |path| entry_path(&keys, entries, path));
                }
                Value::Null => {}
                Value::Object(_) => self.note(at, IssueKind::WrongShape, "a list of entries was expected; the value is an object already"),
                _ => self.error(at, IssueKind::WrongShape, "a list of entries was expected"),
            }
            return;
        };
        let Value::Object(map) = value else { return };
        let Some(place) = map.keys().position(|name| name == rest) else { return };
        let here = at.key(rest);
        let mut list = match map.get_mut(rest) {
            Some(Value::Array(list)) => std::mem::take(list),
            Some(Value::Null) => Vec::new(),
            _ => return self.error(&here, IssueKind::WrongShape, "a list of entries was expected"),
        };
        let Some(keys) = self.keys(entries, &list, Some(map), &here) else {
            map.insert(rest.clone(), Value::Array(list));
            return;
        };
        if keys.is_empty() {
            map.shift_remove(rest);
            return;
        }
        let mut joined = Map::with_capacity(map.len().saturating_add(keys.len()));
        for (i, (name, member)) in std::mem::take(map).into_iter().enumerate() {
            if i == place {
                joined.extend(keys.iter().cloned().zip(values(entries, &mut list)));
            } else {
                joined.insert(name, member);
            }
        }
        *map = joined;
        self.move_issues(mark, at, |path| {
            let (name, below) = first_token(path)?;
            if name == *rest { entry_path(&keys, entries, below) } else { None }
        });
    }

    /// The keys of a list of entries, if each has one of its own.
    fn keys(&mut self, entries: &Entries, list: &[Value], beside: Option<&Map<String, Value>>, at: &At<'_>) -> Option<Vec<String>> {
        let mut keys = Vec::with_capacity(list.len());
        let mut seen: hashbrown::HashSet<&str, foldhash::fast::RandomState> = hashbrown::HashSet::default();
        let mut sound = true;
        for (i, entry) in list.iter().enumerate() {
            let key = entry.get(&entries.key).and_then(Value::as_str);
            let Some((key, _)) = key.zip(entry.get(&entries.value)) else {
                let what = format!("an entry needs {} (a text) and {}", entries.key, entries.value);
                self.error(&at.index(i), IssueKind::MissingKey, what);
                sound = false;
                continue;
            };
            if entry.as_object().is_some_and(|e| e.len() > 2) {
                self.error(&at.index(i), IssueKind::UnknownKey, format!("an entry has only {} and {}", entries.key, entries.value));
                sound = false;
            }
            let own =
                || beside.is_some_and(|b| (Some(key) != entries.rest.as_deref() && b.contains_key(key)) || lists(&entries.named, key));
            if !seen.insert(key) || own() {
                self.error(&at.index(i).key(&entries.key), IssueKind::DuplicateKey, format!("the key {key:?} is there already"));
                sound = false;
            }
            keys.push(key.to_owned());
        }
        sound.then_some(keys)
    }

    fn split_entries(&mut self, entries: &Entries, value: &mut Value, at: &At<'_>) {
        let Value::Object(map) = value else {
            if !value.is_null() {
                self.error(at, IssueKind::NotExpressible, "an object was expected");
            }
            return;
        };
        let entry = |(key, value): (String, Value)| {
            Value::Object(Map::from_iter([(entries.key.clone(), Value::String(key)), (entries.value.clone(), value)]))
        };
        let Some(rest) = &entries.rest else {
            *value = Value::Array(std::mem::take(map).into_iter().map(entry).collect());
            return;
        };
        if map.keys().all(|name| lists(&entries.named, name)) {
            return;
        }
        let mut joined = Map::with_capacity(map.len());
        for (name, member) in std::mem::take(map) {
            if lists(&entries.named, &name) {
                joined.insert(name, member);
            } else if let Value::Array(list) = joined.entry(rest.clone()).or_insert_with(|| Value::Array(Vec::new())) {
                list.push(entry((name, member)));
            }
        }
        *map = joined;
    }

    fn fields_to_list(&mut self, fields: &Fields, value: &mut Value, at: &At<'_>, mark: usize) {
        let map = match value {
            Value::Object(map) => map,
            Value::Null => return,
            Value::Array(_) => {
                return self.note(at, IssueKind::WrongShape, "an object of elements was expected; the value is a list already");
            }
            _ => return self.error(at, IssueKind::WrongShape, "an object of elements was expected"),
        };
        let there = fields.names.iter().take_while(|name| map.contains_key(*name)).count();
        let after = fields.rest.as_ref().and_then(|rest| map.get(rest));
        if !after.is_none_or(|v| v.is_array() || v.is_null()) {
            return self.error(at, IssueKind::WrongShape, "the elements after the named ones must be a list");
        }
        let tail = after.and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        if there < fields.least || (there < fields.names.len() && tail) {
            let name = fields.names.get(there).map_or("", String::as_str);
            return self.error(at, IssueKind::MissingKey, format!("the element {name:?} is missing"));
        }
        if map.len() != there.saturating_add(usize::from(after.is_some())) {
            return self.error(at, IssueKind::UnknownKey, "there are members that are no element, or elements are missing before others");
        }
        let mut list: Vec<Value> = fields.names.iter().take(there).filter_map(|name| map.get_mut(name).map(Value::take)).collect();
        if let Some(Value::Array(tail)) = fields.rest.as_ref().and_then(|rest| map.get_mut(rest)) {
            list.append(tail);
        }
        *value = Value::Array(list);
        self.move_issues(mark, at, |path| {
            let (name, below) = first_token(path)?;
            if fields.rest.as_ref() == Some(&name) {
                let (index, below) = first_token(below)?;
                return Some(format!("/{}{below}", index.parse::<usize>().ok()?.checked_add(fields.names.len())?));
            }
            Some(format!("/{}{below}", fields.names.iter().position(|n| *n == name)?))
        });
    }

    fn list_to_fields(&mut self, fields: &Fields, value: &mut Value, at: &At<'_>) {
        let Value::Array(list) = value else {
            if !value.is_null() {
                self.error(at, IssueKind::NotExpressible, "a list was expected");
            }
            return;
        };
        if list.len() > fields.names.len() && fields.rest.is_none() {
            return self.error(at, IssueKind::NotExpressible, format!("there is no form for more than {} elements", fields.names.len()));
        }
        if list.len() < fields.least {
            return self.error(at, IssueKind::NotExpressible, format!("there must be {} elements", fields.least));
        }
        let whole = list.len() >= fields.names.len();
        let mut elements = std::mem::take(list).into_iter();
        let mut map: Map<String, Value> = fields.names.iter().cloned().zip(elements.by_ref()).collect();
        if let Some(rest) = fields.rest.as_ref().filter(|_| whole) {
            map.insert(rest.clone(), Value::Array(elements.collect()));
        }
        *value = Value::Object(map);
    }

    fn unwrap(&mut self, name: &str, value: &mut Value, at: &At<'_>, mark: usize) {
        match value.as_object_mut().map(|map| (map.len(), map.get_mut(name))) {
            Some((1, Some(inner))) => {
                let inner = inner.take();
                *value = inner;
                self.move_issues(mark, at, |path| first_token(path).map(|(_, below)| below.to_owned()));
            }
            Some((_, Some(_))) => self.error(at, IssueKind::UnknownKey, format!("there is more than {name:?} in the arguments")),
            _ => self.error(at, IssueKind::MissingKey, format!("the arguments should stand under {name:?}")),
        }
    }

    fn literal(&mut self, values: &[(String, Value)], plain: &[String], value: &mut Value, at: &At<'_>) {
        if !self.has_fuel(at, values.len() as u64 / 64) {
            return;
        }
        let Value::String(text) = value else {
            let known = value.is_null() || values.iter().any(|(_, literal)| same(literal, value));
            if !known {
                self.error(at, IssueKind::UnknownAlias, "the value is none of the literals");
            }
            return;
        };
        if let Some((_, literal)) = values.iter().find(|(alias, _)| alias == text) {
            if self.has_fuel(at, count(literal, 0) / 64) {
                *value = literal.clone();
            }
        } else if !lists(plain, text) {
            let what = format!("{text:?} stands for none of the literals");
            self.error(at, IssueKind::UnknownAlias, what);
        }
    }

    fn rename_forth(&mut self, renames: &Renames, value: &mut Value, at: &At<'_>) {
        self.rename(|name| renames.written(name), value, at);
    }

    /// Gives members other names; one whose name is taken keeps its own.
    fn rename<'n>(&mut self, to: impl Fn(&str) -> Option<&'n str>, value: &mut Value, at: &At<'_>) -> bool {
        let Value::Object(map) = value else { return false };
        if !map.keys().any(|name| to(name).is_some()) {
            return false;
        }
        let taken = |name: &str| map.contains_key(name) && to(name).is_none();
        if let Some(name) = map.keys().find(|name| to(name).is_some_and(taken)).cloned() {
            self.error(&at.key(&name), IssueKind::DuplicateKey, "the property is there under its other name too");
            return false;
        }
        *map = std::mem::take(map).into_iter().map(|(name, v)| (to(&name).map_or(name, ToOwned::to_owned), v)).collect();
        true
    }

    /// Gives the issues about what is below a value the places that they have now.
    fn move_issues(&mut self, mark: usize, at: &At<'_>, to: impl Fn(&str) -> Option<String>) {
        if self.issues.len() <= mark {
            return;
        }
        let base = at.pointer();
        for issue in self.issues.iter_mut().skip(mark) {
            if let Some(new) = issue.path.strip_prefix(&base).filter(|p| p.starts_with('/')).and_then(&to) {
                issue.path = base.clone() + &new;
            }
        }
    }
}

/// The values of entries that are known to be sound.
fn values<'l>(entries: &'l Entries, list: &'l mut [Value]) -> impl Iterator<Item = Value> + 'l {
    list.iter_mut().filter_map(|entry| entry.get_mut(&entries.value).map(Value::take))
}

fn token(name: &str) -> String {
    let mut out = String::from("/");
    push_token(&mut out, name);
    out
}

/// The first member's name of a pointer, and what is below.
fn first_token(path: &str) -> Option<(String, &str)> {
    let path = path.strip_prefix('/')?;
    let end = path.find('/').unwrap_or(path.len());
    let (token, below) = path.split_at(end);
    Some((token_name(token), below))
}

/// `/3/value/x` as `/key/x`.
fn entry_path(keys: &[String], entries: &Entries, path: &str) -> Option<String> {
    let (index, below) = first_token(path)?;
    let (name, below) = first_token(below)?;
    let key = keys.get(index.parse::<usize>().ok()?).filter(|_| name == entries.value)?;
    Some(token(key) + below)
}

/// The types for which text is never a value.
pub(crate) fn takes_no_text(types: Types) -> bool {
    !types.is_empty() && !types.meets(Types::STRING)
}

/// Whether a value is of one of the types.
pub(crate) fn is_of(types: Types, value: &Value) -> bool {
    types.admits(type_of(value))
}
