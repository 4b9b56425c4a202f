//! Checks the schemas of LLM tools against what each provider takes, and rewrites copies that fit.
//!
//! What a provider takes is data: YAML profiles, with the sources of every rule. [`Profiles`] holds the built-in ones
//! and a user's own, [`read`] reads tools in any form, a [`Surface`] checks and adapts them.
//!
//! ```
//! use schemalect::{AdaptOptions, Call, Profiles, ReadOptions, RestoreOptions, Selection, read};
//!
//! let own = std::env::temp_dir().join("schemalect-doc-example.yaml");
//! std::fs::write(&own, "
//! profile: example
//! title: An API that refuses const
//! wire: { name: /name, description: /description, schema: /parameters }
//! stages: [schema]
//! rules:
//!   - rule: const-present
//!     stage: schema
//!     sources: [ { documented: 'https://example.org', seen: 2026-11-29 } ]
//! ")?;
//! let profiles = Profiles::builtin()?.with_file(&own)?;
//! let surface = profiles.resolve("example", &Selection::on("2026-11-29".parse()?))?;
//!
//! let tools = br#"[{"name": "move", "inputSchema": {"type": "object", "properties": {"axis": {"const": "x"}}}}]"#;
//! let list = read(tools, &ReadOptions::default())?;
//! let report = surface.check(&list, 1);
//! let adapted = surface.adapt(&list, &AdaptOptions::default())?;
//!
//! // Send `adapted`, take the model's reply, and map its calls back.
//! let plans = adapted.plans();
//! let reply = serde_json::json!({"tool_calls": [{"function": {"name": "move", "arguments": "{\"axis\": \"x\"}"}}]});
//! for call in Call::all_in(&reply) {
//!     let restored = plans.restore(call, &RestoreOptions::default())?;
//!     assert_eq!((restored.name.as_deref(), restored.arguments), (Some("move"), serde_json::json!({"axis": "x"})));
//! }
//! # let _ = report;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo, clippy::unimplemented)
)]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::string_slice, clippy::arithmetic_side_effects))]

mod adapt;
mod answer;
mod call;
mod canonical;
mod catalog;
mod change;
mod diagnose;
mod generate;
mod json;
mod most;
mod names;
mod offer;
mod parallel;
#[cfg(feature = "validate")]
mod preflight;
mod profiles;
mod read;
mod recorded;
mod report;
mod restore;
mod settle;
mod spec;
mod strict;
mod surface;
#[cfg(feature = "toolbox")]
pub mod toolbox;
mod unseen;
#[cfg(feature = "validate")]
mod validate;
mod wire;

pub use adapt::{AdaptOptions, AdaptedList, AdaptedTool, Dropped, OnUnfixable, Outcome, Unfixable};
pub use answer::write_event;
pub use call::Call;
pub use canonical::canonical_schema;
#[cfg(feature = "hash")]
pub use canonical::{hash_of_text, schema_hash, schema_hash_in};
pub use catalog::{Listed, catalog};
pub use change::Change;
pub use diagnose::{Blamed, Confidence, Diagnoser, Match, Pointed, refused_tools};
#[cfg(feature = "schemars")]
pub use generate::{Callable, schema_for, schema_for_with, schema_of};
pub use generate::{CapabilityError, DeclareError, Dialect, SchemaGenerationError, SchemaOptions, Shortcoming, declare};
pub use json::{Json, pretty};
#[cfg(feature = "log")]
pub use offer::log_offer;
pub use offer::{Census, Crowded, Defect, NameChoice, Offer, OfferFate, OfferNote, OfferOptions, name_census};
#[cfg(feature = "validate")]
pub use preflight::{Lack, Preflight, Refusal, RefusalKind};
pub use profiles::{Profiles, ProfilesError};
pub use read::{
    Document, Form, Input, InputError, Line, LineReader, Opened, Place, Problem, ReadOptions, Text, Tool, ToolList, open, read,
};
pub use recorded::{executed_of, recorded, recorded_of};
pub use report::{Placed, Report, ToolReport, write_finding, write_source};
pub use restore::{RestorePlans, RestoredCall, UnknownTool};
pub use schemalect_engine as engine;
pub use schemalect_engine::canonical::Form as CanonicalForm;
pub use schemalect_engine::date::Day;
pub use schemalect_engine::plan::Level;
pub use schemalect_engine::restore::{
    Issue, IssueKind, IssueLevel, Lenient, RestoreOptions, RestorePlan, read_boolean, read_json_text, read_list_text,
};
pub use schemalect_engine::{Budget, Effects, Finding};
pub use schemalect_rules as rules;
pub use schemalect_rules::Selection;
#[cfg(feature = "schemars")]
pub use schemars;
pub use spec::{FieldSpec, enforced_schema};
pub use surface::Surface;
pub use unseen::unseen;
#[cfg(feature = "validate")]
pub use validate::{Mistake, Unchecked, Validation, Validator, validate};
