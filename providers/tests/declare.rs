//! Schemas of Rust types, to the byte, and the types that have none.
#![allow(clippy::unwrap_used, dead_code, missing_docs)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schemalect::schemars::{self, JsonSchema};
use schemalect::{
    Callable, CapabilityError, DeclareError, Dialect, Profiles, SchemaOptions, Selection, Surface, declare, schema_for, schema_for_with,
    schema_of,
};
use serde_json::{Map, Value, json};

fn check<T: JsonSchema>(options: &SchemaOptions<'_>, want: &str) {
    let got = schema_for_with::<T>(options).unwrap();
    assert_eq!(got.to_string(), want);
    assert_eq!(schema_for_with::<T>(options).unwrap().to_string(), want);
}

fn plain<T: JsonSchema>(want: &str) {
    check::<T>(&SchemaOptions::default(), want);
}

fn refused<T: JsonSchema>(options: &SchemaOptions<'_>, want: &str) {
    assert_eq!(schema_for_with::<T>(options).unwrap_err().to_string(), want);
}

/// A stop on the
/// way.
///
/// What else there is to say of it.
///
/// # Arguments
///
/// * `nights` - How long they stay,
///   in nights.
/// * `gone` - A field that no longer exists.
///
/// # Examples
///
/// * `city` - is no argument here
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Waypoint {
    /// Where the traveller stops.
    city: String,
    nights: u8,
    via: Option<String>,
}

#[test]
fn comments_become_descriptions() {
    plain::<Waypoint>(concat!(
        r#"{"additionalProperties":false,"description":"A stop on the way.","properties":{"city":{"description":"Where the traveller stops.","type":"string"},"#,
        r#""nights":{"description":"How long they stay, in nights.","maximum":255,"minimum":0,"type":"integer"},"#,
        r#""via":{"type":["string","null"]}},"required":["city","nights"],"type":"object"}"#
    ));
}

/// Books a flight.
///
/// Args:
///     city: To where.
///     max_nights (int): The longest stay.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
struct Booking {
    max_nights: i64,
    city: String,
}

#[test]
fn blocks_of_arguments_are_read_too() {
    plain::<Booking>(concat!(
        r#"{"description":"Books a flight.","properties":{"city":{"description":"To where.","type":"string"},"#,
        r#""maxNights":{"description":"The longest stay.","type":"integer"}},"required":["city","maxNights"],"type":"object"}"#
    ));
}

#[derive(JsonSchema)]
struct Document {
    title: String,
    required: bool,
    description: String,
}

#[test]
fn fields_may_have_the_names_of_keywords() {
    plain::<Document>(concat!(
        r#"{"properties":{"description":{"type":"string"},"required":{"type":"boolean"},"title":{"type":"string"}},"#,
        r#""required":["description","required","title"],"type":"object"}"#
    ));
}

#[test]
fn bare_types_have_schemas_without_comments_of_others() {
    plain::<String>(r#"{"type":"string"}"#);
    plain::<Vec<String>>(r#"{"items":{"type":"string"},"type":"array"}"#);
    plain::<Option<String>>(r#"{"type":["string","null"]}"#);
    plain::<BTreeMap<String, i64>>(r#"{"additionalProperties":{"type":"integer"},"type":"object"}"#);
    plain::<BTreeSet<String>>(r#"{"items":{"type":"string"},"type":"array","uniqueItems":true}"#);
    plain::<(bool, String)>(r#"{"maxItems":2,"minItems":2,"prefixItems":[{"type":"boolean"},{"type":"string"}],"type":"array"}"#);
    plain::<()>(r#"{"type":"null"}"#);
}

/// A tree.
#[derive(JsonSchema)]
struct Node {
    name: String,
    children: Vec<Node>,
}

/// Two of them.
#[derive(JsonSchema)]
struct Pair {
    left: Node,
    right: Option<Box<Node>>,
}

#[test]
fn recursion_is_a_reference() {
    plain::<Node>(concat!(
        r##"{"description":"A tree.","properties":{"children":{"items":{"$ref":"#"},"type":"array"},"name":{"type":"string"}},"##,
        r##""required":["children","name"],"type":"object"}"##
    ));
    plain::<Pair>(concat!(
        r##"{"$defs":{"Node":{"description":"A tree.","properties":{"children":{"items":{"$ref":"#/$defs/Node"},"type":"array"},"name":{"type":"string"}},"##,
        r##""required":["children","name"],"type":"object"}},"description":"Two of them.","##,
        r##""properties":{"left":{"$ref":"#/$defs/Node"},"right":{"anyOf":[{"$ref":"#/$defs/Node"},{"type":"null"}]}},"required":["left"],"type":"object"}"##
    ));
}

#[derive(JsonSchema)]
struct Context {
    tenant: String,
}

#[derive(JsonSchema)]
struct WithContext {
    city: String,
    ctx: Context,
}

#[test]
fn injected_parameters_are_no_part_of_it() {
    let without = r#"{"properties":{"city":{"type":"string"}},"required":["city"],"type":"object"}"#;
    check::<WithContext>(&SchemaOptions { exclude: &["ctx", "other"], ..SchemaOptions::default() }, without);
    assert!(schema_for::<WithContext>().unwrap()["$defs"]["Context"].is_object());
}

#[derive(JsonSchema)]
struct Loose {
    name: String,
    payload: Value,
}

#[derive(JsonSchema)]
struct Around {
    inner: Loose,
}

#[derive(JsonSchema)]
struct Holding<T> {
    field: T,
}

#[derive(JsonSchema)]
struct Anything(Value);

#[derive(JsonSchema)]
struct Free {
    #[serde(default)]
    payload: Value,
    extra: Option<Vec<Value>>,
}

#[derive(JsonSchema)]
struct Open {
    name: String,
    #[serde(flatten)]
    rest: HashMap<String, Value>,
}

#[test]
fn a_value_of_no_type_is_not_required() {
    let told = |what: &str, place: &str| {
        format!(
            "{what} takes any value at {place}, so that no answer would be wrong; give it a type, or make the field optional (in json-schema)"
        )
    };
    let default = SchemaOptions::default();
    refused::<Loose>(&default, &told("`Loose.payload`", "/properties/payload"));
    refused::<Around>(&default, &told("`$defs.Loose.payload`", "/$defs/Loose/properties/payload"));
    refused::<Value>(&default, &told("AnyValue: the type itself", "the root"));
    fn field<T: JsonSchema>(name: &str, place: &str) {
        let want = format!("`{}.field{name}` takes any value at /properties/field{place},", T::schema_name());
        let got = schema_for::<T>().unwrap_err().to_string();
        assert!(got.starts_with(&want), "{got}");
    }
    field::<Holding<Vec<Value>>>("[]", "/items");
    field::<Holding<HashMap<String, Value>>>("", "/additionalProperties");
    field::<Holding<Map<String, Value>>>("", "/additionalProperties");
    field::<Holding<Vec<Option<Value>>>>("[]", "/items");
    field::<Holding<(bool, Value)>>("[1]", "/prefixItems/1");
    field::<Holding<Anything>>("", "");
    assert!(schema_for::<Holding<Option<Value>>>().is_ok());
    assert!(schema_for::<Free>().is_ok());
    assert!(schema_for::<Open>().is_ok());
    let DeclareError::Generation(error) = schema_for::<Around>().unwrap_err() else { panic!("another error") };
    assert_eq!((error.type_name.as_str(), error.dialect.as_str(), error.field()), ("Around", "json-schema", Some("payload")));
}

#[test]
fn a_schema_over_the_limit_is_refused_whole() {
    let size = r#"{"type":"string"}"#.len();
    check::<String>(&SchemaOptions { max_bytes: Some(size), ..SchemaOptions::default() }, r#"{"type":"string"}"#);
    refused::<String>(
        &SchemaOptions { max_bytes: Some(size - 1), ..SchemaOptions::default() },
        "string: the schema has 17 bytes and 16 are allowed; describe fewer fields, or split the tool (in json-schema)",
    );
    // Bytes as they are sent: UTF-8, not escapes.
    let sent = SchemaOptions { max_bytes: Some(14), ..SchemaOptions::default() };
    assert!(declare("E", &serde_json::json!({"const": "é"}), &sent).is_ok());
}

struct Renaming;

impl Dialect for Renaming {
    fn name(&self) -> &str {
        "renaming"
    }

    fn forbidden(&self) -> &[&str] {
        &["format"]
    }

    fn adapt(&self, mut schema: Value) -> Result<Value, CapabilityError> {
        schema["x-dialect"] = self.name().into();
        Ok(schema)
    }
}

struct Loosening;

impl Dialect for Loosening {
    fn name(&self) -> &str {
        "loosening"
    }

    fn adapt(&self, mut schema: Value) -> Result<Value, CapabilityError> {
        schema["properties"]["city"] = true.into();
        Ok(schema)
    }
}

#[derive(JsonSchema)]
struct Host {
    address: std::net::Ipv4Addr,
}

#[test]
fn dialects_of_ones_own_are_held_to_what_they_say() {
    check::<String>(&SchemaOptions { dialect: Some(&Renaming), ..SchemaOptions::default() }, r#"{"type":"string","x-dialect":"renaming"}"#);
    refused::<Host>(
        &SchemaOptions { dialect: Some(&Renaming), ..SchemaOptions::default() },
        "Host: renaming cannot say this, which needs `format` at /properties/address: the keyword is forbidden",
    );
    refused::<Booking>(
        &SchemaOptions { dialect: Some(&Loosening), ..SchemaOptions::default() },
        "`Booking.city` takes any value at /properties/city, so that no answer would be wrong; give it a type, or make the field optional (in loosening)",
    );
}

fn surface(profile: &str) -> Surface {
    Profiles::builtin().unwrap().resolve(profile, &Selection::on("2026-11-29".parse().unwrap())).unwrap()
}

fn adapted(surface: &Surface, given: &str, want: &str) {
    let given = serde_json::from_str(given).unwrap();
    let got = declare("T", &given, &SchemaOptions { dialect: Some(surface), ..SchemaOptions::default() });
    let got = got.map_or_else(|error| error.to_string(), |schema| schema.to_string());
    assert_eq!(got, want, "{given}");
}

#[test]
fn the_strict_subset_closes_objects_and_nothing_else() {
    let strict = surface("strict-subset");
    let check = |given: &str, want: &str| adapted(&strict, given, want);
    check(r#"{"type":"object"}"#, r#"{"additionalProperties":false,"type":"object"}"#);
    check(
        r##"{"properties":{"a":{"$ref":"#/$defs/A"},"b":{"type":["object","null"],"properties":{"c":{"type":"string"}}}},"$defs":{"A":{"type":"object"}}}"##,
        concat!(
            r##"{"$defs":{"A":{"additionalProperties":false,"type":"object"}},"additionalProperties":false,"properties":{"a":{"$ref":"#/$defs/A"},"##,
            r##""b":{"additionalProperties":false,"properties":{"c":{"type":"string"}},"type":["object","null"]}}}"##
        ),
    );
    check(
        r#"{"properties":{"a":{"type":["object","string"],"properties":{"c":{"type":"string"}}}}}"#,
        r#"{"additionalProperties":false,"properties":{"a":{"anyOf":[{"additionalProperties":false,"properties":{"c":{"type":"string"}},"type":"object"},{"type":"string"}]}}}"#,
    );
    check(
        r#"{"type":"object","properties":{"a":{"const":{"type":"object"}},"b":{"enum":[{"type":"object"}]}}}"#,
        r#"{"additionalProperties":false,"properties":{"a":{"const":{"type":"object"}},"b":{"enum":[{"type":"object"}]}},"type":"object"}"#,
    );
    // An enum of Rust: its branches exclude each other, so that what closes one closes no door of another.
    check(
        r#"{"oneOf":[{"const":"c"},{"type":"object","properties":{"a":{"type":"object","properties":{"x":{"type":"string"}}}},"required":["a"],"additionalProperties":false}]}"#,
        concat!(
            r#"{"oneOf":[{"const":"c"},{"additionalProperties":false,"properties":{"a":{"additionalProperties":false,"#,
            r#""properties":{"x":{"type":"string"}},"type":"object"}},"required":["a"],"type":"object"}]}"#
        ),
    );
    let refused =
        |what: &str, place: &str| format!("T: strict-subset cannot say this, which needs `additionalProperties` at {place}: {what}");
    let map = refused("`additionalProperties` admits keys of any name, and closing the object would leave none", "properties.m");
    check(r#"{"properties":{"m":{"type":"object","additionalProperties":{"type":"integer"}}}}"#, &map);
    check(r#"{"properties":{"m":{"type":"object","additionalProperties":true}}}"#, &map);
    let spread =
        r#"{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}"#;
    check(spread, &refused("object that is not closed", "allOf.0"));
}

#[test]
fn references_are_written_out_or_refused_with_the_name_of_the_type() {
    let inline = surface("inline-refs");
    let check = |given: &str, want: &str| adapted(&inline, given, want);
    check(
        r##"{"properties":{"a":{"$ref":"#/$defs/P","description":"site"}},"$defs":{"P":{"type":"string","description":"def"}}}"##,
        r#"{"properties":{"a":{"description":"site","type":"string"}}}"#,
    );
    let refused = |what: &str| format!("T: inline-refs cannot say this, which needs `$ref` at {what}");
    check(
        r##"{"properties":{"a":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}}}}}"##,
        &refused(r##"properties.a: `"#/$defs/N"` refers to itself (N)"##),
    );
    check(r##"{"properties":{"a":{"$ref":"#"}}}"##, &refused(r##"properties.a: `"#"` refers to itself (T)"##));
    check(r##"{"properties":{"a":{"$ref":"#/$defs/X"}}}"##, &refused("properties.a: the reference leads nowhere (X)"));
    // Nine deep is one too many, and each of ten fields six times over is too wide.
    let chain = |depth: usize| {
        let link = |i: usize| format!(r##""D{i}":{{"type":"object","properties":{{"a":{{"$ref":"#/$defs/D{}"}}}}}}"##, i + 1);
        let links: Vec<String> = (1..depth).map(link).collect();
        format!(r##"{{"$ref":"#/$defs/D1","$defs":{{{},"D{depth}":{{"type":"string"}}}}}}"##, links.join(","))
    };
    let written = |text: &str| {
        declare("T", &serde_json::from_str(text).unwrap(), &SchemaOptions { dialect: Some(&inline), ..SchemaOptions::default() })
    };
    assert!(!written(&chain(8)).unwrap().to_string().contains("$ref"));
    check(&chain(9), &refused(r##"the root: `"#/$defs/D1"` nests deeper than is written out, or takes more room (D9, limit 8)"##));
    let field = |i: usize, j: usize| format!(r##""f{j}":{{"$ref":"#/$defs/W{}"}}"##, i + 1);
    let level = |i: usize| {
        format!(r##""W{i}":{{"type":"object","properties":{{{}}}}}"##, (0..10).map(|j| field(i, j)).collect::<Vec<_>>().join(","))
    };
    let wide =
        format!(r##"{{"$ref":"#/$defs/W1","$defs":{{{},"W7":{{"type":"string"}}}}}}"##, (1..7).map(level).collect::<Vec<_>>().join(","));
    let DeclareError::Capability(error) = written(&wide).unwrap_err() else { panic!("another error") };
    assert_eq!((error.keyword.as_deref(), error.limit), (Some("$ref"), None));
}

/// Says where it stands, and what it adds.
struct Adder(usize);

impl Callable for Adder {
    type Arguments = Booking;
    type Output = usize;

    fn run(&self, asked: Booking) -> usize {
        asked.city.len() + self.0
    }
}

#[test]
fn what_is_called_has_the_schema_of_its_argument() {
    fn book(asked: Booking) -> usize {
        asked.city.len()
    }
    let options = SchemaOptions::default();
    let want = schema_for::<Booking>().unwrap();
    assert_eq!(schema_of(&book, &options).unwrap(), want);
    assert_eq!(schema_of(&|asked: Booking| book(asked), &options).unwrap(), want);
    assert_eq!(schema_of(&Adder(2), &options).unwrap(), want);
    let boxed: Box<dyn Fn(Booking) -> usize> = Box::new(book);
    assert_eq!(schema_of(&*boxed, &options).unwrap(), want);
    let booking = || Booking { city: "Paris".to_owned(), max_nights: 3 };
    assert_eq!((book.run(booking()), Adder(2).run(booking())), (5, 7));
}

#[test]
fn a_root_that_refers_is_described_by_what_it_refers_to() {
    let check = |given: Value, want: Option<&str>| {
        let got = declare("T", &given, &SchemaOptions::default()).unwrap();
        assert_eq!(got.get("description").and_then(Value::as_str), want, "{given}");
    };
    let defs = json!({"a/b": {"description": "What it is.\n\nMore.", "type": "object"}, "c": {"type": "object"}});
    check(json!({"$ref": "#/$defs/a~1b", "$defs": defs}), Some("What it is."));
    check(json!({"$ref": "#/$defs/a~1b", "description": "Own.", "$defs": defs}), Some("Own."));
    check(json!({"$ref": "#/$defs/c", "$defs": defs}), None);
    check(json!({"$ref": "#", "$defs": defs}), None);
    check(json!({"$ref": "https://example.org/x", "$defs": defs}), None);
}

#[test]
fn a_profile_of_ones_own_is_a_dialect() {
    let page = include_str!("../../docs/migrating/tesserix.md");
    let text = page.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let profiles = Profiles::builtin().unwrap().with_text("no-unions.yaml", text).unwrap();
    let own = profiles.resolve("no-unions", &Selection::on("2026-11-29".parse().unwrap())).unwrap();
    adapted(&own, r#"{"properties":{"anyOf":{"type":"string"}}}"#, r#"{"properties":{"anyOf":{"type":"string"}}}"#);
    adapted(
        &own,
        r#"{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}"#,
        "T: no-unions cannot say this, which needs `anyOf` at /properties/a: `anyOf` is not accepted",
    );
}
