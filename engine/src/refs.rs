//! The reference graph: what every `$ref` means, which lie on a cycle, and how large all of it would be when expanded.

use std::cell::RefCell;

use hashbrown::{HashMap, HashSet};

use crate::keyword::{Kw, KwSet};
use crate::path::token_name;
use crate::site::{holder, subschemas};
use crate::tree::{Id, Kind, Tree, escape};

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;
type Set<K> = HashSet<K, foldhash::fast::FixedState>;

/// The keywords that refer to another schema, the usual one first.
pub(crate) const KINDS: [Kw; 3] = [Kw::Ref, Kw::DynamicRef, Kw::RecursiveRef];
/// The same as a set.
pub(crate) const REFERENCES: KwSet = KwSet::of(&KINDS);
/// Objects with fewer members are searched one by one.
const SMALL: usize = 12;

/// What a reference means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// This node.
    Node(Id),
    /// A place in this document that does not exist.
    Dangling,
    /// Another document.
    Elsewhere,
}

/// The references of one schema.
#[derive(Clone, Debug, Default)]
pub struct Refs {
    targets: Map<Id, Target>,
    recursive: Set<Id>,
    /// Every node that a reference leads or led to, with the nodes whose reference does or did.
    aims: Map<Id, Vec<Id>>,
    /// The targets that lie on a cycle.
    cyclic: Set<Id>,
    /// Those of them that are references and lead to themselves through nothing else.
    empty: Set<Id>,
    /// How many copies stand one inside the other when a target is written out, itself the first.
    heights: Map<Id, u32>,
    expanded: u64,
}

impl Refs {
    /// Reads all references that a schema has, at any depth, definitions included.
    #[must_use]
    pub fn of(tree: &Tree, root: Id) -> Refs {
        let mut refs = Refs::default();
        if !tree.seen.has(Kw::Ref) && !tree.seen.has(Kw::DynamicRef) && !tree.seen.has(Kw::RecursiveRef) {
            refs.expanded = tree.len() as u64;
            return refs;
        }
        let resolver = Resolver::new(tree, root);
        let mut todo = vec![root];
        let mut walked: Set<Id> = Set::default();
        while let Some(top) = todo.pop() {
            let mut stack = vec![top];
            while let Some(node) = stack.pop() {
                if !walked.insert(node) {
                    continue;
                }
                if let Some(target) = resolver.target(node) {
                    refs.targets.insert(node, target);
                    if let Target::Node(id) = target {
                        refs.aims.entry(id).or_default().push(node);
                        todo.push(id);
                    }
                }
                subschemas(tree, node, |child, _| stack.push(child));
            }
        }
        let graph = Graph::of(tree, root, &refs.targets);
        refs.recursive = graph.recursive(&refs.targets);
        refs.cyclic = refs.recursive.iter().filter_map(|n| refs.node(*n)).collect();
        refs.empty = refs.loops();
        let inside = graph.inside(&refs.targets);
        refs.expanded = graph.expanded(tree, &inside);
        refs.heights = graph.heights(&inside);
        refs
    }

    fn loops(&self) -> Set<Id> {
        let mut loops = Set::default();
        let mut seen: Map<Id, Id> = Map::default();
        for &start in &self.cyclic {
            let mut at = start;
            while let Some(next) = self.node(at).filter(|_| !seen.contains_key(&at)) {
                seen.insert(at, start);
                at = next;
            }
            // Back on the way that was just taken, and round it once.
            while seen.get(&at) == Some(&start) && loops.insert(at) {
                at = self.node(at).unwrap_or(at);
            }
        }
        loops
    }

    /// What the `$ref` of a node means; `None` for a node without one.
    #[must_use]
    pub fn target(&self, node: Id) -> Option<Target> {
        self.targets.get(&node).copied()
    }

    /// The node that a `$ref` leads to.
    #[must_use]
    pub fn node(&self, node: Id) -> Option<Id> {
        match self.target(node) {
            Some(Target::Node(id)) => Some(id),
            _ => None,
        }
    }

    /// The node reached by following references, at most as many as there are.
    #[must_use]
    pub fn follow(&self, node: Id) -> Id {
        let mut at = node;
        for _ in 0..=self.targets.len().min(64) {
            match self.node(at) {
                Some(next) if next != at => at = next,
                _ => break,
            }
        }
        at
    }

    /// Whether the `$ref` of a node lies on a cycle.
    #[must_use]
    pub fn recursive(&self, node: Id) -> bool {
        self.recursive.contains(&node)
    }

    /// Whether a schema that references lead to leads back to itself.
    pub(crate) fn cyclic(&self, target: Id) -> bool {
        self.cyclic.contains(&target)
    }

    /// Whether a schema is a reference that leads, through nothing but references, back to it.
    pub(crate) fn leads_to_itself(&self, target: Id) -> bool {
        self.empty.contains(&target)
    }

    /// Whether some reference leads, or once led, to the node.
    pub(crate) fn aims_at(&self, node: Id) -> bool {
        self.aims.contains_key(&node)
    }

    /// The nodes whose reference leads to this one.
    pub(crate) fn leading_to(&self, node: Id) -> impl Iterator<Item = Id> + '_ {
        self.aims.get(&node).into_iter().flatten().copied().filter(move |&from| self.node(from) == Some(node))
    }

    /// Nodes of the schema when every reference that lies on no cycle is replaced by what it means (saturating).
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// How many copies stand one inside the other when a target is written out, itself the first; a cycle counts once.
    #[must_use]
    pub fn height(&self, target: Id) -> u32 {
        self.heights.get(&target).copied().unwrap_or(1)
    }

    /// All nodes with a `$ref` and what it means.
    pub fn iter(&self) -> impl Iterator<Item = (Id, Target)> + '_ {
        self.targets.iter().map(|(n, t)| (*n, *t))
    }

    /// Gives a node the meaning of another's reference.
    pub(crate) fn adopt(&mut self, from: Id, to: Id) {
        if let Some(target) = self.targets.get(&from).copied() {
            self.put(to, target, self.recursive.contains(&from));
        }
    }

    /// Says what a node's reference means.
    pub(crate) fn put(&mut self, node: Id, target: Target, recursive: bool) {
        let before = self.targets.insert(node, target);
        if let Target::Node(id) = target
            && before != Some(target)
        {
            self.aims.entry(id).or_default().push(node);
        }
        if recursive {
            self.recursive.insert(node);
        }
    }

    /// Forgets a node's reference.
    pub(crate) fn forget(&mut self, node: Id) {
        self.targets.remove(&node);
    }

    /// Makes every reference to one node mean another.
    pub(crate) fn redirect(&mut self, from: Id, to: Id) {
        let leading: Vec<Id> = self.leading_to(from).collect();
        for &node in &leading {
            self.targets.insert(node, Target::Node(to));
        }
        self.aims.remove(&from);
        self.aims.entry(to).or_default().extend(leading);
        if self.cyclic.contains(&from) {
            self.cyclic.insert(to);
        }
        if self.empty.contains(&from) {
            self.empty.insert(to);
        }
    }

    /// Whether the schema has no reference.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }
}

/// Anchors and embedded documents.
struct Names {
    anchors: Map<String, Id>,
    ids: Map<String, Id>,
    base: String,
}

impl Names {
    fn of(tree: &Tree, root: Id) -> Names {
        let mut names = Names { anchors: Map::default(), ids: Map::default(), base: String::new() };
        let id_of = |node: Id| tree.get(node, Kw::Id).or_else(|| tree.get(node, Kw::OldId)).and_then(|i| tree.str(i));
        names.base = id_of(root).map(|t| t.split('#').next().unwrap_or_default().to_owned()).unwrap_or_default();
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            for kw in [Kw::Anchor, Kw::DynamicAnchor] {
                if let Some(name) = tree.get(node, kw).and_then(|a| tree.str(a)) {
                    names.anchors.entry(name.into_owned()).or_insert(node);
                }
            }
            if let Some(id) = id_of(node) {
                if let Some(name) = id.strip_prefix('#') {
                    names.anchors.entry(name.to_owned()).or_insert(node);
                } else if node != root {
                    let uri = join(&names.base, id.split('#').next().unwrap_or_default());
                    names.ids.entry(uri).or_insert(node);
                }
            }
            subschemas(tree, node, |child, _| stack.push(child));
        }
        names
    }
}

/// A relative reference against a base, as far as file-like names need it.
fn join(base: &str, reference: &str) -> String {
    if reference.contains("://") || reference.starts_with("urn:") || base.is_empty() {
        return reference.to_owned();
    }
    if let Some(path) = reference.strip_prefix('/') {
        let (scheme, after) = base.split_once("://").map_or((String::new(), base), |(scheme, after)| (format!("{scheme}://"), after));
        let host = if scheme.is_empty() { "" } else { after.split('/').next().unwrap_or_default() };
        return format!("{scheme}{host}/{path}");
    }
    let folder = base.rfind('/').and_then(|p| base.get(..=p)).unwrap_or_default();
    format!("{folder}{}", reference.strip_prefix("./").unwrap_or(reference))
}

/// Finds what references mean in a document that does not change meanwhile.
pub(crate) struct Resolver<'t> {
    tree: &'t Tree,
    root: Id,
    names: Names,
    wide: RefCell<Map<Id, Map<&'t str, Id>>>,
}

impl<'t> Resolver<'t> {
    /// Reads the anchors and identifiers of a schema.
    pub(crate) fn new(tree: &'t Tree, root: Id) -> Resolver<'t> {
        Resolver { tree, root, names: Names::of(tree, root), wide: RefCell::default() }
    }

    /// What the reference of a node means; `None` for a node without one.
    pub(crate) fn target(&self, node: Id) -> Option<Target> {
        let target = self.strict_target(node)?;
        if target != Target::Dangling {
            return Some(target);
        }
        // Many mean the whole document by `#`, also below an `$id` of its own.
        let text = KINDS.into_iter().find_map(|kw| self.tree.get(node, kw)).and_then(|v| self.tree.str(v))?.into_owned();
        let pointer = text.strip_prefix('#').map(percent_decode).filter(|p| p.starts_with('/'));
        let found = pointer.and_then(|p| self.at_pointer(self.root, &p)).filter(|&id| self.is_schema(id));
        Some(found.map_or(target, Target::Node))
    }

    fn is_schema(&self, id: Id) -> bool {
        matches!(self.tree.kind(id), Kind::Object | Kind::Bool)
    }

    /// Like [`Resolver::target`], as the standard says.
    pub(crate) fn strict_target(&self, node: Id) -> Option<Target> {
        let (tree, root, names) = (self.tree, self.root, &self.names);
        let value = KINDS.into_iter().find_map(|kw| tree.get(node, kw))?;
        let Some(text) = tree.str(value) else { return Some(Target::Dangling) };
        let (uri, fragment) = text.split_once('#').unwrap_or((&text, ""));
        let document = if uri.is_empty() {
            resource(tree, root, node)
        } else {
            let full = join(&names.base, uri);
            if full == names.base || uri == names.base {
                root
            } else {
                match names.ids.get(&full) {
                    Some(id) => *id,
                    None => return Some(Target::Elsewhere),
                }
            }
        };
        let fragment = percent_decode(fragment);
        let found = if fragment.is_empty() || fragment.starts_with('/') {
            self.at_pointer(document, &fragment)
        } else {
            names.anchors.get(&fragment).copied()
        };
        Some(found.filter(|&id| self.is_schema(id)).map_or(Target::Dangling, Target::Node))
    }

    /// Like [`Tree::at_pointer`], with an index of wide objects.
    fn at_pointer(&self, top: Id, pointer: &str) -> Option<Id> {
        let tree = self.tree;
        let mut at = top;
        if pointer.is_empty() {
            return Some(at);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            at = match tree.kind(at) {
                Kind::Object => self.member(at, &token_name(token))?,
                Kind::Array if token == "0" || !token.starts_with('0') => tree.element(at, token.parse().ok()?)?,
                _ => return None,
            };
        }
        Some(at)
    }

    fn member(&self, object: Id, name: &str) -> Option<Id> {
        let tree = self.tree;
        if tree.children(object).nth(SMALL).is_none() {
            return tree.member(object, name);
        }
        let mut wide = self.wide.borrow_mut();
        let index = wide.entry(object).or_insert_with(|| tree.children(object).map(|c| (tree.raw_key(c), c)).collect());
        index.get(&*escape(name)).copied()
    }
}

/// Whether a document of its own begins at the node.
pub(crate) fn is_resource(tree: &Tree, node: Id) -> bool {
    tree.get(node, Kw::Id).and_then(|i| tree.str(i)).is_some_and(|t| !t.starts_with('#'))
}

/// The root of the embedded document that a node stands in.
fn resource(tree: &Tree, root: Id, node: Id) -> Id {
    let mut at = node;
    while at != root {
        let own = is_resource(tree, at);
        if own {
            return at;
        }
        match holder(tree, at) {
            Some((up, _)) => at = up,
            None => break,
        }
    }
    root
}

pub(crate) fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = match rest {
            [b'%', a @ (b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F'), b @ (b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F'), after @ ..] => {
                std::str::from_utf8(&[*a, *b]).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok()).map(|byte| (byte, after))
            }
            _ => None,
        };
        let (byte, after) = code.unwrap_or((*first, after));
        out.push(byte);
        rest = after;
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// Targets and which lead to which: target 0 is the root.
struct Graph {
    index: Map<Id, usize>,
    nodes: Vec<Id>,
    edges: Vec<Vec<usize>>,
    /// For every reference: the targets around it.
    around: Map<Id, Vec<usize>>,
    /// Strongly connected component of each target, numbered in reverse topological order.
    component: Vec<usize>,
}

#[expect(clippy::indexing_slicing, reason = "targets are numbered from 0 on, and every list and map here has an entry for each")]
impl Graph {
    fn of(tree: &Tree, root: Id, targets: &Map<Id, Target>) -> Graph {
        let mut nodes = vec![root];
        let mut index: Map<Id, usize> = Map::default();
        index.insert(root, 0);
        let mut sorted: Vec<(Id, Target)> = targets.iter().map(|(n, t)| (*n, *t)).collect();
        sorted.sort_by_key(|(n, _)| *n);
        for (_, target) in &sorted {
            if let Target::Node(id) = target {
                index.entry(*id).or_insert_with(|| {
                    nodes.push(*id);
                    nodes.len().saturating_sub(1)
                });
            }
        }
        let mut edges = vec![Vec::new(); nodes.len()];
        let mut around: Map<Id, Vec<usize>> = Map::default();
        for (node, target) in &sorted {
            let Target::Node(target) = target else { continue };
            let to = index[target];
            let mut at = Some(*node);
            let mut list = Vec::new();
            while let Some(here) = at {
                if let Some(&from) = index.get(&here) {
                    list.push(from);
                    edges[from].push(to);
                }
                at = tree.parent(here);
            }
            around.insert(*node, list);
        }
        let component = components(&edges);
        Graph { index, nodes, edges, around, component }
    }

    fn recursive(&self, targets: &Map<Id, Target>) -> Set<Id> {
        let mut out = Set::default();
        for (node, target) in targets {
            let Target::Node(target) = target else { continue };
            let to = self.index[target];
            let same = |from: &usize| *from == to || self.component[*from] == self.component[to];
            if self.around[node].iter().any(same) {
                out.insert(*node);
            }
        }
        out
    }

    /// The targets of the references that stand in each node of the graph.
    fn inside(&self, targets: &Map<Id, Target>) -> Vec<Vec<usize>> {
        let mut inside: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (node, target) in targets {
            let Target::Node(target) = target else { continue };
            for &from in &self.around[node] {
                inside[from].push(self.index[target]);
            }
        }
        inside
    }

    /// Goes through the nodes so that what is led to comes first; `f` gets a node and what it leads to outside of its own cycle.
    fn each(&self, inside: &[Vec<usize>], mut f: impl FnMut(usize, &mut dyn Iterator<Item = usize>)) {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&i| self.component[i]);
        for i in order {
            f(i, &mut inside[i].iter().copied().filter(|&to| self.component[to] != self.component[i]));
        }
    }

    fn expanded(&self, tree: &Tree, inside: &[Vec<usize>]) -> u64 {
        let mut size = vec![0u64; self.nodes.len()];
        self.each(inside, |i, to| size[i] = to.fold(tree.size(self.nodes[i]) as u64, |sum, to| sum.saturating_add(size[to])));
        debug_assert_eq!(self.edges.len(), size.len());
        size[0]
    }

    fn heights(&self, inside: &[Vec<usize>]) -> Map<Id, u32> {
        let mut height = vec![0u32; self.nodes.len()];
        self.each(inside, |i, to| height[i] = to.map(|to| height[to]).max().unwrap_or_default().saturating_add(1));
        self.nodes.iter().copied().zip(height).collect()
    }
}

/// Tarjan's algorithm without recursion; components are numbered so that what is led to comes first.
#[expect(clippy::indexing_slicing, reason = "edges lead to nodes, and every list has an entry for each node")]
fn components(edges: &[Vec<usize>]) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let n = edges.len();
    let (mut order, mut low, mut component) = (vec![UNSEEN; n], vec![0; n], vec![UNSEEN; n]);
    let (mut counter, mut components) = (0_usize, 0_usize);
    let mut open: Vec<usize> = Vec::new();
    for start in 0..n {
        if order[start] != UNSEEN {
            continue;
        }
        let mut stack = vec![(start, 0_usize)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                order[node] = counter;
                low[node] = counter;
                counter = counter.saturating_add(1);
                open.push(node);
            }
            if let Some(&to) = edges[node].get(next) {
                stack.push((node, next.saturating_add(1)));
                if order[to] == UNSEEN {
                    stack.push((to, 0));
                } else if component[to] == UNSEEN {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components = components.saturating_add(1);
            }
            if let Some((up, _)) = stack.last() {
                low[*up] = low[*up].min(low[node]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    fn check(text: &str, at: &str, want: &str) {
        let tree = Tree::parse(text, &Budget::default()).expect(text);
        let refs = Refs::of(&tree, tree.root());
        let node = tree.at_pointer(tree.root(), at).expect(at);
        let got = match refs.target(node) {
            None => "none".to_owned(),
            Some(Target::Dangling) => "dangling".to_owned(),
            Some(Target::Elsewhere) => "elsewhere".to_owned(),
            Some(Target::Node(id)) => {
                format!("{}{}", tree.pointer(tree.root(), id), if refs.recursive(node) { " recursive" } else { "" })
            }
        };
        assert_eq!(got, want, "{text}");
    }

    #[test]
    fn local_references() {
        let defs =
            r##""$defs":{"a/b":{"type":"string"},"L":{"properties":{"next":{"$ref":"#/$defs/L"}}},"c%d":{},"n":{"$anchor":"here"}}"##;
        for (reference, want) in [
            ("#", " recursive"),
            ("#/$defs/a~1b", "/$defs/a~1b"),
            ("#/$defs/c%25d", "/$defs/c%d"),
            ("#/properties/y", "/properties/y"),
            ("#here", "/$defs/n"),
            ("#/$defs/none", "dangling"),
            ("#nowhere", "dangling"),
            ("https://x.test/s.json", "elsewhere"),
            ("#/$defs/L", "/$defs/L"),
        ] {
            check(&format!(r##"{{"properties":{{"x":{{"$ref":"{reference}"}},"y":{{}}}},{defs}}}"##), "/properties/x", want);
        }
        check(&format!("{{{defs}}}"), "/$defs/L/properties/next", "/$defs/L recursive");
    }

    #[test]
    fn names_are_no_references() {
        check(r##"{"properties":{"$ref":{"type":"string"}},"default":{"$ref":"#"}}"##, "/properties", "none");
        check(r##"{"$id":"https://x.test/a.json","$defs":{"T":{"$id":"t.json"}},"items":{"$ref":"t.json"}}"##, "/items", "/$defs/T");
    }

    #[test]
    fn references_to_nothing_but_themselves() {
        let text = r##"{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/C"},"C":{"$ref":"#/$defs/B"},
            "S":{"$ref":"#/$defs/S","type":"string"},"L":{"items":{"$ref":"#/$defs/L"}},"T":{"$ref":"#/$defs/U"},"U":{"items":{"$ref":"#/$defs/T"}}}}"##;
        let tree = Tree::parse(text, &Budget::default()).expect(text);
        let refs = Refs::of(&tree, tree.root());
        let defs = tree.get(tree.root(), Kw::Defs).expect("definitions");
        let found: Vec<&str> = tree.children(defs).filter(|&d| refs.leads_to_itself(d)).map(|d| tree.raw_key(d)).collect();
        assert_eq!(found, ["B", "C", "S"]);
    }

    #[test]
    fn mutual_recursion_and_sizes() {
        let text = r##"{"$ref":"#/$defs/A","$defs":{"A":{"items":{"$ref":"#/$defs/B"}},"B":{"items":{"$ref":"#/$defs/A"}}}}"##;
        check(text, "/$defs/A/items", "/$defs/B recursive");
        check(text, "", "/$defs/A");
        let chain = r##"{"$ref":"#/$defs/A","$defs":{"A":{"items":{"$ref":"#/$defs/B"},"not":{"$ref":"#/$defs/C"}},"B":{"$ref":"#/$defs/C"},"C":{}}}"##;
        for (text, name, want) in [(chain, "A", 3), (chain, "B", 2), (chain, "C", 1), (text, "A", 1), (text, "B", 1)] {
            let tree = Tree::parse(text, &Budget::default()).expect(text);
            let target = tree.at_pointer(tree.root(), &format!("/$defs/{name}")).expect(name);
            assert_eq!(Refs::of(&tree, tree.root()).height(target), want, "{name} of {text}");
        }
        let mut defs = vec![r#""D0":{"type":"string"}"#.to_owned()];
        for i in 1..60 {
            defs.push(format!(r##""D{i}":{{"properties":{{"a":{{"$ref":"#/$defs/D{0}"}},"b":{{"$ref":"#/$defs/D{0}"}}}}}}"##, i - 1));
        }
        let text = format!(r##"{{"$ref":"#/$defs/D59","$defs":{{{}}}}}"##, defs.join(","));
        let tree = Tree::parse(&text, &Budget::default()).expect("parses");
        assert!(Refs::of(&tree, tree.root()).expanded() > 1 << 59);
    }
}
