//! Arrays.

use serde_json::Value;

use super::{Generator, Style};

impl<'s> Generator<'s> {
    pub(super) fn array(&mut self, parts: &[&'s Value], depth: usize) -> Value {
        let least = parts.iter().filter_map(|p| p["minItems"].as_u64()).max().unwrap_or(0) as usize;
        let most = parts.iter().filter_map(|p| p["maxItems"].as_u64()).min().map_or(usize::MAX, |n| n as usize);
        let usual = match self.style {
            _ if depth > 8 || self.left == 0 => 0,
            Style::Least => 0,
            Style::Full | Style::Nulls => self.listed(parts).max(2),
            Style::Mixed | Style::Extra if self.rng.chance(4) => 12,
            Style::Mixed | Style::Extra => self.rng.below(4),
        };
        let count = usual.max(least).min(most).min(400);
        let mut out: Vec<Value> = Vec::new();
        for at in 0..count {
            let schemas: Vec<&'s Value> = parts.iter().filter_map(|p| item(p, at)).collect();
            if schemas.iter().any(|s| **s == false) {
                break;
            }
            let mut value = self.value(&schemas, depth.saturating_add(1));
            for _ in 0..6 {
                if !out.contains(&value) || !parts.iter().any(|p| p["uniqueItems"] == true) {
                    break;
                }
                value = self.value(&schemas, depth.saturating_add(1));
            }
            out.push(value);
        }
        for part in parts {
            if let Some(contained) = part.get("contains") {
                let times = part["minContains"].as_u64().unwrap_or(1).min(20) as usize;
                for at in 0..times {
                    let mut schemas = vec![contained];
                    schemas.extend(parts.iter().filter_map(|p| item(p, at)));
                    let value = self.value(&schemas, depth.saturating_add(1));
                    match out.get_mut(at) {
                        Some(place) => *place = value,
                        None => out.push(value),
                    }
                }
            }
        }
        Value::Array(out)
    }

    /// How many elements are named one by one.
    fn listed(&self, parts: &[&'s Value]) -> usize {
        let lists = parts.iter().flat_map(|p| ["prefixItems", "items"].into_iter().filter_map(|k| p[k].as_array()));
        lists.map(Vec::len).max().unwrap_or(0)
    }
}

/// What a part says of the element at a place.
fn item(part: &Value, at: usize) -> Option<&Value> {
    let (list, rest) = match part.get("items") {
        Some(list @ Value::Array(_)) => (Some(list), part.get("additionalItems")),
        items => (part.get("prefixItems"), items),
    };
    list.and_then(|l| l.get(at)).or(rest)
}
