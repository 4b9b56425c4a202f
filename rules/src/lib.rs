//! Loads rule files and provider profiles, reports every mistake with its place, and compiles a
//! profile to an [`engine`] plan.
//!
//! Start with [`Library::new`]; [`Library::bind`] gives the plan of a profile for a day and switches,
//! [`Library::check`] everything that is wrong with one. The language of the files is described in
//! `docs/rule-language.md`. This crate opens no file and has no clock.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo, clippy::unimplemented)
)]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::string_slice, clippy::arithmetic_side_effects))]

mod bind;
mod check;
mod compile;
mod error;
mod file;
mod form;
mod group;
mod info;
mod library;
mod near;
mod says;
mod schema;
mod shared;
mod slot;
mod speaks;
mod wire;
mod yaml;

pub use bind::{Bound, LeftOut, Reason, Selection};
pub use error::ProfileError;
pub use group::GroupInfo;
pub use info::{BindingInfo, Example, ExampleTool, ProfileInfo, RuleInfo};
pub use library::Library;
pub use near::nearest;
pub use says::{Says, Speech};
pub use schema::{group_schema, profile_schema, rule_schema};
pub use schemalect_engine as engine;
pub use shared::SHARED_RULES;
pub use speaks::{PathForm, Pattern, Reports, Speaks};
pub use wire::Wire;
