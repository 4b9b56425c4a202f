//! Fits adapted tools together: what limits the whole list makes some unstrict, or leaves them out.

use schemalect_engine::Finding;
use schemalect_engine::check::{Tool as View, check_request};
use schemalect_engine::log::Event;

use crate::adapt::{AdaptedList, AdaptedTool, Fate, OnUnfixable, Outcome, Run};
use crate::names::tell_apart;
use crate::read::Form;
use crate::report::Placed;
use crate::surface::{Surface, about_schema};

impl Run<'_> {
    /// Fits the tools together: what limits the whole list makes some unstrict, or leaves them out.
    pub(crate) fn settle(&self, mut fates: Vec<Fate>) -> AdaptedList {
        self.plan_strict(&mut fates);
        self.stay_together(&mut fates);
        self.tell_apart(&mut fates);
        let mut findings = self.request(&fates);
        while self.leave_out(&mut fates, &findings) {
            findings = self.request(&fates);
        }
        let mut adapted = AdaptedList {
            profile: self.surface.name().to_owned(),
            as_of: self.surface.as_of(),
            tools: Vec::new(),
            dropped: Vec::new(),
            request: findings.into_iter().map(|(_, finding)| Placed { finding, place: None }).collect(),
        };
        for fate in fates {
            match fate {
                Fate::Sent(tool) => {
                    let changes = self.surface.told(&tool);
                    adapted.tools.push(AdaptedTool { changes, ..*tool });
                }
                Fate::Dropped(dropped) => adapted.dropped.push(dropped),
            }
        }
        adapted
    }

    /// Where one tool is not strict and the surface wants all alike, none is.
    fn stay_together(&self, fates: &mut [Fate]) {
        if !self.surface.together {
            return;
        }
        let unstrict = sent(fates, |t| t.outcome == Outcome::Unstrict);
        let first = unstrict.into_iter().find_map(|tool| Some((tool.original_name.clone(), tool.events.last()?.clone())));
        let Some((name, event)) = first else { return };
        let named = name.unwrap_or_else(|| "one tool".to_owned());
        let what = format!("sent without strict, since all tools of a list are strict or none is: {named} cannot be: {}", event.what);
        let strict = sent(fates, |t| t.outcome != Outcome::Unstrict && t.foreign.is_none());
        let indices: Vec<usize> = strict.into_iter().map(|t| t.index).collect();
        for index in indices {
            let event = Event { input: String::new(), what: what.clone(), ..event.clone() };
            let fate = self.unstrict_by(index, event).unwrap_or_else(|| Fate::Dropped(self.dropped(index, what.clone(), Vec::new())));
            if let Some(place) = fates.get_mut(index) {
                *place = fate;
            }
        }
    }

    fn tell_apart(&self, fates: &mut [Fate]) {
        let mut sent: Vec<_> = fates.iter_mut().filter_map(|f| if let Fate::Sent(tool) = f { Some(&mut **tool) } else { None }).collect();
        let plans: Vec<_> = [Some(self.surface), self.surface.lenient()].into_iter().flatten().map(Surface::plan).collect();
        tell_apart(&mut sent, &plans, self.options.allow);
    }

    /// Leaves out the tools that are to blame for a refusal of the list: whether there were any.
    fn leave_out(&self, fates: &mut [Fate], findings: &[(Option<usize>, Finding)]) -> bool {
        if self.on_unfixable == OnUnfixable::Keep {
            return false;
        }
        let mut blamed: Vec<(usize, Finding)> = Vec::new();
        for (index, finding) in findings.iter().filter(|(_, f)| f.refuses()) {
            match index {
                Some(index) => blamed.push((*index, finding.clone())),
                // A limit of the whole list that one tool exceeds by itself.
                None => blamed.extend(sent(fates, |_| true).into_iter().filter_map(|tool| {
                    let alone =
                        judge(tool.under(self.surface), &[tool]).into_iter().find(|(_, f)| f.refuses() && f.rule == finding.rule)?;
                    Some((tool.index, alone.1))
                })),
            }
        }
        let mut some = false;
        for (index, finding) in blamed {
            if let Some(fate @ Fate::Sent(_)) = fates.get_mut(index) {
                let reason = format!("{}: {}", finding.rule, finding.message);
                *fate = Fate::Dropped(self.dropped(index, reason, vec![finding]));
                some = true;
            }
        }
        some
    }

    /// What there is against the list: the strict tools by the surface, all of them by the lenient one where it has some.
    fn request(&self, fates: &[Fate]) -> Vec<(Option<usize>, Finding)> {
        let all = sent(fates, |_| true);
        let strict = sent(fates, |t| t.outcome != Outcome::Unstrict && (t.foreign.is_none() || self.surface.lenient().is_none()));
        let mut findings = judge(self.surface, &strict);
        if let Some(lenient) = self.surface.lenient().filter(|_| all.len() > strict.len()) {
            findings.extend(judge(lenient, &all));
        }
        findings
    }
}

pub(crate) fn sent(fates: &[Fate], which: impl Fn(&AdaptedTool) -> bool) -> Vec<&AdaptedTool> {
    fates.iter().filter_map(|f| if let Fate::Sent(tool) = f { Some(&**tool) } else { None }).filter(|t| which(t)).collect()
}

/// The findings on a list, each with the position in the input of the tool that it blames.
pub(crate) fn judge(surface: &Surface, tools: &[&AdaptedTool]) -> Vec<(Option<usize>, Finding)> {
    let views: Vec<View<'_>> = tools.iter().map(|t| t.view()).collect();
    let nameless = tools.iter().all(|t| t.form == Form::Schema);
    let findings = check_request(surface.plan(), &views).into_iter().filter(|(_, f)| !nameless || about_schema(f));
    findings.map(|(at, f)| (at.and_then(|at| tools.get(at)).map(|t| t.index), f)).collect()
}
