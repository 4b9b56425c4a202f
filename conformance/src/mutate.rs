//! Breaks each binding in turn, and looks whether a recorded verdict notices.

use std::fmt::Write;

use rayon::prelude::*;
use schemalect::engine::plan::{Pred, Test};
use schemalect::rules::{BindingInfo, Bound, Library, ProfileError};

use crate::executed;
use crate::judge::{Found, Judge};
use crate::judgement::Judgement;
use crate::remake::Remade;
use crate::suite::Case;
use crate::verdict::{Outcome, Verdict};

/// How a binding is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakage {
    /// It is taken out.
    Removed,
    /// It fires where it did not, and the other way round.
    Inverted,
}

impl Breakage {
    /// Both.
    pub const ALL: [Breakage; 2] = [Breakage::Removed, Breakage::Inverted];

    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Breakage::Removed => "removed",
            Breakage::Inverted => "inverted",
        }
    }

    /// Breaks the binding of this name in a profile that was resolved.
    fn apply(self, bound: &mut Bound, id: &str) {
        let is = |rule: &str| rule.rsplit('/').next() == Some(id);
        match self {
            Breakage::Removed => {
                bound.plan.rules.retain(|rule| !is(&rule.id));
                bound.says.retain(|says| !is(&says.rule));
            }
            Breakage::Inverted => {
                for rule in bound.plan.rules.iter_mut().filter(|rule| is(&rule.id)) {
                    let when = std::mem::take(&mut rule.when);
                    rule.when = Pred { tests: vec![Test::Not(Box::new(when))], ..Pred::default() };
                }
            }
        }
    }
}

/// A binding that was broken in one way.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The profile that declares it.
    pub profile: String,
    /// The binding.
    pub id: String,
    /// Why no verdict pins it, where it says so.
    pub unpinned: Option<String>,
    /// How it was broken.
    pub breakage: Breakage,
    /// What noticed.
    pub fate: Fate,
}

/// What notices that a binding is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The judgement of this verdict changes.
    Judged(String),
    /// The account of this verdict changes: what is found, or what adapting makes of it.
    Told(String),
    /// Nothing.
    Survived,
}

/// Breaks every binding in every way; `profile` keeps to those that one profile declares.
///
/// # Errors
/// A profile has mistakes.
pub fn run(library: &Library, cases: &[Case], ran: &[executed::Case], profile: Option<&str>) -> Result<Vec<Mutant>, Vec<ProfileError>> {
    let base = Judge::new(library, None);
    let profiles: Vec<_> = library.profiles().collect();
    let mut todo = Vec::new();
    for info in profiles.iter().filter(|info| profile.is_none_or(|name| name == info.name)) {
        for binding in info.bindings.iter().filter(|binding| binding.home == info.name) {
            // The cases of every profile that has this binding from here.
            let heirs: Vec<&str> = profiles
                .iter()
                .filter(|heir| heir.bindings.iter().any(|b| b.id == binding.id && b.home == info.name))
                .map(|heir| heir.name.as_str())
                .collect();
            let scored = cases.iter().filter(|case| case.judged.judgement != Judgement::Unscored);
            let touched: Vec<&Case> = scored.filter(|case| heirs.contains(&case.verdict.profile.as_str())).collect();
            let scored = ran.iter().filter(|case| case.judged.judgement != Judgement::Unscored);
            let ran: Vec<&executed::Case> = scored.filter(|case| heirs.contains(&case.ran.engine.profile.as_str())).collect();
            todo.extend(Breakage::ALL.map(|breakage| (binding, (touched.clone(), ran.clone()), breakage)));
        }
    }
    let one = |(binding, (touched, ran), breakage): (&BindingInfo, (Vec<&Case>, Vec<&executed::Case>), Breakage)| {
        let judge = Judge::over(&base, |bound: &mut Bound| breakage.apply(bound, &binding.id));
        Ok(Mutant {
            profile: binding.home.clone(),
            id: binding.id.clone(),
            unpinned: binding.unpinned.clone(),
            breakage,
            fate: match fate(&judge, &touched)? {
                Fate::Judged(id) => Fate::Judged(id),
                other => match fate_of_executed(&judge, &ran)? {
                    Fate::Survived => other,
                    Fate::Told(id) => {
                        if other == Fate::Survived {
                            Fate::Told(id)
                        } else {
                            other
                        }
                    }
                    judged => judged,
                },
            },
        })
    };
    todo.into_par_iter().map(one).collect()
}

fn fate(judge: &Judge<'_>, cases: &[&Case]) -> Result<Fate, Vec<ProfileError>> {
    let mut told = None;
    for case in cases {
        let now = judge.judge(&case.verdict)?;
        if (now.judgement, now.placing) != (case.judged.judgement, case.judged.placing) {
            return Ok(Fate::Judged(case.verdict.id.clone()));
        }
        if told.is_none()
            && (findings(&now.findings) != findings(&case.judged.findings)
                || remade(judge, &case.verdict)? != case.remade.clone().map(plain))
        {
            told = Some(case.verdict.id.clone());
        }
    }
    Ok(told.map_or(Fate::Survived, Fate::Told))
}

fn fate_of_executed(judge: &Judge<'_>, cases: &[&executed::Case]) -> Result<Fate, Vec<ProfileError>> {
    let mut told = None;
    for case in cases {
        let now = judge.judge_within(&case.ran.verdict(), &case.ran.engine.within())?;
        if now.judgement != case.judged.judgement {
            return Ok(Fate::Judged(case.ran.id()));
        }
        if told.is_none() && findings(&now.findings) != findings(&case.judged.findings) {
            told = Some(case.ran.id());
        }
    }
    Ok(told.map_or(Fate::Survived, Fate::Told))
}

fn findings(found: &[Found]) -> String {
    let mut out = String::new();
    for (at, f) in found {
        let _ = writeln!(out, "{at:?} {} {} {} {}", f.rule, f.level.word(), f.path, f.message);
    }
    out
}

/// What adapting makes of a refused input, without the faults that only show among all cases.
fn remade(judge: &Judge<'_>, verdict: &Verdict) -> Result<Option<Remade>, Vec<ProfileError>> {
    if verdict.outcome != Outcome::Rejected {
        return Ok(None);
    }
    Ok(judge.remake(verdict)?.map(plain))
}

fn plain(remade: Remade) -> Remade {
    Remade { faults: Vec::new(), ..remade }
}
