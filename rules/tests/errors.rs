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

/// What a stranger can write is told in few words, and bounded.
#[test]
fn limits() {
    let bomb = (b'b'..=b'i').map(|c| format!("{0}: &{0} [{1}]\n", c as char, vec![format!("*{}", (c - 1) as char); 9].join(",")));
    let bomb = format!("a: &a [x, x, x, x, x, x, x, x, x]\n{}", bomb.collect::<String>());
    let facts: String = (0..1_200).map(|n| format!("  f{n}: [a]\n")).collect();
    let cases = [
        ("large", format!("about: {}\n", "x".repeat(5 << 20)), "the file has 5242949 bytes, and more than 4194304 are not read"),
        ("bomb", bomb, "the file holds too many values; what an alias stands for counts each time"),
        ("deep-lists", format!("facts: {{ a: {}{} }}\n", "[".repeat(5_000), "]".repeat(5_000)), "values are nested too deeply"),
        ("deep-maps", format!("facts: {{ a: {}1{} }}\n", "{a: ".repeat(3_000), "}".repeat(3_000)), "values are nested too deeply"),
        ("two", "---\nprofile: other\ntitle: x\n".to_owned(), "a second document begins here"),
        ("endless", "facts: { a: 1e999 }\n".to_owned(), "a number must be finite"),
        ("unread", format!("facts:\n{facts}"), "no binding reads the fact `f0`"),
    ];
    for (name, text, told) in cases {
        let errors = profile(format!("{name}.yaml"), format!("profile: {name}\ntitle: what a stranger writes\nextends: parent\n{text}"));
        assert_eq!(errors.first().map(ProfileError::message), Some(told), "{name}");
        assert!(errors.len() <= 1_001 && errors.iter().all(|error| error.render().len() < 2_000), "{name}: {}", errors.len());
    }
}
