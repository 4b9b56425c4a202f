//! What the mapping of tool names promises: every tool has a name of its own that the provider takes, which depends on no order and
//! on no tool that is not in its way, says as much of the old one as it can, and leads back to it.

use std::collections::{BTreeMap, HashSet};

use schemalect::{AdaptOptions, Call, ReadOptions, RestoreOptions, Surface, read};
use serde_json::{Value, json};

use crate::Rng;

/// How names begin, go on and end that are hard to map.
const PARTS: [&str; 24] = [
    "search",
    "Search",
    "get",
    "list_all",
    "issues",
    "github",
    "a",
    "A",
    "0",
    "42",
    "_",
    "__",
    "-",
    "名前",
    "поиск",
    "é",
    "e\u{301}",
    "🔧",
    "\u{200b}",
    "\"",
    "\\",
    "web_search",
    "functions",
    "x1rjh6243",
];
const JOINTS: [&str; 12] = ["", "_", "-", "/", ".", ":", " ", "__", "//", "\n", "::", "$"];

/// Names made by chance, all different.
#[must_use]
pub fn made(count: usize, seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut seen = HashSet::new();
    let mut out = Vec::with_capacity(count);
    while out.len() < count {
        let mut name = String::new();
        let most = if rng.chance(10) { 40 } else { 5 };
        let parts = 1 + rng.below(most);
        for i in 0..parts {
            let joint = if i == 0 { "" } else { *rng.pick(&JOINTS).unwrap_or(&"") };
            name.push_str(joint);
            name.push_str(rng.pick(&PARTS).unwrap_or(&""));
        }
        if rng.chance(50) {
            name.push_str(&rng.below(1000).to_string());
        }
        if !name.is_empty() && seen.insert(name.clone()) {
            out.push(name);
        }
    }
    out
}

/// What is broken for a list of names, which all have to be different.
#[must_use]
pub fn broken(surface: &Surface, names: &[String], seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let mut out = Vec::new();
    let sent = mapped(surface, names, &mut out);
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, new) in &sent {
        if let Some(other) = owners.insert(new, name) {
            out.push(format!("{other:?} and {name:?} are both sent as {new:?}"));
        }
    }
    let mut shuffled = names.to_vec();
    rng.shuffle(&mut shuffled);
    differ(&sent, &mapped(surface, &shuffled, &mut out), "in another order", &mut out);
    let forms: BTreeMap<&String, Option<String>> =
        names.iter().map(|n| (n, mapped(surface, std::slice::from_ref(n), &mut out).remove(n))).collect();
    let (gone, kept): (Vec<&String>, Vec<&String>) = names.iter().partition(|_| rng.chance(20));
    let in_the_way: HashSet<&Option<String>> = gone.iter().filter_map(|n| forms.get(n)).collect();
    let alone: Vec<String> = kept.into_iter().filter(|n| forms.get(n).is_none_or(|f| !in_the_way.contains(f))).cloned().collect();
    differ(&sent, &mapped(surface, &alone, &mut out), "without tools of other forms", &mut out);
    out
}

/// The names that are sent, by those that were given; also tries the way back.
fn mapped(surface: &Surface, names: &[String], out: &mut Vec<String>) -> BTreeMap<String, String> {
    let tools: Vec<Value> =
        names.iter().map(|n| json!({"name": n, "description": "A tool.", "inputSchema": {"type": "object", "properties": {}}})).collect();
    let list = match read(Value::from(tools).to_string().as_bytes(), &ReadOptions::default()) {
        Ok(list) => list,
        Err(error) => {
            out.push(error.to_string());
            return BTreeMap::new();
        }
    };
    let adapted = match surface.adapt(&list, &AdaptOptions::default()) {
        Ok(adapted) => adapted,
        Err(error) => {
            out.push(error.to_string());
            return BTreeMap::new();
        }
    };
    // A list may be longer than the provider takes; that is no fault of the names.
    let about_names = |rule: &str| rule.contains("name");
    out.extend(
        adapted.dropped.iter().flat_map(|d| &d.findings).filter(|f| about_names(&f.finding.rule)).map(|f| f.finding.message.clone()),
    );
    out.extend(adapted.request.iter().filter(|f| about_names(&f.finding.rule)).map(|f| f.finding.message.clone()));
    let plans = adapted.plans();
    let mut sent = BTreeMap::new();
    for tool in &adapted.tools {
        let (Some(name), Some(original)) = (&tool.name, &tool.original_name) else { continue };
        out.extend(tool.residue.iter().filter(|f| about_names(&f.rule)).map(|f| format!("{name:?}: {}", f.message)));
        let options = RestoreOptions::default();
        let back = plans.restore(Call::new(name.clone(), json!({})), &options).ok().and_then(|c| c.name);
        let there = plans.encode(Call::new(original.clone(), json!({})), &options).ok().and_then(|c| c.name);
        if back.as_ref() != Some(original) || there.as_ref() != Some(name) {
            out.push(format!("{original:?} is sent as {name:?} and comes back as {back:?}, and is written as {there:?}"));
        }
        sent.insert(original.clone(), name.clone());
    }
    if sent.len() != names.len() {
        out.push(format!("of {} names {} are sent", names.len(), sent.len()));
    }
    sent
}

fn differ(all: &BTreeMap<String, String>, part: &BTreeMap<String, String>, how: &str, out: &mut Vec<String>) {
    for (name, new) in part {
        if all.get(name) != Some(new) {
            out.push(format!("{name:?} is sent as {:?}, and {how} as {new:?}", all.get(name)));
        }
    }
}
