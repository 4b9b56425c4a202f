//! The form of the recorded verdicts: canonical, each id once, each file of one surface.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::HashSet;
use std::fs;

use schemalect_conformance::verdict::{self, folder};

/// Rewrites each file in its canonical form, and fails where that changed something.
#[test]
fn files_are_canonical() {
    let mut rewritten = Vec::new();
    for (stem, verdicts) in verdict::load(&folder()).unwrap() {
        let path = folder().join(format!("{stem}.jsonl"));
        let canonical = verdict::write(&verdicts).unwrap();
        if fs::read_to_string(&path).unwrap() != canonical {
            fs::write(&path, canonical).unwrap();
            rewritten.push(stem);
        }
    }
    assert_eq!(rewritten, Vec::<String>::new(), "these files were not in canonical form; they were rewritten, look at the difference");
}

#[test]
fn each_id_stands_once_and_in_the_file_of_its_surface() {
    let mut ids = HashSet::new();
    for (stem, verdicts) in verdict::load(&folder()).unwrap() {
        for verdict in verdicts {
            assert_eq!(verdict.profile, stem, "{}", verdict.id);
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
            assert!(!verdict.id.is_empty() && verdict.id.chars().all(plain), "{}: lower case, digits, `-` and `.` only", verdict.id);
            assert!(ids.insert(verdict.id.clone()), "{} stands twice", verdict.id);
        }
    }
}

#[test]
fn what_is_not_scored_says_why() {
    for verdict in verdict::load(&folder()).unwrap().into_iter().flat_map(|(_, verdicts)| verdicts) {
        assert_eq!(verdict.scorable, verdict.out_of_scope.is_none(), "{}", verdict.id);
        assert!(verdict.date.is_none() || verdict.day().is_some(), "{}: `{:?}` is no date", verdict.id, verdict.date);
        assert!(verdict.source.is_some(), "{}: no source", verdict.id);
    }
}
