//! Counts of judgements: positives and negatives apart, then every miss in full.

use serde_json::{Value, json};

use crate::judgement::{Judged, Judgement, Placing};
use crate::verdict::{Outcome, Verdict};

/// Counts of judgements, with the misses.
#[derive(Clone, Debug, Default)]
pub struct Score {
    counts: Vec<(Judgement, usize)>,
    places: [usize; 3],
    /// The misses, in the order in which they were added.
    pub misses: Vec<Miss>,
}

/// A verdict for which the prediction fell short.
#[derive(Clone, Debug)]
pub struct Miss {
    /// The verdict's id.
    pub id: String,
    /// Its surface.
    pub profile: String,
    /// The judgement.
    pub judgement: Judgement,
    /// What was found and what was expected.
    pub detail: String,
    /// Why the profile does not predict it, where the verdict says so.
    pub why: Option<String>,
}

impl Score {
    /// Counts one verdict.
    pub fn add(&mut self, verdict: &Verdict, judged: &Judged) {
        match self.counts.iter_mut().find(|(known, _)| *known == judged.judgement) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((judged.judgement, 1)),
        }
        if judged.judgement == Judgement::Unscored {
            return;
        }
        if verdict.outcome == Outcome::Rejected {
            self.places[judged.placing as usize] += 1;
        }
        if judged.is_miss() {
            let place = match judged.placing {
                Placing::Other if !judged.judgement.is_miss() => "at another place: ",
                _ => "",
            };
            self.misses.push(Miss {
                id: verdict.id.clone(),
                profile: verdict.profile.clone(),
                judgement: judged.judgement,
                detail: format!("{place}{}", judged.detail),
                why: verdict.unpredicted.clone(),
            });
        }
    }

    /// Adds the counts of another score.
    pub fn join(&mut self, other: &Score) {
        for (judgement, count) in &other.counts {
            match self.counts.iter_mut().find(|(known, _)| known == judgement) {
                Some((_, known)) => *known += count,
                None => self.counts.push((*judgement, *count)),
            }
        }
        for (known, count) in self.places.iter_mut().zip(other.places) {
            *known += count;
        }
        self.misses.extend(other.misses.iter().cloned());
    }

    /// How many verdicts have a judgement.
    #[must_use]
    pub fn count(&self, judgement: Judgement) -> usize {
        self.counts.iter().find(|(known, _)| *known == judgement).map_or(0, |(_, count)| *count)
    }

    /// How many refused verdicts have their place treated so.
    #[must_use]
    pub fn placed(&self, placing: Placing) -> usize {
        self.places[placing as usize]
    }

    /// How many verdicts there are.
    #[must_use]
    pub fn total(&self) -> usize {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// How many refused verdicts are scored, and how many of them are predicted.
    #[must_use]
    pub fn rejected(&self) -> (usize, usize) {
        let good = self.count(Judgement::Hit) + self.count(Judgement::Caught);
        let bad = [Judgement::WrongReason, Judgement::Missing, Judgement::RejectedUndecided].map(|j| self.count(j));
        (good + bad.iter().sum::<usize>(), good)
    }

    /// How many accepted verdicts are scored, and how many of them are predicted.
    #[must_use]
    pub fn accepted(&self) -> (usize, usize) {
        let good = self.count(Judgement::Silent);
        (good + self.count(Judgement::Noisy) + self.count(Judgement::AcceptedUndecided), good)
    }

    /// The score as JSON, the form of which is a contract.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let group = |judgements: &[Judgement]| -> Value {
            judgements.iter().map(|&j| (j.word().to_owned(), json!(self.count(j)))).collect::<serde_json::Map<_, _>>().into()
        };
        use Judgement as J;
        json!({
            "total": self.total(),
            "unscored": self.count(J::Unscored),
            "rejected": group(&[J::Hit, J::Caught, J::WrongReason, J::Missing, J::RejectedUndecided]),
            "accepted": group(&[J::Silent, J::Noisy, J::AcceptedUndecided]),
            "ignored": group(&[J::Known, J::Unknown]),
            "degraded": group(&[J::Warned, J::DegradedSilent]),
            "paths": {
                "exact": self.placed(Placing::Exact),
                "other": self.placed(Placing::Other),
                "unknown": self.placed(Placing::Unknown),
            },
            "misses": self.misses.iter().map(Miss::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Miss {
    fn to_json(&self) -> Value {
        json!({ "id": self.id, "profile": self.profile, "judgement": self.judgement.word(), "detail": self.detail })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_every_count() {
        let empty = json!({
            "total": 0, "unscored": 0,
            "rejected": {"hit": 0, "caught": 0, "wrong_reason": 0, "missing": 0, "undecided": 0},
            "accepted": {"silent": 0, "noisy": 0, "undecided": 0},
            "ignored": {"known": 0, "unknown": 0}, "degraded": {"warned": 0, "silent": 0},
            "paths": {"exact": 0, "other": 0, "unknown": 0}, "misses": [],
        });
        assert_eq!(Score::default().to_json(), empty);
    }
}
