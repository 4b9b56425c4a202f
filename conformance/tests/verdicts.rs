//! One test a recorded verdict of a surface that has a profile: its judgement is good, or it is a miss that the committed score lists.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;

use libtest_mimic::{Arguments, Failed, Trial};
use schemalect::Profiles;
use schemalect_conformance::judge::Judge;
use schemalect_conformance::judgement::Judgement;
use schemalect_conformance::suite::{self, Case};
use schemalect_conformance::{pages, verdict};

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
    libtest_mimic::run(&Arguments::from_args(), scored.map(trial).collect()).exit();
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
