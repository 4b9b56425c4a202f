//! Changes an input by chance: as JSON where a part is JSON, else by lines, words and bytes.

use serde_json::{Map, Value};

use crate::rng::Rng;

/// The words of `keywords.dict`.
#[must_use]
pub fn dictionary() -> Vec<&'static str> {
    let word = |line: &'static str| line.strip_prefix('"')?.strip_suffix('"').filter(|w| !w.contains('\\'));
    include_str!("../keywords.dict").lines().filter_map(word).collect()
}

fn one_of<T: Clone>(rng: &mut Rng, list: &[T]) -> T {
    list[rng.below(list.len())].clone()
}

/// The input with one to four changes; `donor` is another input, whose parts may be taken over.
#[must_use]
pub fn mutate(rng: &mut Rng, input: &[u8], donor: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=rng.below(4) {
        bytes = match std::str::from_utf8(&bytes) {
            Ok(text) if rng.below(4) > 0 => in_part(rng, text, &String::from_utf8_lossy(donor)).into_bytes(),
            _ => in_bytes(rng, bytes, donor),
        };
    }
    bytes
}

/// One part changed: as JSON if it is.
fn in_part(rng: &mut Rng, text: &str, donor: &str) -> String {
    let mut parts: Vec<String> = text.split("\n\n").map(str::to_owned).collect();
    let at = rng.below(parts.len());
    let donors: Vec<&str> = donor.split("\n\n").collect();
    parts[at] = match serde_json::from_str::<Value>(&parts[at]) {
        Ok(mut value) => {
            let other = donors.iter().filter_map(|d| serde_json::from_str::<Value>(d).ok()).next_back();
            let donor = other.unwrap_or_else(|| value.clone());
            in_value(rng, &mut value, &donor);
            value.to_string()
        }
        Err(_) => {
            let donor = one_of(rng, &donors);
            in_lines(rng, &parts[at], donor)
        }
    };
    parts.join("\n\n")
}

fn in_lines(rng: &mut Rng, text: &str, donor: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let (at, other) = (rng.below(lines.len()), rng.below(lines.len()));
    let given = donor.split('\n').nth(rng.below(donor.split('\n').count())).unwrap_or_default().to_owned();
    match rng.below(8) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, given),
        2 => lines[at] = given,
        3 => lines.swap(at, other),
        4 => lines.insert(at, lines[other].clone()),
        5 => lines[at].insert_str(0, "  "),
        6 => {
            let words: Vec<&str> = lines[at].split(' ').collect();
            let word = rng.below(words.len());
            let dictionary = dictionary();
            let new: Vec<&str> = words.iter().enumerate().map(|(i, w)| if i == word { one_of(rng, &dictionary) } else { *w }).collect();
            lines[at] = new.join(" ");
        }
        _ => lines[at] = lines[at].trim_start().to_owned(),
    }
    lines.join("\n")
}

fn in_bytes(rng: &mut Rng, mut bytes: Vec<u8>, donor: &[u8]) -> Vec<u8> {
    let at = rng.below(bytes.len() + 1);
    let most = 1 << rng.below(8);
    let end = (at + 1 + rng.below(most)).min(bytes.len());
    match rng.below(6) {
        0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        1 if at < end => drop(bytes.drain(at..end)),
        2 if at < end => {
            let piece = bytes[at..end].repeat(1 + rng.below(20));
            drop(bytes.splice(at..at, piece));
        }
        3 => {
            let from = rng.below(donor.len());
            let to = (from + 1 + rng.below(64)).min(donor.len());
            drop(bytes.splice(at..at, donor[from.min(to)..to].to_vec()));
        }
        4 => drop(bytes.splice(at..at, one_of(rng, &dictionary()).bytes())),
        _ => drop(bytes.splice(at..at, [one_of(rng, b"{}[]\",:\\0-9eE.\x00\x1b\xff \n#/~$u")])),
    }
    bytes
}

fn in_value(rng: &mut Rng, root: &mut Value, donor: &Value) {
    let mut pointers = Vec::new();
    pointers_of(root, &mut String::new(), &mut pointers);
    let pointer = one_of(rng, &pointers);
    let to = format!("#{}", one_of(rng, &pointers));
    let mut given = Vec::new();
    pointers_of(donor, &mut String::new(), &mut given);
    let given = donor.pointer(&one_of(rng, &given)).cloned().unwrap_or_default();
    let words = dictionary();
    let word = one_of(rng, &words).to_owned();
    let Some(node) = root.pointer_mut(&pointer) else { return };
    let old = node.clone();
    match rng.below(9) {
        0 => *node = leaf(rng, &words),
        1 => *node = given,
        2 => *node = Value::Object(Map::from_iter([("$ref".to_owned(), Value::String(to))])),
        3 => *node = wrapped(rng, old, given, word),
        _ => match node {
            Value::Object(map) => {
                let key = map.keys().nth(rng.below(map.len())).cloned().unwrap_or_default();
                match rng.below(4) {
                    0 => drop(map.shift_remove(&key)),
                    1 => drop(map.insert(word, given)),
                    2 => drop(map.insert(word, leaf(rng, &words))),
                    _ => {
                        let value = map.shift_remove(&key).unwrap_or_default();
                        map.insert(word, value);
                    }
                }
            }
            Value::Array(list) => {
                let at = rng.below(list.len());
                match rng.below(3) {
                    0 if at < list.len() => drop(list.remove(at)),
                    1 if at < list.len() => list.push(list[at].clone()),
                    _ => list.push(given),
                }
            }
            other => *other = leaf(rng, &words),
        },
    }
}

fn wrapped(rng: &mut Rng, old: Value, other: Value, word: String) -> Value {
    let one = |key: &str, value: Value| Value::Object(Map::from_iter([(key.to_owned(), value)]));
    match rng.below(7) {
        0 => one("anyOf", Value::Array(vec![old, other])),
        1 => one("oneOf", Value::Array(vec![old, other])),
        2 => one("allOf", Value::Array(vec![old, other])),
        3 => one("items", old),
        4 => one("properties", one(&word, old)),
        5 => Value::Array(vec![old, other]),
        _ => one(&word, old),
    }
}

fn leaf(rng: &mut Rng, words: &[&str]) -> Value {
    let fixed = [
        "null",
        "true",
        "false",
        "0",
        "-1",
        "1",
        "1.5",
        "1e300",
        "9223372036854775807",
        "18446744073709551615",
        "-0.0",
        "\"\"",
        "[]",
        "{}",
    ];
    match rng.below(3) {
        0 => Value::String((one_of(rng, words)).to_owned()),
        1 => Value::String("\u{202e}\u{0}~1/%25é\u{1F600}".chars().take(rng.below(9)).collect()),
        _ => serde_json::from_str(one_of(rng, &fixed)).unwrap_or_default(),
    }
}

fn pointers_of(value: &Value, at: &mut String, out: &mut Vec<String>) {
    out.push(at.clone());
    let len = at.len();
    let mut below = |key: &str, value: &Value| {
        at.push('/');
        at.push_str(&key.replace('~', "~0").replace('/', "~1"));
        pointers_of(value, at, out);
        at.truncate(len);
    };
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(i, v)| below(&i.to_string(), v)),
        Value::Object(map) => map.iter().for_each(|(k, v)| below(k, v)),
        _ => {}
    }
}
