//! What pins each binding: the verdicts that it explains, and those that contradict each other.

use std::collections::BTreeMap;

use schemalect::engine::plan::Level;
use schemalect::rules::{BindingInfo, Library};

use crate::executed;
use crate::judgement::{Judged, Judgement};
use crate::suite::{Case, normal};
use crate::verdict::Outcome;

/// A binding and what pins it.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The profile that declares it.
    pub profile: String,
    /// The binding.
    pub binding: BindingInfo,
    /// Ids and dates of the verdicts that it explains, of this profile and of those that inherit it, sorted by date.
    pub pins: Vec<(String, String)>,
    /// The executed answers that it explains: engine, question, and whether the profile describes that engine.
    pub ran: Vec<(String, String, bool)>,
}

impl Evidence {
    /// Whether a recorded verdict, or an answer of the very engine that the profile describes, rests on it.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        !self.pins.is_empty() || self.ran.iter().any(|(_, _, itself)| *itself)
    }

    /// How many executed answers of each engine it explains.
    #[must_use]
    pub fn engines(&self) -> BTreeMap<&str, usize> {
        let mut out = BTreeMap::new();
        self.ran.iter().for_each(|(engine, _, _)| *out.entry(engine.as_str()).or_default() += 1);
        out
    }

    /// The first and the last day of its evidence.
    #[must_use]
    pub fn span(&self) -> Option<(&str, &str)> {
        let mut dates = self.pins.iter().map(|(_, date)| date.as_str()).filter(|date| !date.is_empty());
        let first = dates.next()?;
        Some((first, dates.next_back().unwrap_or(first)))
    }
}

/// The evidence of every binding, each at the profile that declares it.
#[must_use]
pub fn of(library: &Library, cases: &[Case], ran: &[executed::Case]) -> Vec<Evidence> {
    let mut out = Vec::new();
    let mut at: BTreeMap<(String, String), usize> = BTreeMap::new();
    let profiles: Vec<_> = library.profiles().collect();
    for profile in &profiles {
        for binding in profile.bindings.iter().filter(|binding| binding.home == profile.name) {
            at.insert((profile.name.clone(), binding.id.clone()), out.len());
            out.push(Evidence { profile: profile.name.clone(), binding: binding.clone(), pins: Vec::new(), ran: Vec::new() });
        }
    }
    let own = |profile: &str, rule: &str| {
        let profile = profiles.iter().find(|known| known.name == profile)?;
        let home = profile.bindings.iter().find(|binding| binding.id == rule).map(|binding| binding.home.clone())?;
        at.get(&(home, rule.to_owned())).copied()
    };
    for case in cases {
        for rule in pinning(&case.judged) {
            if let Some(at) = own(&case.verdict.profile, &rule) {
                out[at].pins.push((case.verdict.id.clone(), case.verdict.date.clone().unwrap_or_default()));
            }
        }
    }
    for case in ran {
        let engine = &case.ran.engine;
        for rule in pinning(&case.judged) {
            if let Some(at) = own(&engine.profile, &rule) {
                out[at].ran.push((engine.engine.clone(), case.ran.question.case.clone(), engine.itself));
            }
        }
    }
    for evidence in &mut out {
        evidence.pins.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
    }
    out
}

/// The bindings that a verdict pins: those that explain a refusal, and those that warn where a keyword has no force.
fn pinning(judged: &Judged) -> Vec<String> {
    match judged.judgement {
        Judgement::Hit | Judgement::Caught => judged.rules.clone(),
        Judgement::Known | Judgement::Warned => {
            let warnings = judged.findings.iter().filter(|(_, f)| f.level == Level::Warning);
            warnings.map(|(_, f)| f.rule.rsplit('/').next().unwrap_or_default().to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

/// Verdicts of one surface on one input that disagree: the ids and dates of the refusals, then of the acceptances.
#[must_use]
pub fn contradictions(cases: &[Case]) -> Vec<(String, Vec<String>, Vec<String>)> {
    let mut groups: BTreeMap<(String, String), (Vec<String>, Vec<String>)> = BTreeMap::new();
    for Case { verdict, judged, .. } in cases {
        if judged.judgement == Judgement::Unscored {
            continue;
        }
        let entry = groups.entry((verdict.profile.clone(), normal(verdict.input.get()))).or_default();
        let told = format!("{} ({})", verdict.id, verdict.date.as_deref().unwrap_or("undated"));
        if verdict.outcome == Outcome::Rejected { entry.0.push(told) } else { entry.1.push(told) }
    }
    let both = groups.into_iter().filter(|(_, (refused, taken))| !refused.is_empty() && !taken.is_empty());
    both.map(|((profile, _), (refused, taken))| (profile, refused, taken)).collect()
}
