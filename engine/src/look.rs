//! What a node looks like: for the usual shapes of schemas, a few bits from which all of its facts follow.

use crate::attr::Types;
use crate::facts::{EITHER_SIDE, contradicts, says_nothing};
use crate::keyword::{Kw, KwSet};
use crate::site::Place;
use crate::tree::{Id, Kind, Tree};
use crate::valid::suits;

/// The keys, the shape of their values, and the place of a node. Nodes that look alike have the same facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) keys: KwSet,
    /// The types, and what the values of some keywords are.
    pub(crate) shape: u32,
    pub(crate) place: u32,
}

/// What has to be known of a keyword's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// With it, a node is out of the usual.
    Out,
    /// Nothing, as long as it is of a kind that 2020-12 allows, and no great number.
    Plain,
    /// What [`Shape::reads`] reads.
    Read,
}

const PLAIN: KwSet = KwSet::of(&[
    Kw::Schema,
    Kw::Comment,
    Kw::Title,
    Kw::Description,
    Kw::Default,
    Kw::Deprecated,
    Kw::ReadOnly,
    Kw::WriteOnly,
    Kw::Examples,
    Kw::Example,
    Kw::Format,
    Kw::Pattern,
    Kw::ContentEncoding,
    Kw::ContentMediaType,
]);

const READ: KwSet =
    KwSet::of(&[Kw::Type, Kw::AnyOf, Kw::Properties, Kw::Required, Kw::AdditionalProperties, Kw::Items, Kw::Enum]).with(BOUNDS);

const BOUNDS: KwSet = KwSet::of(&[Kw::Minimum, Kw::Maximum, Kw::MinLength, Kw::MaxLength, Kw::MinItems, Kw::MaxItems]);

/// What may stand beside `anyOf`: no type follows from it.
const BESIDE_UNION: KwSet = KwSet::of(&[Kw::AnyOf])
    .with(PLAIN.without(KwSet::of(&[Kw::Format, Kw::Pattern, Kw::ContentEncoding, Kw::ContentMediaType])))
    .with(KwSet::OTHER);

/// What may stand in a branch beside its type: nothing that is counted, compared or required.
const IN_BRANCH: KwSet = KwSet::of(&[Kw::Type, Kw::AdditionalProperties, Kw::Items]).with(PLAIN).with(BOUNDS).with(KwSet::OTHER);

#[expect(clippy::indexing_slicing, reason = "a constant has no iterators")]
static WAYS: [Way; Kw::ALL.len()] = {
    let mut ways = [Way::Out; Kw::ALL.len()];
    let mut i = 0;
    while i < ways.len() {
        if PLAIN.has(Kw::ALL[i]) {
            ways[i] = Way::Plain;
        } else if READ.has(Kw::ALL[i]) {
            ways[i] = Way::Read;
        }
        i += 1;
    }
    ways
};

/// A longer list of names is no usual one: each is held against all before it.
const FEW: usize = 16;

impl Look {
    /// Nothing, where the node is out of the usual.
    pub(crate) fn of(tree: &Tree, node: Id, place: &Place) -> Option<Look> {
        let keys = tree.keys(node);
        let usual = if keys.has(Kw::AnyOf) { BESIDE_UNION } else { PLAIN.with(READ).with(KwSet::OTHER) };
        if !keys.meets(KwSet::of(&[Kw::Type, Kw::AnyOf])) || !usual.covers(keys) || !tree.duplicates.is_empty() {
            return None;
        }
        let mut shape = Shape::default();
        for child in tree.children(node) {
            let Some(kw) = tree.kw(child) else { continue };
            match WAYS.get(kw as usize) {
                Some(Way::Plain) => {
                    let kind = tree.kind(child);
                    (suits(kw, kind) && (kind != Kind::Num || is_short(tree, child))).then_some(())?;
                }
                Some(Way::Read) => shape.reads(tree, kw, child)?,
                _ => return None,
            }
        }
        if keys.meets(BOUNDS) && contradicts(tree, node) {
            return None;
        }
        let via = place.via.map_or(u32::MAX, |kw| kw as u32);
        let flags = u32::from(place.optional) | u32::from(place.root_property) << 1 | u32::from(place.in_definition) << 2;
        Some(Look { keys, shape: shape.bits(tree)?, place: via << 3 | flags })
    }
}

#[derive(Default)]
struct Shape {
    types: Types,
    list: bool,
    null: bool,
    closed: Option<bool>,
    properties: Option<Id>,
    required: Option<Id>,
    texts: bool,
    union: Union,
}

/// The branches of `anyOf`.
#[derive(Clone, Copy, Default)]
struct Union {
    types: Types,
    /// There is one branch.
    one: bool,
    /// There are two branches that are not null.
    many: bool,
}

impl Shape {
    /// Nothing, where the value is no usual one.
    fn reads(&mut self, tree: &Tree, kw: Kw, value: Id) -> Option<()> {
        let usual = match (kw, tree.kind(value)) {
            (Kw::Type, Kind::Str) => {
                self.types = tree.named_type(value)?;
                true
            }
            (Kw::Type, Kind::Array) => {
                self.list = true;
                self.types = listed_types(tree, value)?;
                true
            }
            (Kw::Properties, Kind::Object) => {
                self.properties = Some(value);
                tree.children(value).all(|p| matches!(tree.kind(p), Kind::Object | Kind::Bool))
            }
            (Kw::Required, Kind::Array) => {
                self.required = Some(value);
                true
            }
            (Kw::AdditionalProperties, Kind::Bool) => {
                self.closed = Some(tree.bool(value) == Some(false));
                true
            }
            (Kw::Items, Kind::Object) => !says_nothing(tree, value),
            (Kw::Enum, Kind::Array) => {
                self.texts = true;
                self.null = tree.children(value).any(|literal| tree.kind(literal) == Kind::Null);
                are_different_words(tree, value)
            }
            (Kw::AnyOf, Kind::Array) => {
                self.union = Union::of(tree, value)?;
                true
            }
            (Kw::Minimum | Kw::Maximum, Kind::Num) => is_short(tree, value),
            (kw, Kind::Num) if BOUNDS.has(kw) => is_count(tree, value),
            _ => false,
        };
        usual.then_some(())
    }

    fn bits(&self, tree: &Tree) -> Option<u32> {
        if self.texts && self.types.without(Types::NULL) != Types::STRING {
            return None;
        }
        if let Some(required) = self.required {
            are_declared(tree, required, self.properties?).then_some(())?;
        }
        let declares = self.properties.is_some_and(|p| tree.node(p).first.some().is_some());
        let closed = match self.closed {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        let flags = u32::from(declares) | u32::from(self.list) << 1 | u32::from(self.null) << 2 | closed << 3;
        let Union { types, one, many } = self.union;
        let union = u32::from(types.0) | u32::from(one) << 7 | u32::from(many) << 8;
        Some(u32::from(self.types.0) | flags << 7 | union << 12)
    }
}

impl Union {
    /// Nothing, unless each branch says its one type, and little besides.
    fn of(tree: &Tree, list: Id) -> Option<Union> {
        let beside = tree.parent(list).map_or(KwSet::EMPTY, |node| tree.keys(node)).without(EITHER_SIDE);
        let (mut union, mut branches, mut others) = (Union::default(), 0_u32, 0_u32);
        for branch in tree.children(list) {
            let keys = if tree.kind(branch) == Kind::Object { tree.keys(branch) } else { KwSet::EMPTY };
            if !IN_BRANCH.covers(keys) || keys.meets(beside) {
                return None;
            }
            let named = tree.get(branch, Kw::Type).and_then(|name| tree.named_type(name))?;
            branches = branches.saturating_add(1);
            others = others.saturating_add(u32::from(named != Types::NULL));
            union.types = Types(union.types.0 | named.0);
        }
        (union.one, union.many) = (branches == 1, others > 1);
        (branches > 0).then_some(union)
    }
}

/// A number of so few digits, and without an exponent, that nothing is to be said of its size.
fn is_short(tree: &Tree, number: Id) -> bool {
    let digits = tree.raw(number).as_bytes();
    digits.len() <= 9 && !digits.iter().any(u8::is_ascii_alphabetic)
}

/// A natural number, likewise.
fn is_count(tree: &Tree, number: Id) -> bool {
    let digits = tree.raw(number).as_bytes();
    digits.len() <= 9 && digits.iter().all(u8::is_ascii_digit)
}

/// The types of a list that names at least one, and none twice.
fn listed_types(tree: &Tree, list: Id) -> Option<Types> {
    let mut types = Types::default();
    for name in tree.children(list) {
        let named = tree.named_type(name).filter(|named| !types.meets(*named))?;
        types = Types(types.0 | named.0);
    }
    (!types.is_empty()).then_some(types)
}

/// Whether these are a few strings without escapes, and perhaps null, none of them empty and no two equal.
fn are_different_words(tree: &Tree, list: Id) -> bool {
    let mut text = false;
    for (position, word) in tree.children(list).enumerate() {
        let raw = tree.raw(word);
        let named = tree.plain(word).is_some_and(|word| !word.is_empty());
        text |= named;
        let plain = named || tree.kind(word) == Kind::Null;
        if position >= FEW || !plain || tree.children(list).take(position).any(|before| tree.raw(before) == raw) {
            return false;
        }
    }
    text
}

/// Whether the names of the list are names of the properties, none of them twice; found at once, where they stand in the order of those.
fn are_declared(tree: &Tree, names: Id, properties: Id) -> bool {
    let is = |property: Id, name: &str| tree.node(property).key.len() == name.len() && tree.raw_key(property) == name;
    let (mut after, mut ordered) = (tree.children(properties), true);
    for (position, node) in tree.children(names).enumerate() {
        let Some(name) = tree.plain(node) else { return false };
        ordered = ordered && after.any(|property| is(property, name));
        if ordered {
            continue;
        }
        let again = || tree.children(names).take(position).any(|before| tree.raw(before) == tree.raw(node));
        if position >= FEW || !tree.children(properties).any(|property| is(property, name)) || again() {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    /// The bits that follow from a schema's values, if it is a usual one.
    fn shape(text: &str) -> Option<u32> {
        let tree = Tree::parse(text, &Budget::default()).expect(text);
        Look::of(&tree, tree.root(), &Place::ROOT).map(|look| look.shape)
    }

    #[test]
    fn usual_schemas_look_alike() {
        let alike: [&[&str]; 7] = [
            &[r#"{"type":"string","title":"a"}"#, r#"{"title":"b","type":"string"}"#],
            &[r#"{"type":"string","enum":["a","b"]}"#, r#"{"enum":["c"],"type":"string"}"#],
            &[
                r#"{"type":"object","properties":{"a":{},"b":true,"c":{}},"required":["a","c"],"additionalProperties":false}"#,
                r#"{"required":[],"type":"object","properties":{"x":{}},"additionalProperties":false}"#,
            ],
            &[
                r#"{"type":"object","properties":{"a":{},"b":true,"c":{}},"required":["c","a"]}"#,
                r#"{"type":"object","properties":{"x":{},"y":{}},"required":["y","x"]}"#,
            ],
            &[
                r#"{"anyOf":[{"type":"string","title":"a"},{"type":"null"}],"title":"b","default":null}"#,
                r#"{"title":"b","default":1,"anyOf":[{"type":"null"},{"type":"string","maxLength":2}]}"#,
            ],
            &[r#"{"type":["string","null"],"enum":["a",null]}"#, r#"{"type":["null","string"],"enum":[null,"b","c"]}"#],
            &[r#"{"type":"integer","minimum":1,"maximum":2,"default":1}"#, r#"{"type":"integer","default":-3,"maximum":0.5,"minimum":-7}"#],
        ];
        let looks: Vec<Option<u32>> = alike.iter().flat_map(|group| group.iter().map(|text| shape(text))).collect();
        assert!(looks.iter().all(Option::is_some), "{looks:?}");
        for pair in looks.chunks(2) {
            assert_eq!(pair[0], pair[1]);
        }
    }

    #[test]
    fn whatever_is_out_of_the_usual_is_looked_at() {
        for text in [
            "true",
            "{}",
            r#"{"type":[]}"#,
            r#"{"type":["string","string"]}"#,
            r#"{"type":["string","any"]}"#,
            r#"{"type":"dict"}"#,
            r#"{"type":"str\u0069ng"}"#,
            r#"{"type":"string","title":1}"#,
            r#"{"type":"string","title":"a","title":"b"}"#,
            r#"{"type":"string","enum":[]}"#,
            r#"{"type":"string","enum":[""]}"#,
            r#"{"type":"string","enum":["a","a"]}"#,
            r#"{"type":"string","enum":["a\n"]}"#,
            r#"{"type":"string","enum":["a",1]}"#,
            r#"{"type":"string","enum":[null]}"#,
            r#"{"type":["string","null"],"enum":[null]}"#,
            r#"{"type":"string","enum":["a",null,null]}"#,
            r#"{"type":["string","integer"],"enum":["a"]}"#,
            r#"{"type":"integer","enum":["a"]}"#,
            r#"{"type":"integer","default":1e5}"#,
            r#"{"type":"string","minLength":1.5}"#,
            r#"{"type":"string","minLength":-1}"#,
            r#"{"type":"integer","default":10000000000}"#,
            r#"{"type":"integer","minimum":2,"maximum":1}"#,
            r#"{"type":"integer","minimum":-1e9}"#,
            r#"{"type":"array","items":{}}"#,
            r#"{"type":"array","items":[{}]}"#,
            r#"{"type":"object","properties":{"a":null}}"#,
            r#"{"type":"object","properties":{"a":{}},"required":["a","a"]}"#,
            r#"{"type":"object","properties":{"a":{},"b":{}},"required":["b","a","b"]}"#,
            r#"{"type":"object","properties":{"a":{},"b":{}},"required":["b","b"]}"#,
            r#"{"type":"object","properties":{"a":{}},"required":["b"]}"#,
            r#"{"type":"object","properties":{"a":{}},"required":[1]}"#,
            r#"{"type":"object","properties":{"a":{}},"additionalProperties":{}}"#,
            r#"{"type":"object","anyOf":[{}]}"#,
            r#"{"type":"object","anyOf":[{"type":"object"}]}"#,
            r#"{"anyOf":[]}"#,
            r#"{"anyOf":[{}]}"#,
            r#"{"anyOf":[true]}"#,
            r#"{"anyOf":[{"type":["string","null"]}]}"#,
            r#"{"anyOf":[{"type":"string","enum":["a"]}]}"#,
            r#"{"anyOf":[{"type":"string","nullable":true}]}"#,
            r#"{"anyOf":[{"type":"string","default":""}],"default":""}"#,
            r#"{"anyOf":[{"type":"object","properties":{}}]}"#,
            r#"{"anyOf":[{"type":"string"}],"pattern":"a"}"#,
            r#"{"anyOf":{"type":"string"}}"#,
        ] {
            assert_eq!(shape(text), None, "{text}");
        }
    }
}
