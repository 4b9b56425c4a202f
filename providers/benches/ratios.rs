//! Times of parse, check and adapt, beside `serde_json::Value` read and written on the same bytes in the same run.
//!
//! The tools are real ones where the corpus is at hand (`SCHEMALECT_CORPUS`, else `../shared/corpus`), else those of `examples/`.
//! For work on the engine: `cargo bench -p schemalect --bench ratios`. The committed figures are those of `cargo xtask bench`.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use schemalect::engine::adapt::{Options, adapt};
use schemalect::engine::check::{Given, Tool, check};
use schemalect::engine::{Plan, Tree};
use schemalect::{Budget, Profiles, Selection};

const PROFILES: [&str; 3] = ["gemini", "openai-strict", "anthropic"];

/// The schemas to run on, smallest first.
fn schemas() -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = std::env::var_os("SCHEMALECT_CORPUS").map(PathBuf::from);
    let beside = here.join("../../shared/corpus");
    let folder = named.unwrap_or(beside);
    let mut out: Vec<String> = match std::fs::read_to_string(folder.join("shared_tools.ndjson")) {
        Ok(text) => text.lines().map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["inputSchema"].to_string()).collect(),
        Err(_) => {
            let text = std::fs::read_to_string(here.join("../examples/tools.json")).unwrap();
            let list: serde_json::Value = serde_json::from_str(&text).unwrap();
            list["tools"].as_array().unwrap().iter().map(|t| t["inputSchema"].to_string()).collect()
        }
    };
    out.sort_by_key(String::len);
    out
}

fn check_text(plan: &Plan, text: &str) -> usize {
    let tree = Tree::parse(text, &Budget::default()).unwrap();
    check(plan, &view(&tree)).len()
}

fn adapt_text(plan: &Plan, text: &str) -> Option<Tree> {
    let tree = Tree::parse(text, &Budget::default()).unwrap();
    adapt(plan, &view(&tree), &Options::default()).schema
}

fn view(tree: &Tree) -> Tool<'_> {
    Tool { name: Given::Text("tool"), description: Given::Text("A tool."), schema: Some((tree, tree.root())) }
}

fn benches(c: &mut Criterion) {
    let profiles = Profiles::builtin().unwrap();
    let plans: Vec<_> =
        PROFILES.iter().map(|p| profiles.resolve(p, &Selection::on("2026-11-29".parse().unwrap())).unwrap().plan().clone()).collect();
    let all = schemas();
    let at = |share: f64| vec![all[((all.len() - 1) as f64 * share) as usize].clone()];
    for (name, texts) in [("small", at(0.1)), ("median", at(0.5)), ("p99", at(0.99)), ("corpus", all.clone())] {
        let mut group = c.benchmark_group(name);
        group.sample_size(if name == "corpus" { 10 } else { 60 });
        group.throughput(Throughput::Bytes(texts.iter().map(|t| t.len() as u64).sum()));
        group.bench_function("serde_json", |b| {
            b.iter(|| {
                for text in &texts {
                    let value: serde_json::Value = serde_json::from_str(black_box(text)).unwrap();
                    black_box(serde_json::to_string(&value).unwrap());
                }
            });
        });
        group.bench_function("parse", |b| {
            b.iter(|| texts.iter().map(|t| Tree::parse(black_box(t), &Budget::default()).unwrap().len()).sum::<usize>());
        });
        for (profile, plan) in PROFILES.iter().zip(&plans) {
            group.bench_function(format!("check {profile}"), |b| {
                b.iter(|| texts.iter().map(|t| check_text(plan, black_box(t))).sum::<usize>());
            });
            group.bench_function(format!("adapt {profile}"), |b| {
                b.iter(|| texts.iter().filter_map(|t| adapt_text(plan, black_box(t))).map(|t| t.len()).sum::<usize>());
            });
            group.bench_function(format!("adapt bytes {profile}"), |b| {
                b.iter(|| texts.iter().filter_map(|t| adapt_text(plan, black_box(t))).map(|t| t.to_json(t.root()).len()).sum::<usize>());
            });
        }
        group.finish();
    }
}

criterion_group!(all, benches);
criterion_main!(all);
