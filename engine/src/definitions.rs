//! Which definitions nothing needs, and which recursions never end.

use crate::facts::Cx;
use crate::keyword::{DEFINITIONS, Kw};
use crate::refs::Target;
use crate::site::{Required, holder, subschemas};
use crate::tree::{Id, Tree};

/// Definitions of the root that no reference outside of them leads to, directly or through others.
#[must_use]
pub fn unused_definitions(cx: &Cx<'_>) -> Vec<Id> {
    let tree = cx.tree;
    let mut seen: hashbrown::HashSet<Id, foldhash::fast::FixedState> = hashbrown::HashSet::default();
    let mut stack = vec![cx.root];
    while let Some(node) = stack.pop() {
        if !seen.insert(node) {
            continue;
        }
        stack.extend(cx.refs.node(node));
        subschemas(tree, node, |child, via| {
            if !DEFINITIONS.has(via) {
                stack.push(child);
            }
        });
    }
    // A reference may lead to a node below a definition: that definition is used.
    let mut used: hashbrown::HashSet<Id, foldhash::fast::FixedState> = hashbrown::HashSet::default();
    for (node, target) in cx.refs.iter() {
        if let (true, Target::Node(to)) = (seen.contains(&node), target) {
            let mut at = Some(to);
            while let Some(here) = at {
                if !used.insert(here) {
                    break;
                }
                at = tree.parent(here);
            }
        }
    }
    let mut holders: Vec<Id> = seen.into_iter().filter(|&n| n == cx.root || tree.keys(n).meets(DEFINITIONS)).collect();
    holders.sort_unstable();
    let maps = holders.into_iter().flat_map(|n| [Kw::Defs, Kw::Definitions].into_iter().filter_map(move |kw| tree.get(n, kw)));
    maps.flat_map(|m| tree.children(m)).filter(|d| !used.contains(d)).collect()
}

/// Whether a cycle from `top` down to the reference passes only required properties.
pub(crate) fn recursion_required(tree: &Tree, top: Id, reference: Id) -> bool {
    let mut at = reference;
    while at != top {
        match holder(tree, at) {
            Some((up, Kw::Properties)) if Required::of(tree, up).has(at) => at = up,
            Some((up, Kw::AllOf)) => at = up,
            _ => return false,
        }
    }
    true
}
