//! Objects.

use regex::Regex;
use serde_json::{Map, Value};

use super::{Generator, Style};

/// So many properties of one object are filled in.
const MOST_PROPERTIES: usize = 80;
const EXTRA_NAMES: [&str; 6] = ["extra", "x_1", "ключ", "a b", "zz-9", "Other"];

impl<'s> Generator<'s> {
    pub(super) fn object(&mut self, parts: &[&'s Value], depth: usize) -> Value {
        let mut wanted = self.names(parts, depth);
        self.dependents(parts, &mut wanted);
        let mut out = Map::new();
        for name in wanted {
            if let Some(schemas) = self.speaking_of(parts, &name) {
                let value = self.value(&schemas, depth.saturating_add(1));
                out.insert(name, value);
            }
        }
        self.extra(parts, depth, &mut out);
        Value::Object(out)
    }

    /// The declared properties that are to be there, in an order.
    fn names(&mut self, parts: &[&'s Value], depth: usize) -> Vec<String> {
        let mut declared: Vec<&'s String> = Vec::new();
        for name in parts.iter().flat_map(|p| p["properties"].as_object().into_iter().flat_map(Map::keys)) {
            if declared.len() < MOST_PROPERTIES && !declared.contains(&name) {
                declared.push(name);
            }
        }
        let required: Vec<&str> =
            parts.iter().flat_map(|p| p["required"].as_array().into_iter().flatten()).filter_map(Value::as_str).collect();
        let few = self.rng.chance(50);
        let mut out: Vec<String> = Vec::new();
        for name in &declared {
            let wanted = match self.style {
                _ if required.contains(&name.as_str()) => true,
                Style::Least => false,
                _ if depth > 6 || self.left < 200 => self.rng.chance(5),
                Style::Full | Style::Nulls => self.rng.chance(95),
                Style::Mixed | Style::Extra => self.rng.chance(if few { 30 } else { 75 }),
            };
            if wanted {
                out.push((*name).clone());
            }
        }
        for name in required {
            if !out.iter().any(|n| n == name) {
                out.push(name.to_owned());
            }
        }
        let least = parts.iter().filter_map(|p| p["minProperties"].as_u64()).max().unwrap_or(0) as usize;
        for name in declared {
            if out.len() < least && !out.contains(name) {
                out.push(name.clone());
            }
        }
        if self.style == Style::Mixed && self.rng.chance(30) {
            self.rng.shuffle(&mut out);
        }
        let most = parts.iter().filter_map(|p| p["maxProperties"].as_u64()).min().map_or(usize::MAX, |n| n as usize);
        out.truncate(most);
        out
    }

    /// What has to be there since others are.
    fn dependents(&mut self, parts: &[&'s Value], wanted: &mut Vec<String>) {
        for _ in 0..3 {
            let maps = parts.iter().flat_map(|p| ["dependentRequired", "dependencies"].into_iter().filter_map(|k| p[k].as_object()));
            let mut more: Vec<&str> = Vec::new();
            for (name, list) in maps.flatten() {
                if wanted.contains(name) {
                    more.extend(list.as_array().into_iter().flatten().filter_map(Value::as_str));
                }
            }
            more.retain(|name| !wanted.iter().any(|w| w == name));
            if more.is_empty() {
                return;
            }
            wanted.extend(more.into_iter().map(str::to_owned));
        }
    }

    /// The schemas for a property; `None` where a part refuses it.
    fn speaking_of(&mut self, parts: &[&'s Value], name: &str) -> Option<Vec<&'s Value>> {
        let mut out = Vec::new();
        for part in parts {
            let mut known = false;
            if let Some(schema) = part["properties"].get(name) {
                (known, _) = (true, out.push(schema));
            }
            for (pattern, schema) in part["patternProperties"].as_object().into_iter().flatten() {
                if Regex::new(pattern).is_ok_and(|r| r.is_match(name)) {
                    (known, _) = (true, out.push(schema));
                }
            }
            match part.get("additionalProperties") {
                Some(Value::Bool(false)) if !known => return None,
                Some(rest @ Value::Object(_)) if !known => out.push(rest),
                _ => {}
            }
        }
        Some(out)
    }

    /// Keys that no part declares.
    fn extra(&mut self, parts: &[&'s Value], depth: usize, out: &mut Map<String, Value>) {
        let least = parts.iter().filter_map(|p| p["minProperties"].as_u64()).max().unwrap_or(0) as usize;
        let most = parts.iter().filter_map(|p| p["maxProperties"].as_u64()).min().map_or(usize::MAX, |n| n as usize);
        let rest: Vec<&Value> = parts.iter().filter_map(|p| p.get("additionalProperties")).collect();
        let patterns: Vec<&String> =
            parts.iter().flat_map(|p| p["patternProperties"].as_object().into_iter().flat_map(Map::keys)).collect();
        let silent = rest.is_empty();
        let map = rest.iter().any(|r| r.is_object() || **r == true) || !patterns.is_empty();
        let count = match self.style {
            _ if depth > 10 || self.left == 0 => 0,
            Style::Extra if silent || map => 1 + self.rng.below(2),
            _ if !map || self.style == Style::Least => 0,
            Style::Full => 2,
            _ => self.rng.below(4),
        };
        let wanted = count.max(least.saturating_sub(out.len())).min(most.saturating_sub(out.len()));
        for _ in 0..wanted {
            let name = self.extra_name(parts, &patterns);
            if out.contains_key(&name) || parts.iter().any(|p| p["properties"].get(&name).is_some()) {
                continue;
            }
            let Some(schemas) = self.speaking_of(parts, &name) else { continue };
            self.undeclared |= schemas.is_empty() && silent;
            let value = if schemas.is_empty() { self.anything() } else { self.value(&schemas, depth + 1) };
            out.insert(name, value);
        }
    }

    fn extra_name(&mut self, parts: &[&'s Value], patterns: &[&String]) -> String {
        let named: Vec<&'s Value> = parts.iter().filter_map(|p| p.get("propertyNames")).collect();
        if !named.is_empty() {
            let parts = self.parts(&named, false);
            return match self.literal(&parts) {
                Some(Value::String(name)) => name,
                _ => self.text(&parts),
            };
        }
        if let Some(pattern) = self.rng.pick(patterns).copied()
            && self.rng.chance(80)
            && let Some(name) = self.matching(pattern)
        {
            return name;
        }
        let name = self.rng.pick(&EXTRA_NAMES).copied().unwrap_or_default();
        if self.rng.chance(20) { format!("{name}{}", self.rng.below(100)) } else { name.to_owned() }
    }

    fn anything(&mut self) -> Value {
        match self.rng.below(7) {
            0 => Value::Null,
            1 => true.into(),
            2 => 7.into(),
            3 => 2.5.into(),
            4 => serde_json::json!(["a", 1]),
            5 => serde_json::json!({"a": {"b": null}}),
            _ => "text".into(),
        }
    }
}
