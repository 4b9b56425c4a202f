//! Whether a predicate holds at a node, and which members of the node make it hold.

use std::cell::OnceCell;

use crate::attr::{Attr, AttrSet};
use crate::check::{Given, Tool};
use crate::facts::{Cx, Facts, off_type};
use crate::keyword::KwSet;
use crate::measure::{Counts, Parts, count};
use crate::pattern::Pattern;
use crate::plan::{Keys, Measure, Name, Over, Pred, Test, TextOf, TextTest, ValueTest};
use crate::regex_scan::scan;
use crate::site::{Place, is_container};
use crate::tree::{Id, Kind, Tree};
use crate::valid::misfits;

/// A schema node with all that is known of it.
pub struct Spot<'a, 't> {
    /// The schema.
    pub cx: &'a Cx<'t>,
    /// The node.
    pub node: Id,
    /// What is derived of it.
    pub facts: &'a Facts,
    /// Where it stands.
    pub place: &'a Place,
    /// Counts, made when first asked for.
    pub(crate) counted: &'a Counted,
}

/// What was counted of a schema so far.
#[derive(Default)]
pub(crate) struct Counted {
    /// Of the whole schema, but for its length.
    whole: OnceCell<Counts>,
    /// Of its parts each for itself, where many are looked at.
    parts: Option<OnceCell<Parts>>,
}

impl Counted {
    /// For a schema of which every part is looked at, and that does not change meanwhile.
    pub(crate) fn throughout() -> Counted {
        Counted { whole: OnceCell::new(), parts: Some(OnceCell::new()) }
    }
}

/// What makes a predicate hold: a member of the node, or a number and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The node itself or a member.
    pub node: Id,
    /// What was counted, and the limit.
    pub count: Option<(u64, u64)>,
}

impl Pred {
    /// Whether everything holds.
    #[must_use]
    pub fn holds(&self, spot: &Spot<'_, '_>) -> bool {
        let facts = spot.facts;
        (self.kinds == 0 || self.kinds & facts.kind as u16 != 0)
            && facts.attrs.covers(self.is)
            && !facts.attrs.meets(self.is_not)
            && (self.types == 0 || self.types & facts.types.0 != 0)
            && self.has.as_ref().is_none_or(|k| any_key(spot, k))
            && self.has_all.as_ref().is_none_or(|k| facts.keys.covers(k.known) && all_other(spot, k))
            && self.lacks.as_ref().is_none_or(|k| !any_key(spot, k))
            && self.tests.iter().all(|t| t.holds(spot))
    }

    /// The members that make it hold; the node itself where no part names members.
    #[must_use]
    pub fn witnesses(&self, spot: &Spot<'_, '_>) -> Vec<Witness> {
        let tree = spot.cx.tree;
        let mut found = Vec::new();
        let plain = |node: Id| Witness { node, count: None };
        for test in &self.tests {
            test.witnesses(spot, &mut found);
        }
        if found.is_empty()
            && let Some(keys) = &self.has
        {
            found.extend(tree.children(spot.node).filter(|&c| keys.has(tree.kw(c), tree.raw_key(c))).map(plain));
        }
        if found.is_empty() && self.is.has(Attr::Misfit) {
            found.extend(misfits(tree, spot.node).map(plain));
        }
        if found.is_empty() && self.is.has(Attr::KeywordOffType) {
            let off = off_type(spot.facts.keys, spot.facts.types);
            found.extend(tree.children(spot.node).filter(|&c| tree.kw(c).is_some_and(|k| off.has(k))).map(plain));
        }
        if found.is_empty() {
            found.push(plain(spot.node));
        }
        // One place is told once, whatever several counts say of it.
        if found.iter().filter(|w| w.count.is_some()).nth(1).is_some() {
            let mut counted = Vec::new();
            found.retain(|w| {
                let again = w.count.is_some() && counted.contains(&w.node);
                counted.extend(w.count.map(|_| w.node));
                !again
            });
        }
        found
    }
}

fn any_key(spot: &Spot<'_, '_>, keys: &Keys) -> bool {
    let tree = spot.cx.tree;
    spot.facts.keys.meets(keys.known)
        || (!keys.other.is_empty()
            && spot.facts.keys.meets(KwSet::OTHER)
            && tree.children(spot.node).any(|c| tree.kw(c).is_none() && keys.has(None, tree.raw_key(c))))
}

fn all_other(spot: &Spot<'_, '_>, keys: &Keys) -> bool {
    let tree = spot.cx.tree;
    keys.other.iter().all(|name| tree.kind(spot.node) == Kind::Object && tree.member(spot.node, name).is_some())
}

impl Test {
    fn holds(&self, spot: &Spot<'_, '_>) -> bool {
        let (tree, node) = (spot.cx.tree, spot.node);
        match self {
            Test::KeysOutside(keys) => {
                !spot.facts.keys.without(keys.known).without(KwSet::OTHER).is_empty()
                    || (spot.facts.keys.meets(KwSet::OTHER)
                        && (keys.other.is_empty() || tree.children(node).any(|c| tree.kw(c).is_none() && !keys.has(None, tree.raw_key(c)))))
            }
            Test::Beside { key, except } => {
                any_key(spot, key) && tree.kind(node) == Kind::Object && tree.children(node).any(|c| beside(tree, c, key, except))
            }
            Test::OffType(keys) => off_type(spot.facts.keys, spot.facts.types).meets(keys.known),
            Test::Value(name, test) => member(tree, node, name).is_some_and(|v| test.holds(tree, v)),
            Test::Members(name, test) => {
                member(tree, node, name).is_some_and(|v| is_container_value(tree, v) && tree.children(v).any(|m| test.member(tree, m)))
            }
            Test::Regex(kw, uses) => tree.get(node, *kw).and_then(|p| tree.str(p)).is_some_and(|text| scan(&text).0 & uses != 0),
            Test::Measure { of, over, above } => may_exceed(tree, *of, *above) && measure(spot, *of, *over).is_some_and(|n| n > *above),
            Test::Text(TextOf::PropertyName, test) => spot.facts.is(Attr::Property) && test.holds(&Given::Text(&tree.key(node))),
            Test::Text(..) => false,
            Test::Select(selector) => selector.gate().is_none_or(|kw| spot.facts.keys.has(kw)) && !selector.matches(tree, node).is_empty(),
            Test::All(preds) => preds.iter().all(|p| p.holds(spot)),
            Test::Any(preds) => preds.iter().any(|p| p.holds(spot)),
            Test::Not(pred) => !pred.holds(spot),
        }
    }

    fn witnesses(&self, spot: &Spot<'_, '_>, out: &mut Vec<Witness>) {
        let (tree, node) = (spot.cx.tree, spot.node);
        let plain = |node: Id| Witness { node, count: None };
        match self {
            Test::KeysOutside(keys) => out.extend(tree.children(node).filter(|&c| !keys.has(tree.kw(c), tree.raw_key(c))).map(plain)),
            Test::Beside { key, except } => out.extend(tree.children(node).filter(|&c| beside(tree, c, key, except)).map(plain)),
            Test::OffType(keys) => {
                let off = off_type(spot.facts.keys, spot.facts.types);
                out.extend(tree.children(node).filter(|&c| tree.kw(c).is_some_and(|k| off.has(k) && keys.known.has(k))).map(plain));
            }
            Test::Value(name, _) => out.extend(member(tree, node, name).map(plain)),
            Test::Members(name, test) => {
                if let Some(list) = member(tree, node, name) {
                    out.extend(tree.children(list).filter(|&m| test.member(tree, m)).map(plain));
                }
            }
            Test::Regex(kw, _) => out.extend(tree.get(node, *kw).map(plain)),
            Test::Measure { of, over, above } => {
                if let Some(n) = measure(spot, *of, *over) {
                    out.push(Witness { node, count: Some((n, *above)) });
                }
            }
            Test::Select(selector) => out.extend(selector.matches(tree, node).into_iter().map(plain)),
            Test::Any(preds) => {
                for pred in preds.iter().filter(|p| p.holds(spot)) {
                    out.extend(pred.witnesses(spot).into_iter().filter(|w| w.node != node || w.count.is_some()));
                }
            }
            Test::All(preds) => {
                for pred in preds {
                    out.extend(pred.witnesses(spot).into_iter().filter(|w| w.node != node || w.count.is_some()));
                }
            }
            Test::Text(..) | Test::Not(_) => {}
        }
    }
}

fn beside(tree: &Tree, child: Id, key: &Keys, except: &Keys) -> bool {
    let (kw, name) = (tree.kw(child), tree.raw_key(child));
    !key.has(kw, name) && !except.has(kw, name)
}

fn member(tree: &Tree, node: Id, name: &Name) -> Option<Id> {
    match name.kw {
        Some(kw) => tree.get(node, kw),
        None => tree.member(node, &name.name),
    }
}

fn is_container_value(tree: &Tree, value: Id) -> bool {
    matches!(tree.kind(value), Kind::Array | Kind::Object)
}

/// Whether a count over this document could be so high, judged by its size alone.
fn may_exceed(tree: &Tree, of: Measure, above: u64) -> bool {
    match of {
        Measure::MaxItemsSum => tree.seen_keys().has(crate::keyword::Kw::MaxItems),
        Measure::Bytes | Measure::LiteralChars => tree.longest() as u64 > above,
        _ => tree.len() as u64 > above,
    }
}

/// The parts of a smaller document are counted each for itself.
const FEW: usize = 256;

fn measure(spot: &Spot<'_, '_>, of: Measure, over: Over) -> Option<u64> {
    let (tree, root) = (spot.cx.tree, spot.cx.root);
    if of == Measure::Level {
        return is_container(tree, spot.node).then_some(u64::from(spot.place.level).saturating_add(1));
    }
    let node = match over {
        Over::Node => spot.node,
        Over::Schema => spot.facts.is(Attr::Root).then_some(root)?,
        Over::Request => return None,
    };
    Some(match &spot.counted.parts {
        _ if matches!(of, Measure::Bytes | Measure::PropertyCount | Measure::RequiredCount) => count(tree, root, node, of),
        _ if node == root => spot.counted.whole.get_or_init(|| Counts::but_bytes(tree, root)).get(of),
        Some(parts) if tree.len() > FEW => parts.get_or_init(|| Parts::of(tree, root)).get(tree, root, node, of),
        _ => count(tree, root, node, of),
    })
}

impl ValueTest {
    /// Whether a value passes.
    #[must_use]
    pub fn holds(&self, tree: &Tree, value: Id) -> bool {
        let text = || tree.str(value);
        let is = |pattern: &Pattern| text().is_some_and(|t| pattern.is_match(&t));
        let number = |f: &dyn Fn(f64) -> bool| tree.num(value).is_some_and(f);
        let among = |list: &[serde_json::Value]| {
            let value = tree.to_value(value);
            list.contains(&value)
        };
        self.kind.as_ref().is_none_or(|k| k.contains(&tree.kind(value)))
            && self.not_kind.as_ref().is_none_or(|k| !k.contains(&tree.kind(value)))
            && self.within.as_ref().is_none_or(|l| among(l))
            && self.not_within.as_ref().is_none_or(|l| !among(l))
            && self.matches.as_ref().is_none_or(is)
            && self.not_matches.as_ref().is_none_or(|p| text().is_some_and(|t| !p.is_match(&t)))
            && self.above.is_none_or(|x| number(&|n| n > x))
            && self.below.is_none_or(|x| number(&|n| n < x))
            && self.integral.is_none_or(|want| number(&|n| (n.fract() == 0.0) == want))
    }

    /// Like [`ValueTest::holds`]; of an object's member, tests of text look at its key.
    fn member(&self, tree: &Tree, member: Id) -> bool {
        if (self.matches.is_some() || self.not_matches.is_some()) && tree.parent(member).is_some_and(|p| tree.kind(p) == Kind::Object) {
            let key = tree.key(member);
            return self.matches.as_ref().is_none_or(|p| p.is_match(&key)) && self.not_matches.as_ref().is_none_or(|p| !p.is_match(&key));
        }
        self.holds(tree, member)
    }
}

impl TextTest {
    /// Whether a text passes.
    #[must_use]
    pub fn holds(&self, given: &Given<'_>) -> bool {
        let missing = matches!(given, Given::Missing);
        if self.missing.is_some_and(|want| want != missing) || self.null.is_some_and(|want| want != matches!(given, Given::Null)) {
            return false;
        }
        let asks = self.matches.is_some() || self.not_matches.is_some() || self.within.is_some() || self.longer.is_some();
        let Given::Text(text) = given else {
            // An absent text is shorter than any length, and passes no other test.
            return !asks && (self.shorter.is_none() || (missing && self.shorter.is_some_and(|n| n > 0)));
        };
        self.matches.as_ref().is_none_or(|p| p.is_match(text))
            && self.not_matches.as_ref().is_none_or(|p| !p.is_match(text))
            && self.within.as_ref().is_none_or(|l| l.iter().any(|w| w == text))
            && self.longer.is_none_or(|n| self.unit.len(text) > n)
            && self.shorter.is_none_or(|n| self.unit.len(text) < n)
    }
}

/// What is derived of a tool.
#[must_use]
pub fn tool_attrs(tool: &Tool<'_>, duplicate: bool) -> AttrSet {
    let mut attrs = AttrSet::EMPTY;
    attrs.put(Attr::SchemaMissing, tool.own_schema().is_none());
    attrs.put(Attr::SchemaNull, tool.schema.is_some() && tool.own_schema().is_none());
    attrs.put(Attr::SchemaNotObject, tool.own_schema().is_some_and(|(tree, root)| tree.kind(root) != Kind::Object));
    attrs.put(Attr::NameDuplicate, duplicate);
    attrs
}

/// Whether a predicate of a rule about tools holds.
#[must_use]
pub fn holds_tool(pred: &Pred, tool: &Tool<'_>, attrs: AttrSet) -> bool {
    attrs.covers(pred.is)
        && !attrs.meets(pred.is_not)
        && pred.tests.iter().all(|test| match test {
            Test::Text(TextOf::Name, t) => t.holds(&tool.name),
            Test::Text(TextOf::Description, t) => t.holds(&tool.description),
            Test::All(list) => list.iter().all(|p| holds_tool(p, tool, attrs)),
            Test::Any(list) => list.iter().any(|p| holds_tool(p, tool, attrs)),
            Test::Not(p) => !holds_tool(p, tool, attrs),
            _ => false,
        })
}

/// What of a tool a predicate speaks about, for the finding's subject.
#[must_use]
pub fn text_subject(pred: &Pred) -> Option<TextOf> {
    pred.tests.iter().find_map(|test| match test {
        Test::Text(of, _) => Some(*of),
        Test::All(list) | Test::Any(list) => list.iter().find_map(text_subject),
        Test::Not(p) => text_subject(p),
        _ => None,
    })
}
