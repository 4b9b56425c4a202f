//! A schema under rewriting: the tree, what its references mean, and what has been done so far.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

use hashbrown::HashMap;

use crate::adapt::Options;
use crate::attr::Types;
use crate::budget::Telling;
use crate::codecs::Codecs;
use crate::effect::Effects;
use crate::exclusive::exclusive;
use crate::keyword::{DEFINITIONS, Kw};
use crate::note::Note;
use crate::op::name::with_hash;
use crate::op::{Phase, RefChoice};
use crate::refs::{REFERENCES, Refs, Target};
use crate::site::{Polarity, holder, polarity, subschemas};
use crate::tree::{Id, Kind, Tree};

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;
type Set<K> = hashbrown::HashSet<K, foldhash::fast::FixedState>;

/// A definition that is moved gets no longer name than this.
const LONGEST_NAME: usize = 256;

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
    pub(crate) base: &'t Tree,
    pub(crate) refs: Refs,
    /// What the references meant in the schema as it came.
    pub(crate) base_refs: Refs,
    pub(crate) options: &'o Options,
    pub(crate) codecs: Codecs,
    pub(crate) notes: Map<Id, Vec<Note>>,
    /// The targets that have been copied into a node.
    pub(crate) expanded: Map<Id, Vec<Id>>,
    /// The nodes whose values an earlier round writes in another form, and all above them: a copy of what they were would lose that.
    pub(crate) recoded: Set<Id>,
    /// What became of cycles that references lead to from outside.
    pub(crate) cycles: Cycles,
    /// Whether there was no room for something.
    pub(crate) crowded: Cell<bool>,
    /// Something may have come, since references were last hoisted, that has to be moved.
    pub(crate) unhoisted: bool,
    /// There was no room for what had to be moved.
    pub(crate) unhoistable: bool,
    /// The nodes in the subtree of each node of the base.
    base_sizes: OnceCell<Vec<u32>>,
    /// Whether recursive definitions would be opened again and again, by what ends them. As it was when the references began to be gone through.
    pub(crate) growing: Map<(Id, RefChoice, bool), bool>,
    /// Whether a reference in one of them can be brought to an end.
    pub(crate) ending: Map<(Id, RefChoice, bool), bool>,
    /// The numbers that names which were taken have got so far.
    numbers: Map<String, usize>,
    pub(crate) log: Vec<Change>,
    /// Whether references do not lead any more where they should, as there was no room for their texts.
    pub(crate) stale: bool,
    /// Whether the tool is sent without the schema.
    pub(crate) omitted: bool,
    /// Bytes of text that copies say again.
    said: usize,
    /// How much may still be told of changes.
    pub(crate) telling: Telling,
}

/// Whether a schema that refers to itself is written out where it has to be merged with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cycles {
    /// None has been so far.
    Whole,
    /// One was: what it was written out into has the reference in it again.
    Opened,
    /// None may be.
    Closed,
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
    pub(crate) fn new(base: &'t Tree, refs: Refs, options: &'o Options) -> Doc<'t, 'o> {
        let mut tree = base.clone_with_room();
        tree.settle();
        Doc {
            tree,
            base,
            base_refs: refs.clone(),
            refs,
            options,
            codecs: Codecs::default(),
            notes: Map::default(),
            expanded: Map::default(),
            recoded: Set::default(),
            cycles: Cycles::Whole,
            crowded: Cell::new(false),
            unhoisted: true,
            unhoistable: false,
            base_sizes: OnceCell::new(),
            growing: Map::default(),
            ending: Map::default(),
            numbers: Map::default(),
            log: Vec::new(),
            stale: false,
            omitted: false,
            said: 0,
            telling: Telling::default(),
        }
    }

    /// Whether the user allows an effect at a node, seen from the root.
    pub(crate) fn permit(&self, node: Id, effect: Effects) -> Result<Effects, Declined> {
        let seen = self.seen_from_root(node, effect);
        if seen.within(self.options.allow) {
            return Ok(seen);
        }
        // Only where it decides something are the branches on the way looked at.
        Some(effect).filter(|effect| effect.within(self.options.allow) && self.only_narrows(node, *effect)).ok_or(Declined)
    }

    /// Whether a change that narrows a node narrows the whole: below branches that exclude each other it does, they still do afterwards.
    fn only_narrows(&self, node: Id, effect: Effects) -> bool {
        let root = self.tree.root();
        let mut at = node;
        while at != root {
            let Some((up, via)) = holder(&self.tree, at) else { break };
            let apart = || self.tree.get(up, Kw::OneOf).is_some_and(|list| exclusive(&self.tree, &self.refs, list));
            if matches!(via, Kw::Not | Kw::If | Kw::Contains) || (via == Kw::OneOf && !apart()) {
                return false;
            }
            at = up;
        }
        !effect.meets(Effects::WIDENS)
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
    pub(crate) fn room(&self, nodes: usize) -> bool {
        let made = self.tree.len().saturating_sub(self.base.len());
        // Every copy is counted, also those that were thrown away: this bounds work, not only the result.
        let fits = made.saturating_add(nodes) <= self.options.budget.expanded.saturating_add(self.base.len()).saturating_mul(4);
        if !fits {
            self.crowded.set(true);
        }
        fits
    }

    /// Whether a copy of a node as it stands in the tree or in the input would say more text again than all copies may: a schema that is
    /// small in nodes may be large in words.
    pub(crate) fn wordy(&self, id: Id, from_base: bool) -> bool {
        let words = text_of(if from_base { self.base } else { &self.tree }, id);
        self.said.saturating_add(words) > self.most_said()
    }

    /// Whether so many copies of each subtree may still be made, in nodes (one more to hold each) and in text.
    pub(crate) fn affords(&self, copies: &[(Id, usize)]) -> bool {
        let (mut nodes, mut words) = (0_usize, 0_usize);
        for &(id, times) in copies {
            nodes = nodes.saturating_add(self.tree.size(id).saturating_add(1).saturating_mul(times));
            words = words.saturating_add(text_of(&self.tree, id).saturating_mul(times));
        }
        self.room(nodes) && self.said.saturating_add(words) <= self.most_said()
    }

    fn most_said(&self) -> usize {
        self.options.budget.bytes.saturating_mul(4)
    }

    /// Whether so many bytes more may be said again, which they are then.
    pub(crate) fn says(&mut self, bytes: usize) -> bool {
        let said = self.said.saturating_add(bytes);
        let room = said <= self.most_said();
        if room {
            self.said = said;
        }
        room
    }

    /// A copy of a subtree; its references mean what the originals mean.
    pub(crate) fn copy(&mut self, id: Id) -> Option<Id> {
        if !self.room(self.tree.size(id)) || self.wordy(id, false) {
            return None;
        }
        self.said = self.said.saturating_add(text_of(&self.tree, id));
        let copy = self.tree.copy(id);
        self.adopt(id, copy, true);
        Some(copy)
    }

    /// A copy of a subtree as it stood in the input.
    pub(crate) fn copy_base(&mut self, id: Id) -> Id {
        self.said = self.said.saturating_add(text_of(self.base, id));
        let copy = self.tree.copy_from(&self.base.nodes, id);
        self.adopt(id, copy, false);
        copy
    }

    /// Gives the copies of references the meaning of their originals, and what else is known of them.
    fn adopt(&mut self, original: Id, copy: Id, current: bool) {
        let quiet = !current || (self.notes.is_empty() && self.codecs.is_empty());
        if self.base_refs.is_empty() && quiet {
            return;
        }
        let pairs: Vec<(Id, Id)> = {
            let from: &Tree = if current { &self.tree } else { self.base };
            from.descendants(original).zip(self.tree.descendants(copy)).collect()
        };
        for &(from, to) in &pairs {
            let meaning = if current {
                self.refs.target(from).map(|t| (t, self.refs.recursive(from)))
            } else {
                self.base_refs.target(from).map(|t| (t, self.base_refs.recursive(from)))
            };
            if let Some((target, recursive)) = meaning {
                self.refs.put(to, target, recursive);
                self.unhoisted |= !self.unhoistable && matches!(target, Target::Node(t) if self.is_misplaced(t));
            }
            if current {
                if let Some(list) = self.expanded.get(&from).cloned() {
                    self.expanded.insert(to, list);
                }
                if let Some(notes) = self.notes.get(&from).cloned() {
                    self.notes.insert(to, notes);
                }
            }
        }
        if current && !self.codecs.is_empty() {
            self.codecs.copy(pairs);
        }
    }

    /// Whether a target stands in the schema, and neither at the root nor in its definitions.
    pub(crate) fn is_misplaced(&self, target: Id) -> bool {
        let root = self.tree.root();
        let defined = || holder(&self.tree, target).is_some_and(|(up, kw)| up == root && DEFINITIONS.has(kw));
        target != root && !defined() && self.attached(target)
    }

    /// Nodes in a subtree of the base, with its own.
    pub(crate) fn base_size(&self, id: Id) -> usize {
        let sizes = self.base_sizes.get_or_init(|| {
            let order: Vec<Id> = self.base.descendants(self.base.root()).collect();
            let mut sizes = vec![1_u32; self.base.len()];
            for &node in order.iter().rev() {
                let size = sizes.get(node.at()).copied().unwrap_or_default();
                if let Some(up) = self.base.parent(node).and_then(|up| sizes.get_mut(up.at())) {
                    *up = up.saturating_add(size);
                }
            }
            sizes
        });
        sizes.get(id.at()).map_or(0, |&size| size as usize)
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
        self.codecs.shift(from, to);
    }

    /// The list under a keyword, made where there is none.
    pub(crate) fn list(&mut self, node: Id, kw: Kw) -> Id {
        self.container(node, kw, Kind::Array)
    }

    /// The map under a keyword, made where there is none.
    pub(crate) fn map(&mut self, node: Id, kw: Kw) -> Id {
        self.container(node, kw, Kind::Object)
    }

    fn container(&mut self, node: Id, kw: Kw, kind: Kind) -> Id {
        self.tree.get(node, kw).filter(|&value| self.tree.kind(value) == kind).unwrap_or_else(|| {
            let value = if kind == Kind::Array { self.tree.new_array() } else { self.tree.new_object() };
            self.tree.set(node, kw, value);
            value
        })
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
            moved_ref |= self.tree.kw(child).is_some_and(|kw| REFERENCES.has(kw));
            self.give(inner, child);
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
            self.give(node, child);
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
            (None, Some(first)) => self.tree.insert_before(first, kw, value),
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
            stack.get_mut(at..).unwrap_or_default().reverse();
        }
        out
    }

    /// A name that no member of the object has.
    pub(crate) fn fresh_name(&mut self, object: Option<Id>, wish: &str) -> String {
        let tree = &self.tree;
        let taken = |name: &str| object.is_some_and(|o| tree.member(o, name).is_some());
        if !taken(wish) {
            return wish.to_owned();
        }
        let next = self.numbers.entry(wish.to_owned()).or_insert(2);
        loop {
            let name = format!("{wish}_{next}");
            if !taken(&name) {
                return name;
            }
            *next = next.saturating_add(1);
        }
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

    /// Puts a detached schema under the root's `$defs`.
    pub(crate) fn define(&mut self, schema: Id, wish: &str) -> String {
        let map = self.map(self.tree.root(), Kw::Defs);
        let wish = match wish.char_indices().nth(LONGEST_NAME) {
            // Every reference to it says the name.
            Some(_) => Cow::Owned(with_hash(wish, wish, LONGEST_NAME)),
            None if wish.is_empty() => Cow::Borrowed("definition"),
            None => Cow::Borrowed(wish),
        };
        let name = self.fresh_name(Some(map), &wish);
        self.tree.attach(map, &name, schema);
        name
    }
}

/// The bytes that the keys and the values of a subtree are written with.
fn text_of(tree: &Tree, id: Id) -> usize {
    let own = |node: Id| match tree.kind(node) {
        Kind::Object | Kind::Array => 0,
        _ => tree.raw(node).len(),
    };
    tree.descendants(id).map(|node| tree.raw_key(node).len().saturating_add(own(node))).fold(0, usize::saturating_add)
}
