//! Limits that are counted over a list of tools: real tools come out within them, and as many as can be stay strict.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use std::path::{Path, PathBuf};

use schemalect::{AdaptOptions, AdaptedList, Outcome, Profiles, ReadOptions, Surface, read};
use schemalect_conformance::Rng;
use schemalect_engine::check::{Given, Tool, check_request, shares as taken};
use schemalect_engine::plan::{Measure, Over, Site, Test};
use schemalect_rules::Selection;

fn surface(name: &str) -> Surface {
    Profiles::builtin().unwrap().resolve(name, &Selection::on("2026-11-29".parse().unwrap())).unwrap()
}

/// The tools of the corpus, or of the sample that the repository ships.
fn tools() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside: PathBuf = root.join("../../shared/corpus/shared_tools.ndjson");
    let file = if beside.exists() { beside } else { root.join("corpus/shared_tools.ndjson") };
    eprintln!("tools: {}", file.display());
    std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

fn adapt(surface: &Surface, tools: &[&String]) -> AdaptedList {
    let text = format!("[{}]", tools.iter().map(|t| t.as_str()).collect::<Vec<_>>().join(","));
    let list = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    surface.adapt(&list, &AdaptOptions::default()).unwrap()
}

/// What each tool that can be strict adds to each limit.
fn shares(surface: &Surface, tools: &[&String]) -> (Vec<Vec<u64>>, Vec<u64>) {
    let request = surface.plan().rules.iter().filter(|r| r.site == Site::Request);
    let limits: Vec<(Measure, u64)> = request
        .filter_map(|r| match &r.when.tests[..] {
            [Test::Measure { of, over: Over::Request, above }] => Some((*of, *above)),
            _ => None,
        })
        .collect();
    let one = |tool: &&String| {
        let alone = adapt(surface, &[tool]);
        let tool = alone.tools.first().filter(|t| t.outcome != Outcome::Unstrict)?;
        let view = Tool { name: Given::Missing, description: Given::Missing, schema: tool.schema.as_ref().map(|s| (s, s.root())) };
        Some(taken(&limits.iter().map(|(of, _)| *of).collect::<Vec<_>>(), &view))
    };
    (tools.iter().filter_map(one).collect(), limits.into_iter().map(|(_, most)| most).collect())
}

/// The most tools that fit, found by trying every choice.
fn best(shares: &[Vec<u64>], limits: &[u64]) -> usize {
    let fits = |set: u32| {
        let chosen = || shares.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        limits.iter().enumerate().all(|(l, limit)| chosen().map(|(_, s)| s[l]).sum::<u64>() <= *limit)
    };
    (0..1u32 << shares.len()).filter(|&set| fits(set)).map(u32::count_ones).max().unwrap_or(0) as usize
}

/// Adapts a list and returns how many tools stay strict.
fn check(surface: &Surface, tools: &[&String]) -> usize {
    let adapted = adapt(surface, tools);
    let strict: Vec<_> = adapted.tools.iter().filter(|t| t.outcome != Outcome::Unstrict).collect();
    let views: Vec<Tool<'_>> = strict
        .iter()
        .map(|t| Tool { name: Given::Missing, description: Given::Missing, schema: t.schema.as_ref().map(|s| (s, s.root())) })
        .collect();
    let over: Vec<String> = check_request(surface.plan(), &views).into_iter().map(|(_, f)| f.message).collect();
    assert!(over.is_empty(), "{}: {over:?}", surface.name());
    for tool in adapted.tools.iter().filter(|t| t.outcome == Outcome::Unstrict) {
        let why = tool.events.iter().find(|e| e.operation == "unstrict");
        assert!(why.is_some_and(|e| !e.what.is_empty() && !e.sources.is_empty()), "{:?} loses strict without a word", tool.name);
    }
    strict.len()
}

#[test]
fn as_many_tools_as_possible_stay_strict() {
    let (surface, tools) = (surface("anthropic-strict"), tools());
    let (mut rng, mut over) = (Rng::new(1), 0);
    for _ in 0..40 {
        let list: Vec<&String> = (0..12).filter_map(|_| rng.pick(&tools)).collect();
        let (shares, limits) = shares(&surface, &list);
        let (kept, best) = (check(&surface, &list), best(&shares, &limits));
        assert!(kept >= best, "{kept} tools stay strict, {best} could");
        over += usize::from(best < shares.len());
    }
    assert!(over > 0, "no list was over a limit");
}

#[test]
fn long_lists_come_out_within_every_limit() {
    let tools = tools();
    for (name, length) in [("anthropic-strict", 30), ("anthropic-strict", 200), ("openai-strict", 120)] {
        let list: Vec<&String> = tools.iter().step_by((tools.len() / length).max(1)).take(length).collect();
        assert!(check(&surface(name), &list) > 0, "{name}: no tool stays strict");
    }
}

#[test]
fn a_limit_that_one_tool_exceeds_alone_costs_no_other_tool() {
    let surface = surface("anthropic-strict");
    let many: Vec<String> = (0..400).map(|i| format!("\"p{i}\": {{\"type\": \"string\"}}")).collect();
    let big = format!(r#"{{"name": "big", "inputSchema": {{"type": "object", "properties": {{{}}}}}}}"#, many.join(","));
    let small = r#"{"name": "small", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}"#.to_owned();
    let adapted = adapt(&surface, &[&big, &small]);
    assert_eq!(adapted.tools.iter().map(|t| t.outcome.word()).collect::<Vec<_>>(), ["unstrict", "clean"]);
}

#[test]
fn one_limit_pays_for_another() {
    let surface = surface("anthropic-strict");
    let tool = |name: &str| {
        let properties: Vec<String> = (0..8).map(|i| format!("\"p{i}\": {{\"type\": \"string\"}}")).collect();
        format!(r#"{{"name": "{name}", "inputSchema": {{"type": "object", "properties": {{{}}}}}}}"#, properties.join(","))
    };
    let list = ["a", "b", "c", "d"].map(tool);
    let adapted = adapt(&surface, &list.iter().collect::<Vec<_>>());
    let words: Vec<_> = adapted.tools.iter().map(|t| t.outcome.word()).collect();
    assert_eq!(words, ["clean"; 4], "32 optional properties, of which 24 are accepted and 16 can be unions");
    let required = adapted.tools.iter().flat_map(|t| &t.events).filter(|e| e.operation == "require-optional").count();
    assert_eq!(required, 8);
    assert_eq!(check(&surface, &list.iter().collect::<Vec<_>>()), 4);
}
