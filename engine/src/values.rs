//! Sets of JSON values and of names, so that long lists and wide objects take linear time.

use hashbrown::{HashMap, HashSet};

use crate::tree::{Id, Kind, Tree};

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Objects with fewer members are searched one by one.
const SMALL: usize = 12;

/// JSON values, equal by value whatever their spelling.
pub(crate) struct ValueSet<'t> {
    tree: &'t Tree,
    seen: Map<u64, Vec<Id>>,
}

impl<'t> ValueSet<'t> {
    /// A set without values.
    pub(crate) fn new(tree: &'t Tree) -> ValueSet<'t> {
        ValueSet { tree, seen: Map::default() }
    }

    /// The set of these values.
    pub(crate) fn of(tree: &'t Tree, values: impl IntoIterator<Item = Id>) -> ValueSet<'t> {
        let mut set = ValueSet::new(tree);
        for value in values {
            set.insert(value);
        }
        set
    }

    /// Adds a value; false if an equal one is there.
    pub(crate) fn insert(&mut self, value: Id) -> bool {
        let tree = self.tree;
        let list = self.seen.entry(fingerprint(tree, value)).or_default();
        let fresh = !list.iter().any(|&v| tree.same(v, value));
        if fresh {
            list.push(value);
        }
        fresh
    }

    /// Whether an equal value is there.
    pub(crate) fn has(&self, value: Id) -> bool {
        self.seen.get(&fingerprint(self.tree, value)).is_some_and(|list| list.iter().any(|&v| self.tree.same(v, value)))
    }
}

/// A number that equal values share.
fn fingerprint(tree: &Tree, id: Id) -> u64 {
    let kind = tree.kind(id) as u64;
    match tree.kind(id) {
        Kind::Null => kind,
        Kind::Bool => text(kind, tree.raw(id)),
        Kind::Num => {
            let n = tree.num(id).filter(|n| n.is_finite()).unwrap_or(0.0);
            mix(kind, if n == 0.0 { 0 } else { n.to_bits() })
        }
        Kind::Str => text(kind, &tree.str(id).unwrap_or_default()),
        Kind::Array => tree.children(id).fold(kind, |hash, child| mix(hash, fingerprint(tree, child))),
        // The order of members does not count.
        Kind::Object => tree.children(id).fold(kind, |sum, c| sum.wrapping_add(mix(text(kind, tree.raw_key(c)), fingerprint(tree, c)))),
    }
}

fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95)
}

fn text(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| mix(hash, u64::from(byte)))
}

/// The members of an object by name, as they were when it was made.
pub(crate) struct Members {
    object: Option<Id>,
    wide: Option<Map<String, Id>>,
}

impl Members {
    /// The members of an object; of anything else, none.
    pub(crate) fn of(tree: &Tree, object: Option<Id>) -> Members {
        let object = object.filter(|&o| tree.kind(o) == Kind::Object);
        let wide = object.filter(|&o| tree.children(o).nth(SMALL).is_some());
        let wide = wide.map(|o| tree.children(o).map(|c| (tree.raw_key(c).to_owned(), c)).collect());
        Members { object, wide }
    }

    /// The member with the same name as this node.
    pub(crate) fn like(&self, tree: &Tree, node: Id) -> Option<Id> {
        self.named(tree, tree.raw_key(node))
    }

    /// The member of this name, in the spelling that keys have.
    pub(crate) fn named(&self, tree: &Tree, raw: &str) -> Option<Id> {
        match &self.wide {
            Some(wide) => wide.get(raw).copied(),
            None => tree.children(self.object?).find(|&c| tree.raw_key(c) == raw),
        }
    }
}

/// The strings of a list.
pub(crate) fn texts(tree: &Tree, list: Id) -> HashSet<String, foldhash::fast::FixedState> {
    tree.children(list).filter_map(|n| tree.str(n)).map(std::borrow::Cow::into_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn equal_values_are_one() {
        let tree = Tree::parse(r#"[1,1.0,"a","\u0061",{"a":1,"b":[2]},{"b":[2e0],"a":1},-0,0,[1,2],[2,1],"1"]"#, &Budget::default());
        let tree = tree.expect("parses");
        let mut set = ValueSet::new(&tree);
        let kept: Vec<String> = tree.children(tree.root()).filter(|&v| set.insert(v)).map(|v| tree.to_json(v)).collect();
        assert_eq!(kept.join(" "), r#"1 "a" {"a":1,"b":[2]} -0 [1,2] [2,1] "1""#);
    }
}
