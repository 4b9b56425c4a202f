//! One job on one set of schemas, a number of times, for a tool that counts instructions, such as callgrind.
//!
//! `counts JOB PROFILES FILE TIMES`, where FILE holds one schema a line. Counting two numbers of times and taking the difference leaves out
//! what it costs to start.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stderr)]

use std::hint::black_box;

use schemalect::engine::adapt::{Options, adapt};
use schemalect::engine::check::{Given, Tool, check_each};
use schemalect::engine::{Plan, Tree};
use schemalect::{Budget, Profiles, Selection};

fn view(tree: &Tree) -> Tool<'_> {
    Tool { name: Given::Text("tool"), description: Given::Text("A tool."), schema: Some((tree, tree.root())) }
}

/// Something that differs when the work is left out.
fn job(name: &str, plans: &[Plan], text: &str) -> usize {
    if name == "serde_json" {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        return serde_json::to_string(&value).unwrap().len();
    }
    let tree = Tree::parse(text, &Budget::default()).unwrap();
    match name {
        "parse" => tree.len(),
        "check" => check_each(&plans.iter().collect::<Vec<_>>(), &view(&tree)).iter().map(Vec::len).sum(),
        "adapt" => plans.iter().map(|plan| adapt(plan, &view(&tree), &Options::default()).events.len()).sum(),
        "bytes" | "audit" => {
            let options = Options { audit: name == "audit", ..Options::default() };
            plans.iter().map(|plan| adapt(plan, &view(&tree), &options).schema.map_or(0, |t| t.to_json(t.root()).len())).sum()
        }
        _ => panic!("no job is called {name}"),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|w| w != "--bench").collect();
    let [name, profiles, file, times] = words.as_slice() else {
        eprintln!("nothing to count: counts JOB PROFILES FILE TIMES");
        return;
    };
    let builtin = Profiles::builtin().unwrap();
    let on = Selection::on("2026-11-29".parse().unwrap());
    let plans: Vec<Plan> = profiles.split(',').map(|p| builtin.resolve(p, &on).unwrap().plan().clone()).collect();
    let texts = std::fs::read_to_string(file).unwrap();
    let mut sum = 0usize;
    for _ in 0..times.parse::<usize>().unwrap() {
        for text in texts.lines() {
            sum = sum.wrapping_add(black_box(job(name, &plans, black_box(text))));
        }
    }
    black_box(sum);
}
