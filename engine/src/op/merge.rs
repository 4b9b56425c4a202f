//! Intersection of two schemas by merging one into the other.

use crate::attr::Types;
use crate::doc::Doc;
use crate::facts::{literals, says_nothing};
use crate::keyword::{COMBINATORS, Holds, Kw, KwSet, NOTES};
use crate::refs::REFERENCES;
use crate::tree::{Id, Kind, Tree};
use crate::valid::{read_types, value_type};
use crate::values::{Members, ValueSet, texts};

/// Keywords that speak of a node as such and have no say in what it means.
const IDENTITY: KwSet = KwSet::of(&[Kw::Id, Kw::OldId, Kw::Anchor, Kw::DynamicAnchor, Kw::RecursiveAnchor]);
const CONDITION: KwSet = KwSet::of(&[Kw::If, Kw::Then, Kw::Else]);
const CONTAINS: KwSet = KwSet::of(&[Kw::Contains, Kw::MinContains, Kw::MaxContains]);
const ELEMENTS: KwSet = KwSet::of(&[Kw::PrefixItems, Kw::Items, Kw::AdditionalItems]);
const MEMBERS: KwSet = KwSet::of(&[Kw::Properties, Kw::PatternProperties, Kw::AdditionalProperties]);
const LOWER: KwSet = KwSet::of(&[Kw::Minimum, Kw::ExclusiveMinimum]);
const UPPER: KwSet = KwSet::of(&[Kw::Maximum, Kw::ExclusiveMaximum]);
/// What `unevaluatedProperties` and `unevaluatedItems` look at.
const EVALUATING: KwSet =
    MEMBERS.with(ELEMENTS).with(CONTAINS).with(CONDITION).with(COMBINATORS).with(REFERENCES).with(KwSet::of(&[Kw::DependentSchemas]));
const LARGEST_WHOLE: f64 = 9_007_199_254_740_991.0;

/// How much of a schema went into another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Absorbed {
    /// Nothing is left of it.
    pub(crate) whole: bool,
    /// Something went over.
    pub(crate) some: bool,
}

impl Absorbed {
    const ALL: Absorbed = Absorbed { whole: true, some: true };
    const NONE: Absorbed = Absorbed { whole: false, some: false };
}

/// How two schemas that are merged stood to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stood {
    /// One was a part of the other: a branch, or what its reference leads to.
    Within,
    /// Both spoke of the same place from different schemas.
    Beside,
}

impl Doc<'_, '_> {
    /// Merges a detached part of a node into it, deeply; what is said twice, the node's own wins for annotations.
    /// What cannot be merged stays apart, in the node's `allOf`. Returns whether all was merged.
    pub(crate) fn merge(&mut self, into: Id, from: Id) -> bool {
        self.merge_as(into, from, Stood::Within)
    }

    /// Like [`Doc::merge`], for a schema that stood beside the node.
    pub(crate) fn merge_beside(&mut self, into: Id, from: Id) -> bool {
        self.merge_as(into, from, Stood::Beside)
    }

    fn merge_as(&mut self, into: Id, from: Id, stood: Stood) -> bool {
        if [into, from].iter().any(|&schema| !matches!(self.tree.kind(schema), Kind::Object | Kind::Bool)) {
            return false;
        }
        let whole = self.absorb(into, from, stood, KwSet::EMPTY).whole;
        if !whole {
            self.apart(into, from);
        }
        whole
    }

    /// Moves as much of `from` into a node as can be merged, but no keyword of `stays`; the rest is left in `from`.
    pub(crate) fn absorb(&mut self, into: Id, from: Id, stood: Stood, stays: KwSet) -> Absorbed {
        match (self.tree.kind(into), self.tree.kind(from)) {
            (_, Kind::Bool) if self.tree.bool(from) == Some(true) => return Absorbed::ALL,
            (Kind::Bool, _) if self.tree.bool(into) == Some(false) => return Absorbed::ALL,
            (Kind::Bool, _) => {
                self.become_node(into, from);
                return Absorbed::ALL;
            }
            (_, Kind::Bool) => return Absorbed::NONE,
            _ => {}
        }
        if self.clashes(into, from) || self.evaluates_apart(into, from, stood) {
            return Absorbed::NONE;
        }
        if !self.keep_meaning(from) || (stood == Stood::Beside && !self.keep_meaning(into)) {
            return Absorbed::NONE;
        }
        let held = self.held(into, from).with(stays);
        if !held.meets(MEMBERS) && !self.spread_additional(into, from) {
            return Absorbed::NONE;
        }
        // A flag counts whatever the parts of its own schema say.
        let flagged = stood == Stood::Within && self.tree.get(into, Kw::Nullable).and_then(|n| self.tree.bool(n)) == Some(true);
        let refuses = !held.has(Kw::Type) && !flagged && (self.refuses_null(into) || self.refuses_null(from));
        let members: Vec<Id> = self.tree.children(from).collect();
        let mut some = false;
        for &member in &members {
            if !self.tree.kw(member).is_some_and(|kw| held.has(kw)) {
                some |= self.merge_member(into, from, member);
            }
        }
        if refuses || read_types(&self.tree, into).types.meets(Types::NULL) {
            self.tree.remove(into, Kw::Nullable);
        }
        let whole = self.tree.node(from).first.some().is_none();
        if whole {
            self.inherit(from, into);
        }
        Absorbed { whole, some: some || whole }
    }

    /// Whether a type leaves null out and no flag brings it in. Without a type, null is allowed by silence.
    fn refuses_null(&self, node: Id) -> bool {
        let types = self.types_with_null(node);
        !types.is_empty() && !types.meets(Types::NULL)
    }

    /// References to a schema that is about to change go to a copy; false where there is no room for one.
    fn keep_meaning(&mut self, node: Id) -> bool {
        if !self.refs.aims_at(node) {
            return true;
        }
        let Some(copy) = self.copy(node) else { return false };
        self.refs.redirect(node, copy);
        true
    }

    /// Adds a schema to the node's `allOf`.
    pub(crate) fn apart(&mut self, into: Id, from: Id) {
        let list = self.list(into, Kw::AllOf);
        self.tree.append(list, from);
    }

    /// Whether no value can fit both, as far as types and literals say.
    pub(crate) fn contradict(&self, one: Id, other: Id) -> bool {
        let tree = &self.tree;
        let (a, b) = (self.types_with_null(one), self.types_with_null(other));
        if !a.is_empty() && !b.is_empty() && a.intersect(b).is_empty() {
            return true;
        }
        for (node, types) in [(one, b), (other, a)] {
            let mut own = literals(tree, node).peekable();
            if !types.is_empty() && own.peek().is_some() && !own.any(|l| types.admits(value_type(tree, l))) {
                return true;
            }
        }
        let sets = |node: Id| {
            let list = tree.get(node, Kw::Enum).filter(|&l| tree.kind(l) == Kind::Array);
            let list = list.map(|l| tree.children(l).collect::<Vec<_>>());
            let single = tree.get(node, Kw::Const).map(|c| vec![c]);
            list.into_iter().chain(single)
        };
        sets(one).any(|list| {
            let set = ValueSet::of(tree, list);
            sets(other).any(|list| !list.iter().any(|&l| set.has(l)))
        })
    }

    /// Whether the two contradict each other, or merging them would open a closed object.
    pub(crate) fn clashes(&self, into: Id, from: Id) -> bool {
        let tree = &self.tree;
        self.contradict(into, from)
            || [(into, from), (from, into)].into_iter().any(|(one, other)| {
                let closed = tree.get(one, Kw::AdditionalProperties).and_then(|x| tree.bool(x)) == Some(false);
                closed && !tree.keys(one).has(Kw::PatternProperties) && !self.only_in(other, one, Kw::Properties).is_empty()
            })
    }

    /// The members of a map keyword that the other schema does not have there.
    fn only_in(&self, node: Id, other: Id, kw: Kw) -> Vec<Id> {
        let tree = &self.tree;
        let Some(map) = tree.get(node, kw).filter(|&m| tree.kind(m) == Kind::Object) else { return Vec::new() };
        let theirs = Members::of(tree, tree.get(other, kw));
        tree.children(map).filter(|&p| theirs.like(tree, p).is_none()).collect()
    }

    /// `unevaluatedProperties` sees its own schema only, and would see both.
    fn evaluates_apart(&self, into: Id, from: Id, stood: Stood) -> bool {
        let looks = |node: Id| {
            let kws = [Kw::UnevaluatedProperties, Kw::UnevaluatedItems].into_iter();
            kws.filter_map(|kw| self.tree.get(node, kw)).any(|v| says(&self.tree, v))
        };
        (looks(from) && self.tree.keys(into).meets(EVALUATING))
            || (stood == Stood::Beside && looks(into) && self.tree.keys(from).meets(EVALUATING))
    }

    /// The keywords of `from` that mean something only together, where the node has its own of the group.
    fn held(&self, into: Id, from: Id) -> KwSet {
        let tree = &self.tree;
        let (mine, theirs) = (tree.keys(into), tree.keys(from));
        let mut held = KwSet::EMPTY;
        let mut hold = |group: KwSet, when: bool| {
            if when && mine.meets(group) && theirs.meets(group) && !self.equal(into, from, group) {
                held = held.with(group);
            }
        };
        let list = |node: Id| tree.get(node, Kw::Items).is_some_and(|i| tree.kind(i) == Kind::Array);
        let tuple = |node: Id| tree.keys(node).has(Kw::PrefixItems) || list(node);
        let flagged = |kw: Kw| [into, from].into_iter().any(|n| tree.get(n, kw).is_some_and(|v| tree.kind(v) == Kind::Bool));
        hold(CONDITION, true);
        hold(CONTAINS, true);
        hold(ELEMENTS, tuple(into) || tuple(from));
        hold(LOWER, flagged(Kw::ExclusiveMinimum));
        hold(UPPER, flagged(Kw::ExclusiveMaximum));
        hold(KwSet::of(&[Kw::Type]), read_types(tree, into).unknown || read_types(tree, from).unknown);
        hold(REFERENCES, self.refs.target(into) != self.refs.target(from));
        if theirs.meets(MEMBERS) && (self.bound(into, from) || self.bound(from, into)) {
            // Which of them are required stays with them: apart, they would be optional again.
            held = held.with(MEMBERS).with(KwSet::of(&[Kw::Required]));
        }
        held
    }

    /// Whether what one says of further properties cannot be said of the other's.
    fn bound(&self, one: Id, other: Id) -> bool {
        let tree = &self.tree;
        let rest = tree.get(one, Kw::AdditionalProperties).is_some_and(|x| says(tree, x));
        rest && (!self.only_in(other, one, Kw::PatternProperties).is_empty()
            || (tree.keys(one).has(Kw::PatternProperties) && !self.only_in(other, one, Kw::Properties).is_empty()))
    }

    fn equal(&self, one: Id, other: Id, group: KwSet) -> bool {
        let tree = &self.tree;
        let (mine, theirs) = (tree.keys(one).0 & group.0, tree.keys(other).0 & group.0);
        let same = |c: Id| tree.kw(c).is_none_or(|kw| !group.has(kw) || tree.get(other, kw).is_some_and(|o| tree.same(o, c)));
        !group.meets(REFERENCES) && mine == theirs && tree.children(one).all(same)
    }

    /// A schema for undeclared properties also speaks of those that only the other side declares.
    fn spread_additional(&mut self, into: Id, from: Id) -> bool {
        let (mut plans, mut weight) = (Vec::new(), Vec::new());
        for (one, other) in [(into, from), (from, into)] {
            let Some(rest) = self.tree.get(one, Kw::AdditionalProperties) else { continue };
            if self.tree.kind(rest) != Kind::Object || !says(&self.tree, rest) {
                continue;
            }
            let only = self.only_in(other, one, Kw::Properties);
            weight.push((rest, only.len()));
            plans.extend(only.into_iter().map(|property| (property, rest)));
        }
        if !plans.is_empty() && !self.affords(&weight) {
            return false;
        }
        // Before any is merged, which takes room as well.
        let copies: Vec<(Id, Id)> = plans.into_iter().filter_map(|(property, rest)| Some((property, self.copy(rest)?))).collect();
        for (property, copy) in copies {
            self.merge_beside(property, copy);
        }
        true
    }

    /// Whether the member, or something of it, is merged now.
    fn merge_member(&mut self, into: Id, from: Id, member: Id) -> bool {
        let Some(kw) = self.tree.kw(member) else {
            self.take_if_missing(into, member);
            return true;
        };
        let Some(own) = self.tree.get(into, kw) else {
            match kw {
                Kw::Enum if self.tree.keys(into).has(Kw::Const) => self.tree.detach(member),
                kw if REFERENCES.has(kw) => {
                    if self.tree.keys(into).meets(REFERENCES) {
                        return false;
                    }
                    self.take_if_missing(into, member);
                    self.refs.adopt(from, into);
                    self.refs.forget(from);
                }
                _ => {
                    if kw == Kw::Const {
                        self.tree.remove(into, Kw::Enum);
                    }
                    self.take_if_missing(into, member);
                }
            }
            return true;
        };
        let merged = NOTES.has(kw) || IDENTITY.has(kw) || self.merge_value(into, from, kw, own, member);
        if merged && self.tree.parent(member) == Some(from) {
            self.tree.detach(member);
        }
        if merged && REFERENCES.has(kw) {
            self.refs.forget(from);
        }
        merged
    }

    fn take_if_missing(&mut self, into: Id, member: Id) {
        let name = self.tree.key(member).into_owned();
        self.tree.detach(member);
        if self.tree.member(into, &name).is_none() {
            self.tree.attach(into, &name, member);
        }
    }

    /// Narrows the node's own value by the other; false where both must stay.
    fn merge_value(&mut self, into: Id, from: Id, kw: Kw, own: Id, other: Id) -> bool {
        if REFERENCES.has(kw) {
            return self.refs.target(into) == self.refs.target(from);
        }
        if self.tree.same(own, other) {
            return true;
        }
        let maps = matches!(kw.holds(), Holds::SchemaMap | Holds::SchemaOrNamesMap | Holds::NamesMap);
        if maps && [own, other].iter().any(|&map| self.tree.kind(map) != Kind::Object) {
            return false;
        }
        match kw {
            Kw::Type => {
                let mine = read_types(&self.tree, into).types;
                let theirs = self.types_with_null(from);
                if theirs.is_empty() || mine.is_empty() {
                    return false;
                }
                // A flag on both sides may be all that they have in common.
                let both = mine.intersect(theirs);
                self.set_type(into, if both.is_empty() { Types::NULL } else { both });
                true
            }
            Kw::Minimum | Kw::ExclusiveMinimum | Kw::MinLength | Kw::MinItems | Kw::MinProperties => {
                self.keep_number(own, other, |mine, theirs| theirs > mine)
            }
            Kw::Maximum | Kw::ExclusiveMaximum | Kw::MaxLength | Kw::MaxItems | Kw::MaxProperties => {
                self.keep_number(own, other, |mine, theirs| theirs < mine)
            }
            Kw::MultipleOf => self.merge_multiples(own, other),
            Kw::UniqueItems => {
                if self.tree.bool(own) == Some(false) {
                    let yes = self.tree.new_bool(true);
                    self.tree.replace(own, yes);
                }
                true
            }
            // Said at the node itself, it is meant for all that the node takes.
            Kw::Nullable => true,
            Kw::Enum => {
                let tree = &self.tree;
                if [own, other].iter().any(|&l| tree.kind(l) != Kind::Array) {
                    return false;
                }
                let set = ValueSet::of(tree, tree.children(other));
                let gone: Vec<Id> = tree.children(own).filter(|&m| !set.has(m)).collect();
                for member in gone {
                    self.tree.detach(member);
                }
                true
            }
            Kw::Required => self.add_names(own, other),
            Kw::DependentRequired => {
                let theirs = Members::of(&self.tree, Some(own));
                for entry in self.tree.children(other).collect::<Vec<_>>() {
                    match theirs.like(&self.tree, entry) {
                        Some(mine) => {
                            if !self.add_names(mine, entry) {
                                return false;
                            }
                        }
                        None => self.give(own, entry),
                    }
                }
                true
            }
            Kw::AdditionalProperties | Kw::Items | Kw::AdditionalItems | Kw::PropertyNames => self.merge_schema(own, other),
            Kw::AnyOf => self.cross(into, own, other).is_ok(),
            Kw::AllOf => {
                if self.tree.kind(own) != Kind::Array || self.tree.kind(other) != Kind::Array {
                    return false;
                }
                // The branches of a branch come where it stands.
                let next = if self.tree.parent(from) == Some(own) { self.tree.node(from).next.some() } else { None };
                for branch in self.tree.children(other).collect::<Vec<_>>() {
                    self.tree.detach(branch);
                    match next {
                        Some(next) => self.tree.link_before(next, branch),
                        None => self.tree.append(own, branch),
                    }
                }
                true
            }
            Kw::Defs | Kw::Definitions => {
                for member in self.tree.children(other).collect::<Vec<_>>() {
                    let name = self.tree.key(member).into_owned();
                    let name = self.fresh_name(Some(own), &name);
                    self.tree.detach(member);
                    self.tree.attach(own, &name, member);
                }
                true
            }
            _ if kw.holds() == Holds::SchemaMap => {
                let theirs = Members::of(&self.tree, Some(own));
                let is_schema = |id: Id| matches!(self.tree.kind(id), Kind::Object | Kind::Bool);
                let twins = self.tree.children(other).filter_map(|member| Some([member, theirs.like(&self.tree, member)?]));
                if !twins.into_iter().flatten().all(is_schema) {
                    return false;
                }
                for member in self.tree.children(other).collect::<Vec<_>>() {
                    match theirs.like(&self.tree, member) {
                        Some(mine) => {
                            self.tree.detach(member);
                            self.merge_beside(mine, member);
                        }
                        None => self.give(own, member),
                    }
                }
                true
            }
            _ => false,
        }
    }

    /// Moves a member to another object, which has none of its name.
    pub(crate) fn give(&mut self, object: Id, member: Id) {
        let name = self.tree.key(member).into_owned();
        self.tree.detach(member);
        self.tree.attach(object, &name, member);
    }

    /// Adds the names of a list that the other does not have.
    pub(crate) fn add_names(&mut self, own: Id, other: Id) -> bool {
        if self.tree.kind(own) != Kind::Array || self.tree.kind(other) != Kind::Array {
            return false;
        }
        let mut have = texts(&self.tree, own);
        for name in self.tree.children(other).collect::<Vec<_>>() {
            if self.tree.str(name).is_none_or(|text| have.insert(text.into_owned())) {
                self.tree.detach(name);
                self.tree.append(own, name);
            }
        }
        true
    }

    fn types_with_null(&self, node: Id) -> Types {
        let types = read_types(&self.tree, node).types;
        let flag = self.tree.get(node, Kw::Nullable).and_then(|n| self.tree.bool(n)) == Some(true);
        if flag && !types.is_empty() { Types(types.0 | Types::NULL.0) } else { types }
    }

    fn merge_multiples(&mut self, own: Id, other: Id) -> bool {
        let (Some(a), Some(b)) = (self.tree.num(own), self.tree.num(other)) else { return false };
        if !(a > 0.0 && b > 0.0 && a.is_finite() && b.is_finite()) {
            return false;
        }
        if a % b == 0.0 {
            return true;
        }
        let text = if b % a == 0.0 {
            self.tree.raw(other).to_owned()
        } else {
            let (mut x, mut y) = (a, b);
            while y != 0.0 {
                (x, y) = (y, x % y);
            }
            let both = a / x * b;
            if a.fract() != 0.0 || b.fract() != 0.0 || both > LARGEST_WHOLE {
                return false;
            }
            format!("{both}")
        };
        let new = self.tree.new_num(&text);
        self.tree.replace(own, new);
        true
    }

    fn keep_number(&mut self, own: Id, other: Id, better: impl Fn(f64, f64) -> bool) -> bool {
        let (Some(a), Some(b)) = (self.tree.num(own), self.tree.num(other)) else { return false };
        if better(a, b) {
            let text = self.tree.raw(other).to_owned();
            let new = self.tree.new_num(&text);
            self.tree.replace(own, new);
        }
        true
    }

    fn merge_schema(&mut self, own: Id, other: Id) -> bool {
        match (self.tree.kind(own), self.tree.kind(other)) {
            (_, Kind::Bool) if self.tree.bool(other) == Some(true) => true,
            (Kind::Bool, _) if self.tree.bool(own) == Some(false) => true,
            (Kind::Bool, _) | (Kind::Object, Kind::Bool) => {
                self.tree.detach(other);
                self.tree.replace(own, other);
                true
            }
            (Kind::Object, Kind::Object) => {
                self.tree.detach(other);
                self.merge_beside(own, other);
                true
            }
            _ => false,
        }
    }
}

/// Whether a schema says anything about validity.
pub(crate) fn says(tree: &Tree, schema: Id) -> bool {
    matches!(tree.kind(schema), Kind::Bool | Kind::Object) && !says_nothing(tree, schema)
}

/// Whether a literal has a type that the node declares.
#[must_use]
pub(super) fn literal_fits(tree: &Tree, node: Id, literal: Id) -> bool {
    let types = read_types(tree, node).types;
    types.is_empty() || types.admits(value_type(tree, literal))
}
