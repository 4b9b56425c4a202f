//! Values that probe where two schemas differ.

use serde_json::{Map, Value, json};

/// How many values are tried for each of the two schemas.
const TRIES: usize = 400;
/// Values nest no deeper.
const DEEPEST: usize = 5;

/// A schema with `nullable` in the standard's words.
pub(crate) fn standard(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let mut out: Map<String, Value> = members.iter().map(|(name, member)| (name.clone(), below(name, member))).collect();
            let nullable = out.remove("nullable") == Some(Value::Bool(true));
            if nullable {
                let definitions: Vec<_> = ["$defs", "definitions"].iter().filter_map(|k| Some((*k, out.remove(*k)?))).collect();
                let mut union = json!({"anyOf": [out, {"type": "null"}]});
                for (name, map) in definitions {
                    union[name] = map;
                }
                return union;
            }
            Value::Object(out)
        }
        Value::Array(items) => items.iter().map(standard).collect(),
        other => other.clone(),
    }
}

fn below(name: &str, member: &Value) -> Value {
    match (name, member) {
        ("default" | "const" | "enum" | "examples" | "example", _) => member.clone(),
        ("properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas", Value::Object(map)) => {
            map.iter().map(|(name, schema)| (name.clone(), standard(schema))).collect()
        }
        _ => standard(member),
    }
}

/// Values made by following either schema, with faults.
pub(crate) fn values(before: &Value, after: &Value) -> Vec<Value> {
    let mut scalars =
        vec![json!(null), json!(true), json!(0), json!(1), json!(1.5), json!(""), json!("a"), json!("zz"), json!([]), json!({})];
    let mut names = vec!["zz".to_owned()];
    for schema in [before, after] {
        collect(schema, &mut scalars, &mut names);
    }
    let mut maker = Maker { root: before, scalars, names, state: 0x9e37_79b9_7f4a_7c15 };
    let mut out = maker.scalars.clone();
    for root in [before, after] {
        maker.root = root;
        out.extend((0..TRIES).map(|_| maker.value(&[root], 0)));
    }
    out
}

/// The literals and numbers around the bounds, and the names of properties.
fn collect(schema: &Value, scalars: &mut Vec<Value>, names: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                if !names.contains(name) && names.len() < 40 {
                    names.push(name.clone());
                }
                collect(member, scalars, names);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, scalars, names)),
        Value::Number(n) => {
            let n = n.as_f64().unwrap_or(0.0);
            for value in [n, n + 1.0, n - 1.0, n + 0.5, n - 0.5] {
                let whole = value.fract() == 0.0 && value.abs() < 1e15;
                scalars.push(if whole { json!(value as i64) } else { json!(value) });
            }
            if (0.0..20.0).contains(&n) {
                for length in [n as usize, n as usize + 1, (n as usize).saturating_sub(1)] {
                    scalars.push(json!("x".repeat(length)));
                }
            }
        }
        other => scalars.push(other.clone()),
    }
}

struct Maker<'s> {
    root: &'s Value,
    scalars: Vec<Value>,
    names: Vec<String>,
    state: u64,
}

impl<'s> Maker<'s> {
    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 20) as usize % n.max(1)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        let at = self.below(list.len());
        list[at].clone()
    }

    /// A value for schemas that speak of the same place.
    fn value(&mut self, schemas: &[&'s Value], depth: usize) -> Value {
        let facets = self.facets(schemas);
        if self.chance(8) || depth > DEEPEST {
            return self.pick(&self.scalars.clone());
        }
        let literals: Vec<&Value> = facets.iter().flat_map(|f| f["enum"].as_array().into_iter().flatten().chain(f.get("const"))).collect();
        if !literals.is_empty() && self.chance(90) {
            return self.pick(&literals).clone();
        }
        let mut types: Vec<&str> = Vec::new();
        for facet in &facets {
            match &facet["type"] {
                Value::String(one) => types.push(one),
                Value::Array(list) => types.extend(list.iter().filter_map(Value::as_str)),
                _ => {}
            }
            for (key, implied) in [("properties", "object"), ("required", "object"), ("items", "array"), ("prefixItems", "array")] {
                if facet.get(key).is_some() {
                    types.push(implied);
                }
            }
        }
        match if types.is_empty() { "" } else { self.pick(&types) } {
            "object" => self.object(&facets, depth),
            "array" => self.array(&facets, depth),
            "string" => self.scalar(Value::is_string),
            "boolean" => json!(self.chance(50)),
            "null" => Value::Null,
            "number" | "integer" => self.scalar(Value::is_number),
            _ if self.chance(20) => self.object(&facets, depth),
            _ => self.pick(&self.scalars.clone()),
        }
    }

    fn scalar(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let list: Vec<Value> = self.scalars.iter().filter(|v| fits(v)).cloned().collect();
        self.pick(&list)
    }

    fn object(&mut self, facets: &[&'s Value], depth: usize) -> Value {
        let mut places: Vec<(&str, Vec<&'s Value>)> = Vec::new();
        for (name, schema) in facets.iter().flat_map(|f| f["properties"].as_object().into_iter().flatten()) {
            match places.iter_mut().find(|(n, _)| n == name) {
                Some((_, list)) => list.push(schema),
                None => places.push((name, vec![schema])),
            }
        }
        let few = self.chance(50);
        let mut out = Map::new();
        for (name, schemas) in places {
            if self.chance(if few { 45 } else { 85 }) {
                out.insert(name.to_owned(), self.value(&schemas, depth + 1));
            }
        }
        for _ in 0..self.below(3) {
            let rest: Vec<&'s Value> = facets.iter().filter_map(|f| f.get("additionalProperties").filter(|a| a.is_object())).collect();
            let name = self.pick(&self.names.clone());
            if !out.contains_key(&name) && self.chance(50) {
                out.insert(name, self.value(&rest, depth + 1));
            }
        }
        Value::Object(out)
    }

    fn array(&mut self, facets: &[&'s Value], depth: usize) -> Value {
        let count = self.below(5);
        let items = (0..count).map(|i| {
            let places: Vec<&'s Value> = facets.iter().filter_map(|f| f["prefixItems"].get(i).or_else(|| f.get("items"))).collect();
            self.value(&places, depth + 1)
        });
        Value::Array(items.collect())
    }

    /// The schemas and what they refer to, their branches included, as chance has it.
    fn facets(&mut self, schemas: &[&'s Value]) -> Vec<&'s Value> {
        let mut out = Vec::new();
        let mut stack = schemas.to_vec();
        while let Some(schema) = stack.pop() {
            if out.len() > 20 {
                break;
            }
            out.push(schema);
            if let Some(pointer) = schema["$ref"].as_str().and_then(|r| r.strip_prefix('#')) {
                stack.extend(self.root.pointer(pointer));
            }
            for key in ["allOf", "if", "then", "else", "not"] {
                match &schema[key] {
                    Value::Array(list) => stack.extend(list),
                    Value::Object(_) if self.chance(50) => stack.push(&schema[key]),
                    _ => {}
                }
            }
            for key in ["anyOf", "oneOf"] {
                if let Some(list) = schema[key].as_array().filter(|l| !l.is_empty()) {
                    let all = self.chance(25);
                    let chosen = self.below(list.len());
                    stack.extend(list.iter().enumerate().filter(|(i, _)| all || *i == chosen).map(|(_, b)| b));
                }
            }
        }
        out
    }
}
