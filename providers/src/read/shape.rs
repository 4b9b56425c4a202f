//! Tells the forms apart in which a tool, a schema or a list of them is written.

use schemalect_engine::keyword::{KwSet, NOTES};
use schemalect_engine::{Id, Kind, Kw, Tree};

/// What an entry is, with the nodes that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A JSON Schema, without a tool around it.
    Schema(Id),
    /// A tool.
    Tool(Parts),
    /// A list of entries.
    List(Id),
    /// A tool that the provider itself brings: nothing of it is a schema.
    Foreign,
    /// None of these.
    Unknown,
}

/// Where the parts of a tool stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) name: Option<Id>,
    pub(crate) description: Option<Id>,
    pub(crate) schema: Option<SchemaAt>,
}

/// Where the schema of a tool stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemaAt {
    /// This node is the schema.
    Node(Id),
    /// This node is a map of parameter names to their schemas.
    Parameters(Id),
    /// This node is a list of parameters, each with its name.
    Named(Id),
}

const SCHEMA_KEYS: [&str; 5] = ["inputSchema", "input_schema", "parametersJsonSchema", "parameters_json_schema", "parameters"];
const PARAMETER_MAPS: [&str; 3] = ["parameter_definitions", "parameterDefinitions", "input_parameters"];
const GROUPS: [&str; 4] = ["functionDeclarations", "function_declarations", "tools", "functions"];
const ENVELOPES: [&str; 8] = ["result", "toolConfig", "tool_config", "config", "body", "request", "params", "data"];
/// Members of a tool that has no schema; an object with others is not taken for one.
const TOOL_MEMBERS: [&str; 20] = [
    "name",
    "description",
    "title",
    "type",
    "strict",
    "annotations",
    "outputSchema",
    "output_schema",
    "_meta",
    "meta",
    "icons",
    "execution",
    "cache_control",
    "input_examples",
    "defer_loading",
    "allowed_callers",
    "behavior",
    "response",
    "server",
    "version",
];
/// Members under which a request holds the schema of its answer.
const ANSWER_KEYS: [&str; 4] = ["responseSchema", "response_schema", "responseJsonSchema", "response_json_schema"];
/// Members that hold an answer's format, some of them once more under `format`.
const FORMATS: [&str; 7] = ["generationConfig", "generation_config", "config", "response_format", "output_format", "output_config", "text"];
const JSON_TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

/// What stands at this node. `listed`: it is an element of a list.
pub(crate) fn shape(tree: &Tree, id: Id, listed: bool) -> Shape {
    match tree.kind(id) {
        Kind::Array => Shape::List(id),
        Kind::Bool => Shape::Schema(id),
        Kind::Object => object(tree, id, listed),
        _ => Shape::Unknown,
    }
}

fn object(tree: &Tree, id: Id, listed: bool) -> Shape {
    if let Some(list) = group(tree, id).or_else(|| enveloped(tree, id)) {
        return Shape::List(list);
    }
    if let Some(parts) = account(tree, id) {
        return match parts {
            Parts { name: None, schema: Some(SchemaAt::Node(schema)), .. } => Shape::Schema(schema),
            parts => Shape::Tool(parts),
        };
    }
    if let Some(schema) = answer(tree, id) {
        return Shape::Schema(schema);
    }
    let typed = tree.get(id, Kw::Type).and_then(|t| tree.str(t));
    if listed && typed.is_some_and(|t| t == "custom") && is_free_text(tree, id) {
        return Shape::Foreign;
    }
    match tool(tree, id) {
        // A wrapper of a corpus: there is no tool around the schema.
        Some(Parts { name: None, schema: Some(SchemaAt::Node(schema)), .. }) if tree.key(schema) == "schema" => {
            return Shape::Schema(schema);
        }
        Some(parts) => return Shape::Tool(parts),
        None => {}
    }
    if is_schema(tree, id) {
        return Shape::Schema(id);
    }
    if listed && is_foreign(tree, id) {
        return Shape::Foreign;
    }
    Shape::Unknown
}

/// The list of tools that an object directly holds.
fn group(tree: &Tree, id: Id) -> Option<Id> {
    GROUPS.iter().filter_map(|name| tree.member(id, name)).find(|&list| tree.kind(list) == Kind::Array)
}

/// The list of tools in a response or request around it.
fn enveloped(tree: &Tree, id: Id) -> Option<Id> {
    ENVELOPES.iter().filter_map(|name| tree.member(id, name)).find_map(|inner| group(tree, inner))
}

/// The parts of an entry of the account that `adapt` gives; null stands there for what is absent.
fn account(tree: &Tree, id: Id) -> Option<Parts> {
    let has = |name: &str| tree.member(id, name).is_some();
    let given = |name: &str| tree.member(id, name).filter(|&m| tree.kind(m) != Kind::Null);
    let is_account = ["original_name", "outcome", "schema", "events"].into_iter().all(has);
    is_account.then(|| Parts { name: given("name"), description: given("description"), schema: given("schema").map(SchemaAt::Node) })
}

/// The entry of a tool that the provider brings, in the account that `adapt` gives.
pub(crate) fn brought(tree: &Tree, id: Id) -> Option<Id> {
    tree.member(id, "foreign").filter(|&f| tree.kind(f) == Kind::Object && account(tree, id).is_some())
}

/// The schema of an answer, where it stands without a tool around it: as a member of its own, or in a format.
fn answer(tree: &Tree, id: Id) -> Option<Id> {
    let schema = |of: Id, name: &str| tree.member(of, name).filter(|&s| matches!(tree.kind(s), Kind::Object | Kind::Bool));
    let direct = |of: Id| ANSWER_KEYS.iter().find_map(|name| schema(of, name));
    let typed = |of: Id| tree.get(of, Kw::Type).and_then(|t| tree.str(t)).is_some_and(|t| t == "json_schema");
    let formatted = |of: Id| typed(of).then(|| schema(schema(of, "json_schema").unwrap_or(of), "schema")).flatten();
    // With keywords of its own it is a schema itself.
    let shaped = !tree.keys(id).without(NOTES.with(KwSet::OTHER)).is_empty();
    let inner = || {
        let held = FORMATS.iter().filter_map(|name| tree.member(id, name));
        held.flat_map(|f| [Some(f), tree.member(f, "format")]).flatten().find_map(|f| direct(f).or_else(|| formatted(f)))
    };
    if shaped { None } else { direct(id).or_else(inner) }
}

/// The parts of a tool in any wire form.
pub(crate) fn tool(tree: &Tree, id: Id) -> Option<Parts> {
    let object = |name: &str| tree.member(id, name).filter(|&m| tree.kind(m) == Kind::Object);
    if let Some(inner) = object("function").filter(|&f| tree.member(f, "name").is_some() || schema_of(tree, f).is_some()) {
        return Some(parts(tree, inner));
    }
    if let Some(inner) = object("toolSpec").or_else(|| object("tool_spec")) {
        return Some(parts(tree, inner));
    }
    if let Some(inner) = object("json_schema").filter(|&f| tree.member(f, "schema").is_some()) {
        return Some(parts(tree, inner));
    }
    let found = parts(tree, id);
    let shaped = !tree.keys(id).without(NOTES.with(KwSet::OTHER)).without(KwSet::of(&[Kw::Type, Kw::Id, Kw::OldId])).is_empty();
    let named = found.name.is_some_and(|n| tree.kind(n) == Kind::Str);
    let is_tool = match found.schema {
        Some(_) => named || !shaped,
        None => named && !shaped && tree.children(id).all(|c| TOOL_MEMBERS.contains(&tree.key(c).as_ref())),
    };
    (is_tool && (found.schema.is_some() || !is_foreign(tree, id))).then_some(found)
}

/// Members around the parts of a tool that are no statement about it.
const WRAPPERS: [&str; 5] = ["function", "toolSpec", "tool_spec", "json_schema", "type"];

/// What a tool carries besides its name, description and schema: the members beside its name, then those of the entry around it.
pub(crate) fn others(tree: &Tree, entry: Id, name: Option<Id>) -> Vec<(String, Id)> {
    let holder = name.and_then(|n| tree.parent(n)).unwrap_or(entry);
    let account = tree.member(entry, "other").filter(|_| account(tree, entry).is_some());
    let places = if let Some(other) = account { vec![other] } else { vec![holder, entry] };
    let mut out: Vec<(String, Id)> = Vec::new();
    let is_part = |key: &str| {
        let parts = ["name", "description", "schema"].iter().chain(&WRAPPERS).chain(&SCHEMA_KEYS).chain(&PARAMETER_MAPS);
        parts.copied().any(|part| part == key)
    };
    for member in places.into_iter().filter(|&p| tree.kind(p) == Kind::Object).flat_map(|p| tree.children(p)) {
        let key = tree.key(member);
        if !is_part(&key) && out.iter().all(|(k, _)| *k != key) {
            out.push((key.into_owned(), member));
        }
    }
    out
}

/// The parts of a bare declaration.
pub(crate) fn parts(tree: &Tree, id: Id) -> Parts {
    Parts { name: tree.member(id, "name"), description: tree.member(id, "description"), schema: schema_of(tree, id) }
}

fn schema_of(tree: &Tree, id: Id) -> Option<SchemaAt> {
    let first = |names: &[&str]| names.iter().find_map(|name| tree.member(id, name));
    if let Some(list) = first(&SCHEMA_KEYS).or_else(|| first(&PARAMETER_MAPS)).filter(|&l| is_named_list(tree, l)) {
        return Some(SchemaAt::Named(list));
    }
    if let Some(schema) = first(&SCHEMA_KEYS) {
        // Bedrock wraps the document once more.
        let wrapped = if tree.count(schema) == 1 { tree.member(schema, "json") } else { None };
        return Some(SchemaAt::Node(wrapped.unwrap_or(schema)));
    }
    if let Some(map) = first(&PARAMETER_MAPS) {
        return Some(SchemaAt::Parameters(map));
    }
    first(&["schema"]).filter(|&s| matches!(tree.kind(s), Kind::Object | Kind::Bool)).map(SchemaAt::Node)
}

/// Whether these are parameters of the kind `[{"name": "a", "type": "string"}]`.
pub(crate) fn is_named_list(tree: &Tree, id: Id) -> bool {
    let named = |p: Id| tree.member(p, "name").is_some_and(|n| tree.kind(n) == Kind::Str);
    tree.kind(id) == Kind::Array && tree.count(id) > 0 && tree.children(id).all(named)
}

/// Whether an object can be read as a schema: it has a keyword and, where it has only annotations, nothing else.
fn is_schema(tree: &Tree, id: Id) -> bool {
    let keys = tree.keys(id);
    if keys.is_empty() {
        return true;
    }
    let typed = tree.get(id, Kw::Type).and_then(|t| tree.str(t));
    let odd_type = typed.as_deref().is_some_and(|t| !JSON_TYPES.contains(&t.to_ascii_lowercase().as_str()));
    let speaking = keys.without(NOTES.with(KwSet::OTHER).with(KwSet::of(&[Kw::Id, Kw::OldId])));
    let speaking = if odd_type { speaking.without(KwSet::of(&[Kw::Type])) } else { speaking };
    let marked = keys.has(Kw::Schema);
    marked
        || !speaking.is_empty()
        || (!keys.meets(KwSet::OTHER) && !odd_type)
        || (odd_type && tree.count(id) == 1 && tree.parent(id).is_none())
}

/// A custom tool, of which the model writes free text and no arguments.
fn is_free_text(tree: &Tree, id: Id) -> bool {
    let object = |name: &str| tree.member(id, name).is_some_and(|m| tree.kind(m) == Kind::Object);
    schema_of(tree, id).is_none() && (object("custom") || object("format"))
}

/// `{"type": "web_search", …}`, `{"googleSearch": {}}` and the like.
fn is_foreign(tree: &Tree, id: Id) -> bool {
    let typed = tree.get(id, Kw::Type).and_then(|t| tree.str(t));
    match typed {
        Some(t) => !matches!(t.as_ref(), "function" | "custom") && !JSON_TYPES.contains(&t.as_ref()),
        None => tree.count(id) == 1 && tree.children(id).all(|c| tree.kind(c) == Kind::Object && tree.kw(c).is_none()),
    }
}

/// An entry in a few words, for an error.
pub(crate) fn describe(tree: &Tree, id: Id) -> String {
    match tree.kind(id) {
        Kind::Object if tree.count(id) == 0 => "an empty object".to_owned(),
        Kind::Object => {
            let names: Vec<String> = tree.children(id).take(4).map(|c| format!("`{}`", short(&tree.key(c)))).collect();
            let more = if tree.count(id) > 4 { ", …" } else { "" };
            format!("an object with {}{more}", names.join(", "))
        }
        Kind::Array => match tree.children(id).next() {
            None => "an empty list".to_owned(),
            Some(first) => format!("a list that begins with {}", kind_words(tree.kind(first))),
        },
        kind => kind_words(kind).to_owned(),
    }
}

/// A kind with its article.
pub(crate) const fn kind_words(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::Num => "a number",
        Kind::Str => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
    }
}

fn short(name: &str) -> String {
    let cut: String = name.chars().take(40).collect();
    if cut.len() < name.len() { format!("{cut}…") } else { cut }
}
