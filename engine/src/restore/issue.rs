//! What a value could not be mapped for, or was read as.

/// How much an issue matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IssueLevel {
    /// Something was read as something else.
    Note,
    /// Something is as it came, and likely not what the tool expects.
    Error,
}

impl IssueLevel {
    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            IssueLevel::Note => "note",
            IssueLevel::Error => "error",
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $id:ident $word:literal;)*) => {
        /// What kind of issue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum IssueKind {
            $($(#[$doc])* $id,)*
        }

        impl IssueKind {
            /// The word used in output.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(IssueKind::$id => $word,)* }
            }
        }
    };
}

kinds! {
    /// Text that should be JSON is none.
    NotJson "not-json";
    /// The arguments end in the middle.
    CutOff "cut-off";
    /// The arguments are no object.
    NotObject "not-object";
    /// JSON stood in a code fence.
    Fenced "fenced";
    /// JSON stood in a JSON string.
    DoubleEncoded "double-encoded";
    /// A member that the mapping needs is missing.
    MissingKey "missing-key";
    /// A member for which the mapping has no place.
    UnknownKey "unknown-key";
    /// Two entries have one key, or a key that the object has already.
    DuplicateKey "duplicate-key";
    /// A number has more digits than are kept.
    Rounded "rounded";
    /// A call of a tool that there is not.
    UnknownTool "unknown-tool";
    /// A call of a tool whose name several have.
    AmbiguousTool "ambiguous-tool";
    /// A text that stands for no literal.
    UnknownAlias "unknown-alias";
    /// The value is of another kind than what the mapping is for.
    WrongShape "wrong-shape";
    /// A number is no integer.
    NotIntegral "not-integral";
    /// Null for a required property that takes none.
    NullRequired "null-required";
    /// Null for an optional property that takes none was left out.
    NullDropped "null-dropped";
    /// Several branches of a union fit.
    AmbiguousBranch "ambiguous-branch";
    /// No branch of a union fits.
    NoBranch "no-branch";
    /// The provider's schema has no form for the value.
    NotExpressible "not-expressible";
    /// Nested too deeply.
    TooDeep "too-deep";
    /// Too much work.
    OverBudget "over-budget";
    /// JSON text was read.
    JsonText "json-text";
    /// A number was read from text.
    NumericText "numeric-text";
    /// A number was written as an integer.
    Integral "integral";
    /// A boolean was read from a word.
    BooleanWord "boolean-word";
    /// A literal was read in other letter case.
    LetterCase "letter-case";
}

/// An issue with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// JSON Pointer into the arguments as they are returned.
    pub path: String,
    /// What kind.
    pub issue: IssueKind,
    /// How much it matters.
    pub level: IssueLevel,
    /// The same for people.
    pub message: String,
}
