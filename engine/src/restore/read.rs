//! A plan out of JSON: every member is checked, and an error says where it stands.

use serde_json::{Map, Value};

use super::plan::{Branch, Entries, Fields, Node, NullProperty, PLAN_VERSION, Pattern, PlanError, Renames, Rest, RestorePlan, Stage, Step};
use super::shape::{Shape, Typed};
use super::walk::At;
use crate::attr::Types;
use crate::op::Phase;
use crate::valid::standard_type;

/// Plans are nested at most so deeply.
const MOST_NESTING: usize = 256;

type Read<T> = Result<T, PlanError>;

impl RestorePlan {
    /// Reads a plan.
    ///
    /// # Errors
    /// It is no plan, or of another version; the error says what is wrong and where.
    pub fn from_json(plan: &Value) -> Result<RestorePlan, PlanError> {
        let top = At::ROOT;
        let map = object(plan, &top)?;
        match map.get("version").map(Value::as_u64) {
            Some(Some(PLAN_VERSION)) => {}
            Some(Some(other)) => return fail(&top.key("version"), format!("version {other}; this reads version {PLAN_VERSION}")),
            _ => return fail(&top, "no `version`"),
        }
        known(map, &["version", "profile", "name", "sent_as", "stages", "types"], &top)?;
        let stages = list(map, "stages", &top, stage)?;
        let types = map.get("types").filter(|t| !t.is_null()).map(|t| typed(t, &top.key("types"))).transpose()?;
        Ok(RestorePlan {
            profile: text(map, "profile", &top)?.unwrap_or_default(),
            name: text(map, "name", &top)?,
            sent_as: text(map, "sent_as", &top)?,
            stages,
            types,
        })
    }
}

fn fail<T>(at: &At<'_>, what: impl Into<String>) -> Read<T> {
    Err(PlanError { path: at.pointer(), what: what.into() })
}

fn object<'v>(value: &'v Value, at: &At<'_>) -> Read<&'v Map<String, Value>> {
    if at.depth() > MOST_NESTING {
        return fail(at, "nested too deeply");
    }
    value.as_object().map_or_else(|| fail(at, "an object is needed"), Ok)
}

fn known(map: &Map<String, Value>, keys: &[&str], at: &At<'_>) -> Read<()> {
    match map.keys().find(|k| !keys.contains(&k.as_str())) {
        Some(key) => fail(&at.key(key), "unknown member"),
        None => Ok(()),
    }
}

fn text(map: &Map<String, Value>, key: &str, at: &At<'_>) -> Read<Option<String>> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => fail(&at.key(key), "a text is needed"),
    }
}

fn needed(map: &Map<String, Value>, key: &str, at: &At<'_>) -> Read<String> {
    text(map, key, at)?.map_or_else(|| fail(at, format!("no `{key}`")), Ok)
}

fn flag(map: &Map<String, Value>, key: &str, at: &At<'_>) -> Read<bool> {
    match map.get(key) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(_) => fail(&at.key(key), "true or false is needed"),
    }
}

fn list<T>(map: &Map<String, Value>, key: &str, at: &At<'_>, mut one: impl FnMut(&Value, &At<'_>) -> Read<T>) -> Read<Vec<T>> {
    let at = at.key(key);
    match map.get(key) {
        None => Ok(Vec::new()),
        Some(Value::Array(list)) => list.iter().enumerate().map(|(i, v)| one(v, &at.index(i))).collect(),
        Some(_) => fail(&at, "a list is needed"),
    }
}

fn words(map: &Map<String, Value>, key: &str, at: &At<'_>) -> Read<Vec<String>> {
    list(map, key, at, |v, at| v.as_str().map_or_else(|| fail(at, "a text is needed"), |t| Ok(t.to_owned())))
}

fn sorted(mut words: Vec<String>) -> Vec<String> {
    words.sort_unstable();
    words
}

fn named<T>(map: &Map<String, Value>, key: &str, at: &At<'_>, mut one: impl FnMut(&Value, &At<'_>) -> Read<T>) -> Read<Vec<(String, T)>> {
    let at = at.key(key);
    let Some(value) = map.get(key) else { return Ok(Vec::new()) };
    object(value, &at)?.iter().map(|(name, v)| Ok((name.clone(), one(v, &at.key(name))?))).collect()
}

fn by_name<T>(mut list: Vec<(String, T)>) -> Vec<(String, T)> {
    list.sort_by(|a, b| a.0.cmp(&b.0));
    list
}

/// The definitions' numbers by name.
type Names<'n> = std::collections::HashMap<&'n str, usize>;

fn names(map: &Map<String, Value>) -> Names<'_> {
    let names = map.get("definitions").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    names.enumerate().map(|(i, name)| (name.as_str(), i)).collect()
}

fn target(map: &Map<String, Value>, names: &Names<'_>, at: &At<'_>) -> Read<Option<usize>> {
    let Some(name) = text(map, "ref", at)? else { return Ok(None) };
    names.get(name.as_str()).map_or_else(|| fail(&at.key("ref"), "no such definition"), |i| Ok(Some(*i)))
}

fn stage(value: &Value, at: &At<'_>) -> Read<Stage> {
    let map = object(value, at)?;
    known(map, &["phase", "root", "definitions"], at)?;
    let word = needed(map, "phase", at)?;
    let Some(phase) = Phase::ALL.into_iter().find(|p| p.word() == word) else { return fail(&at.key("phase"), "unknown phase") };
    let names = names(map);
    let defs = named(map, "definitions", at, |v, at| node(v, &names, at))?;
    let root = map.get("root").map_or_else(|| fail(at, "no `root`"), |r| node(r, &names, &at.key("root")))?;
    Ok(Stage { phase, root, defs })
}

fn node(value: &Value, names: &Names<'_>, at: &At<'_>) -> Read<Node> {
    let map = object(value, at)?;
    known(map, &["codecs", "ref", "properties", "rest", "named", "patterns", "prefix", "items", "all", "branches"], at)?;
    let inner = |v: &Value, at: &At<'_>| node(v, names, at);
    let boxed = |key: &str| map.get(key).map(|v| node(v, names, &at.key(key))).transpose();
    let rest = boxed("rest")?;
    let declared = sorted(words(map, "named", at)?);
    let mut patterns = Vec::new();
    for (text, node) in named(map, "patterns", at, inner)? {
        let message = "no pattern that can be matched in linear time";
        let Some(pattern) = Pattern::new(text.clone()) else { return fail(&at.key("patterns").key(&text), message) };
        patterns.push((pattern, node));
    }
    Ok(Node {
        steps: list(map, "codecs", at, step)?,
        properties: by_name(named(map, "properties", at, inner)?),
        rest: rest.map(|node| Box::new(Rest { named: declared, patterns, node })),
        prefix: list(map, "prefix", at, inner)?,
        items: boxed("items")?.map(Box::new),
        all: list(map, "all", at, inner)?,
        branches: list(map, "branches", at, |v, at| branch(v, names, at))?,
        target: target(map, names, at)?,
    })
}

fn branch(value: &Value, names: &Names<'_>, at: &At<'_>) -> Read<Branch> {
    let map = object(value, at)?;
    known(map, &["when", "was", "then"], at)?;
    let none = Names::new();
    let look = |key: &str| map.get(key).map(|v| shape(v, &none, &at.key(key))).transpose();
    let when = look("when")?.unwrap_or_default();
    let was = look("was")?.unwrap_or_else(|| when.clone());
    let then = map.get("then").filter(|t| !t.is_null()).map(|t| node(t, names, &at.key("then"))).transpose()?;
    Ok(Branch { when, was, then })
}

fn step(value: &Value, at: &At<'_>) -> Read<Step> {
    let map = object(value, at)?;
    let codec = needed(map, "codec", at)?;
    let only = |keys: &[&str]| known(map, &[&["codec"], keys].concat(), at);
    match codec.as_str() {
        "null-is-absent" => {
            only(&["properties", "nullable", "default_null"])?;
            let (nullable, null) = (sorted(words(map, "nullable", at)?), sorted(words(map, "default_null", at)?));
            let has = |list: &[String], name: &String| list.binary_search(name).is_ok();
            let property = |name: String| NullProperty { nullable: has(&nullable, &name), default_null: has(&null, &name), name };
            Ok(Step::Nulls(sorted(words(map, "properties", at)?).into_iter().map(property).collect()))
        }
        "absent-for-null" => {
            only(&["properties"])?;
            Ok(Step::Absent(sorted(words(map, "properties", at)?)))
        }
        "null-for-absent" => {
            only(&["properties"])?;
            Ok(Step::Omitted(sorted(words(map, "properties", at)?)))
        }
        "parse-json" => {
            only(&["types", "nullable"])?;
            Ok(Step::ParseJson { types: types(map, at)?, nullable: flag(map, "nullable", at)? })
        }
        "entries" => {
            only(&["key", "value", "rest", "named"])?;
            let (key, value) = (needed(map, "key", at)?, needed(map, "value", at)?);
            Ok(Step::Entries(Entries { key, value, rest: text(map, "rest", at)?, named: sorted(words(map, "named", at)?) }))
        }
        "fields" => {
            only(&["names", "rest", "least"])?;
            let names = words(map, "names", at)?;
            let least = map.get("least").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()).unwrap_or(names.len());
            Ok(Step::Fields(Fields { least: least.min(names.len()), names, rest: text(map, "rest", at)? }))
        }
        "unwrap" => {
            only(&["name"])?;
            Ok(Step::Unwrap { name: needed(map, "name", at)? })
        }
        "from-text" => {
            only(&["values", "plain"])?;
            let pair = |v: &Value, at: &At<'_>| match v.as_array().map(Vec::as_slice) {
                Some([Value::String(text), literal]) => Ok((text.clone(), literal.clone())),
                _ => fail(at, "a text and a literal are needed"),
            };
            Ok(Step::FromText { values: list(map, "values", at, pair)?, plain: sorted(words(map, "plain", at)?) })
        }
        "rename" => {
            only(&["names"])?;
            let to = |v: &Value, at: &At<'_>| v.as_str().map_or_else(|| fail(at, "a text is needed"), |t| Ok(t.to_owned()));
            Ok(Step::Rename(Renames::new(named(map, "names", at, to)?)))
        }
        other => fail(&at.key("codec"), format!("unknown codec `{other}`")),
    }
}

fn typed(value: &Value, at: &At<'_>) -> Read<Typed> {
    let map = object(value, at)?;
    known(map, &["root", "definitions"], at)?;
    let names = names(map);
    let defs = named(map, "definitions", at, |v, at| shape(v, &names, at))?;
    let root = map.get("root").map_or_else(|| fail(at, "no `root`"), |r| shape(r, &names, &at.key("root")))?;
    Ok(Typed { root, defs })
}

fn shape(value: &Value, names: &Names<'_>, at: &At<'_>) -> Read<Shape> {
    let map = object(value, at)?;
    known(map, &["types", "values", "required", "properties", "closed", "rest", "items", "prefix", "any", "all", "ref"], at)?;
    let inner = |v: &Value, at: &At<'_>| shape(v, names, at);
    let boxed = |key: &str| map.get(key).map(|v| shape(v, names, &at.key(key)).map(Box::new)).transpose();
    Ok(Shape {
        types: types(map, at)?,
        values: map.contains_key("values").then(|| list(map, "values", at, |v, _| Ok(v.clone()))).transpose()?,
        required: sorted(words(map, "required", at)?),
        properties: by_name(named(map, "properties", at, inner)?),
        closed: flag(map, "closed", at)?,
        rest: boxed("rest")?,
        prefix: list(map, "prefix", at, inner)?,
        items: boxed("items")?,
        any: list(map, "any", at, inner)?,
        all: list(map, "all", at, inner)?,
        target: target(map, names, at)?,
    })
}

fn types(map: &Map<String, Value>, at: &At<'_>) -> Read<Types> {
    let at = at.key("types");
    let one = |word: &Value, at: &At<'_>| word.as_str().and_then(standard_type).map_or_else(|| fail(at, "a type is needed"), Ok);
    match map.get("types") {
        None => Ok(Types::default()),
        Some(Value::Array(list)) => {
            let mut out = Types::default();
            for (i, word) in list.iter().enumerate() {
                out.0 |= one(word, &at.index(i))?.0;
            }
            Ok(out)
        }
        Some(word) => one(word, &at),
    }
}
