//! What is said for many profiles at once is what is said for each.
#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use schemalect::{Surface, ToolList};

fn check(list: &ToolList) {
    let surfaces = common::surfaces();
    let together = Surface::check_each(&surfaces, list, 2);
    assert_eq!(together.len(), surfaces.len());
    let mut findings = 0;
    for (surface, report) in surfaces.iter().zip(&together) {
        let alone = surface.check(list, 1);
        assert_eq!(format!("{report:?}"), format!("{alone:?}"), "{}", surface.name());
        findings += report.findings().count();
    }
    assert!(findings > surfaces.len(), "the tools are too plain");
}

#[test]
fn of_usual_tools() {
    check(&common::list(include_str!("../../examples/tools.json")));
}

#[test]
fn of_odd_tools() {
    let odd = [
        r##"{"name":"a b","parameters":{"type":["object","null"],"properties":{"x":{"$ref":"#"},"y":{"enum":["",1,null]}},"required":["x","z"]}}"##,
        r##"{"name":"b","parameters":{"type":"object","$defs":{"N":{"anyOf":[{"type":"null"},{"const":1}]}},"properties":{"n":{"$ref":"#/$defs/N"}}}}"##,
        r#"{"name":"b","description":"","parameters":{"type":"object","patternProperties":{"^(?=a)":{"maximum":1e400}},"type":"dict"}}"#,
        r#"{"name":"c"}"#,
        r#"{"name":5,"parameters":true}"#,
        r#"{"type":"web_search"}"#,
    ];
    check(&common::list(&format!("[{}]", odd.join(","))));
}
