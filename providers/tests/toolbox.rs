//! Tools that are added, rendered and called.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use schemalect::schemars::JsonSchema;
use schemalect::toolbox::{CallError, Checked, ToolSpec, Toolbox, ToolboxError};
use schemalect::{Call, Outcome, Profiles, RestoreOptions, Selection, Surface};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn surface(name: &str) -> Surface {
    Profiles::builtin().unwrap().resolve(name, &Selection::on("2026-11-29".parse().unwrap())).unwrap()
}

fn search() -> Value {
    json!({"type": "object", "required": ["query"], "properties": {
        "query": {"type": "string"}, "max-results": {"type": "integer", "default": 5}}})
}

fn map() -> Value {
    json!({"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "integer"}}}, "required": ["m"]})
}

fn imported(name: &str, schema: Value) -> ToolSpec {
    ToolSpec::imported(name, "Does it.", schema).with_handler(Ok)
}

fn of(specs: impl IntoIterator<Item = ToolSpec>) -> Toolbox {
    let mut toolbox = Toolbox::new().unwrap();
    specs.into_iter().for_each(|spec| toolbox.add(spec).unwrap());
    toolbox
}

#[test]
fn only_what_is_asked_to_be_portable_is_refused() {
    let check = |spec: ToolSpec, refused: bool, noted: usize| {
        let mut toolbox = Toolbox::new().unwrap();
        let (name, what) = (spec.name().to_owned(), format!("{spec:?}"));
        match toolbox.add(spec) {
            Err(ToolboxError::NotPortable(error)) => {
                assert!(refused, "{what}");
                assert_eq!(error.problems, ["$.m: open map (dict) is not portable"]);
                assert_eq!(toolbox.tools().count(), 0);
            }
            added => assert!(added.is_ok() && !refused, "{what}"),
        }
        assert_eq!(toolbox.problems_of(&name).len(), noted, "{what}");
    };
    check(imported("t", map()), false, 1);
    check(imported("t", map()).portable(Some(true)), true, 0);
    check(imported("t", map()).portable(Some(false)), false, 0);
    check(imported("t", search()).portable(Some(true)), false, 0);
    check(ToolSpec::own("t", "d", map()), true, 0);
    check(ToolSpec::own("t", "d", map()).portable(Some(false)), false, 0);
    check(ToolSpec::own("t", "d", search()), false, 0);
}

#[test]
fn what_is_no_tool_is_refused() {
    let check = |spec: ToolSpec, words: &str| {
        let mut toolbox = of([imported("taken", search())]);
        let error = toolbox.add(spec).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(toolbox.tools().count(), 1);
    };
    check(imported("", search()), "needs a name");
    check(imported("taken", search()), "`taken`");
    check(imported("t", json!(true)), "`t`");
    check(imported("t", json!(["object"])), "`t`");
    let deep = (0..2000).fold(json!({"type": "string"}), |inner, _| json!({"type": "array", "items": inner}));
    check(imported("t", json!({"type": "object", "properties": {"a": deep}})), "nested more than 1000 levels deep");
}

#[test]
fn all_problems_are_told_at_once() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "string", "pattern": "x", "minLength": 1}}}},
        "c": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "d": {}}});
    let mut toolbox = Toolbox::new().unwrap();
    let Err(ToolboxError::NotPortable(error)) = toolbox.add(imported("t", schema).portable(Some(true))) else {
        panic!("it is not portable")
    };
    let expected = [
        "$.a[].b: pattern is not portable",
        "$.a[].b: minLength is not portable",
        "$.c: union of several types is not portable",
        "$.d: untyped value (Any) is not portable",
    ];
    assert_eq!(error.problems, expected);
    assert_eq!(error.to_string(), format!("the schema of `t` is not portable: {}", expected.join("; ")));
}

#[test]
fn an_imported_tool_that_is_not_portable_goes_without_strict() {
    let toolbox = of([imported("plain", search()), imported("open", map()), ToolSpec::own("mine", "d", map()).portable(Some(false))]);
    let strict = |profile: &str, at: &str| -> BTreeMap<String, Value> {
        let surface = surface(profile);
        let rendered = toolbox.render(&surface).unwrap();
        let name = |entry: &Value| entry.pointer("/function/name").or(entry.get("name")).unwrap().as_str().unwrap().to_owned();
        rendered.entries().iter().map(|entry| (name(entry), entry.pointer(at).cloned().unwrap_or_default())).collect()
    };
    let expected = |plain: bool, open: bool, mine: bool| {
        BTreeMap::from([("plain".to_owned(), json!(plain)), ("open".to_owned(), json!(open)), ("mine".to_owned(), json!(mine))])
    };
    // A map of the program's own, sent without the check, fits no strict object either.
    assert_eq!(strict("agent-adapter-openai-strict", "/function/strict"), expected(true, false, false));
    assert_eq!(strict("agent-adapter-responses-strict", "/strict"), expected(true, false, false));
    assert_eq!(strict("agent-adapter-openai", "/function/strict"), expected(false, false, false));
    // Where a list of pairs can stand for a map, only the imported tool is downgraded.
    let surface = surface("openai-strict");
    let rendered = toolbox.render(&surface).unwrap();
    let outcomes: Vec<Outcome> = rendered.adapted().tools.iter().map(|tool| tool.outcome).collect();
    assert_eq!(outcomes, [Outcome::Clean, Outcome::Unstrict, Outcome::Clean]);
    let event = rendered.adapted().tools[1].events.last().unwrap();
    assert_eq!((event.operation, &*event.rule), ("unstrict", "agent-adapter-portable/object-map"));
}

#[test]
fn tools_are_rendered_for_each_provider() {
    let schema = json!({"type": "object", "title": "W", "required": ["city"], "properties": {
        "city": {"type": "string", "title": "City"}, "unit": {"type": "string", "enum": ["c", "f"], "default": "c", "description": "Unit."}}});
    let toolbox = of([ToolSpec::own("weather", "Tells.", schema.clone())]);
    let rendered = |profile: &str| Value::from(toolbox.render(&surface(profile)).unwrap().entries().to_vec());
    let plain = json!({"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string"}, "unit": {"type": "string", "enum": ["c", "f"], "default": "c", "description": "Unit."}}});
    let strict = json!({"type": "object", "required": ["city", "unit"], "additionalProperties": false, "properties": {"city": {"type": "string"},
        "unit": {"anyOf": [{"type": "string", "enum": ["c", "f"]}, {"type": "null"}], "description": "Unit. Default: \"c\"."}}});
    let gemini = json!({"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string"}, "unit": {"type": "string", "enum": ["c", "f"], "description": "Unit. Default: \"c\"."}}});
    let chat = |strict: bool, schema: &Value| json!([{"type": "function", "function": {"name": "weather", "description": "Tells.", "parameters": schema, "strict": strict}}]);
    let responses = |strict: bool, schema: &Value| json!([{"type": "function", "name": "weather", "description": "Tells.", "parameters": schema, "strict": strict}]);
    assert_eq!(rendered("agent-adapter-openai-strict"), chat(true, &strict));
    assert_eq!(rendered("agent-adapter-openai"), chat(false, &plain));
    assert_eq!(rendered("agent-adapter-responses-strict"), responses(true, &strict));
    assert_eq!(rendered("agent-adapter-responses"), responses(false, &plain));
    assert_eq!(rendered("agent-adapter-anthropic"), json!([{"name": "weather", "description": "Tells.", "input_schema": plain}]));
    let declaration = json!({"name": "weather", "description": "Tells.", "parameters": gemini});
    assert_eq!(rendered("agent-adapter-gemini"), json!([{"functionDeclarations": [declaration]}]));
    assert_eq!(toolbox.get("weather").unwrap().json_schema(), &schema);
}

#[test]
fn tools_are_narrowed_to_a_target() {
    let toolbox = of([
        imported("all", search()),
        imported("openai", search()).only_for(["openai*"]),
        imported("two", search()).only_for(["anthropic", "gemini"]),
    ]);
    let names = |target: &str| toolbox.for_target(target).tools().map(|t| t.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names("openai-strict"), ["all", "openai"]);
    assert_eq!(names("gemini"), ["all", "two"]);
    assert_eq!(names("vertex"), ["all"]);
    let surface = surface("anthropic");
    assert_eq!(toolbox.render(&surface).unwrap().entries().len(), 2);
}

#[test]
fn a_handler_gets_what_was_set() {
    let toolbox = of([imported("t", search()), imported("loose", search()).checked(Checked::Loosely)]);
    let check = |given: Value, expected: Result<Value, &str>| {
        for name in ["t", "loose"] {
            let got = toolbox.prepare_own(name, given.clone()).map(|prepared| prepared.arguments).map_err(|error| error.to_string());
            match (&got, &expected) {
                (Ok(got), Ok(expected)) => assert_eq!(got, expected, "{given}"),
                (Err(got), Err(words)) => assert!(got.contains(words), "{given}: {got}"),
                _ => panic!("{given}: {got:?}"),
            }
        }
    };
    check(json!({"query": "q"}), Ok(json!({"query": "q"})));
    check(json!({"query": "q", "max-results": 2}), Ok(json!({"query": "q", "max-results": 2})));
    check(json!({"query": "q", "max_results": 2}), Ok(json!({"query": "q", "max-results": 2})));
    check(json!({"query": "q", "max-results": null}), Ok(json!({"query": "q"})));
    check(json!({"query": null}), Err("/query"));
    check(json!({}), Err("required"));
    check(json!({"query": "q", "extra": 1}), Err("extra"));
    check(json!({"query": "q", "max-results": "two"}), Err("/max-results"));
    check(json!(["q"]), Err("object"));
}

#[test]
fn the_whole_schema_judges_unless_told_otherwise() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}, "l": {"type": "array", "items": {"type": "string"}}}});
    let toolbox = of([imported("full", schema.clone()), imported("loose", schema).checked(Checked::Loosely)]);
    for given in [json!({"n": 0}), json!({"l": [1]})] {
        let Err(CallError::Arguments(error)) = toolbox.prepare_own("full", given.clone()) else { panic!("{given}") };
        assert_eq!((error.tool.as_str(), error.mistakes.len()), ("full", 1));
        assert!(toolbox.prepare_own("loose", given).is_ok());
    }
    let open = json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true});
    assert!(of([imported("t", open)]).prepare_own("t", json!({"b": 1})).is_ok());
    let elsewhere =
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "allOf": [{"properties": {"b": {"type": "integer"}}}]});
    assert!(of([imported("t", elsewhere)]).prepare_own("t", json!({"b": 1})).is_ok());
}

#[test]
fn a_call_fails_with_its_reason() {
    let failing = ToolSpec::imported("fails", "d", search()).with_handler(|_| Err("the index is gone".into()));
    let toolbox = of([failing, ToolSpec::imported("bare", "d", search())]);
    let surface = surface("anthropic");
    let rendered = toolbox.render(&surface).unwrap();
    let run = |name: &str| toolbox.run(&rendered, Call::new(name, json!({"query": "q"}))).unwrap_err();
    assert!(matches!(run("fails"), CallError::Failed { .. }));
    assert_eq!(run("fails").to_string(), "`fails` failed: the index is gone");
    assert!(matches!(run("bare"), CallError::NoHandler { .. }));
    assert!(run("none").to_string().contains("there is no tool \"none\""));
    let cut = toolbox.run(&rendered, Call::new("fails", json!("{\"query\": \"q"))).unwrap_err();
    assert!(matches!(cut, CallError::Arguments(_)), "{cut:?}");
}

/// Where something is.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[schemars(crate = "schemalect::schemars")]
struct Place {
    lat: f64,
    lon: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[schemars(crate = "schemalect::schemars")]
#[serde(rename_all = "kebab-case")]
struct Trip {
    start: Place,
    stops: Vec<Place>,
    nights: u8,
    #[serde(default)]
    pets: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    tags: BTreeMap<String, i32>,
}

const SURFACES: [&str; 8] =
    ["openai", "openai-strict", "openai-responses-strict", "gemini", "anthropic", "bedrock", "mcp", "agent-adapter-gemini"];

fn trips() -> Toolbox {
    let trip = ToolSpec::typed("trip/plan", "Plans a trip.", |trip: Trip| Ok::<Trip, std::fmt::Error>(trip));
    of([trip.unwrap().portable(Some(false)), imported("search", search()), imported("open", map())])
}

#[test]
fn a_typed_tool_says_what_it_takes_and_gives() {
    let toolbox = trips();
    let spec = toolbox.get("trip/plan").unwrap();
    assert_eq!(spec.json_schema()["required"], json!(["nights", "start", "stops", "tags"]));
    assert_eq!(spec.result_schema().unwrap()["type"], "object");
    let run = |arguments: Value| toolbox.prepare_own("trip/plan", arguments).and_then(schemalect::toolbox::Prepared::run);
    let error = run(json!({"start": {"lat": 1, "lon": 2}, "stops": [], "nights": 300, "tags": {}})).unwrap_err();
    assert!(matches!(&error, CallError::Arguments(e) if e.mistakes[0].path == "/nights"), "{error:?}");
    let error = run(json!({"start": {"lat": 1}, "stops": [], "nights": 3, "tags": {}})).unwrap_err();
    assert!(matches!(&error, CallError::Arguments(e) if e.missing == ["/start/lon"]), "{error:?}");
}

fn place() -> impl Strategy<Value = Place> {
    (-90i32..90, -180i32..180, proptest::option::of("[a-z\"\\\\é ]{0,6}")).prop_map(|(lat, lon, label)| Place {
        lat: f64::from(lat) / 2.0,
        lon: f64::from(lon),
        label,
    })
}

fn trip() -> impl Strategy<Value = Trip> {
    let tags = proptest::collection::btree_map("[a-z~/ ]{0,4}", any::<i32>(), 0..3);
    (place(), proptest::collection::vec(place(), 0..3), any::<u8>(), any::<bool>(), proptest::option::of(".{0,8}"), tags)
        .prop_map(|(start, stops, nights, pets, note, tags)| Trip { start, stops, nights, pets, note, tags })
}

/// Any JSON, often with the names and kinds that tools expect.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,6}".prop_map(Value::from),
        Just(json!("{\"lat\": 1, \"lon\": 2}")),
    ];
    let names = prop_oneof![
        "start|stops|nights|pets|note|tags|lat|lon|label|query|max-results|max_results|m|key|value|additional",
        ".{0,4}".prop_map(|s| s),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((names.clone(), inner), 0..5).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

static RENDERED: LazyLock<(Toolbox, Vec<(Surface, schemalect::toolbox::Rendered)>)> = LazyLock::new(|| {
    let toolbox = trips();
    let rendered = SURFACES.map(|name| {
        let surface = surface(name);
        let rendered = toolbox.render(&surface).unwrap();
        (surface, rendered)
    });
    (toolbox, rendered.into())
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// What a model writes of a value, as the rendered schema wants it, comes to the function as that value.
    #[test]
    fn typed_arguments_come_back(trip in trip()) {
        let (toolbox, rendered) = &*RENDERED;
        for (surface, rendered) in rendered {
            let own = serde_json::to_value(&trip).unwrap();
            let sent = rendered.plans().encode(Call::new("trip/plan", own.clone()), &RestoreOptions::default()).unwrap();
            let call = Call::new(sent.name.unwrap(), sent.arguments.clone());
            let result = toolbox.run(rendered, call).unwrap_or_else(|e| panic!("{}: {e}\n{}", surface.name(), sent.arguments));
            prop_assert_eq!(serde_json::from_value::<Trip>(result).unwrap(), trip.clone(), "{}", surface.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a model calls with, there is a result or a reason.
    #[test]
    fn no_call_panics(name in prop_oneof!["trip_plan|trip/plan|search|open", ".{0,4}"], arguments in json(), at in 0..SURFACES.len()) {
        let (toolbox, rendered) = &*RENDERED;
        match toolbox.run(&rendered[at].1, Call::new(name, arguments)) {
            Ok(result) => prop_assert!(result.is_object()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
