//! RFC 9535 selectors, evaluated relative to a node of the tree.
//!
//! The syntax is parsed by a library where rule files are loaded; this is the closed form it is lowered to.
//! Descendant segments are left out on purpose: the walker already visits every schema.

use crate::tree::{Id, Kind, Tree};

/// A query without descendant segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    /// Its segments, from the visited node down.
    pub segments: Vec<Segment>,
}

/// One segment: the union of its selectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment(pub Vec<Step>);

/// One selector.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A member by name.
    Name(String),
    /// An element by index; negative counts from the end.
    Index(i64),
    /// `start:end:step`.
    Slice(Option<i64>, Option<i64>, Option<i64>),
    /// Every member or element.
    Wildcard,
    /// Those for which the expression holds.
    Filter(Expr),
}

/// A logical expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// All hold.
    And(Vec<Expr>),
    /// One holds.
    Or(Vec<Expr>),
    /// It does not hold.
    Not(Box<Expr>),
    /// The query selects something.
    Exists(Query),
    /// A comparison.
    Compare(Operand, Cmp, Operand),
}

/// A query inside a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// `$` (the visited node) or `@` (the candidate).
    pub from_root: bool,
    /// Its segments.
    pub segments: Vec<Segment>,
}

/// Something that is compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A literal.
    Literal(serde_json::Value),
    /// A singular query.
    Query(Query),
    /// `length(query)`: characters, elements or members.
    Length(Query),
    /// `count(query)`: how many nodes it selects.
    Count(Query),
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}
