//! Reads a document into tools, in every form in which tools and schemas are written.

mod entries;
mod parse;
mod place;
mod shape;
mod stream;

use schemalect_engine::check::{Given, Tool as View};
use schemalect_engine::{Budget, Id, Kind, Tree};

pub use place::{Document, Place};
pub use stream::{Line, LineReader, Opened, open};

use entries::entries;
use parse::{parse, unreadable};
use place::Base;
use shape::{describe, others};
use stream::without_mark;

/// How the input is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// It is told apart.
    #[default]
    Auto,
    /// One JSON Schema.
    Schema,
    /// One tool.
    Tool,
    /// A list of tools, or an object that holds one.
    Tools,
    /// A request body, or a response, that holds a list of tools.
    Request,
    /// One document a line.
    Ndjson,
}

/// Choices for reading.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// The form of the input.
    pub input: Input,
    /// Limits of each schema; one that exceeds them is that tool's own problem.
    pub schema: Budget,
    /// Limits of a document; one that exceeds them is not read.
    pub document: Budget,
}

impl ReadOptions {
    /// No document is read that is nested more deeply, whatever its budget: readers recurse as deep as it is nested.
    pub const DEEPEST: usize = Budget::DEEPEST;
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        let document = Budget { bytes: 256 << 20, depth: 192, nodes: 10_000_000, ..Budget::default() };
        ReadOptions { input: Input::Auto, schema: Budget::default(), document }
    }
}

/// Why an input could not be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {what}; {advice}")]
pub struct InputError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was seen.
    pub what: String,
    /// What to do.
    pub advice: &'static str,
}

/// The tools of one document, in order.
#[derive(Debug)]
pub struct ToolList {
    document: Document,
    tools: Vec<Tool>,
    single: bool,
}

/// A tool, or a schema without one, of a [`ToolList`].
#[derive(Debug)]
pub struct Tool {
    /// Its position in the list.
    pub index: usize,
    /// Its name.
    pub name: Text,
    /// Its description.
    pub description: Text,
    /// What it is.
    pub form: Form,
    /// Why it cannot be checked.
    pub problem: Option<Problem>,
    /// The whole entry.
    pub entry: Id,
    /// Where its name stands.
    pub name_at: Option<Id>,
    /// Where its description stands.
    pub description_at: Option<Id>,
    /// Its schema.
    pub schema: Option<Id>,
    /// The null that stands in the place of its schema.
    pub(crate) null_at: Option<Id>,
}

/// A text member as it was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Text {
    /// Not there.
    #[default]
    Missing,
    /// `null`.
    Null,
    /// Something that is no text.
    Odd,
    /// This text.
    Is(String),
}

impl Text {
    /// The text, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Text::Is(text) = self { Some(text) } else { None }
    }

    fn given(&self) -> Given<'_> {
        match self {
            Text::Missing => Given::Missing,
            Text::Null => Given::Null,
            Text::Odd => Given::Odd,
            Text::Is(text) => Given::Text(text),
        }
    }

    fn read(tree: &Tree, id: Option<Id>) -> Text {
        let Some(id) = id else { return Text::Missing };
        match tree.kind(id) {
            Kind::Null => Text::Null,
            Kind::Str => Text::Is(tree.str(id).unwrap_or_default().into_owned()),
            _ => Text::Odd,
        }
    }
}

/// What an entry of a [`ToolList`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A JSON Schema without a name.
    Schema,
    /// A tool.
    Tool,
    /// A tool that the provider itself brings; it has no schema and goes through as it is.
    Foreign,
}

/// Why an entry cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, as the id of a rule.
    pub rule: &'static str,
    /// The same in a sentence.
    pub message: String,
    /// Pointer into the entry.
    pub path: String,
    /// Bytes of the document's text.
    pub span: Option<(u32, u32)>,
}

impl ToolList {
    /// The tools, in order.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The document they stand in.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Whether the input was one tool or schema, not a list.
    #[must_use]
    pub fn is_single(&self) -> bool {
        self.single
    }

    /// What a tool carries besides its name, description and schema, as JSON.
    #[must_use]
    pub fn others(&self, tool: &Tool) -> Vec<(String, String)> {
        let tree = self.document.tree();
        let others = if tool.form == Form::Tool { others(tree, tool.entry, tool.name_at) } else { Vec::new() };
        others.into_iter().map(|(key, member)| (key, tree.to_json(member))).collect()
    }

    /// What the engine sees of a tool.
    #[must_use]
    pub fn view<'t>(&'t self, tool: &'t Tool) -> View<'t> {
        View {
            name: tool.name.given(),
            description: tool.description.given(),
            schema: tool.schema.or(tool.null_at).map(|id| (self.document.tree(), id)),
        }
    }
}

/// Reads one document.
///
/// # Errors
/// The text is no JSON, over budget, or none of the known forms; the error says what was seen and where.
///
/// ```
/// use schemalect::{ReadOptions, read};
///
/// let list = read(br#"{"tools": [{"name": "ping", "inputSchema": {"type": "object"}}]}"#, &ReadOptions::default())?;
/// assert_eq!(list.tools()[0].name.as_str(), Some("ping"));
///
/// let error = read(b"[1, 2", &ReadOptions::default()).unwrap_err();
/// assert_eq!((error.line, error.column), (1, 6));
/// # Ok::<(), schemalect::InputError>(())
/// ```
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<ToolList, InputError> {
    read_at(bytes, Base::START, options)
}

fn read_at(bytes: &[u8], base: Base, options: &ReadOptions) -> Result<ToolList, InputError> {
    let text = without_mark(bytes);
    let base = Base { offset: base.offset.saturating_add(bytes.len()).saturating_sub(text.len()), ..base };
    let budget = Budget { depth: options.document.depth.min(ReadOptions::DEEPEST), ..options.document };
    let parsed = parse(text, &budget).map_err(|e| unreadable(&e, &budget, base))?;
    let found = entries(parsed.tree, &parsed.deep, &ReadOptions { document: budget, ..*options });
    let document = Document::new(found.tree, &parsed.text, base);
    match (found.single, parsed.error) {
        (Some(single), _) => Ok(ToolList { document, tools: found.tools, single }),
        (None, Some(error)) => Err(unreadable(&error, &budget, base)),
        (None, None) => Err(unknown(&document, options.input)),
    }
}

fn unknown(document: &Document, input: Input) -> InputError {
    let root = document.tree().root();
    let (line, column) = document.place_of(root).map_or((1, 1), |p| (p.line, p.column));
    let (wanted, advice) = match input {
        Input::Schema => ("no JSON Schema", "give an object or a boolean, or drop --input"),
        Input::Tool => ("no tool", "give an object with a name and a schema, or drop --input"),
        Input::Tools | Input::Request => ("no list of tools", "give a list, or an object with a `tools` list, or drop --input"),
        Input::Auto | Input::Ndjson => (
            "neither a schema nor tools",
            "give a JSON Schema, a tool, a list of tools or an object with a `tools` list, or force a reading with --input",
        ),
    };
    InputError { line, column, what: format!("{wanted}: saw {}", describe(document.tree(), root)), advice }
}
