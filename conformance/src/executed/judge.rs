//! Holds what engines answered against the profiles that they speak for.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use schemalect::rules::ProfileError;

use super::{Became, Ran};
use crate::judge::Judge;
use crate::judgement::{Judged, Judgement};
use crate::remake::Remade;
use crate::suite::normal;
use crate::verdict::Outcome;

/// An answer, its judgement, and what adapting makes of a refused input.
pub struct Case {
    /// The answer.
    pub ran: Ran,
    /// Its judgement.
    pub judged: Judged,
    /// What adapting makes of it, where it was refused by the package that the profile describes.
    pub remade: Option<Remade>,
}

impl Case {
    /// Whether the input is predicted to be taken or refused, as it was; nothing for what is not scored.
    #[must_use]
    pub fn predicted(&self) -> Option<bool> {
        if self.judged.judgement == Judgement::Unscored {
            return None;
        }
        let refused = self.judged.findings.iter().any(|(_, finding)| finding.refuses());
        Some(refused == (self.ran.answer.outcome.outcome() == Outcome::Rejected))
    }
}

/// Judges answers, in their order.
///
/// # Errors
/// A profile has mistakes.
pub fn judge(judge: &Judge<'_>, answers: Vec<Ran>) -> Result<Vec<Case>, Vec<ProfileError>> {
    let one = |ran: Ran| {
        let verdict = ran.verdict();
        let judged = judge.judge_within(&verdict, &ran.engine.within())?;
        let refused = judged.judgement != Judgement::Unscored && verdict.outcome == Outcome::Rejected;
        let remade = if refused && ran.engine.itself { judge.remake(&verdict)? } else { None };
        Ok::<_, Vec<ProfileError>>(Case { ran, judged, remade })
    };
    let mut cases: Vec<Case> = answers.into_par_iter().map(one).collect::<Result<_, _>>()?;
    refuted(&mut cases);
    Ok(cases)
}

/// A result that is said to be accepted is at fault where the same engine refused the same schema in another question.
fn refuted(cases: &mut [Case]) {
    let refused = |case: &&Case| matches!(case.ran.answer.outcome, Became::Rejected | Became::Crashed);
    let known: HashMap<(String, String), String> = cases
        .iter()
        .filter(refused)
        .map(|case| ((case.ran.engine.engine.clone(), normal(case.ran.question.input.get())), case.ran.question.case.clone()))
        .collect();
    for case in cases.iter_mut() {
        let engine = case.ran.engine.engine.clone();
        let Some(remade) = case.remade.as_mut().filter(|r| matches!(r.outcome, "unchanged" | "clean")) else { continue };
        for (_, schema) in &remade.schemas {
            if let Some(other) = known.get(&(engine.clone(), normal(schema))).filter(|other| **other != case.ran.question.case) {
                remade.faults.push(format!("said to be {}, but refused in {other}", remade.outcome));
            }
        }
    }
}

/// The answers for which the prediction falls short: by id, the word of the judgement.
#[must_use]
pub fn misses_of(cases: &[Case]) -> BTreeMap<String, String> {
    let missed = cases.iter().filter(|case| case.judged.is_miss());
    missed.map(|case| (case.ran.id(), case.judged.judgement.word().to_owned())).collect()
}
