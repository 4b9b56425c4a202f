//! What recoding operations leave behind so that arguments can be mapped back, and the restore plan made of it.

use serde_json::{Map, Value, json};

use crate::keyword::{DEFINITIONS, Kw};
use crate::op::Phase;
use crate::refs::Refs;
use crate::site::subschemas;
use crate::tree::{Id, Kind, Tree};
use crate::valid::read_types;

/// How the arguments at one node are mapped back.
#[derive(Clone, Debug, PartialEq)]
pub enum Codec {
    /// Null under this property stands for absent; `nullable`: the tool's own schema takes null there too.
    NullIsAbsent {
        /// The property.
        property: String,
        /// Whether null was a value of its own.
        nullable: bool,
    },
    /// The text is JSON.
    ParseJson,
    /// A list of entries is an object; under `rest` it joins the other properties.
    Entries {
        /// The entries' member for the key.
        key: String,
        /// The entries' member for the value.
        value: String,
        /// The property that holds the list, where the object has properties of its own.
        rest: Option<String>,
    },
    /// An object is a list.
    Fields {
        /// The members, in order.
        names: Vec<String>,
        /// The member that holds the remaining elements.
        rest: Option<String>,
    },
    /// The arguments are wrapped in an object.
    Unwrap {
        /// The wrapping property.
        name: String,
    },
    /// A text stands for a literal.
    FromText {
        /// Text and literal.
        values: Vec<(String, Value)>,
    },
    /// A property has another name.
    Rename {
        /// As the model writes it.
        from: String,
        /// As the tool expects it.
        to: String,
    },
}

impl Codec {
    fn to_json(&self) -> Value {
        match self {
            Codec::NullIsAbsent { property, nullable } => json!({"codec": "null-is-absent", "property": property, "nullable": nullable}),
            Codec::ParseJson => json!({"codec": "parse-json"}),
            Codec::Entries { key, value, rest } => json!({"codec": "entries", "key": key, "value": value, "rest": rest}),
            Codec::Fields { names, rest } => json!({"codec": "fields", "names": names, "rest": rest}),
            Codec::Unwrap { name } => json!({"codec": "unwrap", "name": name}),
            Codec::FromText { values } => {
                let pairs: Vec<Value> = values.iter().map(|(t, v)| json!([t, v])).collect();
                json!({"codec": "from-text", "values": pairs})
            }
            Codec::Rename { from, to } => json!({"codec": "rename", "from": from, "to": to}),
        }
    }
}

/// The codecs of one phase as a tree along the output schema, as plan JSON; `None` where there is none.
#[must_use]
pub fn trie(tree: &Tree, refs: &Refs, phase: Phase, codecs: &[(Id, Codec)]) -> Option<Value> {
    let mut at: At<'_> = At::default();
    for (node, codec) in codecs {
        at.entry(*node).or_default().push(codec);
    }
    let mut builder = Builder { tree, refs, codecs: at, defs: Map::new(), open: Vec::new() };
    let root = builder.node(tree.root(), 0)?;
    let mut out = json!({"phase": phase.word(), "root": root});
    if !builder.defs.is_empty() {
        out["definitions"] = Value::Object(builder.defs);
    }
    Some(out)
}

type At<'t> = hashbrown::HashMap<Id, Vec<&'t Codec>, foldhash::fast::FixedState>;

struct Builder<'t> {
    tree: &'t Tree,
    refs: &'t Refs,
    codecs: At<'t>,
    defs: Map<String, Value>,
    open: Vec<Id>,
}

impl Builder<'_> {
    fn node(&mut self, node: Id, depth: usize) -> Option<Value> {
        let tree = self.tree;
        if depth > 512 {
            return None;
        }
        let mut out = Map::new();
        let own: Vec<Value> = self.codecs.get(&node).into_iter().flatten().map(|c| c.to_json()).collect();
        if !own.is_empty() {
            out.insert("codecs".into(), Value::Array(own));
        }
        if let Some(target) = self.refs.node(node) {
            let name = tree.pointer(tree.root(), target);
            if !self.open.contains(&target) && !self.defs.contains_key(&name) {
                self.open.push(target);
                if let Some(inner) = self.node(target, depth + 1) {
                    self.defs.insert(name.clone(), inner);
                }
                self.open.pop();
            }
            if self.defs.contains_key(&name) || self.open.contains(&target) {
                out.insert("ref".into(), Value::String(name));
            }
        }
        let mut below: Vec<(Kw, Id)> = Vec::new();
        subschemas(tree, node, |child, via| below.push((via, child)));
        let (mut properties, mut prefix, mut branches) = (Map::new(), Vec::new(), Vec::new());
        for (via, child) in below {
            if DEFINITIONS.has(via) {
                continue;
            }
            let inner = self.node(child, depth + 1);
            match (via, inner) {
                (Kw::AnyOf | Kw::OneOf, inner) => {
                    branches.push(json!({"when": guard(tree, self.refs.follow(child)), "then": inner}));
                }
                (Kw::PrefixItems, inner) => prefix.push(inner.unwrap_or(Value::Null)),
                (_, None) => {}
                (Kw::Properties, Some(inner)) => drop(properties.insert(tree.key(child).into_owned(), inner)),
                (Kw::Items, Some(inner)) => drop(out.insert("items".into(), inner)),
                (Kw::AdditionalProperties | Kw::PatternProperties, Some(inner)) => drop(out.insert("rest".into(), inner)),
                (Kw::AllOf | Kw::Then | Kw::Else | Kw::DependentSchemas, Some(inner)) => {
                    let all = out.entry("all").or_insert_with(|| Value::Array(Vec::new()));
                    if let Value::Array(list) = all {
                        list.push(inner);
                    }
                }
                _ => {}
            }
        }
        if !properties.is_empty() {
            out.insert("properties".into(), Value::Object(properties));
        }
        if prefix.iter().any(|p| !p.is_null()) {
            out.insert("prefix".into(), Value::Array(prefix));
        }
        if branches.iter().any(|b| !b["then"].is_null()) {
            out.insert("branches".into(), Value::Array(branches));
        }
        (!out.is_empty()).then_some(Value::Object(out))
    }
}

/// What the values of a branch look like: types, required keys, and properties with one literal.
fn guard(tree: &Tree, branch: Id) -> Value {
    let mut out = Map::new();
    if tree.kind(branch) != Kind::Object {
        return Value::Object(out);
    }
    let types: Vec<Value> = read_types(tree, branch).types.names().map(Value::from).collect();
    if !types.is_empty() {
        out.insert("types".into(), Value::Array(types));
    }
    if let Some(list) = tree.get(branch, Kw::Enum) {
        out.insert("values".into(), tree.to_value(list));
    }
    if let Some(list) = tree.get(branch, Kw::Required).filter(|&l| tree.node(l).first.some().is_some()) {
        out.insert("required".into(), tree.to_value(list));
    }
    let mut literals = Map::new();
    for property in tree.get(branch, Kw::Properties).into_iter().flat_map(|p| tree.children(p)) {
        if tree.kind(property) != Kind::Object {
            continue;
        }
        let value = match (tree.get(property, Kw::Const), tree.get(property, Kw::Enum)) {
            (Some(value), _) => Value::Array(vec![tree.to_value(value)]),
            (None, Some(list)) => tree.to_value(list),
            _ => continue,
        };
        literals.insert(tree.key(property).into_owned(), value);
    }
    if !literals.is_empty() {
        out.insert("literals".into(), Value::Object(literals));
    }
    Value::Object(out)
}
