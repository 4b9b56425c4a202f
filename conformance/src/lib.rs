//! Holds profiles against what is known of providers, and operations against their laws.
//!
//! Read `instances` (values that a schema takes), `schemas` (schemas made by chance), `laws` (what adapting promises of values).
#![forbid(unsafe_code)]

pub mod instances;
pub mod laws;
mod rng;
pub mod schemas;
pub mod trace;

pub use rng::Rng;
