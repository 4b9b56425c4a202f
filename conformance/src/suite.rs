//! All recorded verdicts, judged.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rayon::prelude::*;
use schemalect::rules::ProfileError;
use serde_json::Value;

use crate::judge::Judge;
use crate::judgement::{Judged, Judgement};
use crate::remake::Remade;
use crate::score::Score;
use crate::verdict::{Outcome, Verdict};

/// A verdict, its judgement, and what adapting makes of a refused input.
pub struct Case {
    /// The verdict.
    pub verdict: Verdict,
    /// Its judgement.
    pub judged: Judged,
    /// What adapting makes of it, where it was refused and is scored.
    pub remade: Option<Remade>,
    /// The era in which its profile was resolved; none where its surface has no profile.
    pub era: Option<String>,
}

/// Judges verdicts, in their order.
///
/// # Errors
/// A profile has mistakes.
pub fn judge(judge: &Judge<'_>, verdicts: Vec<Verdict>) -> Result<Vec<Case>, Vec<ProfileError>> {
    let one = |verdict: Verdict| {
        let judged = judge.judge(&verdict)?;
        let scored = judged.judgement != Judgement::Unscored && verdict.outcome == Outcome::Rejected;
        let remade = if scored { judge.remake(&verdict)? } else { None };
        let era = judge.era(&verdict)?;
        Ok::<_, Vec<ProfileError>>(Case { verdict, judged, remade, era })
    };
    let mut cases: Vec<Case> = verdicts.into_par_iter().map(one).collect::<Result<_, _>>()?;
    refuted(&mut cases);
    Ok(cases)
}

/// A result that is said to be accepted is at fault where the same input was refused in another verdict, and was never taken.
fn refuted(cases: &mut [Case]) {
    let mut known: HashMap<(String, String), (Vec<String>, bool)> = HashMap::new();
    for case in cases.iter().filter(|case| case.judged.judgement != Judgement::Unscored) {
        let entry = known.entry((case.verdict.profile.clone(), normal(case.verdict.input.get()))).or_default();
        match case.verdict.outcome {
            Outcome::Rejected => entry.0.push(case.verdict.id.clone()),
            _ => entry.1 = true,
        }
    }
    for case in cases.iter_mut() {
        let Some(remade) = case.remade.as_mut().filter(|r| matches!(r.outcome, "unchanged" | "clean")) else { continue };
        for (_, schema) in &remade.schemas {
            let Some((refused, false)) = known.get(&(case.verdict.profile.clone(), normal(schema))) else { continue };
            let others: Vec<&str> = refused.iter().map(String::as_str).filter(|id| *id != case.verdict.id).collect();
            if !others.is_empty() {
                remade.faults.push(format!("said to be {}, but refused in {}", remade.outcome, others.join(", ")));
            }
        }
    }
}

/// JSON text in one spelling, whatever the order of its keys.
#[must_use]
pub fn normal(text: &str) -> String {
    fn sorted(value: Value) -> Value {
        match value {
            Value::Object(members) => {
                let mut members: Vec<(String, Value)> = members.into_iter().map(|(key, value)| (key, sorted(value))).collect();
                members.sort_by(|a, b| a.0.cmp(&b.0));
                Value::Object(members.into_iter().collect())
            }
            Value::Array(items) => items.into_iter().map(sorted).collect(),
            other => other,
        }
    }
    serde_json::from_str(text).map_or_else(|_| text.to_owned(), |value| sorted(value).to_string())
}

/// The scores with one vote a group of equal inputs, in the order in which the surfaces first appear.
///
/// Reports of one surface on the same input in one era, with the same switches and outcome, are one group: nothing else could tell them
/// apart for a profile. A group is predicted where each of its reports is, so its vote is that of the worst.
#[must_use]
pub fn votes(cases: &[Case]) -> Vec<(String, Score)> {
    let mut groups: Vec<&Case> = Vec::new();
    let mut at: HashMap<(&str, String, Option<&str>, Outcome), usize> = HashMap::new();
    for case in cases {
        let verdict = &case.verdict;
        let input = format!("{:?} {}", verdict.kind, normal(verdict.input.get()));
        let worse = |known: &Case| (case.judged.is_miss(), case.judged.judgement) > (known.judged.is_miss(), known.judged.judgement);
        match at.entry((&verdict.profile, input, case.era.as_deref(), verdict.outcome)) {
            Entry::Vacant(vacant) => {
                vacant.insert(groups.len());
                groups.push(case);
            }
            Entry::Occupied(known) if worse(groups[*known.get()]) => groups[*known.get()] = case,
            Entry::Occupied(_) => {}
        }
    }
    scored(groups.into_iter())
}

/// The scores of the surfaces, in the order in which they first appear.
#[must_use]
pub fn scores(cases: &[Case]) -> Vec<(String, Score)> {
    scored(cases.iter())
}

fn scored<'c>(cases: impl Iterator<Item = &'c Case>) -> Vec<(String, Score)> {
    let mut out: Vec<(String, Score)> = Vec::new();
    for Case { verdict, judged, .. } in cases {
        let at = out.iter().position(|(profile, _)| *profile == verdict.profile).unwrap_or_else(|| {
            out.push((verdict.profile.clone(), Score::default()));
            out.len() - 1
        });
        out[at].1.add(verdict, judged);
    }
    out
}
