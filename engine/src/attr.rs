//! Derived attributes of a schema node: the vocabulary of predicates.

/// What a node says about the kind of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[allow(missing_docs)]
pub enum NodeKind {
    Object = 1,
    Array = 2,
    String = 4,
    Number = 8,
    Integer = 16,
    Boolean = 32,
    Null = 64,
    Union = 128,
    Any = 256,
    Never = 512,
    Ref = 1024,
}

impl NodeKind {
    /// All kinds with their words.
    pub const WORDS: [(&'static str, NodeKind); 11] = [
        ("object", NodeKind::Object),
        ("array", NodeKind::Array),
        ("string", NodeKind::String),
        ("number", NodeKind::Number),
        ("integer", NodeKind::Integer),
        ("boolean", NodeKind::Boolean),
        ("null", NodeKind::Null),
        ("union", NodeKind::Union),
        ("any", NodeKind::Any),
        ("never", NodeKind::Never),
        ("ref", NodeKind::Ref),
    ];
}

/// A set of JSON Schema types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types(pub u8);

impl Types {
    /// The seven types with their words.
    pub const WORDS: [(&'static str, Types); 7] = [
        ("object", Types(1)),
        ("array", Types(2)),
        ("string", Types(4)),
        ("number", Types(8)),
        ("integer", Types(16)),
        ("boolean", Types(32)),
        ("null", Types(64)),
    ];

    /// Whether every value of the other types is of one of these.
    pub(crate) fn covers(self, other: Types) -> bool {
        Types::WORDS.iter().all(|&(_, t)| !other.meets(t) || self.admits(t))
    }
}

macro_rules! attrs {
    ($($id:ident $name:literal;)*) => {
        /// A derived attribute.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Attr { $($id),* }

        impl Attr {
            /// Every attribute with its word in rule files.
            pub const WORDS: &'static [(&'static str, Attr)] = &[$(($name, Attr::$id)),*];
        }
    };
}

attrs! {
    Root "root";
    Nested "nested";
    Property "property";
    Optional "optional";
    RootProperty "root-property";
    Item "item";
    Branch "branch";
    AllOfBranch "all-of-branch";
    Definition "definition";
    InDefinition "in-definition";

    Typed "typed";
    TypeList "type-list";
    TypeListMany "type-list-many";
    Untyped "untyped";
    Typeless "typeless";
    ImpliedType "implied-type";
    Empty "empty";
    BooleanSchema "boolean-schema";
    FalseSchema "false-schema";
    Nullable "nullable";
    NullableFlag "nullable-flag";
    NullInType "null-in-type";
    NullBranch "null-branch";
    NullOnly "null-only";
    TypeAlias "type-alias";
    TypeUnknown "type-unknown";

    Open "open";
    SilentOpen "silent-open";
    Closed "closed";
    Map "map";
    MapBesideProperties "map-beside-properties";
    FreeForm "free-form";
    NoProperties "no-properties";
    PropertiesMissing "properties-missing";
    UndefinedRequired "undefined-required";
    ExtraRequired "extra-required";
    OptionalCounted "optional-counted";
    OptionalCountedOnce "optional-counted-once";
    CountedAcross "counted-across";

    Tuple "tuple";
    ItemsMissing "items-missing";
    ItemsEmpty "items-empty";

    Literal "literal";
    EnumEmpty "enum-empty";
    EnumNotText "enum-not-text";
    EnumMixed "enum-mixed";
    EnumMisfit "enum-misfit";
    EnumEmptyText "enum-empty-text";
    EnumRepeats "enum-repeats";
    EnumImpossible "enum-impossible";
    AwkwardLiteral "awkward-literal";
    NullInEnum "null-in-enum";
    EnumNullMissing "enum-null-missing";

    SingleBranch "single-branch";
    UnionMany "union-many";
    OneOfOverlapping "one-of-overlapping";
    RequiredOnlyBranches "required-only-branches";
    ObjectUnion "object-union";
    CombinatorEmpty "combinator-empty";
    MixedCombinators "mixed-combinators";
    SameFirstKey "same-first-key";
    UnionSiblings "union-siblings";
    BranchRepeats "branch-repeats";

    Recursive "recursive";
    CycleAhead "cycle-ahead";
    RecursionRequired "recursion-required";
    Dangling "dangling";
    RefElsewhere "ref-elsewhere";
    RefDeep "ref-deep";
    RefToRoot "ref-to-root";
    RefSiblings "ref-siblings";
    RefInAllOf "ref-in-all-of";
    RefRepeats "ref-repeats";
    DefinitionsUnused "definitions-unused";
    DefinitionsNested "definitions-nested";
    DefinitionsOldName "definitions-old-name";

    Misfit "misfit";
    Draft4Bounds "draft-4-bounds";
    RequiredOnProperty "required-on-property";
    ItemsList "items-list";
    DuplicateKey "duplicate-key";
    Contradiction "contradiction";
    NumberUnsafe "number-unsafe";
    NumberHuge "number-huge";
    Int64Misfit "int64-misfit";
    FormatOnNonString "format-on-non-string";
    KeywordOffType "keyword-off-type";

    NameDuplicate "name-duplicate";
    SchemaMissing "schema-missing";
    SchemaNull "schema-null";
    SchemaNotObject "schema-not-object";
}

impl Attr {
    /// The attribute of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Attr> {
        Self::WORDS.iter().find(|(w, _)| *w == word).map(|(_, a)| *a)
    }
}

/// A set of attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttrSet(u128);

impl AttrSet {
    /// No attribute.
    pub const EMPTY: AttrSet = AttrSet(0);

    /// The set of these.
    #[must_use]
    #[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a constant function has no iterators")]
    pub const fn of(list: &[Attr]) -> AttrSet {
        let mut bits = 0;
        let mut i = 0;
        while i < list.len() {
            bits |= 1 << (list[i] as u8);
            i += 1;
        }
        AttrSet(bits)
    }

    /// Whether it holds.
    #[must_use]
    pub const fn has(self, attr: Attr) -> bool {
        self.0 & (1 << (attr as u8)) != 0
    }

    /// Whether all of the other set hold.
    #[must_use]
    pub const fn covers(self, other: AttrSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the sets share one.
    #[must_use]
    pub const fn meets(self, other: AttrSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The first attribute lowest.
    pub(crate) const fn bits(self) -> u128 {
        self.0
    }

    /// What both sets have.
    pub(crate) const fn and(self, other: AttrSet) -> AttrSet {
        AttrSet(self.0 & other.0)
    }

    /// The union.
    #[must_use]
    pub const fn with(self, other: AttrSet) -> AttrSet {
        AttrSet(self.0 | other.0)
    }

    /// Adds one.
    pub fn insert(&mut self, attr: Attr) {
        self.0 |= 1 << (attr as u8);
    }

    /// Adds one where the condition holds.
    pub fn put(&mut self, attr: Attr, when: bool) {
        if when {
            self.insert(attr);
        }
    }
}
