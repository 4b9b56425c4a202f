//! `cargo xtask mutate`: breaks every binding in turn; a recorded verdict has to notice.

use anyhow::{Result, bail};
use schemalect_conformance::judge::Judge;
use schemalect_conformance::mutate::{self, Fate, Mutant};
use schemalect_conformance::{executed, suite, verdict};

use crate::data;

/// Runs the chore; false where a binding that claims to be pinned can be taken out unnoticed.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let profile = match words {
        [] => None,
        [profile] if !profile.starts_with('-') => Some(profile.as_str()),
        _ => bail!("cargo xtask mutate [PROFILE]"),
    };
    let library = data::library()?;
    let verdicts = verdict::load(&verdict::folder())?.into_iter().flat_map(|(_, verdicts)| verdicts).collect();
    let cases = suite::judge(&Judge::new(&library, None), verdicts).map_err(|errors| data::told(&errors))?;
    let ran = executed::judge(&Judge::new(&library, None), executed::load()?).map_err(|errors| data::told(&errors))?;
    let mutants = mutate::run(&library, &cases, &ran, profile).map_err(|errors| data::told(&errors))?;
    let survivors: Vec<&Mutant> = mutants.iter().filter(|m| m.fate == Fate::Survived).collect();
    for mutant in &survivors {
        let why = mutant.unpinned.as_deref().unwrap_or("PINNED");
        println!("survived: {}/{} {} ({why})", mutant.profile, mutant.id, mutant.breakage.word());
    }
    let judged = mutants.iter().filter(|m| matches!(m.fate, Fate::Judged(_))).count();
    let told = mutants.iter().filter(|m| matches!(m.fate, Fate::Told(_))).count();
    println!(
        "{} broken bindings: {judged} change a judgement, {told} only the account of a verdict, {} survive",
        mutants.len(),
        survivors.len()
    );
    Ok(survivors.iter().all(|mutant| mutant.unpinned.is_some()))
}
