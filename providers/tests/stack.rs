//! Every verb of the library with what is nested as deep as may be, in threads with little stack; an overflow ends the process.
#![allow(clippy::unwrap_used, missing_docs)]

use schemalect::engine::restore::losses;
use schemalect::{
    AdaptOptions, Budget, Call, CanonicalForm, Json, Lenient, Listed, OnUnfixable, Preflight, Profiles, ReadOptions, RestoreOptions,
    RestorePlans, Selection, Surface, Validator, catalog, read, validate,
};
use serde_json::Value;

/// Without optimisation, calls take up to four times as much.
const UNIT: usize = if cfg!(debug_assertions) { 4 << 10 } else { 1 << 10 };
/// Less than any system gives.
const SMALL: usize = 256 * UNIT;
/// What Rust gives to every thread but the first.
const USUAL: usize = 2048 * UNIT;

/// What opens a level and what closes it, and how many levels of JSON it is.
const SHAPES: [(&str, &str, usize); 12] = [
    (r#"{"type":"object","properties":{"a":"#, "}}", 2),
    (r#"{"type":"array","items":"#, "}", 1),
    (r#"{"anyOf":["#, r#",{"type":"null"}]}"#, 2),
    (r#"{"oneOf":[{"type":"integer"},"#, "]}", 2),
    (r#"{"allOf":["#, r#",{"maxLength":9}]}"#, 2),
    (r#"{"not":"#, "}", 1),
    (r#"{"if":"#, r#","then":{"type":"string"}}"#, 1),
    (r#"{"type":"object","additionalProperties":"#, "}", 1),
    (r#"{"prefixItems":["#, "]}", 2),
    (r#"{"default":"#, "}", 1),
    (r#"{"$defs":{"d":"#, r##"},"$ref":"#/$defs/d"}"##, 2),
    (r#"{"type":"object","properties":{"a b":"#, r##","r":{"$ref":"#"}},"required":["a b"]}"##, 2),
];

/// A value as deep as the schema of the first shapes is.
fn arguments(levels: usize) -> String {
    format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels))
}

fn nested(open: &str, close: &str, levels: usize) -> String {
    format!(r#"{}{{"type":"string"}}{}"#, open.repeat(levels), close.repeat(levels))
}

/// Everything that there is to do with a list of one tool; how often something came of it.
fn all_verbs(surface: &Surface, text: &str, arguments: &str, options: &ReadOptions) -> usize {
    let list = read(text.as_bytes(), options).unwrap();
    let mut done = list.tools().len();
    for form in [CanonicalForm::Sets, CanonicalForm::Ascii] {
        done += list.canonical(form).len();
    }
    done += surface.check(&list, 1).tools.len() + catalog(&Listed::all_in(&list), 4_000).len();
    let how = AdaptOptions {
        jobs: 1,
        audit: true,
        types: true,
        on_unfixable: Some(OnUnfixable::Keep),
        budget: options.schema,
        ..AdaptOptions::default()
    };
    let adapted = surface.adapt(&list, &how).unwrap();
    done += adapted.wire(surface).iter().map(String::len).sum::<usize>();
    let (mut json, mut plan) = (Json::new(), Json::new());
    adapted.write_json(&mut json);
    adapted.write_plan(&mut plan);
    done += json.finish().len();
    let lenient = RestoreOptions { lenient: Lenient::ALL, ..RestoreOptions::default() };
    let plan = plan.finish();
    let document: Value = serde_json::from_str(&plan).unwrap_or_default();
    if let Ok(plans) = RestorePlans::from_json(&document) {
        for call in Call::all_in_text(&format!(r#"{{"name":"t","arguments":{arguments}}}"#)).unwrap_or_default() {
            done += usize::from(plans.restore(call.clone(), &lenient).is_ok()) + usize::from(plans.encode(call, &lenient).is_ok());
        }
    }
    let schema = list.view(&list.tools()[0]).schema.map(|(tree, root)| tree.to_value(root)).unwrap_or_default();
    let value: Value = serde_json::from_str(arguments).unwrap_or_default();
    done += usize::from(validate(&schema, &value).valid) + usize::from(Validator::new(&schema).is_valid(&value));
    let preflight = Preflight::new(&schema);
    done += usize::from(preflight.missing(&value).is_some()) + usize::from(preflight.mistyped(&value).is_some());
    done + losses(arguments, &options.schema).len()
}

/// One shape after the other in a thread of their own.
fn check(stack: usize, depth: usize, profiles: &[&str]) {
    let schema = Budget { depth, ..Budget::default() };
    let options =
        ReadOptions { schema, document: Budget { depth: Budget::DEEPEST, ..ReadOptions::default().document }, ..ReadOptions::default() };
    for name in profiles {
        let surface = Profiles::builtin().unwrap().resolve(name, &Selection::on("2026-12-01".parse().unwrap())).unwrap();
        for (open, close, each) in SHAPES {
            let levels = (depth.min(Budget::DEEPEST - 3) - 1) / each;
            let text = format!(r#"[{{"name":"t","inputSchema":{}}}]"#, nested(open, close, levels));
            let (surface, arguments) = (surface.clone(), arguments(levels.min(120)));
            let thread = std::thread::Builder::new().stack_size(stack).spawn(move || all_verbs(&surface, &text, &arguments, &options));
            assert!(thread.unwrap().join().unwrap() > 1, "{name}, {open}");
        }
    }
}

#[test]
fn the_usual_depth_needs_little_stack() {
    check(SMALL, Budget::default().depth, &["gemini", "openai-strict", "anthropic-strict", "moonshot", "portable", "json-schema"]);
}

#[test]
fn the_greatest_depth_needs_no_more_stack_than_threads_have() {
    check(USUAL, usize::MAX, &["gemini", "openai-strict"]);
}
