//! The part of `cargo xtask conform` that is about engines and SDKs: their answers against the profiles.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use schemalect_conformance::executed::{self, Case, Ran, Row};
use schemalect_conformance::judge::Judge;

use crate::data;

/// The answers of a profile, of all where none is named; those with this id or to this question where one is named.
pub(crate) fn judged(judge: &Judge<'_>, profile: Option<&str>, case: Option<&str>) -> Result<Vec<Case>> {
    let mut answers = executed::load()?;
    let asked = |ran: &Ran| case.is_none_or(|case| case == ran.id() || case == ran.question.case);
    answers.retain(|ran| profile.is_none_or(|profile| profile == ran.engine.profile) && asked(ran));
    executed::judge(judge, answers).map_err(|errors| data::told(&errors))
}

/// The score, a line an engine.
pub(crate) fn table(cases: &[Case]) -> String {
    let mut out = format!("\n{:34} {:>9} {}\n", "executed", "predicted", Row::heads());
    let mut all = Row { engine: "all".to_owned(), ..Row::default() };
    let rows = executed::rows(cases);
    rows.iter().for_each(|row| all.join(row));
    for row in rows.iter().chain([&all]) {
        let (scored, good) = row.predicted();
        let share = if scored == 0 { "-".to_owned() } else { format!("{:.1}%", 100.0 * good as f64 / scored as f64) };
        let _ = writeln!(out, "{:34} {share:>9} {}", row.engine, row.cells());
    }
    out
}

/// One answer in full.
pub(crate) fn one(case: &Case) -> String {
    let Case { ran, judged, remade } = case;
    let mut out =
        format!("{} {}: {} {}\n  {}\n", ran.engine.profile, ran.id(), ran.answer.outcome.word(), judged.judgement.word(), judged.detail);
    let _ = writeln!(out, "  input: {}", ran.question.input.get());
    if let Some(message) = &ran.answer.message {
        let _ = writeln!(out, "  message: {message}");
    }
    if let Some(remade) = remade {
        let schemas: Vec<&str> = remade.schemas.iter().map(|(_, schema)| schema.as_str()).collect();
        let _ = writeln!(out, "  adapted: {} {}", remade.outcome, schemas.join(" "));
    }
    out
}

/// Misses that are not explained, in full.
pub(crate) fn unexplained(cases: &[Case]) -> String {
    cases.iter().filter(|case| case.judged.is_miss() && case.ran.answer.unpredicted.is_none()).map(one).collect()
}

/// What differs from the committed misses, a line an answer.
pub(crate) fn changed(cases: &[Case]) -> Result<Vec<String>> {
    let (known, now) = (executed::known_misses()?, executed::misses_of(cases));
    let line = |case: &Case| {
        let id = case.ran.id();
        match (now.get(&id), known.get(&id)) {
            (Some(word), None) => Some(format!("new miss: {word} {id}")),
            (Some(word), Some(before)) if word != before => Some(format!("{id}: {before} before, {word} now")),
            (None, Some(before)) => Some(format!("better: {id} was {before}, is {}", case.judged.judgement.word())),
            _ => None,
        }
    };
    Ok(cases.iter().filter_map(line).collect())
}

/// Writes the answers in canonical form, without reasons for what is no miss any more.
pub(crate) fn bless(cases: &[Case]) -> Result<()> {
    let mut files: BTreeMap<String, Vec<executed::Answer>> = BTreeMap::new();
    for case in cases {
        let mut answer = (*case.ran.answer).clone();
        answer.engines = vec![case.ran.engine.engine.clone()];
        if !case.judged.is_miss() {
            answer.unpredicted = None;
        }
        files.entry(case.ran.engine.profile.clone()).or_default().push(answer);
    }
    Ok(executed::write_answers(&files)?)
}
