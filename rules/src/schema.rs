//! JSON Schemas of the kinds of file, for editors: made of the same tables by which files are read.

use schemalect_engine::attr::{Attr, NodeKind, Types};
use schemalect_engine::op::Op;
use schemalect_engine::plan::Wording;
use schemalect_engine::regex_scan::Uses;
use schemalect_engine::spelling::PathStyle;
use serde_json::{Map, Value, json};

use crate::compile::ops::SPECS;
use crate::compile::words;
use crate::form::{self, Field, Form};
use crate::speaks::{PATHS, REPORTS};

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The forms that have a name of their own, and may contain each other.
const NAMED: [(&str, &Form); 6] = [
    ("binding", &form::BINDING),
    ("source", &form::SOURCE),
    ("example", &form::EXAMPLE),
    ("predicate", &form::PRED),
    ("value-test", &form::VALUE),
    ("text-test", &form::TEXT_TEST),
];

/// The JSON Schema of rule files.
#[must_use]
pub fn rule_schema() -> Value {
    document("A rule", &form::RULE, &[])
}

/// The JSON Schema of group files.
#[must_use]
pub fn group_schema() -> Value {
    document("A group of profiles", &form::GROUP, &[])
}

/// The JSON Schema of profile files; `rules` are the ids that a binding may name.
#[must_use]
pub fn profile_schema<'r>(rules: impl IntoIterator<Item = &'r str>) -> Value {
    document("A profile", &form::PROFILE, &rules.into_iter().collect::<Vec<_>>())
}

fn document(title: &str, form: &'static Form, rules: &[&str]) -> Value {
    let mut schema = fields(form, rules);
    let mut definitions = Map::new();
    let mut text = schema.to_string();
    // A definition may need others.
    while let Some((name, form)) = NAMED.iter().find(|(name, _)| text.contains(&reference(name)) && !definitions.contains_key(*name)) {
        let definition = fields(form, rules);
        text.push_str(&definition.to_string());
        definitions.insert((*name).to_owned(), definition);
    }
    if text.contains(&reference("operation")) {
        definitions.insert("operation".to_owned(), operation());
    }
    if let Some(members) = schema.as_object_mut() {
        members.shift_insert(0, "$schema".to_owned(), json!(DRAFT));
        members.shift_insert(1, "title".to_owned(), json!(title));
        members.insert("definitions".to_owned(), Value::Object(definitions));
    }
    schema
}

fn reference(name: &str) -> String {
    format!("#/definitions/{name}")
}

fn fields(form: &Form, rules: &[&str]) -> Value {
    let Form::Fields(list) = form else { return of(form, rules) };
    let properties: Map<String, Value> = list.iter().map(|field| (field.name.to_owned(), field_schema(form, field, rules))).collect();
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    let needed: Vec<&str> = list.iter().filter(|field| field.needed).map(|field| field.name).collect();
    if let Some(members) = schema.as_object_mut().filter(|_| !needed.is_empty()) {
        members.insert("required".to_owned(), json!(needed));
    }
    schema
}

/// A field may be null where it may be left out.
fn field_schema(owner: &Form, field: &Field, rules: &[&str]) -> Value {
    let schema = special(owner, field.name, rules).unwrap_or_else(|| of(field.form, rules));
    if field.needed || schema == json!(true) { schema } else { json!({"anyOf": [schema, {"type": "null"}]}) }
}

fn of(form: &Form, rules: &[&str]) -> Value {
    if let Some((name, _)) = NAMED.iter().find(|(_, named)| std::ptr::eq(*named, form)) {
        return json!({"$ref": reference(name)});
    }
    match form {
        Form::Any => json!(true),
        Form::Text => json!({"type": ["string", "number", "boolean"]}),
        Form::Flag => json!({"type": "boolean"}),
        Form::List(inner) => json!({"type": "array", "items": of(inner, rules)}),
        Form::Map(inner) => json!({"type": "object", "additionalProperties": of(inner, rules)}),
        Form::Fields(_) => fields(form, rules),
    }
}

/// The fields whose words are listed, or have a pattern.
fn special(owner: &Form, field: &str, rules: &[&str]) -> Option<Value> {
    let names = |list: &[&str]| json!({"enum": list});
    let in_text = std::ptr::eq(owner, &form::TEXT_TEST);
    let in_binding = std::ptr::eq(owner, &form::BINDING);
    Some(match field {
        "rule" if in_binding && !rules.is_empty() => names(rules),
        "at" => names(&first(&words::SITES)),
        "level" => names(&first(&words::LEVELS)),
        "reports" => names(&first(&REPORTS)),
        "paths" if std::ptr::eq(owner, &form::WRITES) => names(&first(&PathStyle::WORDS)),
        "paths" => some_of(&first(&PATHS)),
        "unpinned" => names(&["documented", "inferred"]),
        "of" if in_text => names(&first(&words::TEXTS)),
        "of" => names(&first(&words::MEASURES)),
        "over" => names(&first(&words::OVERS)),
        "unit" => names(&first(&words::UNITS)),
        "kind" if std::ptr::eq(owner, &form::PRED) => some_of(&first(&NodeKind::WORDS)),
        "type" if std::ptr::eq(owner, &form::PRED) => some_of(&first(&Types::WORDS)),
        "is" | "is-not" => some_of(&first(Attr::WORDS)),
        "uses" => some_of(&first(&Uses::WORDS)),
        "change" => change(),
        "rewrite" => json!({"type": "array", "items": {"$ref": reference("operation")}}),
        "since" | "until" => json!({"type": "string", "pattern": r"^(\d{4}-\d{2}-\d{2})?(\.\.)?(\d{4}-\d{2}-\d{2})?$"}),
        "seen" => json!({"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}$"}),
        _ => return None,
    })
}

/// One text, or texts by operation.
fn change() -> Value {
    let text = json!({"type": "string"});
    let by: Map<String, Value> = Op::WORDS.iter().copied().chain([Wording::RECODES]).map(|w| (w.to_owned(), text.clone())).collect();
    json!({"anyOf": [text, {"type": "object", "properties": by, "additionalProperties": false, "minProperties": 1}]})
}

fn first<T>(list: &[(&'static str, T)]) -> Vec<&'static str> {
    list.iter().map(|(word, _)| *word).collect()
}

/// One word, several, or a fact that lists them.
fn some_of(list: &[&str]) -> Value {
    json!({"anyOf": [{"enum": list}, {"type": "array", "items": {"enum": list}}, {"type": "string", "pattern": r"^facts\."}]})
}

/// A bare word, or one operation with its options.
fn operation() -> Value {
    let bare: Vec<&str> =
        Op::WORDS.iter().copied().filter(|word| SPECS.iter().all(|(known, needed, _)| known != word || needed.is_empty())).collect();
    let options = |(word, needed, may): &(&str, &[&str], &[&str])| {
        let properties: Map<String, Value> = needed.iter().chain(*may).map(|name| ((*name).to_owned(), json!(true))).collect();
        let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
        if let Some(members) = schema.as_object_mut().filter(|_| !needed.is_empty()) {
            members.insert("required".to_owned(), json!(needed));
        }
        ((*word).to_owned(), schema)
    };
    let mut properties: Map<String, Value> = SPECS.iter().map(options).collect();
    properties.insert("one-of".to_owned(), json!({"type": "array", "items": {"$ref": reference("operation")}}));
    let with = json!({"type": "object", "properties": properties, "additionalProperties": false, "minProperties": 1, "maxProperties": 1});
    json!({"anyOf": [{"enum": bare}, with]})
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::error::{Errors, File, Source};
    use crate::yaml::{self, At, Raw};

    /// Whether a YAML text is valid by a schema.
    fn valid(schema: &jsonschema::Validator, text: &str) -> Result<(), String> {
        let file: File = Arc::new(Source { path: "here.yaml".to_owned(), text: text.to_owned(), builtin: false });
        let raw: At<Raw> = yaml::read(&file, None, &mut Errors::default()).ok_or("no YAML")?;
        schema.validate(&raw.value.to_json()).map_err(|error| format!("{error} at {}", error.instance_path()))
    }

    #[test]
    fn files_of_the_repository_are_valid() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let texts = |folder: &Path| -> Vec<(String, String)> {
            let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
            let yaml = paths.filter(|path| path.extension().is_some_and(|e| e == "yaml"));
            yaml.map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("a text"))).collect()
        };
        let rules = texts(&root.join("rules/shared"));
        let ids: Vec<String> =
            rules.iter().filter_map(|(path, _)| Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned())).collect();
        let rule = jsonschema::validator_for(&rule_schema()).expect("a schema");
        for (path, text) in &rules {
            assert_eq!(valid(&rule, text), Ok(()), "{path}");
        }
        let profile = jsonschema::validator_for(&profile_schema(ids.iter().map(String::as_str))).expect("a schema");
        let folders = fs::read_dir(root.join("providers")).expect("a folder").map(|entry| entry.expect("an entry").path());
        let group = jsonschema::validator_for(&group_schema()).expect("a schema");
        for (path, text) in folders.filter(|path| path.is_dir()).flat_map(|folder| texts(&folder)) {
            let schema = if path.ends_with("group.yaml") { &group } else { &profile };
            assert_eq!(valid(schema, &text), Ok(()), "{path}");
        }
    }

    #[test]
    fn slips_are_not_valid() {
        let rule = jsonschema::validator_for(&rule_schema()).expect("a schema");
        let profile = jsonschema::validator_for(&profile_schema(["const-present"])).expect("a schema");
        let head = "rule: a\ntitle: t\nat: schema\nwhy: w\n";
        let check = |schema: &jsonschema::Validator, text: &str, fine: bool| assert_eq!(valid(schema, text).is_ok(), fine, "{text}");
        check(&rule, &format!("{head}when: {{ is: open }}\n"), true);
        check(&rule, &format!("{head}when: {{ is: opened }}\n"), false);
        check(&rule, &format!("{head}when: {{ is: [open, map] }}\nrewrite: [ close, drop: {{ keys: [a] }} ]\n"), true);
        check(&rule, &format!("{head}when: {{ is: open }}\nrewrite: [ closed ]\n"), false);
        check(&rule, &format!("{head}when: {{ is: open }}\nrewrite: [ drop: {{ key: [a] }} ]\n"), false);
        check(&rule, &format!("{head}when: {{ all: [ {{ not: {{ iss: open }} }} ] }}\n"), false);
        let profile_of = |binding: &str| format!("profile: p\ntitle: t\nrules: [ {{ {binding} }} ]\n");
        check(&profile, &profile_of("rule: const-present, stage: s, since: ..2026-01-01"), true);
        check(&profile, &profile_of("rule: const-presant, stage: s"), false);
        check(&profile, &profile_of("rule: const-present, level: fatal"), false);
        check(&profile, &profile_of("rule: const-present, sources: [ { observed: x, seen: yesterday } ]"), false);
    }
}
