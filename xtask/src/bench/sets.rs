//! The tools that are measured: a few of each size, and a part of the whole list.

use anyhow::{Context, Result, ensure};
use schemalect_conformance::laws::Subject;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{corpus, data};

/// The list, as the corpus calls it.
pub(super) const FILE: &str = "shared_tools.ndjson";
/// So many tools stand for a size.
const SEVERAL: usize = 5;
/// Of a list longer than this, every tenth tool stands for the whole.
const LONG: usize = 500;

/// A schema, and arguments that it takes.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Case {
    pub(super) schema: String,
    pub(super) arguments: Option<Value>,
}

/// Tools that are measured together.
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) cases: Vec<Case>,
}

/// All sets, and what they were taken from in words.
pub(super) fn sets() -> Result<(Vec<Set>, String)> {
    let folder = data::corpus();
    let entries = corpus::entries(&folder, FILE, None)?;
    ensure!(!entries.is_empty(), "{} has no {FILE}; set SCHEMALECT_CORPUS to a folder that has it", folder.display());
    let mut texts: Vec<String> = entries.into_iter().map(|e| e.text).collect();
    let (all, bytes) = (texts.len(), texts.iter().map(String::len).sum::<usize>());
    let every = if all > LONG { 10 } else { 1 };
    let whole: Vec<String> = texts.iter().step_by(every).cloned().collect();
    let whole = Set { name: "whole list", cases: whole.into_iter().map(case).collect() };
    texts.sort_by_key(String::len);
    let mut sets: Vec<Set> = [("median", 0.5), ("p90", 0.9), ("p99", 0.99)]
        .into_iter()
        .map(|(name, share)| {
            let from = (((all - 1) as f64 * share) as usize).saturating_sub(SEVERAL / 2);
            Set { name, cases: texts.iter().skip(from).take(SEVERAL).cloned().map(case).collect() }
        })
        .collect();
    let largest = texts.last().cloned().context("no tools")?;
    sets.push(Set { name: "largest", cases: vec![case(largest)] });
    sets.push(whole);
    let shipped = folder.starts_with(data::root().join("conformance"));
    let from = if shipped { "the sample that the repository ships" } else { "a corpus that is no part of the repository" };
    let part = if every > 1 { ", of which every tenth stands for the whole list" } else { "" };
    let words = format!(
        "the schemas of {all} tools that servers of the Model Context Protocol listed ({from}, {:.1} MB){part}; \
         a size is {SEVERAL} tools of about that rank, {}; the largest is one tool",
        bytes as f64 / 1e6,
        sets.iter().map(|s| format!("{} {}", s.name, size(s))).collect::<Vec<_>>().join(", ")
    );
    Ok((sets, words))
}

/// Bytes of a tool, on average.
fn size(set: &Set) -> String {
    let bytes: usize = set.cases.iter().map(|c| c.schema.len()).sum();
    format!("{} bytes", bytes / set.cases.len().max(1))
}

fn case(schema: String) -> Case {
    let arguments = Subject::of(&schema, 1, 1).and_then(|s| s.valid.into_iter().next()).map(|i| i.value);
    Case { schema, arguments }
}
