//! Which rules can hold at a node at all, found from what the node has instead of by asking every rule.

use crate::attr::{Attr, AttrSet};
use crate::facts::Facts;
use crate::keyword::{Kw, KwSet};
use crate::plan::{Pred, Test, TextOf};
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
    let mut choices: Vec<Vec<usize>> = Attr::WORDS.iter().filter(|(_, a)| pred.is.has(*a)).map(|(_, a)| vec![*a as usize]).collect();
    choices.extend(pred.has.iter().map(|k| rows(k.outline())));
    choices.extend(pred.has_all.iter().flat_map(|k| bits(k.known.0)).map(|key| vec![ATTR_ROWS + key]));
    if pred.kinds != 0 {
        choices.push(bits(u128::from(pred.kinds)).map(|kind| ATTR_ROWS + KEY_ROWS + kind).collect());
    }
    for test in &pred.tests {
        match test {
            Test::Value(name, _) | Test::Members(name, _) => choices.push(rows(name.kw.map_or(KwSet::OTHER, |kw| KwSet::of(&[kw])))),
            Test::Regex(kw, _) => choices.push(rows(KwSet::of(&[*kw]))),
            Test::Beside { key, .. } => choices.push(rows(key.outline())),
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
        if let Some(word) = self.rows.get_mut(row * words + rule / 64) {
            *word |= 1 << (rule % 64);
        }
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
            for (word, more) in out.0.iter_mut().zip(self.rows.get(row * words..).unwrap_or_default()) {
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
    use crate::attr::NodeKind;
    use crate::budget::Budget;
    use crate::check::visit;
    use crate::plan::{Certainty, Keys, Level, Measure, Name, Over, Plan, Rule, Site, TextTest, ValueTest};
    use crate::refs::Refs;
    use std::ops::ControlFlow;

    fn rule(when: Pred) -> Rule {
        Rule {
            id: "p/r".into(),
            title: String::new(),
            message: String::new(),
            why: "".into(),
            site: Site::Schema,
            when,
            rewrite: Vec::new(),
            change: None,
            level: Level::Error,
            stage: "s".into(),
            certainty: Certainty::Certain,
            sources: [].into(),
        }
    }

    fn test(test: Test) -> Pred {
        Pred { tests: vec![test], ..Pred::default() }
    }

    fn keys(names: &[&str]) -> Keys {
        Keys::of(names)
    }

    /// One predicate of every form that a trigger is read off, and some of which nothing can be said.
    fn preds() -> Vec<Pred> {
        let name = |n: &str| Name { kw: Kw::of(n), name: n.to_owned() };
        let has = |names: &[&str]| Pred { has: Some(keys(names)), ..Pred::default() };
        let any = ValueTest::default;
        vec![
            Pred::default(),
            Pred::attr(Attr::Root),
            Pred { is: AttrSet::of(&[Attr::Nested, Attr::Tuple]), ..Pred::default() },
            Pred { is_not: AttrSet::of(&[Attr::Root]), ..Pred::default() },
            Pred { kinds: NodeKind::String as u16 | NodeKind::Union as u16, ..Pred::default() },
            Pred { types: 4, ..Pred::default() },
            has(&["const", "minimum"]),
            has(&["x-note"]),
            Pred { has_all: Some(keys(&["type", "pattern"])), ..Pred::default() },
            Pred { has_all: Some(keys(&["x-note"])), ..Pred::default() },
            Pred { lacks: Some(keys(&["type"])), ..Pred::default() },
            test(Test::KeysOutside(keys(&["type", "properties"]))),
            test(Test::Beside { key: keys(&["anyOf"]), except: keys(&["description"]) }),
            test(Test::Beside { key: keys(&["x-note"]), except: Keys::default() }),
            test(Test::OffType(keys(&["minimum"]))),
            test(Test::Value(name("type"), any())),
            test(Test::Value(name("x-note"), any())),
            test(Test::Members(name("enum"), any())),
            test(Test::Regex(Kw::Pattern, u32::MAX)),
            test(Test::Measure { of: Measure::Properties, over: Over::Node, above: 0 }),
            test(Test::Text(TextOf::PropertyName, TextTest { longer: Some(0), ..TextTest::default() })),
            test(Test::All(vec![Pred::attr(Attr::Property), has(&["pattern"])])),
            test(Test::Any(vec![Pred::attr(Attr::Tuple), has(&["const"])])),
            test(Test::Any(vec![Pred::attr(Attr::Tuple), Pred { lacks: Some(keys(&["type"])), ..Pred::default() }])),
            test(Test::Not(Box::new(has(&["type"])))),
        ]
    }

    #[test]
    fn whatever_holds_is_found() {
        let schemas = [
            r#"{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)y","minimum":1},"b":{"const":1,"x-note":2,"y":3},"c":true}}"#,
            r#"{"properties":{"t":{"type":"array","prefixItems":[{"enum":[1]}]},"u":{"anyOf":[{"type":"string"},{}],"default":1}}}"#,
            r#"{"anyOf":[{"not":{"const":1}},false],"$defs":{"A":{"type":["string","null"]}}}"#,
        ];
        let preds = preds();
        let plan = Plan::new("p".to_owned(), None, preds.iter().cloned().map(rule).collect());
        let dispatch = &plan.index().dispatch;
        let mut held = vec![false; preds.len()];
        for text in schemas {
            let tree = Tree::parse(text, &Budget::default()).expect(text);
            let live = dispatch.live(&tree);
            let mut found = live.clone();
            visit(&plan, &tree, tree.root(), &Refs::of(&tree, tree.root()), |spot| {
                dispatch.at(spot.facts, &live, &mut found);
                for (i, pred) in preds.iter().enumerate().filter(|(_, pred)| pred.holds(spot)) {
                    held[i] = true;
                    assert!(found.iter().any(|f| f == i), "{pred:?} at `{}` of {text}", tree.pointer(tree.root(), spot.node));
                }
                ControlFlow::Continue(())
            });
        }
        let never: Vec<_> = preds.iter().zip(held).filter(|(_, held)| !held).collect();
        assert!(never.is_empty(), "{never:?}");
    }

    #[test]
    fn what_cannot_hold_is_not_looked_at() {
        let plan = Plan::new("p".to_owned(), None, preds().into_iter().map(rule).collect());
        let tree = Tree::parse("{}", &Budget::default()).expect("a schema");
        let live: Vec<usize> = plan.index().dispatch.live(&tree).iter().collect();
        assert!(!live.contains(&6) && !live.contains(&18) && live.contains(&0), "{live:?}");
    }
}
