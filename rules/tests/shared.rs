//! The shared rules: every file loads, and its name is its id.

mod common;

use schemalect_rules::{Library, ProfileError};

#[test]
fn every_file_loads() {
    let files = common::files(&common::folder("shared"));
    let count = files.len();
    let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    match Library::new(files, []) {
        Ok(library) => {
            let ids: Vec<String> = library.rules().map(|rule| format!("{}.yaml", rule.id)).collect();
            assert_eq!(ids, names);
        }
        Err(errors) => {
            let all: String = errors.iter().map(ProfileError::render).map(|error| error + "\n\n").collect();
            panic!("{all}{} mistakes in {count} files", errors.len());
        }
    }
}
