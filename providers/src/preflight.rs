//! Before a call runs: what it lacks, what is of a type that no server takes, and what a client would send in its place.
//!
//! A check that cannot be made refuses nothing. No pattern of the schema runs in any of them but [`validate`](crate::validate), which is the whole judgment.

use schemalect_engine::adapt::{Options, adapt};
use schemalect_engine::check::{Given, Tool};
use schemalect_engine::keyword::{Holds, KwSet};
use schemalect_engine::path::{push_token, token_name};
use schemalect_engine::refs::{Refs, Target};
use schemalect_engine::restore::{Issue, Lenient, RestoreOptions, RestorePlan, Restored, restore};
use schemalect_engine::site::subschemas;
use schemalect_engine::valid::read_types;
use schemalect_engine::{Budget, Kind, Kw, Plan, Tree};
use serde_json::{Map, Value};

use crate::json::Json;
use crate::validate::Validator;

/// No more mistakes than this are told.
const MOST_TOLD: usize = 5;
/// Keywords whose schemas every value has to fit, or that a reference leads to.
const THROUGH: KwSet = KwSet::of(&[Kw::Properties, Kw::Defs, Kw::Definitions, Kw::AllOf, Kw::PrefixItems, Kw::Items]);
/// Keywords that say where schemas are found.
const FOUND: KwSet = KwSet::of(&[Kw::Ref, Kw::Schema, Kw::Id, Kw::Anchor]);

/// Judges calls of one tool before they run, by the schema that the tool declares (never the one that was sent to a model).
///
/// ```
/// use schemalect::Preflight;
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}, "to": {"type": "string"}}, "required": ["to"]});
/// let tool = Preflight::new(&schema);
/// let refusal = tool.missing(&json!({"n": "5"})).expect("`to` is missing");
/// assert_eq!(refusal.to_string(), "missing arguments: `to` is required");
/// assert_eq!(tool.coerce(json!({"n": "5", "to": "a"})).arguments, json!({"n": 5, "to": "a"}));
/// ```
#[derive(Debug)]
pub struct Preflight {
    schema: Value,
    /// Refuses what leads into a part of the schema that cannot be read; `None` where all of it can.
    readable: Option<Validator>,
    required: Validator,
    types: Validator,
    plan: Option<RestorePlan>,
}

/// Why a call is not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {}", kind.sentence(), told(mistakes))]
pub struct Refusal {
    /// What kind of reason it is.
    pub kind: RefusalKind,
    /// What is wrong, the first of it.
    pub mistakes: Vec<Lack>,
    /// How much more is wrong.
    pub more: usize,
    /// The schema that the tool declares, as JSON, for the answer to the model.
    pub schema: String,
}

/// The kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Required arguments are absent.
    MissingArguments,
    /// Arguments are of a type that the tool does not take.
    MistypedArguments,
}

/// One thing that is wrong with arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// Pointer into the arguments, of what is wrong or absent.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
}

impl RefusalKind {
    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            RefusalKind::MissingArguments => "missing-arguments",
            RefusalKind::MistypedArguments => "mistyped-arguments",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            RefusalKind::MissingArguments => "missing arguments",
            RefusalKind::MistypedArguments => "arguments of another type",
        }
    }
}

fn told(mistakes: &[Lack]) -> String {
    let one = |lack: &Lack| match dotted(&lack.path).as_str() {
        "" => lack.message.clone(),
        place => format!("`{place}` {}", lack.message),
    };
    mistakes.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// `a.b[0]`, as people write a place in arguments.
fn dotted(path: &str) -> String {
    let mut out = String::new();
    for name in path.split('/').skip(1).map(token_name) {
        if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
            out.push_str(&format!("[{name}]"));
        } else {
            out.push_str(if out.is_empty() { "" } else { "." });
            out.push_str(&name);
        }
    }
    out
}

impl Preflight {
    /// Reads the schema that a tool declares; never fails, what cannot be read refuses nothing.
    #[must_use]
    pub fn new(schema: &Value) -> Preflight {
        let part = |said: &[Kw]| Validator::new(&only(schema, KwSet::of(said), &[], ""));
        let unreadable = unreadable(schema);
        let barred = || Validator::new(&only(schema, KwSet::EMPTY, &unreadable, ""));
        Preflight {
            readable: (!unreadable.is_empty()).then(barred),
            required: part(&[Kw::Required]),
            types: part(&[Kw::Type, Kw::Nullable]),
            plan: types(schema),
            schema: schema.clone(),
        }
    }

    /// Refuses a call that lacks a required argument, at any depth, and for nothing else: what only a branch of a union requires is the tool's to judge.
    /// A call whose arguments lead to a part of the schema that cannot be read (a type that nobody knows, a reference that leads nowhere) is the tool's as well.
    #[must_use]
    pub fn missing(&self, arguments: &Value) -> Option<Refusal> {
        if !self.can_judge(arguments) {
            return None;
        }
        let missing = self.required.validate(arguments).missing;
        let lacks = missing.into_iter().map(|path| Lack { path, message: "is required".to_owned() });
        self.refusal(RefusalKind::MissingArguments, lacks.collect())
    }

    /// Refuses a call whose arguments are of a type that the schema does not name: by `type` alone, for servers that are lax in everything else.
    #[must_use]
    pub fn mistyped(&self, arguments: &Value) -> Option<Refusal> {
        if !self.can_judge(arguments) {
            return None;
        }
        let errors = self.types.validate(arguments).errors;
        let lacks = errors.into_iter().map(|mistake| Lack { path: mistake.path, message: mistake.message });
        self.refusal(RefusalKind::MistypedArguments, lacks.collect())
    }

    /// The arguments as a careful client sends them: a text that is a number, or the JSON of an array, an object or a boolean, becomes that value where the
    /// tool takes no text at all. It is read once: JSON text of a JSON text stays. Each change leaves an issue.
    #[must_use]
    pub fn coerce(&self, arguments: Value) -> Restored {
        let Some(plan) = &self.plan else { return Restored { arguments, issues: Vec::new() } };
        let lenient = Lenient { json_text: true, numeric_text: true, integral: true, ..Lenient::NONE };
        restore(plan, arguments, &RestoreOptions { lenient, ..RestoreOptions::default() })
    }

    /// All of it in order: reads slips, refuses what is missing then (arguments that were null or text may have become an object), and what is of another
    /// type still. What passes is to be sent.
    ///
    /// # Errors
    /// Why the call is not run.
    pub fn check(&self, arguments: Value) -> Result<(Value, Vec<Issue>), Refusal> {
        let Restored { arguments, issues } = self.coerce(arguments);
        match self.missing(&arguments).or_else(|| self.mistyped(&arguments)) {
            Some(refusal) => Err(refusal),
            None => Ok((arguments, issues)),
        }
    }

    fn can_judge(&self, arguments: &Value) -> bool {
        self.readable.as_ref().is_none_or(|readable| readable.is_valid(arguments))
    }

    fn refusal(&self, kind: RefusalKind, mut mistakes: Vec<Lack>) -> Option<Refusal> {
        let more = mistakes.len().saturating_sub(MOST_TOLD);
        mistakes.truncate(MOST_TOLD);
        (!mistakes.is_empty()).then(|| Refusal { kind, mistakes, more, schema: self.schema.to_string() })
    }
}

impl Refusal {
    /// Appends the refusal as JSON: what an answer to the model holds.
    pub fn write_json(&self, json: &mut Json) {
        json.object(|json| {
            json.key("not_run").str(self.kind.word()).key("reason").str(&self.to_string());
            json.key("mistakes").list(&self.mistakes, |json, lack| {
                json.object(|json| {
                    json.key("path").str(&lack.path).key("message").str(&lack.message);
                });
            });
            json.key("more").value(self.more).key("schema").raw(&self.schema);
        });
    }
}

/// A schema that says only what these keywords say, where every value has to fit it: not in the branches of a union, not of undeclared members. At the
/// pointers `barred` it takes nothing.
fn only(schema: &Value, said: KwSet, barred: &[String], at: &str) -> Value {
    if barred.iter().any(|pointer| pointer == at) {
        return Value::Bool(false);
    }
    let Value::Object(map) = schema else { return Value::Object(Map::new()) };
    let kept = |kw: Kw, value: &Value| {
        let inner = |names: &[&str], schema: &Value| only(schema, said, barred, &below(at, kw, names));
        match (kw.holds(), value) {
            (Holds::SchemaMap, Value::Object(map)) if THROUGH.has(kw) => {
                Some(map.iter().map(|(name, schema)| (name.clone(), inner(&[name], schema))).collect::<Map<_, _>>().into())
            }
            (Holds::SchemaList | Holds::SchemaOrList, Value::Array(list)) if THROUGH.has(kw) => {
                Some(list.iter().enumerate().map(|(i, schema)| inner(&[&i.to_string()], schema)).collect())
            }
            (Holds::SchemaOrList, Value::Object(_)) if THROUGH.has(kw) => Some(inner(&[], value)),
            _ => (said.has(kw) || FOUND.has(kw)).then(|| value.clone()),
        }
    };
    Value::Object(map.iter().filter_map(|(key, value)| Some((key.clone(), kept(Kw::of(key)?, value)?))).collect())
}

/// The pointer of what stands under a keyword.
fn below(at: &str, kw: Kw, names: &[&str]) -> String {
    let mut out = at.to_owned();
    for name in [kw.name()].iter().chain(names) {
        out.push('/');
        push_token(&mut out, name);
    }
    out
}

/// Pointers of the schemas of which nobody can know what they take: a type that is none, a reference to nothing that is here.
fn unreadable(schema: &Value) -> Vec<String> {
    let tree = Tree::from_value(schema);
    let refs = Refs::of(&tree, tree.root());
    let (mut out, mut stack) = (Vec::new(), vec![tree.root()]);
    while let Some(node) = stack.pop() {
        let typeless = tree.kind(node) == Kind::Object && read_types(&tree, node).unknown && read_types(&tree, node).types.is_empty();
        let lost = matches!(refs.target(node), Some(Target::Dangling | Target::Elsewhere));
        if typeless || lost {
            out.push(tree.pointer(tree.root(), node));
        }
        subschemas(&tree, node, |child, _| stack.push(child));
    }
    out
}

/// What the schema takes where, and nothing to map.
fn types(schema: &Value) -> Option<RestorePlan> {
    let tree = Tree::parse(&schema.to_string(), &Budget::default()).ok()?;
    let tool = Tool { name: Given::Missing, description: Given::Missing, schema: Some((&tree, tree.root())) };
    adapt(&Plan::default(), &tool, &Options { types: true, ..Options::default() }).plan
}

impl Lack {
    /// The name of the argument at the top that is meant.
    #[must_use]
    pub fn argument(&self) -> Option<String> {
        self.path.split('/').nth(1).map(token_name)
    }

    /// Pointer of what holds the place.
    #[must_use]
    pub fn holder(&self) -> String {
        let mut out = String::new();
        let names: Vec<String> = self.path.split('/').skip(1).map(token_name).collect();
        for name in names.iter().take(names.len().saturating_sub(1)) {
            out.push('/');
            push_token(&mut out, name);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(schema: &Value, arguments: Value, missing: &[&str], mistyped: &[&str]) {
        let tool = Preflight::new(schema);
        let paths = |refusal: Option<Refusal>| -> Vec<String> {
            refusal.map(|r| r.mistakes.into_iter().map(|m| m.path).collect()).unwrap_or_default()
        };
        assert_eq!(paths(tool.missing(&arguments)), missing, "missing of {arguments} under {schema}");
        assert_eq!(paths(tool.mistyped(&arguments)), mistyped, "mistyped of {arguments} under {schema}");
    }

    #[test]
    fn what_is_refused_and_what_is_the_tools_to_judge() {
        let text = json!({"type": "string"});
        let a = json!({"type": "object", "properties": {"a": text}, "required": ["a"]});
        check(&a, json!({}), &["/a"], &[]);
        check(&a, json!({"a": 1}), &[], &["/a"]);
        check(&json!({"properties": {"o": a}, "allOf": [{"required": ["b"]}]}), json!({"o": {}}), &["/b", "/o/a"], &[]);
        check(&json!({"properties": {"o": {"$ref": "#/$defs/A"}}, "$defs": {"A": a}}), json!({"o": {"a": 5}}), &[], &["/o/a"]);
        check(&json!({"items": a}), json!([{}, {"a": "x"}]), &["/0/a"], &[]);
        // Left to the tool: unions, closed objects, patterns, literals, and a schema that nobody can read.
        check(&json!({"anyOf": [a, {"required": ["b"]}]}), json!({}), &[], &[]);
        check(&json!({"properties": {"a": {"anyOf": [text, {"type": "boolean"}]}}}), json!({"a": 1}), &[], &[]);
        check(&json!({"properties": {"a": text}, "additionalProperties": false}), json!({"b": 1}), &[], &[]);
        check(&json!({"properties": {"a": {"type": "string", "pattern": "(x)\\1", "enum": ["y"]}}}), json!({"a": "z"}), &[], &[]);
        check(
            &json!({"properties": {"a": {"type": "integer"}, "b": {"type": "string", "nullable": true}}}),
            json!({"a": 5.0, "b": null}),
            &[],
            &[],
        );
        check(&json!({"type": "bogus"}), json!({}), &[], &[]);
        check(&json!({"$ref": "https://example.org/x", "required": 5}), json!(7), &[], &[]);
        // A part that cannot be read is the tool's, where a call leads to it; elsewhere the schema speaks.
        check(&json!({"type": "bogus", "required": ["a"]}), json!({}), &[], &[]);
        check(&json!({"$ref": "https://example.org/x", "required": ["a"]}), json!({}), &[], &[]);
        let parts =
            json!({"properties": {"x": {"$ref": "#/$defs/none"}, "y/z": {"type": {}}, "n": {"type": "integer"}}, "required": ["a"]});
        check(&parts, json!({}), &["/a"], &[]);
        check(&parts, json!({"n": "1"}), &["/a"], &["/n"]);
        check(&parts, json!({"n": "1", "x": 1}), &[], &[]);
        check(&parts, json!({"n": "1", "y/z": 1}), &[], &[]);
        check(&json!({"properties": {"a": {"type": "dict"}}, "required": ["a", "b"]}), json!({"a": {}}), &["/b"], &[]);
    }

    #[test]
    fn what_became_an_object_lacks_what_one_lacks() {
        let tool = Preflight::new(&json!({"required": ["a"]}));
        for arguments in [json!(null), json!({}), json!("{}")] {
            assert_eq!(tool.check(arguments.clone()).map_err(|r| r.kind), Err(RefusalKind::MissingArguments), "{arguments}");
        }
    }

    #[test]
    fn a_refusal_says_its_reason_and_the_schema() {
        let names: Vec<String> = (0..7).map(|i| format!("a{i}")).collect();
        let schema = json!({"required": names});
        let refusal = Preflight::new(&schema).check(json!({})).expect_err("refused");
        assert_eq!((refusal.mistakes.len(), refusal.more, refusal.kind.word()), (5, 2, "missing-arguments"));
        assert!(refusal.to_string().starts_with("missing arguments: `a0` is required; `a1` is required"), "{refusal}");
        let mut json = Json::new();
        refusal.write_json(&mut json);
        let written: Value = serde_json::from_str(&json.finish()).expect("JSON");
        assert_eq!((&written["not_run"], &written["schema"]), (&json!("missing-arguments"), &schema));
        let lack = Lack { path: "/o/x~1y/0".to_owned(), message: String::new() };
        assert_eq!((lack.argument().as_deref(), lack.holder().as_str(), dotted(&lack.path).as_str()), (Some("o"), "/o/x~1y", "o.x/y[0]"));
    }

    #[test]
    fn slips_are_read_once_where_no_text_is_taken() {
        let schema = json!({"type": "object", "properties": {
            "i": {"type": "integer"}, "l": {"type": "array"}, "m": {"type": "array"}, "t": {"type": ["integer", "string"]}, "o": {"type": "object", "properties": {"k": {"type": "integer"}}}}});
        let tool = Preflight::new(&schema);
        let (sent, issues) = tool.check(json!({"i": "5", "l": "[1,2]", "t": "5", "o": "{\"k\":\"6\"}"})).expect("passes");
        assert_eq!(sent, json!({"i": 5, "l": [1, 2], "t": "5", "o": {"k": 6}}));
        assert!(issues.len() >= 3, "{issues:?}");
        assert_eq!(tool.coerce(json!({"m": "\"[1]\""})).arguments, json!({"m": "\"[1]\""}));
        let refusal = tool.check(json!({"i": "1e999"})).expect_err("no integer");
        assert_eq!((refusal.kind, refusal.mistakes[0].path.as_str()), (RefusalKind::MistypedArguments, "/i"));
    }
}
