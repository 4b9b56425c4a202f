//! Every committed input, and a fixed number of changes of those in `corpus`, on any compiler: the same every time. What was found and is
//! fixed stands in `regressions`, and is tried as it is.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use schemalect::engine::Kw;
use schemalect_fuzz::{Rng, TARGETS, dictionary, mutate};

/// The committed inputs of a target in a folder, by file name.
fn inputs(folder: &str, target: &str) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(target));
    let mut inputs: Vec<(String, Vec<u8>)> = files
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), std::fs::read(&path).expect("it is read")))
        .collect();
    inputs.sort();
    inputs
}

fn check(target: &str, runs: usize) {
    let (_, run) = TARGETS.iter().find(|(name, _)| *name == target).expect("a target");
    let (inputs, regressions) = (inputs("corpus", target), inputs("regressions", target));
    assert!(!inputs.is_empty(), "{target} has no inputs to start from");
    let holds = |input: &[u8], what: &str| {
        let held = catch_unwind(AssertUnwindSafe(|| run(input))).is_ok();
        assert!(held, "{target}, {what}:\n{}", input.escape_ascii());
    };
    for (name, input) in inputs.iter().chain(&regressions) {
        holds(input, name);
    }
    let mut rng = Rng::new(u64::from_le_bytes(*b"hostile!"));
    for number in 0..runs {
        let (name, input) = &inputs[rng.below(inputs.len())];
        let (_, donor) = &inputs[rng.below(inputs.len())];
        holds(&mutate(&mut rng, input, donor), &format!("{name} changed, number {number}"));
    }
}

#[test]
fn parse() {
    check("parse", 60_000);
}

#[test]
fn check_() {
    check("check", 30_000);
}

#[test]
fn adapt() {
    check("adapt", 15_000);
}

#[test]
fn restore() {
    check("restore", 10_000);
}

#[test]
fn plan() {
    check("plan", 30_000);
}

#[test]
fn diagnose() {
    check("diagnose", 8_000);
}

#[test]
fn profile() {
    check("profile", 6_000);
}

#[test]
fn tools() {
    check("tools", 6_000);
}

/// Inputs are longer than the fuzzer likes where the words of the language are missing.
#[test]
fn the_dictionary_has_every_keyword() {
    let words: BTreeSet<&str> = dictionary().into_iter().collect();
    let missing: Vec<&str> = Kw::ALL.iter().map(|kw| kw.name()).filter(|name| !words.contains(name)).collect();
    assert_eq!(missing, [""; 0]);
}
