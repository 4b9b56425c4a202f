//! A plan as JSON. `read` is the other direction.
#![expect(clippy::indexing_slicing, reason = "what `json!({…})` makes is an object, and an object takes any member")]

use serde_json::{Map, Value, json};

use super::plan::{Branch, Node, PLAN_VERSION, RestorePlan, Stage, Step};
use super::shape::{Shape, Typed};
use crate::attr::Types;

impl RestorePlan {
    /// The plan as JSON; [`RestorePlan::from_json`] reads it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let stages: Vec<Value> = self.stages.iter().map(stage).collect();
        let mut out = json!({
            "version": PLAN_VERSION, "profile": self.profile, "name": self.name, "sent_as": self.sent_as, "stages": stages,
        });
        if let Some(types) = &self.types {
            out["types"] = typed(types);
        }
        out
    }
}

fn stage(stage: &Stage) -> Value {
    let name = |i: usize| stage.defs.get(i).map_or(Value::Null, |(name, _)| Value::from(name.as_str()));
    let mut out = json!({"phase": stage.phase.word(), "root": node(&stage.root, &name)});
    if !stage.defs.is_empty() {
        out["definitions"] = Value::Object(stage.defs.iter().map(|(name_of, inner)| (name_of.clone(), node(inner, &name))).collect());
    }
    out
}

/// The name of a definition.
type Names<'n> = dyn Fn(usize) -> Value + 'n;

fn node(from: &Node, names: &Names<'_>) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| drop(out.insert(key.to_owned(), value));
    if !from.steps.is_empty() {
        put("codecs", from.steps.iter().map(step).collect());
    }
    if let Some(target) = from.target {
        put("ref", names(target));
    }
    if !from.properties.is_empty() {
        put("properties", Value::Object(from.properties.iter().map(|(name, n)| (name.clone(), node(n, names))).collect()));
    }
    if let Some(rest) = &from.rest {
        put("rest", node(&rest.node, names));
        put("named", words(&rest.named));
        if !rest.patterns.is_empty() {
            put("patterns", Value::Object(rest.patterns.iter().map(|(p, n)| (p.text.clone(), node(n, names))).collect()));
        }
    }
    if !from.prefix.is_empty() {
        put("prefix", from.prefix.iter().map(|n| node(n, names)).collect());
    }
    if let Some(items) = &from.items {
        put("items", node(items, names));
    }
    if !from.all.is_empty() {
        put("all", from.all.iter().map(|n| node(n, names)).collect());
    }
    if !from.branches.is_empty() {
        put("branches", from.branches.iter().map(|b| branch(b, names)).collect());
    }
    Value::Object(out)
}

fn branch(from: &Branch, names: &Names<'_>) -> Value {
    let none = |_: usize| Value::Null;
    let mut out = json!({"when": shape(&from.when, &none)});
    if from.was != from.when {
        out["was"] = shape(&from.was, &none);
    }
    if let Some(then) = &from.then {
        out["then"] = node(then, names);
    }
    out
}

fn step(from: &Step) -> Value {
    match from {
        Step::Nulls(properties) => {
            let optional = |keep: &dyn Fn(&super::plan::NullProperty) -> bool| -> Value {
                properties.iter().filter(|p| keep(p)).map(|p| Value::from(p.name.as_str())).collect()
            };
            let mut out = json!({"codec": "null-is-absent", "properties": optional(&|_| true)});
            for (key, list) in [("nullable", optional(&|p| p.nullable)), ("default_null", optional(&|p| p.default_null))] {
                if list.as_array().is_some_and(|l| !l.is_empty()) {
                    out[key] = list;
                }
            }
            out
        }
        Step::Absent(properties) => json!({"codec": "absent-for-null", "properties": words(properties)}),
        Step::Omitted(properties) => json!({"codec": "null-for-absent", "properties": words(properties)}),
        Step::ParseJson { types, nullable } => {
            let mut out = json!({"codec": "parse-json"});
            if !types.is_empty() {
                out["types"] = type_words(*types);
            }
            if *nullable {
                out["nullable"] = true.into();
            }
            out
        }
        Step::Entries(e) => {
            let mut out = json!({"codec": "entries", "key": e.key, "value": e.value});
            if let Some(rest) = &e.rest {
                out["rest"] = rest.as_str().into();
                out["named"] = words(&e.named);
            }
            out
        }
        Step::Fields(f) => {
            let mut out = json!({"codec": "fields", "names": f.names, "least": f.least});
            if let Some(rest) = &f.rest {
                out["rest"] = rest.as_str().into();
            }
            out
        }
        Step::Unwrap { name } => json!({"codec": "unwrap", "name": name}),
        Step::FromText { values, plain } => {
            let pairs: Vec<Value> = values.iter().map(|(text, literal)| json!([text, literal])).collect();
            let mut out = json!({"codec": "from-text", "values": pairs});
            if !plain.is_empty() {
                out["plain"] = words(plain);
            }
            out
        }
        Step::Rename(renames) => {
            let names: Map<String, Value> = renames.pairs.iter().map(|(from, to)| (from.clone(), to.as_str().into())).collect();
            json!({"codec": "rename", "names": names})
        }
    }
}

fn typed(types: &Typed) -> Value {
    let name = |i: usize| types.defs.get(i).map_or(Value::Null, |(name, _)| Value::from(name.as_str()));
    let mut out = json!({"root": shape(&types.root, &name)});
    if !types.defs.is_empty() {
        out["definitions"] = Value::Object(types.defs.iter().map(|(name_of, s)| (name_of.clone(), shape(s, &name))).collect());
    }
    out
}

fn shape(from: &Shape, names: &Names<'_>) -> Value {
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| drop(out.insert(key.to_owned(), value));
    if !from.types.is_empty() {
        put("types", type_words(from.types));
    }
    if let Some(values) = &from.values {
        put("values", Value::Array(values.clone()));
    }
    if !from.required.is_empty() {
        put("required", words(&from.required));
    }
    if !from.properties.is_empty() {
        put("properties", Value::Object(from.properties.iter().map(|(name, s)| (name.clone(), shape(s, names))).collect()));
    }
    if from.closed {
        put("closed", true.into());
    }
    for (key, inner) in [("rest", &from.rest), ("items", &from.items)] {
        if let Some(inner) = inner {
            put(key, shape(inner, names));
        }
    }
    for (key, list) in [("prefix", &from.prefix), ("any", &from.any), ("all", &from.all)] {
        if !list.is_empty() {
            put(key, list.iter().map(|s| shape(s, names)).collect());
        }
    }
    if let Some(target) = from.target {
        put("ref", names(target));
    }
    Value::Object(out)
}

fn words(list: &[String]) -> Value {
    list.iter().map(|w| Value::from(w.as_str())).collect()
}

/// One type as a word, several as a list.
fn type_words(types: Types) -> Value {
    let mut words: Vec<Value> = types.names().map(Value::from).collect();
    if words.len() == 1 { words.remove(0) } else { Value::Array(words) }
}
