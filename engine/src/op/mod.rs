//! The closed set of operations: options, phase, and where each is carried out.

mod algebra;
pub mod cost;
pub mod describe;
pub(crate) mod edit;
mod merge;
pub mod name;
mod null;
pub(crate) mod recode;
mod refs;
mod repair;
mod respell;
mod rival;

use crate::keyword::{Kw, KwSet};
use crate::plan::{Keys, Unit};

/// One entry of a rule's `rewrite` list.
#[derive(Clone, Debug)]
pub enum Step {
    /// One operation.
    Do(Op),
    /// The first that does not decline.
    OneOf(Vec<Op>),
}

/// An operation with its options.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Repair(Repair),
    InlineRefs(InlineRefs),
    HoistRefs {
        /// Definitions of the old name get the new one.
        old_name: bool,
    },
    PruneDefs,
    Drop {
        keys: Keys,
        note: Keys,
    },
    Keep {
        keys: Keys,
        note: Keys,
    },
    DropOffType,
    Rename {
        from: String,
        to: String,
    },
    Listify {
        from: Kw,
        to: Kw,
    },
    Unwrap,
    MergeAllOf,
    MergeBranches,
    RequiredNote,
    Split {
        key: Kw,
    },
    Push,
    InferType {
        /// The keywords that are looked at.
        from: KwSet,
    },
    InclusiveBounds,
    UnionItems,
    Set {
        key: String,
        value: serde_json::Value,
    },
    WrapRoot {
        name: String,
    },
    JsonText {
        /// What the description says of the text, in place of the usual words.
        words: Option<String>,
    },
    Entries {
        key: String,
        value: String,
        rest: String,
    },
    Fields {
        prefix: String,
    },
    TextEnum,
    AliasLiterals,
    NullAs(NullAs),
    Retain {
        key: Kw,
        what: Retain,
        /// Where fewer would be left, it declines.
        least: usize,
    },
    Close,
    RequireOptional {
        null_as: NullForm,
        /// Null is a value of properties that take it, also where it is their default.
        own_null: bool,
    },
    RenameProperties {
        allowed: String,
        max: usize,
        /// Names that none gets, and that are changed though their characters are right.
        reserved: Vec<String>,
    },
    RenameTool {
        allowed: String,
        first: String,
        max: usize,
    },
    Describe {
        min: u64,
        max: Option<u64>,
        unit: Unit,
    },
    /// Give a tool without a schema, or with one that is no object, this one.
    GiveSchema {
        /// The schema.
        schema: serde_json::Value,
    },
    /// Leave out the schema of a tool that takes no arguments.
    OmitSchema,
    /// Reported, never repaired.
    Refuse,
    /// The same, and final: the tool cannot be sent, whatever other operations make of the node.
    LeaveOut,
}

/// Options of `repair`.
#[derive(Clone, Copy, Debug)]
pub struct Repair {
    /// Keywords that get their evident reading; of the others, what has an invalid value goes.
    pub read: KwSet,
    /// Keywords that are left to other rules.
    pub leave: KwSet,
    /// `required: true` of a property goes into the list of its object.
    pub hoist: bool,
    /// The description tells what goes.
    pub note: bool,
}

impl Repair {
    /// Everything gets its evident reading.
    pub const ALL: Repair = Repair { read: KwSet::EVERY, leave: KwSet::EMPTY, hoist: true, note: true };
}

/// What `inline-refs` does where it cannot copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefChoice {
    /// Leave the reference.
    Keep,
    /// Leave the reference, drop the annotations beside it.
    Bare,
    /// Make the field a string that holds JSON text.
    JsonText,
    /// Report it.
    Refuse,
}

/// Options of `null-as`.
#[derive(Clone, Copy, Debug)]
pub struct NullAs {
    /// The spelling.
    pub form: NullForm,
    /// Unions of several other branches are left alone.
    pub single: bool,
    /// With `drop`: also where the value cannot simply be left out.
    pub anywhere: bool,
}

/// Options of `inline-refs`.
#[derive(Clone, Debug)]
pub struct InlineRefs {
    /// At a reference on a cycle.
    pub recursion: RefChoice,
    /// How often a cycle is unrolled before `recursion` applies.
    pub depth: u32,
    /// Where copies would exceed the budget, or `nested`.
    pub over_budget: RefChoice,
    /// How many copies may stand around a reference that is still replaced, one inside the other, itself counted.
    pub nested: u32,
    /// At a reference that leads nowhere, or out of the document.
    pub unresolved: RefChoice,
    /// What the description says of JSON text, in place of the usual words.
    pub words: Option<String>,
}

/// How null is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullForm {
    /// `type: [T, "null"]`.
    TypeList,
    /// `anyOf: [T, {type: "null"}]`.
    AnyOf,
    /// `nullable: true`.
    Nullable,
    /// Not at all: absent instead, for optional properties.
    Drop,
}

/// Which members `retain` keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retain {
    /// Names that `properties` declares.
    Declared,
    /// Values that the node's own type takes.
    FitsType,
    /// Everything but `""`.
    NonEmptyText,
    /// Strings.
    Text,
    /// The first of equal members.
    Unique,
}

/// The fixed order of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Phase {
    Repair,
    Resolve,
    Normalise,
    Wrap,
    Recode,
    Filter,
    Close,
    Name,
    Describe,
    /// What becomes of a tool among others; no operation belongs to it.
    Request,
}

impl Phase {
    /// The phases of a tool's rewriting, in order.
    pub const ALL: [Phase; 9] = [
        Phase::Repair,
        Phase::Resolve,
        Phase::Normalise,
        Phase::Wrap,
        Phase::Recode,
        Phase::Filter,
        Phase::Close,
        Phase::Name,
        Phase::Describe,
    ];

    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Phase::Repair => "repair",
            Phase::Resolve => "resolve",
            Phase::Normalise => "normalise",
            Phase::Wrap => "wrap",
            Phase::Recode => "recode",
            Phase::Filter => "filter",
            Phase::Close => "close",
            Phase::Name => "name",
            Phase::Describe => "describe",
            Phase::Request => "request",
        }
    }
}

impl Op {
    /// Every operation's word in rule files.
    pub const WORDS: &'static [&'static str] = &[
        "repair",
        "inline-refs",
        "hoist-refs",
        "prune-defs",
        "drop",
        "keep",
        "drop-off-type",
        "rename",
        "listify",
        "unwrap",
        "merge-all-of",
        "merge-branches",
        "required-note",
        "split",
        "push",
        "infer-type",
        "inclusive-bounds",
        "union-items",
        "set",
        "wrap-root",
        "json-text",
        "entries",
        "fields",
        "text-enum",
        "alias-literals",
        "null-as",
        "retain",
        "close",
        "require-optional",
        "rename-properties",
        "rename-tool",
        "describe",
        "give-schema",
        "omit-schema",
        "refuse",
        "leave-out",
    ];

    /// The operation's word and phase.
    #[must_use]
    pub const fn spec(&self) -> (&'static str, Option<Phase>) {
        match self {
            Op::Repair(_) => ("repair", Some(Phase::Repair)),
            Op::InlineRefs(_) => ("inline-refs", Some(Phase::Resolve)),
            Op::HoistRefs { .. } => ("hoist-refs", Some(Phase::Resolve)),
            Op::PruneDefs => ("prune-defs", Some(Phase::Resolve)),
            Op::Drop { .. } => ("drop", Some(Phase::Filter)),
            Op::Keep { .. } => ("keep", Some(Phase::Filter)),
            Op::DropOffType => ("drop-off-type", Some(Phase::Filter)),
            Op::Rename { .. } => ("rename", Some(Phase::Normalise)),
            Op::Listify { .. } => ("listify", Some(Phase::Normalise)),
            Op::Unwrap => ("unwrap", Some(Phase::Normalise)),
            Op::MergeAllOf => ("merge-all-of", Some(Phase::Normalise)),
            Op::MergeBranches => ("merge-branches", Some(Phase::Normalise)),
            Op::RequiredNote => ("required-note", Some(Phase::Normalise)),
            Op::Split { .. } => ("split", Some(Phase::Normalise)),
            Op::Push => ("push", Some(Phase::Normalise)),
            Op::InferType { .. } => ("infer-type", Some(Phase::Normalise)),
            Op::InclusiveBounds => ("inclusive-bounds", Some(Phase::Normalise)),
            Op::UnionItems => ("union-items", Some(Phase::Normalise)),
            Op::Set { .. } => ("set", Some(Phase::Filter)),
            Op::WrapRoot { .. } => ("wrap-root", Some(Phase::Wrap)),
            Op::JsonText { .. } => ("json-text", Some(Phase::Recode)),
            Op::Entries { .. } => ("entries", Some(Phase::Recode)),
            Op::Fields { .. } => ("fields", Some(Phase::Recode)),
            Op::TextEnum => ("text-enum", Some(Phase::Recode)),
            Op::AliasLiterals => ("alias-literals", Some(Phase::Recode)),
            Op::NullAs(_) => ("null-as", Some(Phase::Filter)),
            Op::Retain { .. } => ("retain", Some(Phase::Filter)),
            Op::Close => ("close", Some(Phase::Close)),
            Op::RequireOptional { .. } => ("require-optional", Some(Phase::Close)),
            Op::RenameProperties { .. } => ("rename-properties", Some(Phase::Name)),
            Op::RenameTool { .. } => ("rename-tool", Some(Phase::Name)),
            Op::Describe { .. } => ("describe", Some(Phase::Describe)),
            Op::GiveSchema { .. } => ("give-schema", Some(Phase::Repair)),
            Op::OmitSchema => ("omit-schema", Some(Phase::Wrap)),
            Op::Refuse => ("refuse", None),
            Op::LeaveOut => ("leave-out", None),
        }
    }

    /// The word in rule files and events.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        self.spec().0
    }

    /// When it is carried out; `None` for `refuse` and `leave-out`.
    #[must_use]
    pub const fn phase(&self) -> Option<Phase> {
        self.spec().1
    }
}
