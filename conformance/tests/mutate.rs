//! A binding that is broken is noticed where a verdict rests on it, and only there.
#![allow(clippy::unwrap_used, missing_docs)]

use schemalect::rules::Library;
use schemalect_conformance::judge::Judge;
use schemalect_conformance::mutate::{self, Breakage, Fate};
use schemalect_conformance::{suite, verdict};

const PROFILE: &str = r#"
profile: p
title: A surface of its own
wire: { name: /name, description: /description, schema: /parameters }
stages: [schema]
rules:
  - { rule: const-present, stage: schema, says: "no const", sources: [ { documented: the reference of a surface, seen: 2026-01-01 } ] }
  - { rule: one-of-present, stage: schema, level: style, sources: [ { documented: the reference of a surface, seen: 2026-01-01 } ] }
  - { rule: all-of-present, stage: schema, unpinned: documented, sources: [ { documented: the reference of a surface, seen: 2026-01-01 } ] }
"#;

const VERDICTS: &str = r#"
{"id":"a","profile":"p","date":"2026-01-02","kind":"schema","input":{"const":1},"outcome":"rejected","message":"no const","path":""}
{"id":"b","profile":"p","date":"2026-01-02","kind":"schema","input":{"oneOf":[{"type":"string"}]},"outcome":"accepted"}
"#;

#[test]
fn what_notices() {
    let rules = ["const-present", "one-of-present", "all-of-present"].map(|id| {
        let path = format!("rules/shared/{id}.yaml");
        let text = std::fs::read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR")));
        (path, text.unwrap())
    });
    let library = Library::new(rules, [("p.yaml".to_owned(), PROFILE.to_owned())]).unwrap();
    let cases = suite::judge(&Judge::new(&library, None), verdict::read("here", VERDICTS).unwrap()).unwrap();
    let mutants = mutate::run(&library, &cases, &[], None).unwrap();
    let check = |id: &str, breakage: Breakage, fate: Fate| {
        let mutant = mutants.iter().find(|m| m.id == id && m.breakage == breakage).unwrap();
        assert_eq!(mutant.fate, fate, "{id} {}", breakage.word());
    };
    assert_eq!(mutants.len(), 6);
    check("const-present", Breakage::Removed, Fate::Judged("a".to_owned()));
    check("const-present", Breakage::Inverted, Fate::Judged("a".to_owned()));
    check("one-of-present", Breakage::Removed, Fate::Told("b".to_owned()));
    check("all-of-present", Breakage::Removed, Fate::Survived);
    check("all-of-present", Breakage::Inverted, Fate::Judged("b".to_owned()));
}
