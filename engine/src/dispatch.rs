//! Which rules can hold in a document at all, judged by the keywords that occur in it.

use crate::keyword::{Kw, KwSet};
use crate::plan::{Pred, Test};
use crate::tree::Tree;

/// A set of rules, by their places in the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleSet(Vec<u64>);

impl RuleSet {
    pub(crate) fn none(rules: usize) -> RuleSet {
        RuleSet(vec![0; rules.div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, rule: usize) {
        if let Some(word) = self.0.get_mut(rule / 64) {
            *word |= 1 << (rule % 64);
        }
    }

    pub(crate) fn remove(&mut self, rule: usize) {
        if let Some(word) = self.0.get_mut(rule / 64) {
            *word &= !(1 << (rule % 64));
        }
    }

    pub(crate) fn has(&self, rule: usize) -> bool {
        self.0.get(rule / 64).is_some_and(|word| word & (1 << (rule % 64)) != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

/// What must occur somewhere in a document for a rule to hold at one of its nodes.
#[derive(Clone, Copy, Debug)]
struct Need {
    rule: usize,
    keys: KwSet,
    /// All of the keys; else one of them.
    all: bool,
}

/// The rules about schemas, and what must occur in a document for each of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dispatch {
    every: RuleSet,
    needs: Vec<Need>,
}

impl Dispatch {
    /// Of these rules of a plan, each with its condition.
    pub(crate) fn of<'p>(count: usize, rules: impl Iterator<Item = (usize, &'p Pred)>) -> Dispatch {
        let mut it = Dispatch { every: RuleSet::none(count), needs: Vec::new() };
        for (rule, pred) in rules {
            it.every.insert(rule);
            it.needs.extend(pred.needs().into_iter().map(|(keys, all)| Need { rule, keys, all }));
        }
        it
    }

    /// The rules that some node of the document could make hold, judged by the keywords that occur at all.
    pub(crate) fn live(&self, tree: &Tree) -> RuleSet {
        let seen = tree.seen_keys();
        let mut live = self.every.clone();
        for need in &self.needs {
            if !(if need.all { seen.covers(need.keys) } else { seen.meets(need.keys) }) {
                live.remove(need.rule);
            }
        }
        live
    }
}

impl Pred {
    /// Whether some node of the document could make it hold, judged by the keywords that occur at all.
    #[must_use]
    pub fn may_hold_in(&self, tree: &Tree) -> bool {
        let seen = tree.seen_keys();
        self.needs().into_iter().all(|(keys, all)| if all { seen.covers(keys) } else { seen.meets(keys) })
    }

    /// Sets of keys of which one (`false`) or all (`true`) must occur in a document where it holds.
    fn needs(&self) -> Vec<(KwSet, bool)> {
        let mut needs: Vec<(KwSet, bool)> = self.has.iter().map(|k| (k.outline(), false)).collect();
        needs.extend(self.has_all.iter().map(|k| (k.known, true)));
        let one = |kw: Kw| (KwSet::of(&[kw]), false);
        needs.extend(self.tests.iter().filter_map(|t| match t {
            Test::Value(name, _) | Test::Members(name, _) => name.kw.map(one),
            Test::Regex(kw, _) => Some(one(*kw)),
            Test::OffType(keys) => Some((keys.known, false)),
            Test::Select(s) => s.gate().map(one),
            _ => None,
        }));
        needs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::plan::Keys;

    #[test]
    fn what_cannot_hold_is_not_looked_at() {
        let has = |names: &[&str]| Pred { has: Some(Keys::of(names)), ..Pred::default() };
        let both = Pred { has_all: Some(Keys::of(["type", "const"])), ..Pred::default() };
        let preds = [Pred::default(), has(&["const", "minimum"]), has(&["x-note"]), both, has(&["type"])];
        let dispatch = Dispatch::of(preds.len(), preds.iter().enumerate());
        for (text, live) in
            [("{}", vec![0]), (r#"{"type":"a"}"#, vec![0, 4]), (r#"{"not":{"type":"a","const":1},"x":2}"#, vec![0, 1, 2, 3, 4])]
        {
            let tree = Tree::parse(text, &Budget::default()).expect(text);
            let found = dispatch.live(&tree);
            assert_eq!((0..preds.len()).filter(|&i| found.has(i)).collect::<Vec<_>>(), live, "{text}");
        }
    }
}
