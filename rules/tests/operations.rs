//! Every operation on schemas that are easy to get wrong: the result to the byte, the effect, the codecs.
//!
//! `operations/<operation>.yaml` holds the cases. Each is adapted twice, which must change nothing more, and
//! what its effects claim is tried on values with an independent validator, and held against what can be proved of the two schemas.

mod common;
#[path = "operations/sample.rs"]
mod sample;

use std::fmt::Write;

use jsonschema::canonical::Containment;
use libtest_mimic::{Arguments, Failed, Trial};
use schemalect_rules::Library;
use schemalect_rules::engine::adapt::{Adapted, Options, adapt};
use schemalect_rules::engine::check::{Given, Tool};
use schemalect_rules::engine::plan::Plan;
use schemalect_rules::engine::restore::{RestoreOptions, RestorePlan, Restored, encode, restore};
use schemalect_rules::engine::{Budget, Effects, Tree};
use serde::Deserialize;
use serde_json::{Value, json};

/// A file of cases; `when` and `rewrite` are those of cases without their own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    when: Option<Value>,
    rewrite: Option<Value>,
    cases: Vec<Case>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    when: Option<Value>,
    rewrite: Option<Value>,
    /// The effects that the user allows; all but `lossy` where absent.
    allow: Option<Vec<String>>,
    /// Nodes that inlining may make, where the case is about that.
    expanded: Option<usize>,
    /// Bytes of one schema, likewise: copies may say four times as much again.
    bytes: Option<usize>,
    /// A schema, or its text where that matters.
    schema: Value,
    after: Option<Value>,
    #[serde(default)]
    effect: Vec<String>,
    #[serde(default)]
    codecs: Vec<String>,
    #[serde(default)]
    declines: bool,
    /// Why values cannot tell whether the effect is right.
    unsampled: Option<String>,
    /// Why more is claimed than can happen here, where that can be proved.
    cautious: Option<String>,
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (name, text) in common::files(&common::folder("tests/operations")) {
        let file: File = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let operation = name.trim_end_matches(".yaml").to_owned();
        for mut case in file.cases {
            case.when = case.when.or_else(|| file.when.clone());
            case.rewrite = case.rewrite.or_else(|| file.rewrite.clone());
            trials.push(Trial::test(format!("{operation}: {}", case.name), move || check(&case)));
        }
    }
    trials.push(Trial::test("every operation has cases", every_operation));
    libtest_mimic::run(&arguments, trials).exit();
}

fn every_operation() -> Result<(), Failed> {
    let folder = common::folder("tests/operations");
    let missing = |word: &&&str| {
        !matches!(**word, "rename-tool" | "describe" | "give-schema" | "omit-schema" | "refuse" | "leave-out")
            && !folder.join(format!("{word}.yaml")).exists()
    };
    let missing: Vec<_> = schemalect_rules::engine::op::Op::WORDS.iter().filter(missing).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("without cases: {missing:?}").into()) }
}

fn check(case: &Case) -> Result<(), Failed> {
    let plan = plan(case)?;
    let input = Tree::parse(&text(&case.schema), &Budget::default()).map_err(|e| e.to_string())?;
    let text = input.to_json(input.root());
    let done = run(&plan, &input, case);
    let schema = done.schema.as_ref().ok_or("no schema")?;
    let got = schema.to_json(schema.root());
    let mut wrong = String::new();
    let mut compare = |what: &str, got: &str, want: &str| {
        if got != want {
            let _ = write!(wrong, "\n{what}: {got}\n{:>1$}  {want}", "want", what.len() - 1);
        }
    };
    let after = case.after.as_ref().map(self::text);
    compare("after", &got, after.as_deref().unwrap_or(&text));
    compare("effect", &done.effects.words().collect::<Vec<_>>().join(" "), &case.effect.join(" "));
    let restore = done.plan.as_ref().map(RestorePlan::to_json);
    compare("codecs", &restore.as_ref().map(codecs).unwrap_or_default().join(" "), &case.codecs.join(" "));
    if case.declines || done.events.is_empty() {
        compare("events", &done.events.len().to_string(), "0");
        compare("bytes of an unchanged schema", &got, &text);
        compare("declines", &done.events.is_empty().to_string(), &case.declines.to_string());
    }
    for event in &done.events {
        let there = |tree: &Tree, pointer: &str| tree.at_pointer(tree.root(), pointer).is_some();
        if !there(schema, &event.output) || !there(&input, &event.input) {
            compare("places of an event", &format!("{} to {}", event.input, event.output), "in the schemas");
        }
    }
    let again = run(&plan, schema, case);
    let log: Vec<String> = again.events.iter().map(|e| format!("{} at {:?}: {}", e.operation, e.input, e.what)).collect();
    compare("second time", &log.join("; "), "");
    if case.unsampled.is_none() {
        sampled(&text, &got, &done, &mut wrong);
        covered(case, &got, &done, &mut wrong);
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

fn plan(case: &Case) -> Result<Plan, Failed> {
    let always = json!({"any": [{"is": ["root"]}, {"is": ["nested"]}]});
    let when = case.when.as_ref().unwrap_or(&always);
    let rewrite = case.rewrite.as_ref().ok_or("no rewrite")?;
    let rule = json!({"rule": "case", "title": "case", "at": "schema", "when": when, "why": "case", "rewrite": rewrite});
    let errors = |errors: Vec<schemalect_rules::ProfileError>| errors.iter().map(ToString::to_string).collect::<String>();
    let library = Library::new([("case.yaml".to_owned(), rule.to_string())], []).map_err(errors)?;
    Ok(library.compile_rule_alone("case", &serde_json::Map::new()).map_err(errors)?)
}

fn run(plan: &Plan, tree: &Tree, case: &Case) -> Adapted {
    let mut options = Options { audit: true, ..Options::default() };
    if let Some(words) = &case.allow {
        options.allow = words.iter().fold(Effects::NONE, |all, word| all.with(Effects::of(word).expect("an effect")));
    }
    if let Some(nodes) = case.expanded {
        options.budget.expanded = nodes;
    }
    if let Some(bytes) = case.bytes {
        options.budget.bytes = bytes;
    }
    adapt(plan, &Tool { name: Given::Text("tool"), description: Given::Missing, schema: Some((tree, tree.root())) }, &options)
}

/// A schema that is written as text stands for that text.
fn text(schema: &Value) -> String {
    match schema {
        Value::String(text) => text.clone(),
        schema => schema.to_string(),
    }
}

/// The codecs of a restore plan, one word for each mapping.
fn codecs(plan: &Value) -> Vec<String> {
    match plan {
        Value::Object(members) => {
            let own = members.get("codec").and_then(Value::as_str).map(|codec| words(codec, plan));
            own.into_iter().flatten().chain(members.values().flat_map(codecs)).collect()
        }
        Value::Array(items) => items.iter().flat_map(codecs).collect(),
        _ => Vec::new(),
    }
}

/// A codec of several properties is a word for each; null that was a value already is told apart.
fn words(codec: &str, step: &Value) -> Vec<String> {
    let properties = step["properties"].as_array();
    let null = |name: &Value| step["nullable"].as_array().is_some_and(|list| list.contains(name));
    match (codec, properties) {
        ("null-is-absent", Some(names)) => names.iter().map(|name| if null(name) { "null-or-absent" } else { codec }.to_owned()).collect(),
        ("rename", _) => step["names"].as_object().into_iter().flatten().map(|_| codec.to_owned()).collect(),
        _ => vec![codec.to_owned()],
    }
}

/// Looks for values that contradict the effects, through the codecs where there are any.
fn sampled(before: &str, after: &str, done: &Adapted, wrong: &mut String) {
    let read = |text: &str| serde_json::from_str(text).ok().map(|schema| sample::standard(&schema));
    let (Some(before), Some(after)) = (read(before), read(after)) else { return };
    let (Ok(old), Ok(new)) = (jsonschema::draft202012::new(&before), jsonschema::draft202012::new(&after)) else { return };
    let options = RestoreOptions::default();
    // What cannot be mapped is reported and never reaches the tool.
    let clean = |mapped: Restored| mapped.is_clean().then_some(mapped.arguments);
    let there = |value: &Value| done.plan.as_ref().map_or_else(|| Some(value.clone()), |p| clean(encode(p, value.clone(), &options)));
    let back = |value: &Value| done.plan.as_ref().map_or_else(|| Some(value.clone()), |p| clean(restore(p, value.clone(), &options)));
    let (mut widens, mut narrows) = (None, None);
    for value in sample::values(&before, &after) {
        if new.is_valid(&value) && back(&value).is_some_and(|v| !old.is_valid(&v)) {
            widens = widens.or(Some(value.clone()));
        }
        if old.is_valid(&value) && there(&value).is_some_and(|v| !new.is_valid(&v)) {
            narrows = narrows.or(Some(value));
        }
    }
    let effects = done.effects;
    for (effect, witness) in [(Effects::WIDENS, widens), (Effects::NARROWS, narrows)] {
        match witness {
            Some(value) if !effects.meets(effect) => {
                let _ = write!(wrong, "\nit {effect}: {value}");
            }
            None if effects.meets(effect) && std::env::var_os("UNSEEN").is_some() => {
                let _ = write!(wrong, "\nno value shows that it {effect}");
            }
            _ => {}
        }
    }
}

/// Asks an oracle that reasons about the two schemas, where arguments stay as they are and it can decide.
fn covered(case: &Case, after: &str, done: &Adapted, wrong: &mut String) {
    let read = |text: &str| jsonschema::canonicalize(&sample::standard(&serde_json::from_str(text).ok()?)).ok();
    let before = text(&case.schema);
    let (None, Some(old), Some(new)) = (&done.plan, read(&before), read(after)) else { return };
    let mut more = Vec::new();
    for (effect, wide, narrow) in [(Effects::WIDENS, &old, &new), (Effects::NARROWS, &new, &old)] {
        match wide.covers(narrow) {
            Ok(Containment::No) if !done.effects.meets(effect) => {
                let _ = write!(wrong, "\nit {effect}, as can be proved");
            }
            Ok(Containment::Yes) if done.effects.meets(effect) => more.push(effect.to_string()),
            _ => {}
        }
    }
    match &case.cautious {
        None if !more.is_empty() => {
            let _ =
                write!(wrong, "\nit can be proved that nothing of this happens: {}; say in `cautious` why it is claimed", more.join(", "));
        }
        Some(_) if more.is_empty() => wrong.push_str("\nnothing proves that it is `cautious`"),
        _ => {}
    }
}
