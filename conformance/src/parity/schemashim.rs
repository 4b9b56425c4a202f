//! Calls of schemashim, and what stands for them here: the profiles `schemashim-gemini` and `schemashim-openai-strict`.

use schemalect::{AdaptOptions, AdaptedList, Call, Effects, Level, Outcome, ReadOptions, RestoreOptions, Surface, ToolList, read};
use serde_json::{Value, json};

use super::record::Record;
use super::{Adaptor, Answer, surface};

/// Each call, with what answers it.
pub(super) const CALLS: &[(&str, Adaptor)] = &[
    ("adapt", adapt),
    ("restore", restore),
    ("ok", ok),
    ("check", check),
    ("cli check", cli_check),
    ("adapt_tools.declarations", declarations),
    ("adapt_tools.names", names),
    ("kit.restore", kit_restore),
];

/// The targets of a record: one, both, or, where the documentation does not say which of the two, the first.
fn surfaces(record: &Record) -> Result<Vec<Surface>, String> {
    let targets: &[&str] = match record.target.as_deref() {
        Some("openai-strict") => &["openai-strict"],
        Some("both") => &["gemini", "openai-strict"],
        _ => &["gemini"],
    };
    targets.iter().map(|target| surface(&format!("schemashim-{target}"))).collect()
}

fn target(record: &Record) -> Result<Surface, String> {
    surfaces(record)?.into_iter().next().ok_or_else(|| "no target".to_owned())
}

/// Tools as a client hands them over.
pub(super) fn list(tools: &Value) -> Result<ToolList, String> {
    read(tools.to_string().as_bytes(), &ReadOptions::default()).map_err(|error| error.to_string())
}

/// The list adapted as the systems do: whatever a rewrite costs, it is done.
pub(super) fn adapted(surface: &Surface, tools: &Value) -> Result<AdaptedList, String> {
    let options = AdaptOptions { allow: Effects::ALL, types: true, ..AdaptOptions::default() };
    surface.adapt(&list(tools)?, &options).map_err(|error| error.to_string())
}

/// A schema as the parameters of the only tool.
pub(super) fn alone(schema: &Value) -> Value {
    json!([{"name": "t", "description": "d", "inputSchema": schema}])
}

fn adapt(record: &Record) -> Result<Answer, String> {
    let adapted = adapted(&target(record)?, &alone(&record.input))?;
    let Some(tool) = adapted.tools.first() else { return Err(format!("left out: {}", adapted.dropped[0].reason)) };
    let lines = tool.changes.iter().map(|change| Value::from(change.to_string())).collect();
    let schema = tool.schema.as_ref().map(|tree| tree.to_value(tree.root()));
    Ok(Answer { output: schema, changes: Some(lines), raised: None })
}

fn restore(record: &Record) -> Result<Answer, String> {
    let plans = adapted(&target(record)?, &alone(&record.input["schema"]))?.plans();
    let call = Call::new("t", record.input["arguments"].clone());
    let restored = plans.restore(call, &RestoreOptions::default()).map_err(|error| error.to_string())?;
    Ok(Answer { output: Some(restored.arguments), ..Answer::default() })
}

fn ok(record: &Record) -> Result<Answer, String> {
    let adapted = adapted(&target(record)?, &alone(&record.input))?;
    let unchanged = adapted.tools.iter().all(|tool| tool.outcome == Outcome::Unchanged) && adapted.dropped.is_empty();
    Ok(Answer { output: Some(unchanged.into()), ..Answer::default() })
}

fn check(record: &Record) -> Result<Answer, String> {
    let lines = adapt(record)?.changes;
    Ok(Answer { output: lines, ..Answer::default() })
}

fn cli_check(record: &Record) -> Result<Answer, String> {
    let list = list(&record.input)?;
    let fails = surfaces(record)?.iter().any(|surface| surface.check(&list, 1).fails(Level::Error));
    Ok(Answer { output: Some(json!({"exit": u8::from(fails)})), ..Answer::default() })
}

fn declarations(record: &Record) -> Result<Answer, String> {
    let surface = target(record)?;
    let entries = adapted(&surface, &record.input)?.wire(&surface);
    let entries: Result<Value, _> = entries.iter().map(|entry| serde_json::from_str::<Value>(entry)).collect();
    Ok(Answer { output: Some(entries.map_err(|error| error.to_string())?), ..Answer::default() })
}

fn names(record: &Record) -> Result<Answer, String> {
    let tools = record.input.as_array().into_iter().flatten().map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
    let adapted = adapted(&target(record)?, &tools.collect())?;
    let names = adapted.tools.iter().map(|tool| Value::from(tool.name.clone())).collect();
    Ok(Answer { output: Some(names), ..Answer::default() })
}

fn kit_restore(record: &Record) -> Result<Answer, String> {
    let plans = adapted(&target(record)?, &record.input["tools"])?.plans();
    let call = Call::new(record.input["name"].as_str().unwrap_or_default(), record.input["arguments"].clone());
    let restored = plans.restore(call, &RestoreOptions::default()).map_err(|error| error.to_string())?;
    Ok(Answer { output: Some(json!([restored.name, restored.arguments])), ..Answer::default() })
}

#[cfg(test)]
mod tests {
    use super::super::System;
    use super::*;

    #[test]
    fn what_is_made_for_gemini_is_taken_as_json_schema_too() {
        let json_schema = surface("gemini-json-schema").expect("a profile");
        let records = System::Schemashim.records().expect("records");
        let of_gemini = records.iter().filter(|r| r.call == "adapt" && r.target.as_deref() != Some("openai-strict"));
        let mut seen = 0;
        for record in of_gemini {
            let adapted = adapted(&target(record).expect("a target"), &alone(&record.input)).expect("adapted");
            let schema = adapted.tools[0].schema.as_ref().map(|tree| tree.to_value(tree.root())).expect("a schema");
            let report = json_schema.check(&list(&alone(&schema)).expect("a list"), 1);
            assert!(!report.fails(Level::Error), "{}: {schema}: {:?}", record.id, report.findings().collect::<Vec<_>>());
            seen += 1;
        }
        assert!(seen > 30, "{seen}");
    }
}
