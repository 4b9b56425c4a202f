//! One test a worked example of the four systems, and one a documented behaviour: nothing is answered otherwise than the record says or expects.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use std::collections::BTreeSet;

use libtest_mimic::{Arguments, Failed, Trial};
use schemalect_conformance::parity::features::{self, Feature};
use schemalect_conformance::parity::{Outcome, System};

fn main() {
    let outcomes = features::outcomes().unwrap();
    let features = features::load().unwrap();
    let faults = features::faults().unwrap();
    let mut trials = Vec::new();
    for system in System::ALL {
        let records = system.records().unwrap();
        let todo = records.iter().filter(|record| outcomes[&record.id] == Outcome::Todo).count();
        if todo > 0 {
            eprintln!("{}: {todo} of {} records are listed as todo", system.name(), records.len());
        }
        for record in records {
            let outcome = outcomes[&record.id].clone();
            let shown = features.iter().any(|feature| feature.records.contains(&record.id));
            trials.push(Trial::test(format!("{}::{}", system.name(), record.id), move || check(outcome, shown)));
        }
    }
    let ids: BTreeSet<&str> = features.iter().map(|feature| feature.id.as_str()).collect();
    assert_eq!(ids.len(), features.len(), "an id stands twice in features.jsonl");
    for feature in features {
        let mistakes = feature.mistakes(&outcomes, &faults);
        trials.push(Trial::test(format!("features::{}", feature.id), move || check_row(&feature, &mistakes)));
    }
    let claims: Vec<String> = features::load().unwrap().iter().flat_map(|feature| feature.state(&outcomes).better).collect();
    for fault in faults {
        let named = claims.iter().any(|claim| claim.split(", ").any(|id| id == fault.id));
        trials.push(Trial::test(
            format!("faults::{}", fault.id),
            move || {
                if named { Ok(()) } else { Err("no row names this fault".into()) }
            },
        ));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn check(outcome: Outcome, shown: bool) -> Result<(), Failed> {
    match outcome {
        Outcome::Wrong(why) => Err(why.into()),
        _ if !shown => Err("no row of features.jsonl names this record".into()),
        _ => Ok(()),
    }
}

fn check_row(feature: &Feature, mistakes: &[String]) -> Result<(), Failed> {
    if mistakes.is_empty() { Ok(()) } else { Err(format!("{}: {}", feature.title, mistakes.join("; ")).into()) }
}
