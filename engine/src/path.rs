//! Paths of nodes: RFC 6901 pointers and RFC 9535 normalized paths.

use std::cell::{OnceCell, RefCell};
use std::fmt::Write;

use crate::tree::{Id, Kind, Tree};

/// Elements with fewer before them are counted each time.
const NEAR: usize = 32;

/// The pointers of many nodes of a tree that does not change meanwhile: what two of them have in common is written once,
/// and where an element stands in a long array is counted once for all.
pub(crate) struct Places<'t> {
    tree: &'t Tree,
    top: Id,
    /// The way to the container asked about last.
    way: RefCell<Way>,
    /// The position of every element, by its number.
    positions: OnceCell<Vec<u32>>,
}

/// A pointer, and where it says which node.
#[derive(Default)]
struct Way {
    pointer: String,
    /// The nodes from below the top to the one it leads to, each with where its own pointer ends.
    steps: Vec<(Id, usize)>,
    /// Room for the nodes above the next one, itself the first.
    above: Vec<Id>,
}

impl Way {
    /// Leads to another node; the beginning that both ways share stays as it is.
    fn lead_to(&mut self, tree: &Tree, top: Id, node: Id, position: &dyn Fn(Id) -> usize) {
        if self.steps.last().is_some_and(|(last, _)| *last == node) {
            return;
        }
        self.above.clear();
        self.above.extend(std::iter::successors(Some(node), |&at| tree.parent(at)).take_while(|&at| at != top));
        let shared = self.steps.iter().zip(self.above.iter().rev()).take_while(|((old, _), new)| old == *new).count();
        self.steps.truncate(shared);
        self.pointer.truncate(self.steps.last().map_or(0, |(_, end)| *end));
        for &step in self.above.iter().rev().skip(shared) {
            tree.push_step(&mut self.pointer, step, position);
            self.steps.push((step, self.pointer.len()));
        }
    }
}

impl<'t> Places<'t> {
    /// Of the nodes below `top`.
    pub(crate) fn below(tree: &'t Tree, top: Id) -> Places<'t> {
        Places { tree, top, way: RefCell::default(), positions: OnceCell::new() }
    }

    /// Like [`Tree::pointer`].
    pub(crate) fn pointer(&self, id: Id) -> String {
        let Some(parent) = self.tree.parent(id).filter(|_| id != self.top) else { return self.tree.pointer(self.top, id) };
        let position = |element| self.position(element);
        let mut way = self.way.borrow_mut();
        way.lead_to(self.tree, self.top, parent, &position);
        let mut out = String::with_capacity(way.pointer.len().saturating_add(self.tree.raw_key(id).len()).saturating_add(8));
        out.push_str(&way.pointer);
        self.tree.push_step(&mut out, id, &position);
        out
    }

    fn position(&self, element: Id) -> usize {
        let before = std::iter::successors(self.tree.node(element).prev.some(), |&at| self.tree.node(at).prev.some());
        let near = before.take(NEAR).count();
        if near < NEAR {
            return near;
        }
        let positions = self.positions.get_or_init(|| {
            let mut positions = vec![0; self.tree.len()];
            for array in (0..self.tree.len() as u32).map(Id).filter(|&id| self.tree.kind(id) == Kind::Array) {
                for (position, child) in (0..).zip(self.tree.children(array)) {
                    if let Some(own) = positions.get_mut(child.at()) {
                        *own = position;
                    }
                }
            }
            positions
        });
        positions.get(element.at()).map_or(near, |&own| own as usize)
    }
}

impl Tree {
    /// The JSON Pointer of a node, relative to `top`.
    #[must_use]
    pub fn pointer(&self, top: Id, id: Id) -> String {
        let mut way = Way::default();
        way.lead_to(self, top, id, &|element| self.index(element));
        way.pointer
    }

    /// Appends the reference token that leads from the container of a node to it.
    fn push_step(&self, out: &mut String, step: Id, position: &dyn Fn(Id) -> usize) {
        out.push('/');
        let member = self.parent(step).is_some_and(|p| self.kind(p) == Kind::Object);
        match (member, self.kw(step)) {
            (true, Some(kw)) => out.push_str(kw.name()),
            (true, None) => match self.raw_key(step) {
                plain if !plain.bytes().any(|byte| matches!(byte, b'~' | b'/' | b'\\')) => out.push_str(plain),
                _ => push_token(out, &self.key(step)),
            },
            (false, _) => {
                let _ = write!(out, "{}", position(step));
            }
        }
    }

    /// About as many bytes as the pointer of a node has.
    pub(crate) fn place_length(&self, id: Id) -> usize {
        std::iter::successors(Some(id), |&at| self.parent(at))
            .map(|at| self.raw_key(at).len().saturating_add(4))
            .fold(0, usize::saturating_add)
    }

    /// The node a JSON Pointer names, from `top`.
    #[must_use]
    pub fn at_pointer(&self, top: Id, pointer: &str) -> Option<Id> {
        let mut at = top;
        if pointer.is_empty() {
            return Some(at);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            at = match self.kind(at) {
                Kind::Object => self.member(at, &token_name(token))?,
                Kind::Array if token == "0" || !token.starts_with('0') => self.element(at, token.parse().ok()?)?,
                _ => return None,
            };
        }
        Some(at)
    }
}

/// Appends one reference token, escaped.
pub fn push_token(out: &mut String, name: &str) {
    if !name.contains(['~', '/']) {
        return out.push_str(name);
    }
    for c in name.chars() {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            c => out.push(c),
        }
    }
}

/// The name that a reference token stands for.
#[must_use]
pub fn token_name(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// A JSON Pointer in dotted JSONPath form: `$.properties.a`, with brackets where a name needs them.
#[must_use]
pub fn json_path(pointer: &str) -> String {
    let mut out = String::from("$");
    for token in pointer.split('/').skip(1) {
        let name = token_name(token);
        if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
            let _ = write!(out, "[{name}]");
        } else if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        {
            let _ = write!(out, ".{name}");
        } else {
            let _ = write!(out, "['{}']", name.replace('\\', "\\\\").replace('\'', "\\'"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn there_and_back() {
        let tree = Tree::parse(r#"{"a/b":[{"~c":1},2],"":{"d e":3}}"#, &Budget::default()).expect("parses");
        for pointer in ["", "/a~1b", "/a~1b/0/~0c", "/a~1b/1", "//d e"] {
            let id = tree.at_pointer(tree.root(), pointer).expect(pointer);
            assert_eq!(tree.pointer(tree.root(), id), pointer);
        }
        assert_eq!(tree.at_pointer(tree.root(), "/a~1b/01"), None);
        let long = Tree::parse(&format!(r#"{{"a":[{}[1,{{"b":2}}]],"c":{{}}}}"#, "[],".repeat(100)), &Budget::default()).expect("parses");
        for top in [long.root(), long.at_pointer(long.root(), "/a").expect("is there")] {
            let places = Places::below(&long, top);
            for id in long.descendants(top) {
                assert_eq!(places.pointer(id), long.pointer(top, id));
            }
        }
        assert_eq!(json_path("/a~1b/0/x"), "$['a/b'][0].x");
    }
}
