//! Targets whose input is a text that people or servers write: lists of tools, error texts, profiles.

use std::sync::OnceLock;

use schemalect::engine::adapt::{Options, adapt};
use schemalect::engine::check::{Given, Tool, check};
use schemalect::engine::{Budget, Tree};
use schemalect::rules::{Library, SHARED_RULES};
use schemalect::{AdaptOptions, CanonicalForm, Diagnoser, Form, Input, Json, Listed, Opened, ReadOptions, catalog, open, read};

use crate::surfaces::{asked, profiles, selection};
use crate::{part, text};

const INPUTS: [Input; 6] = [Input::Auto, Input::Schema, Input::Tool, Input::Tools, Input::Request, Input::Ndjson];

/// Any bytes as tools, in every form. The places of what is wrong are places of the text, and a list goes through whole: written, hashed, offered.
pub fn tools(data: &[u8]) {
    for input in INPUTS {
        let options = ReadOptions { input, ..ReadOptions::default() };
        match open(data, &options).expect("bytes are read") {
            Opened::Document(bytes) => {
                assert!(input != Input::Auto || bytes == data || bytes.trim_ascii().len() == data.trim_ascii().len());
            }
            Opened::Lines(mut lines) => {
                while let Some(line) = lines.batch(1).expect("bytes are read").pop() {
                    let _ = line.read(&options);
                }
            }
        }
        let Ok(list) = read(data, &options) else { continue };
        let size = list.document().tree().raw(list.document().tree().root()).len();
        for (at, tool) in list.tools().iter().enumerate() {
            assert_eq!(tool.index, at);
            assert!(tool.problem.is_some() || tool.form == Form::Foreign || list.view(tool).schema.is_some() || tool.schema.is_none());
            if let Some(span) = tool.problem.as_ref().and_then(|p| p.span) {
                let place = list.document().place(span);
                assert!(place.line >= 1 && place.column >= 1);
            }
            let _ = list.canonical_tool(tool, CanonicalForm::Sets);
        }
        assert!(list.canonical(CanonicalForm::Ascii).len() <= 1_000 + 16 * (data.len() + size));
        let _ = catalog(&Listed::all_in(&list), 4_000);
        if input == Input::Auto {
            sent(&list);
        }
    }
}

fn sent(list: &schemalect::ToolList) {
    for name in ["openai-strict", "gemini", "personalclaw-portable"] {
        let (surface, _) = asked(name);
        let _ = surface.check(list, 1);
        let adapted = surface.adapt(list, &AdaptOptions { jobs: 1, ..AdaptOptions::default() }).expect("nothing was to fail");
        assert_eq!(adapted.tools.len() + adapted.dropped.len(), list.tools().len(), "{name}: a tool is neither sent nor left out");
        for entry in adapted.wire(surface) {
            assert!(serde_json::from_str::<&serde_json::value::RawValue>(&entry).is_ok(), "{name}: {entry}");
        }
        let mut json = Json::new();
        adapted.write_json(&mut json);
        adapted.write_plan(&mut Json::new());
        assert!(serde_json::from_str::<&serde_json::value::RawValue>(&json.finish()).is_ok());
    }
}

/// Tools, and what a provider said of them. However much it said, the answer is bounded and names tools that there are.
pub fn diagnose(data: &[u8]) {
    static DIAGNOSER: OnceLock<Diagnoser<'static>> = OnceLock::new();
    let diagnoser = DIAGNOSER.get_or_init(|| profiles().diagnoser(&[], &selection()).expect("the profiles are read"));
    let Some(text) = text(data) else { return };
    let options = ReadOptions::default();
    let list = read(part(text, 0, 2).as_bytes(), &options).or_else(|_| read(TOOLS.as_bytes(), &options)).expect("these are read");
    let found = diagnoser.diagnose(part(text, 1, 2), &[&list]).expect("the profiles are right");
    assert!(found.len() <= 1_000);
    for found in &found {
        assert!(found.tool.as_ref().is_none_or(|tool| tool.index < list.tools().len()), "{found:?}");
        assert!(found.advice.len() + found.said.len() <= 20_000 + 4 * text.len(), "{} bytes", found.advice.len());
        found.write_json(&mut Json::new());
    }
}

const TOOLS: &str =
    r#"[{"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"const": 1}, "b": {"type": ["string", "null"]}}}}]"#;

/// A rule file or a profile file. What is wrong with it is told with a place in it; what is right is carried out.
pub fn profile(data: &[u8]) {
    let Some(text) = text(data) else { return };
    let rule = text.lines().find(|l| l.starts_with("rule:") || l.starts_with("profile:")).is_some_and(|l| l.starts_with("rule:"));
    let file = ("fuzz.yaml".to_owned(), text.to_owned());
    let used = SHARED_RULES.iter().filter(|(name, _)| text.contains(name.trim_end_matches(".yaml")));
    let mut rules: Vec<(String, String)> = used.take(40).map(|&(name, text)| (name.to_owned(), text.to_owned())).collect();
    let mut own = Vec::new();
    if rule {
        rules.push(file)
    } else {
        own.push(file)
    }
    let library = match Library::new(rules, own) {
        Ok(library) => library,
        Err(errors) => return told(&errors, text),
    };
    told(&library.check_all(), text);
    let names: Vec<String> = library.profile_names().map(str::to_owned).collect();
    for name in names {
        let (_, _) = (library.profile(&name), library.speech(&name));
        match library.bind(&name, &selection()) {
            Err(errors) => told(&errors, text),
            Ok(bound) => {
                let tree = Tree::parse(SCHEMA, &Budget::default()).expect("it is read");
                let tool = Tool { name: Given::Text("a b"), description: Given::Missing, schema: Some((&tree, tree.root())) };
                let _ = (check(&bound.plan, &tool), adapt(&bound.plan, &tool, &Options::default()));
            }
        }
    }
}

/// Something of everything.
const SCHEMA: &str = r##"{"type": "object", "$defs": {"n": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/n"}]}}, "properties": {
    "a": {"type": "string", "format": "date", "pattern": "^x", "minLength": 1, "default": "x"}, "b": {"const": 1},
    "c": {"type": ["array", "null"], "items": [{"enum": ["x", 1, null]}], "minItems": 2}, "d": {"$ref": "#/$defs/n"},
    "e": {"allOf": [{"type": "integer", "maximum": 3}, {"exclusiveMinimum": 1}]}, "f": {"additionalProperties": {"type": "number"}},
    "g": {"oneOf": [{"type": "object", "properties": {"k": {"const": "v"}}}, {"not": {"type": "string"}}]}}, "required": ["a", "z"]}"##;

fn told(errors: &[schemalect::rules::ProfileError], text: &str) {
    for error in errors.iter().take(20) {
        assert!(!error.message().is_empty());
        let size = error.render().len();
        assert!(size <= 20_000 + 8 * text.len(), "{size} bytes");
    }
}
