//! Values that nearly fit.

use serde_json::{Value, json};

use crate::Rng;

/// Changes one place of a value.
pub fn spoil(value: &mut Value, rng: &mut Rng) {
    let places = count(value);
    let mut at = rng.below(places);
    if let Some(place) = nth(value, &mut at, 0) {
        change(place, rng);
    }
}

fn count(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(count).sum::<usize>(),
        Value::Object(map) => 1 + map.values().map(count).sum::<usize>(),
        _ => 1,
    }
}

fn nth<'v>(value: &'v mut Value, at: &mut usize, depth: usize) -> Option<&'v mut Value> {
    if *at == 0 || depth > 100 {
        return Some(value);
    }
    *at -= 1;
    match value {
        Value::Array(list) => list.iter_mut().find_map(|v| nth_or_skip(v, at, depth)),
        Value::Object(map) => map.values_mut().find_map(|v| nth_or_skip(v, at, depth)),
        _ => None,
    }
}

fn nth_or_skip<'v>(value: &'v mut Value, at: &mut usize, depth: usize) -> Option<&'v mut Value> {
    let size = count(value);
    if *at < size {
        return nth(value, at, depth + 1);
    }
    *at -= size;
    None
}

fn change(place: &mut Value, rng: &mut Rng) {
    match place {
        Value::Object(map) if rng.chance(60) && !map.is_empty() => {
            let name = map.keys().nth(rng.below(map.len())).cloned().unwrap_or_default();
            map.shift_remove(&name);
        }
        Value::Object(map) if rng.chance(50) => {
            map.insert("surplus".to_owned(), json!(1));
        }
        Value::Array(list) if rng.chance(40) => {
            list.push(json!("surplus"));
        }
        Value::Array(list) if rng.chance(40) => {
            list.pop();
        }
        Value::Number(n) if rng.chance(60) => {
            let n = n.as_f64().unwrap_or(0.0);
            *place = json!(n + [0.5, -1e6, 1e6, 1.0][rng.below(4)]);
        }
        Value::String(text) if rng.chance(60) => {
            let changed = match rng.below(3) {
                0 => String::new(),
                1 => format!("{text}!"),
                _ => text.chars().rev().collect(),
            };
            *text = changed;
        }
        _ => *place = [json!(null), json!(3), json!("3"), json!([]), json!({}), json!(false), json!(1.5)][rng.below(7)].clone(),
    }
}
