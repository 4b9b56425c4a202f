//! The page that says, behaviour by behaviour, how we stand to the four systems that came before.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::Result;
use schemalect_conformance::parity::features::{self, Feature, Scope, State};
use schemalect_conformance::parity::{Outcome, System};

use super::cell;

const HEAD: &str = "\
# Parity with the systems that came before

Every documented behaviour of agent_adapter, schemashim, tesserix_adk and PersonalClaw's tool schemas, and what shows that it is here: worked examples
(`conformance/parity/*.jsonl`, each one a test) and other tests. *Same*: we do what they do; *in another form* where theirs is a thing of its language, such as
a class of exceptions, and a thing of Rust does the same. *Better*: they are wrong there, and we do what is right; the fault is one of those [listed below](#faults),
or it is stated in the row. The record of each has both outcomes, theirs and ours. *Differs*: we do something else, and say why. Scope E is what an engine for schemas
does, P what belongs to the system's own product.

";

/// The page.
pub(super) fn page() -> Result<String> {
    let outcomes = features::outcomes()?;
    let features = features::load()?;
    let mut out = HEAD.to_owned();
    out.push_str("| system | examples | same | better | differs | open | behaviours | same | better | differs | open |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for system in System::ALL {
        let records = system.records()?;
        let of = |record: &str| outcomes.get(record).map_or("open", of_record);
        let words: Vec<&str> = records.iter().map(|record| of(&record.id)).collect();
        let rows: Vec<&Feature> = features.iter().filter(|feature| feature.system() == Some(system)).collect();
        let states: Vec<&str> = rows.iter().map(|feature| of_state(&feature.state(&outcomes))).collect();
        let _ = writeln!(out, "| {} | {} | {} |", system.name(), counts(&words), counts(&states));
    }
    for system in System::ALL {
        let _ = write!(out, "\n## {}\n\n| id | scope | behaviour | here | shown by |\n|---|---|---|---|---|\n", system.name());
        for feature in features.iter().filter(|feature| feature.system() == Some(system)) {
            row(&mut out, feature, &outcomes);
        }
    }
    out.push_str("\n## Faults\n\nWhat the rows above name. `F-`: seen when the system ran; `D-`: follows from its documentation.\n\n| id | what happens there | what is right |\n|---|---|---|\n");
    for fault in features::faults()? {
        let _ = writeln!(out, "| {} | {} | {} |", fault.id, cell(&fault.fault), cell(&fault.right));
    }
    Ok(out)
}

fn row(out: &mut String, feature: &Feature, outcomes: &BTreeMap<String, Outcome>) {
    let state = feature.state(outcomes);
    let scope = match feature.scope {
        Scope::E => "E",
        Scope::P => "P",
    };
    let tests = feature.tests.iter().map(|test| format!("`{test}`"));
    let shown: Vec<String> = spans(&feature.records).into_iter().chain(tests).collect();
    let _ =
        writeln!(out, "| {} | {scope} | {} | {} | {} |", feature.id, cell(&feature.title), cell(&told(&state)), cell(&shown.join(", ")));
}

fn of_record(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Same => "same",
        Outcome::Better(_) => "better",
        Outcome::Differs(_) => "differs",
        Outcome::Todo | Outcome::Wrong(_) => "open",
    }
}

fn of_state(state: &State) -> &'static str {
    match state {
        State { todo, wrong, .. } if !todo.is_empty() || !wrong.is_empty() => "open",
        State { differs, .. } if !differs.is_empty() => "differs",
        State { better, .. } if !better.is_empty() => "better",
        _ => "same",
    }
}

fn told(state: &State) -> String {
    let list = |words: &BTreeSet<String>| words.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
    let word = of_state(state);
    let mut out = Vec::new();
    if matches!(word, "open" | "same") && state.form.is_empty() {
        return word.to_owned();
    }
    if !state.better.is_empty() {
        out.push(format!("better: {}", list(&state.better)));
    }
    if !state.form.is_empty() {
        out.push(format!("same, in another form: {}", list(&state.form)));
    }
    if !state.differs.is_empty() {
        out.push(format!("differs: {}", list(&state.differs)));
    }
    out.join("; ")
}

fn counts(words: &[&str]) -> String {
    let count = |word: &str| words.iter().filter(|w| **w == word).count();
    format!("{} | {} | {} | {} | {}", words.len(), count("same"), count("better"), count("differs"), count("open"))
}

/// Ids with runs of numbers drawn together: `aa-005 to 008`.
fn spans(ids: &[String]) -> Vec<String> {
    let number = |id: &str| id.rsplit('-').next().and_then(|number| number.parse::<usize>().ok());
    let mut out: Vec<(String, String)> = Vec::new();
    for id in ids {
        match out.last_mut() {
            Some((_, last)) if number(last).map(|n| n + 1) == number(id) => *last = id.clone(),
            _ => out.push((id.clone(), id.clone())),
        }
    }
    let write = |(first, last): (String, String)| {
        if first == last { first } else { format!("{first} to {}", last.rsplit('-').next().unwrap_or_default()) }
    };
    out.into_iter().map(write).collect()
}
