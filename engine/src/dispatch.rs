//! Which rules can hold at a node at all, found from what the node has instead of by asking every rule.

use crate::attr::{Attr, AttrSet};
use crate::facts::Facts;
use crate::keyword::{Kw, KwSet};
use crate::plan::{Keys, Pred, Test, TextOf};
use crate::tree::Tree;

/// A set of rules, by their places in the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleSet(Vec<u64>);

impl RuleSet {
    pub(crate) fn none(rules: usize) -> RuleSet {
        RuleSet(vec![0; rules.div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, rule: usize) {
        self.0[rule / 64] |= 1 << (rule % 64);
    }

    pub(crate) fn remove(&mut self, rule: usize) {
        self.0[rule / 64] &= !(1 << (rule % 64));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The rules in it, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| bits(u128::from(word)).map(move |bit| i * 64 + bit))
    }
}

/// The places of the bits that are set, lowest first.
fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// What must occur somewhere in a document for a rule to hold at one of its nodes.
#[derive(Clone, Copy, Debug)]
struct Need {
    rule: usize,
    keys: KwSet,
    /// All of the keys; else one of them.
    all: bool,
}

/// Rules by one thing that each of them asks for: an attribute, one of some keys, or a kind of node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dispatch {
    every: RuleSet,
    always: RuleSet,
    attrs: AttrSet,
    keys: KwSet,
    /// A row of words for each attribute, key and kind, in this order.
    rows: Vec<u64>,
    needs: Vec<Need>,
}

const ATTR_ROWS: usize = Attr::WORDS.len();
const KEY_ROWS: usize = 128;
const KIND_ROWS: usize = 16;

/// What most nodes have: a poor choice where a rule asks for something else too.
const COMMON: AttrSet =
    AttrSet::of(&[Attr::Nested, Attr::Property, Attr::Optional, Attr::RootProperty, Attr::Typed, Attr::Open, Attr::SilentOpen, Attr::Root]);
const COMMON_KEYS: KwSet = KwSet::of(&[Kw::Type, Kw::Description, Kw::Title, Kw::Properties, Kw::Required]).with(KwSet::OTHER);

/// Rows of which at least one must be there for a predicate to hold; `None` where nothing can be said.
fn trigger(pred: &Pred) -> Option<Vec<usize>> {
    let rows = |keys: KwSet| bits(keys.0).map(|key| ATTR_ROWS + key).collect::<Vec<_>>();
    let known = |k: &Keys| if k.other.is_empty() { k.known } else { k.known.with(KwSet::OTHER) };
    let mut choices: Vec<Vec<usize>> = Attr::WORDS.iter().filter(|(_, a)| pred.is.has(*a)).map(|(_, a)| vec![*a as usize]).collect();
    choices.extend(pred.has.iter().map(|k| rows(known(k))));
    choices.extend(pred.has_all.iter().flat_map(|k| bits(k.known.0)).map(|key| vec![ATTR_ROWS + key]));
    if pred.kinds != 0 {
        choices.push(bits(u128::from(pred.kinds)).map(|kind| ATTR_ROWS + KEY_ROWS + kind).collect());
    }
    for test in &pred.tests {
        match test {
            Test::Value(name, _) | Test::Members(name, _) => choices.push(rows(name.kw.map_or(KwSet::OTHER, |kw| KwSet::of(&[kw])))),
            Test::Regex(kw, _) => choices.push(rows(KwSet::of(&[*kw]))),
            Test::Beside { key, .. } => choices.push(rows(known(key))),
            Test::OffType(keys) => choices.push(rows(keys.known)),
            Test::Select(selector) => choices.extend(selector.gate().map(|kw| rows(KwSet::of(&[kw])))),
            Test::Text(TextOf::PropertyName, _) => choices.push(vec![Attr::Property as usize]),
            Test::All(preds) => choices.extend(preds.iter().filter_map(trigger)),
            Test::Any(preds) => choices.extend(preds.iter().map(trigger).collect::<Option<Vec<_>>>().map(|all| all.concat())),
            Test::KeysOutside(_) | Test::Measure { .. } | Test::Text(..) | Test::Not(_) => {}
        }
    }
    choices.into_iter().min_by_key(|choice| choice.iter().map(|&row| price(row)).sum::<u32>())
}

/// How often a row is expected, roughly.
fn price(row: usize) -> u32 {
    match row {
        _ if row >= ATTR_ROWS + KEY_ROWS => 8,
        _ if row >= ATTR_ROWS => {
            if COMMON_KEYS.0 & (1 << (row - ATTR_ROWS)) != 0 {
                20
            } else {
                1
            }
        }
        _ => {
            if COMMON.both(AttrSet::EMPTY.with_bit(row)) != 0 {
                20
            } else {
                2
            }
        }
    }
}

impl Dispatch {
    /// Of these rules of a plan, each with its condition.
    pub(crate) fn of<'p>(count: usize, rules: impl Iterator<Item = (usize, &'p Pred)>) -> Dispatch {
        let words = count.div_ceil(64);
        let mut it = Dispatch {
            every: RuleSet::none(count),
            always: RuleSet::none(count),
            rows: vec![0; words * (ATTR_ROWS + KEY_ROWS + KIND_ROWS)],
            ..Dispatch::default()
        };
        for (rule, pred) in rules {
            it.every.insert(rule);
            let needs = pred.needs();
            it.needs.extend(needs.into_iter().map(|(keys, all)| Need { rule, keys, all }));
            match trigger(pred) {
                None => it.always.insert(rule),
                Some(rows) => rows.into_iter().for_each(|row| it.put(row, rule)),
            }
        }
        it
    }

    fn put(&mut self, row: usize, rule: usize) {
        let words = self.every.0.len();
        self.rows[row * words + rule / 64] |= 1 << (rule % 64);
        match row.checked_sub(ATTR_ROWS) {
            None => self.attrs = self.attrs.with_bit(row),
            Some(key) if key < KEY_ROWS => self.keys.0 |= 1 << key,
            Some(_) => {}
        }
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

    /// Writes those of the rules that could hold at a node into `out`.
    pub(crate) fn at(&self, facts: &Facts, live: &RuleSet, out: &mut RuleSet) {
        let words = self.every.0.len();
        out.0.clone_from(&self.always.0);
        let mut add = |row: usize| {
            for (word, more) in out.0.iter_mut().zip(&self.rows[row * words..(row + 1) * words]) {
                *word |= more;
            }
        };
        bits(facts.attrs.both(self.attrs)).for_each(&mut add);
        bits(facts.keys.0 & self.keys.0).for_each(|key| add(ATTR_ROWS + key));
        add(ATTR_ROWS + KEY_ROWS + (facts.kind as u16).trailing_zeros() as usize);
        for (word, may) in out.0.iter_mut().zip(&live.0) {
            *word &= may;
        }
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
        let any = |k: &Keys| if k.other.is_empty() { k.known } else { k.known.with(KwSet::OTHER) };
        let mut needs: Vec<(KwSet, bool)> = self.has.iter().map(|k| (any(k), false)).collect();
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
