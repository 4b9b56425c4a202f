//! `cargo xtask names`: every tool name of the corpus, and many made by chance, through the mapping of every profile.

use std::collections::BTreeSet;
use std::time::Instant;

use anyhow::Result;
use schemalect::Profiles;
use schemalect_conformance::names::{broken, made};

use crate::{corpus, data};

/// Runs the chore; false where a promise is broken.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let (mut random, mut seed) = (100_000, 1);
    let asked = corpus::Asked::of(words, |word, value| {
        match word {
            "--random" => random = value.parse()?,
            "--seed" => seed = value.parse()?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let folder = data::corpus();
    println!("corpus: {}   names made: {random}   seed: {seed}", folder.display());
    let mut names: BTreeSet<String> = BTreeSet::new();
    for file in corpus::files(&asked.files) {
        names.extend(corpus::entries(&folder, file, asked.sample)?.into_iter().filter_map(|e| e.name));
    }
    names.retain(|name| !name.is_empty());
    let lists = [("corpus", names.into_iter().collect::<Vec<_>>()), ("made by chance", made(random, seed))];
    let profiles = Profiles::builtin()?;
    let (today, mut fine) = (data::today()?, true);
    for name in profiles.rule_library().profile_names().filter(|n| asked.profiles.is_empty() || asked.profiles.iter().any(|p| p == n)) {
        let surface = profiles.resolve(name, &today)?;
        for (what, list) in &lists {
            let start = Instant::now();
            let broken = broken(&surface, list, seed);
            println!("{name:<34} {what:<15} {:>7} names {:>5} broken {:>6} ms", list.len(), broken.len(), start.elapsed().as_millis());
            broken.iter().take(asked.show).for_each(|b| println!("    broken: {b}"));
            fine &= broken.is_empty();
        }
    }
    Ok(fine)
}
