//! Reads a document into tools, in every form in which tools and schemas are written.

mod place;
mod shape;
mod stream;

use std::borrow::Cow;

use schemalect_engine::check::{Given, Tool as View};
use schemalect_engine::{Budget, Id, Kind, ReadError, Tree};

pub use place::{Document, Place};
pub use stream::{Line, LineReader, Opened, open};

use place::Base;
use shape::{Parts, SchemaAt, Shape, describe, kind_words, parts, shape};
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

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        let document = Budget { bytes: 256 << 20, depth: 192, nodes: 20_000_000, ..Budget::default() };
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
    /// Its schema.
    pub schema: Option<Id>,
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

    /// What the engine sees of a tool.
    #[must_use]
    pub fn view<'t>(&'t self, tool: &'t Tool) -> View<'t> {
        View { name: tool.name.given(), description: tool.description.given(), schema: tool.schema.map(|id| (self.document.tree(), id)) }
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
    let base = Base { offset: base.offset + bytes.len() - text.len(), ..base };
    let parsed = parse(text, &options.document).map_err(|e| unreadable(&e, base))?;
    let mut reader = Reader { tree: parsed.tree, deep: &parsed.deep, options, tools: Vec::new() };
    let single = reader.top();
    let Reader { tree, mut tools, .. } = reader;
    for (index, tool) in tools.iter_mut().enumerate() {
        tool.index = index;
    }
    let document = Document::new(tree, &parsed.text, base);
    match (single, parsed.error) {
        (Some(single), _) => Ok(ToolList { document, tools, single }),
        (None, Some(error)) => Err(unreadable(&error, base)),
        (None, None) => Err(unknown(&document, options.input)),
    }
}

fn unreadable(error: &ReadError, base: Base) -> InputError {
    let advice = match error.what.as_str() {
        _ if error.over_budget => "raise the limit with --limit, or leave this part out",
        what if what.starts_with("more text") => "give one JSON value, a list, or one value a line",
        what if what.starts_with("invalid UTF-8") => "save the file as UTF-8",
        what if what.contains("surrogate") => "write both halves of the surrogate pair, or the character itself",
        _ => "give a valid JSON document",
    };
    let kind = if error.over_budget { "over budget" } else { "not JSON" };
    InputError { line: base.line + error.line - 1, column: error.column, what: format!("{kind}: {}", error.what), advice }
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

struct Parsed<'t> {
    tree: Tree,
    text: Cow<'t, str>,
    /// Parts that are nested too deeply; `0` and blanks stand there in the tree.
    deep: Vec<(u32, u32)>,
    error: Option<ReadError>,
}

/// Parses; parts that are nested too deeply are left out, so that they harm nothing but their own tool.
fn parse<'t>(bytes: &'t [u8], budget: &Budget) -> Result<Parsed<'t>, ReadError> {
    let error = match Tree::parse_bytes(bytes, budget) {
        Ok(tree) => {
            let text = std::str::from_utf8(bytes).unwrap_or_default().into();
            return Ok(Parsed { tree, text, deep: Vec::new(), error: None });
        }
        Err(error) => error,
    };
    let blanked = if error.over_budget { std::str::from_utf8(bytes).ok().and_then(|text| blank_deep(text, budget.depth)) } else { None };
    match blanked {
        Some((text, deep)) if !deep.is_empty() => match Tree::parse(&text, budget) {
            Ok(tree) => Ok(Parsed { tree, text: text.into(), deep, error: Some(error) }),
            Err(_) => Err(error),
        },
        _ => Err(error),
    }
}

/// The text with `0` and blanks in place of every container nested more than `limit` levels, and where they stood.
fn blank_deep(text: &str, limit: usize) -> Option<(String, Vec<(u32, u32)>)> {
    let mut out = text.as_bytes().to_vec();
    let (mut depth, mut start, mut in_string, mut escaped) = (0_usize, 0, false, false);
    let mut deep = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth += 1;
                if depth == limit + 1 {
                    start = at;
                }
            }
            b']' | b'}' => {
                if depth == limit + 1 {
                    out[start..=at].fill(b' ');
                    out[start] = b'0';
                    deep.push((u32::try_from(start).ok()?, u32::try_from(at + 1).ok()?));
                }
                depth = depth.checked_sub(1)?;
            }
            _ => {}
        }
    }
    Some((String::from_utf8(out).ok()?, deep))
}

const NOT_A_TOOL: &str = "input/not-a-tool";
const OVER_BUDGET: &str = "input/over-budget";
const NAME_NOT_TEXT: &str = "input/name-not-text";
const SCHEMA_KIND: &str = "input/schema-kind";

struct Reader<'o> {
    tree: Tree,
    deep: &'o [(u32, u32)],
    options: &'o ReadOptions,
    tools: Vec<Tool>,
}

impl Reader<'_> {
    /// Reads the root: whether it was a single tool or schema, or nothing if it is none of the known forms.
    fn top(&mut self) -> Option<bool> {
        let root = self.tree.root();
        let object = self.tree.kind(root) == Kind::Object;
        match (self.options.input, shape(&self.tree, root, false)) {
            (Input::Schema, _) if object || self.tree.kind(root) == Kind::Bool => self.schema(root),
            (Input::Tool, Shape::Tool(found)) => self.tool(root, found),
            (Input::Tool, _) if object => self.tool(root, parts(&self.tree, root)),
            (Input::Tools | Input::Request | Input::Auto | Input::Ndjson, Shape::List(list)) => {
                self.list(list, 0);
                let useless = |t: &Tool| t.problem.as_ref().is_some_and(|p| p.rule == NOT_A_TOOL);
                let nothing = list == root && !self.tools.is_empty() && self.tools.iter().all(useless);
                return (!nothing).then_some(false);
            }
            (Input::Auto | Input::Ndjson, Shape::Schema(schema)) => self.schema(schema),
            (Input::Auto | Input::Ndjson, Shape::Tool(found)) => self.tool(root, found),
            _ => return None,
        }
        Some(true)
    }

    fn list(&mut self, list: Id, level: usize) {
        let entries: Vec<Id> = self.tree.children(list).collect();
        for entry in entries {
            match shape(&self.tree, entry, true) {
                Shape::List(inner) if level < 3 => self.list(inner, level + 1),
                Shape::Schema(_) | Shape::Unknown if self.deep_in(entry) => {
                    self.push(entry, Form::Tool, parts(&self.tree, entry));
                }
                Shape::Schema(schema) => self.schema(schema),
                Shape::Tool(found) => self.tool(entry, found),
                Shape::Foreign => self.push(entry, Form::Foreign, parts(&self.tree, entry)),
                Shape::List(_) | Shape::Unknown => {
                    self.push(entry, Form::Tool, parts(&self.tree, entry));
                    let what = format!("neither a tool nor a schema: {}", describe(&self.tree, entry));
                    self.problem(NOT_A_TOOL, entry, entry, what);
                }
            }
        }
    }

    fn schema(&mut self, schema: Id) {
        let found = Parts { name: None, description: None, schema: Some(SchemaAt::Node(schema)) };
        self.push(schema, Form::Schema, found);
    }

    fn tool(&mut self, entry: Id, found: Parts) {
        self.push(entry, Form::Tool, found);
        if let Some(name) = found.name.filter(|&n| self.tree.kind(n) != Kind::Str) {
            let what = format!("the name is {}, not a text", kind_words(self.tree.kind(name)));
            self.problem(NAME_NOT_TEXT, entry, name, what);
        }
    }

    fn push(&mut self, entry: Id, form: Form, found: Parts) {
        let schema = found.schema.map(|at| match at {
            SchemaAt::Node(id) => (id, id),
            SchemaAt::Parameters(map) => (map, of_parameters(&mut self.tree, map)),
        });
        let schema = schema.filter(|&(given, _)| self.tree.kind(given) != Kind::Null);
        self.tools.push(Tool {
            index: 0,
            name: Text::read(&self.tree, found.name),
            description: Text::read(&self.tree, found.description),
            form,
            problem: None,
            entry,
            schema: schema.map(|(_, made)| made),
        });
        if self.deep_in(entry) {
            let what = format!("nested more than {} levels deep", self.options.document.depth);
            self.problem(OVER_BUDGET, entry, entry, what);
        } else if let Some((given, _)) = schema {
            self.judge_schema(entry, given);
        }
    }

    fn judge_schema(&mut self, entry: Id, schema: Id) {
        let kind = self.tree.kind(schema);
        if !matches!(kind, Kind::Object | Kind::Bool) {
            let what = format!("the schema is {}, not an object or a boolean", kind_words(kind));
            self.problem(SCHEMA_KIND, entry, schema, what);
        } else if let Some(what) = over(&self.tree, schema, &self.options.schema) {
            self.problem(OVER_BUDGET, entry, schema, what);
        }
    }

    /// Notes the first problem of the tool read last.
    fn problem(&mut self, rule: &'static str, entry: Id, at: Id, message: String) {
        let (path, span) = (self.tree.pointer(entry, at), self.tree.span(at));
        if let Some(tool) = self.tools.last_mut() {
            tool.problem.get_or_insert(Problem { rule, message, path, span });
        }
    }

    fn deep_in(&self, entry: Id) -> bool {
        let Some((start, end)) = self.tree.span(entry) else { return false };
        self.deep.iter().any(|&(s, e)| start <= s && e <= end)
    }
}

/// The schema of a map of parameters to their schemas.
fn of_parameters(tree: &mut Tree, map: Id) -> Id {
    let schema = tree.new_object();
    let kind = tree.new_str("object");
    tree.insert(schema, "type", kind);
    let properties = tree.copy(map);
    tree.insert(schema, "properties", properties);
    schema
}

/// Which limit a schema exceeds.
fn over(tree: &Tree, schema: Id, budget: &Budget) -> Option<String> {
    let bytes = tree.raw(schema).len();
    if bytes > budget.bytes {
        return Some(format!("{bytes} bytes, the limit is {}", budget.bytes));
    }
    if bytes > budget.nodes && tree.descendants(schema).nth(budget.nodes).is_some() {
        return Some(format!("more than {} values", budget.nodes));
    }
    deeper(tree, schema, budget.depth).then(|| format!("nested more than {} levels deep", budget.depth))
}

/// Whether more than `limit` containers are nested; the document's own limit bounds the recursion.
fn deeper(tree: &Tree, id: Id, limit: usize) -> bool {
    match tree.kind(id) {
        Kind::Array | Kind::Object if limit == 0 => true,
        Kind::Array | Kind::Object => tree.children(id).any(|c| deeper(tree, c, limit - 1)),
        _ => false,
    }
}
