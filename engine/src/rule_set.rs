//! Sets of rules, and which rules can hold in a document at all, judged by the keywords that occur in it.

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
    keys: KwSet,
    /// All of the keys; else one of them.
    all: bool,
}

/// What must occur in a document for each of the rules about schemas.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    needs: Vec<Box<[Need]>>,
}

impl Needs {
    /// Of these rules of a plan, each with its condition.
    pub(crate) fn of<'p>(count: usize, rules: impl Iterator<Item = (usize, &'p Pred)>) -> Needs {
        let mut it = Needs { needs: vec![Box::default(); count] };
        for (rule, pred) in rules {
            if let Some(needs) = it.needs.get_mut(rule) {
                *needs = pred.needs().into();
            }
        }
        it
    }

    /// Whether some node of the document could make a rule hold, judged by the keywords that occur at all.
    pub(crate) fn may_hold(&self, rule: usize, tree: &Tree) -> bool {
        let seen = tree.seen_keys();
        let met = |need: &Need| if need.all { seen.covers(need.keys) } else { seen.meets(need.keys) };
        self.needs.get(rule).is_some_and(|needs| needs.iter().all(met))
    }
}

impl Pred {
    /// What must occur in a document where it holds.
    fn needs(&self) -> Vec<Need> {
        let one_of = |keys: KwSet| Need { keys, all: false };
        let mut needs: Vec<Need> = self.has.iter().map(|k| one_of(k.outline())).collect();
        needs.extend(self.has_all.iter().map(|k| Need { keys: k.known, all: true }));
        let one = |kw: Kw| one_of(KwSet::of(&[kw]));
        needs.extend(self.tests.iter().filter_map(|t| match t {
            Test::Value(name, _) | Test::Members(name, _) => name.kw.map(one),
            Test::Regex(kw, _) => Some(one(*kw)),
            Test::OffType(keys) => Some(one_of(keys.known)),
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
        let needs = Needs::of(preds.len(), preds.iter().enumerate());
        for (text, live) in
            [("{}", vec![0]), (r#"{"type":"a"}"#, vec![0, 4]), (r#"{"not":{"type":"a","const":1},"x":2}"#, vec![0, 1, 2, 3, 4])]
        {
            let tree = Tree::parse(text, &Budget::default()).expect(text);
            assert_eq!((0..preds.len()).filter(|&i| needs.may_hold(i, &tree)).collect::<Vec<_>>(), live, "{text}");
        }
    }
}
