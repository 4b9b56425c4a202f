//! Queries select the same nodes as in the JSONPath library.

use std::collections::BTreeSet;

use jsonpath_rust::parser::parse_json_path;
use jsonpath_rust::query::{QueryRef, js_path_process};
use proptest::prelude::*;
use schemalect_rules::Library;
use schemalect_rules::engine::plan::Test;
use schemalect_rules::engine::select::Selector;
use schemalect_rules::engine::{Id, Kind, Tree};
use serde_json::{Value, json};

#[test]
fn chosen() {
    let document = json!({
        "type": ["string", "null"],
        "enum": ["", "a", null, 1, 1.0, -3, "żółw", [1], {"a": 1}],
        "properties": {"a": {"type": "string", "default": null}, "b": {"type": "null"}},
    });
    for query in [
        "$",
        "$.enum",
        "$['enum'][0]",
        "$.enum[-1]",
        "$.enum[-20]",
        "$.enum[1:3]",
        "$.enum[::-2]",
        "$.enum[?@ == '']",
        "$.enum[?@ == null]",
        "$.enum[?@ == 1]",
        "$.enum[?@ >= 1]",
        "$.enum[?@ < 'b']",
        "$.enum[?length(@) == 4]",
        "$.enum[?length(@) == 1]",
        "$.type[?@ == 'null']",
        "$.properties.*[?@ == null]",
        "$.properties[?@.type == 'null']",
        "$.properties[?@.default]",
        "$.properties[?!@.default]",
        "$.properties[?@.default == @.other]",
        "$.properties[?@.type == $.type[0] && @.default == null]",
        "$.properties[?count(@.*) > 1 || @.type == 'null']",
        "$.properties['b', 'a', 'c']",
        "$.*[0, ?@ == 'a']",
        "$.enum[?@.a == 1 || @[0] == 1]",
    ] {
        check(&document, query);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated(document in document(), query in query()) {
        check(&document, &query);
    }
}

fn check(document: &Value, query: &str) {
    let tree = Tree::from_value(document);
    let ours = lowered(query).matches(&tree, tree.root());
    let ours: BTreeSet<String> = ours.into_iter().map(|id| normalized(&tree, id)).collect();
    let parsed = parse_json_path(query).expect(query);
    let theirs = js_path_process(&parsed, document).expect(query);
    let theirs: BTreeSet<String> = theirs.into_iter().map(QueryRef::path).collect();
    assert_eq!(ours, theirs, "{query} in {document}");
}

/// The query as a rule would carry it.
fn lowered(query: &str) -> Selector {
    let text = format!("rule: r\ntitle: t\nat: schema\nwhy: w\nwhen: {{ select: {} }}\n", Value::from(query));
    let library = Library::new([("r.yaml".to_owned(), text)], []).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let plan = library.compile_rule_alone("r", &Default::default()).expect("compiles");
    match &plan.rules[0].when.tests[..] {
        [Test::Select(selector)] => selector.clone(),
        other => panic!("{other:?}"),
    }
}

fn normalized(tree: &Tree, id: Id) -> String {
    let Some(parent) = tree.parent(id) else { return "$".to_owned() };
    let above = normalized(tree, parent);
    match tree.kind(parent) {
        Kind::Array => format!("{above}[{}]", tree.index(id)),
        _ => format!("{above}['{}']", tree.key(id)),
    }
}

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "type", "enum", "é"])
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..4).prop_map(Value::from),
        prop::sample::select(vec![0.5, 1.0, -2.5]).prop_map(Value::from),
        prop::sample::select(vec!["", "a", "ab", "é", "😀"]).prop_map(Value::from),
    ]
}

fn document() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

fn query() -> impl Strategy<Value = String> {
    segments(2).prop_map(|segments| format!("${segments}"))
}

fn segments(depth: u32) -> BoxedStrategy<String> {
    prop::collection::vec(segment(depth), 0..4).prop_map(|list| list.concat()).boxed()
}

fn segment(depth: u32) -> BoxedStrategy<String> {
    prop_oneof![
        key().prop_map(|key| format!(".{key}")),
        Just(".*".to_owned()),
        prop::collection::vec(selector(depth), 1..3).prop_map(|list| format!("[{}]", list.join(", "))),
    ]
    .boxed()
}

fn selector(depth: u32) -> BoxedStrategy<String> {
    let bound = || prop::option::of(-3i64..4).prop_map(|n| n.map_or(String::new(), |n| n.to_string()));
    let plain = prop_oneof![
        key().prop_map(|key| format!("'{key}'")),
        Just("*".to_owned()),
        (-3i64..4).prop_map(|index| index.to_string()),
        (bound(), bound(), bound()).prop_map(|(start, end, step)| format!("{start}:{end}:{step}")),
    ];
    if depth == 0 {
        return plain.boxed();
    }
    prop_oneof![2 => plain, 3 => expression(depth).prop_map(|expression| format!("?{expression}"))].boxed()
}

fn expression(depth: u32) -> BoxedStrategy<String> {
    // The library counts nothing as nothing, not as 0, so 0 is never what a count is compared with.
    let count =
        (relative(0), prop::sample::select(vec![">", ">=", "=="]), 1..4).prop_map(|(query, cmp, n)| format!("count({query}) {cmp} {n}"));
    let atom = prop_oneof![
        relative(depth - 1),
        relative(depth - 1).prop_map(|query| format!("!{query}")),
        (operand(), prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]), operand())
            .prop_map(|(left, cmp, right)| format!("{left} {cmp} {right}")),
        count,
    ];
    atom.prop_recursive(2, 6, 3, |inner| {
        let list = || prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            list().prop_map(|parts| parts.join(" && ")),
            list().prop_map(|parts| parts.join(" || ")),
            inner.clone().prop_map(|part| format!("({part})")),
            inner.clone().prop_map(|part| format!("!({part})")),
        ]
    })
    .boxed()
}

/// A query inside a filter. The library misreads a filter that follows `@` at once, so none stands there.
fn relative(depth: u32) -> BoxedStrategy<String> {
    let first = prop::option::of(segment(0)).prop_map(Option::unwrap_or_default);
    let rest = (first, segments(depth)).prop_map(|(first, rest)| if first.is_empty() { first } else { first + &rest });
    (prop::sample::select(vec!["@", "$"]), rest).prop_map(|(root, segments)| format!("{root}{segments}")).boxed()
}

fn operand() -> impl Strategy<Value = String> {
    prop_oneof![scalar().prop_map(|value| value.to_string()), singular(), singular().prop_map(|query| format!("length({query})")),]
}

fn singular() -> impl Strategy<Value = String> {
    let step = prop_oneof![key().prop_map(|key| format!(".{key}")), (-2i64..3).prop_map(|index| format!("[{index}]"))];
    (prop::sample::select(vec!["@", "$"]), prop::collection::vec(step, 0..3)).prop_map(|(root, steps)| format!("{root}{}", steps.concat()))
}
