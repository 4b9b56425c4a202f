//! Null: its three spellings, and null for absent.

use super::refs::STAYS;
use super::{NullAs, NullForm};
use crate::attr::Types;
use crate::codec::Codec;
use crate::doc::{Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::facts::{has_literals, implied_type, null_branch};
use crate::keyword::{COMBINATORS, DEFINITIONS, Kw, KwSet, NOTES, UNIONS};
use crate::refs::REFERENCES;
use crate::site::{Place, union_branches};
use crate::tree::{Id, Kind, Tree};
use crate::valid::read_types;

/// How a node says that it takes null.
#[derive(Clone, Copy, Debug, Default)]
struct Spelled {
    flag: bool,
    in_type: bool,
    branch: bool,
    literal: bool,
    /// The literals do not list null though the type takes it. A flag is not bound by them.
    refused: bool,
    /// The literals list null though the type refuses it.
    idle: bool,
}

impl Spelled {
    fn any(self) -> bool {
        self.flag || self.in_type || self.branch || (self.literal && !self.refused)
    }
}

impl Doc<'_, '_> {
    fn spelled(&self, node: Id) -> Spelled {
        let tree = &self.tree;
        if tree.kind(node) != Kind::Object {
            return Spelled::default();
        }
        let keys = tree.keys(node);
        let types = read_types(tree, node).types;
        let has_literals = keys.meets(LITERALS) && has_literals(tree, node);
        let literal = has_literals && lists_null(tree, node);
        let flag = tree.get(node, Kw::Nullable).and_then(|n| tree.bool(n)) == Some(true);
        let taken = flag || types.is_empty() || types.meets(Types::NULL);
        Spelled {
            flag,
            in_type: types.meets(Types::NULL),
            branch: union_branches(tree, node).iter().any(|&b| null_branch(tree, b)),
            literal: literal && taken,
            refused: has_literals && !literal && !flag,
            idle: literal && !taken,
        }
    }

    /// Spells null in the one given form.
    pub(crate) fn null_as(&mut self, node: Id, place: &Place, how: NullAs) -> Outcome {
        let NullAs { form, single, anywhere } = how;
        let spelled = self.spelled(node);
        if spelled.idle && !spelled.any() {
            return if self.strip_null_literals(node) { done(Effects::NONE, "null that the type refuses") } else { Err(Declined) };
        }
        if !spelled.any() || null_branch(&self.tree, node) {
            return Err(Declined);
        }
        let others: Vec<Id> = union_branches(&self.tree, node).into_iter().filter(|&b| !null_branch(&self.tree, b)).collect();
        let stays = form == NullForm::Drop && !place.optional && (!anywhere || place.via.is_none());
        if (single && others.len() > 1) || stays || (spelled.branch && others.is_empty()) {
            return Err(Declined);
        }
        let only = if let [only] = others[..] { Some(only).filter(|_| spelled.branch) } else { None };
        if only.is_some_and(|o| self.contradict(node, o)) {
            return Err(Declined);
        }
        let listable = only.is_some_and(|o| {
            let keys = self.tree.keys(o).with(self.tree.keys(node).without(UNIONS));
            !keys.meets(COMBINATORS.with(REFERENCES))
                && !keys.covers(LITERALS)
                && !read_types(&self.tree, o).types.is_empty()
                && !self.clashes(node, o)
        });
        let union = self.tree.keys(node).meets(UNIONS);
        let right = match form {
            NullForm::Nullable => spelled.flag && !spelled.in_type && !spelled.branch && !spelled.literal,
            NullForm::TypeList if union => spelled.branch && !spelled.flag && !spelled.in_type && !listable,
            NullForm::TypeList => spelled.in_type && !spelled.flag && !spelled.refused,
            NullForm::AnyOf => spelled.branch && !spelled.flag && !spelled.in_type,
            NullForm::Drop => false,
        };
        if right {
            return Err(Declined);
        }
        let property = place.holder.filter(|_| place.via == Some(Kw::Properties));
        // A type or a branch that names null says nothing where something else refuses it.
        let blind = if self.takes_null(node, &mut { FUEL }) { Effects::NONE } else { Effects::WIDENS };
        let cost = match form {
            NullForm::Drop if spelled.refused && !spelled.branch => Effects::NONE,
            NullForm::Drop if place.optional => Effects::NARROWS.with(Effects::RECODES).with(blind),
            NullForm::Drop => {
                let cost = |holder| Effects::RECODES.with(self.watched(holder, WATCHERS, WATCHERS.with(MEMBERS)));
                property.map_or(Effects::NARROWS, cost).with(blind)
            }
            _ if !blind.is_none() => blind,
            // What refuses null beside a type or a flag says nothing beside a union, and the other way round.
            _ if spelled.in_type && (form == NullForm::Nullable || union) && self.tree.keys(node).meets(REFUSERS) => Effects::WIDENS,
            _ if form == NullForm::Nullable && self.tree.keys(node).without(UNIONS).meets(REFUSERS) => Effects::WIDENS,
            // A value of two branches of oneOf is one of none.
            _ if spelled.branch && self.tree.keys(node).has(Kw::OneOf) && others.iter().any(|&b| self.takes_null(b, &mut { FUEL })) => {
                Effects::WIDENS
            }
            _ => Effects::NONE,
        };
        let effect = self.permit(node, cost)?;
        if form == NullForm::Drop
            && !cost.is_none()
            && let Some(holder) = property
        {
            let property = self.tree.key(node).into_owned();
            if !place.optional {
                self.unrequire(holder, node);
            }
            let codec = if place.optional { Codec::AbsentForNull { property } } else { Codec::NullForAbsent { property } };
            self.codecs.push(holder, codec);
        }
        self.strip_null(node);
        if form != NullForm::Drop {
            self.add_null(node, form);
        } else if let Some(default) = self.tree.get(node, Kw::Default)
            && self.tree.kind(default) == Kind::Null
        {
            self.tree.detach(default);
        }
        let word = match form {
            NullForm::Nullable => "nullable",
            NullForm::TypeList => "type list",
            NullForm::AnyOf => "anyOf",
            NullForm::Drop => "absent",
        };
        done(effect, word)
    }

    /// Takes a property out of the list of required ones.
    fn unrequire(&mut self, holder: Id, property: Id) {
        let tree = &self.tree;
        let Some(list) = tree.get(holder, Kw::Required).filter(|&l| tree.kind(l) == Kind::Array) else { return };
        let name = tree.key(property);
        let gone: Vec<Id> = tree.children(list).filter(|&m| tree.str(m).is_some_and(|n| n == name)).collect();
        if gone.len() == tree.count(list) {
            self.tree.detach(list);
            return;
        }
        for member in gone {
            self.tree.detach(member);
        }
    }

    /// Takes null out of `enum`, where something else is left; says whether it did.
    fn strip_null_literals(&mut self, node: Id) -> bool {
        let Some(list) = self.tree.get(node, Kw::Enum).filter(|&l| self.tree.kind(l) == Kind::Array) else { return false };
        let nulls: Vec<Id> = self.tree.children(list).filter(|&m| self.tree.kind(m) == Kind::Null).collect();
        let others = nulls.len() < self.tree.count(list);
        if others {
            nulls.iter().for_each(|&null| self.tree.detach(null));
        }
        others && !nulls.is_empty()
    }

    /// Takes null out of every spelling.
    pub(crate) fn strip_null(&mut self, node: Id) {
        self.tree.remove(node, Kw::Nullable);
        let types = read_types(&self.tree, node).types;
        if types.meets(Types::NULL) && types != Types::NULL {
            self.set_type(node, types.without(Types::NULL));
        }
        self.strip_null_literals(node);
        for kw in [Kw::AnyOf, Kw::OneOf] {
            let Some(list) = self.tree.get(node, kw).filter(|&l| self.tree.kind(l) == Kind::Array) else { continue };
            let branches: Vec<Id> = self.tree.children(list).collect();
            for &branch in &branches {
                if null_branch(&self.tree, branch) {
                    self.tree.detach(branch);
                }
            }
            if self.tree.count(list) == 1 && branches.len() > 1 {
                let only = self.tree.children(list).next();
                if let Some(only) = only.filter(|&o| self.tree.kind(o) == Kind::Object && !self.clashes(node, o)) {
                    self.tree.detach(list);
                    self.tree.detach(only);
                    self.merge(node, only);
                }
            } else if self.tree.count(list) == 0 {
                self.tree.detach(list);
            }
        }
    }

    /// Adds null in the one form that suits the node.
    pub(crate) fn add_null(&mut self, node: Id, form: NullForm) {
        let keys = self.tree.keys(node);
        if form == NullForm::TypeList && keys.meets(LITERALS) && !keys.meets(COMBINATORS.with(REFERENCES)) {
            self.type_literals(node);
        }
        let types = read_types(&self.tree, node).types;
        let listed = form == NullForm::TypeList && !types.is_empty() && !keys.meets(REFUSERS) && self.lists_literals(node);
        match form {
            NullForm::Nullable => {
                let yes = self.tree.new_bool(true);
                self.tree.set(node, Kw::Nullable, yes);
            }
            NullForm::TypeList if listed => {
                self.set_type(node, Types(types.0 | Types::NULL.0));
                if let Some(list) = self.tree.get(node, Kw::Enum).filter(|&l| self.tree.kind(l) == Kind::Array)
                    && !self.tree.children(list).any(|m| self.tree.kind(m) == Kind::Null)
                {
                    let null = self.tree.new_null();
                    self.tree.append(list, null);
                }
            }
            _ => self.add_null_branch(node),
        }
    }

    /// Makes a list of a constant; false where it stands beside one that lacks it, or that is no list.
    fn lists_literals(&mut self, node: Id) -> bool {
        !self.tree.keys(node).has(Kw::Const) || self.listify(node, Kw::Const, Kw::Enum).is_ok()
    }

    /// Writes the one type of the literals, where no type says it.
    fn type_literals(&mut self, node: Id) {
        if !self.tree.keys(node).has(Kw::Type)
            && let Some(found) = implied_type(&self.tree, node, self.tree.keys(node))
        {
            let types = self.types_of_literals(node, found);
            self.set_type(node, types);
        }
    }

    fn add_null_branch(&mut self, node: Id) {
        let rest = self.tree.keys(node).without(STAYS.without(KwSet::of(&[Kw::OneOf])));
        let list = match self.tree.get(node, Kw::AnyOf).filter(|&l| self.tree.kind(l) == Kind::Array && rest.is_empty()) {
            Some(list) => list,
            None => {
                let stays = NOTES.without(KwSet::of(&[Kw::Examples, Kw::Example, Kw::Discriminator])).with(DEFINITIONS).with(IDENTITY);
                let inner = self.move_out(node, |tree, c| tree.kw(c).is_some_and(|kw| stays.has(kw)));
                self.codecs.shift(node, inner);
                let list = self.tree.new_array();
                self.tree.append(list, inner);
                self.tree.set(node, Kw::AnyOf, list);
                list
            }
        };
        let null = self.tree.new_object();
        self.set_type(null, Types::NULL);
        self.tree.append(list, null);
    }

    /// The node of the input that a node is or was copied from.
    fn origin_of(&self, node: Id) -> Option<Id> {
        let mut at = node;
        while at.at() >= self.base.len() {
            at = self.tree.origin(at)?;
        }
        Some(at)
    }

    /// Lists an optional property as required, with null for absent.
    pub(crate) fn require_optional(&mut self, node: Id, place: &Place, form: NullForm, keeps_null: bool) -> Outcome {
        let holder = place.holder.filter(|_| place.optional).ok_or(Declined)?;
        let watched = self.watched(holder, WATCHERS, WATCHERS.with(MEMBERS));
        let own_null = self.takes_null(node, &mut { FUEL });
        // With null and with nothing two elements are two, and then one.
        let alike = if own_null && self.has_to_differ(holder) { Effects::NARROWS } else { Effects::NONE };
        let effect = self.permit(node, Effects::RECODES.with(watched).with(alike))?;
        let property = self.tree.key(node).into_owned();
        if self.tree.kind(node) == Kind::Bool {
            return Err(Declined);
        }
        let default_null = !keeps_null
            && self.origin_of(node).and_then(|o| self.base.get(o, Kw::Default)).is_some_and(|d| self.base.kind(d) == Kind::Null);
        if !own_null {
            // A type that takes null, with literals that do not, gets it anew.
            if self.spelled(node).any() {
                self.strip_null(node);
            }
            self.add_null(node, form);
        }
        let list = self.list(holder, Kw::Required);
        let name = self.tree.new_str(&property);
        self.tree.append(list, name);
        self.codecs.push(holder, Codec::NullIsAbsent { property, nullable: own_null, default_null });
        done(effect, "required, null for absent")
    }

    /// Whether the values of a schema are, or are parts of, elements that have to be unique.
    fn has_to_differ(&self, node: Id) -> bool {
        let mut at = Some(node);
        while let Some(here) = at {
            if self.tree.get(here, Kw::UniqueItems).and_then(|u| self.tree.bool(u)) == Some(true) {
                return true;
            }
            at = self.tree.parent(here);
        }
        false
    }

    /// Whether null is a value of the schema itself, as far as it says so.
    fn takes_null(&self, node: Id, fuel: &mut u32) -> bool {
        let tree = &self.tree;
        if *fuel == 0 || tree.kind(node) != Kind::Object {
            return *fuel > 0 && tree.bool(node) == Some(true);
        }
        *fuel = fuel.saturating_sub(1);
        let keys = tree.keys(node);
        let spelled = self.spelled(node);
        if spelled.flag {
            return true;
        }
        let typed = !read_types(tree, node).types.is_empty();
        if spelled.refused || (typed && !spelled.in_type) {
            return false;
        }
        // All that the node says has to take it.
        let aims = !keys.meets(REFERENCES) || self.refs.node(node).is_none_or(|to| self.takes_null(to, fuel));
        let list = |kw: Kw| tree.get(node, kw).filter(|&l| tree.kind(l) == Kind::Array);
        let mut takers = |kw: Kw| list(kw).map(|l| tree.children(l).filter(|&b| self.takes_null(b, fuel)).count());
        let any = takers(Kw::AnyOf).is_none_or(|n| n > 0);
        let one = takers(Kw::OneOf).is_none_or(|n| n == 1);
        let all = takers(Kw::AllOf) == list(Kw::AllOf).map(|l| tree.count(l));
        let free = tree.get(node, Kw::Not).is_none_or(|not| !self.takes_null(not, fuel));
        let case = tree.get(node, Kw::If).map(|when| if self.takes_null(when, fuel) { Kw::Then } else { Kw::Else });
        let held = case.and_then(|kw| tree.get(node, kw)).is_none_or(|then| self.takes_null(then, fuel));
        let silent =
            typed || spelled.literal || keys.meets(REFUSERS) || (implied_type(tree, node, keys).is_none() && !keys.meets(LITERALS));
        aims && any && one && all && free && held && silent
    }
}

/// Whether null is among the literals: where both stand, `const` and `enum` have to have it.
fn lists_null(tree: &Tree, node: Id) -> bool {
    let null = |l: Id| tree.kind(l) == Kind::Null;
    let list = tree.get(node, Kw::Enum).filter(|&l| tree.kind(l) == Kind::Array);
    list.is_none_or(|l| tree.children(l).any(null)) && tree.get(node, Kw::Const).is_none_or(null)
}

/// How many schemas are looked into for a null before the answer is no.
const FUEL: u32 = 256;
/// Keywords that may refuse null whatever the type says.
const REFUSERS: KwSet = COMBINATORS.with(REFERENCES).with(KwSet::of(&[Kw::Not, Kw::If]));
/// Keywords that look at what members an object has.
const WATCHERS: KwSet = KwSet::of(&[
    Kw::Enum,
    Kw::Const,
    Kw::PropertyNames,
    Kw::PatternProperties,
    Kw::MinProperties,
    Kw::MaxProperties,
    Kw::DependentRequired,
    Kw::DependentSchemas,
    Kw::Dependencies,
    Kw::If,
    Kw::Not,
]);
/// What branches may say of members besides.
const MEMBERS: KwSet = KwSet::of(&[Kw::Required, Kw::Properties, Kw::AdditionalProperties, Kw::Ref]);
const LITERALS: KwSet = KwSet::of(&[Kw::Enum, Kw::Const]);
const IDENTITY: KwSet = KwSet::of(&[Kw::Id, Kw::OldId, Kw::Anchor, Kw::DynamicAnchor]);
