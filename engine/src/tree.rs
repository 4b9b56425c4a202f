//! The document: an arena of nodes over one text buffer, with sibling links, edits in place and origins.

use std::borrow::Cow;

use crate::attr::Types;
use crate::keyword::{Kw, KwSet};
use crate::values::Members;

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub(crate) u32);

impl Id {
    pub(crate) const NONE: Id = Id(u32::MAX);

    pub(crate) fn some(self) -> Option<Id> {
        (self != Id::NONE).then_some(self)
    }

    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

/// The JSON kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Null,
    Bool,
    Num,
    Str,
    Array,
    Object,
}

impl Kind {
    /// All kinds with their words.
    pub const WORDS: [(&'static str, Kind); 6] = [
        ("null", Kind::Null),
        ("boolean", Kind::Bool),
        ("number", Kind::Num),
        ("string", Kind::Str),
        ("array", Kind::Array),
        ("object", Kind::Object),
    ];

    /// The word used in files and messages.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }

    /// Its bit in a set of kinds.
    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Bytes of the text buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// The same bytes of a text that begins later.
    pub(crate) fn before(self, start: u32) -> Span {
        Span { start: self.start.saturating_sub(start), end: self.end.saturating_sub(start) }
    }
}

const NO_KW: u8 = u8::MAX;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) keys: u128,
    pub(crate) parent: Id,
    pub(crate) first: Id,
    pub(crate) last: Id,
    pub(crate) next: Id,
    pub(crate) prev: Id,
    pub(crate) origin: Id,
    /// The key as raw text between its quotes, in canonical escapes.
    pub(crate) key: Span,
    /// The value as raw text; of an edited container, stale.
    pub(crate) span: Span,
    pub(crate) kind: Kind,
    pub(crate) kw: u8,
    pub(crate) escaped: bool,
    /// Whether it or anything below it was changed.
    pub(crate) edited: bool,
    /// The same, and never taken back: the span of a container is not what it says.
    pub(crate) altered: bool,
    /// The type of JSON Schema that a string without escapes names, if it names one.
    pub(crate) names: Types,
}

/// A JSON document that knows where each node stood, and can be edited.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) text: String,
    /// Where the parsed text ends and literals made by rewrites begin.
    pub(crate) parsed: u32,
    pub(crate) root: Id,
    /// Every known keyword that some object of the document has.
    pub(crate) seen: KwSet,
    pub(crate) duplicates: Duplicates,
    /// How many of the nodes were read from the text; the others are made, and share text or have none for their brackets.
    pub(crate) read: u32,
    /// Bytes of text that copies share with what they are copies of.
    pub(crate) copied: usize,
    /// Whether the text that was read is as short as it can be: what nothing has altered is printed as it stands there.
    pub(crate) compact: bool,
    /// How many nodes there were when the document was last settled.
    pub(crate) settled: u32,
    /// Whether one of those, that may be a schema or hold one, stands elsewhere, under another key or as something else since.
    pub(crate) moved: bool,
}

/// The keys that stood more than once in their object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Duplicates {
    /// By object, each with its number in the order of the text.
    keys: hashbrown::HashMap<Id, Vec<(usize, Span)>, foldhash::fast::FixedState>,
    count: usize,
}

impl Duplicates {
    pub(crate) fn push(&mut self, object: Id, key: Span) {
        self.keys.entry(object).or_default().push((self.count, key));
        self.count = self.count.saturating_add(1);
    }

    pub(crate) fn forget(&mut self, object: Id) {
        self.keys.remove(&object);
    }

    pub(crate) fn of(&self, object: Id) -> impl Iterator<Item = Span> {
        self.keys.get(&object).into_iter().flatten().map(|(_, key)| *key)
    }

    /// All with their objects, in the order of the text.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = (Id, Span)> {
        let mut all: Vec<_> = self.keys.iter().flat_map(|(object, keys)| keys.iter().map(|(n, key)| (*n, *object, *key))).collect();
        all.sort_unstable_by_key(|(n, ..)| *n);
        all.into_iter().map(|(_, object, key)| (object, key))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

impl Node {
    pub(crate) fn new(kind: Kind, span: Span) -> Node {
        Node {
            keys: 0,
            parent: Id::NONE,
            first: Id::NONE,
            last: Id::NONE,
            next: Id::NONE,
            prev: Id::NONE,
            origin: Id::NONE,
            key: Span::default(),
            span,
            kind,
            kw: NO_KW,
            escaped: false,
            edited: false,
            altered: false,
            names: Types(0),
        }
    }

    pub(crate) fn kw(&self) -> Option<Kw> {
        Kw::ALL.get(usize::from(self.kw)).copied()
    }

    pub(crate) fn set_kw(&mut self, kw: Option<Kw>) {
        self.kw = kw.map_or(NO_KW, |k| k as u8);
    }
}

/// Reading.
impl Tree {
    /// The root of the document.
    #[must_use]
    pub fn root(&self) -> Id {
        self.root
    }

    /// The number of nodes ever made.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node; never so for a parsed document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// No part of the document is longer than this as compact JSON.
    pub(crate) fn longest(&self) -> usize {
        // What is made may need brackets, a comma, and quotes and a colon for its key, beside what is written into the text.
        let made = self.nodes.len().saturating_sub(self.read as usize);
        self.text.len().saturating_add(self.copied).saturating_add(made.saturating_mul(6))
    }

    /// Every key that occurs in the document.
    #[must_use]
    pub fn seen_keys(&self) -> KwSet {
        self.seen
    }

    #[expect(clippy::indexing_slicing, reason = "a tree hands out the numbers of its own nodes, and keeps every node that it made")]
    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id.at()]
    }

    #[expect(clippy::indexing_slicing, reason = "as for `node`")]
    pub(crate) fn node_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id.at()]
    }

    /// The JSON kind.
    #[must_use]
    pub fn kind(&self, id: Id) -> Kind {
        self.node(id).kind
    }

    /// The object or array that holds the node.
    #[must_use]
    pub fn parent(&self, id: Id) -> Option<Id> {
        self.node(id).parent.some()
    }

    /// The known keywords (and [`KwSet::OTHER`]) that an object has as keys.
    #[must_use]
    pub fn keys(&self, id: Id) -> KwSet {
        KwSet(self.node(id).keys)
    }

    /// The node's own key, if it is a known keyword.
    #[must_use]
    pub fn kw(&self, id: Id) -> Option<Kw> {
        self.node(id).kw()
    }

    /// The node's own key, raw between the quotes; empty for array elements.
    #[must_use]
    pub fn raw_key(&self, id: Id) -> &str {
        self.slice(self.node(id).key)
    }

    /// The node's own key.
    #[must_use]
    pub fn key(&self, id: Id) -> Cow<'_, str> {
        unescape(self.raw_key(id))
    }

    pub(crate) fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The value as written: for strings and numbers the literal, for containers the text as parsed.
    #[must_use]
    pub fn raw(&self, id: Id) -> &str {
        self.slice(self.node(id).span)
    }

    /// Where the node stands in the parsed text.
    #[must_use]
    pub fn span(&self, id: Id) -> Option<(u32, u32)> {
        let span = self.node(id).span;
        (span.end <= self.parsed && span.end > span.start).then_some((span.start, span.end))
    }

    /// The node of the input that this one came from.
    #[must_use]
    pub fn origin(&self, id: Id) -> Option<Id> {
        self.node(id).origin.some()
    }

    /// The text of a string.
    #[must_use]
    pub fn str(&self, id: Id) -> Option<Cow<'_, str>> {
        let node = self.node(id);
        if node.kind != Kind::Str {
            return None;
        }
        let raw = self.slice(node.span);
        let inner = unquoted(raw);
        Some(if node.escaped { unescape(inner) } else { Cow::Borrowed(inner) })
    }

    /// The text of a string that is written without escapes.
    pub(crate) fn plain(&self, id: Id) -> Option<&str> {
        let node = self.node(id);
        (node.kind == Kind::Str && !node.escaped).then(|| unquoted(self.slice(node.span)))
    }

    /// The standard type that a string without escapes names.
    pub(crate) fn named_type(&self, id: Id) -> Option<Types> {
        let names = self.node(id).names;
        (!names.is_empty()).then_some(names)
    }

    /// The value of a boolean.
    #[must_use]
    pub fn bool(&self, id: Id) -> Option<bool> {
        (self.kind(id) == Kind::Bool).then(|| self.raw(id) == "true")
    }

    /// The value of a number, as a double.
    #[must_use]
    pub fn num(&self, id: Id) -> Option<f64> {
        (self.kind(id) == Kind::Num).then(|| self.raw(id).parse().unwrap_or(f64::NAN))
    }

    /// The members or elements, in order.
    #[must_use]
    pub fn children(&self, id: Id) -> Children<'_> {
        Children { tree: self, next: self.node(id).first }
    }

    /// How many members or elements.
    #[must_use]
    pub fn count(&self, id: Id) -> usize {
        self.children(id).count()
    }

    /// The member under a keyword.
    #[must_use]
    pub fn get(&self, id: Id, kw: Kw) -> Option<Id> {
        if !self.keys(id).has(kw) || self.kind(id) != Kind::Object {
            return None;
        }
        self.children(id).find(|&c| self.kw(c) == Some(kw))
    }

    /// The member under a name.
    #[must_use]
    pub fn member(&self, id: Id, name: &str) -> Option<Id> {
        if self.kind(id) != Kind::Object {
            return None;
        }
        if let Some(kw) = Kw::of(name) {
            return self.get(id, kw);
        }
        let raw = escape(name);
        self.children(id).find(|&c| self.raw_key(c) == raw)
    }

    /// The element of an array.
    #[must_use]
    pub fn element(&self, id: Id, index: usize) -> Option<Id> {
        if self.kind(id) == Kind::Array { self.children(id).nth(index) } else { None }
    }

    /// The position among its siblings.
    #[must_use]
    pub fn index(&self, id: Id) -> usize {
        let mut n = 0_usize;
        let mut at = self.node(id).prev;
        while let Some(prev) = at.some() {
            n = n.saturating_add(1);
            at = self.node(prev).prev;
        }
        n
    }

    /// Whether `top` is the node or above it.
    #[must_use]
    pub fn within(&self, id: Id, top: Id) -> bool {
        let mut at = Some(id);
        while let Some(here) = at {
            if here == top {
                return true;
            }
            at = self.parent(here);
        }
        false
    }

    /// How many containers are around the node.
    #[must_use]
    pub fn depth(&self, id: Id) -> usize {
        let mut n = 0_usize;
        let mut at = self.parent(id);
        while let Some(here) = at {
            n = n.saturating_add(1);
            at = self.parent(here);
        }
        n
    }

    /// Nodes in the subtree, with its own.
    #[must_use]
    pub fn size(&self, id: Id) -> usize {
        self.descendants(id).count()
    }

    /// The subtree in pre-order, with its top.
    #[must_use]
    pub fn descendants(&self, id: Id) -> Descendants<'_> {
        Descendants { tree: self, top: id, next: Some(id) }
    }

    /// The key of an object that stood there more than once, if any (the last value counts).
    pub fn duplicate_keys(&self, id: Id) -> impl Iterator<Item = &str> {
        self.duplicates.of(id).map(|key| self.slice(key))
    }

    /// Whether two nodes are the same JSON value: member order does not count, numbers compare by value.
    #[must_use]
    pub fn same(&self, a: Id, b: Id) -> bool {
        same_value(self, a, self, b)
    }
}

/// See [`Tree::same`]; the nodes may stand in different trees.
#[must_use]
pub fn same_value(left: &Tree, a: Id, right: &Tree, b: Id) -> bool {
    let mut open = Vec::new();
    let mut pair = Some((a, b));
    while let Some((a, b)) = pair {
        let same = match (left.kind(a), right.kind(b)) {
            (Kind::Array, Kind::Array) => pair_elements((left, a), (right, b), &mut open),
            (Kind::Object, Kind::Object) => pair_members((left, a), (right, b), &mut open),
            (l, r) => l == r && same_scalar((left, a), (right, b)),
        };
        if !same {
            return false;
        }
        pair = open.pop();
    }
    true
}

fn same_scalar((left, a): (&Tree, Id), (right, b): (&Tree, Id)) -> bool {
    match left.kind(a) {
        Kind::Num => left.raw(a) == right.raw(b) || same_number(left.raw(a), right.raw(b)),
        Kind::Str => left.str(a) == right.str(b),
        _ => left.raw(a) == right.raw(b),
    }
}

/// Whether two arrays are of one length; what has to be the same then is put down, unless it is seen at once.
fn pair_elements((left, a): (&Tree, Id), (right, b): (&Tree, Id), open: &mut Vec<(Id, Id)>) -> bool {
    let (mut l, mut r) = (left.children(a), right.children(b));
    loop {
        match (l.next(), r.next()) {
            (None, None) => return true,
            (Some(x), Some(y)) if may_be_same((left, x), (right, y), open) => {}
            _ => return false,
        }
    }
}

/// Like [`pair_elements`], of two objects.
fn pair_members((left, a): (&Tree, Id), (right, b): (&Tree, Id), open: &mut Vec<(Id, Id)>) -> bool {
    let mut twins = None;
    left.count(a) == right.count(b)
        && left.children(a).zip(right.children(b)).all(|(x, y)| {
            let key = left.raw_key(x);
            let twin =
                if key == right.raw_key(y) { Some(y) } else { twins.get_or_insert_with(|| Members::of(right, Some(b))).named(right, key) };
            twin.is_some_and(|y| may_be_same((left, x), (right, y), open))
        })
}

/// Scalars are compared at once, and what has parts is put down.
fn may_be_same((left, x): (&Tree, Id), (right, y): (&Tree, Id), open: &mut Vec<(Id, Id)>) -> bool {
    let kind = left.kind(x);
    if kind != right.kind(y) {
        return false;
    }
    let parts = matches!(kind, Kind::Array | Kind::Object);
    if parts {
        open.push((x, y));
    }
    parts || same_scalar((left, x), (right, y))
}

fn same_number(a: &str, b: &str) -> bool {
    let plain = |t: &str| t.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if plain(a) && plain(b) {
        return a == b || (a.trim_start_matches('-') == "0" && b.trim_start_matches('-') == "0");
    }
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => x == y && x.is_finite(),
        _ => false,
    }
}

/// Iterator over members or elements.
pub struct Children<'t> {
    tree: &'t Tree,
    next: Id,
}

impl Iterator for Children<'_> {
    type Item = Id;

    fn next(&mut self) -> Option<Id> {
        let id = self.next.some()?;
        self.next = self.tree.node(id).next;
        Some(id)
    }
}

/// Iterator over a subtree, pre-order.
pub struct Descendants<'t> {
    tree: &'t Tree,
    top: Id,
    next: Option<Id>,
}

impl Iterator for Descendants<'_> {
    type Item = Id;

    fn next(&mut self) -> Option<Id> {
        let id = self.next?;
        let tree = self.tree;
        self.next = tree.node(id).first.some().or_else(|| {
            let mut at = id;
            loop {
                if at == self.top {
                    return None;
                }
                if let Some(next) = tree.node(at).next.some() {
                    return Some(next);
                }
                at = tree.parent(at)?;
            }
        });
        Some(id)
    }
}

/// What stands between the quotes of a JSON string.
pub(crate) fn unquoted(literal: &str) -> &str {
    literal.strip_prefix('"').and_then(|l| l.strip_suffix('"')).unwrap_or_default()
}

/// A string as it stands between JSON quotes, with the fewest escapes.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    let plain = |b: u8| b >= 0x20 && b != b'"' && b != b'\\';
    if text.bytes().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len().saturating_add(8));
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The text of a JSON string literal's inside. What is no valid escape stays as it is.
#[must_use]
pub fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(raw);
    }
    match serde_json::from_str::<String>(&format!("\"{raw}\"")) {
        Ok(text) => Cow::Owned(text),
        Err(_) => Cow::Borrowed(raw),
    }
}
