//! Times of restore and encode for one call, with the plan at hand, beside `serde_json::Value` copied.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use schemalect::engine::restore::{RestorePlan, encode, restore};
use schemalect::{AdaptOptions, Lenient, Profiles, ReadOptions, RestoreOptions, Selection, read};
use serde_json::{Value, json};

/// A tool of middling size: optional properties, a map, a nested list, a union.
fn tool() -> Value {
    json!([{"name": "search", "description": "Searches.", "inputSchema": {"type": "object", "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer", "default": 10},
        "cursor": {"type": ["string", "null"]},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "sort": {"type": "string", "enum": ["asc", "desc"]},
        "filters": {"type": "array", "items": {"type": "object", "properties": {
            "field": {"type": "string"}, "op": {"type": "string"}, "value": {"anyOf": [{"type": "string"}, {"type": "number"}]},
            "negate": {"type": "boolean"}}, "required": ["field", "value"]}},
    }, "required": ["query"]}}])
}

fn call() -> Value {
    json!({"query": "open issues", "limit": 5.0, "labels": {"team": "core", "state": "open"}, "filters": [
        {"field": "author", "value": "ada"}, {"field": "age", "op": "lt", "value": 7}]})
}

fn plan(profile: &str, types: bool) -> RestorePlan {
    let surface = Profiles::builtin().unwrap().resolve(profile, &Selection::on("2026-11-29".parse().unwrap())).unwrap();
    let list = read(tool().to_string().as_bytes(), &ReadOptions::default()).unwrap();
    let adapted = surface.adapt(&list, &AdaptOptions { types, ..AdaptOptions::default() }).unwrap();
    adapted.tools.into_iter().next().unwrap().plan.unwrap()
}

fn benches(c: &mut Criterion) {
    let plain = RestoreOptions::default();
    let lenient = RestoreOptions { lenient: Lenient::ALL, ..plain };
    let mut group = c.benchmark_group("call");
    group.bench_function("copy", |b| b.iter_batched(|| (), |()| black_box(call().clone()), BatchSize::SmallInput));
    for (name, types, options) in [("codecs", false, plain), ("codecs and types", true, plain), ("lenient", true, lenient)] {
        let plan = plan("openai-strict", types);
        let model = encode(&plan, call(), &options).arguments;
        group.bench_function(format!("restore, {name}"), |b| {
            b.iter_batched(|| model.clone(), |m| restore(black_box(&plan), m, &options), BatchSize::SmallInput);
        });
    }
    let plan = plan("openai-strict", false);
    group.bench_function("encode", |b| b.iter_batched(call, |m| encode(black_box(&plan), m, &plain), BatchSize::SmallInput));
    group.bench_function("plan from JSON", |b| {
        let json = plan.to_json();
        b.iter(|| RestorePlan::from_json(black_box(&json)).unwrap());
    });
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
