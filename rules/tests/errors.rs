//! One bad file for each mistake, and how it is shown.

mod common;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use schemalect_rules::{Library, ProfileError};

#[test]
fn errors() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("errors");
    settings.set_omit_expression(true);
    settings.bind(|| insta::glob!("errors/*.yaml", |path| insta::assert_snapshot!("error", check(path))));
}

fn check(path: &Path) -> String {
    let name = common::name(path);
    let text = fs::read_to_string(path).expect("a text");
    let errors = if name.ends_with(".rule.yaml") { rule(name.clone(), text) } else { profile(name.clone(), text) };
    assert!(!errors.is_empty(), "{name}: nothing is wrong with it");
    let mut out = String::new();
    for error in &errors {
        writeln!(out, "{error}\n\n{}\n", error.render()).expect("a string takes all");
    }
    out
}

fn rule(name: String, text: String) -> Vec<ProfileError> {
    Library::new([(name, text)], []).err().unwrap_or_default()
}

fn profile(name: String, text: String) -> Vec<ProfileError> {
    let mut library = common::library();
    match library.add_profile(name, text) {
        Ok(name) => library.check(&name),
        Err(errors) => errors,
    }
}
