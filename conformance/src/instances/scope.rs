//! What references mean within one document.

use std::collections::HashMap;

use serde_json::Value;

/// The keywords that hold schemas by name.
const MAPS: [&str; 6] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
/// The keywords that hold values.
const VALUES: [&str; 7] = ["default", "const", "enum", "examples", "example", "required", "dependentRequired"];

/// A schema with its anchors and identifiers.
pub(super) struct Scope<'s> {
    pub(super) root: &'s Value,
    names: HashMap<String, &'s Value>,
    ids: HashMap<String, &'s Value>,
}

impl<'s> Scope<'s> {
    pub(super) fn of(root: &'s Value) -> Scope<'s> {
        let mut scope = Scope { root, names: HashMap::new(), ids: HashMap::new() };
        scope.read(root, 0);
        scope
    }

    fn read(&mut self, schema: &'s Value, depth: usize) {
        if depth > 200 {
            return;
        }
        match schema {
            Value::Object(members) => {
                for key in ["$anchor", "$dynamicAnchor"] {
                    if let Some(name) = members.get(key).and_then(Value::as_str) {
                        self.names.entry(name.to_owned()).or_insert(schema);
                    }
                }
                for key in ["$id", "id"] {
                    if let Some(name) = members.get(key).and_then(Value::as_str) {
                        self.ids.entry(name.trim_end_matches('#').to_owned()).or_insert(schema);
                    }
                }
                for (name, member) in members {
                    match member {
                        Value::Object(map) if MAPS.contains(&name.as_str()) => map.values().for_each(|s| self.read(s, depth + 1)),
                        _ if VALUES.contains(&name.as_str()) => {}
                        _ => self.read(member, depth + 1),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|i| self.read(i, depth + 1)),
            _ => {}
        }
    }

    /// What a schema refers to.
    pub(super) fn target(&self, schema: &'s Value) -> Option<&'s Value> {
        if schema.get("$recursiveRef").is_some() {
            return Some(self.root);
        }
        let uri = ["$ref", "$dynamicRef"].into_iter().find_map(|k| schema.get(k).and_then(Value::as_str))?;
        let (base, fragment) = uri.split_once('#').unwrap_or((uri, ""));
        let start = if base.is_empty() { self.root } else { self.document(base)? };
        let fragment = percent(fragment);
        if fragment.is_empty() {
            return Some(start);
        }
        if fragment.starts_with('/') { start.pointer(&fragment) } else { self.names.get(&fragment).copied() }
    }

    fn document(&self, base: &str) -> Option<&'s Value> {
        let ends = |id: &&String| *id == base || id.ends_with(&format!("/{base}"));
        self.ids.iter().find(|(id, _)| ends(id)).map(|(_, schema)| *schema)
    }
}

fn percent(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3).and_then(|h| u8::from_str_radix(h, 16).ok())).flatten();
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}
