//! Which keyword values JSON Schema 2020-12 does not allow.

use crate::attr::Types;
use crate::keyword::{Holds, Kw, KwSet};
use crate::tree::{Id, Kind, Tree};

/// Keywords of other dialects: 2020-12 says nothing about their values.
const FOREIGN: KwSet = KwSet::of(&[
    Kw::OldId,
    Kw::AdditionalItems,
    Kw::Nullable,
    Kw::Example,
    Kw::Discriminator,
    Kw::Xml,
    Kw::ExternalDocs,
    Kw::PropertyOrdering,
    Kw::RecursiveAnchor,
    Kw::RecursiveRef,
]);

/// The members of a schema node whose values 2020-12 does not allow.
pub fn misfits(tree: &Tree, node: Id) -> impl Iterator<Item = Id> + '_ {
    tree.children(node).filter(|&c| tree.kw(c).is_some_and(|kw| !suits(kw, tree.kind(c)) && !allowed(tree, c, kw)))
}

/// Whether every value of this kind is allowed under the keyword.
pub(crate) fn suits(kw: Kw, kind: Kind) -> bool {
    SUITS.get(kw as usize).is_none_or(|suits| suits & kind.bit() != 0)
}

/// For each keyword the kinds of which every value is allowed, as bits.
#[expect(clippy::indexing_slicing, reason = "a constant has no iterators")]
static SUITS: [u8; Kw::ALL.len()] = {
    let mut table = [0; Kw::ALL.len()];
    let mut i = 0;
    while i < table.len() {
        let kw = Kw::ALL[i];
        table[i] = match kw.holds() {
            _ if FOREIGN.has(kw) => u8::MAX,
            Holds::Value => u8::MAX,
            Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool => Kind::Object.bit() | Kind::Bool.bit(),
            Holds::Text if !matches!(kw, Kw::Id | Kw::Anchor | Kw::DynamicAnchor) => Kind::Str.bit(),
            Holds::Values => Kind::Array.bit(),
            Holds::Flag => Kind::Bool.bit(),
            Holds::Object => Kind::Object.bit(),
            _ => 0,
        };
        i += 1;
    }
    table
};

/// For each keyword the kinds that its values usually have in any dialect, as bits.
#[expect(clippy::indexing_slicing, reason = "a constant has no iterators")]
static USUAL: [u8; Kw::ALL.len()] = {
    let mut table = [0; Kw::ALL.len()];
    let mut i = 0;
    while i < table.len() {
        table[i] = match Kw::ALL[i].holds() {
            Holds::Value => u8::MAX,
            Holds::Schema | Holds::SchemaOrBool => Kind::Object.bit() | Kind::Bool.bit(),
            Holds::SchemaOrList | Holds::SchemaMap | Holds::SchemaOrNamesMap | Holds::NamesMap | Holds::Object => Kind::Object.bit(),
            Holds::SchemaList | Holds::Names | Holds::Values => Kind::Array.bit(),
            Holds::Types => Kind::Str.bit() | Kind::Array.bit(),
            Holds::Text => Kind::Str.bit(),
            Holds::Number | Holds::Count => Kind::Num.bit(),
            Holds::Flag => Kind::Bool.bit(),
        };
        i += 1;
    }
    table
};

/// The kinds that the values of a keyword usually have, as bits.
pub(crate) fn usual(kw: Kw) -> u8 {
    USUAL.get(kw as usize).copied().unwrap_or(u8::MAX)
}

/// Whether values of the keyword usually are of this kind.
pub(crate) fn is_usual(kw: Kw, kind: Kind) -> bool {
    usual(kw) & kind.bit() != 0
}

/// Whether 2020-12 allows this value under the keyword. Schemas inside are judged as nodes of their own.
#[must_use]
pub fn allowed(tree: &Tree, value: Id, kw: Kw) -> bool {
    let kind = tree.kind(value);
    let schema = |id: Id| matches!(tree.kind(id), Kind::Object | Kind::Bool);
    match kw.holds() {
        Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool => schema(value),
        Holds::SchemaList => kind == Kind::Array && tree.count(value) > 0 && tree.children(value).all(schema),
        Holds::SchemaMap => kind == Kind::Object && tree.children(value).all(schema),
        Holds::SchemaOrNamesMap => kind == Kind::Object && tree.children(value).all(|c| schema(c) || names(tree, c)),
        Holds::NamesMap => kind == Kind::Object && tree.children(value).all(|c| names(tree, c)),
        Holds::Names => names(tree, value),
        Holds::Value => true,
        Holds::Values => kind == Kind::Array,
        Holds::Types => types(tree, value),
        Holds::Text => kind == Kind::Str && text(tree, value, kw),
        Holds::Number => kind == Kind::Num && (kw != Kw::MultipleOf || tree.num(value).is_some_and(|n| n > 0.0)),
        Holds::Count => tree.num(value).is_some_and(|n| n >= 0.0 && n.fract() == 0.0),
        Holds::Flag => kind == Kind::Bool,
        Holds::Object => kind == Kind::Object,
    }
}

fn names(tree: &Tree, value: Id) -> bool {
    tree.kind(value) == Kind::Array && tree.children(value).all(|n| tree.kind(n) == Kind::Str) && !has_twins(tree, value)
}

/// Whether two elements of a list are equal strings (or, for short lists, equal values).
#[must_use]
pub fn has_twins(tree: &Tree, list: Id) -> bool {
    if tree.children(list).nth(16).is_none() {
        return tree.children(list).enumerate().any(|(i, n)| tree.children(list).take(i).any(|m| tree.raw(m) == tree.raw(n)));
    }
    let mut raw: Vec<&str> = tree.children(list).map(|n| tree.raw(n)).collect();
    raw.sort_unstable();
    raw.iter().zip(raw.iter().skip(1)).any(|(a, b)| a == b)
}

fn types(tree: &Tree, value: Id) -> bool {
    let known = |id: Id| tree.named_type(id).is_some() || tree.str(id).is_some_and(|t| standard_type(&t).is_some());
    match tree.kind(value) {
        Kind::Str => known(value),
        Kind::Array => tree.count(value) > 0 && tree.children(value).all(known) && !has_twins(tree, value),
        _ => false,
    }
}

fn text(tree: &Tree, value: Id, kw: Kw) -> bool {
    let Some(text) = tree.str(value) else { return false };
    match kw {
        Kw::Id => text.split_once('#').is_none_or(|(_, fragment)| fragment.is_empty()),
        Kw::Anchor | Kw::DynamicAnchor => {
            text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'))
        }
        _ => true,
    }
}

/// A type by its standard name.
#[must_use]
pub fn standard_type(name: &str) -> Option<Types> {
    Some(match name {
        "object" => Types::OBJECT,
        "array" => Types::ARRAY,
        "string" => Types::STRING,
        "number" => Types::NUMBER,
        "integer" => Types::INTEGER,
        "boolean" => Types::BOOLEAN,
        "null" => Types::NULL,
        _ => return None,
    })
}

/// A type by a name that other dialects use. `any` reads as every type.
#[must_use]
pub fn aliased_type(name: &str) -> Option<Types> {
    let lower = name.trim().to_ascii_lowercase();
    if let Some(found) = standard_type(&lower) {
        return Some(found);
    }
    let standard = match lower.as_str() {
        "str" | "text" | "char" | "varchar" | "date" | "datetime" | "uuid" | "url" | "uri" | "email" => "string",
        "float" | "double" | "decimal" | "numeric" | "float32" | "float64" | "num" => "number",
        "int" | "long" | "short" | "byte" | "int32" | "int64" | "bigint" | "biginteger" | "uint" => "integer",
        "bool" | "bit" => "boolean",
        "dict" | "map" | "hashmap" | "hash" | "struct" | "json" | "dictionary" | "record" => "object",
        "list" | "tuple" | "set" | "arraylist" | "sequence" | "vector" => "array",
        "none" | "nil" | "nonetype" | "undefined" => "null",
        "any" | "mixed" | "*" | "all" => return Some(Types(0x7f)),
        _ => return None,
    };
    standard_type(standard)
}

/// What a `type` value says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TypeRead {
    /// The types it names, other spellings included.
    pub types: Types,
    /// It is a list.
    pub list: bool,
    /// Some name is another spelling.
    pub alias: bool,
    /// Some name, or the value itself, means nothing.
    pub unknown: bool,
}

/// Reads the `type` of a node.
#[must_use]
pub fn read_types(tree: &Tree, node: Id) -> TypeRead {
    let mut read = TypeRead::default();
    let Some(value) = tree.get(node, Kw::Type) else { return read };
    if let Some(types) = tree.named_type(value) {
        return TypeRead { types, ..read };
    }
    let mut one = |id: Id| match tree.str(id) {
        Some(name) => {
            if let Some(t) = standard_type(&name) {
                read.types.0 |= t.0;
            } else if let Some(t) = aliased_type(&name) {
                read.types.0 |= t.0;
                read.alias = true;
            } else {
                read.unknown = true;
            }
        }
        None => read.unknown = true,
    };
    match tree.kind(value) {
        Kind::Array => tree.children(value).for_each(&mut one),
        _ => one(value),
    }
    read.list = tree.kind(value) == Kind::Array;
    read
}

/// The type of a JSON value; an integral number is an integer.
#[must_use]
pub fn value_type(tree: &Tree, value: Id) -> Types {
    match tree.kind(value) {
        Kind::Null => Types::NULL,
        Kind::Bool => Types::BOOLEAN,
        // What no double holds has no digits behind the point either.
        Kind::Num if tree.num(value).is_some_and(|n| n.fract() == 0.0 || n.is_infinite()) => Types::INTEGER,
        Kind::Num => Types::NUMBER,
        Kind::Str => Types::STRING,
        Kind::Array => Types::ARRAY,
        Kind::Object => Types::OBJECT,
    }
}

impl Types {
    /// `object`.
    pub const OBJECT: Types = Types(1);
    /// `array`.
    pub const ARRAY: Types = Types(2);
    /// `string`.
    pub const STRING: Types = Types(4);
    /// `number`.
    pub const NUMBER: Types = Types(8);
    /// `integer`.
    pub const INTEGER: Types = Types(16);
    /// `boolean`.
    pub const BOOLEAN: Types = Types(32);
    /// `null`.
    pub const NULL: Types = Types(64);

    /// Whether a value of type `other` is of one of these types.
    #[must_use]
    pub const fn admits(self, other: Types) -> bool {
        self.0 & other.0 != 0 || (other.0 == Types::INTEGER.0 && self.0 & Types::NUMBER.0 != 0)
    }

    /// Whether the sets share a type.
    #[must_use]
    pub const fn meets(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }

    /// This set without another.
    #[must_use]
    pub const fn without(self, other: Types) -> Types {
        Types(self.0 & !other.0)
    }

    /// Whether nothing is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many types.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The names, in a fixed order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Types::WORDS.into_iter().filter(move |(_, t)| self.meets(*t)).map(|(w, _)| w)
    }

    /// The types that values of both sets have.
    #[must_use]
    pub const fn intersect(self, other: Types) -> Types {
        let mut both = self.0 & other.0;
        let (n, i) = (Types::NUMBER.0, Types::INTEGER.0);
        if (self.0 & n != 0 && other.0 & i != 0) || (self.0 & i != 0 && other.0 & n != 0) {
            both |= i;
        }
        if both & n != 0 {
            both &= !i;
        }
        Types(both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn what_the_meta_schema_refuses() {
        for (text, bad) in [
            (r#"{"type":"object","properties":{},"required":["a"]}"#, ""),
            (r#"{"type":{"x":1},"title":null,"required":true}"#, "type title required"),
            (r#"{"type":["string","string"],"items":[],"properties":[]}"#, "type items properties"),
            (r#"{"type":"dict","exclusiveMinimum":true,"minLength":-1,"maxLength":2.0}"#, "type exclusiveMinimum minLength"),
            (r#"{"anyOf":[],"not":[],"properties":{"a":null},"required":["a","a"]}"#, "anyOf not properties required"),
            (r##"{"$id":"#x","$anchor":"1","multipleOf":0,"enum":[],"const":{},"default":null,"nullable":1}"##, "$id $anchor multipleOf"),
        ] {
            let tree = Tree::parse(text, &Budget::default()).expect(text);
            let got: Vec<_> = misfits(&tree, tree.root()).filter_map(|m| tree.kw(m)).map(Kw::name).collect();
            assert_eq!(got.join(" "), bad, "{text}");
        }
    }

    #[test]
    fn types_intersect() {
        assert_eq!(Types::NUMBER.intersect(Types(Types::INTEGER.0 | Types::NULL.0)), Types::INTEGER);
        assert_eq!(Types(8 | 16).intersect(Types::NUMBER), Types::NUMBER);
        assert!(Types::STRING.intersect(Types::OBJECT).is_empty());
    }
}
