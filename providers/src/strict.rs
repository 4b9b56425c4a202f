//! Which tools stay strict, where limits are counted over the whole list.

use schemalect_engine::check::shares;
use schemalect_engine::finding::Finding;
use schemalect_engine::op::Op;
use schemalect_engine::plan::{Certainty, Level, Measure, Over, Plan, Site, Test};

use crate::adapt::{AdaptedTool, Fate, OnUnfixable, Outcome, Run};
use crate::most::{Ways, most};
use crate::settle::{judge, sent};

/// So many optional properties of a tool may be required to save a limit, and of so many tools.
const MOST_REQUIRED: usize = 32;
const MOST_DETOURS: usize = 64;

/// A limit on a count over the list.
struct Limit {
    of: Measure,
    most: u64,
    rule: std::sync::Arc<str>,
    /// Whether optional properties may be required to keep it.
    saved_by_requiring: bool,
}

impl Run<'_> {
    /// Keeps as many tools strict as the limits of the whole list let, and sends the others under the lenient sibling.
    pub(crate) fn plan_strict(&self, fates: &mut [Fate]) {
        let Some(lenient) = self.surface.lenient().filter(|_| self.on_unfixable == OnUnfixable::Unstrict) else { return };
        let held = limits(lenient.plan());
        // What the lenient sibling holds against the list as well is not cured by it.
        let cured = |l: &Limit| !held.iter().any(|h| h.of == l.of && h.most <= l.most);
        let limits: Vec<Limit> = limits(self.surface.plan()).into_iter().filter(cured).collect();
        // A tool that the lenient sibling does not take has no choice.
        let mut bound: Vec<usize> = Vec::new();
        loop {
            let mut strict = sent(fates, |t| t.outcome != Outcome::Unstrict && t.foreign.is_none());
            // Of as many that fit, the small ones.
            strict.sort_by_key(|t| (t.schema.as_ref().map_or(0, |s| s.size(s.root())), t.index));
            let taken: Vec<Vec<u64>> = strict.iter().map(|t| takes(t, &limits)).collect();
            let total = |at: usize| taken.iter().filter_map(|t| t.get(at)).copied().fold(0, u64::saturating_add);
            let Some((at, over)) = limits.iter().enumerate().find(|(at, l)| total(*at) > l.most) else { return };
            let findings: Vec<Finding> = judge(self.surface, &strict).into_iter().map(|(_, f)| f).collect();
            let Some(because) = findings.iter().find(|f| f.rule == over.rule) else { return };
            let choices = self.choose(&strict, &taken, &limits, &bound);
            let indices: Vec<usize> = strict.iter().map(|t| t.index).collect();
            let mut stuck = false;
            for ((&index, choice), taken) in indices.iter().zip(choices).zip(&taken) {
                let new = match choice {
                    Some(0) => continue,
                    Some(require) => self.requiring(index, require).map(|tool| Fate::Sent(Box::new(tool))),
                    None => self.unstrict(
                        index,
                        because,
                        format!("sent without strict: {}; this tool adds {}", because.message, taken.get(at).copied().unwrap_or_default()),
                    ),
                };
                match (fates.get_mut(index), new) {
                    (Some(fate), Some(new)) => *fate = new,
                    _ if bound.contains(&index) => {}
                    _ => {
                        bound.push(index);
                        stuck = true;
                    }
                }
            }
            if !stuck {
                return;
            }
        }
    }

    /// For each tool whether it stays strict, and with how many optional properties required.
    fn choose(&self, strict: &[&AdaptedTool], taken: &[Vec<u64>], limits: &[Limit], bound: &[usize]) -> Vec<Option<usize>> {
        let mut room: Vec<u64> = limits.iter().map(|l| l.most).collect();
        let (mut free, mut items): (Vec<&AdaptedTool>, Vec<Ways>) = (Vec::new(), Vec::new());
        for (tool, taken) in strict.iter().zip(taken) {
            if bound.contains(&tool.index) {
                room.iter_mut().zip(taken).for_each(|(left, taken)| *left = left.saturating_sub(*taken));
            } else {
                free.push(tool);
                items.push(vec![taken.clone()]);
            }
        }
        let mut chosen = most(&items, &room);
        if chosen.iter().any(Option::is_none) && limits.iter().any(|l| l.saved_by_requiring) {
            self.add_detours(&free, limits, &room, &mut items);
            chosen = most(&items, &room);
        }
        let mut chosen = chosen.into_iter();
        strict.iter().map(|t| if bound.contains(&t.index) { Some(0) } else { chosen.next().flatten() }).collect()
    }

    /// Adds to the lightest tools the ways to keep them with optional properties required.
    fn add_detours(&self, tools: &[&AdaptedTool], limits: &[Limit], room: &[u64], items: &mut [Ways]) {
        let share = |(takes, room): (&u64, &u64)| takes.saturating_mul(1000).checked_div((*room).max(1)).unwrap_or(0);
        let weight = |ways: &Ways| ways.iter().take(1).flat_map(|way| way.iter().zip(room)).map(share).fold(0, u64::saturating_add);
        let mut lightest: Vec<(&&AdaptedTool, &mut Ways)> = tools.iter().zip(items).collect();
        lightest.sort_by_key(|(_, ways)| weight(ways));
        for (tool, ways) in lightest.into_iter().take(MOST_DETOURS) {
            for require in 1..=MOST_REQUIRED {
                let Some(tool) = self.requiring(tool.index, require) else { break };
                let taken = takes(&tool, limits);
                if ways.last() == Some(&taken) {
                    break;
                }
                ways.push(taken);
            }
        }
    }
}

/// What a tool takes of each limit.
fn takes(tool: &AdaptedTool, limits: &[Limit]) -> Vec<u64> {
    let measures: Vec<Measure> = limits.iter().map(|l| l.of).collect();
    shares(&measures, &tool.view())
}

/// The limits that a plan sets to the whole list for certain.
fn limits(plan: &Plan) -> Vec<Limit> {
    let certain = plan.rules.iter().filter(|r| r.site == Site::Request && r.level == Level::Error && r.certainty == Certainty::Certain);
    certain
        .filter_map(|rule| match &rule.when.tests[..] {
            [Test::Measure { of, over: Over::Request, above }] => Some(Limit {
                of: *of,
                most: *above,
                rule: rule.id.clone(),
                saved_by_requiring: rule.operations().any(|op| matches!(op, Op::RequireOptional { .. })),
            }),
            _ => None,
        })
        .collect()
}
