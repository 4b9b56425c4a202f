//! The words of the language whose tables the engine does not hold.

use schemalect_engine::op::{NullForm, RefChoice, Retain};
use schemalect_engine::plan::{Level, Measure, Over, Site, TextOf, Unit};

pub(crate) const SITES: [(&str, Site); 3] = [("request", Site::Request), ("tool", Site::Tool), ("schema", Site::Schema)];

/// The word for a site.
pub(crate) const fn site(site: Site) -> &'static str {
    match site {
        Site::Request => "request",
        Site::Tool => "tool",
        Site::Schema => "schema",
    }
}

pub(crate) const LEVELS: [(&str, Level); 3] = [("error", Level::Error), ("warning", Level::Warning), ("style", Level::Style)];

pub(crate) const MEASURES: [(&str, Measure); 14] = [
    ("level", Measure::Level),
    ("depth", Measure::Depth),
    ("schemas", Measure::Schemas),
    ("properties", Measure::Properties),
    ("property-count", Measure::PropertyCount),
    ("required-count", Measure::RequiredCount),
    ("enum-values", Measure::EnumValues),
    ("literal-chars", Measure::LiteralChars),
    ("branches", Measure::Branches),
    ("bytes", Measure::Bytes),
    ("optional", Measure::Optional),
    ("unions", Measure::Unions),
    ("max-items-sum", Measure::MaxItemsSum),
    ("tools", Measure::Tools),
];

pub(crate) const OVERS: [(&str, Over); 3] = [("node", Over::Node), ("schema", Over::Schema), ("request", Over::Request)];

pub(crate) const TEXTS: [(&str, TextOf); 3] =
    [("name", TextOf::Name), ("description", TextOf::Description), ("property-name", TextOf::PropertyName)];

pub(crate) const UNITS: [(&str, Unit); 3] = [("chars", Unit::Chars), ("bytes", Unit::Bytes), ("utf16", Unit::Utf16)];

pub(crate) const REF_CHOICES: [(&str, RefChoice); 4] =
    [("keep", RefChoice::Keep), ("bare", RefChoice::Bare), ("json-text", RefChoice::JsonText), ("refuse", RefChoice::Refuse)];

pub(crate) const NULL_FORMS: [(&str, NullForm); 4] =
    [("type-list", NullForm::TypeList), ("any-of", NullForm::AnyOf), ("nullable", NullForm::Nullable), ("drop", NullForm::Drop)];

pub(crate) const RETAINS: [(&str, Retain); 5] = [
    ("declared", Retain::Declared),
    ("fits-type", Retain::FitsType),
    ("non-empty-text", Retain::NonEmptyText),
    ("text", Retain::Text),
    ("unique", Retain::Unique),
];

/// The placeholders of messages.
pub(crate) const PLACEHOLDERS: [&str; 5] = ["key", "value", "path", "limit", "count"];
