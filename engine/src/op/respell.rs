//! References are meanings while a schema is rewritten; here they become texts again.

use std::collections::VecDeque;

use crate::doc::Doc;
use crate::keyword::Kw;
use crate::refs::{KINDS, Resolver, Target, is_resource, percent_decode};
use crate::site::holder;
use crate::tree::{Id, Kind};

impl Doc<'_, '_> {
    /// Respells references that lead somewhere else now; what was cut off is brought back under `$defs`. Returns whether something was.
    /// Where copies may not say so much text again, the schema is `stale`.
    pub(crate) fn respell(&mut self) -> bool {
        if self.refs.is_empty() || self.log.is_empty() {
            return false;
        }
        let root = self.tree.root();
        let led = |doc: &Doc<'_, '_>, top: Id| -> Vec<Id> { doc.schemas(top, true).into_iter().filter_map(|n| doc.refs.node(n)).collect() };
        let mut brought = false;
        let mut targets: VecDeque<Id> = led(self, root).into();
        while let Some(to) = targets.pop_front() {
            if !self.attached(to) {
                self.tree.detach(to);
                let name = self.tree.key(to).into_owned();
                self.define(to, &name);
                targets.extend(led(self, to));
                brought = true;
            }
        }
        let references: Vec<(Id, Id)> =
            self.reached(root).into_iter().filter_map(|n| Some((n, self.spelt(n).and(self.refs.node(n))?))).collect();
        loop {
            let wrong: Vec<(Id, Id)> = {
                let resolver = Resolver::new(&self.tree, root);
                let wrong = |&(node, to): &(Id, Id)| resolver.strict_target(node) != Some(Target::Node(to));
                references.iter().copied().filter(wrong).collect()
            };
            // A pointer starts at the nearest identifier, which therefore cannot stay where it has to lead further.
            let mut again = false;
            for &(node, _) in &wrong {
                let mut at = node;
                while let Some((up, _)) = (at != root).then(|| holder(&self.tree, at)).flatten() {
                    if is_resource(&self.tree, at) {
                        self.tree.remove(at, Kw::Id);
                        again = true;
                    }
                    at = up;
                }
            }
            if again {
                continue;
            }
            for (node, to) in wrong {
                let room = self.says(self.tree.place_length(to));
                let Some((value, pointer)) = self.spelling(node).filter(|_| room) else {
                    self.stale = true;
                    return brought;
                };
                let new = self.tree.new_str(&pointer);
                self.tree.replace(value, new);
                // It can only lead to a root.
                if self.tree.kw(new) == Some(Kw::RecursiveRef) {
                    self.tree.rename(new, Kw::Ref.name());
                }
            }
            return brought;
        }
    }

    /// The schemas of a subtree, and those where no schema stands but a reference leads to.
    fn reached(&self, top: Id) -> Vec<Id> {
        let (mut out, mut todo) = (Vec::new(), vec![top]);
        let mut seen: hashbrown::HashSet<Id, foldhash::fast::FixedState> = hashbrown::HashSet::default();
        while let Some(top) = todo.pop() {
            if !self.attached(top) || seen.contains(&top) {
                continue;
            }
            for node in self.schemas(top, true).into_iter().filter(|&node| seen.insert(node)) {
                out.push(node);
                todo.extend(self.refs.node(node));
            }
        }
        out
    }

    /// The text of a node's reference; a rewrite may have put something else there, where a map of schemas is taken for a schema too.
    fn spelt(&self, node: Id) -> Option<Id> {
        KINDS.into_iter().find_map(|kw| self.tree.get(node, kw)).filter(|&value| self.tree.kind(value) == Kind::Str)
    }

    /// The text of a node's reference, and the pointer to what it means.
    fn spelling(&self, node: Id) -> Option<(Id, String)> {
        let (to, value) = (self.refs.node(node)?, self.spelt(node)?);
        Some((value, format!("#{}", fragment(&self.tree.pointer(self.tree.root(), to)))))
    }

    /// Respells the node's reference, if its pointer does not lead where it should any more; where an embedded document begins around it, only all
    /// of them can be respelt together.
    pub(crate) fn respell_one(&mut self, node: Id) -> Option<String> {
        let old = self.tree.get(node, Kw::Ref)?;
        // A pointer may be as long as the document: it is written only where it is asked for.
        if !self.tree.str(old).is_some_and(|t| t.starts_with("#/")) {
            return None;
        }
        let (old, pointer) = self.spelling(node)?;
        let ours = |at: Id| at == self.tree.root() || !is_resource(&self.tree, at);
        let around = std::iter::successors(Some(node), |&at| self.tree.parent(at));
        let whole = self.refs.node(node).is_some_and(|to| self.attached(to)) && self.attached(node);
        let stale = self.tree.str(old).is_some_and(|t| *t != pointer && percent_decode(&t) != percent_decode(&pointer));
        if !whole || !stale || !around.into_iter().all(ours) {
            return None;
        }
        let new = self.tree.new_str(&pointer);
        self.tree.replace(old, new);
        Some(pointer)
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
            '[' => out.push_str("%5B"),
            ']' => out.push_str("%5D"),
            '#' => out.push_str("%23"),
            c => out.push(c),
        }
    }
    out
}
