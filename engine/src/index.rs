//! What of a plan is worked out once: which rules look at what, in which phase, and what they ask for.

use std::sync::Arc;

use crate::adapt::marks::Phases;
use crate::attr::AttrSet;
use crate::memo::Memo;
use crate::op::{Op, Phase};
use crate::plan::{Plan, Pred, Rule, Site, Test};
use crate::rule_set::{Needs, RuleSet};

/// Lists of rules, by their places in the plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// The attributes that some rule asks for.
    pub(crate) want: AttrSet,
    pub(crate) request: Vec<usize>,
    pub(crate) tool: Vec<usize>,
    /// The rules about schemas with an operation in the phase.
    phases: [Vec<usize>; Phase::ALL.len()],
    /// The rules about schemas that are final.
    pub(crate) leave_out: RuleSet,
    /// The rules about schemas.
    pub(crate) schema: RuleSet,
    /// What is known of nodes that were seen.
    pub(crate) memo: Arc<Memo>,
    /// The keys that the rules about schemas ask for.
    pub(crate) needs: Needs,
    /// Each rule's operations, as a finding lists them.
    operations: Vec<Arc<[&'static str]>>,
    /// The phases in which each rule has an operation.
    due: Vec<Phases>,
}

impl Index {
    pub(crate) fn of(plan: &Plan) -> Index {
        let none = RuleSet::none(plan.rules.len());
        let mut index = Index { leave_out: none.clone(), schema: none, ..Index::default() };
        for (i, rule) in plan.rules.iter().enumerate() {
            wanted(&rule.when, &mut index.want);
            let mut due = Phases::default();
            rule.operations().filter_map(Op::phase).for_each(|phase| due.insert(phase));
            index.due.push(due);
            match rule.site {
                Site::Request => index.request.push(i),
                Site::Tool => index.tool.push(i),
                Site::Schema => {
                    index.schema.insert(i);
                    if rule.operations().any(|op| matches!(op, Op::LeaveOut)) {
                        index.leave_out.insert(i);
                    }
                    for (phase, list) in Phase::ALL.iter().zip(&mut index.phases) {
                        if rule.operations().any(|op| op.phase() == Some(*phase)) {
                            list.push(i);
                        }
                    }
                }
            }
            index.operations.push(rule.operations().filter(|op| op.phase().is_some()).map(Op::word).collect());
        }
        let schema = plan.rules.iter().enumerate().filter(|(_, rule)| rule.site == Site::Schema);
        index.needs = Needs::of(plan.rules.len(), schema.map(|(i, rule)| (i, &rule.when)));
        index
    }
}

impl Index {
    #[expect(clippy::indexing_slicing, reason = "the numbers are those of the plan's rules, of which each has a list")]
    pub(crate) fn operations(&self, rule: usize) -> &Arc<[&'static str]> {
        &self.operations[rule]
    }

    #[expect(clippy::indexing_slicing, reason = "the numbers are those of the plan's rules")]
    pub(crate) fn due(&self, rule: usize) -> Phases {
        self.due[rule]
    }

    pub(crate) fn of_phase(&self, phase: Phase) -> &[usize] {
        self.phases.get(phase as usize).map_or(&[], Vec::as_slice)
    }
}

impl Plan {
    #[expect(clippy::indexing_slicing, reason = "the numbers are those that the index of this plan has")]
    pub(crate) fn rule(&self, number: usize) -> &Rule {
        &self.rules[number]
    }
}

fn wanted(pred: &Pred, set: &mut AttrSet) {
    *set = set.with(pred.is).with(pred.is_not);
    for test in &pred.tests {
        match test {
            Test::All(list) | Test::Any(list) => list.iter().for_each(|p| wanted(p, set)),
            Test::Not(p) => wanted(p, set),
            _ => {}
        }
    }
}

impl Plan {
    /// A plan of these rules.
    #[must_use]
    pub fn new(profile: String, as_of: Option<crate::date::Day>, rules: Vec<crate::plan::Rule>) -> Plan {
        Plan { profile, as_of, paths: crate::spelling::PathStyle::default(), rules, index: std::sync::OnceLock::new() }
    }

    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self))
    }
}
