//! A schema under rewriting: the tree, what its references mean, and what has been done so far.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::adapt::Options;
use crate::attr::Types;
use crate::codec::Codec;
use crate::effect::Effects;
use crate::keyword::{DEFINITIONS, Kw};
use crate::note::Note;
use crate::op::Phase;
use crate::refs::{Refs, Target};
use crate::site::{Polarity, polarity, subschemas};
use crate::tree::{Id, Kind, Tree};

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// A change as the driver records it; places become text at the end.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) phase: Phase,
    pub(crate) rule: usize,
    pub(crate) operation: &'static str,
    pub(crate) effect: Effects,
    pub(crate) node: Id,
    /// The node of the input that it came from.
    pub(crate) source: Id,
    /// What held it before.
    pub(crate) parent: Option<Id>,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) what: String,
}

/// The schema under rewriting.
pub(crate) struct Doc<'t, 'o> {
    pub(crate) tree: Tree,
    /// The schema as it came.
    pub(crate) base: Cow<'t, Tree>,
    pub(crate) refs: Refs,
    /// What the references meant in the schema as it came.
    base_refs: Refs,
    pub(crate) options: &'o Options,
    pub(crate) codecs: Vec<(Id, Codec)>,
    pub(crate) notes: Map<Id, Vec<Note>>,
    /// The targets that have been copied into a node.
    pub(crate) expanded: Map<Id, Vec<Id>>,
    pub(crate) log: Vec<Change>,
    /// Whether something was left undone because a limit was reached.
    pub(crate) exhausted: bool,
}

/// What an operation did.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) effect: Effects,
    pub(crate) what: String,
}

/// Why an operation did nothing.
pub(crate) struct Declined;

/// The answer of an operation.
pub(crate) type Outcome = Result<Done, Declined>;

/// An operation that did something.
pub(crate) fn done(effect: Effects, what: impl Into<String>) -> Outcome {
    Ok(Done { effect, what: what.into() })
}

impl<'t, 'o> Doc<'t, 'o> {
    /// A copy of the schema, ready for rewriting.
    #[must_use]
    pub(crate) fn new(tree: &'t Tree, root: Id, options: &'o Options) -> Doc<'t, 'o> {
        let base = if root == tree.root() { Cow::Borrowed(tree) } else { Cow::Owned(tree.extract(root)) };
        let refs = Refs::of(&base, base.root());
        let mut tree = base.clone().into_owned();
        tree.settle();
        Doc {
            tree,
            base,
            base_refs: refs.clone(),
            refs,
            options,
            codecs: Vec::new(),
            notes: Map::default(),
            expanded: Map::default(),
            log: Vec::new(),
            exhausted: false,
        }
    }

    /// Whether the user allows an effect at a node, seen from the root.
    pub(crate) fn permit(&self, node: Id, effect: Effects) -> Result<Effects, Declined> {
        let effect = self.seen_from_root(node, effect);
        if effect.within(self.options.allow) { Ok(effect) } else { Err(Declined) }
    }

    fn seen_from_root(&self, node: Id, effect: Effects) -> Effects {
        if !effect.meets(Effects::WIDENS.with(Effects::NARROWS)) {
            return effect;
        }
        match polarity(&self.tree, self.tree.root(), node) {
            Polarity::Plain => effect,
            Polarity::Flipped => effect.flipped(),
            Polarity::Both => effect.blurred(),
        }
    }

    /// Whether so many nodes may still be made.
    pub(crate) fn room(&mut self, nodes: usize) -> bool {
        let made = self.tree.len() - self.base.len();
        // Every copy is counted, also those that were thrown away: this bounds work, not only the result.
        let fits = made + nodes <= self.options.budget.expanded.saturating_mul(4) + self.base.len().saturating_mul(4);
        self.exhausted |= !fits;
        fits
    }

    /// A copy of a subtree; its references mean what the originals mean.
    pub(crate) fn copy(&mut self, id: Id) -> Option<Id> {
        if !self.room(self.tree.size(id)) {
            return None;
        }
        let copy = self.tree.copy(id);
        self.adopt(id, copy, true);
        Some(copy)
    }

    /// A copy of a subtree as it stood in the input.
    pub(crate) fn copy_base(&mut self, id: Id) -> Id {
        let copy = self.tree.copy_from(&self.base.nodes, id);
        self.adopt(id, copy, false);
        copy
    }

    /// Gives the copies of references the meaning of their originals.
    fn adopt(&mut self, original: Id, copy: Id, current: bool) {
        if self.base_refs.is_empty() {
            return;
        }
        let pairs: Vec<(Id, Id)> = {
            let from: &Tree = if current { &self.tree } else { &self.base };
            from.descendants(original).zip(self.tree.descendants(copy)).collect()
        };
        for (from, to) in pairs {
            let meaning = if current {
                self.refs.target(from).map(|t| (t, self.refs.recursive(from)))
            } else {
                self.base_refs.target(from).map(|t| (t, self.base_refs.recursive(from)))
            };
            if let Some((target, recursive)) = meaning {
                self.refs.put(to, target, recursive);
            }
            if current {
                if let Some(list) = self.expanded.get(&from).cloned() {
                    self.expanded.insert(to, list);
                }
                if let Some(notes) = self.notes.get(&from).cloned() {
                    self.notes.insert(to, notes);
                }
                let own: Vec<Codec> = self.codecs.iter().filter(|(n, _)| *n == from).map(|(_, c)| c.clone()).collect();
                self.codecs.extend(own.into_iter().map(|c| (to, c)));
            }
        }
    }

    /// Moves what is known of one node to another that takes its content.
    pub(crate) fn inherit(&mut self, from: Id, to: Id) {
        self.refs.adopt(from, to);
        if let Some(notes) = self.notes.remove(&from) {
            self.notes.entry(to).or_default().extend(notes);
        }
        if let Some(list) = self.expanded.get(&from).cloned() {
            self.expanded.entry(to).or_default().extend(list);
        }
        for (node, _) in &mut self.codecs {
            if *node == from {
                *node = to;
            }
        }
    }

    /// Remembers a sentence for the node's description.
    pub(crate) fn note(&mut self, node: Id, note: Note) {
        self.notes.entry(node).or_default().push(note);
    }

    /// Makes a node an object without members, whatever it was; known notes stay.
    pub(crate) fn clear(&mut self, node: Id) {
        let children: Vec<Id> = self.tree.children(node).collect();
        for child in children {
            self.tree.detach(child);
        }
        self.tree.become_object(node);
    }

    /// Moves all members into a new detached object, except those that stay.
    pub(crate) fn move_out(&mut self, node: Id, stays: impl Fn(&Tree, Id) -> bool) -> Id {
        let inner = self.tree.new_object();
        let children: Vec<Id> = self.tree.children(node).collect();
        let mut moved_ref = false;
        for child in children {
            if stays(&self.tree, child) {
                continue;
            }
            let name = self.tree.key(child).into_owned();
            moved_ref |= self.tree.kw(child) == Some(Kw::Ref);
            self.tree.detach(child);
            self.tree.insert(inner, &name, child);
        }
        if moved_ref {
            self.refs.adopt(node, inner);
            self.refs.forget(node);
        }
        self.tree.set_origin(inner, node);
        inner
    }

    /// Puts a schema where another node stands; the node keeps its identity.
    pub(crate) fn become_node(&mut self, node: Id, content: Id) {
        self.clear(node);
        let children: Vec<Id> = self.tree.children(content).collect();
        for child in children {
            let name = self.tree.key(child).into_owned();
            self.tree.detach(child);
            self.tree.insert(node, &name, child);
        }
        self.refs.forget(node);
        self.inherit(content, node);
    }

    /// Writes `type`, in its old place or before all else.
    pub(crate) fn set_type(&mut self, node: Id, types: Types) {
        let names: Vec<&str> = types.names().collect();
        let value = if let [one] = names[..] {
            self.tree.new_str(one)
        } else {
            let list = self.tree.new_array();
            // Null last: that is how people write it.
            for name in names {
                let item = self.tree.new_str(name);
                self.tree.append(list, item);
            }
            list
        };
        self.set_first(node, Kw::Type, value);
    }

    /// Writes a keyword, in its old place or before all else.
    pub(crate) fn set_first(&mut self, node: Id, kw: Kw, value: Id) {
        match (self.tree.get(node, kw), self.tree.children(node).next()) {
            (None, Some(first)) => self.tree.insert_before(first, kw.name(), value),
            _ => self.tree.set(node, kw, value),
        }
    }

    /// The schema nodes of a subtree, top first.
    pub(crate) fn schemas(&self, top: Id, definitions: bool) -> Vec<Id> {
        let mut out = Vec::new();
        let mut stack = vec![top];
        while let Some(node) = stack.pop() {
            out.push(node);
            let at = stack.len();
            subschemas(&self.tree, node, |child, via| {
                if definitions || !DEFINITIONS.has(via) {
                    stack.push(child);
                }
            });
            stack[at..].reverse();
        }
        out
    }

    /// A name that no member of the object has.
    pub(crate) fn fresh_name(&self, object: Option<Id>, wish: &str) -> String {
        let taken = |name: &str| object.is_some_and(|o| self.tree.member(o, name).is_some());
        if !taken(wish) {
            return wish.to_owned();
        }
        (2..).map(|n| format!("{wish}_{n}")).find(|n| !taken(n)).unwrap_or_else(|| wish.to_owned())
    }

    /// The node of the input that a node came from, or the nearest above that came from one.
    pub(crate) fn source(&self, node: Id) -> Id {
        let mut at = node;
        loop {
            if at.at() < self.base.len() {
                return at;
            }
            if let Some(origin) = self.tree.origin(at) {
                at = origin;
            } else if let Some(parent) = self.tree.parent(at) {
                at = parent;
            } else {
                return self.base.root();
            }
        }
    }

    /// Whether the node is part of the schema.
    pub(crate) fn attached(&self, node: Id) -> bool {
        self.tree.within(node, self.tree.root())
    }

    /// Respells references whose targets stand somewhere else now; what was cut off is brought back under `$defs`.
    /// Returns whether something was brought back.
    pub(crate) fn respell(&mut self) -> bool {
        let mut brought = false;
        if self.refs.is_empty() {
            return brought;
        }
        let root = self.tree.root();
        let mut round = 0;
        loop {
            let mut again = false;
            for node in self.schemas(root, true) {
                let Some(Target::Node(to)) = self.refs.target(node) else { continue };
                let Some(value) = self.tree.get(node, Kw::Ref) else { continue };
                if !self.attached(to) && round < 64 {
                    self.define(to, "definition");
                    again = true;
                    brought = true;
                }
                let pointer = self.tree.pointer(root, to);
                let text = self.tree.str(value).unwrap_or_default().into_owned();
                let current = text.strip_prefix('#').map(crate::refs::percent_decode).filter(|p| p.is_empty() || p.starts_with('/'));
                if current.and_then(|p| self.tree.at_pointer(root, &p)) != Some(to) {
                    let new = self.tree.new_str(&format!("#{}", fragment(&pointer)));
                    self.tree.replace(value, new);
                }
            }
            round += 1;
            if !again {
                return brought;
            }
        }
    }

    /// Puts a detached schema under the root's `$defs`.
    pub(crate) fn define(&mut self, schema: Id, wish: &str) -> String {
        let root = self.tree.root();
        let map = match self.tree.get(root, Kw::Defs).filter(|&m| self.tree.kind(m) == Kind::Object) {
            Some(map) => map,
            None => {
                let map = self.tree.new_object();
                self.tree.set(root, Kw::Defs, map);
                map
            }
        };
        let name = self.fresh_name(Some(map), wish);
        self.tree.insert(map, &name, schema);
        name
    }
}

/// A pointer as a URI fragment.
fn fragment(pointer: &str) -> String {
    let mut out = String::with_capacity(pointer.len());
    for c in pointer.chars() {
        match c {
            '%' => out.push_str("%25"),
            ' ' => out.push_str("%20"),
            '"' => out.push_str("%22"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            '^' => out.push_str("%5E"),
            '`' => out.push_str("%60"),
            '{' => out.push_str("%7B"),
            '|' => out.push_str("%7C"),
            '}' => out.push_str("%7D"),
            '#' => out.push_str("%23"),
            c => out.push(c),
        }
    }
    out
}
