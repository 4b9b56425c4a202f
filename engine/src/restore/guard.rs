//! Reads shapes off a schema: the guard of a branch, and the whole schema in its slim form.

use super::build::Coded;
use super::shape::{Shape, Typed};
use crate::attr::Types;
use crate::codec::Codec;
use crate::keyword::{DEFINITIONS, Kw};
use crate::refs::Refs;
use crate::site::subschemas;
use crate::tree::{Id, Kind, Tree};
use crate::valid::read_types;

type Map<K, V> = hashbrown::HashMap<K, V, foldhash::fast::FixedState>;

/// So many containers deep a guard looks, and through so many references and unions in a row.
const GUARD_DEPTH: u8 = 2;
const GUARD_HOPS: u8 = 4;
/// A guard is read off so many schemas at most; where that is not enough, it looks less deep.
const GUARD_SCHEMAS: usize = 512;

/// What the values of a branch look like; with `undo` as they were before the codecs.
pub(crate) fn guard(schema: &Coded<'_>, branch: Id, undo: bool) -> Shape {
    let deep = (0..=GUARD_DEPTH).rev().map(|depth| (depth, GUARD_HOPS));
    let flat = (0..GUARD_HOPS).rev().map(|hops| (0, hops));
    for (depth, hops) in deep.chain(flat) {
        let mut reader = Reader { schema: *schema, undo, whole: None, left: GUARD_SCHEMAS };
        let mut shape = reader.shape(branch, depth, hops);
        if reader.left > 0 || hops == 0 {
            shape.hoist();
            return shape;
        }
    }
    Shape::default()
}

/// The slim form of a schema; `None` where it says nothing.
pub(crate) fn typed(tree: &Tree, root: Id, refs: &Refs) -> Option<Typed> {
    let schema = Coded { tree, refs, codecs: &[] };
    let mut reader = Reader { schema, undo: false, whole: Some(Whole::default()), left: usize::MAX };
    let root_shape = reader.shape(root, u8::MAX, u8::MAX);
    let mut defs = Vec::new();
    while let Some(target) = reader.whole.as_ref().and_then(|w| w.open.get(defs.len()).copied()) {
        let shape = reader.shape(target, u8::MAX, u8::MAX);
        defs.push((tree.pointer(root, target), shape));
    }
    (!root_shape.is_any()).then_some(Typed { root: root_shape, defs })
}

/// Definitions met so far, in the order of their numbers.
#[derive(Default)]
struct Whole {
    numbers: Map<Id, usize>,
    open: Vec<Id>,
}

struct Reader<'t> {
    schema: Coded<'t>,
    undo: bool,
    /// The whole schema is read, and references stay references.
    whole: Option<Whole>,
    /// So many schemas more.
    left: usize,
}

impl Reader<'_> {
    fn shape(&mut self, node: Id, depth: u8, hops: u8) -> Shape {
        let (tree, whole) = (self.schema.tree, self.whole.is_some());
        let mut out = Shape::default();
        if self.left == 0 {
            return out;
        }
        self.left -= 1;
        if tree.kind(node) != Kind::Object {
            if tree.bool(node) == Some(false) {
                out.values = Some(Vec::new());
            }
            return self.undone(node, out);
        }
        self.own(node, &mut out);
        if let Some(target) = self.schema.refs.node(node) {
            match &mut self.whole {
                Some(whole) => {
                    let open = &mut whole.open;
                    out.target = Some(*whole.numbers.entry(target).or_insert_with(|| {
                        open.push(target);
                        open.len() - 1
                    }));
                }
                None if hops > 0 => {
                    let shape = self.shape(target, depth, hops - 1);
                    out.all.push(shape);
                }
                None => {}
            }
        }
        let mut below: Vec<(Kw, Id)> = Vec::new();
        subschemas(tree, node, |child, via| below.push((via, child)));
        let mut unions = [Vec::new(), Vec::new()];
        let mut patterns = false;
        for (via, child) in below {
            let in_list = tree.parent(child).is_some_and(|p| tree.kind(p) == Kind::Array);
            match via {
                via if DEFINITIONS.has(via) => {}
                Kw::AnyOf | Kw::OneOf if hops > 0 => {
                    unions[usize::from(via == Kw::OneOf)].push(self.shape(child, depth, less(hops, whole)));
                }
                Kw::AllOf if hops > 0 => {
                    let shape = self.shape(child, depth, less(hops, whole));
                    out.all.push(shape);
                }
                Kw::PatternProperties => patterns = true,
                _ if depth == 0 => {}
                Kw::Properties => {
                    let shape = self.shape(child, less(depth, whole), hops);
                    if !shape.is_any() || out.closed || whole {
                        out.properties.push((tree.key(child).into_owned(), shape));
                    }
                }
                Kw::PrefixItems => out.prefix.push(self.shape(child, less(depth, whole), hops)),
                Kw::Items if in_list => out.prefix.push(self.shape(child, less(depth, whole), hops)),
                Kw::Items | Kw::AdditionalItems => out.items = Some(Box::new(self.shape(child, less(depth, whole), hops))),
                Kw::AdditionalProperties => out.rest = Some(Box::new(self.shape(child, less(depth, whole), hops))),
                _ => {}
            }
        }
        // What is not read cannot refuse anything.
        if patterns || (depth == 0 && tree.keys(node).has(Kw::Properties)) {
            (out.closed, out.rest) = (false, None);
        }
        out.properties.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let [any, one] = unions;
        out.any = any;
        if out.any.is_empty() {
            out.any = one;
        } else if !one.is_empty() {
            out.all.push(Shape { any: one, ..Shape::default() });
        }
        self.undone(node, out)
    }

    /// What a node says without its subschemas.
    fn own(&self, node: Id, out: &mut Shape) {
        let tree = self.schema.tree;
        out.types = read_types(tree, node).types;
        if !out.types.is_empty() && tree.get(node, Kw::Nullable).and_then(|n| tree.bool(n)) == Some(true) {
            out.types.0 |= Types::NULL.0;
        }
        if let Some(value) = tree.get(node, Kw::Const) {
            out.values = Some(vec![tree.to_value(value)]);
        } else if let Some(list) = tree.get(node, Kw::Enum).filter(|&l| tree.kind(l) == Kind::Array) {
            out.values = Some(tree.children(list).map(|v| tree.to_value(v)).collect());
        }
        if let (Some(values), true) = (&mut out.values, out.types.meets(Types::NULL))
            && tree.get(node, Kw::Nullable).is_some()
            && !values.contains(&serde_json::Value::Null)
        {
            values.push(serde_json::Value::Null);
        }
        if let Some(list) = tree.get(node, Kw::Required).filter(|&l| tree.kind(l) == Kind::Array) {
            out.required = tree.children(list).filter_map(|n| tree.str(n).map(std::borrow::Cow::into_owned)).collect();
            out.required.sort_unstable();
            out.required.dedup();
        }
        out.closed = tree.get(node, Kw::AdditionalProperties).and_then(|r| tree.bool(r)) == Some(false);
    }

    fn undone(&self, node: Id, shape: Shape) -> Shape {
        if !self.undo {
            return shape;
        }
        self.schema.at(node).iter().rev().fold(shape, |shape, (_, codec)| before(shape, codec))
    }
}

/// One level less; the whole is read to the end, and the reader of documents bounds how deep that is.
fn less(left: u8, whole: bool) -> u8 {
    if whole { left } else { left.saturating_sub(1) }
}

/// Takes a name out of a sorted list.
fn forget(required: &mut Vec<String>, name: &String) {
    if let Ok(at) = required.binary_search(name) {
        required.remove(at);
    }
}

/// The shape of a property, of which the names are sorted.
fn property<'s>(shape: &'s mut Shape, name: &String) -> Option<&'s mut Shape> {
    let at = shape.properties.binary_search_by(|(n, _)| n.cmp(name)).ok()?;
    Some(&mut shape.properties[at].1)
}

/// What values looked like before a codec.
fn before(mut shape: Shape, codec: &Codec) -> Shape {
    let take = |shape: &mut Shape, name: &String| {
        forget(&mut shape.required, name);
        let at = shape.properties.binary_search_by(|(n, _)| n.cmp(name));
        at.ok().map(|at| shape.properties.remove(at).1)
    };
    let null = Types(shape.types.0 & Types::NULL.0);
    match codec {
        Codec::NullIsAbsent { property: name, nullable, .. } => {
            forget(&mut shape.required, name);
            if let Some(inner) = property(&mut shape, name).filter(|_| !nullable) {
                inner.without_null();
            }
            shape
        }
        Codec::AbsentForNull { property: name } => {
            if let Some(inner) = property(&mut shape, name) {
                inner.with_null();
            }
            shape
        }
        Codec::NullForAbsent { property: name } => {
            if let Some(inner) = property(&mut shape, name) {
                inner.with_null();
            }
            if let Err(at) = shape.required.binary_search(name) {
                shape.required.insert(at, name.clone());
            }
            shape
        }
        Codec::ParseJson { types, .. } if types.is_empty() => Shape::default(),
        Codec::ParseJson { types, nullable } => Shape::of_types(Types(types.0 | if *nullable { Types::NULL.0 } else { 0 })),
        Codec::Entries { value, rest: None, .. } => {
            let inner = shape.items.take().and_then(|mut entry| take(&mut entry, value));
            Shape { types: Types(Types::OBJECT.0 | null.0), rest: inner.map(Box::new), ..Shape::default() }
        }
        Codec::Entries { value, rest: Some(rest), .. } => {
            let list = take(&mut shape, rest);
            shape.closed = false;
            shape.rest = list.and_then(|l| l.items).and_then(|mut entry| take(&mut entry, value)).map(Box::new);
            shape
        }
        Codec::Fields { names, rest, .. } => {
            let prefix = names.iter().map(|name| take(&mut shape, name).unwrap_or_default()).collect();
            let items = rest.as_ref().and_then(|name| take(&mut shape, name)).and_then(|list| list.items);
            Shape { types: Types(Types::ARRAY.0 | null.0), prefix, items, ..Shape::default() }
        }
        Codec::Unwrap { name } => take(&mut shape, name).unwrap_or_default(),
        Codec::FromText { values, .. } => {
            for value in shape.values.iter_mut().flatten() {
                if let Some((_, literal)) = values.iter().find(|(text, _)| value.as_str() == Some(text)) {
                    value.clone_from(literal);
                }
            }
            shape.types = Types::default();
            shape
        }
        Codec::Rename { from, to } => {
            if let Some(name) = shape.required.iter_mut().find(|r| *r == from) {
                name.clone_from(to);
            }
            if let Some((name, _)) = shape.properties.iter_mut().find(|(n, _)| n == from) {
                name.clone_from(to);
            }
            shape.required.sort_unstable();
            shape.properties.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            shape
        }
    }
}

impl Shape {
    /// Takes over what a reference alone says, so that types stand at the top.
    fn hoist(&mut self) {
        if self.all.len() == 1 && *self == (Shape { all: self.all.clone(), ..Shape::default() }) {
            *self = self.all.remove(0);
        }
    }
}
