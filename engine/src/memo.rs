//! What was found out once of nodes that look alike, kept for the next of them.
//!
//! Most nodes of most schemas are one of a few shapes, and which rules may hold at a node follows from its facts. A table never holds more
//! than it has places for; what finds none is worked out again.

use std::cell::OnceCell;
use std::ops::Deref;
use std::sync::OnceLock;

use crate::facts::{Cx, Facts};
use crate::look::Look;
use crate::outlook::{ASKED, Outlook};
use crate::plan::{Plan, Pred, Rule, Site};
use crate::pred::Spot;
use crate::site::Place;
use crate::tree::Id;

/// Places of each table of a plan.
const PLACES: usize = 1024;
/// So many places are tried for one key.
const TRIES: usize = 16;

/// What is known of nodes that look alike.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// Their facts, as far as the plan asks for them.
    pub(crate) facts: Facts,
    /// The rules about schemas that may hold there, in order.
    pub(crate) rules: Box<[Candidate]>,
}

/// A rule that may hold at a node.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) rule: usize,
    /// What the facts leave open; nothing, where it holds whatever else the node is.
    ask: Option<Box<Pred>>,
}

impl Candidate {
    /// Whether it holds at a node that has the facts.
    pub(crate) fn holds(&self, spot: &Spot<'_, '_>) -> bool {
        self.ask.as_ref().is_none_or(|pred| pred.holds(spot))
    }
}

impl Known {
    fn of(plan: &Plan, facts: Facts) -> Known {
        let may = |rule: &Rule| rule.site == Site::Schema && rule.when.outlook(&facts) != Outlook::Never;
        let rules = plan.rules.iter().enumerate().filter(|(_, rule)| may(rule));
        Known { facts, rules: rules.map(|(i, rule)| Candidate { rule: i, ask: rule.when.left(&facts).map(Box::new) }).collect() }
    }

    /// What is known of a rule there, if it may hold.
    pub(crate) fn candidate(&self, rule: usize) -> Option<&Candidate> {
        self.rules.binary_search_by_key(&rule, |c| c.rule).ok().and_then(|at| self.rules.get(at))
    }
}

/// The tables of a plan.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    by_facts: Table<Facts, Known>,
    by_look: Table<Look, Known>,
}

/// A node that is looked at, for one plan or for many.
pub(crate) struct Sight<'a, 't> {
    pub(crate) cx: &'a Cx<'t>,
    pub(crate) node: Id,
    pub(crate) place: &'a Place,
    look: Option<Look>,
    facts: OnceCell<Facts>,
}

impl<'a, 't> Sight<'a, 't> {
    pub(crate) fn of(cx: &'a Cx<'t>, node: Id, place: &'a Place) -> Sight<'a, 't> {
        Sight { cx, node, place, look: Look::of(cx.tree, node, place), facts: OnceCell::new() }
    }

    fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Facts::of(self.cx, self.node, self.place))
    }
}

impl Memo {
    /// What is known of a node.
    pub(crate) fn at(&self, plan: &Plan, sight: &Sight<'_, '_>) -> Found<'_, Known> {
        let known = || Known::of(plan, masked(plan, sight.facts()));
        match &sight.look {
            Some(look) => {
                let found = self.by_look.find(mix(look.keys.0, u128::from(look.place), look.shape), look, known);
                debug_assert_eq!(found.facts, masked(plan, sight.facts()), "nodes that look alike have the same facts");
                found
            }
            None => {
                let facts = masked(plan, sight.facts());
                let mixed =
                    mix(facts.keys.0 ^ facts.odd.0.rotate_left(64), facts.attrs.bits(), u32::from(facts.types.0) << 16 | facts.kind as u32);
                self.by_facts.find(mixed, &facts, known)
            }
        }
    }
}

fn masked(plan: &Plan, facts: &Facts) -> Facts {
    Facts { attrs: facts.attrs.and(plan.index().want.with(ASKED)), ..*facts }
}

fn mix(keys: u128, attrs: u128, rest: u32) -> usize {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a).wrapping_mul(u128::from(b));
        product as u64 ^ (product >> 64) as u64
    };
    let (a, b) = (keys as u64 ^ 0x9e37_79b9_7f4a_7c15, (keys >> 64) as u64 ^ 0xc2b2_ae3d_27d4_eb4f);
    let (c, d) = (attrs as u64 ^ 0xff51_afd7_ed55_8ccd, (attrs >> 64) as u64 ^ 0x2545_f491_4f6c_dd1d);
    fold(fold(a, b) ^ u64::from(rest), fold(c, d) | 1) as usize
}

/// A table that is filled as it is asked, by many threads at once, and never emptied.
#[derive(Debug)]
struct Table<K, V> {
    places: OnceLock<Box<[Slot<K, V>]>>,
}

type Slot<K, V> = OnceLock<Box<(K, V)>>;

/// A value of a table, or one for which it had no place.
pub(crate) enum Found<'a, V> {
    Kept(&'a V),
    Made(Box<V>),
}

impl<V> Deref for Found<'_, V> {
    type Target = V;

    fn deref(&self) -> &V {
        match self {
            Found::Kept(value) => value,
            Found::Made(value) => value,
        }
    }
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table { places: OnceLock::new() }
    }
}

impl<K: PartialEq + Copy, V> Table<K, V> {
    fn find(&self, mixed: usize, key: &K, make: impl Fn() -> V) -> Found<'_, V> {
        let places = self.places.get_or_init(|| (0..PLACES).map(|_| OnceLock::new()).collect());
        for next in 0..TRIES {
            let Some(slot) = places.get(mixed.wrapping_add(next) % PLACES) else { continue };
            // Another thread may fill the place first, and with something else.
            let kept = slot.get_or_init(|| Box::new((*key, make())));
            if kept.0 == *key {
                return Found::Kept(&kept.1);
            }
        }
        Found::Made(Box::new(make()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_still_answers() {
        let table: Table<usize, usize> = Table::default();
        for round in 0..2 {
            let kept = (0..4 * PLACES).filter(|n| {
                let found = table.find(*n, n, || n * 2);
                assert_eq!(*found, n * 2, "round {round}");
                matches!(found, Found::Kept(_))
            });
            assert_eq!(kept.count(), PLACES, "round {round}");
        }
    }
}
