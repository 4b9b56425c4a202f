//! What tests of whole lists share.
#![allow(clippy::unwrap_used, missing_docs, dead_code)]

use schemalect::{AdaptOptions, AdaptedList, Profiles, ReadOptions, Selection, Surface, ToolList, read};

/// Every built-in profile as of one day.
pub(crate) fn surfaces() -> Vec<Surface> {
    let profiles = Profiles::builtin().unwrap();
    let names: Vec<String> = profiles.rule_library().profile_names().map(ToOwned::to_owned).collect();
    names.iter().map(|name| profiles.resolve(name, &Selection::on("2026-11-29".parse().unwrap())).unwrap()).collect()
}

pub(crate) fn list(text: &str) -> ToolList {
    read(text.as_bytes(), &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}: {text}"))
}

pub(crate) fn adapt(surface: &Surface, text: &str) -> AdaptedList {
    surface.adapt(&list(text), &AdaptOptions::default()).unwrap()
}
