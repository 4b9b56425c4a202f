//! RFC 9535 selectors, evaluated relative to a node of the tree.
//!
//! The syntax is parsed by a library where rule files are loaded; this is the closed form it is lowered to.
//! Descendant segments are left out on purpose: the walker already visits every schema.

use std::borrow::Cow;

use crate::keyword::Kw;
use crate::tree::{Id, Kind, Tree, same_value};

/// A query without descendant segments.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    /// Its segments, from the visited node down.
    pub segments: Vec<Segment>,
}

/// One segment: the union of its selectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment(pub Vec<Step>);

/// One selector.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A member by name.
    Name(String),
    /// An element by index; negative counts from the end.
    Index(i64),
    /// `start:end:step`.
    Slice(Option<i64>, Option<i64>, Option<i64>),
    /// Every member or element.
    Wildcard,
    /// Those for which the expression holds.
    Filter(Expr),
}

/// A logical expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// All hold.
    And(Vec<Expr>),
    /// One holds.
    Or(Vec<Expr>),
    /// It does not hold.
    Not(Box<Expr>),
    /// The query selects something.
    Exists(Query),
    /// A comparison.
    Compare(Operand, Cmp, Operand),
}

/// A query inside a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// `$` (the visited node) or `@` (the candidate).
    pub from_root: bool,
    /// Its segments.
    pub segments: Vec<Segment>,
}

/// Something that is compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A literal.
    Literal(serde_json::Value),
    /// A singular query.
    Query(Query),
    /// `length(query)`: characters, elements or members.
    Length(Query),
    /// `count(query)`: how many nodes it selects.
    Count(Query),
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Selector {
    /// The nodes it selects from `node`, each once, in document order.
    #[must_use]
    pub fn matches(&self, tree: &Tree, node: Id) -> Vec<Id> {
        Visit { tree, top: node }.select(node, &self.segments).into_iter().map(|(id, _)| id).collect()
    }

    /// The keyword without which it selects nothing, if its first segment names one.
    #[must_use]
    pub fn gate(&self) -> Option<Kw> {
        match self.segments.first()?.0.as_slice() {
            [Step::Name(name)] => Kw::of(name),
            _ => None,
        }
    }
}

/// The evaluation at one visited node.
struct Visit<'t> {
    tree: &'t Tree,
    top: Id,
}

/// A compared value; literals become trees of their own.
struct Value<'t> {
    tree: Cow<'t, Tree>,
    id: Id,
}

impl<'t> Visit<'t> {
    /// The nodes selected, in document order, each with how often it stands in the nodelist.
    fn select(&self, from: Id, segments: &[Segment]) -> Vec<(Id, u64)> {
        let mut nodes = vec![(from, 1)];
        for Segment(steps) in segments {
            let mut next = Vec::new();
            for (node, times) in nodes {
                if let [Step::Name(name)] = steps.as_slice() {
                    next.extend(self.tree.member(node, name).map(|member| (member, times)));
                    continue;
                }
                let len = self.tree.count(node);
                for (index, child) in self.tree.children(node).enumerate() {
                    let picks = steps.iter().filter(|step| self.picks(step, node, child, index, len)).count() as u64;
                    if picks > 0 {
                        next.push((child, picks.saturating_mul(times)));
                    }
                }
            }
            nodes = next;
        }
        nodes
    }

    fn picks(&self, step: &Step, parent: Id, child: Id, index: usize, len: usize) -> bool {
        let array = self.tree.kind(parent) == Kind::Array;
        let (index, len) = (index as i64, len as i64);
        match step {
            Step::Name(name) => !array && self.tree.key(child) == name.as_str(),
            Step::Index(wanted) => array && from_start(*wanted, len) == index,
            Step::Slice(start, end, step) => array && in_slice(*start, *end, step.unwrap_or(1), index, len),
            Step::Wildcard => true,
            Step::Filter(expr) => self.holds(expr, child),
        }
    }

    fn holds(&self, expr: &Expr, candidate: Id) -> bool {
        match expr {
            Expr::And(all) => all.iter().all(|e| self.holds(e, candidate)),
            Expr::Or(any) => any.iter().any(|e| self.holds(e, candidate)),
            Expr::Not(inner) => !self.holds(inner, candidate),
            Expr::Exists(query) => !self.query(query, candidate).is_empty(),
            Expr::Compare(left, cmp, right) => cmp.holds(self.value(left, candidate).as_ref(), self.value(right, candidate).as_ref()),
        }
    }

    fn query(&self, query: &Query, candidate: Id) -> Vec<(Id, u64)> {
        self.select(if query.from_root { self.top } else { candidate }, &query.segments)
    }

    /// The value of an operand; `None` is the RFC's Nothing.
    fn value(&self, operand: &Operand, candidate: Id) -> Option<Value<'t>> {
        let first = |query: &Query| self.query(query, candidate).first().map(|&(id, _)| id);
        Some(match operand {
            Operand::Literal(literal) => Value::new(|tree| tree.new_value(literal)),
            Operand::Query(query) => Value { tree: Cow::Borrowed(self.tree), id: first(query)? },
            Operand::Length(query) => {
                let id = first(query)?;
                let length = match self.tree.kind(id) {
                    Kind::Str => self.tree.str(id)?.chars().count(),
                    Kind::Array | Kind::Object => self.tree.count(id),
                    _ => return None,
                };
                Value::new(|tree| tree.new_num(&length.to_string()))
            }
            Operand::Count(query) => {
                let count = self.query(query, candidate).iter().fold(0, |sum: u64, (_, times)| sum.saturating_add(*times));
                Value::new(|tree| tree.new_num(&count.to_string()))
            }
        })
    }
}

impl Value<'_> {
    fn new(make: impl FnOnce(&mut Tree) -> Id) -> Value<'static> {
        let mut tree = Tree::empty(1);
        let id = make(&mut tree);
        Value { tree: Cow::Owned(tree), id }
    }

    fn same(&self, other: &Value<'_>) -> bool {
        same_value(&self.tree, self.id, &other.tree, other.id)
    }

    fn less(&self, other: &Value<'_>) -> bool {
        match (self.tree.kind(self.id), other.tree.kind(other.id)) {
            (Kind::Num, Kind::Num) => {
                let integer = |v: &Value<'_>| v.tree.raw(v.id).parse::<i128>().ok();
                match (integer(self), integer(other)) {
                    (Some(a), Some(b)) => a < b,
                    _ => self.tree.num(self.id) < other.tree.num(other.id),
                }
            }
            // UTF-8 sorts by Unicode scalar values.
            (Kind::Str, Kind::Str) => self.tree.str(self.id) < other.tree.str(other.id),
            _ => false,
        }
    }
}

impl Cmp {
    fn holds(self, left: Option<&Value<'_>>, right: Option<&Value<'_>>) -> bool {
        let same = || match (left, right) {
            (Some(l), Some(r)) => l.same(r),
            (l, r) => l.is_none() && r.is_none(),
        };
        let less = |a: Option<&Value<'_>>, b: Option<&Value<'_>>| a.zip(b).is_some_and(|(a, b)| a.less(b));
        match self {
            Cmp::Eq => same(),
            Cmp::Ne => !same(),
            Cmp::Lt => less(left, right),
            Cmp::Le => less(left, right) || same(),
            Cmp::Gt => less(right, left),
            Cmp::Ge => less(right, left) || same(),
        }
    }
}

fn from_start(index: i64, len: i64) -> i64 {
    if index < 0 { index.saturating_add(len) } else { index }
}

fn in_slice(start: Option<i64>, end: Option<i64>, step: i64, index: i64, len: i64) -> bool {
    let at = |bound: Option<i64>, open: i64| bound.map_or(open, |b| from_start(b, len));
    if step > 0 {
        let (low, high) = (at(start, 0).clamp(0, len), at(end, len).clamp(0, len));
        low <= index && index < high && index.saturating_sub(low).checked_rem(step) == Some(0)
    } else {
        let last = len.saturating_sub(1);
        let (high, low) = (at(start, last).clamp(-1, last), at(end, -1).clamp(-1, last));
        step < 0 && low < index && index <= high && high.saturating_sub(index).checked_rem(step) == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::budget::Budget;

    fn name(name: &str) -> Segment {
        Segment(vec![Step::Name(name.to_owned())])
    }

    fn slice(start: impl Into<Option<i64>>, end: impl Into<Option<i64>>, step: impl Into<Option<i64>>) -> Segment {
        Segment(vec![Step::Slice(start.into(), end.into(), step.into())])
    }

    fn any() -> Segment {
        Segment(vec![Step::Wildcard])
    }

    fn filter(expr: Expr) -> Segment {
        Segment(vec![Step::Filter(expr)])
    }

    fn at(segments: Vec<Segment>) -> Query {
        Query { from_root: false, segments }
    }

    fn top(segments: Vec<Segment>) -> Query {
        Query { from_root: true, segments }
    }

    fn literal(value: serde_json::Value) -> Operand {
        Operand::Literal(value)
    }

    fn check(text: &str, segments: Vec<Segment>, pointers: &str) {
        let tree = Tree::parse(text, &Budget::default()).expect(text);
        let selector = Selector { segments };
        let found: Vec<String> = selector.matches(&tree, tree.root()).into_iter().map(|id| tree.pointer(tree.root(), id)).collect();
        assert_eq!(found.join(" "), pointers, "{selector:?} on {text}");
    }

    /// Whether `@ cmp value` and the like hold for the candidate `text`.
    fn check_compare(text: &str, left: Operand, cmps: &[Cmp], right: Operand) {
        let tree = Tree::parse(&format!("[{text}]"), &Budget::default()).expect(text);
        for cmp in [Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge] {
            let selector = Selector { segments: vec![filter(Expr::Compare(left.clone(), cmp, right.clone()))] };
            assert_eq!(selector.matches(&tree, tree.root()).len() == 1, cmps.contains(&cmp), "{text}: {left:?} {cmp:?} {right:?}");
        }
    }

    #[test]
    fn segments() {
        let object = r#"{"a":{"b":[10,20,30]},"x":1,"type":{"b":[]},"\"":2}"#;
        check(object, vec![], "");
        assert_eq!(Selector { segments: vec![] }.matches(&Tree::from_value(&json!(1)), Id(0)), [Id(0)]);
        check(object, vec![name("a"), name("b")], "/a/b");
        check(object, vec![name("type")], "/type");
        check(object, vec![name("\"")], "/\"");
        check(object, vec![name("nope"), any()], "");
        check(object, vec![name("x"), any()], "");
        check(object, vec![any(), name("b")], "/a/b /type/b");
        check(object, vec![any(), any(), any()], "/a/b/0 /a/b/1 /a/b/2");
        check(object, vec![Segment(vec![Step::Name("x".into()), Step::Name("a".into()), Step::Wildcard])], "/a /x /type /\"");
        check(object, vec![Segment(vec![Step::Index(0), Step::Name("type".into())])], "/type");
        check("[[1],[2]]", vec![Segment(vec![Step::Index(-1), Step::Index(0), Step::Index(5), Step::Index(-3)]), any()], "/0/0 /1/0");
        check("[1]", vec![name("0")], "");
        check("[1]", vec![Segment(vec![Step::Index(i64::MIN), Step::Index(i64::MAX)])], "");
    }

    #[test]
    fn slices() {
        for (segment, pointers) in [
            (slice(None, None, None), "/0 /1 /2 /3 /4"),
            (slice(1, 3, None), "/1 /2"),
            (slice(3, None, None), "/3 /4"),
            (slice(-2, None, None), "/3 /4"),
            (slice(None, -3, None), "/0 /1"),
            (slice(0, 9, 2), "/0 /2 /4"),
            (slice(-9, 1, None), "/0"),
            (slice(3, 1, None), ""),
            (slice(None, None, 0), ""),
            (slice(None, None, -1), "/0 /1 /2 /3 /4"),
            (slice(None, None, -2), "/0 /2 /4"),
            (slice(3, None, -2), "/1 /3"),
            (slice(3, 0, -1), "/1 /2 /3"),
            (slice(-1, -3, -1), "/3 /4"),
            (slice(9, 3, -1), "/4"),
            (slice(1, 3, -1), ""),
            (slice(i64::MIN, i64::MAX, i64::MAX), "/0"),
            (slice(i64::MAX, i64::MIN, i64::MIN), "/4"),
        ] {
            check("[0,1,2,3,4]", vec![segment], pointers);
        }
        check("[]", vec![slice(None, None, -1)], "");
        check(r#"{"a":1}"#, vec![slice(None, None, None)], "");
    }

    #[test]
    fn filters() {
        let has = |key: &str| Expr::Exists(at(vec![name(key)]));
        let text = r#"{"want":"b","list":[{"a":1},{"b":null,"k":"b"},{"a":2,"b":3,"k":"x"}]}"#;
        check(text, vec![name("list"), filter(has("a"))], "/list/0 /list/2");
        check(text, vec![name("list"), filter(has("b"))], "/list/1 /list/2");
        check(text, vec![name("list"), filter(Expr::Not(Box::new(has("a"))))], "/list/1");
        check(text, vec![name("list"), filter(Expr::And(vec![has("a"), has("b")]))], "/list/2");
        check(text, vec![name("list"), filter(Expr::Or(vec![has("a"), has("b")]))], "/list/0 /list/1 /list/2");
        let wanted = Expr::Compare(Operand::Query(at(vec![name("k")])), Cmp::Eq, Operand::Query(top(vec![name("want")])));
        check(text, vec![name("list"), filter(wanted)], "/list/1");
        check(text, vec![filter(Expr::Exists(at(vec![filter(has("a"))])))], "/list");
        check(text, vec![filter(Expr::Exists(top(vec![name("want")])))], "/want /list");
    }

    #[test]
    fn comparisons() {
        use Cmp::{Eq, Ge, Gt, Le, Lt, Ne};
        let here = || Operand::Query(at(vec![]));
        let nothing = || Operand::Query(at(vec![name("nope")]));
        for (text, cmps, value) in [
            ("1", &[Eq, Le, Ge], json!(1)),
            ("1.0", &[Eq, Le, Ge], json!(1)),
            ("100", &[Eq, Le, Ge], json!(1e2)),
            ("-0", &[Eq, Le, Ge], json!(0)),
            ("true", &[Eq, Le, Ge], json!(true)),
            ("null", &[Eq, Le, Ge], json!(null)),
            (r#""\u00e9""#, &[Eq, Le, Ge], json!("é")),
            (r#"{"a":1,"b":[2]}"#, &[Eq, Le, Ge], json!({"b": [2.0], "a": 1})),
        ] {
            check_compare(text, here(), cmps, literal(value));
        }
        for (text, cmps, value) in [
            ("1", &[Ne, Lt, Le], json!(2)),
            ("9007199254740992", &[Ne, Lt, Le], json!(9_007_199_254_740_993_u64)),
            ("-1.5", &[Ne, Lt, Le], json!(-1)),
            (r#""a""#, &[Ne, Lt, Le], json!("b")),
            (r#""\uffff""#, &[Ne, Lt, Le], json!("\u{10000}")),
            (r#""b""#, &[Ne, Gt, Ge], json!("a")),
            ("1e3", &[Ne, Gt, Ge], json!(999)),
        ] {
            check_compare(text, here(), cmps, literal(value));
        }
        for (text, value) in [
            ("1", json!("1")),
            ("null", json!(false)),
            ("[1,2]", json!([2, 1])),
            ("[1]", json!([1, 1])),
            ("false", json!(true)),
            ("1", json!(null)),
        ] {
            check_compare(text, here(), &[Ne], literal(value));
        }
        check_compare("1", nothing(), &[Eq, Le, Ge], nothing());
        check_compare("1", nothing(), &[Ne], literal(json!(null)));
        check_compare("null", here(), &[Ne], nothing());
        check_compare("1", literal(json!(1)), &[Eq, Le, Ge], literal(json!(1.0)));
    }

    #[test]
    fn functions() {
        use Cmp::{Eq, Ge, Le, Ne};
        let length = || Operand::Length(at(vec![]));
        for (text, value) in [(r#""aé\ud83d\ude00""#, 3), ("[1,[2,3]]", 2), (r#"{"a":1}"#, 1), (r#""""#, 0)] {
            check_compare(text, length(), &[Eq, Le, Ge], literal(json!(value)));
        }
        for text in ["1", "null", "true"] {
            check_compare(text, length(), &[Ne], literal(json!(0)));
            check_compare(text, length(), &[Eq, Le, Ge], Operand::Query(at(vec![name("nope")])));
        }
        check_compare("[1,2]", Operand::Count(at(vec![any()])), &[Eq, Le, Ge], literal(json!(2)));
        check_compare("1", Operand::Count(at(vec![name("a")])), &[Eq, Le, Ge], literal(json!(0)));
        let twice = Segment(vec![Step::Wildcard, Step::Index(0)]);
        check_compare("[[1],2]", Operand::Count(at(vec![twice.clone(), any()])), &[Eq, Le, Ge], literal(json!(2)));
        check_compare("[1,2]", Operand::Count(at(vec![twice])), &[Eq, Le, Ge], literal(json!(3)));
    }

    #[test]
    fn gates() {
        let two = Segment(vec![Step::Name("type".into()), Step::Name("enum".into())]);
        for (segments, gate) in [
            (vec![name("properties"), any()], Some(Kw::Properties)),
            (vec![name("x-kind"), name("type")], None),
            (vec![any(), name("type")], None),
            (vec![two], None),
            (vec![], None),
        ] {
            assert_eq!(Selector { segments }.gate(), gate);
        }
    }
}
