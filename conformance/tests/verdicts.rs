//! One test a recorded verdict of a surface that has a profile: its judgement is good, or it is a miss that the committed score lists.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;

use libtest_mimic::{Arguments, Failed, Trial};
use schemalect::Profiles;
use schemalect_conformance::judge::Judge;
use schemalect_conformance::judgement::Judgement;
use schemalect_conformance::suite::{self, Case};
use schemalect_conformance::{executed, pages, verdict};

fn main() {
    let profiles = Profiles::builtin().unwrap();
    let verdicts = verdict::load(&verdict::folder()).unwrap().into_iter().flat_map(|(_, verdicts)| verdicts).collect();
    let cases = suite::judge(&Judge::new(profiles.rule_library(), None), verdicts).unwrap();
    let known = pages::known_misses().unwrap();
    let trial = |case: Case| {
        let outcome = check(&case, &known);
        let name = format!("{}::{}", case.verdict.profile, case.verdict.id);
        Trial::test(name, move || outcome)
    };
    let scored = cases.into_iter().filter(|case| case.judged.judgement != Judgement::Unscored);
    let ran = executed::judge(&Judge::new(profiles.rule_library(), None), executed::load().unwrap()).unwrap();
    let mut trials: Vec<Trial> = scored.map(trial).collect();
    trials.extend(engines(&ran));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// One test an engine: its misses are those that the committed page lists.
fn engines(ran: &[executed::Case]) -> Vec<Trial> {
    let (known, now) = (executed::known_misses().unwrap(), executed::misses_of(ran));
    let of = |engine: &str, misses: &BTreeMap<String, String>| -> BTreeMap<String, String> {
        misses
            .iter()
            .filter(|(id, _)| id.split_once(':').is_some_and(|(e, _)| e == engine))
            .map(|(id, word)| (id.clone(), word.clone()))
            .collect()
    };
    let trial = |row: executed::Row| {
        let (before, after) = (of(&row.engine, &known), of(&row.engine, &now));
        let told = format!("listed: {before:?}\nnow:    {after:?}\n`cargo xtask conform --bless` writes the score anew");
        Trial::test(format!("executed::{}", row.engine), move || if before == after { Ok(()) } else { Err(told.into()) })
    };
    executed::rows(ran).into_iter().map(trial).collect()
}

fn check(case: &Case, known: &BTreeMap<String, String>) -> Result<(), Failed> {
    let listed = known.get(&case.verdict.id).map(String::as_str);
    let word = case.judged.judgement.word();
    let bless = "`cargo xtask conform --bless` writes the score anew";
    match (case.judged.is_miss(), listed) {
        (false, None) => Ok(()),
        (true, Some(listed)) if listed == word => Ok(()),
        (true, _) => Err(format!("{word}: {}\n{bless}", case.judged.detail).into()),
        (false, Some(listed)) => Err(format!("no miss any more ({listed} before, {word} now)\n{bless}").into()),
    }
}
