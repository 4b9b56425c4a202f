//! What an operation costs: computed from the operation, its options and the node, never written by an author.

use crate::attr::Types;
use crate::effect::Effects;
use crate::facts::{Facts, off_type, says_nothing};
use crate::keyword::{Kw, KwSet, NOTES, Role};
use crate::op::{Keys, NullForm, Op};
use crate::tree::{Id, Kind, Tree};
use crate::valid::read_types;

const LOST: Effects = Effects::LOSSY.with(Effects::WIDENS);

impl Op {
    /// The worst it can do anywhere.
    #[must_use]
    pub fn worst(&self) -> Effects {
        match self {
            Op::Drop { .. } | Op::Keep { .. } => LOST,
            Op::Repair | Op::MergeBranches | Op::RequiredNote | Op::UnionItems | Op::InclusiveBounds | Op::Rename { .. } => Effects::WIDENS,
            Op::InferType | Op::Close => Effects::NARROWS,
            Op::Set { .. } => Effects::WIDENS.with(Effects::NARROWS),
            Op::InlineRefs(_) | Op::JsonText => Effects::RECODES.with(Effects::WIDENS),
            Op::NullAs { form: NullForm::Drop, .. } => Effects::NARROWS,
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
            Op::Set { key, .. } => set_cost(key),
            _ => self.worst(),
        }
    }
}

/// What writing a keyword may do.
#[must_use]
pub fn set_cost(key: &str) -> Effects {
    match Kw::of(key) {
        None | Some(Kw::Items | Kw::Properties) => Effects::NONE,
        Some(kw) if NOTES.has(kw) => Effects::NONE,
        Some(Kw::AdditionalProperties | Kw::Type) => Effects::NARROWS,
        Some(_) => Effects::NARROWS.with(Effects::WIDENS),
    }
}

/// What dropping a member of a schema node does.
#[must_use]
pub fn drop_cost(tree: &Tree, node: Id, child: Id) -> Effects {
    let Some(kw) = tree.kw(child) else { return Effects::NONE };
    if off(tree, node).has(kw) {
        return Effects::NONE;
    }
    let flag = tree.bool(child);
    let empty = tree.kind(child) == Kind::Object && tree.node(child).first.some().is_none();
    let vacuous = says_nothing(tree, child);
    match kw {
        Kw::Ref | Kw::DynamicRef | Kw::RecursiveRef => LOST,
        Kw::Nullable => {
            if flag == Some(true) {
                Effects::NARROWS
            } else {
                Effects::NONE
            }
        }
        Kw::UniqueItems if flag == Some(false) => Effects::NONE,
        Kw::Then | Kw::Else if !tree.keys(node).has(Kw::If) => Effects::NONE,
        Kw::If if !tree.keys(node).meets(KwSet::of(&[Kw::Then, Kw::Else])) => Effects::NONE,
        Kw::AdditionalProperties if flag == Some(false) => Effects::WIDENS,
        Kw::AdditionalProperties | Kw::AdditionalItems | Kw::UnevaluatedProperties | Kw::UnevaluatedItems if vacuous => Effects::NONE,
        Kw::Properties | Kw::PatternProperties if empty => Effects::NONE,
        Kw::Items if vacuous => Effects::NONE,
        Kw::Items if flag == Some(false) => Effects::WIDENS,
        Kw::Enum | Kw::Const | Kw::AdditionalItems => Effects::WIDENS,
        Kw::AnyOf | Kw::OneOf | Kw::AllOf if !has_shape(tree, child) => Effects::WIDENS,
        Kw::MinLength | Kw::MinItems | Kw::MinProperties if tree.num(child) == Some(0.0) => Effects::NONE,
        _ => match kw.role() {
            Role::Note | Role::Core => Effects::NONE,
            Role::Limit => Effects::WIDENS,
            Role::Shape => LOST,
        },
    }
}

fn off(tree: &Tree, node: Id) -> KwSet {
    let facts = Facts {
        keys: tree.keys(node),
        kind: crate::attr::NodeKind::Any,
        types: read_types(tree, node).types,
        attrs: crate::attr::AttrSet::EMPTY,
    };
    if facts.types == Types::default() { KwSet::EMPTY } else { off_type(&facts) }
}

/// Whether the branches of a combinator say anything about shape.
fn has_shape(tree: &Tree, list: Id) -> bool {
    tree.children(list).any(|b| tree.children(b).any(|c| tree.kw(c).is_some_and(|kw| kw.role() == Role::Shape || kw == Kw::Ref)))
}
