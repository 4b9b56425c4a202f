//! The one table of JSON Schema keywords: what each holds and which JSON kinds its value may have.
//!
//! Nothing else in the workspace knows which keywords hold schemas, names or plain values, so a
//! property that is *called* `title` or `$ref` can never be mistaken for the keyword.

use std::fmt;

/// What the value of a keyword holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// One schema (`not`, `contains`, `propertyNames`…).
    Schema,
    /// One schema, or (before 2020-12) a list of schemas: `items`.
    SchemaOrList,
    /// A schema where the value may also be a boolean that is not a schema in older drafts: `additionalProperties`.
    SchemaOrBool,
    /// A list of schemas (`anyOf`, `prefixItems`…).
    SchemaList,
    /// An object whose members are schemas and whose keys are names (`properties`, `$defs`…).
    SchemaMap,
    /// An object whose members are schemas or lists of names: `dependencies`.
    SchemaOrNamesMap,
    /// An object whose members are lists of names: `dependentRequired`.
    NamesMap,
    /// A list of names: `required`, `propertyOrdering`.
    Names,
    /// Any JSON value, never a schema (`default`, `const`).
    Value,
    /// A list of values, never schemas (`enum`, `examples`).
    Values,
    /// The type names.
    Types,
    /// Text.
    Text,
    /// A number.
    Number,
    /// A non-negative integer.
    Count,
    /// `true` or `false`.
    Flag,
    /// An object that is no schema (`discriminator`, `xml`…).
    Object,
}

impl Holds {
    /// What a member holds of an object that is this: `list`, whether the member is an array.
    #[must_use]
    pub fn member(self, key: &str, list: bool) -> Holds {
        match self {
            Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool => Kw::of(key).map_or(Holds::Value, Kw::holds),
            Holds::SchemaMap => Holds::Schema,
            Holds::SchemaOrNamesMap if !list => Holds::Schema,
            Holds::SchemaOrNamesMap | Holds::NamesMap => Holds::Names,
            _ => Holds::Value,
        }
    }

    /// What an element holds of an array that is this.
    #[must_use]
    pub const fn element(self) -> Holds {
        match self {
            Holds::SchemaList | Holds::SchemaOrList => Holds::Schema,
            _ => Holds::Value,
        }
    }
}

/// How a keyword takes part in saying which values are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Where to find schemas: `$ref`, `$defs`, `$id`…
    Core,
    /// Says what shape a value has: `type`, `properties`, `items`, unions.
    Shape,
    /// Limits values further: bounds, lengths, `pattern`, `required`…
    Limit,
    /// Says nothing about validity: `title`, `description`, `default`…
    Note,
}

macro_rules! keywords {
    ($($id:ident $name:literal $holds:ident $role:ident;)*) => {
        /// A known keyword.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Kw { $($id),* }

        static TABLE: &[(&str, Holds, Role)] = &[$(($name, Holds::$holds, Role::$role)),*];

        impl Kw {
            /// Every keyword, in table order.
            pub const ALL: &'static [Kw] = &[$(Kw::$id),*];

            /// The keyword of this name.
            #[must_use]
            pub fn of(name: &str) -> Option<Kw> {
                match name { $($name => Some(Kw::$id),)* _ => None }
            }
        }
    };
}

keywords! {
    Schema "$schema" Text Note;
    Id "$id" Text Core;
    OldId "id" Text Core;
    Anchor "$anchor" Text Core;
    Ref "$ref" Text Core;
    Defs "$defs" SchemaMap Core;
    Definitions "definitions" SchemaMap Core;
    Comment "$comment" Text Note;
    Vocabulary "$vocabulary" Object Note;
    DynamicRef "$dynamicRef" Text Core;
    DynamicAnchor "$dynamicAnchor" Text Core;
    RecursiveRef "$recursiveRef" Text Core;
    RecursiveAnchor "$recursiveAnchor" Flag Core;
    Type "type" Types Shape;
    Enum "enum" Values Shape;
    Const "const" Value Shape;
    MultipleOf "multipleOf" Number Limit;
    Maximum "maximum" Number Limit;
    ExclusiveMaximum "exclusiveMaximum" Number Limit;
    Minimum "minimum" Number Limit;
    ExclusiveMinimum "exclusiveMinimum" Number Limit;
    MaxLength "maxLength" Count Limit;
    MinLength "minLength" Count Limit;
    Pattern "pattern" Text Limit;
    Items "items" SchemaOrList Shape;
    AdditionalItems "additionalItems" SchemaOrBool Shape;
    PrefixItems "prefixItems" SchemaList Shape;
    MaxItems "maxItems" Count Limit;
    MinItems "minItems" Count Limit;
    UniqueItems "uniqueItems" Flag Limit;
    Contains "contains" Schema Limit;
    MaxContains "maxContains" Count Limit;
    MinContains "minContains" Count Limit;
    UnevaluatedItems "unevaluatedItems" SchemaOrBool Limit;
    MaxProperties "maxProperties" Count Limit;
    MinProperties "minProperties" Count Limit;
    Required "required" Names Limit;
    Properties "properties" SchemaMap Shape;
    PatternProperties "patternProperties" SchemaMap Shape;
    AdditionalProperties "additionalProperties" SchemaOrBool Shape;
    Dependencies "dependencies" SchemaOrNamesMap Limit;
    DependentRequired "dependentRequired" NamesMap Limit;
    DependentSchemas "dependentSchemas" SchemaMap Limit;
    PropertyNames "propertyNames" Schema Limit;
    UnevaluatedProperties "unevaluatedProperties" SchemaOrBool Limit;
    AllOf "allOf" SchemaList Shape;
    AnyOf "anyOf" SchemaList Shape;
    OneOf "oneOf" SchemaList Shape;
    Not "not" Schema Limit;
    If "if" Schema Limit;
    Then "then" Schema Limit;
    Else "else" Schema Limit;
    Format "format" Text Limit;
    ContentEncoding "contentEncoding" Text Note;
    ContentMediaType "contentMediaType" Text Note;
    ContentSchema "contentSchema" Schema Note;
    Title "title" Text Note;
    Description "description" Text Note;
    Default "default" Value Note;
    Deprecated "deprecated" Flag Note;
    ReadOnly "readOnly" Flag Note;
    WriteOnly "writeOnly" Flag Note;
    Examples "examples" Values Note;
    Nullable "nullable" Flag Limit;
    Example "example" Value Note;
    Discriminator "discriminator" Object Note;
    Xml "xml" Object Note;
    ExternalDocs "externalDocs" Object Note;
    PropertyOrdering "propertyOrdering" Names Note;
}

#[expect(clippy::indexing_slicing, reason = "the table has a row for each keyword, in their order")]
impl Kw {
    /// The keyword as written.
    #[must_use]
    pub fn name(self) -> &'static str {
        TABLE[self as usize].0
    }

    /// What its value holds.
    #[must_use]
    pub const fn holds(self) -> Holds {
        TABLE[self as usize].1
    }

    /// What it does for validity.
    #[must_use]
    pub fn role(self) -> Role {
        TABLE[self as usize].2
    }
}

impl fmt::Display for Kw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of keywords; bit 127 stands for "a key that is no known keyword".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KwSet(pub(crate) u128);

impl KwSet {
    /// No keyword.
    pub const EMPTY: KwSet = KwSet(0);
    /// A key that is no known keyword.
    pub const OTHER: KwSet = KwSet(1 << 127);

    /// Every keyword, and every key that is none.
    pub const EVERY: KwSet = KwSet(u128::MAX);

    /// The set of these keywords.
    #[must_use]
    #[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a constant function has no iterators")]
    pub const fn of(list: &[Kw]) -> KwSet {
        let mut bits = 0;
        let mut i = 0;
        while i < list.len() {
            bits |= 1 << (list[i] as u8);
            i += 1;
        }
        KwSet(bits)
    }

    /// Whether the keyword is in the set.
    #[must_use]
    pub const fn has(self, kw: Kw) -> bool {
        self.0 & (1 << (kw as u8)) != 0
    }

    /// Whether the sets share a keyword.
    #[must_use]
    pub const fn meets(self, other: KwSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every keyword of `other` is in this set.
    #[must_use]
    pub const fn covers(self, other: KwSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The union.
    #[must_use]
    pub const fn with(self, other: KwSet) -> KwSet {
        KwSet(self.0 | other.0)
    }

    /// What both sets have.
    #[must_use]
    pub const fn and(self, other: KwSet) -> KwSet {
        KwSet(self.0 & other.0)
    }

    /// This set without the other.
    #[must_use]
    pub const fn without(self, other: KwSet) -> KwSet {
        KwSet(self.0 & !other.0)
    }

    /// Adds a keyword.
    pub fn insert(&mut self, kw: Kw) {
        self.0 |= 1 << (kw as u8);
    }

    /// Removes a keyword.
    pub fn remove(&mut self, kw: Kw) {
        self.0 &= !(1 << (kw as u8));
    }
}

/// Keywords whose value is a schema or holds schemas.
#[expect(clippy::indexing_slicing, reason = "a constant has no iterators")]
pub const SUBSCHEMAS: KwSet = {
    let mut set = KwSet::EMPTY;
    let mut i = 0;
    while i < Kw::ALL.len() {
        let kw = Kw::ALL[i];
        if matches!(
            TABLE[kw as usize].1,
            Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool | Holds::SchemaList | Holds::SchemaMap | Holds::SchemaOrNamesMap
        ) {
            set = set.with(KwSet::of(&[kw]));
        }
        i += 1;
    }
    set
};

/// Annotations: keywords that never change which values are valid.
#[expect(clippy::indexing_slicing, reason = "a constant has no iterators")]
pub const NOTES: KwSet = {
    let mut set = KwSet::EMPTY;
    let mut i = 0;
    while i < Kw::ALL.len() {
        let kw = Kw::ALL[i];
        if matches!(TABLE[kw as usize].2, Role::Note) {
            set = set.with(KwSet::of(&[kw]));
        }
        i += 1;
    }
    set
};

/// `$defs` and `definitions`.
pub const DEFINITIONS: KwSet = KwSet::of(&[Kw::Defs, Kw::Definitions]);
/// `anyOf`, `oneOf`, `allOf`.
pub const COMBINATORS: KwSet = KwSet::of(&[Kw::AnyOf, Kw::OneOf, Kw::AllOf]);
/// `anyOf`, `oneOf`.
pub const UNIONS: KwSet = KwSet::of(&[Kw::AnyOf, Kw::OneOf]);
/// Keywords that only speak about objects.
pub const OBJECT_KEYS: KwSet = KwSet::of(&[
    Kw::Properties,
    Kw::PatternProperties,
    Kw::AdditionalProperties,
    Kw::Required,
    Kw::MinProperties,
    Kw::MaxProperties,
    Kw::PropertyNames,
    Kw::Dependencies,
    Kw::DependentRequired,
    Kw::DependentSchemas,
    Kw::UnevaluatedProperties,
    Kw::PropertyOrdering,
]);
/// Keywords that only speak about arrays.
pub const ARRAY_KEYS: KwSet = KwSet::of(&[
    Kw::Items,
    Kw::PrefixItems,
    Kw::AdditionalItems,
    Kw::MinItems,
    Kw::MaxItems,
    Kw::UniqueItems,
    Kw::Contains,
    Kw::MinContains,
    Kw::MaxContains,
    Kw::UnevaluatedItems,
]);
/// Keywords that only speak about strings.
pub const STRING_KEYS: KwSet =
    KwSet::of(&[Kw::MinLength, Kw::MaxLength, Kw::Pattern, Kw::Format, Kw::ContentEncoding, Kw::ContentMediaType, Kw::ContentSchema]);
/// Keywords that only speak about numbers.
pub const NUMBER_KEYS: KwSet = KwSet::of(&[Kw::Minimum, Kw::Maximum, Kw::ExclusiveMinimum, Kw::ExclusiveMaximum, Kw::MultipleOf]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again() {
        assert!(Kw::ALL.len() < 127);
        for &kw in Kw::ALL {
            assert_eq!(Kw::of(kw.name()), Some(kw));
        }
        assert_eq!(Kw::of("x-title"), None);
    }

    #[test]
    fn values_are_no_schemas() {
        for kw in [Kw::Default, Kw::Const, Kw::Enum, Kw::Examples, Kw::Example, Kw::Required] {
            assert!(!SUBSCHEMAS.has(kw), "{kw}");
        }
        for kw in [Kw::Properties, Kw::Items, Kw::Defs, Kw::Not, Kw::AnyOf] {
            assert!(SUBSCHEMAS.has(kw), "{kw}");
        }
    }
}
