//! Calls of PersonalClaw, and what stands for them here: the profile `personalclaw-portable`, offers, the preflight and the readers of values.
//!
//! Of its issues the records keep the schema nodes: those that were repaired, and where a tool is left out, those that could not be.

use schemalect::engine::finding::Subject;
use schemalect::engine::keyword::Holds;
use schemalect::engine::log::Event;
use schemalect::engine::op::Op;
use schemalect::engine::op::describe::derived_description;
use schemalect::engine::op::name::plain_name;
use schemalect::engine::plan::{Rule, Site};
use schemalect::engine::restore::{IssueLevel, read_arguments};
use schemalect::engine::spelling::PathStyle;
use schemalect::engine::{Budget, Kw, Tree};
use schemalect::{
    AdaptedTool, Day, Effects, Finding, OfferOptions, Preflight, Profiles, Selection, Surface, name_census, read_boolean, read_json_text,
    read_list_text, refused_tools,
};
use serde_json::{Map, Value, json};

use super::record::Record;
use super::schemashim::{adapted, alone, list};
use super::{Adaptor, Answer, surface};

/// Each call, with what answers it.
pub(super) const CALLS: &[(&str, Adaptor)] = &[
    ("conform_parameters", conform),
    ("offered_tool_definitions", offered),
    ("derived_description", derived),
    ("openai_tools", openai_tools),
    ("anthropic_tools", anthropic_tools),
    ("model_safe_name", safe_name),
    ("build_sanitized_index", index),
    ("name_census", census),
    ("tools_named_in_rejection", named),
    ("ToolSchemaRejected", rejected),
    ("missing_arguments", missing),
    ("mistyped_arguments", mistyped),
    ("coerce_args_to_schema", coerce),
    ("decode_json_text", |record| said(read_json_text(record.input.clone()))),
    ("decode_list_text", |record| said(read_list_text(record.input.clone()))),
    ("validate_field", validate_field),
    ("yes_or_no", |record| said(read_boolean(&record.input).into())),
    ("read_tool_arguments", arguments),
];

const PROFILE: &str = "personalclaw-portable";

fn said(output: Value) -> Result<Answer, String> {
    Ok(Answer { output: Some(output), ..Answer::default() })
}

fn conform(record: &Record) -> Result<Answer, String> {
    let surface = surface(PROFILE)?;
    let generated = record.input.get("generator").and_then(Value::as_str).map(generate);
    let tools = match (&generated, &record.input) {
        (Some(schema), _) => alone(schema),
        (None, Value::Null) => json!([{"name": "t", "description": "d"}]),
        (None, schema) => alone(schema),
    };
    let adapted = adapted(&surface, &tools)?;
    let tool = adapted.tools.first();
    let schema = tool.and_then(|tool| tool.schema.as_ref()).map(|tree| tree.to_value(tree.root()));
    if let (Some(given), Some(Value::Bool(_))) = (&generated, &record.recorded.output) {
        let unchanged = schema.as_ref() == Some(given);
        return Ok(Answer { output: Some(unchanged.into()), changes: Some(json!([])), raised: None });
    }
    let mut issues: Vec<Value> = match tool {
        Some(tool) => repaired(&surface, tool),
        None => adapted.dropped.iter().flat_map(|d| &d.findings).map(|placed| blocking(&placed.finding)).collect(),
    };
    issues.sort_by_key(ToString::to_string);
    issues.dedup();
    Ok(Answer { output: Some(schema.unwrap_or(Value::Null)), changes: Some(issues.into()), raised: None })
}

/// The schema node at which something could not be repaired; of what is no schema at all, the root.
fn blocking(finding: &Finding) -> Value {
    let path = if finding.subject == Subject::Schema { finding.path.as_str() } else { "" };
    PathStyle::Bracketed.write(node_of(path)).into()
}

/// The schema nodes at which something was repaired.
fn repaired(surface: &Surface, tool: &AdaptedTool) -> Vec<Value> {
    let about_schema = |event: &Event| surface.plan().rules.iter().any(|rule| rule.id == event.rule && rule.site == Site::Schema);
    let events = tool.changes.iter().filter_map(|change| tool.events.get(change.event)).filter(|event| about_schema(event));
    events.map(|event| PathStyle::Bracketed.write(node_of(&event.output)).into()).collect()
}

/// The part of a pointer that leads to a schema, without the keyword at its end.
fn node_of(pointer: &str) -> &str {
    let (mut end, mut at) = (0, 0);
    let mut steps = pointer.split('/').skip(1);
    while let Some(step) = steps.next() {
        at += step.len() + 1;
        match Kw::of(step).map(Kw::holds) {
            Some(Holds::SchemaMap | Holds::SchemaList) => match steps.next() {
                Some(inner) => at += inner.len() + 1,
                None => break,
            },
            Some(Holds::SchemaOrList | Holds::SchemaOrBool) => {}
            // Of `not`, `if` and `contains` it is only ever said that they stand there.
            _ => break,
        }
        end = at;
    }
    &pointer[..end]
}

/// Schemas that are too large to be written down.
fn generate(what: &str) -> Value {
    let number = |text: &str| text.split(' ').find_map(|word| word.parse::<usize>().ok()).unwrap_or_default();
    let text = json!({"type": "string"});
    if what.contains("nested arrays") {
        let nested = (0..number(what)).fold(text, |inner, _| json!({"type": "array", "items": inner}));
        return json!({"type": "object", "properties": {"a": nested}});
    }
    if what.contains("string properties") {
        let properties: Map<String, Value> = (0..number(what)).map(|i| (format!("p{i}"), text.clone())).collect();
        return json!({"type": "object", "properties": properties});
    }
    let mut defs: Map<String, Value> = (0..20)
        .map(|i| {
            let next = json!({"$ref": format!("#/$defs/D{}", i + 1)});
            (format!("D{i}"), json!({"type": "object", "properties": {"l": next, "r": next}}))
        })
        .collect();
    defs.insert("D20".to_owned(), text);
    json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": defs})
}

/// The tools that are offered, under the names that they have.
fn offered(record: &Record) -> Result<Answer, String> {
    let mut options = OfferOptions::default();
    options.adapt.allow = Effects::ALL;
    let offer = surface(PROFILE)?.offer(&list(&record.input)?, &options);
    let given = record.input.as_array().map(Vec::as_slice).unwrap_or_default();
    let one = |tool: &AdaptedTool| {
        let schema = tool.schema.as_ref().map(|tree| tree.to_value(tree.root()));
        // A tool without arguments gets the empty object only when it is written for a provider.
        let none = given.get(tool.index).is_some_and(|entry| entry["parameters"].is_null());
        json!({"name": tool.original_name, "description": tool.description, "parameters": schema.filter(|_| !none)})
    };
    said(offer.list.tools.iter().map(one).collect())
}

fn derived(record: &Record) -> Result<Answer, String> {
    let tree = Tree::parse(&record.input["parameters"].to_string(), &Budget::default()).map_err(|error| error.to_string())?;
    said(derived_description(record.input["name"].as_str().unwrap_or_default(), Some((&tree, tree.root()))).into())
}

fn entries(profile: &str, tools: &Value) -> Result<Answer, String> {
    let surface = surface(profile)?;
    let entries: Result<Value, _> = adapted(&surface, tools)?.wire(&surface).iter().map(|e| serde_json::from_str::<Value>(e)).collect();
    said(entries.map_err(|error| error.to_string())?)
}

fn openai_tools(record: &Record) -> Result<Answer, String> {
    entries(PROFILE, &record.input)
}

fn anthropic_tools(record: &Record) -> Result<Answer, String> {
    entries("anthropic", &record.input)
}

fn safe_name(record: &Record) -> Result<Answer, String> {
    let surface = surface(PROFILE)?;
    let mut ops = surface.plan().rules.iter().flat_map(Rule::operations);
    let found = ops.find_map(|op| if let Op::RenameTool { allowed, first, max } = op { Some((allowed, first, *max)) } else { None });
    let (allowed, first, max) = found.ok_or("no rule for names")?;
    let name = record.input.as_str().unwrap_or_default();
    said(plain_name(name, allowed, first, max).into())
}

/// The names that are offered, and those that come out equal.
fn index(record: &Record) -> Result<Answer, String> {
    let tools = record
        .input
        .as_array()
        .into_iter()
        .flatten()
        .map(|name| json!({"name": name, "description": name, "inputSchema": {"type": "object"}}));
    let offer = surface(PROFILE)?.offer(&list(&tools.collect())?, &OfferOptions::default());
    let names: Map<String, Value> =
        offer.notes.iter().filter_map(|note| Some((note.offered_as.clone()?, Value::from(note.name.clone())))).collect();
    let left: Vec<Value> = offer.left_out().map(|note| Value::from(note.name.clone())).collect();
    said(json!([names, left]))
}

fn census(record: &Record) -> Result<Answer, String> {
    let words = |key: &str| -> Vec<String> {
        record.input[key].as_array().into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect()
    };
    let (names, taken) = (words("names"), words("taken"));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let taken: Vec<&str> = taken.iter().map(String::as_str).collect();
    let census = name_census(&names, &taken, "a-zA-Z0-9_-", 64);
    // Names that stay as they are have no entry there.
    let changed: Map<String, Value> =
        census.names.iter().filter(|(form, name)| form != name).map(|(f, n)| (f.clone(), Value::from(n.as_str()))).collect();
    let mut left: Vec<&str> = census.left_out.iter().map(|c| c.name.as_str()).collect();
    left.sort_unstable();
    said(json!([changed, left]))
}

fn named(record: &Record) -> Result<Answer, String> {
    let day: Day = "2026-11-29".parse().map_err(|_| "no day")?;
    let profiles = Profiles::builtin().map_err(|error| error.to_string())?;
    let diagnoser = profiles.diagnoser(&[], &Selection::on(day)).map_err(|error| error.to_string())?;
    let list = list(&record.input["tools"])?;
    let message = record.input["message"].as_str().unwrap_or_default();
    let found = diagnoser.diagnose(message, &[&list]).map_err(|error| error.to_string())?;
    let pointed = diagnoser.pointed(message, &[&list]).map_err(|error| error.to_string())?;
    let found = found.into_iter().filter_map(|m| m.tool.or(m.pointed)).chain(pointed.into_iter().map(|p| p.tool));
    let mut names: Vec<String> = found.filter_map(|tool| tool.name).collect();
    names.sort();
    names.dedup();
    said(names.into())
}

/// The way out that the sentence offers is the program's own; which tools are named is all that counts here.
fn rejected(record: &Record) -> Result<Answer, String> {
    let names = record.input["tools"].as_array().into_iter().flatten().filter_map(Value::as_str);
    said(refused_tools(names).into())
}

/// Problems as the system words them: the place, dotted, before the text.
fn problems(refusal: Option<schemalect::Refusal>, text: impl Fn(&schemalect::Lack) -> (String, String)) -> Result<Answer, String> {
    let line = |lack: &schemalect::Lack| {
        let (place, text) = text(lack);
        let place = place.trim_start_matches('/').replace('/', ".");
        if place.is_empty() { text } else { format!("{place}: {text}") }
    };
    said(refusal.map(|r| r.mistakes.iter().map(line).collect::<Vec<_>>()).unwrap_or_default().into())
}

fn missing(record: &Record) -> Result<Answer, String> {
    let refusal = Preflight::new(&record.input["schema"]).missing(&record.input["arguments"]);
    problems(refusal, |lack| {
        let name = lack.path.rsplit('/').next().unwrap_or_default();
        (lack.holder(), format!("'{name}' is a required property"))
    })
}

fn mistyped(record: &Record) -> Result<Answer, String> {
    let refusal = Preflight::new(&record.input["schema"]).mistyped(&record.input["arguments"]);
    problems(refusal, |lack| (lack.path.clone(), lack.message.replace('"', "'")))
}

fn coerce(record: &Record) -> Result<Answer, String> {
    said(Preflight::new(&record.input["schema"]).coerce(record.input["arguments"].clone()).arguments)
}

/// A field of arguments: read as a careful client reads it, then judged by its type.
fn validate_field(record: &Record) -> Result<Answer, String> {
    let of = match record.input["type"].as_str() {
        Some("int") => "integer",
        Some("float") => "number",
        Some("dict") => "object",
        _ => "array",
    };
    let field = Preflight::new(&json!({"type": "object", "properties": {"f": {"type": of}}}));
    match field.check(json!({"f": record.input["value"]})) {
        Ok((arguments, _)) => said(arguments["f"].clone()),
        Err(refusal) => {
            Ok(Answer { raised: Some(json!({"type": "ValidationError", "message": refusal.to_string()})), ..Answer::default() })
        }
    }
}

fn arguments(record: &Record) -> Result<Answer, String> {
    let (read, issues) = read_arguments(record.input.clone());
    let unread = issues.iter().any(|issue| issue.level == IssueLevel::Error);
    said(if unread { "<unreadable>".into() } else { read })
}

#[cfg(test)]
mod tests {
    use super::super::System;
    use super::*;

    #[test]
    fn what_is_offered_is_taken_by_every_consumer() {
        let consumers: Vec<Surface> = ["gemini", "openai", "anthropic", "bedrock", "mistral", "openrouter"]
            .iter()
            .map(|name| surface(name).expect("a profile"))
            .collect();
        let portable = surface(PROFILE).expect("a profile");
        let mut seen = 0;
        for record in System::Personalclaw.records().expect("records").iter().filter(|r| r.call == "conform_parameters") {
            let tools = if record.input.is_null() { json!([{"name": "t", "description": "d"}]) } else { alone(&record.input) };
            let adapted = adapted(&portable, &tools).expect("adapted");
            let Some(schema) = adapted.tools.first().and_then(|t| t.schema.as_ref()).map(|tree| tree.to_value(tree.root())) else {
                continue;
            };
            let list = list(&alone(&schema)).expect("a list");
            for consumer in &consumers {
                let report = consumer.check(&list, 1);
                // Of the characters of a property's name the system says nothing.
                let speaks = |f: &&Finding| f.refuses() && !f.rule.ends_with("/property-name-characters");
                let refused: Vec<&Finding> = report.findings().filter(speaks).collect();
                assert!(refused.is_empty(), "{}: {} refuses {schema}: {refused:?}", record.id, consumer.name());
            }
            seen += 1;
        }
        assert!(seen > 40, "{seen}");
    }
}
