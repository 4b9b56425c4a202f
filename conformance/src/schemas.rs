//! Schemas made by chance, over every keyword.

use serde_json::{Map, Value, json};

use crate::Rng;

/// Schemas nest no deeper.
const DEEPEST: usize = 4;
const NAMES: [&str; 6] = ["a", "b", "c d", "größe", "e/f", "type"];

/// Makes one schema of a tool: its root is an object.
#[must_use]
pub fn schema(rng: &mut Rng) -> Value {
    let mut made = Maker { rng };
    let mut root = made.object(0);
    if let Some(members) = root.as_object_mut() {
        let mut definitions = Map::new();
        for name in ["A", "B"] {
            definitions.insert(name.to_owned(), made.schema(2));
        }
        let key = if made.rng.chance(70) { "$defs" } else { "definitions" };
        members.insert(key.to_owned(), definitions.into());
        let text = Value::Object(members.clone()).to_string();
        if key == "definitions" && text.contains("#/$defs/") {
            return serde_json::from_str(&text.replace("#/$defs/", "#/definitions/")).unwrap_or(root);
        }
    }
    root
}

struct Maker<'r> {
    rng: &'r mut Rng,
}

impl Maker<'_> {
    fn schema(&mut self, depth: usize) -> Value {
        let simple = depth >= DEEPEST;
        let mut out = match self.rng.below(if simple { 7 } else { 16 }) {
            0 => self.string(),
            1 | 2 => self.number(),
            3 => json!({"type": "boolean"}),
            4 => json!({"enum": self.literals()}),
            5 => json!({"const": self.literal()}),
            6 => json!({}),
            7 => Value::Bool(self.rng.chance(85)),
            8 | 9 => self.object(depth),
            10 | 11 => self.array(depth),
            12 => json!({"$ref": if self.rng.chance(50) { "#/$defs/A" } else { "#/$defs/B" }}),
            13 => self.union(depth),
            14 => self.conditional(depth),
            _ => self.intersection(depth),
        };
        if let Some(members) = out.as_object_mut() {
            self.dress(members, depth);
        }
        out
    }

    /// What any schema may have besides.
    fn dress(&mut self, members: &mut Map<String, Value>, depth: usize) {
        if self.rng.chance(20)
            && let Some(Value::String(word)) = members.get("type").cloned()
        {
            let list = if self.rng.chance(70) { json!([word, "null"]) } else { json!([word, "string", "array"]) };
            members.insert("type".to_owned(), list);
        }
        if self.rng.chance(4) && members.contains_key("type") {
            members.insert("nullable".to_owned(), true.into());
        }
        for (key, value) in
            [("description", json!("What it is.")), ("title", json!("T")), ("default", json!(null)), ("examples", json!([1]))]
        {
            if self.rng.chance(8) {
                members.insert(key.to_owned(), value);
            }
        }
        if self.rng.chance(5) && depth < DEEPEST {
            members.insert("not".to_owned(), self.schema(depth + 2));
        }
        if self.rng.chance(4) && depth < DEEPEST {
            members.insert("anyOf".to_owned(), json!([self.schema(depth + 2), self.schema(depth + 2)]));
        }
    }

    fn string(&mut self) -> Value {
        let mut out = json!({"type": "string"});
        match self.rng.below(8) {
            0 => out["minLength"] = json!(self.rng.below(4)),
            1 => out["maxLength"] = json!(2 + self.rng.below(6)),
            2 => out["pattern"] = json!(self.rng.pick(&["^[a-c]+$", "x", "^\\d{2,3}$", "^(?=a)a", "^$"])),
            3 => out["format"] = json!(self.rng.pick(&["date-time", "uri", "uuid", "email", "date", "made-up"])),
            4 => out["enum"] = json!(["x", "", "y\"z", "long\nline"]),
            _ => {}
        }
        out
    }

    fn number(&mut self) -> Value {
        let mut out = json!({"type": if self.rng.chance(60) { "integer" } else { "number" }});
        for key in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] {
            if self.rng.chance(20) {
                let n = self.rng.below(20) as i64;
                out[key] = match key {
                    "multipleOf" => json!(1 + n % 4),
                    "maximum" | "exclusiveMaximum" => json!(10 + n),
                    _ => json!(n - 10),
                };
            }
        }
        out
    }

    fn literal(&mut self) -> Value {
        let list = [json!("x"), json!(""), json!(1), json!(2.5), json!(true), json!(null), json!({"k": [1]}), json!([]), json!("a\"b")];
        self.rng.pick(&list).cloned().unwrap_or_default()
    }

    fn literals(&mut self) -> Vec<Value> {
        let mut out: Vec<Value> = Vec::new();
        for _ in 0..1 + self.rng.below(4) {
            let literal = self.literal();
            if !out.contains(&literal) {
                out.push(literal);
            }
        }
        out
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut out = json!({"type": "object"});
        let mut properties = Map::new();
        for _ in 0..self.rng.below(4) {
            let name = self.rng.pick(&NAMES).copied().unwrap_or_default();
            properties.insert(name.to_owned(), self.schema(depth + 1));
        }
        let names: Vec<String> = properties.keys().cloned().collect();
        let required: Vec<&String> = names.iter().filter(|_| self.rng.chance(40)).collect();
        if !required.is_empty() {
            out["required"] = json!(required);
        }
        if !properties.is_empty() || self.rng.chance(30) {
            out["properties"] = properties.into();
        }
        match self.rng.below(12) {
            0..=2 => out["additionalProperties"] = json!(false),
            3 => out["additionalProperties"] = json!(true),
            4 | 5 => out["additionalProperties"] = self.schema(depth + 1),
            6 => out["patternProperties"] = json!({"^p_": self.schema(depth + 1)}),
            7 => out["propertyNames"] = json!({"pattern": "^[a-zA-Z_0-9]*$"}),
            8 => out["minProperties"] = json!(self.rng.below(3)),
            9 => out["maxProperties"] = json!(2 + self.rng.below(4)),
            10 if names.len() > 1 => match self.rng.below(3) {
                0 => out["dependentRequired"] = json!({names[0].clone(): [names[1].clone()]}),
                1 => out["dependentSchemas"] = json!({names[0].clone(): self.schema(depth + 2)}),
                _ => out["unevaluatedProperties"] = json!(false),
            },
            _ => {}
        }
        out
    }

    fn array(&mut self, depth: usize) -> Value {
        let mut out = json!({"type": "array"});
        match self.rng.below(8) {
            0 => {}
            1 => out["prefixItems"] = json!([self.schema(depth + 1), self.schema(depth + 1)]),
            2 => {
                out["prefixItems"] = json!([self.schema(depth + 1)]);
                out["items"] = if self.rng.chance(50) { json!(false) } else { self.schema(depth + 1) };
            }
            3 => {
                out["items"] = self.schema(depth + 1);
                out["contains"] = self.schema(depth + 2);
            }
            4 => {
                out["items"] = self.schema(depth + 1);
                out["uniqueItems"] = json!(true);
            }
            _ => out["items"] = self.schema(depth + 1),
        }
        if self.rng.chance(15) {
            out["minItems"] = json!(self.rng.below(3));
        }
        if self.rng.chance(15) {
            out["maxItems"] = json!(1 + self.rng.below(3));
        }
        out
    }

    fn union(&mut self, depth: usize) -> Value {
        let key = if self.rng.chance(70) { "anyOf" } else { "oneOf" };
        let mut branches: Vec<Value> = (0..1 + self.rng.below(3)).map(|_| self.schema(depth + 1)).collect();
        if self.rng.chance(30) {
            branches.push(json!({"type": "null"}));
        }
        json!({key: branches})
    }

    fn intersection(&mut self, depth: usize) -> Value {
        let one = self.object(depth + 1);
        let other = if self.rng.chance(60) { self.object(depth + 1) } else { self.schema(depth + 1) };
        json!({"allOf": [one, other]})
    }

    fn conditional(&mut self, depth: usize) -> Value {
        let mut out = self.object(depth + 1);
        out["if"] = json!({"properties": {"a": self.schema(depth + 2)}, "required": ["a"]});
        out["then"] = json!({"required": ["b"]});
        if self.rng.chance(50) {
            out["else"] = self.schema(depth + 2);
        }
        out
    }
}
