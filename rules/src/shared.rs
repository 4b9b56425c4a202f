//! The files of `rules/shared`, which come with this crate.

include!(concat!(env!("OUT_DIR"), "/shared.rs"));
