//! What is derived of one schema node: its keys, kind, types and attributes, computed once and shared by all rules.

use crate::attr::{Attr, AttrSet, NodeKind, Types};
use crate::counted;
use crate::definitions::{recursion_required, unused_definitions};
use crate::exclusive::exclusive;
use crate::keyword::{ARRAY_KEYS, COMBINATORS, DEFINITIONS, Holds, Kw, KwSet, NOTES, NUMBER_KEYS, OBJECT_KEYS, STRING_KEYS, UNIONS};
use crate::refs::{Refs, Target};
use crate::site::{Place, holder, union_branches};
use crate::tree::{Id, Kind, Tree};
use crate::valid::{is_usual, misfits, read_types, value_type};
use crate::values::ValueSet;

/// A schema that is being looked at.
#[derive(Clone, Copy)]
pub struct Cx<'t> {
    /// The document.
    pub tree: &'t Tree,
    /// The schema's root.
    pub root: Id,
    /// Its references.
    pub refs: &'t Refs,
    /// The attributes that somebody asks for.
    pub want: AttrSet,
}

/// What is derived of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its keywords.
    pub keys: KwSet,
    /// Its kind.
    pub kind: NodeKind,
    /// The types its `type` names (other spellings included).
    pub types: Types,
    /// Its attributes.
    pub attrs: AttrSet,
    /// Those of its keywords whose values are of no kind that is usual for them.
    pub odd: KwSet,
}

/// Keywords that say something about validity without being annotations, identifiers or definitions.
#[expect(clippy::indexing_slicing, reason = "a constant has no iterators")]
const ASSERTIONS: KwSet = {
    let mut set = KwSet::EMPTY;
    let mut i = 0;
    while i < Kw::ALL.len() {
        set = set.with(KwSet::of(&[Kw::ALL[i]]));
        i += 1;
    }
    set.without(NOTES).without(DEFINITIONS).without(KwSet::of(&[Kw::Id, Kw::OldId, Kw::Anchor, Kw::DynamicAnchor, Kw::RecursiveAnchor]))
};
const REFERENCES: KwSet = KwSet::of(&[Kw::Ref, Kw::DynamicRef, Kw::RecursiveRef]);
const LITERALS: KwSet = KwSet::of(&[Kw::Enum, Kw::Const]);
const TYPED_KEYS: KwSet = OBJECT_KEYS.with(ARRAY_KEYS).with(STRING_KEYS).with(NUMBER_KEYS);
const SPEAKING: KwSet = TYPED_KEYS.with(COMBINATORS).with(REFERENCES).with(LITERALS);

impl Facts {
    /// Whether the attribute holds.
    #[must_use]
    pub fn is(&self, attr: Attr) -> bool {
        self.attrs.has(attr)
    }

    /// Derives everything of a node.
    #[must_use]
    pub fn of(cx: &Cx<'_>, node: Id, place: &Place) -> Facts {
        let tree = cx.tree;
        let mut a = AttrSet::EMPTY;
        placed(&mut a, place);
        if tree.kind(node) == Kind::Bool {
            let no = tree.bool(node) == Some(false);
            for (attr, when) in [(Attr::BooleanSchema, true), (Attr::FalseSchema, no), (Attr::Empty, !no), (Attr::Untyped, !no)] {
                a.put(attr, when);
            }
            let kind = if no { NodeKind::Never } else { NodeKind::Any };
            return Facts { keys: KwSet::EMPTY, kind, types: Types::default(), attrs: a, odd: KwSet::EMPTY };
        }
        let keys = tree.keys(node);
        let read = read_types(tree, node);
        let types = read.types;
        let implied = if types.is_empty() && !keys.meets(REFERENCES) { implied_type(tree, node, keys) } else { None };
        let kind = node_kind(keys, types, implied);
        let mut f = Facts { keys, kind, types, attrs: a, odd: KwSet::EMPTY };
        f.typing(tree, node, &read, implied);
        f.objects(cx, node);
        f.counted(cx, node);
        f.arrays(tree, node);
        if keys.meets(LITERALS) {
            f.literals(cx, node);
        }
        if keys.meets(COMBINATORS) {
            f.unions(cx, node);
        }
        if keys.meets(REFERENCES) || keys.meets(DEFINITIONS) {
            f.references(cx, node, place);
        }
        f.validity(cx, node);
        f
    }

    fn put(&mut self, attr: Attr, when: bool) {
        self.attrs.put(attr, when);
    }

    fn typing(&mut self, tree: &Tree, node: Id, read: &crate::valid::TypeRead, implied: Option<Types>) {
        let (keys, types) = (self.keys, self.types);
        let bare = types.without(Types::NULL);
        self.put(Attr::Typed, !types.is_empty() && !read.unknown && !read.alias);
        self.put(Attr::TypeList, read.list);
        self.put(Attr::TypeListMany, read.list && bare.count() > 1);
        self.put(Attr::TypeAlias, read.alias);
        self.put(Attr::TypeUnknown, read.unknown);
        self.put(Attr::Untyped, (types.is_empty() || types.0 == 0x7f) && !keys.meets(SPEAKING));
        self.put(Attr::Typeless, types.is_empty() && !keys.meets(COMBINATORS.with(REFERENCES)));
        self.put(Attr::ImpliedType, types.is_empty() && implied.is_some());
        self.put(Attr::Empty, !keys.meets(ASSERTIONS));
        self.put(Attr::NullableFlag, tree.get(node, Kw::Nullable).and_then(|n| tree.bool(n)) == Some(true));
        self.put(Attr::NullInType, types.meets(Types::NULL));
        self.put(Attr::NullOnly, types == Types::NULL || self.kind == NodeKind::Null);
        let branch = keys.meets(UNIONS) && union_branches(tree, node).iter().any(|&b| null_branch(tree, b));
        self.put(Attr::NullBranch, branch);
        let null_literal = types.is_empty() && keys.meets(LITERALS) && literals(tree, node).any(|l| tree.kind(l) == Kind::Null);
        let admits = types.meets(Types::NULL) || self.is(Attr::NullableFlag) || null_literal;
        let deep = keys.meets(UNIONS) && union_branches(tree, node).iter().any(|&b| admits_null(tree, b));
        self.put(Attr::Nullable, admits || branch || deep);
    }

    fn objects(&mut self, cx: &Cx<'_>, node: Id) {
        let tree = cx.tree;
        if self.kind != NodeKind::Object {
            return;
        }
        let keys = self.keys;
        let properties = tree.get(node, Kw::Properties);
        let declared = properties.is_some_and(|p| tree.kind(p) == Kind::Object && tree.node(p).first.some().is_some());
        let additional = tree.get(node, Kw::AdditionalProperties);
        let value = additional.and_then(|x| tree.bool(x));
        let unevaluated = tree.get(node, Kw::UnevaluatedProperties).and_then(|x| tree.bool(x)) == Some(false);
        let closed = value == Some(false) || (additional.is_none() && unevaluated);
        let typed_rest = additional.is_some_and(|x| tree.kind(x) == Kind::Object && tree.keys(x).meets(ASSERTIONS));
        let patterns = tree.get(node, Kw::PatternProperties).is_some_and(|p| tree.node(p).first.some().is_some());
        let map = typed_rest || patterns;
        self.put(Attr::Closed, closed);
        self.put(Attr::Open, !closed);
        self.put(Attr::SilentOpen, additional.is_none() && !closed);
        self.put(Attr::Map, map && !declared);
        self.put(Attr::MapBesideProperties, map && declared);
        self.put(Attr::FreeForm, !closed && !declared && !map && !keys.meets(COMBINATORS.with(REFERENCES).with(LITERALS)));
        self.put(Attr::NoProperties, !declared);
        self.put(Attr::PropertiesMissing, properties.is_none());
        let asked = cx.want.meets(AttrSet::of(&[Attr::UndefinedRequired, Attr::ExtraRequired]));
        if let Some(list) = tree.get(node, Kw::Required).filter(|&r| asked && tree.kind(r) == Kind::Array) {
            let names = properties.filter(|&p| tree.kind(p) == Kind::Object);
            let undefined = undefined_required(tree, list, names).next().is_some();
            self.put(Attr::UndefinedRequired, undefined);
            self.put(Attr::ExtraRequired, undefined);
        }
    }

    fn counted(&mut self, cx: &Cx<'_>, node: Id) {
        let asked = AttrSet::of(&[Attr::OptionalCounted, Attr::OptionalCountedOnce, Attr::CountedAcross]);
        if cx.want.meets(asked) {
            let bound = counted::of_optional(cx.tree, &[node]);
            self.put(Attr::OptionalCounted, bound.is_some());
            self.put(Attr::OptionalCountedOnce, bound.is_some_and(counted::Bound::is_once));
            self.put(Attr::CountedAcross, self.keys.has(Kw::AllOf) && counted::across(cx.tree, node));
        }
    }

    fn arrays(&mut self, tree: &Tree, node: Id) {
        let array = self.kind == NodeKind::Array || self.types.meets(Types::ARRAY);
        if !array && !self.keys.meets(KwSet::of(&[Kw::Items, Kw::PrefixItems])) {
            return;
        }
        let items = tree.get(node, Kw::Items);
        let list = items.is_some_and(|i| tree.kind(i) == Kind::Array);
        let prefix = tree.get(node, Kw::PrefixItems).is_some_and(|p| tree.kind(p) == Kind::Array && tree.count(p) > 0);
        let tuple = prefix || (list && items.is_some_and(|i| tree.count(i) > 0));
        self.put(Attr::ItemsList, list);
        self.put(Attr::Tuple, tuple);
        if array {
            self.put(Attr::ItemsMissing, items.is_none_or(|i| !matches!(tree.kind(i), Kind::Object | Kind::Bool)) && !tuple);
            let empty = |i: Id| match tree.kind(i) {
                Kind::Bool => tree.bool(i) == Some(true),
                _ => tree.kind(i) == Kind::Object && !tree.keys(i).meets(ASSERTIONS),
            };
            self.put(Attr::ItemsEmpty, items.is_some_and(empty) && !tuple);
        }
    }

    fn literals(&mut self, cx: &Cx<'_>, node: Id) {
        let tree = cx.tree;
        let list = tree.get(node, Kw::Enum).filter(|&l| tree.kind(l) == Kind::Array);
        let declared = self.types;
        let (mut seen, mut count, mut fitting) = (0u8, 0_usize, 0_usize);
        for literal in literals(tree, node) {
            count = count.saturating_add(1);
            let t = value_type(tree, literal);
            seen |= if t == Types::INTEGER { Types::NUMBER.0 } else { t.0 };
            let null = tree.kind(literal) == Kind::Null;
            self.put(Attr::NullInEnum, null);
            self.put(Attr::EnumNotText, tree.kind(literal) != Kind::Str);
            let fits = declared.is_empty() || declared.admits(t) || (null && self.is(Attr::NullableFlag));
            self.put(Attr::EnumMisfit, !fits);
            fitting = fitting.saturating_add(usize::from(fits));
            if let Some(text) = tree.str(literal) {
                self.put(Attr::EnumEmptyText, text.is_empty());
                self.put(Attr::AwkwardLiteral, text.contains(['"', '\n']));
            }
        }
        if cx.want.has(Attr::EnumRepeats)
            && let Some(list) = list
        {
            let mut seen = ValueSet::new(tree);
            let repeats = tree.children(list).any(|member| !seen.insert(member));
            self.put(Attr::EnumRepeats, repeats);
        }
        self.put(Attr::Literal, count > 0);
        self.put(Attr::EnumImpossible, count > 0 && fitting == 0);
        self.put(Attr::EnumMixed, (seen & !Types::NULL.0).count_ones() > 1);
        self.put(Attr::EnumEmpty, list.is_some_and(|l| tree.count(l) == 0));
        let null_type = declared.meets(Types::NULL) || self.is(Attr::NullableFlag);
        self.put(Attr::EnumNullMissing, list.is_some() && null_type && !self.is(Attr::NullInEnum));
    }

    fn unions(&mut self, cx: &Cx<'_>, node: Id) {
        let (tree, keys) = (cx.tree, self.keys);
        let mut combinators = 0_usize;
        for kw in [Kw::AnyOf, Kw::OneOf, Kw::AllOf] {
            let Some(list) = tree.get(node, kw) else { continue };
            combinators = combinators.saturating_add(1);
            let branches = if tree.kind(list) == Kind::Array { tree.count(list) } else { 0 };
            self.put(Attr::SingleBranch, branches == 1);
            self.put(Attr::CombinatorEmpty, branches == 0);
        }
        self.put(Attr::MixedCombinators, combinators > 1);
        if cx.want.has(Attr::OneOfOverlapping)
            && let Some(list) = tree.get(node, Kw::OneOf).filter(|&l| tree.kind(l) == Kind::Array)
        {
            self.put(Attr::OneOfOverlapping, !exclusive(tree, cx.refs, list));
        }
        if !keys.meets(UNIONS) {
            return;
        }
        let branches = union_branches(tree, node);
        let many = || branches.iter().filter(|&&b| !null_branch(tree, b)).nth(1).is_some();
        self.put(Attr::UnionMany, cx.want.has(Attr::UnionMany) && many());
        let only = KwSet::of(&[Kw::Required, Kw::Not]).with(NOTES);
        let bare = |b: &Id| tree.kind(*b) == Kind::Object && only.covers(tree.keys(*b));
        let demanding = |b: &Id| tree.keys(*b).has(Kw::Required);
        self.put(Attr::RequiredOnlyBranches, !branches.is_empty() && branches.iter().all(bare) && branches.iter().any(demanding));
        let object = |b: &Id| {
            let b = cx.refs.follow(*b);
            tree.kind(b) == Kind::Object && {
                let types = read_types(tree, b).types;
                let keys = tree.keys(b);
                types == Types::OBJECT || (types.is_empty() && keys.meets(OBJECT_KEYS) && !keys.meets(REFERENCES))
            }
        };
        self.put(Attr::ObjectUnion, !branches.is_empty() && branches.iter().all(object));
        if cx.want.has(Attr::SameFirstKey) {
            let first = |b: &Id| tree.get(*b, Kw::Properties).and_then(|p| tree.children(p).next()).map(|c| tree.raw_key(c));
            let mut firsts: Vec<_> = branches.iter().filter_map(first).collect();
            firsts.sort_unstable();
            self.put(Attr::SameFirstKey, firsts.iter().zip(firsts.iter().skip(1)).any(|(a, b)| a == b));
        }
        self.put(Attr::UnionSiblings, keys.meets(ASSERTIONS.without(UNIONS)));
        self.put(Attr::BranchRepeats, branches.iter().any(|&b| repeats(tree, node, b)));
    }

    fn references(&mut self, cx: &Cx<'_>, node: Id, place: &Place) {
        let (tree, keys) = (cx.tree, self.keys);
        if keys.meets(DEFINITIONS) {
            self.put(Attr::DefinitionsNested, node != cx.root);
            self.put(Attr::DefinitionsOldName, node == cx.root && keys.has(Kw::Definitions));
            let ask = node == cx.root && cx.want.has(Attr::DefinitionsUnused);
            self.put(Attr::DefinitionsUnused, ask && !unused_definitions(cx).is_empty());
        }
        let Some(target) = cx.refs.target(node) else { return };
        self.put(Attr::RefSiblings, tree.children(node).nth(1).is_some());
        self.put(Attr::RefInAllOf, place.via == Some(Kw::AllOf));
        match target {
            Target::Dangling => self.put(Attr::Dangling, true),
            Target::Elsewhere => self.put(Attr::RefElsewhere, true),
            Target::Node(to) => {
                let recursive = cx.refs.recursive(node);
                self.put(Attr::Recursive, recursive);
                self.put(Attr::CycleAhead, cx.refs.cyclic(to));
                self.put(Attr::RefRepeats, to != node && repeats(tree, node, to));
                let ask = recursive && cx.want.has(Attr::RecursionRequired) && !place.optional;
                self.put(Attr::RecursionRequired, ask && recursion_required(tree, to, node));
                self.put(Attr::RefToRoot, to == cx.root);
                let defined = holder(tree, to).is_some_and(|(up, kw)| up == cx.root && DEFINITIONS.has(kw));
                self.put(Attr::RefDeep, to != cx.root && !defined);
            }
        }
    }

    fn validity(&mut self, cx: &Cx<'_>, node: Id) {
        let (tree, keys) = (cx.tree, self.keys);
        for child in tree.children(node) {
            if let Some(kw) = tree.kw(child).filter(|kw| !is_usual(*kw, tree.kind(child))) {
                self.odd.insert(kw);
            }
        }
        self.put(Attr::Misfit, cx.want.has(Attr::Misfit) && misfits(tree, node).next().is_some());
        let flag = |kw: Kw| tree.get(node, kw).is_some_and(|v| tree.kind(v) == Kind::Bool);
        if keys.meets(NUMBER_KEYS) {
            self.put(Attr::Draft4Bounds, flag(Kw::ExclusiveMinimum) || flag(Kw::ExclusiveMaximum));
        }
        self.put(Attr::RequiredOnProperty, keys.has(Kw::Required) && flag(Kw::Required));
        if !tree.duplicates.is_empty() {
            let twice = |id: Id| tree.duplicate_keys(id).next().is_some();
            self.put(Attr::DuplicateKey, twice(node) || tree.get(node, Kw::Properties).is_some_and(twice));
        }
        self.put(Attr::KeywordOffType, !off_type(self.keys, self.types).is_empty());
        self.put(Attr::FormatOnNonString, keys.has(Kw::Format) && !self.types.is_empty() && !self.types.meets(Types::STRING));
        let counted = keys.meets(NUMBER_KEYS.with(COUNTS));
        if counted || keys.has(Kw::Default) {
            for child in tree.children(node) {
                let Some(kw) = tree.kw(child) else { continue };
                let Some(n) = tree.num(child) else { continue };
                self.put(Attr::NumberHuge, n.is_infinite());
                self.put(Attr::NumberUnsafe, n.abs() > 9_007_199_254_740_992.0 && n.fract() == 0.0);
                let count = kw.holds() == Holds::Count;
                self.put(Attr::Int64Misfit, count && (n.fract() != 0.0 || n.abs() >= 9_223_372_036_854_775_808.0));
            }
        }
        if counted {
            self.put(Attr::Contradiction, contradicts(tree, node));
        }
    }
}

/// Keywords that may stand on both sides without one contradicting the other: labels, and what leads from one side to the other.
pub(crate) const EITHER_SIDE: KwSet = KwSet::of(&[Kw::Title, Kw::Description]).with(UNIONS).with(REFERENCES).with(DEFINITIONS);

/// Whether a keyword of a node stands also in a schema that is read together with it.
fn repeats(tree: &Tree, node: Id, other: Id) -> bool {
    tree.kind(other) == Kind::Object && tree.keys(node).without(EITHER_SIDE).meets(tree.keys(other))
}

const COUNTS: KwSet = KwSet::of(&[
    Kw::MinLength,
    Kw::MaxLength,
    Kw::MinItems,
    Kw::MaxItems,
    Kw::MinProperties,
    Kw::MaxProperties,
    Kw::MinContains,
    Kw::MaxContains,
]);

fn placed(a: &mut AttrSet, place: &Place) {
    let via = place.via;
    a.put(Attr::Root, via.is_none());
    a.put(Attr::Nested, via.is_some());
    a.put(Attr::Property, via == Some(Kw::Properties));
    a.put(Attr::Optional, place.optional);
    a.put(Attr::RootProperty, place.root_property);
    a.put(Attr::Item, matches!(via, Some(Kw::Items | Kw::PrefixItems)));
    a.put(Attr::Branch, via.is_some_and(|kw| COMBINATORS.has(kw)));
    a.put(Attr::AllOfBranch, via == Some(Kw::AllOf));
    a.put(Attr::Definition, via.is_some_and(|kw| DEFINITIONS.has(kw)));
    a.put(Attr::InDefinition, place.in_definition);
}

fn node_kind(keys: KwSet, types: Types, implied: Option<Types>) -> NodeKind {
    if keys.meets(REFERENCES) {
        return NodeKind::Ref;
    }
    let bare = types.without(Types::NULL);
    let single = |t: Types| match t {
        Types::OBJECT => NodeKind::Object,
        Types::ARRAY => NodeKind::Array,
        Types::STRING => NodeKind::String,
        Types::NUMBER => NodeKind::Number,
        Types::INTEGER => NodeKind::Integer,
        Types::BOOLEAN => NodeKind::Boolean,
        Types::NULL => NodeKind::Null,
        _ => NodeKind::Union,
    };
    if types == Types::NULL {
        return NodeKind::Null;
    }
    if types.0 == 0x7f && !keys.meets(SPEAKING) {
        return NodeKind::Any;
    }
    if !bare.is_empty() {
        return single(bare);
    }
    match implied {
        Some(t) if keys.meets(LITERALS) => single(t),
        _ if keys.meets(UNIONS) => NodeKind::Union,
        Some(t) => single(t),
        None if keys.meets(LITERALS) || keys.has(Kw::AllOf) => NodeKind::Union,
        None => NodeKind::Any,
    }
}

/// The one type that literals, shape or bounds imply where `type` says nothing.
#[must_use]
pub fn implied_type(tree: &Tree, node: Id, keys: KwSet) -> Option<Types> {
    if keys.meets(LITERALS) {
        let mut all = 0;
        for literal in literals(tree, node) {
            all |= value_type(tree, literal).0;
        }
        if all & Types::NUMBER.0 != 0 {
            all &= !Types::INTEGER.0;
        }
        let bare = Types(all).without(Types::NULL);
        return match bare.count() {
            1 => Some(bare),
            0 if all != 0 => Some(Types::NULL),
            _ => None,
        };
    }
    let numeric_format = || {
        let format = tree.get(node, Kw::Format).and_then(|f| tree.str(f));
        matches!(format.as_deref(), Some("int32" | "int64" | "float" | "double"))
    };
    let mut found = None;
    for (group, t) in [(OBJECT_KEYS, Types::OBJECT), (ARRAY_KEYS, Types::ARRAY), (STRING_KEYS, Types::STRING), (NUMBER_KEYS, Types::NUMBER)]
    {
        if !keys.meets(group) || (t == Types::OBJECT && !keys.meets(group.without(KwSet::of(&[Kw::Required])))) {
            continue;
        }
        if t == Types::STRING && !keys.meets(STRING_KEYS.without(KwSet::of(&[Kw::Format]))) && numeric_format() {
            return Some(Types::NUMBER);
        }
        if found.replace(t).is_some() {
            return None;
        }
    }
    found
}

/// The members of `enum` and the value of `const`.
pub fn literals(tree: &Tree, node: Id) -> impl Iterator<Item = Id> + '_ {
    let list = tree.get(node, Kw::Enum).filter(|&l| tree.kind(l) == Kind::Array);
    list.into_iter().flat_map(|l| tree.children(l)).chain(tree.get(node, Kw::Const))
}

/// Whether only literals are taken: an `enum` that is no list says nothing.
#[must_use]
pub fn has_literals(tree: &Tree, node: Id) -> bool {
    tree.get(node, Kw::Const).is_some() || tree.get(node, Kw::Enum).is_some_and(|l| tree.kind(l) == Kind::Array)
}

/// Whether a schema says nothing about validity: `true`, `{}`, or only annotations.
#[must_use]
pub fn says_nothing(tree: &Tree, schema: Id) -> bool {
    match tree.kind(schema) {
        Kind::Bool => tree.bool(schema) == Some(true),
        Kind::Object => !tree.keys(schema).meets(ASSERTIONS),
        _ => false,
    }
}

/// Whether a branch is nothing but null.
#[must_use]
pub fn null_branch(tree: &Tree, branch: Id) -> bool {
    if tree.kind(branch) != Kind::Object {
        return false;
    }
    let types = read_types(tree, branch).types;
    if types == Types::NULL {
        return true;
    }
    let mut any = false;
    types.is_empty()
        && literals(tree, branch).all(|l| {
            any = true;
            tree.kind(l) == Kind::Null
        })
        && any
}

fn admits_null(tree: &Tree, branch: Id) -> bool {
    let flag = tree.get(branch, Kw::Nullable).and_then(|n| tree.bool(n)) == Some(true);
    tree.kind(branch) == Kind::Object && (flag || read_types(tree, branch).types.meets(Types::NULL))
}

/// The names under `required` that `properties` does not declare.
pub fn undefined_required<'t>(tree: &'t Tree, list: Id, properties: Option<Id>) -> impl Iterator<Item = Id> + 't {
    let many = properties.filter(|&p| tree.children(p).nth(16).is_some());
    let set: Option<hashbrown::HashSet<&str, foldhash::fast::FixedState>> =
        many.map(|p| tree.children(p).map(|c| tree.raw_key(c)).collect());
    tree.children(list).filter(move |&n| {
        let Some(name) = tree.str(n) else { return true };
        match (&set, properties) {
            (Some(set), _) => !set.contains(&*crate::tree::escape(&name)),
            (None, Some(p)) => tree.member(p, &name).is_none(),
            (None, None) => true,
        }
    })
}

/// Keywords of another type than the node's own.
#[must_use]
pub fn off_type(keys: KwSet, types: Types) -> KwSet {
    if types.is_empty() {
        return KwSet::EMPTY;
    }
    let mut off = KwSet::EMPTY;
    let numbers = Types(Types::NUMBER.0 | Types::INTEGER.0);
    for (group, t) in [(OBJECT_KEYS, Types::OBJECT), (ARRAY_KEYS, Types::ARRAY), (STRING_KEYS, Types::STRING), (NUMBER_KEYS, numbers)] {
        if !types.meets(t) {
            off = off.with(group);
        }
    }
    KwSet(keys.0 & off.without(KwSet::of(&[Kw::Format])).0)
}

/// Whether bounds or counts leave no value.
pub(crate) fn contradicts(tree: &Tree, node: Id) -> bool {
    let keys = tree.keys(node);
    let n = |kw: Kw| tree.get(node, kw).and_then(|v| tree.num(v));
    let both = |low: Kw, high: Kw| if keys.has(low) && keys.has(high) { n(low).zip(n(high)) } else { None };
    let crossed = |low: Kw, high: Kw| both(low, high).is_some_and(|(a, b)| a > b);
    crossed(Kw::Minimum, Kw::Maximum)
        || crossed(Kw::MinLength, Kw::MaxLength)
        || crossed(Kw::MinItems, Kw::MaxItems)
        || crossed(Kw::MinProperties, Kw::MaxProperties)
        || both(Kw::ExclusiveMinimum, Kw::ExclusiveMaximum).is_some_and(|(a, b)| a >= b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::site::place_of;

    fn check(text: &str, at: &str, kind: NodeKind, is: &str, is_not: &str) {
        let tree = Tree::parse(text, &Budget::default()).expect(text);
        let refs = Refs::of(&tree, tree.root());
        let all: Vec<Attr> = Attr::WORDS.iter().map(|(_, a)| *a).collect();
        let cx = Cx { tree: &tree, root: tree.root(), refs: &refs, want: AttrSet::of(&all) };
        let node = tree.at_pointer(tree.root(), at).expect(at);
        let facts = Facts::of(&cx, node, &place_of(&tree, tree.root(), node));
        assert_eq!(facts.kind, kind, "{text} {at}");
        for (words, want) in [(is, true), (is_not, false)] {
            for word in words.split_whitespace() {
                let attr = Attr::of(word).unwrap_or_else(|| panic!("no attribute {word}"));
                assert_eq!(facts.is(attr), want, "{word} of {text} at `{at}`");
            }
        }
    }

    #[test]
    fn attributes() {
        use NodeKind as K;
        check("true", "", K::Any, "boolean-schema empty untyped root", "false-schema");
        check("{}", "", K::Any, "empty untyped typeless", "typed implied-type");
        check(
            r#"{"type":["string","null"],"enum":["a"]}"#,
            "",
            K::String,
            "type-list nullable null-in-type enum-null-missing typed",
            "type-list-many",
        );
        check(r#"{"type":["string","object"]}"#, "", K::Union, "type-list-many", "nullable open");
        check(r#"{"type":"dict"}"#, "", K::Object, "type-alias misfit free-form open silent-open", "typed map");
        check(r#"{"type":{"x":1}}"#, "", K::Any, "type-unknown misfit untyped", "typed");
        check(r#"{"enum":["a",""]}"#, "", K::String, "implied-type literal enum-empty-text", "enum-not-text enum-mixed enum-repeats");
        check(r#"{"enum":["a",1,"\u0061"]}"#, "", K::Union, "literal enum-mixed enum-repeats", "enum-empty-text");
        check(r#"{"enum":[1,"a"],"type":"integer"}"#, "", K::Integer, "enum-mixed enum-not-text enum-misfit", "implied-type");
        check(
            r#"{"type":"object","additionalProperties":{"type":"string"}}"#,
            "",
            K::Object,
            "map open no-properties",
            "silent-open free-form map-beside-properties",
        );
        check(
            r#"{"type":"object","additionalProperties":{},"properties":{"a":{}}}"#,
            "",
            K::Object,
            "open",
            "silent-open map map-beside-properties",
        );
        check(
            r#"{"type":"object","properties":{"a":{}},"required":["b"]}"#,
            "",
            K::Object,
            "undefined-required silent-open",
            "no-properties",
        );
        check(
            r#"{"type":"object","properties":{"a":{}},"required":["b"]}"#,
            "/properties/a",
            K::Any,
            "property optional root-property nested",
            "root item",
        );
        check(r#"{"type":"array"}"#, "", K::Array, "items-missing", "items-empty tuple");
        check(r#"{"type":"array","items":[{}]}"#, "", K::Array, "tuple items-list misfit", "items-missing items-empty");
        check(
            r#"{"anyOf":[{"type":"null"},{"type":"string"}]}"#,
            "",
            K::Union,
            "null-branch nullable",
            "single-branch object-union union-many",
        );
        check(r#"{"allOf":[{"type":"string"}]}"#, "/allOf/0", K::String, "branch all-of-branch", "root");
        check(r#"{"anyOf":[{"type":"null"},{"type":"string"},{"type":"array"}]}"#, "", K::Union, "null-branch union-many", "single-branch");
        check(r#"{"type":"string","enum":[1,2]}"#, "", K::String, "enum-impossible enum-misfit", "");
        check(r#"{"type":"string","enum":[1,"a"]}"#, "", K::String, "enum-misfit", "enum-impossible");
        check(r#"{"enum":[1,"1"]}"#, "", K::Union, "literal", "enum-repeats");
        check(r#"{"oneOf":[{"type":"number"},{"type":"integer"}]}"#, "", K::Union, "one-of-overlapping", "");
        check(r#"{"oneOf":[{"type":"string"},{"const":1}]}"#, "", K::Union, "", "one-of-overlapping");
        let tagged = r#"{"oneOf":[{"type":"object","properties":{"t":{"type":"string"}},"required":["t"]},TWIN]}"#;
        let twin = |with: &str| tagged.replace("TWIN", with);
        check(&twin(r#"{"type":"object","properties":{"t":{"type":"integer"}},"required":["t"]}"#), "", K::Union, "", "one-of-overlapping");
        check(&twin(r#"{"type":"object","properties":{"t":{"type":"integer"}}}"#), "", K::Union, "one-of-overlapping", "");
        check(&twin(r#"{"type":"object","properties":{"u":{}},"additionalProperties":false}"#), "", K::Union, "", "one-of-overlapping");
        check(&twin(r#"{"type":"object","properties":{"u":{}},"required":["u"]}"#), "", K::Union, "one-of-overlapping", "");
        check(
            r#"{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
            "",
            K::Object,
            "required-only-branches union-siblings",
            "free-form",
        );
        check(
            r##"{"properties":{"a":{"$ref":"#","description":"x"}}}"##,
            "/properties/a",
            K::Ref,
            "recursive cycle-ahead ref-to-root ref-siblings",
            "dangling ref-deep recursion-required",
        );
        check(r##"{"properties":{"a":{"$ref":"#"}},"required":["a"]}"##, "/properties/a", K::Ref, "recursion-required", "ref-siblings");
        let around = r##"{"items":{"$ref":"#/$defs/N"},"not":{"$ref":"#/$defs/M"},"$defs":{"N":{"items":{"$ref":"#/$defs/N"}},"M":{}}}"##;
        check(around, "/items", K::Ref, "cycle-ahead", "recursive");
        check(around, "/not", K::Ref, "", "cycle-ahead recursive");
        check(r##"{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{}}}"##, "", K::Any, "definitions-unused", "definitions-old-name");
        check(r##"{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{}},"$ref":"#/$defs/A"}"##, "", K::Ref, "", "definitions-unused");
        check(r#"{"type":"string","minimum":1,"properties":{}}"#, "", K::String, "keyword-off-type", "");
        check(r#"{"enum":["a","1",1,"\u0061b"]}"#, "", K::Union, "enum-mixed", "enum-repeats");
        check(r#"{"maxLength":9,"anyOf":[{"type":"null"},{"maxLength":3}]}"#, "", K::Union, "branch-repeats union-siblings", "ref-repeats");
        check(r#"{"title":"a","anyOf":[{"title":"b","maxLength":3,"anyOf":[]}]}"#, "", K::Union, "single-branch", "branch-repeats");
        let beside = |keyword: &str| {
            format!(r##"{{"$defs":{{"T":{{"maxLength":3,"title":"x"}}}},"properties":{{"a":{{"$ref":"#/$defs/T",{keyword}}}}}}}"##)
        };
        check(&beside(r#""maxLength":9"#), "/properties/a", K::Ref, "ref-repeats ref-siblings", "");
        check(&beside(r#""title":"y","pattern":"z""#), "/properties/a", K::Ref, "ref-siblings", "ref-repeats");
        check(r#"{"minimum":3,"maximum":2}"#, "", K::Number, "contradiction implied-type", "number-unsafe");
        check(r#"{"maximum":1e400}"#, "", K::Number, "number-huge", "");
        check(
            r#"{"properties":{"properties":{"properties":{"items":{}}}}}"#,
            "/properties/properties/properties/items",
            K::Any,
            "property",
            "item root-property",
        );
        check(r#"{"properties":{"default":{"default":{"type":"x"}}}}"#, "/properties/default", K::Any, "property", "misfit");
        check(r#"{"type":"string","title":"a","title":"b"}"#, "", K::String, "duplicate-key", "misfit");
    }
}
