//! The dates of a binding are held against those that verdicts and sources tell.
#![allow(clippy::unwrap_used, missing_docs)]

use schemalect::rules::Library;
use schemalect_conformance::judge::Judge;
use schemalect_conformance::{intervals, suite, verdict};

/// What is wrong with the dates of a binding, given a refusal on 2026-01-10 and an acceptance on 2026-03-10.
fn check(dates: &str, seen: &str, faults: &[&str]) {
    let rule = std::fs::read_to_string(format!("{}/../rules/shared/const-present.yaml", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let profile = format!(
        "profile: p\ntitle: A surface\nwire: {{ name: /name, description: /description, schema: /parameters }}\nstages: [schema]\nrules:\n  \
         - {{ rule: const-present, stage: schema, says: no const, {dates}, sources: [ {{ documented: a reference, seen: {seen} }} ] }}\n"
    );
    let verdicts = r#"
{"id":"a","profile":"p","date":"2026-01-10","kind":"schema","input":{"const":1},"outcome":"rejected","message":"no const","path":""}
{"id":"b","profile":"p","date":"2026-03-10","kind":"schema","input":{"const":1},"outcome":"accepted"}
"#;
    let library = Library::new([("rules/shared/const-present.yaml".to_owned(), rule)], [("p.yaml".to_owned(), profile)]).unwrap();
    let cases = suite::judge(&Judge::new(&library, None), verdict::read("here", verdicts).unwrap()).unwrap();
    let found: Vec<String> = intervals::of(&library, &cases).unwrap().iter().flat_map(intervals::Dated::faults).collect();
    assert_eq!(found, faults, "{dates}, a source of {seen}");
}

#[test]
fn dates() {
    check("until: 2026-01-10..2026-03-10", "2026-01-01", &[]);
    check("until: 2026-02-01", "2026-01-01", &[]);
    check("until: 2026-01-20..2026-03-10", "2026-01-20", &[]);
    check("until: 2026-01-10..2026-02-01", "2026-02-01", &[]);
    check(
        "until: 2026-01-20..2026-03-10",
        "2026-01-01",
        &[
            "p/const-present: `until`: the verdicts have it as before on 2026-01-10",
            "p/const-present: `until`: neither a verdict nor a source tells of 2026-01-20, the day it was as before",
        ],
    );
    check("until: 2026-01-10..", "2026-01-01", &["p/const-present: `until`: the verdicts have it as after on 2026-03-10"]);
    check("until: 2026-04-01", "2026-01-01", &["p/const-present: `until`: the verdicts have it as after on 2026-03-10"]);
    check("since: ..2026-01-10", "2026-01-01", &[]);
    check("since: 2026-01-01..2026-01-10", "2026-01-01", &[]);
    check(
        "since: 2026-01-01..2026-01-05",
        "2026-01-01",
        &[
            "p/const-present: `since`: the verdicts have it as after on 2026-01-10",
            "p/const-present: `since`: neither a verdict nor a source tells of 2026-01-05, the day it was as after",
        ],
    );
}
