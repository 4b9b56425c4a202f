//! One test a recorded verdict of a surface that has a profile: its judgement is good, or it is a miss that the committed score lists.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;

use libtest_mimic::{Arguments, Failed, Trial};
use schemalect::Profiles;
use schemalect_conformance::judge::Judge;
use schemalect_conformance::judgement::Judgement;
use schemalect_conformance::score::Score;
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
    let far = far_off(&cases);
    let scored = cases.into_iter().filter(|case| case.judged.judgement != Judgement::Unscored);
    let ran = executed::judge(&Judge::new(profiles.rule_library(), None), executed::load().unwrap()).unwrap();
    let mut trials: Vec<Trial> = scored.map(trial).collect();
    trials.extend(engines(&ran));
    trials.push(Trial::test("no surface is far off what was recorded", move || far));
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

/// A surface of at least so many answers is judged by itself.
const MANY: usize = 20;
/// So much of what a surface answered is told right.
const WANTED: f64 = 0.93;

fn far_off(cases: &[Case]) -> Result<(), Failed> {
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    for case in cases {
        scores.entry(&case.verdict.profile).or_default().add(&case.verdict, &case.judged);
    }
    let share = |score: &Score| {
        let ((refused, told), (taken, silent)) = (score.rejected(), score.accepted());
        (refused + taken, (told + silent) as f64 / (refused + taken).max(1) as f64)
    };
    let told = scores.iter().map(|(profile, score)| (*profile, share(score)));
    let far: Vec<_> = told.filter(|(_, (all, share))| *all >= MANY && *share < WANTED).collect();
    if far.is_empty() { Ok(()) } else { Err(format!("too little is told right: {far:?}").into()) }
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
