//! The entries of a document, each with what hinders checking it.

use schemalect_engine::{Budget, Id, Kind, Tree};

use super::shape::{Parts, SchemaAt, Shape, brought, describe, is_named_list, kind_words, parts, shape};
use super::{Form, Input, Problem, ReadOptions, Text, Tool};

const NOT_A_TOOL: &str = "input/not-a-tool";
const OVER_BUDGET: &str = "input/over-budget";
const NAME_NOT_TEXT: &str = "input/name-not-text";
const DESCRIPTION_NOT_TEXT: &str = "input/description-not-text";
const SCHEMA_KIND: &str = "input/schema-kind";

/// The entries of a document.
pub(super) struct Found {
    /// The document, with schemas that had to be made.
    pub(super) tree: Tree,
    pub(super) tools: Vec<Tool>,
    /// Whether it was one tool or schema; nothing where it is none of the known forms.
    pub(super) single: Option<bool>,
}

/// Reads a document into entries; `deep` are the parts that were left out.
pub(super) fn entries(tree: Tree, deep: &[(u32, u32)], options: &ReadOptions) -> Found {
    let mut reader = Reader { tree, deep, options, tools: Vec::new() };
    let single = reader.top();
    reader.among_tools();
    let Reader { tree, mut tools, .. } = reader;
    for (index, tool) in tools.iter_mut().enumerate() {
        tool.index = index;
    }
    Found { tree, tools, single }
}

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
            let entry = brought(&self.tree, entry).unwrap_or(entry);
            match shape(&self.tree, entry, true) {
                Shape::List(inner) if level < 3 && inner != entry => self.list(inner, level.saturating_add(1)),
                Shape::Schema(schema) if self.is_nothing(schema) && list != self.tree.root() => self.tool(entry, parts(&self.tree, entry)),
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

    /// `{}`, which is a schema where there are only schemas, and else a tool of which nothing is given.
    fn is_nothing(&self, entry: Id) -> bool {
        self.tree.kind(entry) == Kind::Object && self.tree.count(entry) == 0
    }

    fn among_tools(&mut self) {
        if self.tools.iter().any(|t| t.form == Form::Tool && t.name.as_str().is_some()) {
            let tree = &self.tree;
            for tool in self.tools.iter_mut().filter(|t| t.form == Form::Schema) {
                let nothing = tree.kind(tool.entry) == Kind::Object && tree.count(tool.entry) == 0;
                (tool.form, tool.schema) = (Form::Tool, tool.schema.filter(|_| !nothing));
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
        let is_text = |d: &Id| matches!(self.tree.kind(*d), Kind::Str | Kind::Null);
        if let Some(description) = found.description.filter(|d| !is_text(d)) {
            let what = format!("the description is {}, not a text", kind_words(self.tree.kind(description)));
            self.problem(DESCRIPTION_NOT_TEXT, entry, description, what);
        }
    }

    fn push(&mut self, entry: Id, form: Form, found: Parts) {
        let schema = found.schema.map(|at| match at {
            SchemaAt::Node(id) => (id, id),
            SchemaAt::Parameters(map) => (map, of_parameters(&mut self.tree, map)),
            SchemaAt::Named(list) => (list, of_named(&mut self.tree, list)),
        });
        let (schema, null_at) = match schema {
            Some((given, _)) if self.tree.kind(given) == Kind::Null => (None, Some(given)),
            schema => (schema, None),
        };
        self.tools.push(Tool {
            index: 0,
            name: Text::read(&self.tree, found.name),
            description: Text::read(&self.tree, found.description),
            form,
            problem: None,
            entry,
            name_at: found.name,
            description_at: found.description,
            schema: schema.map(|(_, made)| made),
            null_at,
        });
        if self.tree.kind(entry) == Kind::Object && self.deep_in(entry) {
            let what = format!("nested more than {} levels deep", self.options.document.depth);
            self.problem(OVER_BUDGET, entry, entry, what);
        } else if let Some((given, _)) = schema {
            self.judge_schema(entry, given);
        }
    }

    fn judge_schema(&mut self, entry: Id, schema: Id) {
        let kind = self.tree.kind(schema);
        if !matches!(kind, Kind::Object | Kind::Bool) && !is_named_list(&self.tree, schema) {
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
        let first = self.deep.partition_point(|&(s, _)| s < start);
        self.deep.get(first).is_some_and(|&(_, e)| e <= end)
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

/// The schema of a list of parameters that carry their names.
fn of_named(tree: &mut Tree, list: Id) -> Id {
    let map = tree.new_object();
    let parameters: Vec<(String, Id)> =
        tree.children(list).filter_map(|p| Some((tree.str(tree.member(p, "name")?)?.into_owned(), p))).collect();
    for (name, parameter) in parameters {
        let copy = tree.copy(parameter);
        if let Some(own) = tree.member(copy, "name") {
            tree.detach(own);
        }
        tree.insert(map, &name, copy);
    }
    of_parameters(tree, map)
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
        Kind::Array | Kind::Object => tree.children(id).any(|c| deeper(tree, c, limit.saturating_sub(1))),
        _ => false,
    }
}
