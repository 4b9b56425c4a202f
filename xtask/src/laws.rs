//! `cargo xtask laws`: values of every schema of the corpus, there and back through every profile.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context, Result};
use rayon::prelude::*;
use schemalect_conformance::laws::{Outcome, Subject};
use schemalect_conformance::{Rng, schemas};
use schemalect_engine::Effects;

use crate::{corpus, data};

/// What the chore asks for besides.
struct Trial {
    line: Option<String>,
    random: Option<u64>,
    instances: usize,
    seed: u64,
    allow: Effects,
}

fn asked(words: &[String]) -> Result<(corpus::Asked, Trial)> {
    let mut trial = Trial { line: None, random: None, instances: 20, seed: 1, allow: Effects::DEFAULT_ALLOWED };
    let asked = corpus::Asked::of(words, |word, value| {
        match word {
            "--line" => trial.line = Some(format!(":{value}")),
            "--random" => trial.random = Some(value.parse()?),
            "--instances" => trial.instances = value.parse()?,
            "--seed" => trial.seed = value.parse()?,
            "--allow" => trial.allow = effects(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok((asked, trial))
}

fn effects(words: &str) -> Result<Effects> {
    let mut out = Effects::NONE;
    for word in words.split(',').filter(|w| *w != "none") {
        out = out.with(Effects::of(word).with_context(|| format!("unknown effect {word}"))?);
    }
    Ok(out)
}

/// Runs the chore; false where a promise is broken.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let (asked, trial) = asked(words)?;
    let folder = data::corpus();
    println!("corpus: {}   instances: {}   seed: {}   allowed: {}", folder.display(), trial.instances, trial.seed, trial.allow);
    let plans = data::plans(&asked.profiles)?;
    println!(
        "{:<27} {:<28} {:>7} {:>9} {:>7} {:>8} {:>6} {:>8} {:>9} {:>7} {:>7} {:>6}",
        "file", "profile", "schemas", "instances", "lost", "lost %", "extra", "(lost)", "null=none", "answers", "gained", "broken"
    );
    let mut all = Outcome::default();
    let files: Vec<&str> = if trial.random.is_some() { vec!["made by chance"] } else { corpus::files(&asked.files).collect() };
    for file in files {
        let mut entries = match trial.random {
            Some(count) => (0..count).map(|i| corpus::Entry::of_schema(i, &schemas::schema(&mut Rng::new(trial.seed + i)))).collect(),
            None => corpus::entries(&folder, file, asked.sample)?,
        };
        if let Some(line) = &trial.line {
            entries.retain(|e| e.label.ends_with(line.as_str()));
            entries.iter().for_each(|e| println!("{}", e.text));
        }
        let start = Instant::now();
        let subjects: Vec<_> =
            entries.par_iter().filter_map(|e| Some((&e.label, Subject::of(&e.text, trial.instances, trial.seed)?))).collect();
        let (judged, empty) = (subjects.len(), subjects.iter().filter(|(_, s)| s.valid.is_empty()).count());
        println!(
            "{file}: {} of {} schemas can be judged, for {empty} no value was found ({} ms)",
            judged,
            entries.len(),
            start.elapsed().as_millis()
        );
        for plan in &plans {
            let judge = |(label, subject): &(&String, Subject)| {
                let mut out = subject.judge(plan, trial.allow, trial.seed);
                out.violations.iter_mut().for_each(|v| v.insert_str(0, &format!("{label}: {} ", plan.profile)));
                out
            };
            let out = subjects.par_iter().map(judge).reduce(Outcome::default, Outcome::join);
            print(file, &plan.profile, judged, &out, asked.show);
            all = all.join(Outcome { violations: vec![String::new(); out.violations.len()], ..out });
        }
    }
    println!("together: {} instances, {} broken promises", all.instances, all.violations.len());
    for (what, rules) in [("lost", &all.lost), ("lost with undeclared keys", &all.lost_undeclared), ("gained", &all.gained)] {
        println!("{what}: {}", by_count(rules, usize::MAX));
    }
    Ok(all.violations.is_empty())
}

fn print(file: &str, profile: &str, schemas: usize, out: &Outcome, show: usize) {
    let lost: usize = out.lost.values().sum();
    let declared = out.instances - out.undeclared;
    println!(
        "{file:<27} {profile:<28} {schemas:>7} {:>9} {lost:>7} {:>8.3} {:>6} {:>8} {:>9} {:>7} {:>7} {:>6}",
        out.instances,
        100.0 * lost as f64 / declared.max(1) as f64,
        out.undeclared,
        out.lost_undeclared.values().sum::<usize>(),
        out.null_or_absent,
        out.answers,
        out.gained.values().sum::<usize>(),
        out.violations.len(),
    );
    if show > 0 && lost > 0 {
        println!("    lost: {}", by_count(&out.lost, 8));
    }
    for violation in out.violations.iter().take(show) {
        println!("    broken: {violation}");
    }
}

fn by_count(rules: &BTreeMap<String, usize>, most: usize) -> String {
    let mut list: Vec<_> = rules.iter().collect();
    list.sort_by_key(|(rule, count)| (std::cmp::Reverse(**count), rule.as_str()));
    list.iter().take(most).map(|(rule, count)| format!("{rule} {count}")).collect::<Vec<_>>().join(", ")
}
