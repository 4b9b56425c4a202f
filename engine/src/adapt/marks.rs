//! What a scan saw at each node, and so where a phase has something to do, and what the next scan need not look at again.

use crate::op::Phase;
use crate::site::Place;
use crate::tree::{Id, Tree};

/// Phases, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phases(u16);

impl Phases {
    /// No phase, but some rule.
    const RULE: Phases = Phases(1 << Phase::ALL.len());

    pub(crate) fn insert(&mut self, phase: Phase) {
        self.0 |= 1 << phase as u16;
    }

    pub(super) fn has(self, phase: Phase) -> bool {
        self.0 & (1 << phase as u16) != 0
    }

    fn covers(self, other: Phases) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What a scan saw at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    seen: bool,
    optional: bool,
    /// The phases in which some rule that holds at the node does something.
    pub(super) own: Phases,
    /// The same of all nodes below it.
    pub(super) below: Phases,
}

impl Mark {
    /// Whether no rule holds at the node or below it.
    pub(super) fn is_clean(self, place: &Place) -> bool {
        self.optional == place.optional && self.own == Phases::default() && self.below == Phases::default()
    }
}

/// What a scan saw, by node.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<Mark>);

impl Marks {
    /// For the nodes that a tree has.
    pub(super) fn of(tree: &Tree) -> Marks {
        Marks(vec![Mark::default(); tree.len()])
    }

    /// Nothing, where the scan was not.
    pub(super) fn at(&self, node: Id) -> Option<Mark> {
        self.0.get(node.at()).copied().filter(|mark| mark.seen)
    }

    pub(super) fn see(&mut self, node: Id, place: &Place) {
        if let Some(mark) = self.0.get_mut(node.at()) {
            mark.seen = true;
            mark.optional = place.optional;
        }
    }

    /// Whether everything that a rule does in these phases is noted at a node.
    pub(super) fn has(&self, node: Id, phases: Phases) -> bool {
        self.0.get(node.at()).is_some_and(|mark| mark.own.covers(Phases(phases.0 | Phases::RULE.0)))
    }

    /// Notes a rule that holds at a node, and does something in these phases.
    pub(super) fn put(&mut self, tree: &Tree, node: Id, phases: Phases) {
        let all = Phases(phases.0 | Phases::RULE.0);
        if let Some(mark) = self.0.get_mut(node.at()) {
            mark.own.0 |= all.0;
        }
        let mut at = tree.parent(node);
        while let Some(mark) = at.and_then(|here| self.0.get_mut(here.at())).filter(|mark| !mark.below.covers(all)) {
            mark.below.0 |= all.0;
            at = at.and_then(|here| tree.parent(here));
        }
    }
}
