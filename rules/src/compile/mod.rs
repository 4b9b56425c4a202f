//! The bridge from file types to the engine's plan; every check of the data is made here.

pub(crate) mod binding;
mod change;
mod example;
pub(crate) mod ops;
mod pred;
pub(crate) mod rule;
pub(crate) mod scope;
mod select;
pub(crate) mod terms;
pub(crate) mod words;
