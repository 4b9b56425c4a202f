//! What the predictions are worth, engine by engine.

use serde_json::{Value, json};

use super::{Became, Case};
use crate::judgement::Judgement;
use crate::verdict::Outcome;

/// The score of one engine.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The engine.
    pub engine: String,
    /// The profile that it speaks for.
    pub profile: String,
    /// How many inputs it refused, and of how many that is predicted.
    pub refused: (usize, usize),
    /// How many inputs it took, and of how many that is predicted.
    pub taken: (usize, usize),
    /// How many it took without force, and of how many the profile warns.
    pub without_force: (usize, usize),
    /// How many inputs were refused by other rules than the message speaks of.
    pub other_reason: usize,
    /// How many inputs that it enforces the profile warns of all the same.
    pub warned_in_vain: usize,
    /// How many answers are kept and not scored.
    pub unscored: usize,
}

fn cells([refused, taken, force, reason, vain, unscored]: [&str; 6]) -> String {
    format!("{refused:>9} {taken:>9} {force:>13} {reason:>12} {vain:>14} {unscored:>8}")
}

impl Row {
    /// What stands above [`Row::cells`].
    #[must_use]
    pub fn heads() -> String {
        cells(["refused", "taken", "without force", "other reason", "warned in vain", "unscored"])
    }

    /// The counts, in aligned columns.
    #[must_use]
    pub fn cells(&self) -> String {
        let pair = |(all, good): (usize, usize)| format!("{good}/{all}");
        let counts = [self.other_reason, self.warned_in_vain, self.unscored].map(|n| n.to_string());
        let pairs = [self.refused, self.taken, self.without_force].map(pair);
        let [refused, taken, force] = &pairs;
        let [reason, vain, unscored] = &counts;
        cells([refused, taken, force, reason, vain, unscored])
    }

    /// How many answers are scored, and how many of them are predicted to be refused or taken as they were.
    #[must_use]
    pub const fn predicted(&self) -> (usize, usize) {
        (self.refused.0 + self.taken.0, self.refused.1 + self.taken.1)
    }

    fn add(&mut self, case: &Case) {
        let Some(predicted) = case.predicted() else {
            self.unscored += 1;
            return;
        };
        let outcome = case.ran.answer.outcome.outcome();
        let side = if outcome == Outcome::Rejected { &mut self.refused } else { &mut self.taken };
        *side = (side.0 + 1, side.1 + usize::from(predicted));
        if outcome == Outcome::SilentlyIgnored {
            let known = case.judged.judgement == Judgement::Known;
            self.without_force = (self.without_force.0 + 1, self.without_force.1 + usize::from(known));
        }
        self.other_reason += usize::from(case.judged.judgement == Judgement::WrongReason);
        let warned = || case.judged.findings.iter().any(|(_, f)| f.level == schemalect::engine::plan::Level::Warning);
        self.warned_in_vain += usize::from(case.ran.answer.outcome == Became::Enforced && warned());
    }

    /// Adds the counts of another engine.
    pub fn join(&mut self, other: &Row) {
        for (own, other) in
            [(&mut self.refused, other.refused), (&mut self.taken, other.taken), (&mut self.without_force, other.without_force)]
        {
            *own = (own.0 + other.0, own.1 + other.1);
        }
        self.other_reason += other.other_reason;
        self.warned_in_vain += other.warned_in_vain;
        self.unscored += other.unscored;
    }

    /// The row as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let pair = |(all, predicted): (usize, usize)| json!({ "total": all, "predicted": predicted });
        json!({
            "engine": self.engine,
            "profile": self.profile,
            "refused": pair(self.refused),
            "taken": pair(self.taken),
            "without_force": { "total": self.without_force.0, "known": self.without_force.1 },
            "other_reason": self.other_reason,
            "warned_in_vain": self.warned_in_vain,
            "unscored": self.unscored,
        })
    }
}

/// A row an engine, in the order in which they first appear.
#[must_use]
pub fn rows(cases: &[Case]) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::new();
    for case in cases {
        let engine = &case.ran.engine;
        let at = out.iter().position(|row| row.engine == engine.engine).unwrap_or_else(|| {
            out.push(Row { engine: engine.engine.clone(), profile: engine.profile.clone(), ..Row::default() });
            out.len() - 1
        });
        out[at].add(case);
    }
    out
}
