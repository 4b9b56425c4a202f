//! A tool: what models are told of it, what runs it, and where it may go.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value, json};

/// What a tool's function reports when it fails.
pub type Failure = Box<dyn Error + Send + Sync>;

/// What runs a tool.
pub(crate) type Handler = Arc<dyn Fn(Value) -> Result<Value, Ran> + Send + Sync>;

/// Why a handler gave nothing.
pub(crate) enum Ran {
    /// The arguments are not what its type takes.
    Arguments(String),
    /// It failed.
    Failed(Failure),
}

/// Where a tool's schema comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The program itself; it can be written so that every provider takes it.
    Own,
    /// Elsewhere: an MCP server, an OpenAPI document; it is as it is.
    Imported,
}

/// How the arguments of an imported tool are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Checked {
    /// By the whole schema.
    #[default]
    Fully,
    /// By its loose reading alone, see [`loose_schema`](super::loose_schema).
    Loosely,
}

/// A tool.
#[derive(Clone)]
pub struct ToolSpec {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) input_schema: Value,
    pub(crate) output_schema: Option<Value>,
    pub(crate) origin: Origin,
    pub(crate) portable: Option<bool>,
    pub(crate) checked: Checked,
    pub(crate) targets: Vec<String>,
    pub(crate) handler: Option<Handler>,
}

impl ToolSpec {
    /// A tool whose schema comes from elsewhere. The schema stays as it is given; arguments that it does not name are refused unless its
    /// root says something of them.
    #[must_use]
    pub fn imported(name: impl Into<String>, description: impl Into<String>, schema: Value) -> ToolSpec {
        ToolSpec {
            name: name.into(),
            description: description.into(),
            input_schema: schema,
            output_schema: None,
            origin: Origin::Imported,
            portable: None,
            checked: Checked::Fully,
            targets: Vec::new(),
            handler: None,
        }
    }

    /// A tool of the program's own, with a schema that is written out.
    #[must_use]
    pub fn own(name: impl Into<String>, description: impl Into<String>, schema: Value) -> ToolSpec {
        ToolSpec { origin: Origin::Own, ..ToolSpec::imported(name, description, schema) }
    }

    /// What runs it: it gets an object that holds exactly the arguments that were set, under the schema's own names.
    #[must_use]
    pub fn with_handler(self, handler: impl Fn(Value) -> Result<Value, Failure> + Send + Sync + 'static) -> ToolSpec {
        ToolSpec { handler: Some(Arc::new(move |arguments| handler(arguments).map_err(Ran::Failed))), ..self }
    }

    /// The schema of its results, where it has one.
    #[must_use]
    pub fn with_result_schema(self, schema: Option<Value>) -> ToolSpec {
        ToolSpec { output_schema: schema, ..self }
    }

    /// Whether it has to be portable: `Some(true)` refuses it where it is not, `Some(false)` looks at nothing, `None` is the first for a
    /// tool of the program's own, and for an imported one only notes what is found.
    #[must_use]
    pub fn portable(self, portable: Option<bool>) -> ToolSpec {
        ToolSpec { portable, ..self }
    }

    /// How its arguments are judged.
    #[must_use]
    pub fn checked(self, checked: Checked) -> ToolSpec {
        ToolSpec { checked, ..self }
    }

    /// The profiles for which it is rendered, `*` at the end for any ending; every profile where none is named.
    #[must_use]
    pub fn only_for<T: Into<String>>(self, targets: impl IntoIterator<Item = T>) -> ToolSpec {
        ToolSpec { targets: targets.into_iter().map(Into::into).collect(), ..self }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its description.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The schema of its arguments, as it was given or derived.
    #[must_use]
    pub fn json_schema(&self) -> &Value {
        &self.input_schema
    }

    /// The schema of its results, if it is known.
    #[must_use]
    pub fn result_schema(&self) -> Option<&Value> {
        self.output_schema.as_ref()
    }

    /// Where its schema comes from.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.origin
    }

    pub(crate) fn is_for(&self, target: &str) -> bool {
        let fits = |pattern: &String| match pattern.strip_suffix('*') {
            Some(beginning) => target.starts_with(beginning),
            None => target == pattern,
        };
        self.targets.is_empty() || self.targets.iter().any(fits)
    }

    /// The tool as an entry of a list.
    pub(crate) fn entry(&self) -> Value {
        let mut entry = Map::new();
        entry.insert("name".to_owned(), json!(self.name));
        entry.insert("description".to_owned(), json!(self.description));
        entry.insert("inputSchema".to_owned(), self.input_schema.clone());
        if let Some(schema) = &self.output_schema {
            entry.insert("outputSchema".to_owned(), schema.clone());
        }
        Value::Object(entry)
    }
}

impl fmt::Debug for ToolSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ToolSpec { name, origin, portable, checked, targets, .. } = self;
        let mut out = f.debug_struct("ToolSpec");
        out.field("name", name).field("origin", origin).field("portable", portable).field("checked", checked).field("targets", targets);
        out.finish_non_exhaustive()
    }
}
