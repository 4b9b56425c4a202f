//! Values that a schema takes, made by following it.
//!
//! A value is made for several schemas at once, which all speak of one place: the schema there, what it refers to, the
//! parts of its `allOf` and one branch of each union. What cannot be followed (`not`, counts that contradict) is left to
//! the judge, who throws the value away.

mod array;
mod number;
mod object;
mod scope;
mod spoil;
mod text;

use std::collections::HashMap;

use serde_json::Value;

use crate::Rng;
use scope::Scope;
pub use spoil::spoil;

/// Values nest no deeper than that, and one has so many parts.
const DEEPEST: usize = 14;
const MOST_PARTS: usize = 1_500;

/// What kind of value is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// What is required.
    Least,
    /// Everything declared.
    Full,
    /// As chance has it.
    Mixed,
    /// Null wherever it may stand.
    Nulls,
    /// With keys that nobody declared.
    Extra,
}

impl Style {
    /// All of them, in the order in which they take turns.
    pub const ALL: [Style; 5] = [Style::Full, Style::Mixed, Style::Least, Style::Nulls, Style::Extra];
}

/// A value, and what is special about it.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The value.
    pub value: Value,
    /// It has keys that nobody declared, in an object that takes them only because it says nothing of them.
    pub undeclared: bool,
}

/// Makes values for one schema.
pub struct Generator<'s> {
    scope: Scope<'s>,
    rng: Rng,
    style: Style,
    left: usize,
    undeclared: bool,
    patterns: HashMap<String, text::Pattern>,
}

impl<'s> Generator<'s> {
    /// For a schema and all that it refers to within itself.
    #[must_use]
    pub fn new(root: &'s Value, seed: u64) -> Generator<'s> {
        Generator { scope: Scope::of(root), rng: Rng::new(seed), style: Style::Mixed, left: 0, undeclared: false, patterns: HashMap::new() }
    }

    /// A value that follows the schema; a judge has to say whether it fits.
    pub fn instance(&mut self, style: Style) -> Instance {
        (self.style, self.left, self.undeclared) = (style, MOST_PARTS, false);
        let value = self.value(&[self.scope.root], 0);
        Instance { value, undeclared: self.undeclared }
    }

    /// A value for schemas that all speak of it.
    fn value(&mut self, schemas: &[&'s Value], depth: usize) -> Value {
        self.left = self.left.saturating_sub(1);
        let short = depth > DEEPEST / 2 || self.left == 0;
        let parts = self.parts(schemas, short);
        if let Some(value) = self.literal(&parts) {
            return value;
        }
        let types = types(&parts);
        if self.style == Style::Nulls && types.contains(&"null") && depth > 0 && self.rng.chance(70) {
            return Value::Null;
        }
        if depth != usize::MAX && (depth > DEEPEST || self.left == 0) {
            let simple = ["null", "string", "boolean", "integer", "number", "array", "object"];
            let word = simple.into_iter().find(|t| types.contains(t)).unwrap_or("object");
            return self.of_type(word, &parts, usize::MAX);
        }
        if depth == usize::MAX {
            return Value::Null;
        }
        let word = self.rng.pick(&types).copied().unwrap_or("object");
        self.of_type(word, &parts, depth)
    }

    fn of_type(&mut self, word: &str, parts: &[&'s Value], depth: usize) -> Value {
        match word {
            "object" => self.object(parts, depth),
            "array" => self.array(parts, depth),
            "string" => self.text(parts).into(),
            "boolean" => self.rng.chance(50).into(),
            "integer" => self.number(parts, true),
            "number" => self.number(parts, false),
            _ => Value::Null,
        }
    }

    /// The schemas and what they refer to, with one branch of every union.
    fn parts(&mut self, schemas: &[&'s Value], short: bool) -> Vec<&'s Value> {
        let mut out: Vec<&'s Value> = Vec::new();
        let mut stack: Vec<&'s Value> = schemas.to_vec();
        while let Some(schema) = stack.pop() {
            if out.len() > 64 || out.iter().any(|known| std::ptr::eq(*known, schema)) {
                continue;
            }
            out.push(schema);
            stack.extend(self.scope.target(schema));
            stack.extend(schema["allOf"].as_array().into_iter().flatten());
            for key in ["anyOf", "oneOf"] {
                if let Some(list) = schema[key].as_array() {
                    let flat: Vec<&'s Value> = list.iter().filter(|b| b.get("$ref").is_none() && b.get("properties").is_none()).collect();
                    let chosen = if short && !flat.is_empty() { self.rng.pick(&flat).copied() } else { self.rng.pick(list) };
                    stack.extend(chosen);
                }
            }
            if let Some(condition) = schema.get("if") {
                if self.rng.chance(50) {
                    stack.push(condition);
                    stack.extend(schema.get("then"));
                } else {
                    stack.extend(schema.get("else"));
                }
            }
        }
        out
    }

    /// One of the literals that all parts list.
    fn literal(&mut self, parts: &[&'s Value]) -> Option<Value> {
        let listed = |part: &&'s Value| match part.get("const") {
            Some(value) => Some(vec![value]),
            None => part["enum"].as_array().map(|list| list.iter().collect()),
        };
        let mut lists = parts.iter().filter_map(listed);
        let mut common: Vec<&Value> = lists.next()?;
        for list in lists {
            common.retain(|v| list.contains(v));
        }
        if self.style == Style::Nulls && common.iter().any(|v| v.is_null()) {
            return Some(Value::Null);
        }
        let flagged = parts.iter().any(|p| p["nullable"] == true);
        if flagged && self.rng.chance(if self.style == Style::Nulls { 70 } else { 10 }) {
            return Some(Value::Null);
        }
        self.rng.pick(&common).map(|v| (*v).clone())
    }
}

/// What a name for a type means, the names of other languages included.
fn meant(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "dict" | "map" => "object".to_owned(),
        "list" | "tuple" => "array".to_owned(),
        "str" => "string".to_owned(),
        "float" | "double" => "number".to_owned(),
        "int" | "long" => "integer".to_owned(),
        "bool" => "boolean".to_owned(),
        _ => name,
    }
}

const WORDS: [&str; 7] = ["object", "array", "string", "integer", "number", "boolean", "null"];

/// The types that all parts take; where none names any, what their keywords are about.
fn types(parts: &[&Value]) -> Vec<&'static str> {
    let mut out: Vec<&'static str> = WORDS.to_vec();
    let mut named = false;
    for part in parts {
        let own: Vec<&str> = match &part["type"] {
            Value::String(one) => vec![one],
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            _ => continue,
        };
        named = true;
        let nullable = part["nullable"] == true;
        let takes = |word: &&'static str| {
            own.iter().map(|o| meant(o)).any(|o| o == *word || (*word == "integer" && o == "number")) || (nullable && *word == "null")
        };
        out.retain(takes);
    }
    if out.len() > 1 && out.contains(&"number") {
        // Whole numbers come up often enough among the others.
        out.retain(|w| *w != "integer" || !named);
    }
    if named {
        return out;
    }
    let about = |words: &[&str]| parts.iter().any(|p| words.iter().any(|w| p.get(*w).is_some()));
    let implied: Vec<&'static str> = [
        ("object", &["properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"][..]),
        ("array", &["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"]),
        ("string", &["pattern", "format", "minLength", "maxLength"]),
        ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ]
    .into_iter()
    .filter(|(_, words)| about(words))
    .map(|(word, _)| word)
    .collect();
    if implied.is_empty() { WORDS.to_vec() } else { implied }
}
