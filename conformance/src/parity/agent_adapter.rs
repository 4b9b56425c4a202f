//! Calls of agent_adapter, and what stands for them here.

use schemalect::{AdaptOptions, Input, OnUnfixable, ReadOptions, ToolList, read};
use serde_json::{Value, json};

use super::record::Record;
use super::{Adaptor, Answer, surface};

/// Each call, with what answers it.
pub(super) const CALLS: &[(&str, Adaptor)] = &[
    ("check_portable", check_portable),
    ("to_plain", |record| rewritten(record, "agent-adapter-openai")),
    ("to_openai_parameters", |record| {
        let strict = record.options.get("strict").and_then(Value::as_bool).unwrap_or(true);
        rewritten(record, if strict { "agent-adapter-openai-strict" } else { "agent-adapter-openai" })
    }),
    ("to_gemini_parameters", |record| rewritten(record, "agent-adapter-gemini")),
    ("to_anthropic_input_schema", |record| rewritten(record, "agent-adapter-anthropic")),
];

fn schema(record: &Record) -> Result<ToolList, String> {
    let options = ReadOptions { input: Input::Schema, ..ReadOptions::default() };
    read(record.input.to_string().as_bytes(), &options).map_err(|error| error.to_string())
}

/// The problems of a schema; adding a tool with it fails where there are some.
fn check_portable(record: &Record) -> Result<Answer, String> {
    let surface = surface("agent-adapter-portable")?;
    let report = surface.check(&schema(record)?, 1);
    let problems: Vec<String> = report.findings().map(|finding| surface.line(finding)).collect();
    let raised = (!problems.is_empty()).then(|| json!({"type": "SchemaNotPortable"}));
    Ok(Answer { output: Some(json!({"problems": problems})), raised, changes: None })
}

/// The schema as a profile has it.
fn rewritten(record: &Record, profile: &str) -> Result<Answer, String> {
    let options = AdaptOptions { on_unfixable: Some(OnUnfixable::Keep), ..AdaptOptions::default() };
    let adapted = surface(profile)?.adapt(&schema(record)?, &options).map_err(|error| error.to_string())?;
    let tree = adapted.tools.first().and_then(|tool| tool.schema.as_ref()).ok_or("no schema came out")?;
    let output = tree.to_value(tree.root());
    Ok(Answer { output: Some(output), ..Answer::default() })
}
