//! What can be said of a predicate from a node's facts alone, before the node itself is looked at.

use crate::attr::{Attr, AttrSet, Types};
use crate::facts::{Facts, off_type};
use crate::keyword::{Kw, KwSet};
use crate::plan::{Keys, Measure, Over, Pred, Test, TextOf, ValueTest};
use crate::tree::Kind;
use crate::valid::usual;

/// Attributes that tests ask for beside those that predicates name.
pub(crate) const ASKED: AttrSet = AttrSet::of(&[Attr::Root, Attr::Property]);

/// Whether a predicate holds at the nodes that have some facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outlook {
    /// At none.
    Never,
    /// At some, perhaps.
    Perhaps,
    /// At all.
    Always,
}

impl Outlook {
    fn when(holds: bool) -> Outlook {
        if holds { Outlook::Always } else { Outlook::Never }
    }

    /// At some, if this holds; else at none.
    fn perhaps(can: bool) -> Outlook {
        if can { Outlook::Perhaps } else { Outlook::Never }
    }

    fn not(self) -> Outlook {
        match self {
            Outlook::Never => Outlook::Always,
            Outlook::Perhaps => Outlook::Perhaps,
            Outlook::Always => Outlook::Never,
        }
    }
}

impl Pred {
    /// Whether it holds at the nodes that have these facts.
    pub(crate) fn outlook(&self, facts: &Facts) -> Outlook {
        let bits = (self.kinds == 0 || self.kinds & facts.kind as u16 != 0)
            && facts.attrs.covers(self.is)
            && !facts.attrs.meets(self.is_not)
            && (self.types == 0 || self.types & facts.types.0 != 0);
        let keys = [
            self.has.as_ref().map(|k| any_key(facts, k)),
            self.has_all.as_ref().map(|k| all_keys(facts, k)),
            self.lacks.as_ref().map(|k| any_key(facts, k).not()),
        ];
        let parts = keys.into_iter().flatten().chain(self.tests.iter().map(|test| test.outlook(facts)));
        // The worst of them all, sought no further than it matters.
        let mut worst = Outlook::when(bits);
        for part in parts {
            if worst == Outlook::Never {
                break;
            }
            worst = worst.min(part);
        }
        worst
    }

    /// What is left to ask of the nodes that have these facts, where it may hold there; nothing, if it always does.
    pub(crate) fn left(&self, facts: &Facts) -> Option<Pred> {
        let open = |outlook: Outlook| outlook == Outlook::Perhaps;
        (self.outlook(facts) != Outlook::Always).then(|| Pred {
            has: self.has.clone().filter(|k| open(any_key(facts, k))),
            has_all: self.has_all.clone().filter(|k| open(all_keys(facts, k))),
            lacks: self.lacks.clone().filter(|k| open(any_key(facts, k))),
            tests: self.tests.iter().filter(|test| open(test.outlook(facts))).map(|test| test.left(facts)).collect(),
            ..Pred::default()
        })
    }
}

impl Test {
    /// What is left to ask, where that is open.
    fn left(&self, facts: &Facts) -> Test {
        let open = |preds: &[Pred]| preds.iter().filter(|p| p.outlook(facts) == Outlook::Perhaps).filter_map(|p| p.left(facts)).collect();
        match self {
            Test::All(preds) => Test::All(open(preds)),
            Test::Any(preds) => Test::Any(open(preds)),
            Test::Not(pred) => Test::Not(Box::new(pred.left(facts).unwrap_or_default())),
            other => other.clone(),
        }
    }

    fn outlook(&self, facts: &Facts) -> Outlook {
        let other = facts.keys.meets(KwSet::OTHER);
        match self {
            Test::KeysOutside(keys) if facts.keys.without(keys.known).without(KwSet::OTHER).is_empty() => Outlook::perhaps(other),
            Test::KeysOutside(_) => Outlook::Always,
            Test::Beside { key, except } => {
                let more = !facts.keys.without(key.known).without(except.known).is_empty();
                any_key(facts, key).min(Outlook::perhaps(more))
            }
            Test::OffType(keys) => Outlook::when(off_type(facts.keys, facts.types).meets(keys.known)),
            Test::Value(name, test) => {
                let (can, wanted) = (kinds(facts, name.kw), test.kinds());
                let surely = test.is_of_kinds() && name.kw.is_some() && can & !wanted == 0;
                if surely && can != 0 { Outlook::Always } else { Outlook::perhaps(can & wanted != 0) }
            }
            Test::Members(name, _) => Outlook::perhaps(kinds(facts, name.kw) & (Kind::Array.bit() | Kind::Object.bit()) != 0),
            Test::Regex(kw, _) => Outlook::perhaps(facts.keys.has(*kw)),
            Test::Measure { of: Measure::Level, .. } => Outlook::perhaps(may_contain(facts)),
            Test::Measure { over, .. } => Outlook::perhaps(match over {
                Over::Node => true,
                Over::Schema => facts.is(Attr::Root),
                Over::Request => false,
            }),
            Test::Text(of, _) => Outlook::perhaps(*of == TextOf::PropertyName && facts.is(Attr::Property)),
            Test::Select(selector) => Outlook::perhaps(selector.gate().is_none_or(|kw| facts.keys.has(kw))),
            Test::All(preds) => preds.iter().map(|p| p.outlook(facts)).min().unwrap_or(Outlook::Always),
            Test::Any(preds) => preds.iter().map(|p| p.outlook(facts)).max().unwrap_or(Outlook::Never),
            Test::Not(pred) => pred.outlook(facts).not(),
        }
    }
}

/// The kinds that the value under a key may have, as bits; none where there is no such key.
fn kinds(facts: &Facts, kw: Option<Kw>) -> u8 {
    match kw {
        None if facts.keys.meets(KwSet::OTHER) => EVERY_KIND,
        Some(kw) if facts.keys.has(kw) && facts.odd.has(kw) => EVERY_KIND & !usual(kw),
        Some(kw) if facts.keys.has(kw) => EVERY_KIND & usual(kw),
        _ => 0,
    }
}

const EVERY_KIND: u8 = {
    let [(_, null), (_, bool), (_, num), (_, str), (_, array), (_, object)] = Kind::WORDS;
    null.bit() | bool.bit() | num.bit() | str.bit() | array.bit() | object.bit()
};

impl ValueTest {
    /// The kinds of which a value may pass, as bits.
    fn kinds(&self) -> u8 {
        let bits = |list: &Vec<Kind>| list.iter().fold(0, |bits, kind| bits | kind.bit());
        let text = self.matches.is_some() || self.not_matches.is_some();
        let number = self.above.is_some() || self.below.is_some() || self.integral.is_some();
        let mut all = EVERY_KIND & self.kind.as_ref().map_or(EVERY_KIND, bits) & !self.not_kind.as_ref().map_or(0, bits);
        if text {
            all &= Kind::Str.bit();
        }
        if number {
            all &= Kind::Num.bit();
        }
        all
    }

    /// Whether it asks for nothing but the kind.
    fn is_of_kinds(&self) -> bool {
        let ValueTest { within, not_within, matches, not_matches, kind: _, not_kind: _, above, below, integral } = self;
        let text = within.is_some() || not_within.is_some() || matches.is_some() || not_matches.is_some();
        !text && above.is_none() && below.is_none() && integral.is_none()
    }
}

fn any_key(facts: &Facts, keys: &Keys) -> Outlook {
    if facts.keys.meets(keys.known) {
        return Outlook::Always;
    }
    Outlook::perhaps(!keys.other.is_empty() && facts.keys.meets(KwSet::OTHER))
}

fn all_keys(facts: &Facts, keys: &Keys) -> Outlook {
    if !facts.keys.covers(keys.known) {
        return Outlook::Never;
    }
    if keys.other.is_empty() { Outlook::Always } else { Outlook::perhaps(facts.keys.meets(KwSet::OTHER)) }
}

/// Whether a node with these facts may count as a level of nesting.
fn may_contain(facts: &Facts) -> bool {
    facts.keys.meets(KwSet::of(&[Kw::Properties, Kw::Items, Kw::PrefixItems])) || facts.types.meets(Types(Types::OBJECT.0 | Types::ARRAY.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attr::NodeKind;
    use crate::budget::Budget;
    use crate::check::visit;
    use crate::facts::Cx;
    use crate::plan::{Certainty, Level, Name, Plan, Rule, Site, TextTest};
    use crate::pred::Spot;
    use crate::refs::Refs;
    use crate::tree::Tree;
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

    /// One predicate of every form.
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
            test(Test::Value(name("type"), ValueTest { kind: Some(vec![Kind::Str]), ..any() })),
            test(Test::Value(name("type"), ValueTest { not_kind: Some(vec![Kind::Str]), ..any() })),
            test(Test::Value(name("const"), ValueTest { above: Some(0.0), ..any() })),
            test(Test::Value(name("title"), ValueTest { not_kind: Some(vec![Kind::Str]), ..any() })),
            test(Test::Value(name("title"), ValueTest { kind: Some(vec![Kind::Str]), ..any() })),
            test(Test::Value(name("items"), ValueTest { kind: Some(vec![Kind::Bool, Kind::Array]), ..any() })),
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

    /// Schemas at whose nodes each of the predicates holds somewhere, and does not somewhere.
    const SCHEMAS: [&str; 5] = [
        r#"{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)y","minimum":1},"b":{"const":1,"x-note":2,"y":3},"c":true}}"#,
        r#"{"properties":{"t":{"type":"array","prefixItems":[{"enum":[1]}]},"u":{"anyOf":[{"type":"string"},{}],"default":1}}}"#,
        r#"{"anyOf":[{"not":{"const":1}},false],"$defs":{"A":{"type":["string","null"]}}}"#,
        r#"{"type":"string","title":"t","description":"d","default":"x","x-other":1}"#,
        r#"{"title":1,"properties":{"a":{"items":true,"title":["t"]},"b":{"items":[{}],"title":""},"c":{"items":{},"enum":1}}}"#,
    ];

    /// Every node is looked at twice, so that what is kept of it is held against it too.
    #[test]
    fn an_outlook_is_never_wrong() {
        let preds = preds();
        let plan = Plan::new("p".to_owned(), None, preds.iter().cloned().map(rule).collect());
        let mut seen = vec![[false; 2]; preds.len()];
        for text in SCHEMAS.into_iter().chain(SCHEMAS) {
            let tree = Tree::parse(text, &Budget::default()).expect(text);
            let refs = Refs::of(&tree, tree.root());
            let cx = Cx { tree: &tree, root: tree.root(), refs: &refs, want: plan.index().want };
            visit(&cx, |sight, counted| {
                let known = plan.index().memo.at(&plan, sight);
                let facts = Facts::of(sight.cx, sight.node, sight.place);
                let spot = Spot { cx: sight.cx, node: sight.node, facts: &facts, place: sight.place, counted };
                for (i, pred) in preds.iter().enumerate() {
                    let holds = pred.holds(&spot);
                    seen[i][usize::from(holds)] = true;
                    let answer = known.candidate(i).is_some_and(|candidate| candidate.holds(&spot));
                    assert_eq!(answer, holds, "{pred:?} at `{}` of {text}", tree.pointer(tree.root(), sight.node));
                }
                ControlFlow::Continue(())
            });
        }
        let unseen: Vec<_> = preds.iter().zip(&seen).skip(1).filter(|(_, seen)| **seen != [true; 2]).collect();
        assert!(unseen.is_empty(), "{unseen:?}");
    }
}
