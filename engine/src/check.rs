//! One walk over a schema: every finding of a plan.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use crate::attr::{Attr, AttrSet};
use crate::budget::Telling;
use crate::effect::Effects;
use crate::facts::Cx;
use crate::finding::{Finding, Fix, Subject};
use crate::measure::Counts;
use crate::memo::Sight;
use crate::op::Step;
use crate::path::Places;
use crate::plan::{Measure, Over, Plan, Rule, Test, TextOf, fill};
use crate::pred::{Counted, Spot, Witness, holds_tool, text_subject, tool_attrs};
use crate::refs::Refs;
use crate::rule_set::RuleSet;
use crate::site::{Place, children};
use crate::tree::{Id, Kind, Tree};

/// No more findings than this are kept for one tool.
const MOST_FINDINGS: usize = 10_000;
/// Of a value, a message shows so much.
const SHOWN: usize = 80;

/// A text member of a tool as it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Given<'t> {
    /// Not there.
    #[default]
    Missing,
    /// `null`.
    Null,
    /// Something that is no text.
    Odd,
    /// This text.
    Text(&'t str),
}

impl<'t> Given<'t> {
    /// The text, if there is one.
    #[must_use]
    pub fn text(&self) -> Option<&'t str> {
        match self {
            Given::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// What rules see of a tool.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tool<'t> {
    /// Its name.
    pub name: Given<'t>,
    /// Its description.
    pub description: Given<'t>,
    /// Its schema, if it has one; null where that stands in its place.
    pub schema: Option<(&'t Tree, Id)>,
}

impl<'t> Tool<'t> {
    /// Its schema, unless null stands in its place.
    #[must_use]
    pub fn own_schema(&self) -> Option<(&'t Tree, Id)> {
        self.schema.filter(|(tree, root)| tree.kind(*root) != Kind::Null)
    }
}

/// The findings on one tool: its name, description and schema.
#[must_use]
pub fn check(plan: &Plan, tool: &Tool<'_>) -> Vec<Finding> {
    let mut out = check_texts(plan, tool);
    if let Some((tree, root)) = tool.own_schema() {
        check_schema(plan, tree, root, &mut out);
    }
    out
}

/// The findings on a tool apart from its schema.
#[must_use]
pub fn check_texts(plan: &Plan, tool: &Tool<'_>) -> Vec<Finding> {
    let mut out = Vec::new();
    let attrs = tool_attrs(tool, false);
    for &i in &plan.index().tool {
        let rule = plan.rule(i);
        if holds_tool(&rule.when, tool, attrs) {
            out.push(tool_finding(plan, i, tool, None));
        }
    }
    out
}

/// The findings on one tool of several plans, in their order: as [`check`] has them, but what the plans share is looked at once.
#[must_use]
pub fn check_each(plans: &[&Plan], tool: &Tool<'_>) -> Vec<Vec<Finding>> {
    let mut out: Vec<Vec<Finding>> = plans.iter().map(|plan| check_texts(plan, tool)).collect();
    if let Some((tree, root)) = tool.own_schema() {
        let mut checkers: Vec<Checker<'_>> = plans.iter().zip(&mut out).filter_map(|(plan, out)| Checker::of(plan, out)).collect();
        check_together(&mut checkers, tree, root);
    }
    out
}

/// Adds the findings on one schema.
pub fn check_schema(plan: &Plan, tree: &Tree, root: Id, out: &mut Vec<Finding>) {
    if let Some(one) = Checker::of(plan, out) {
        check_together(&mut [one], tree, root);
    }
}

/// Adds the findings of some rules on one schema.
pub(crate) fn check_rules(plan: &Plan, rules: &RuleSet, (tree, root, refs): (&Tree, Id, &Refs), out: &mut Vec<Finding>) {
    let cx = Cx { tree, root, refs, want: plan.index().want };
    let mut checker = Checker { plan, rules, telling: Telling::default(), out };
    let places = Places::below(tree, root);
    visit(&cx, |sight, counted| checker.see(sight, counted, &places));
}

/// Checks one schema for all of these.
fn check_together(checkers: &mut [Checker<'_>], tree: &Tree, root: Id) {
    if checkers.is_empty() {
        return;
    }
    let want = checkers.iter().fold(AttrSet::EMPTY, |want, one| want.with(one.plan.index().want));
    let cx = Cx { tree, root, refs: &Refs::of(tree, root), want };
    let (mut over, places) = (vec![false; checkers.len()], Places::below(tree, root));
    visit(&cx, |sight, counted| {
        for (checker, over) in checkers.iter_mut().zip(&mut over).filter(|(_, over)| !**over) {
            *over = checker.see(sight, counted, &places).is_break();
        }
        if over.iter().all(|&over| over) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
}

/// The findings of one plan on one schema, as they come in.
struct Checker<'a> {
    plan: &'a Plan,
    rules: &'a RuleSet,
    telling: Telling,
    out: &'a mut Vec<Finding>,
}

impl<'a> Checker<'a> {
    /// Nothing, where there is no rule.
    fn of(plan: &'a Plan, out: &'a mut Vec<Finding>) -> Option<Checker<'a>> {
        let rules = &plan.index().schema;
        (!rules.is_empty()).then(|| Checker { plan, rules, telling: Telling::default(), out })
    }

    fn see(&mut self, sight: &Sight<'_, '_>, counted: &Counted, places: &Places<'_>) -> ControlFlow<()> {
        let known = self.plan.index().memo.at(self.plan, sight);
        for candidate in known.rules.iter().filter(|c| self.rules.has(c.rule)) {
            let spot = &Spot { cx: sight.cx, node: sight.node, facts: &known.facts, place: sight.place, counted };
            if !candidate.holds(spot) {
                continue;
            }
            let fix = cost(self.plan, candidate.rule, Some(spot));
            for witness in self.plan.rule(candidate.rule).when.witnesses(spot) {
                if self.out.len() >= MOST_FINDINGS || self.telling.is_over() {
                    return ControlFlow::Break(());
                }
                let path = places.pointer(witness.node);
                let finding = schema_finding(self.plan, candidate.rule, spot.cx.tree, &witness, path, fix.clone());
                self.telling.takes(finding.path.len().saturating_add(finding.message.len()));
                self.out.push(finding);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Shows every schema node, in document order, until told to stop; with what is counted of the schema.
pub(crate) fn visit(cx: &Cx<'_>, see: impl FnMut(&Sight<'_, '_>, &Counted) -> ControlFlow<()>) {
    visit_except(cx, |_, _| false, see);
}

/// Likewise, without some nodes and what is below them.
pub(crate) fn visit_except(
    cx: &Cx<'_>,
    except: impl Fn(Id, &Place) -> bool,
    mut see: impl FnMut(&Sight<'_, '_>, &Counted) -> ControlFlow<()>,
) {
    let counted = Counted::throughout();
    let mut stack = Vec::with_capacity(32);
    stack.push((cx.root, Place::ROOT));
    while let Some((node, place)) = stack.pop() {
        if except(node, &place) {
            continue;
        }
        if see(&Sight::of(cx, node, &place), &counted).is_break() {
            return;
        }
        let others = stack.len();
        children(cx.tree, node, &place, &mut stack);
        if let Some(own) = stack.get_mut(others..) {
            own.reverse();
        }
    }
}

/// The findings of rules about the whole list, each with the index of the tool it blames, if any.
#[must_use]
pub fn check_request(plan: &Plan, tools: &[Tool<'_>]) -> Vec<(Option<usize>, Finding)> {
    let mut out = Vec::new();
    let mut seen: hashbrown::HashSet<&str, foldhash::fast::FixedState> = hashbrown::HashSet::default();
    let duplicate: Vec<bool> = tools.iter().map(|t| t.name.text().is_some_and(|name| !seen.insert(name))).collect();
    for &i in &plan.index().request {
        let rule = plan.rule(i);
        if rule.when.is.has(Attr::NameDuplicate) {
            for (index, (tool, _)) in tools.iter().zip(&duplicate).enumerate().filter(|(_, (_, twin))| **twin) {
                out.push((Some(index), tool_finding(plan, i, tool, None)));
            }
            continue;
        }
        let over = |test: &Test| match test {
            Test::Measure { of, over: Over::Request, above } => {
                let n = request_measure(*of, tools);
                (n > *above).then_some((n, *above))
            }
            _ => None,
        };
        let counts: Option<Vec<_>> = rule.when.tests.iter().map(over).collect();
        if let Some(&first) = counts.as_ref().and_then(|counts| counts.first()) {
            let mut finding = tool_finding(plan, i, &Tool::default(), Some(first));
            finding.subject = Subject::Request;
            out.push((None, finding));
        }
    }
    out
}

fn request_measure(of: Measure, tools: &[Tool<'_>]) -> u64 {
    tools.iter().flat_map(|tool| shares(&[of], tool)).fold(0, u64::saturating_add)
}

/// What a tool adds to each of these counts over the list.
#[must_use]
pub fn shares(of: &[Measure], tool: &Tool<'_>) -> Vec<u64> {
    let counts = OnceCell::new();
    let count = |of: Measure| tool.own_schema().map_or(0, |(tree, root)| counts.get_or_init(|| Counts::of(tree, root)).get(of));
    of.iter().map(|&of| if of == Measure::Tools { 1 } else { count(of) }).collect()
}

fn tool_finding(plan: &Plan, i: usize, tool: &Tool<'_>, count: Option<(u64, u64)>) -> Finding {
    let rule = plan.rule(i);
    let (subject, value) = match text_subject(&rule.when) {
        Some(TextOf::Name) => (Subject::Name, tool.name.text()),
        Some(TextOf::Description) => (Subject::Description, tool.description.text()),
        _ if rule.when.is.has(Attr::NameDuplicate) => (Subject::Name, tool.name.text()),
        _ => (Subject::Tool, None),
    };
    let message = fill(&rule.message, |name, out| match name {
        "value" => {
            out.push_str(&cut(value.unwrap_or_default(), SHOWN));
            true
        }
        "key" | "path" => true,
        _ => fill_count(name, count, out),
    });
    finding(rule, subject, String::new(), None, message, cost(plan, i, None))
}

fn schema_finding(plan: &Plan, i: usize, tree: &Tree, witness: &Witness, path: String, fix: Option<Fix>) -> Finding {
    let rule = plan.rule(i);
    let message = fill(&rule.message, |name, out| {
        match name {
            "key" => out.push_str(&tree.key(witness.node)),
            "value" => out.push_str(&tree.excerpt(witness.node, SHOWN)),
            "path" => out.push_str(&plan.paths.write(&path)),
            _ => return fill_count(name, witness.count, out),
        }
        true
    });
    finding(rule, Subject::Schema, path, tree.span(witness.node), message, fix)
}

fn finding(rule: &Rule, subject: Subject, path: String, span: Option<(u32, u32)>, message: String, fix: Option<Fix>) -> Finding {
    Finding {
        rule: rule.id.clone(),
        level: rule.level,
        stage: rule.stage.clone(),
        certainty: rule.certainty,
        subject,
        path,
        span,
        message,
        fix,
        sources: rule.sources.clone(),
    }
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// Fills a placeholder of a count; it stays where nothing was counted.
fn fill_count(name: &str, count: Option<(u64, u64)>, out: &mut String) -> bool {
    let Some((count, limit)) = count else { return false };
    let number = match name {
        "count" => count,
        "limit" => limit,
        _ => return false,
    };
    out.push_str(&number.to_string());
    true
}

/// How a finding would be repaired, and what that may cost at this node.
fn cost(plan: &Plan, i: usize, spot: Option<&Spot<'_, '_>>) -> Option<Fix> {
    let operations = plan.index().operations(i).clone();
    if operations.is_empty() {
        return None;
    }
    let mut effect = Effects::NONE;
    for step in &plan.rule(i).rewrite {
        let first = match step {
            Step::Do(op) => Some(op),
            Step::OneOf(ops) => ops.first(),
        };
        if let Some(op) = first.filter(|op| op.phase().is_some()) {
            effect = effect.with(spot.map_or_else(|| op.worst(), |s| op.cost_at(s.cx.tree, s.node)));
        }
    }
    Some(Fix { operations, effect })
}
