//! Making nodes, and edits in place: every one is a relink, whatever the size of what moves.

use serde_json::Value;

use crate::attr::Types;
use crate::budget::Budget;
use crate::keyword::{Kw, KwSet};
use crate::tree::{Duplicates, Id, Kind, Node, Span, Tree, escape};
use crate::valid::standard_type;

/// Making and editing. Nodes are never freed; a detached subtree is garbage.
impl Tree {
    /// A document with one node.
    #[must_use]
    pub fn empty(capacity: usize) -> Tree {
        Tree {
            nodes: Vec::with_capacity(capacity),
            text: String::new(),
            parsed: 0,
            root: Id(0),
            seen: KwSet::EMPTY,
            duplicates: Duplicates::default(),
            read: 0,
            copied: 0,
            compact: false,
            settled: 0,
            moved: false,
        }
    }

    pub(crate) fn push_node(&mut self, node: Node) -> Id {
        let id = Id(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX - 1));
        self.nodes.push(node);
        id
    }

    pub(crate) fn write_text(&mut self, text: &str) -> Span {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        Span { start, end: self.text.len() as u32 }
    }

    fn literal(&mut self, kind: Kind, text: &str) -> Id {
        let span = self.write_text(text);
        let mut node = Node::new(kind, span);
        node.edited = true;
        self.push_node(node)
    }

    /// A new string.
    pub fn new_str(&mut self, text: &str) -> Id {
        let start = self.text.len() as u32;
        let raw = escape(text);
        self.text.push('"');
        self.text.push_str(&raw);
        self.text.push('"');
        let mut node = Node::new(Kind::Str, Span { start, end: self.text.len() as u32 });
        node.escaped = raw.contains('\\');
        node.names = standard_type(&raw).unwrap_or_default();
        node.edited = true;
        self.push_node(node)
    }

    /// A new number, as written.
    pub fn new_num(&mut self, text: &str) -> Id {
        self.literal(Kind::Num, text)
    }

    /// A new boolean.
    pub fn new_bool(&mut self, value: bool) -> Id {
        self.literal(Kind::Bool, if value { "true" } else { "false" })
    }

    /// A new null.
    pub fn new_null(&mut self) -> Id {
        self.literal(Kind::Null, "null")
    }

    /// A new, empty object.
    pub fn new_object(&mut self) -> Id {
        let mut node = Node::new(Kind::Object, Span::default());
        node.edited = true;
        self.push_node(node)
    }

    /// A new, empty array.
    pub fn new_array(&mut self) -> Id {
        let mut node = Node::new(Kind::Array, Span::default());
        node.edited = true;
        self.push_node(node)
    }

    /// A new node of this value. What is nested deeper than [`Budget::DEEPEST`], as no text that is read can be, is null.
    pub fn new_value(&mut self, value: &Value) -> Id {
        self.new_value_at(value, Budget::DEEPEST)
    }

    fn new_value_at(&mut self, value: &Value, left: usize) -> Id {
        match value {
            Value::Bool(b) => self.new_bool(*b),
            Value::Number(n) => self.new_num(&n.to_string()),
            Value::String(s) => self.new_str(s),
            Value::Array(items) if left > 0 => {
                let id = self.new_array();
                for item in items {
                    let child = self.new_value_at(item, left.saturating_sub(1));
                    self.append(id, child);
                }
                id
            }
            Value::Object(members) if left > 0 => {
                let id = self.new_object();
                for (name, member) in members {
                    let child = self.new_value_at(member, left.saturating_sub(1));
                    // A map has each name once.
                    self.attach(id, name, child);
                }
                id
            }
            _ => self.new_null(),
        }
    }

    pub(crate) fn become_object(&mut self, id: Id) {
        if self.kind(id) != Kind::Object {
            // What is above it is not marked as changed.
            self.note_move(id);
        }
        let node = self.node_mut(id);
        node.kind = Kind::Object;
        node.keys = 0;
        node.escaped = false;
        node.names = Types::default();
        node.edited = true;
        // The text around it is not what is printed any more, though no rule has to look there again.
        let mut at = Some(id);
        while let Some(here) = at {
            let node = self.node_mut(here);
            node.altered = true;
            at = node.parent.some();
        }
    }

    pub(crate) fn set_origin(&mut self, id: Id, from: Id) {
        self.node_mut(id).origin = from;
    }

    /// Whether the node or anything below it was changed since the last [`Tree::settle`].
    pub(crate) fn edited(&self, id: Id) -> bool {
        self.node(id).edited
    }

    /// Takes the document as unchanged from here on.
    pub(crate) fn settle(&mut self) {
        for node in &mut self.nodes {
            node.edited = false;
        }
        self.settled = self.nodes.len() as u32;
        self.moved = false;
    }

    /// Remembers that a node gets another place.
    fn note_move(&mut self, id: Id) {
        self.moved |= id.0 < self.settled && matches!(self.kind(id), Kind::Object | Kind::Array | Kind::Bool);
    }

    /// Marks the node and all above it as changed. What is above a changed node that has parts is marked already, by what linked them.
    pub(crate) fn touch(&mut self, id: Id) {
        let node = self.node_mut(id);
        node.edited = true;
        node.altered = true;
        let mut at = self.parent(id);
        while let Some(here) = at {
            let node = self.node_mut(here);
            at = node.parent.some().filter(|_| !(node.edited && node.altered));
            node.edited = true;
            node.altered = true;
        }
    }

    /// Appends a detached node to an array.
    pub fn append(&mut self, parent: Id, child: Id) {
        debug_assert!(matches!(self.kind(parent), Kind::Array | Kind::Object), "a scalar holds nothing");
        self.note_move(child);
        let last = self.node(parent).last;
        {
            let node = self.node_mut(child);
            node.parent = parent;
            node.prev = last;
            node.next = Id::NONE;
        }
        match last.some() {
            Some(last) => self.node_mut(last).next = child,
            None => self.node_mut(parent).first = child,
        }
        self.node_mut(parent).last = child;
        self.touch(parent);
    }

    fn set_key(&mut self, parent: Id, child: Id, name: &str) {
        match Kw::of(name) {
            Some(kw) => self.set_keyword(parent, child, kw),
            None => self.set_raw_key(parent, child, &escape(name), None),
        }
    }

    fn set_keyword(&mut self, parent: Id, child: Id, kw: Kw) {
        self.set_raw_key(parent, child, kw.name(), Some(kw));
    }

    fn set_raw_key(&mut self, parent: Id, child: Id, raw: &str, kw: Option<Kw>) {
        let key = self.write_text(raw);
        let node = self.node_mut(child);
        node.key = key;
        node.set_kw(kw);
        self.note_key(parent, kw);
    }

    pub(crate) fn note_key(&mut self, parent: Id, kw: Option<Kw>) {
        let set = kw.map_or(KwSet::OTHER, |k| KwSet::of(&[k]));
        self.node_mut(parent).keys |= set.0;
        self.seen = self.seen.with(set);
    }

    /// Puts a detached node under a name: in place of what stands there, else at the end.
    pub fn insert(&mut self, object: Id, name: &str, child: Id) {
        if let Some(old) = self.member(object, name) {
            self.replace(old, child);
            return;
        }
        self.set_key(object, child, name);
        self.append(object, child);
    }

    /// Puts a detached node under a name that no member has, at the end.
    pub(crate) fn attach(&mut self, object: Id, name: &str, child: Id) {
        self.set_key(object, child, name);
        self.append(object, child);
    }

    /// Puts a detached node under a keyword.
    pub fn set(&mut self, object: Id, kw: Kw, child: Id) {
        if let Some(old) = self.get(object, kw) {
            self.replace(old, child);
            return;
        }
        self.set_keyword(object, child, kw);
        self.append(object, child);
    }

    /// Puts a detached node under a keyword, before another member.
    pub fn insert_before(&mut self, anchor: Id, kw: Kw, child: Id) {
        let Some(object) = self.parent(anchor) else { return };
        self.set_keyword(object, child, kw);
        self.link_before(anchor, child);
    }

    pub(crate) fn link_before(&mut self, anchor: Id, child: Id) {
        self.note_move(child);
        let Some(parent) = self.parent(anchor) else { return };
        let prev = self.node(anchor).prev;
        {
            let node = self.node_mut(child);
            node.parent = parent;
            node.prev = prev;
            node.next = anchor;
        }
        self.node_mut(anchor).prev = child;
        match prev.some() {
            Some(prev) => self.node_mut(prev).next = child,
            None => self.node_mut(parent).first = child,
        }
        self.touch(parent);
    }

    /// Takes a node out of its container.
    pub fn detach(&mut self, id: Id) {
        let Node { parent, prev, next, .. } = *self.node(id);
        let Some(parent) = parent.some() else { return };
        match prev.some() {
            Some(prev) => self.node_mut(prev).next = next,
            None => self.node_mut(parent).first = next,
        }
        match next.some() {
            Some(next) => self.node_mut(next).prev = prev,
            None => self.node_mut(parent).last = prev,
        }
        {
            let node = self.node_mut(id);
            node.parent = Id::NONE;
            node.prev = Id::NONE;
            node.next = Id::NONE;
        }
        if self.kind(parent) == Kind::Object {
            match self.node(id).kw() {
                Some(kw) => self.node_mut(parent).keys &= !KwSet::of(&[kw]).0,
                None => {
                    if !self.children(parent).any(|c| self.node(c).kw().is_none()) {
                        self.node_mut(parent).keys &= !KwSet::OTHER.0;
                    }
                }
            }
        }
        self.touch(parent);
    }

    /// Puts a detached node in the place (and under the key) of another, which is detached.
    pub fn replace(&mut self, old: Id, new: Id) {
        self.note_move(new);
        let Node { parent, prev, next, key, kw, .. } = *self.node(old);
        {
            let node = self.node_mut(new);
            node.parent = parent;
            node.prev = prev;
            node.next = next;
            node.key = key;
            node.kw = kw;
        }
        if let Some(prev) = prev.some() {
            self.node_mut(prev).next = new;
        } else if let Some(parent) = parent.some() {
            self.node_mut(parent).first = new;
        }
        if let Some(next) = next.some() {
            self.node_mut(next).prev = new;
        } else if let Some(parent) = parent.some() {
            self.node_mut(parent).last = new;
        }
        {
            let node = self.node_mut(old);
            node.parent = Id::NONE;
            node.prev = Id::NONE;
            node.next = Id::NONE;
        }
        if self.root == old {
            self.root = new;
        }
        if let Some(parent) = parent.some() {
            self.touch(parent);
        }
    }

    /// Removes the member under a keyword.
    pub fn remove(&mut self, object: Id, kw: Kw) -> Option<Id> {
        let child = self.get(object, kw)?;
        self.detach(child);
        Some(child)
    }

    /// Gives a member another name, in place.
    pub fn rename(&mut self, child: Id, name: &str) {
        let Some(parent) = self.parent(child) else { return };
        self.note_move(child);
        if let Some(old) = self.node(child).kw() {
            self.node_mut(parent).keys &= !KwSet::of(&[old]).0;
        }
        self.set_key(parent, child, name);
        if !self.children(parent).any(|c| self.node(c).kw().is_none()) {
            self.node_mut(parent).keys &= !KwSet::OTHER.0;
        }
        self.touch(parent);
    }

    /// A detached deep copy; the copies' origin is that of the nodes copied.
    pub fn copy(&mut self, id: Id) -> Id {
        let source: Vec<Node> = Vec::new();
        self.copy_from(&source, id)
    }

    /// Like [`Tree::copy`], reading an earlier state of the arena where one is given.
    pub(crate) fn copy_from(&mut self, earlier: &[Node], id: Id) -> Id {
        let read = |tree: &Tree, id: Id| earlier.get(id.at()).copied().unwrap_or_else(|| *tree.node(id));
        let top_node = read(self, id);
        let top = self.push_copy(top_node, id);
        let mut stack = vec![(top_node.first, top)];
        while let Some((from, to)) = stack.pop() {
            let mut at = from;
            let mut prev = Id::NONE;
            let mut first = Id::NONE;
            while let Some(here) = at.some() {
                let node = read(self, here);
                let copy = self.push_copy(node, here);
                {
                    let made = self.node_mut(copy);
                    made.parent = to;
                    made.prev = prev;
                    made.key = node.key;
                    made.kw = node.kw;
                }
                match prev.some() {
                    Some(prev) => self.node_mut(prev).next = copy,
                    None => first = copy,
                }
                prev = copy;
                if node.first.some().is_some() {
                    stack.push((node.first, copy));
                }
                at = node.next;
            }
            self.node_mut(to).first = first;
            self.node_mut(to).last = prev;
        }
        top
    }

    fn push_copy(&mut self, mut node: Node, from: Id) -> Id {
        self.copied = self.copied.saturating_add(node.key.len()).saturating_add(node.span.len());
        node.parent = Id::NONE;
        node.first = Id::NONE;
        node.last = Id::NONE;
        node.next = Id::NONE;
        node.prev = Id::NONE;
        node.key = Span::default();
        node.set_kw(None);
        node.edited = true;
        if node.origin == Id::NONE {
            node.origin = from;
        }
        self.push_node(node)
    }

    /// A copy that can be added to.
    pub(crate) fn clone_with_room(&self) -> Tree {
        let (mut nodes, mut text) = (Vec::with_capacity(roomy(self.nodes.len())), String::with_capacity(roomy(self.text.len())));
        nodes.extend_from_slice(&self.nodes);
        text.push_str(&self.text);
        Tree { nodes, text, duplicates: self.duplicates.clone(), ..*self }
    }

    /// A tree of its own of one subtree, with its own text.
    #[must_use]
    pub fn extract(&self, id: Id) -> Tree {
        let mut out = Tree::empty(self.size(id));
        let whole = *self.node(id);
        // What is printed as it stands is copied at once.
        out.compact = self.as_read(&whole);
        if out.compact {
            out.text.push_str(self.slice(whole.span));
        }
        let map = |span: Span, out: &mut Tree| {
            if out.compact {
                return span.before(whole.span.start);
            }
            out.write_text(self.slice(span))
        };
        let mut stack = vec![(id, Id::NONE)];
        while let Some((from, parent)) = stack.pop() {
            let mut node = *self.node(from);
            let to = Id(out.nodes.len() as u32);
            node.parent = parent;
            node.first = Id::NONE;
            node.last = Id::NONE;
            node.next = Id::NONE;
            node.prev = Id::NONE;
            node.origin = Id::NONE;
            if parent == Id::NONE {
                node.key = Span::default();
                node.set_kw(None);
            } else {
                node.key = map(node.key, &mut out);
            }
            let container = matches!(node.kind, Kind::Object | Kind::Array);
            node.span = if container && !out.compact { Span::default() } else { map(node.span, &mut out) };
            node.edited = true;
            out.nodes.push(node);
            if let Some(parent) = parent.some() {
                let last = out.node(parent).last;
                out.node_mut(to).prev = last;
                match last.some() {
                    Some(last) => out.node_mut(last).next = to,
                    None => out.node_mut(parent).first = to,
                }
                out.node_mut(parent).last = to;
            }
            if node.kind == Kind::Object {
                out.seen = out.seen.with(KwSet(node.keys));
            }
            let at = stack.len();
            stack.extend(self.children(from).map(|c| (c, to)));
            stack.get_mut(at..).unwrap_or_default().reverse();
        }
        out.parsed = 0;
        out
    }
}

/// A quarter more than there is, and something.
fn roomy(len: usize) -> usize {
    len.saturating_add(len / 4).saturating_add(64)
}
