//! Where schemas stand: the subschemas of a node, and the place of each.

use std::borrow::Cow;

use hashbrown::HashSet;

use crate::attr::Types;
use crate::keyword::{DEFINITIONS, Holds, Kw, KwSet, SUBSCHEMAS, UNIONS};
use crate::tree::{Id, Kind, Tree, escape, unescape, unquoted};

/// How a schema node is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The keyword it stands under; `None` at the root.
    pub via: Option<Kw>,
    /// The schema node that holds it.
    pub holder: Option<Id>,
    /// A property that `required` does not list.
    pub optional: bool,
    /// A property of the root.
    pub root_property: bool,
    /// At any depth below a definition.
    pub in_definition: bool,
    /// Containers around the node, itself not counted.
    pub level: u32,
}

impl Place {
    /// The root's place.
    pub const ROOT: Place = Place { via: None, holder: None, optional: false, root_property: false, in_definition: false, level: 0 };
}

/// Calls `f` with every subschema of a node and the keyword it stands under.
pub fn subschemas(tree: &Tree, node: Id, f: impl FnMut(Id, Kw)) {
    subschemas_under(tree, node, SUBSCHEMAS, f);
}

/// Like [`subschemas`], of those that stand under some keywords.
pub(crate) fn subschemas_under(tree: &Tree, node: Id, keywords: KwSet, mut f: impl FnMut(Id, Kw)) {
    if tree.kind(node) != Kind::Object || !tree.keys(node).meets(keywords) {
        return;
    }
    for child in tree.children(node) {
        let Some(kw) = tree.kw(child).filter(|&kw| keywords.has(kw)) else { continue };
        match (kw.holds(), tree.kind(child)) {
            (Holds::Schema | Holds::SchemaOrList, Kind::Object | Kind::Bool) | (Holds::SchemaOrBool, Kind::Object) => f(child, kw),
            (Holds::SchemaOrList | Holds::SchemaList, Kind::Array) | (Holds::SchemaMap | Holds::SchemaOrNamesMap, Kind::Object) => {
                for schema in tree.children(child) {
                    if matches!(tree.kind(schema), Kind::Object | Kind::Bool) {
                        f(schema, kw);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a schema node counts as a level of nesting.
#[must_use]
pub fn is_container(tree: &Tree, node: Id) -> bool {
    if tree.kind(node) != Kind::Object {
        return false;
    }
    let keys = tree.keys(node);
    if keys.has(Kw::Properties) || keys.has(Kw::Items) || keys.has(Kw::PrefixItems) {
        return true;
    }
    let containers = Types(Types::OBJECT.0 | Types::ARRAY.0);
    let names = |id: Id| match tree.named_type(id) {
        Some(types) => types.meets(containers),
        None => tree.str(id).is_some_and(|t| t == "object" || t == "array"),
    };
    match tree.get(node, Kw::Type) {
        Some(t) if tree.kind(t) == Kind::Array => tree.children(t).any(names),
        Some(t) => names(t),
        None => false,
    }
}

/// The names an object lists as required; text members only.
pub struct Required<'t> {
    tree: &'t Tree,
    list: Option<Id>,
    set: Option<HashSet<Cow<'t, str>, foldhash::fast::FixedState>>,
    /// The name behind the one that was found last: the next one, where both stand in the same order.
    next: Option<Id>,
}

impl<'t> Required<'t> {
    /// Reads the node's `required`.
    #[must_use]
    pub fn of(tree: &'t Tree, node: Id) -> Required<'t> {
        let list = tree.get(node, Kw::Required).filter(|&r| tree.kind(r) == Kind::Array);
        let long = list.is_some_and(|l| tree.children(l).nth(16).is_some());
        let set = list.filter(|_| long).map(|l| tree.children(l).filter_map(|n| inner(tree, n)).collect());
        Required { tree, list, set, next: list.and_then(|l| tree.node(l).first.some()) }
    }

    /// Whether the list has the property's name; quick, where properties are asked for in the order of the list.
    pub(crate) fn has_next(&mut self, property: Id) -> bool {
        let (tree, Some(next)) = (self.tree, self.next) else { return self.has(property) };
        if tree.plain(next).is_none_or(|name| name != tree.raw_key(property)) {
            return self.has(property);
        }
        self.next = tree.node(next).next.some();
        true
    }

    /// Whether the list has the property's name.
    #[must_use]
    pub fn has(&self, property: Id) -> bool {
        let name = self.tree.raw_key(property);
        match (&self.set, self.list) {
            (Some(set), _) => set.contains(name),
            (None, Some(list)) => {
                self.tree.children(list).any(|n| may_be(self.tree, n, name) && inner(self.tree, n).is_some_and(|n| n == name))
            }
            (None, None) => false,
        }
    }
}

/// Whether an object requires its property; of many, ask [`Required`]. The newest names are looked at first.
pub(crate) fn requires(tree: &Tree, object: Id, property: Id) -> bool {
    let list = tree.get(object, Kw::Required).filter(|&r| tree.kind(r) == Kind::Array);
    let name = tree.raw_key(property);
    let names = std::iter::successors(list.and_then(|l| tree.node(l).last.some()), |&n| tree.node(n).prev.some());
    names.into_iter().any(|n| inner(tree, n).is_some_and(|n| n == name))
}

/// Whether a value is long enough to be this string, or as good as that.
fn may_be(tree: &Tree, value: Id, name: &str) -> bool {
    let value = tree.node(value);
    value.escaped || value.span.len() == name.len().saturating_add(2)
}

/// A string in the spelling that keys have.
fn inner(tree: &Tree, node: Id) -> Option<Cow<'_, str>> {
    if tree.kind(node) != Kind::Str {
        return None;
    }
    Some(match tree.plain(node) {
        Some(raw) => Cow::Borrowed(raw),
        None => Cow::Owned(escape(&unescape(unquoted(tree.raw(node)))).into_owned()),
    })
}

/// Adds the subschemas of a node with their places, in document order.
pub fn children(tree: &Tree, node: Id, place: &Place, out: &mut Vec<(Id, Place)>) {
    if !tree.keys(node).meets(SUBSCHEMAS) {
        return;
    }
    let mut required = tree.keys(node).has(Kw::Properties).then(|| Required::of(tree, node));
    let level = place.level.saturating_add(u32::from(is_container(tree, node)));
    subschemas(tree, node, |child, via| {
        let optional = via == Kw::Properties && required.as_mut().is_some_and(|r| !r.has_next(child));
        out.push((
            child,
            Place {
                via: Some(via),
                holder: Some(node),
                optional,
                root_property: via == Kw::Properties && place.via.is_none(),
                in_definition: place.in_definition || DEFINITIONS.has(via),
                level: if DEFINITIONS.has(via) { 0 } else { level },
            },
        ));
    });
}

/// The place of a node that is known to be a schema, found by climbing.
#[must_use]
pub fn place_of(tree: &Tree, root: Id, node: Id) -> Place {
    let mut chain = Vec::new();
    let mut at = node;
    while at != root {
        match holder(tree, at) {
            Some((up, _)) => {
                chain.push(at);
                at = up;
            }
            None => return Place::ROOT,
        }
    }
    let mut place = Place::ROOT;
    let mut up = root;
    for &step in chain.iter().rev() {
        let via = holder(tree, step).map(|(_, kw)| kw);
        let level = place.level.saturating_add(u32::from(is_container(tree, up)));
        let definition = via.is_some_and(|v| DEFINITIONS.has(v));
        place = Place {
            via,
            holder: Some(up),
            optional: via == Some(Kw::Properties) && step == node && !requires(tree, up, step),
            root_property: via == Some(Kw::Properties) && up == root,
            in_definition: place.in_definition || definition,
            level: if definition { 0 } else { level },
        };
        up = step;
    }
    place
}

/// The schema node above, and the keyword under which this one stands there.
#[must_use]
pub fn holder(tree: &Tree, node: Id) -> Option<(Id, Kw)> {
    let parent = tree.parent(node)?;
    if let (Kind::Object, Some(kw)) = (tree.kind(parent), tree.kw(node))
        && matches!(kw.holds(), Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool)
        && tree.parent(parent).and_then(|_| tree.kw(parent)).is_none_or(|k| !is_map(k) || !in_schema(tree, parent))
    {
        return Some((parent, kw));
    }
    let kw = tree.kw(parent)?;
    Some((tree.parent(parent)?, kw))
}

fn is_map(kw: Kw) -> bool {
    matches!(kw.holds(), Holds::SchemaMap | Holds::SchemaOrNamesMap)
}

/// Whether a node under a map keyword really is that keyword's map, and not a property of that name.
fn in_schema(tree: &Tree, map: Id) -> bool {
    let mut maps = 0_usize;
    let mut at = map;
    // A run of maps above each other alternates: schema, map, schema…
    while let Some(kw) = tree.kw(at) {
        if !is_map(kw) {
            break;
        }
        maps = maps.saturating_add(1);
        match tree.parent(at) {
            Some(up) => at = up,
            None => break,
        }
    }
    maps % 2 == 1
}

/// The kinds of position that blur which way an effect goes: alternatives that exclude each other, and conditions.
#[must_use]
pub fn polarity(tree: &Tree, root: Id, node: Id) -> Polarity {
    let mut at = node;
    let mut polarity = Polarity::Plain;
    while at != root {
        let Some((up, via)) = holder(tree, at) else { break };
        match via {
            Kw::Not => {
                polarity = match polarity {
                    Polarity::Plain => Polarity::Flipped,
                    Polarity::Flipped => Polarity::Plain,
                    Polarity::Both => Polarity::Both,
                }
            }
            Kw::OneOf | Kw::If | Kw::Contains => return Polarity::Both,
            _ => {}
        }
        at = up;
    }
    polarity
}

/// Which way a local change goes for the whole schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// The same way.
    Plain,
    /// The other way round.
    Flipped,
    /// Either way.
    Both,
}

/// The branches of a union (anyOf, else oneOf).
#[must_use]
pub fn union_branches(tree: &Tree, node: Id) -> Vec<Id> {
    let mut out = Vec::new();
    if tree.kind(node) == Kind::Object && tree.keys(node).meets(UNIONS) {
        for kw in [Kw::AnyOf, Kw::OneOf] {
            if let Some(list) = tree.get(node, kw).filter(|&l| tree.kind(l) == Kind::Array) {
                out.extend(tree.children(list));
            }
        }
    }
    out
}
