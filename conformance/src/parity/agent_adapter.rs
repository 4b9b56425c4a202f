//! Calls of agent_adapter, and what stands for them here.

use std::cell::Cell;

use schemalect::schemars::JsonSchema;
use schemalect::toolbox::{CallError, Prepared, ToolSpec, Toolbox, ToolboxError, loose_schema};
use schemalect::{AdaptOptions, Call, Input, OnUnfixable, ReadOptions, ToolList, read};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
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
    ("json_schema", json_schema),
    ("Executor.run", executor_run),
    ("model_from_json_schema", field_type),
    ("registry.add", registered),
    ("chat_tool", chat_tool),
    ("validate_args", validate_args),
    ("result_schema", result_schema),
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

/// A tool of the record's schema that gives its arguments back.
fn imported(schema: &Value) -> ToolSpec {
    ToolSpec::imported("remote_search", "Search the remote index.", schema.clone()).with_handler(Ok)
}

fn json_schema(record: &Record) -> Result<Answer, String> {
    let mut toolbox = toolbox()?;
    toolbox.add(imported(&record.input)).map_err(|error| error.to_string())?;
    Ok(Answer { output: toolbox.get("remote_search").map(|spec| spec.json_schema().clone()), ..Answer::default() })
}

fn executor_run(record: &Record) -> Result<Answer, String> {
    let mut toolbox = toolbox()?;
    toolbox.add(imported(&record.input["schema"])).map_err(|error| error.to_string())?;
    Ok(ran(toolbox.prepare_own("remote_search", record.input["arguments"].clone()).and_then(Prepared::run)))
}

fn ran(result: Result<Value, CallError>) -> Answer {
    match result {
        Ok(output) => Answer { output: Some(output), ..Answer::default() },
        Err(error) => {
            let name = if matches!(error, CallError::Arguments(_)) { "ToolArgsInvalid" } else { "another error" };
            Answer { raised: Some(json!({"type": name, "message": error.to_string()})), ..Answer::default() }
        }
    }
}

/// The loose reading of one property, in the words of Python's types.
fn field_type(record: &Record) -> Result<Answer, String> {
    let reading = loose_schema(&json!({"properties": {"f": record.input}}))["properties"]["f"].clone();
    let word = |name: &Value| match name.as_str() {
        Some("string") => "str",
        Some("integer") => "int",
        Some("number") => "float",
        Some("boolean") => "bool",
        Some("array") => "list[Any]",
        Some("object") => "dict[str, Any]",
        _ => "Any",
    };
    let literals = |list: &Vec<Value>| list.iter().map(|v| format!("'{}'", v.as_str().unwrap_or_default())).collect::<Vec<_>>().join(",");
    let python = match (&reading["type"], reading["enum"].as_array()) {
        (Value::String(_), Some(list)) => format!("Literal[{}]", literals(list)),
        (Value::Array(names), _) => names.first().map(|name| format!("{} | None", word(name))).unwrap_or_default(),
        (name, _) => word(name).to_owned(),
    };
    Ok(Answer { output: Some(json!(python)), ..Answer::default() })
}

fn registered(record: &Record) -> Result<Answer, String> {
    let portable = record.options.get("portable").and_then(Value::as_bool);
    let mut toolbox = toolbox()?;
    let (added, logged) = listening(|| toolbox.add(imported(&record.input).portable(portable)));
    if let Err(error) = added {
        let raised = json!({"type": if matches!(error, ToolboxError::NotPortable(_)) { "SchemaNotPortable" } else { "another error" }});
        return Ok(Answer { raised: Some(raised), ..Answer::default() });
    }
    let checked = !toolbox.problems_of("remote_search").is_empty();
    let output = if checked && logged {
        json!({"registered": true, "problems_logged": "DEBUG"})
    } else {
        json!({"registered": true, "checked": checked})
    };
    Ok(Answer { output: Some(output), ..Answer::default() })
}

fn chat_tool(record: &Record) -> Result<Answer, String> {
    let mut toolbox = toolbox()?;
    toolbox.add(imported(&record.input)).map_err(|error| error.to_string())?;
    let strict = record.options.get("strict").and_then(Value::as_bool).unwrap_or(true);
    let surface = surface(if strict { "agent-adapter-openai-strict" } else { "agent-adapter-openai" })?;
    let rendered = toolbox.render(&surface).map_err(|error| error.to_string())?;
    let entry = rendered.entries().first().ok_or("nothing was rendered")?;
    Ok(Answer { output: Some(json!({"strict": entry["function"]["strict"]})), ..Answer::default() })
}

/// A call of a typed tool, as a model makes it in strict mode; the tool gives back what it got.
fn validate_args(record: &Record) -> Result<Answer, String> {
    let declared = record.input["declared"].as_str().unwrap_or_default();
    let tool = match declared {
        "top_k: int = 8" => echo::<TopK>(),
        "region: str | None = None" => echo::<Region>(),
        "query: str" => echo::<Query>(),
        "items: list[Item]; Item.n: int = 3" => echo::<Items>(),
        other => return Err(format!("no type stands for `{other}`")),
    };
    let mut toolbox = toolbox()?;
    toolbox.add(tool.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
    let rendered = toolbox.render(&surface("agent-adapter-openai-strict")?).map_err(|error| error.to_string())?;
    Ok(ran(toolbox.run(&rendered, Call::new("tool", record.input["arguments"].clone()))))
}

fn result_schema(record: &Record) -> Result<Answer, String> {
    type Nothing = std::convert::Infallible;
    let tool = match record.input["return"].as_str().unwrap_or_default() {
        "no annotation" => Ok(ToolSpec::own("tool", "A tool.", json!({"type": "object"})).with_handler(Ok)),
        "-> None" => ToolSpec::typed("tool", "A tool.", |_: Query| Ok::<(), Nothing>(())),
        "result= transform set" => {
            ToolSpec::typed_as("tool", "A tool.", |query: Query| Ok::<Query, Nothing>(query), |query| serde_json::to_value(query.query))
        }
        "type pydantic cannot describe" => {
            ToolSpec::typed("tool", "A tool.", |query: Query| Ok::<Anything, Nothing>(Anything { value: json!(query.query) }))
        }
        other => return Err(format!("nothing stands for a tool that returns {other}")),
    };
    let mut toolbox = toolbox()?;
    toolbox.add(tool.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
    let schema = toolbox.get("tool").and_then(ToolSpec::result_schema).cloned();
    Ok(Answer { output: Some(schema.unwrap_or(Value::Null)), ..Answer::default() })
}

fn toolbox() -> Result<Toolbox, String> {
    Toolbox::new().map_err(|error| error.to_string())
}

fn echo<A: DeserializeOwned + Serialize + JsonSchema + 'static>() -> Result<ToolSpec, ToolboxError> {
    ToolSpec::typed("tool", "A tool.", |arguments: A| Ok::<A, std::convert::Infallible>(arguments))
}

#[derive(Deserialize, JsonSchema, Serialize)]
#[schemars(crate = "schemalect::schemars")]
struct TopK {
    #[serde(default = "eight")]
    top_k: i64,
}

#[derive(Deserialize, JsonSchema, Serialize)]
#[schemars(crate = "schemalect::schemars")]
struct Region {
    region: Option<String>,
}

#[derive(Deserialize, JsonSchema, Serialize)]
#[schemars(crate = "schemalect::schemars")]
struct Query {
    query: String,
}

#[derive(Deserialize, JsonSchema, Serialize)]
#[schemars(crate = "schemalect::schemars")]
struct Items {
    items: Vec<Item>,
}

#[derive(Deserialize, JsonSchema, Serialize)]
#[schemars(crate = "schemalect::schemars")]
struct Item {
    #[serde(default = "three")]
    n: i64,
}

/// A result of which nothing can be told.
#[derive(Deserialize, JsonSchema, Serialize)]
#[schemars(crate = "schemalect::schemars")]
struct Anything {
    value: Value,
}

fn eight() -> i64 {
    8
}

fn three() -> i64 {
    3
}

/// Whether something is said to the log, at the level of debugging, meanwhile.
fn listening<T>(work: impl FnOnce() -> T) -> (T, bool) {
    static EAR: Ear = Ear;
    // Where somebody else listens already, nothing is heard here.
    if log::set_logger(&EAR).is_ok() {
        log::set_max_level(log::LevelFilter::Debug);
    }
    HEARD.with(|heard| heard.set(0));
    let done = work();
    (done, HEARD.with(Cell::get) > 0)
}

struct Ear;

thread_local! {
    static HEARD: Cell<usize> = const { Cell::new(0) };
}

impl log::Log for Ear {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() == log::Level::Debug && metadata.target().starts_with("schemalect")
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            HEARD.with(|heard| heard.set(heard.get() + 1));
        }
    }

    fn flush(&self) {}
}
