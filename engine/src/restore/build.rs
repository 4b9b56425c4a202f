//! From the codecs of a phase to a stage of the plan.

use std::rc::Rc;

use super::guard::Guards;
use super::plan::{Branch, Entries, Fields, Node, NullProperty, Pattern, Renames, Rest, Stage, Step};
use super::shape::Shape;
use crate::budget::Telling;
use crate::codec::Codec;
use crate::keyword::{DEFINITIONS, Kw};
use crate::op::Phase;
use crate::path::Places;
use crate::refs::Refs;
use crate::site::{holder, subschemas};
use crate::tree::{Id, Kind, Tree};

type Map<K, V> = hashbrown::HashMap<K, V, foldhash::fast::FixedState>;

/// A schema with the codecs that map the values of its nodes.
#[derive(Clone, Copy)]
pub(crate) struct Coded<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) refs: &'t Refs,
    /// Sorted by node; those of a node in the order in which they were made.
    pub(crate) codecs: &'t [(Id, Codec)],
}

impl<'t> Coded<'t> {
    pub(crate) fn at(&self, node: Id) -> &'t [(Id, Codec)] {
        let start = self.codecs.partition_point(|(n, _)| *n < node);
        let from = self.codecs.get(start..).unwrap_or_default();
        from.get(..from.partition_point(|(n, _)| *n == node)).unwrap_or_default()
    }
}

/// The codecs of one phase along its output; `None` where none is left in the schema.
pub(crate) fn stage(tree: &Tree, refs: &Refs, phase: Phase, mut codecs: Vec<(Id, Codec)>) -> Option<Stage> {
    codecs.sort_by_key(|(node, _)| *node);
    let schema = Coded { tree, refs, codecs: &codecs };
    let marked = marked(&schema);
    let mut builder = Builder { schema, marked, guards: Guards::new(schema), numbers: Map::default(), open: Vec::new() };
    let root = builder.is_marked(tree.root()).then(|| builder.node(tree.root()))?;
    let (mut defs, mut names) = (Vec::new(), DefinitionNames::new(tree, tree.root()));
    while let Some(&target) = builder.open.get(defs.len()) {
        let node = builder.node(target);
        defs.push((names.name(target, defs.len()), node));
    }
    Some(Stage { phase, root, defs })
}

/// The nodes on the way from the root to a codec, through references too.
fn marked(schema: &Coded<'_>) -> Vec<bool> {
    let mut marked = vec![false; schema.tree.len()];
    let mut referrers: Map<Id, Vec<Id>> = Map::default();
    for (node, target) in schema.refs.iter() {
        if let crate::refs::Target::Node(target) = target {
            referrers.entry(target).or_default().push(node);
        }
    }
    let mut open: Vec<Id> = schema.codecs.iter().map(|(node, _)| *node).collect();
    while let Some(node) = open.pop() {
        let mut at = Some(node);
        while let Some(here) = at.filter(|n| marked.get_mut(n.at()).is_some_and(|m| !std::mem::replace(m, true))) {
            open.extend(referrers.remove(&here).into_iter().flatten());
            at = schema.tree.parent(here);
        }
    }
    marked
}

/// What definitions of a plan are called: by the places of their schemas as long as those are not too long to be said, else by number.
pub(crate) struct DefinitionNames<'t> {
    places: Places<'t>,
    tree: &'t Tree,
    telling: Telling,
}

impl<'t> DefinitionNames<'t> {
    pub(crate) fn new(tree: &'t Tree, root: Id) -> DefinitionNames<'t> {
        DefinitionNames { places: Places::below(tree, root), tree, telling: Telling::default() }
    }

    pub(crate) fn name(&mut self, target: Id, number: usize) -> String {
        let told = self.telling.takes(self.tree.place_length(target));
        if told { self.places.pointer(target) } else { number.to_string() }
    }
}

struct Builder<'t> {
    schema: Coded<'t>,
    marked: Vec<bool>,
    guards: Guards<'t>,
    numbers: Map<Id, usize>,
    open: Vec<Id>,
}

impl Builder<'_> {
    fn is_marked(&self, node: Id) -> bool {
        self.marked.get(node.at()).copied().unwrap_or_default()
    }

    fn node(&mut self, node: Id) -> Node {
        let tree = self.schema.tree;
        let mut out = Node { steps: steps(self.schema.at(node)), ..Node::default() };
        if let Some(target) = self.schema.refs.node(node).filter(|&t| self.is_marked(t)) {
            let open = &mut self.open;
            out.target = Some(*self.numbers.entry(target).or_insert_with(|| {
                open.push(target);
                open.len().saturating_sub(1)
            }));
        }
        let mut below: Vec<(Kw, Id)> = Vec::new();
        subschemas(tree, node, |child, via| below.push((via, child)));
        let (mut unions, mut rest) = ([Vec::new(), Vec::new()], Vec::new());
        for (via, child) in below {
            if DEFINITIONS.has(via) {
                continue;
            }
            let marked = self.is_marked(child);
            let in_list = tree.parent(child).is_some_and(|p| tree.kind(p) == Kind::Array);
            match via {
                Kw::AnyOf => unions[0].push(child),
                Kw::OneOf => unions[1].push(child),
                Kw::AdditionalProperties | Kw::PatternProperties => rest.push(child),
                Kw::PrefixItems => out.prefix.push(if marked { self.node(child) } else { Node::default() }),
                Kw::Items if in_list => out.prefix.push(if marked { self.node(child) } else { Node::default() }),
                _ if !marked => {}
                Kw::Properties => {
                    let inner = self.node(child);
                    out.properties.push((tree.key(child).into_owned(), inner));
                }
                Kw::Items | Kw::AdditionalItems => out.items = Some(Box::new(self.node(child))),
                Kw::AllOf | Kw::Then | Kw::Else | Kw::DependentSchemas => {
                    let inner = self.node(child);
                    out.all.push(inner);
                }
                _ => {}
            }
        }
        out.properties.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if out.items.is_none() {
            while out.prefix.last().is_some_and(Node::is_empty) {
                out.prefix.pop();
            }
        }
        out.rest = self.rest(node, &rest);
        let [any, one] = unions;
        out.branches = self.branches(&any);
        let one = self.branches(&one);
        if out.branches.is_empty() {
            out.branches = one;
        } else if !one.is_empty() {
            out.all.push(Node { branches: one, ..Node::default() });
        }
        let parts = std::mem::take(&mut out.all);
        out.all = parts.into_iter().filter_map(|part| out.take_in(part)).collect();
        out
    }

    fn rest(&mut self, node: Id, schemas: &[Id]) -> Option<Box<Rest>> {
        if !schemas.iter().any(|&s| self.is_marked(s)) {
            return None;
        }
        let tree = self.schema.tree;
        let (patterned, others): (Vec<Id>, Vec<Id>) =
            schemas.iter().partition(|&&s| holder(tree, s).is_some_and(|(_, via)| via == Kw::PatternProperties));
        let patterns = patterned.iter().filter_map(|&s| Some((Pattern::new(tree.key(s).into_owned())?, self.node(s)))).collect();
        let mut named: Vec<String> =
            tree.get(node, Kw::Properties).into_iter().flat_map(|p| tree.children(p)).map(|p| tree.key(p).into_owned()).collect();
        named.sort_unstable();
        let node = others.first().filter(|&&s| self.is_marked(s)).map(|&s| self.node(s)).unwrap_or_default();
        Some(Box::new(Rest { named, patterns, node }))
    }

    /// The branches of a union, where one of them has codecs.
    fn branches(&mut self, schemas: &[Id]) -> Vec<Branch> {
        if !schemas.iter().any(|&s| self.is_marked(s)) {
            return Vec::new();
        }
        let mut shapes = |undo: bool| -> Vec<Shape> {
            let shapes: Vec<Rc<Shape>> = schemas.iter().map(|&s| self.guards.guard(s, undo)).collect();
            let told = told_apart_by_type(&shapes);
            shapes.into_iter().map(|s| if told { Shape::of_types(s.types) } else { Rc::unwrap_or_clone(s) }).collect()
        };
        let (when, was) = (shapes(false), shapes(true));
        let branches = schemas.iter().zip(when.into_iter().zip(was));
        branches.map(|(&s, (when, was))| Branch { when, was, then: self.is_marked(s).then(|| self.node(s)) }).collect()
    }
}

impl Node {
    /// Joins a node that is for the same value, so that nothing happens to it twice; gives back what cannot be joined.
    fn take_in(&mut self, other: Node) -> Option<Node> {
        if *self == other {
            return None;
        }
        if self.is_empty() {
            *self = other;
            return None;
        }
        let steps = self.steps.is_empty() || other.steps.is_empty() || self.steps == other.steps;
        let plain = |n: &Node| n.branches.is_empty() && n.target.is_none() && n.prefix.is_empty();
        let rests = match (&self.rest, &other.rest) {
            (Some(mine), Some(theirs)) => {
                mine.named == theirs.named
                    && (theirs.patterns.is_empty() || mine.patterns.len() == theirs.patterns.len())
                    && mine.patterns.iter().zip(&theirs.patterns).all(|(m, t)| m.0 == t.0)
            }
            _ => self.rest.is_none() && other.rest.is_none(),
        };
        if !steps || !rests || self.all != other.all || !plain(&other) || !plain(self) {
            return Some(other);
        }
        let Node { steps, properties, rest, items, .. } = other;
        if self.steps.is_empty() {
            self.steps = steps;
        }
        let mut left = Node::default();
        for (name, node) in properties {
            match self.properties.binary_search_by(|(n, _)| n.cmp(&name)) {
                Ok(at) => left.properties.extend(self.properties.get_mut(at).and_then(|(_, own)| own.take_in(node)).map(|n| (name, n))),
                Err(at) => self.properties.insert(at, (name, node)),
            }
        }
        match (&mut self.items, items) {
            (Some(mine), Some(theirs)) => left.items = mine.take_in(*theirs).map(Box::new),
            (mine, theirs) => *mine = mine.take().or(theirs),
        }
        if let (Some(mine), Some(theirs)) = (&mut self.rest, rest) {
            let mut back = Rest { named: theirs.named, ..Rest::default() };
            for (at, (pattern, node)) in mine.patterns.iter_mut().enumerate() {
                let other = theirs.patterns.get(at).map_or(&theirs.node, |(_, n)| n).clone();
                back.patterns.extend(node.take_in(other).map(|n| (pattern.clone(), n)));
            }
            back.node = mine.node.take_in(theirs.node).unwrap_or_default();
            left.rest = (!back.patterns.is_empty() || !back.node.is_empty()).then(|| Box::new(back));
        }
        (!left.is_empty()).then_some(left)
    }
}

fn told_apart_by_type(shapes: &[Rc<Shape>]) -> bool {
    let mut seen = crate::attr::Types::default();
    shapes.iter().all(|shape| {
        let new = !shape.types.is_empty() && shape.types.names().count() > 0 && seen.intersect(shape.types).is_empty();
        seen.0 |= shape.types.0;
        new
    })
}

/// The codecs of a node; those about properties are gathered.
fn steps(codecs: &[(Id, Codec)]) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    let mut renames: Vec<(String, String)> = Vec::new();
    for (i, (_, codec)) in codecs.iter().enumerate() {
        match codec {
            Codec::NullIsAbsent { property, nullable, default_null } => {
                let property = NullProperty { name: property.clone(), nullable: *nullable, default_null: *default_null };
                match out.last_mut() {
                    Some(Step::Nulls(list)) => list.push(property),
                    _ => out.push(Step::Nulls(vec![property])),
                }
            }
            Codec::AbsentForNull { property } => match out.last_mut() {
                Some(Step::Absent(list)) => list.push(property.clone()),
                _ => out.push(Step::Absent(vec![property.clone()])),
            },
            Codec::NullForAbsent { property } => match out.last_mut() {
                Some(Step::Omitted(list)) => list.push(property.clone()),
                _ => out.push(Step::Omitted(vec![property.clone()])),
            },
            Codec::Rename { from, to } => {
                renames.push((from.clone(), to.clone()));
                if !matches!(codecs.get(i.saturating_add(1)), Some((_, Codec::Rename { .. }))) {
                    out.push(Step::Rename(Renames::new(std::mem::take(&mut renames))));
                }
            }
            Codec::ParseJson { types, nullable } => out.push(Step::ParseJson { types: *types, nullable: *nullable }),
            Codec::Entries { key, value, rest, named } => {
                let mut named = named.clone();
                named.sort_unstable();
                out.push(Step::Entries(Entries { key: key.clone(), value: value.clone(), rest: rest.clone(), named }));
            }
            Codec::Fields { names, rest, least } => {
                out.push(Step::Fields(Fields { names: names.clone(), rest: rest.clone(), least: *least }));
            }
            Codec::Unwrap { name } => out.push(Step::Unwrap { name: name.clone() }),
            Codec::FromText { values, plain } => out.push(Step::FromText { values: values.clone(), plain: plain.clone() }),
        }
    }
    for step in &mut out {
        match step {
            Step::Nulls(list) => list.sort_unstable_by(|a, b| a.name.cmp(&b.name)),
            Step::Absent(list) | Step::Omitted(list) | Step::FromText { plain: list, .. } => list.sort_unstable(),
            _ => {}
        }
    }
    out
}
