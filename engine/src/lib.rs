//! A rule engine over JSON Schema: it checks a schema against a compiled [`plan::Plan`], adapts a copy, and
//! says which rule fired, where and why.
//!
//! Read [`tree`] (the document), [`keyword`] (what JSON Schema's keywords hold), [`attr`] (what is derived of a
//! node), [`plan`] (rules), [`op`] (rewrites), then the verbs.
//!
//! The engine knows no provider, reads no file and has no clock.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo, clippy::unimplemented)
)]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::string_slice, clippy::arithmetic_side_effects))]
#![allow(clippy::cast_possible_truncation)]

pub mod adapt;
pub mod attr;
pub mod budget;
pub mod canonical;
pub mod check;
pub mod codec;
mod codecs;
mod counted;
pub mod date;
pub mod definitions;
mod doc;
mod edit;
pub mod effect;
mod exclusive;
pub mod facts;
pub mod finding;
mod index;
pub mod keyword;
pub mod log;
mod look;
pub mod measure;
mod memo;
mod note;
pub mod op;
mod outlook;
mod parse;
pub mod path;
pub mod pattern;
pub mod plan;
pub mod pred;
mod print;
pub mod refs;
pub mod regex_scan;
pub mod restore;
mod rule_set;
pub mod select;
pub mod site;
pub mod spelling;
pub mod tree;
pub mod valid;
mod values;

pub use budget::{Budget, ReadError, Telling};
pub use effect::Effects;
pub use finding::Finding;
pub use keyword::Kw;
pub use plan::Plan;
pub use tree::{Id, Kind, Tree};
