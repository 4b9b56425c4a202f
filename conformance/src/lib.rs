//! Holds profiles against what is known of providers, and operations against their laws.
//!
//! Read `verdict` (what providers answered), `judge` (what a profile makes of it), `score` (what that is worth);
//! `instances` (values that a schema takes), `schemas` (schemas made by chance), `laws` (what adapting promises of values).
#![forbid(unsafe_code)]

pub mod evidence;
pub mod executed;
pub mod grid;
pub mod instances;
pub mod intervals;
pub mod judge;
pub mod judgement;
pub mod laws;
pub mod mutate;
pub mod names;
pub mod pages;
pub mod parity;
pub mod place;
pub mod record;
pub mod remake;
mod rng;
pub mod schemas;
pub mod score;
pub mod suite;
pub mod switches;
pub mod trace;
pub mod verdict;

pub use rng::Rng;
