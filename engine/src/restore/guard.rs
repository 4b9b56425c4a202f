//! Reads shapes off a schema: the guard of a branch, and the whole schema in its slim form.

use std::collections::VecDeque;
use std::rc::Rc;

use super::build::{Coded, DefinitionNames};
use super::shape::{MOST_DEPTH, Shape, Typed};
use crate::attr::Types;
use crate::codec::Codec;
use crate::keyword::Kw;
use crate::refs::Refs;
use crate::site::subschemas;
use crate::tree::{Id, Kind, Tree};
use crate::valid::read_types;

type Map<K, V> = hashbrown::HashMap<K, V, foldhash::fast::FixedState>;

/// So many containers deep a guard looks, and through so many references and unions in a row.
const GUARD_DEPTH: u8 = 2;
const GUARD_HOPS: u8 = 4;
/// A guard is read off fewer schemas than this; where that is not enough, it looks less deep.
const GUARD_SCHEMAS: usize = 512;

/// How far a guard looks: so many containers deep, and through so many references and unions in a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Reach {
    depth: u8,
    hops: u8,
}

impl Reach {
    /// For the slim form: references stay references, and the reader of documents bounds how deep all else is.
    const WHOLE: Reach = Reach { depth: u8::MAX, hops: u8::MAX };

    fn deeper(self) -> Reach {
        if self == Reach::WHOLE { self } else { Reach { depth: self.depth.saturating_sub(1), ..self } }
    }

    fn further(self) -> Reach {
        if self == Reach::WHOLE { self } else { Reach { hops: self.hops.saturating_sub(1), ..self } }
    }
}

/// The guards of one stage. What many branches refer to is read once.
pub(crate) struct Guards<'t> {
    schema: Coded<'t>,
    /// How many schemas a guard that looks so far is read off, counted to the limit.
    sizes: Map<(Id, Reach), usize>,
    targets: Map<(Id, Reach, bool), Rc<Shape>>,
}

impl<'t> Guards<'t> {
    pub(crate) fn new(schema: Coded<'t>) -> Guards<'t> {
        Guards { schema, sizes: Map::default(), targets: Map::default() }
    }

    /// What the values of a branch look like; with `undo` as they were before the codecs.
    pub(crate) fn guard(&mut self, branch: Id, undo: bool) -> Rc<Shape> {
        let deep = (0..=GUARD_DEPTH).rev().map(|depth| Reach { depth, hops: GUARD_HOPS });
        let flat = (0..GUARD_HOPS).rev().map(|hops| Reach { depth: 0, hops });
        let reach = deep.chain(flat).find(|&reach| self.size(branch, reach) < GUARD_SCHEMAS);
        let Some(reach) = reach else { return Rc::default() };
        let tree = self.schema.tree;
        let alone = tree.kind(branch) == Kind::Object && tree.count(branch) == 1 && self.schema.at(branch).is_empty();
        if let Some(target) = self.schema.refs.node(branch).filter(|_| alone && reach.hops > 0) {
            // What a reference alone says, so that types stand at the top.
            let schema = self.schema;
            let read = || Rc::new(Reader { schema, undo, whole: None, level: 0 }.shape(target, reach.further()));
            return Rc::clone(self.targets.entry((target, reach.further(), undo)).or_insert_with(read));
        }
        let mut shape = Reader { schema: self.schema, undo, whole: None, level: 0 }.shape(branch, reach);
        shape.hoist();
        Rc::new(shape)
    }

    fn size(&mut self, node: Id, reach: Reach) -> usize {
        if let Some(&known) = self.sizes.get(&(node, reach)) {
            return known;
        }
        let mut size = 1_usize;
        let target = self.schema.refs.node(node).filter(|_| reach.hops > 0 && self.schema.tree.kind(node) == Kind::Object);
        let mut below: Vec<(Id, Reach)> = target.into_iter().map(|t| (t, reach.further())).collect();
        parts(self.schema.tree, node, reach, |_, child, reach| below.push((child, reach)));
        for (child, reach) in below {
            size = size.saturating_add(self.size(child, reach));
            if size >= GUARD_SCHEMAS {
                break;
            }
        }
        self.sizes.insert((node, reach), size);
        size
    }
}

/// How a subschema takes part in a shape.
enum Part {
    Any,
    One,
    All,
    Property,
    Prefix,
    Items,
    Rest,
}

/// The subschemas that a shape is read off, each with how far it is looked at.
fn parts(tree: &Tree, node: Id, reach: Reach, mut f: impl FnMut(Part, Id, Reach)) {
    subschemas(tree, node, |child, via| {
        let in_list = || tree.parent(child).is_some_and(|p| tree.kind(p) == Kind::Array);
        let part = match via {
            Kw::AnyOf => Part::Any,
            Kw::OneOf => Part::One,
            Kw::AllOf => Part::All,
            Kw::Properties => Part::Property,
            Kw::PrefixItems => Part::Prefix,
            Kw::Items if in_list() => Part::Prefix,
            Kw::Items | Kw::AdditionalItems => Part::Items,
            Kw::AdditionalProperties => Part::Rest,
            _ => return,
        };
        let reach = match part {
            Part::Any | Part::One | Part::All if reach.hops > 0 => reach.further(),
            Part::Property | Part::Prefix | Part::Items | Part::Rest if reach.depth > 0 => reach.deeper(),
            _ => return,
        };
        f(part, child, reach);
    });
}

/// The slim form of a schema; `None` where it says nothing.
pub(crate) fn typed(tree: &Tree, root: Id, refs: &Refs) -> Option<Typed> {
    let schema = Coded { tree, refs, codecs: &[] };
    let mut reader = Reader { schema, undo: false, whole: Some(Whole::default()), level: 0 };
    let root_shape = reader.shape(root, Reach::WHOLE);
    let (mut defs, mut names) = (Vec::new(), DefinitionNames::new(tree, root));
    while let Some(target) = reader.whole.as_ref().and_then(|w| w.open.get(defs.len()).copied()) {
        let shape = reader.shape(target, Reach::WHOLE);
        defs.push((names.name(target, defs.len()), shape));
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
    /// How many schemas are around the one that is read.
    level: usize,
}

impl Reader<'_> {
    fn shape(&mut self, node: Id, reach: Reach) -> Shape {
        if self.level > MOST_DEPTH {
            // Nobody looks so far.
            return Shape::default();
        }
        let mut out = Shape::default();
        let (mut below, mut one) = (self.begin(node, reach, &mut out), Vec::new());
        self.level = self.level.saturating_add(1);
        while let Some((part, child, reach)) = below.pop_front() {
            let shape = self.shape(child, reach);
            match part {
                Part::One => one.push(shape),
                part => self.take(part, child, shape, &mut out),
            }
        }
        self.level = self.level.saturating_sub(1);
        self.end(node, reach, one, &mut out);
        self.undone(node, out)
    }

    /// What a node says itself, and what else is to be read.
    fn begin(&mut self, node: Id, reach: Reach, out: &mut Shape) -> VecDeque<(Part, Id, Reach)> {
        let tree = self.schema.tree;
        let mut below = VecDeque::new();
        if tree.kind(node) != Kind::Object {
            if tree.bool(node) == Some(false) {
                out.values = Some(Vec::new());
            }
            return below;
        }
        self.own(node, out);
        if let Some(target) = self.schema.refs.node(node) {
            match &mut self.whole {
                Some(whole) => {
                    let open = &mut whole.open;
                    out.target = Some(*whole.numbers.entry(target).or_insert_with(|| {
                        open.push(target);
                        open.len().saturating_sub(1)
                    }));
                }
                None if reach.hops > 0 => below.push_back((Part::All, target, reach.further())),
                None => {}
            }
        }
        parts(tree, node, reach, |part, child, reach| below.push_back((part, child, reach)));
        below
    }

    fn take(&self, part: Part, child: Id, shape: Shape, out: &mut Shape) {
        let whole = self.whole.is_some();
        match part {
            Part::Any | Part::One => out.any.push(shape),
            Part::All => out.all.push(shape),
            Part::Property if shape.is_any() && !out.closed && !whole => {}
            Part::Property => out.properties.push((self.schema.tree.key(child).into_owned(), shape)),
            Part::Prefix => out.prefix.push(shape),
            Part::Items => out.items = Some(Box::new(shape)),
            Part::Rest => out.rest = Some(Box::new(shape)),
        }
    }

    fn end(&self, node: Id, reach: Reach, one: Vec<Shape>, out: &mut Shape) {
        let tree = self.schema.tree;
        // What is not read cannot refuse anything.
        let patterns = tree.get(node, Kw::PatternProperties).is_some_and(|p| tree.kind(p) == Kind::Object && tree.count(p) > 0);
        if patterns || (reach.depth == 0 && tree.keys(node).has(Kw::Properties)) {
            (out.closed, out.rest) = (false, None);
        }
        out.properties.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if out.any.is_empty() {
            out.any = one;
        } else if !one.is_empty() {
            out.all.push(Shape { any: one, ..Shape::default() });
        }
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
        let mut left = self.schema.at(node);
        let mut shape = shape;
        while let Some((_, last)) = left.last() {
            let kind = std::mem::discriminant(last);
            let others = left.iter().rposition(|(_, codec)| std::mem::discriminant(codec) != kind).map_or(0, |at| at.saturating_add(1));
            let (before, run) = left.split_at(others);
            shape = before_all(shape, run);
            left = before;
        }
        shape
    }
}

/// What values looked like before codecs of one kind; those about properties, of which there may be many, are undone together.
fn before_all(mut shape: Shape, codecs: &[(Id, Codec)]) -> Shape {
    let (mut required, mut names) = (Vec::new(), Map::default());
    for (_, codec) in codecs.iter().rev() {
        match codec {
            Codec::NullIsAbsent { property, .. } => drop(names.insert(property, None)),
            Codec::Rename { from, to } => drop(names.insert(from, Some(to))),
            Codec::NullForAbsent { property } => required.push(property.clone()),
            _ => {}
        }
        shape = before(shape, codec);
    }
    if !names.is_empty() {
        shape.required.retain(|name| names.get(name) != Some(&None));
        let properties = shape.properties.iter_mut().map(|(name, _)| name);
        for name in properties.chain(&mut shape.required) {
            if let Some(Some(to)) = names.get(name) {
                name.clone_from(to);
            }
        }
        shape.properties.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    }
    if !names.is_empty() || !required.is_empty() {
        shape.required.append(&mut required);
        shape.required.sort_unstable();
        shape.required.dedup();
    }
    shape
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

/// What values looked like before a codec, apart from the names of properties and which of them are required.
fn before(mut shape: Shape, codec: &Codec) -> Shape {
    let take = |shape: &mut Shape, name: &String| {
        forget(&mut shape.required, name);
        let at = shape.properties.binary_search_by(|(n, _)| n.cmp(name));
        at.ok().map(|at| shape.properties.remove(at).1)
    };
    let null = Types(shape.types.0 & Types::NULL.0);
    match codec {
        Codec::NullIsAbsent { property: name, nullable, .. } => {
            if let Some(inner) = property(&mut shape, name).filter(|_| !nullable) {
                inner.without_null();
            }
            shape
        }
        Codec::AbsentForNull { property: name } | Codec::NullForAbsent { property: name } => {
            if let Some(inner) = property(&mut shape, name) {
                inner.with_null();
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
        Codec::Rename { .. } => shape,
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
