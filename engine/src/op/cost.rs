//! What an operation costs: computed from the operation, its options and the node, never written by an author.

use crate::attr::Types;
use crate::effect::Effects;
use crate::facts::{has_literals, literals, off_type, says_nothing};
use crate::keyword::{Kw, KwSet, NOTES, Role};
use crate::op::{Keys, NullAs, NullForm, Op, RefChoice, Retain};
use crate::tree::{Id, Kind, Tree};
use crate::valid::{aliased_type, read_types};

const LOST: Effects = Effects::LOSSY.with(Effects::WIDENS);

impl Op {
    /// The worst it can do anywhere.
    #[must_use]
    pub fn worst(&self) -> Effects {
        match self {
            Op::Drop { .. } | Op::Keep { .. } => LOST,
            Op::RequiredNote | Op::InclusiveBounds => Effects::WIDENS,
            Op::Rename { from, .. } if from == Kw::OneOf.name() => Effects::WIDENS,
            Op::Repair(_) | Op::MergeBranches | Op::UnionItems => Effects::WIDENS.with(Effects::NARROWS),
            Op::InferType { .. } | Op::Close | Op::OmitSchema => Effects::NARROWS,
            Op::Retain { what: Retain::Unique, .. } => Effects::NONE,
            Op::Retain { key: Kw::Required, .. } => Effects::WIDENS,
            Op::Retain { .. } => Effects::WIDENS.with(Effects::NARROWS),
            Op::Set { .. } => Effects::WIDENS.with(Effects::NARROWS),
            Op::InlineRefs(how) => {
                let texts = [how.recursion, how.over_budget, how.unresolved].contains(&RefChoice::JsonText);
                if texts { Effects::RECODES.with(Effects::WIDENS) } else { Effects::NONE }
            }
            Op::JsonText { .. } => Effects::RECODES.with(Effects::WIDENS),
            Op::NullAs(NullAs { form: NullForm::Drop, .. }) => Effects::NARROWS.with(Effects::RECODES),
            Op::Entries { .. } | Op::TextEnum | Op::AliasLiterals | Op::WrapRoot { .. } | Op::RequireOptional { .. } => Effects::RECODES,
            Op::Fields { .. } => Effects::RECODES.with(Effects::NARROWS),
            Op::RenameProperties { .. } | Op::RenameTool { .. } => Effects::RECODES,
            _ => Effects::NONE,
        }
    }

    /// What it would do to this node, as far as can be said without doing it.
    #[must_use]
    pub fn cost_at(&self, tree: &Tree, node: Id) -> Effects {
        let sum = |pick: &dyn Fn(Id) -> bool| {
            let dropped = tree.children(node).filter(|&c| pick(c)).map(|c| drop_cost(tree, node, c));
            dropped.fold(Effects::NONE, Effects::with)
        };
        let has = |keys: &Keys, c: Id| keys.has(tree.kw(c), tree.raw_key(c));
        match self {
            _ if tree.kind(node) != Kind::Object => self.worst(),
            Op::Drop { keys, .. } => sum(&|c| has(keys, c)),
            Op::Keep { keys, .. } => sum(&|c| !has(keys, c)),
            Op::Set { key, value } => set_guess(tree, node, key, value),
            _ => self.worst(),
        }
    }
}

/// What writing a keyword does, in place of what stands there.
pub(crate) fn set_cost(tree: &Tree, node: Id, key: &str, value: Id) -> Effects {
    let Some(kw) = Kw::of(key).filter(|&kw| !NOTES.has(kw)) else { return Effects::NONE };
    let old = tree.get(node, kw);
    let away = old.map_or(Effects::NONE, |old| drop_cost(tree, node, old));
    let says = |id: Id| super::merge::says(tree, id);
    match kw {
        Kw::Type if old.is_some() => {
            let (was, is) = (read_types(tree, node).types, types_of(tree, value));
            let word = |effect: Effects, when: bool| if when { effect } else { Effects::NONE };
            word(Effects::WIDENS, !was.covers(is)).with(word(Effects::NARROWS, !is.covers(was)))
        }
        Kw::AdditionalProperties | Kw::Items if !says(value) => away,
        // What refuses everything holds all that any other said.
        Kw::AdditionalProperties | Kw::Items if tree.bool(value) == Some(false) => {
            Effects(away.0 & !Effects::WIDENS.0).with(Effects::NARROWS)
        }
        Kw::Properties if tree.node(value).first.some().is_none() => away,
        Kw::AdditionalProperties | Kw::Items | Kw::Type if old.is_none() => Effects::NARROWS,
        _ if old.is_none() => Effects::NARROWS.with(Effects::WIDENS),
        _ => away.with(Effects::NARROWS).with(Effects::WIDENS),
    }
}

/// What dropping a member of a schema node does.
#[must_use]
pub fn drop_cost(tree: &Tree, node: Id, child: Id) -> Effects {
    let Some(kw) = tree.kw(child) else { return Effects::NONE };
    if off_type(tree.keys(node), read_types(tree, node).types).has(kw) {
        return Effects::NONE;
    }
    let flag = tree.bool(child);
    let empty = tree.kind(child) == Kind::Object && tree.node(child).first.some().is_none();
    let vacuous = says_nothing(tree, child);
    // What is said of the rest would then be said of these too.
    let more = |rest: Kw| {
        let speaks = tree.get(node, rest).is_some_and(|r| super::merge::says(tree, r));
        if speaks { LOST.with(Effects::NARROWS) } else { LOST }
    };
    match kw {
        Kw::Ref | Kw::DynamicRef | Kw::RecursiveRef => LOST,
        Kw::Nullable if flag == Some(true) => Effects::NARROWS,
        Kw::Nullable => Effects::NONE,
        Kw::UniqueItems if flag == Some(false) => Effects::NONE,
        Kw::Then | Kw::Else if !tree.keys(node).has(Kw::If) => Effects::NONE,
        Kw::If if !tree.keys(node).meets(KwSet::of(&[Kw::Then, Kw::Else])) => Effects::NONE,
        Kw::Type if typed_by_literals(tree, node) => Effects::NONE,
        Kw::Type if has_literals(tree, node) => Effects::WIDENS,
        Kw::AdditionalProperties if flag == Some(false) => Effects::WIDENS,
        Kw::AdditionalProperties | Kw::AdditionalItems | Kw::UnevaluatedProperties | Kw::UnevaluatedItems if vacuous => Effects::NONE,
        Kw::Items if vacuous => Effects::NONE,
        Kw::Properties | Kw::PatternProperties if empty => Effects::NONE,
        Kw::Properties | Kw::PatternProperties => more(Kw::AdditionalProperties),
        Kw::PrefixItems => more(Kw::Items),
        Kw::Items if flag == Some(false) => Effects::WIDENS,
        Kw::Enum | Kw::Const | Kw::AdditionalItems => Effects::WIDENS,
        Kw::AnyOf | Kw::OneOf | Kw::AllOf if !has_shape(tree, child) => Effects::WIDENS,
        Kw::MinLength | Kw::MinItems | Kw::MinProperties if tree.num(child) == Some(0.0) => Effects::NONE,
        Kw::MinContains | Kw::MaxContains if !tree.keys(node).has(Kw::Contains) => Effects::NONE,
        // Without it, one is the least.
        Kw::MinContains if tree.num(child) == Some(0.0) => Effects::NARROWS,
        _ => match kw.role() {
            Role::Note | Role::Core => Effects::NONE,
            Role::Limit => Effects::WIDENS,
            Role::Shape => LOST,
        },
    }
}

/// The types that a value under `type` names.
pub(crate) fn types_of(tree: &Tree, value: Id) -> Types {
    let one = |id: Id| tree.str(id).and_then(|name| aliased_type(&name)).unwrap_or_default().0;
    match tree.kind(value) {
        Kind::Array => Types(tree.children(value).fold(0, |all, id| all | one(id))),
        _ => Types(one(value)),
    }
}

/// Whether the node's literals are all of the type that it declares.
fn typed_by_literals(tree: &Tree, node: Id) -> bool {
    let mut all = literals(tree, node).peekable();
    all.peek().is_some() && all.all(|l| super::merge::literal_fits(tree, node, l))
}

/// What writing a keyword would do, before its value is in the tree.
fn set_guess(tree: &Tree, node: Id, key: &str, value: &serde_json::Value) -> Effects {
    let old = tree.member(node, key);
    if old.is_some_and(|old| tree.to_value(old) == *value) {
        return Effects::NONE;
    }
    match (Kw::of(key), old) {
        (None, _) => Effects::NONE,
        (Some(kw), _) if NOTES.has(kw) => Effects::NONE,
        (Some(Kw::Items | Kw::Properties), None) if value.as_object().is_some_and(serde_json::Map::is_empty) => Effects::NONE,
        (Some(Kw::AdditionalProperties | Kw::Items | Kw::Type), None) => Effects::NARROWS,
        (Some(Kw::AdditionalProperties), Some(_)) if value == false => Effects::NARROWS,
        (Some(Kw::Type), Some(old)) if tree.kind(old) == Kind::Array && value.is_string() => Effects::NARROWS,
        _ => Effects::NARROWS.with(Effects::WIDENS),
    }
}

/// Whether the branches of a combinator say anything about shape.
fn has_shape(tree: &Tree, list: Id) -> bool {
    tree.children(list).any(|b| tree.children(b).any(|c| tree.kw(c).is_some_and(|kw| kw.role() == Role::Shape || kw == Kw::Ref)))
}
