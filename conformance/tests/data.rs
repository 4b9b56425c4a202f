//! The form of the recorded verdicts: canonical, each id once, each file of one surface.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::HashSet;
use std::fs;

use schemalect_conformance::executed;
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

/// The same for executed answers and for what is asked of whom; each engine answers each of its questions once.
#[test]
fn executed_files_are_canonical() {
    let mut rewritten = Vec::new();
    let mut keep = |path: std::path::PathBuf, canonical: String| {
        if fs::read_to_string(&path).unwrap() != canonical {
            fs::write(&path, canonical).unwrap();
            rewritten.push(path);
        }
    };
    for (profile, answers) in executed::load_answers().unwrap() {
        keep(executed::folder().join(format!("{profile}.jsonl")), executed::answers_text(answers).unwrap());
    }
    keep(executed::recorders().join("engines.jsonl"), executed::written(&executed::engines().unwrap()));
    keep(executed::recorders().join("cases.jsonl"), executed::written(&executed::questions().unwrap()));
    assert_eq!(rewritten, Vec::<std::path::PathBuf>::new(), "not in canonical form; rewritten, look at the difference");
    let (questions, answered) = (executed::questions().unwrap(), executed::load().unwrap());
    for engine in executed::engines().unwrap() {
        let asked: Vec<&str> = questions.iter().filter(|q| engine.groups.contains(&q.group)).map(|q| q.case.as_str()).collect();
        let mut told: Vec<&str> =
            answered.iter().filter(|ran| ran.engine.engine == engine.engine).map(|ran| ran.question.case.as_str()).collect();
        told.sort_by_key(|case| asked.iter().position(|a| a == case));
        told.dedup();
        let of_engine = answered.iter().filter(|ran| ran.engine.engine == engine.engine).count();
        assert_eq!(of_engine, told.len(), "{}: a question is answered twice", engine.engine);
        assert!(told.iter().all(|case| asked.contains(case)), "{}: an answer to what is not asked", engine.engine);
        assert!(engine.asks.is_none() || told == asked, "{}: not every question is answered", engine.engine);
    }
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

/// Every surface of which an answer was recorded has a profile, or a line on the page that says why it has none; and the page names every profile.
#[test]
fn every_surface_is_accounted_for() {
    let page = include_str!("../../docs/surfaces.md");
    let (families, without) = page.split_once("## No profile").expect("two parts");
    let words: Vec<&str> = families.split('`').skip(1).step_by(2).collect();
    let named = |name: &str| words.iter().any(|word| *word == name || word.strip_suffix('…').is_some_and(|head| name.starts_with(head)));
    let suffixed = |name: &str| words.iter().any(|word| word.starts_with('-') && name.strip_suffix(*word).is_some_and(&named));
    let profiles = schemalect::Profiles::builtin().unwrap();
    let library = profiles.rule_library();
    let unnamed: Vec<String> = library
        .profiles()
        .filter(|info| !library.group(&info.name).is_some_and(|group| group.apart))
        .map(|info| info.name)
        .filter(|name| !named(name) && !suffixed(name))
        .collect();
    assert_eq!(unnamed, Vec::<String>::new(), "docs/surfaces.md names every profile");
    for (stem, _) in verdict::load(&folder()).unwrap() {
        let known = library.profile(&stem).is_some() || without.contains(&format!("`{stem}`"));
        assert!(known, "docs/surfaces.md says why `{stem}` has no profile");
    }
}
