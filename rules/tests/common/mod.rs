//! The rules and profiles that the tests share.

#![allow(dead_code, reason = "each test binary uses a part")]

use std::fs;
use std::path::{Path, PathBuf};

use schemalect_rules::Library;

/// The base rules and profiles.
pub(crate) fn library() -> Library {
    let base = folder("tests/base");
    Library::new(files(&base.join("rules")), files(&base.join("profiles"))).expect("the base files are right")
}

/// A folder of this crate.
pub(crate) fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The YAML files of a folder by name, with their texts.
pub(crate) fn files(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "yaml"));
    paths.sort();
    paths.iter().map(|path| (name(path), fs::read_to_string(path).expect("a text"))).collect()
}

/// The last part of a path.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
