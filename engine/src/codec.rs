//! What recoding operations leave behind so that arguments can be mapped back.

use serde_json::Value;

use crate::attr::Types;

/// How the arguments at one node are mapped back.
#[derive(Clone, Debug, PartialEq)]
pub enum Codec {
    /// Null under this property stands for absent; `nullable`: the tool's own schema takes null there too.
    NullIsAbsent {
        /// The property.
        property: String,
        /// Whether null was a value of its own.
        nullable: bool,
        /// Whether the tool's own schema says that no value means null.
        default_null: bool,
    },
    /// The model leaves out what the tool may be given as null.
    AbsentForNull {
        /// The property.
        property: String,
    },
    /// The model leaves out what the tool is given as null.
    NullForAbsent {
        /// The property.
        property: String,
    },
    /// The text is JSON.
    ParseJson {
        /// The types of the values; none where they may be anything.
        types: Types,
        /// Whether null is written as null.
        nullable: bool,
    },
    /// A list of entries is an object; under `rest` it joins the other properties.
    Entries {
        /// The entries' member for the key.
        key: String,
        /// The entries' member for the value.
        value: String,
        /// The property that holds the list, where the object has properties of its own.
        rest: Option<String>,
        /// Those properties.
        named: Vec<String>,
    },
    /// An object is a list.
    Fields {
        /// The members, in order.
        names: Vec<String>,
        /// The member that holds the remaining elements.
        rest: Option<String>,
        /// So many elements there must be.
        least: usize,
    },
    /// The arguments are wrapped in an object.
    Unwrap {
        /// The wrapping property.
        name: String,
    },
    /// A text stands for a literal.
    FromText {
        /// Text and literal.
        values: Vec<(String, Value)>,
        /// Texts that stand for themselves.
        plain: Vec<String>,
    },
    /// A property has another name.
    Rename {
        /// As the model writes it.
        from: String,
        /// As the tool expects it.
        to: String,
    },
}
