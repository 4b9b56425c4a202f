//! Where a verdict or a finding points, and whether two of them mean the same node.

use std::collections::HashMap;

use schemalect::engine::attr::Attr;
use schemalect::engine::keyword::{Holds, Kw};
use schemalect::engine::path::token_name;
use schemalect::engine::plan::{Pred, Test, TextOf};
use schemalect::engine::{Finding, Id, Tree, finding, site};

use crate::judge::Part as Judged;
use crate::verdict::Kind;

/// A place in a list of tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The tool, by its position; `None` for the list as a whole.
    pub tool: Option<usize>,
    /// The part of the tool.
    pub part: Part,
    /// JSON Pointer into the schema; empty for the other parts.
    pub pointer: String,
}

/// A part of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its name.
    Name,
    /// Its description.
    Description,
    /// Its schema.
    Schema,
    /// Another member, or the tool itself.
    Tool,
}

/// The keys under which a tool holds its schema.
const SCHEMAS: [&str; 8] =
    ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "schema", "json", "parameter_definitions", "responseSchema"];
/// The keys that only wrap a tool's parts.
const WRAPPERS: [&str; 5] = ["function", "custom", "toolSpec", "json_schema", "functionDeclarations"];

impl Place {
    /// The place that a pointer into a verdict's input means.
    #[must_use]
    pub fn recorded(kind: Kind, pointer: &str) -> Place {
        match kind {
            Kind::Schema => Place { tool: Some(0), part: Part::Schema, pointer: pointer.to_owned() },
            Kind::Tool => Place::in_tool(0, pointer),
            Kind::Request => {
                let mut tokens = pointer.splitn(4, '/').skip(1);
                match (tokens.next(), tokens.next().and_then(|t| t.parse().ok())) {
                    (Some("tools"), Some(tool)) => {
                        let rest = tokens.next().map(|rest| format!("/{rest}"));
                        Place::in_tool(tool, rest.as_deref().unwrap_or_default())
                    }
                    _ => Place { tool: None, part: Part::Tool, pointer: String::new() },
                }
            }
        }
    }

    fn in_tool(tool: usize, pointer: &str) -> Place {
        let mut rest = pointer;
        while let Some((token, after)) = rest.strip_prefix('/').map(|r| r.find('/').map_or((r, ""), |at| r.split_at(at))) {
            let part = match token {
                "name" => Part::Name,
                "description" => Part::Description,
                token if SCHEMAS.contains(&token) => {
                    // Bedrock's `inputSchema` holds the schema under `json`.
                    let inner = after.strip_prefix("/json").filter(|_| token == "inputSchema").unwrap_or(after);
                    return Place { tool: Some(tool), part: Part::Schema, pointer: inner.to_owned() };
                }
                token if WRAPPERS.contains(&token) => {
                    rest = after;
                    continue;
                }
                _ => Part::Tool,
            };
            return Place { tool: Some(tool), part, pointer: String::new() };
        }
        Place { tool: Some(tool), part: Part::Tool, pointer: String::new() }
    }

    /// The place of a finding on a tool, or on the list.
    #[must_use]
    pub fn of(tool: Option<usize>, finding: &Finding) -> Place {
        let part = match finding.subject {
            finding::Subject::Schema => Part::Schema,
            finding::Subject::Name => Part::Name,
            finding::Subject::Description => Part::Description,
            finding::Subject::Tool | finding::Subject::Request => Part::Tool,
        };
        let pointer = if part == Part::Schema { finding.path.clone() } else { String::new() };
        Place { tool, part, pointer }
    }
}

/// The schema nodes of every tool of an input, by their pointers, each with the local pointer that it refers to.
pub(crate) struct Nodes(HashMap<usize, HashMap<String, Option<String>>>);

impl Nodes {
    /// Lists the schema nodes of these tools.
    pub(crate) fn of(parts: &[Judged<'_>]) -> Nodes {
        let mut nodes = HashMap::new();
        for part in parts {
            for tool in part.list.tools() {
                let schema = part.list.view(tool).schema.map(|(tree, root)| pointers(tree, root));
                nodes.insert(part.position(tool.index), schema.unwrap_or_default());
            }
        }
        Nodes(nodes)
    }

    /// The pointer to the nearest schema node.
    fn reduce<'p>(&self, tool: usize, pointer: &'p str) -> &'p str {
        let Some(known) = self.0.get(&tool) else { return "" };
        let mut at = pointer;
        while !known.contains_key(at) {
            match at.rfind('/') {
                Some(cut) => at = &at[..cut],
                None => return "",
            }
        }
        at
    }

    /// The pointer that a schema node refers to.
    fn target(&self, tool: usize, pointer: &str) -> Option<&str> {
        self.0.get(&tool)?.get(pointer)?.as_deref()
    }

    /// Whether a recorded place and that of a finding mean the same node. A rule that speaks `of_property` may stand at a property
    /// where the provider names only its object.
    pub(crate) fn same(&self, recorded: &Place, found: &Place, of_property: bool) -> bool {
        let Some(tool) = recorded.tool else { return found.tool.is_none() };
        if found.tool != recorded.tool {
            // What is against a list need not say at which tool it is shown.
            return found.tool.is_none() && recorded.part == found.part;
        }
        match (recorded.part, found.part) {
            (Part::Schema, Part::Schema) => {
                let (a, b) = (self.reduce(tool, &recorded.pointer), self.reduce(tool, &found.pointer));
                a == b
                    || holder(a) == Some(b)
                    || holder(b) == Some(a)
                    || (of_property && parent_object(b) == Some(a))
                    // A provider may name the definition where the rule stands at the reference.
                    || (!a.is_empty() && self.target(tool, b) == Some(a))
            }
            // A schema that is missing, or none at all, is the tool's fault.
            (Part::Schema, Part::Tool) => recorded.pointer.is_empty(),
            (a, b) => a == b,
        }
    }
}

fn pointers(tree: &Tree, root: Id) -> HashMap<String, Option<String>> {
    let mut out = HashMap::new();
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        let reference = tree.member(node, Kw::Ref.name()).and_then(|text| tree.str(text));
        let local = reference.and_then(|text| text.strip_prefix('#').map(str::to_owned));
        out.insert(tree.pointer(root, node), local);
        site::subschemas(tree, node, |child, _| todo.push(child));
    }
    out
}

/// The node that a schema stands in as the value of a keyword (`items`, `not`…): the keyword falls away where places are compared.
fn holder(pointer: &str) -> Option<&str> {
    let (rest, keyword) = pointer.rsplit_once('/')?;
    let whole = |kw: Kw| matches!(kw.holds(), Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool);
    // Below `properties` or `$defs` it is a name.
    let named = rest.rsplit('/').next().and_then(Kw::of).is_some_and(|kw| kw.holds() == Holds::SchemaMap);
    (!named && Kw::of(keyword).is_some_and(whole)).then_some(rest)
}

/// The name of a property, and the object that it belongs to.
#[must_use]
pub(crate) fn property(pointer: &str) -> Option<String> {
    let (rest, name) = pointer.rsplit_once('/')?;
    rest.ends_with("/properties").then(|| token_name(name))
}

/// The object that a property belongs to.
fn parent_object(pointer: &str) -> Option<&str> {
    let (rest, _) = pointer.rsplit_once('/')?;
    rest.strip_suffix("/properties")
}

/// Whether a predicate speaks of a property as such: that it is optional, or what it is called.
#[must_use]
pub fn speaks_of_property(pred: &Pred) -> bool {
    let inner = |test: &Test| match test {
        Test::Text(TextOf::PropertyName, _) => true,
        Test::All(parts) | Test::Any(parts) => parts.iter().any(speaks_of_property),
        _ => false,
    };
    pred.is.has(Attr::Optional) || pred.tests.iter().any(inner)
}

#[cfg(test)]
mod tests {
    use schemalect::Budget;

    use super::*;

    #[test]
    fn recorded_places() {
        let check = |kind, pointer: &str, tool: Option<usize>, part, rest: &str| {
            assert_eq!(Place::recorded(kind, pointer), Place { tool, part, pointer: rest.to_owned() }, "{pointer}");
        };
        check(Kind::Schema, "/properties/a", Some(0), Part::Schema, "/properties/a");
        check(Kind::Tool, "/parameters/properties/a", Some(0), Part::Schema, "/properties/a");
        check(Kind::Tool, "/parameters", Some(0), Part::Schema, "");
        check(Kind::Tool, "/function/parameters/required", Some(0), Part::Schema, "/required");
        check(Kind::Tool, "/toolSpec/inputSchema/json/properties", Some(0), Part::Schema, "/properties");
        check(Kind::Tool, "/name", Some(0), Part::Name, "");
        check(Kind::Tool, "/strict", Some(0), Part::Tool, "");
        check(Kind::Tool, "", Some(0), Part::Tool, "");
        check(Kind::Request, "/tools", None, Part::Tool, "");
        check(Kind::Request, "/tools/3/parameters/properties/a~1b", Some(3), Part::Schema, "/properties/a~1b");
        check(Kind::Request, "/tools/3", Some(3), Part::Tool, "");
    }

    #[test]
    fn places_that_are_the_same() {
        let schema = r##"{"properties": {"a": {"type": "array", "items": {"anyOf": [{}, {}]}, "not": {}}, "items": {}, "not": {}, "r": {"$ref": "#/$defs/d"}}, "$defs": {"d": {}}, "required": ["b"]}"##;
        let tree = Tree::parse(schema, &Budget::default()).expect("it parses");
        let nodes = Nodes(HashMap::from([(0, pointers(&tree, tree.root()))]));
        let check = |recorded: &str, found: &str, of_property: bool, same: bool| {
            let place = |pointer: &str| Place { tool: Some(0), part: Part::Schema, pointer: pointer.to_owned() };
            assert_eq!(nodes.same(&place(recorded), &place(found), of_property), same, "{recorded} {found}");
        };
        check("/required", "", false, true);
        check("/required/0", "", false, true);
        check("/properties", "", false, true);
        check("/properties/a/items", "/properties/a", false, true);
        check("/properties/a", "/properties/a/items", false, true);
        check("/properties/a/items/anyOf", "/properties/a/items", false, true);
        check("/properties/a/not", "/properties/a", false, true);
        check("/properties/not", "/properties/a", false, false);
        check("/properties/a/items/anyOf/1/type", "/properties/a/items/anyOf/1", false, true);
        check("/properties/a/items/anyOf/1", "/properties/a/items/anyOf/0", false, false);
        check("/properties/items", "/properties", false, false);
        check("/$defs/d", "/properties/r", false, true);
        check("/properties/r", "/$defs/d", false, false);
        check("", "/properties/a", false, false);
        check("", "/properties/a", true, true);
        check("/properties/a", "", true, false);
    }
}
