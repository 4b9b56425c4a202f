//! When a dated binding held, as the verdicts alone tell it.

use std::collections::{BTreeSet, HashMap};

use schemalect::engine::date::Change;
use schemalect::engine::plan::Certainty;
use schemalect::rules::{BindingInfo, Bound, Library, ProfileError, ProfileInfo, Selection};
use schemalect::{Day, Surface};

use crate::judge::parts;
use crate::judgement::Judgement;
use crate::suite::Case;
use crate::switches;
use crate::verdict::Outcome;

/// A binding with a `since` or an `until`, and the days that the verdicts tell of it.
#[derive(Clone, Debug)]
pub struct Dated {
    /// The profile that declares it.
    pub profile: String,
    /// The binding.
    pub binding: BindingInfo,
    /// The days on which it was seen to refuse.
    pub refused: BTreeSet<Day>,
    /// The days on which an input was taken that it would refuse.
    pub taken: BTreeSet<Day>,
}

/// Every dated binding, each at the profile that declares it.
///
/// # Errors
/// A profile has mistakes.
pub fn of(library: &Library, cases: &[Case]) -> Result<Vec<Dated>, Vec<ProfileError>> {
    let profiles: Vec<ProfileInfo> = library.profiles().collect();
    let mut out = Vec::new();
    for profile in &profiles {
        let dated = |b: &&BindingInfo| b.home == profile.name && (b.since.is_some() || b.until.is_some());
        for binding in profile.bindings.iter().filter(dated) {
            let mut dated =
                Dated { profile: profile.name.clone(), binding: binding.clone(), refused: BTreeSet::new(), taken: BTreeSet::new() };
            let heirs = profiles.iter().filter(|heir| heir.bindings.iter().any(|b| b.id == binding.id && b.home == profile.name));
            for heir in heirs {
                let cases = cases.iter().filter(|case| case.verdict.profile == heir.name && case.judged.judgement != Judgement::Unscored);
                dated.add(library, heir, cases)?;
            }
            out.push(dated);
        }
    }
    Ok(out)
}

impl Dated {
    fn add<'c>(&mut self, library: &Library, heir: &ProfileInfo, cases: impl Iterator<Item = &'c Case>) -> Result<(), Vec<ProfileError>> {
        let mut alone: HashMap<Vec<(String, String)>, Option<Bound>> = HashMap::new();
        for case in cases {
            let Some(day) = case.verdict.day() else { continue };
            if case.verdict.outcome == Outcome::Rejected {
                // A refusal tells of the rule that explains it, whatever else is wrong with the input.
                if case.judged.rules.contains(&self.binding.id) {
                    self.refused.insert(day);
                }
                continue;
            }
            let switches = switches::of(&case.verdict, heir);
            let known = match alone.get(&switches) {
                Some(known) => known,
                None => {
                    let bound = self.in_force(library, heir, &switches)?;
                    alone.entry(switches.clone()).or_insert(bound)
                }
            };
            if known.as_ref().is_some_and(|bound| refuses(bound, case)) {
                self.taken.insert(day);
            }
        }
        Ok(())
    }

    /// The profile with this binding alone, as of a day on which it surely holds; nothing where the switches leave it out.
    fn in_force(&self, library: &Library, heir: &ProfileInfo, switches: &[(String, String)]) -> Result<Option<Bound>, Vec<ProfileError>> {
        for as_of in self.days() {
            let mut bound = library.bind(&heir.name, &Selection { as_of, switches: switches.to_vec() })?;
            bound.plan.rules.retain(|rule| rule.id.rsplit('/').next() == Some(&self.binding.id) && rule.certainty == Certainty::Certain);
            if !bound.plan.rules.is_empty() {
                return Ok(Some(bound));
            }
        }
        Ok(None)
    }

    /// The days that its dates and sources name, and the day before the end.
    fn days(&self) -> Vec<Day> {
        let changes = [self.since(), self.until()];
        let ends = changes.into_iter().flatten().flat_map(|change| [change.from, change.to]).flatten();
        ends.chain(self.binding.sources.iter().filter_map(|source| source.date)).chain(self.refused.iter().copied()).collect()
    }

    fn since(&self) -> Option<Change> {
        self.binding.since.as_deref().and_then(|text| text.parse().ok())
    }

    fn until(&self) -> Option<Change> {
        self.binding.until.as_deref().and_then(|text| text.parse().ok())
    }

    /// What the verdicts and the declared dates do not agree on; each end that the verdicts know better is named as well.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut out = Vec::new();
        let (seen, until, since) = (self.sources(), self.until(), self.since());
        if let Some(Change { from, to }) = until {
            // Taken again after the last refusal: the rule was gone by then.
            let last = self.refused.last().copied();
            let first = self.taken.iter().copied().find(|day| last.is_none_or(|last| *day > last));
            self.compare("until", (last, first), (from, to), &seen, &mut out);
        }
        if let Some(Change { from, to }) = since {
            let first = self.refused.first().copied();
            let last = self.taken.iter().copied().rfind(|day| first.is_none_or(|first| *day < first));
            self.compare("since", (last, first), (from, to), &seen, &mut out);
        }
        out
    }

    /// Compares a declared change with the one that the verdicts tell: each end is theirs, or narrows theirs by a dated source.
    fn compare(
        &self,
        what: &str,
        told: (Option<Day>, Option<Day>),
        declared: (Option<Day>, Option<Day>),
        seen: &BTreeSet<Day>,
        out: &mut Vec<String>,
    ) {
        let name = format!("{}/{}: `{what}`", self.profile, self.binding.id);
        let exact = declared.0 == declared.1;
        if let Some(last) = told.0 {
            let fits =
                declared.0.is_some_and(|from| if exact { from > last } else { from == last || (from > last && seen.contains(&from)) });
            if !fits {
                out.push(format!("{name}: the verdicts have it as before on {last}"));
            }
        }
        if let Some(first) = told.1 {
            let fits = declared.1.is_some_and(|to| to == first || (to < first && (exact || seen.contains(&to))));
            if !fits {
                out.push(format!("{name}: the verdicts have it as after on {first}"));
            }
        }
        for (end, word) in [(declared.0, "before"), (declared.1, "after")] {
            let known = |day: Day| exact || seen.contains(&day) || self.refused.contains(&day) || self.taken.contains(&day);
            if let Some(day) = end.filter(|day| !known(*day)) {
                out.push(format!("{name}: neither a verdict nor a source tells of {day}, the day it was as {word}"));
            }
        }
    }

    fn sources(&self) -> BTreeSet<Day> {
        self.binding.sources.iter().filter_map(|source| source.date).collect()
    }
}

fn refuses(bound: &Bound, case: &Case) -> bool {
    let surface = Surface::of(bound);
    let Ok(parts) = parts(&case.verdict, &surface) else { return false };
    parts.iter().any(|part| part.surface.check(&part.list, 1).findings().any(schemalect::Finding::refuses))
}
