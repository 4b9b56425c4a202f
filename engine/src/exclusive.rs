//! Whether the branches of a union exclude each other, as far as types, literals and closed objects show it.

use crate::attr::Types;
use crate::facts::literals;
use crate::keyword::Kw;
use crate::refs::Refs;
use crate::site::Required;
use crate::tree::{Id, Kind, Tree};
use crate::valid::{read_types, value_type};

/// Whether no value fits two branches of a list: by type, by literals, by a required property of different types or literals, or by one that
/// the other does not admit.
pub(crate) fn exclusive(tree: &Tree, refs: &Refs, list: Id) -> bool {
    let branches: Vec<Id> = tree.children(list).collect();
    if branches.len() > 64 {
        return false;
    }
    let signs: Vec<Signs> = branches.iter().map(|&b| Signs::of(tree, refs, refs.follow(b))).collect();
    signs.iter().enumerate().all(|(i, sign)| signs.iter().take(i).all(|other| sign.apart(other, tree)))
}

/// The types that a schema states, else those of its literals.
fn types_of(tree: &Tree, node: Id) -> Types {
    let stated = read_types(tree, node).types;
    if !stated.is_empty() {
        return if flagged(tree, node) { Types(stated.0 | Types::NULL.0) } else { stated };
    }
    literals(tree, node).fold(stated, |all, literal| Types(all.0 | value_type(tree, literal).0))
}

/// Whether a flag says that null is taken, whatever else is said.
fn flagged(tree: &Tree, node: Id) -> bool {
    tree.get(node, Kw::Nullable).and_then(|n| tree.bool(n)) == Some(true)
}

/// What tells a branch from others.
struct Signs {
    types: Types,
    flagged: bool,
    literals: Vec<Id>,
    /// Required properties with their types and literals.
    tags: Vec<(Id, Types, Vec<Id>)>,
    /// The declared properties of an object that admits no others.
    only: Option<Vec<Id>>,
}

impl Signs {
    /// A branch is told by so many properties and literals at most.
    const MOST: usize = 64;

    fn of(tree: &Tree, refs: &Refs, branch: Id) -> Signs {
        let lit = |n: Id| literals(tree, n).take(Self::MOST + 1).collect::<Vec<_>>();
        let types = types_of(tree, branch);
        let (mut tags, mut only) = (Vec::new(), None);
        if types == Types::OBJECT {
            let required = Required::of(tree, branch);
            let properties = tree.get(branch, Kw::Properties).filter(|&p| tree.kind(p) == Kind::Object);
            let declared = || properties.into_iter().flat_map(|p| tree.children(p));
            let demanded = declared().filter(|p| required.has(*p)).take(Self::MOST);
            tags = demanded.map(|p| (p, types_of(tree, refs.follow(p)), lit(refs.follow(p)))).collect();
            let closed = tree.get(branch, Kw::AdditionalProperties).and_then(|a| tree.bool(a)) == Some(false);
            only = (closed && tree.get(branch, Kw::PatternProperties).is_none()).then(|| declared().take(Self::MOST + 1).collect());
        }
        Signs { types, flagged: flagged(tree, branch), literals: lit(branch), tags, only }
    }

    fn apart(&self, other: &Signs, tree: &Tree) -> bool {
        let disjoint = |a: &[Id], b: &[Id]| {
            let known = |l: &[Id]| !l.is_empty() && l.len() <= Self::MOST;
            known(a) && known(b) && !a.iter().any(|&m| b.iter().any(|&n| tree.same(m, n)))
        };
        let foreign = |a: Types, b: Types| !a.is_empty() && !b.is_empty() && a.intersect(b).is_empty();
        let named = |p: Id, q: Id| tree.raw_key(p) == tree.raw_key(q);
        let unknown = |a: &Signs, b: &Signs| {
            let only = b.only.as_ref().filter(|only| only.len() <= Self::MOST);
            only.is_some_and(|only| a.tags.iter().any(|(p, ..)| !only.iter().any(|q| named(*p, *q))))
        };
        let null = |a: &Signs, b: &Signs| a.flagged && b.types.meets(Types::NULL);
        if null(self, other) || null(other, self) {
            return false;
        }
        foreign(self.types, other.types)
            || disjoint(&self.literals, &other.literals)
            || unknown(self, other)
            || unknown(other, self)
            || self.tags.iter().any(|(p, t, l)| {
                let twin = other.tags.iter().find(|(q, ..)| named(*p, *q));
                twin.is_some_and(|(_, u, r)| foreign(*t, *u) || disjoint(l, r))
            })
    }
}
