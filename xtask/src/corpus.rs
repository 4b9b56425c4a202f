//! `cargo xtask corpus`: every tool of the corpus through every profile, with the invariants checked on each.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use schemalect_engine::adapt::{Adapted, Options, adapt};
use schemalect_engine::check::{Given, Tool, check};
use schemalect_engine::plan::Level;
use schemalect_engine::{Budget, Effects, Plan, Tree};
use schemalect_rules::Library;
use serde_json::json;

use crate::data;

const FILES: &[&str] =
    &["shared_tools.ndjson", "repo_tools_shareable.ndjson", "openapi_tools.ndjson", "bfcl_tools.ndjson", "schemastore.ndjson", "nasty"];

/// What part of the corpus a chore is about, and how much of the answer is shown.
pub(crate) struct Asked {
    pub(crate) profiles: Vec<String>,
    pub(crate) files: Vec<String>,
    pub(crate) sample: Option<usize>,
    /// The one schema of this label, such as `nasty/07.json` or `schemastore.ndjson:12`.
    pub(crate) entry: Option<String>,
    pub(crate) show: usize,
}

impl Asked {
    /// Reads options, each with a value; `own` takes those that only the chore knows, and says whether it knows one.
    pub(crate) fn of(words: &[String], mut own: impl FnMut(&str, &str) -> Result<bool>) -> Result<Asked> {
        let mut asked = Asked { profiles: Vec::new(), files: Vec::new(), sample: None, entry: None, show: 5 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().with_context(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--profile" => asked.profiles.push(value.clone()),
                "--file" => asked.files.push(value.clone()),
                "--sample" => asked.sample = Some(value.parse()?),
                "--entry" => asked.entry = Some(value.clone()),
                "--show" => asked.show = value.parse()?,
                other if own(other, value)? => {}
                other => bail!("unknown option {other}"),
            }
        }
        Ok(asked)
    }
}

/// One schema of the corpus.
pub(crate) struct Entry {
    pub(crate) label: String,
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) text: String,
}

impl Entry {
    /// A schema that was made, by its number.
    pub(crate) fn of_schema(number: u64, schema: &serde_json::Value) -> Entry {
        Entry { label: format!("made:{number}"), name: None, description: None, text: schema.to_string() }
    }

    /// As a tool, in JSON.
    pub(crate) fn tool(&self) -> String {
        let name = json!(self.name.as_deref().unwrap_or("schema"));
        let description = self.description.as_ref().map(|d| format!("\"description\":{},", json!(d))).unwrap_or_default();
        format!("{{\"name\":{name},{description}\"inputSchema\":{}}}", self.text)
    }
}

/// Runs the chore; false where an invariant is broken.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let mut page = None;
    let asked = Asked::of(words, |word, value| {
        page = Some(value.to_owned()).filter(|_| word == "--page");
        Ok(word == "--page")
    })?;
    let (fine, left) = sweep(&asked, &data::corpus(), 1)?;
    if let Some(path) = page {
        std::fs::write(&path, left_out(&data::library()?, &left)).context(path)?;
    }
    Ok(fine)
}

/// Each profile takes one of so many `turns` of the entries, another one than the profile before it.
fn sweep(asked: &Asked, folder: &Path, turns: usize) -> Result<(bool, Vec<Left>)> {
    println!("corpus: {}", folder.display());
    let plans = data::plans(&asked.profiles)?;
    let (mut fine, mut left) = (true, Vec::new());
    println!(
        "{:<28} {:<30} {:>6} {:>9} {:>6} {:>7} {:>7} {:>6} {:>6} {:>7} {:>8} {:>16}  effects; the slowest, in ms",
        "file", "profile", "tools", "unchanged", "clean", "refused", "residue", "unread", "again", "panics", "ms", "digest"
    );
    for file in files(&asked.files) {
        let mut entries = entries(folder, file, asked.sample)?;
        entries.retain(|e| asked.entry.as_ref().is_none_or(|label| e.label == *label));
        if entries.is_empty() {
            continue;
        }
        for (i, plan) in plans.iter().enumerate() {
            let taken: Vec<&Entry> = entries.iter().skip(i % turns).step_by(turns).collect();
            let (held, tally) = one(file, plan, &taken, asked.show);
            fine &= held;
            left.extend(Left::of(file, plan, taken.len(), &tally));
        }
    }
    println!("peak memory: {} MB", peak_memory().unwrap_or(0) / 1024);
    Ok((fine, left))
}

/// What a profile could not be made to take of the tools that servers list.
struct Left {
    profile: String,
    tools: usize,
    kept: usize,
    /// By rule, in how many tools.
    rules: BTreeMap<String, usize>,
}

impl Left {
    fn of(file: &str, plan: &Plan, tools: usize, tally: &Tally) -> Option<Left> {
        let kept = tools - tally.refused - tally.residue - tally.unread;
        let label = |place: &String| place.split(' ').next().unwrap_or_default().to_owned();
        let tools_of = |places: &Vec<String>| places.iter().map(label).collect::<std::collections::BTreeSet<_>>().len();
        let rules = tally.left.iter().map(|(rule, places)| (rule.clone(), tools_of(places))).collect();
        (file == SERVERS && kept < tools).then(|| Left { profile: plan.profile.clone(), tools, kept, rules })
    }
}

/// The page of what is left out, for people.
fn left_out(library: &Library, left: &[Left]) -> String {
    let mut out = String::from(
        "# What is left out\n\nTools that servers of the Model Context Protocol listed, and that cannot be made to fit under the default policy. For all other profiles every one of \
        them fits. Written by `cargo xtask corpus --page docs/left-out.md`, from a corpus that is no part of the repository.\n\n\
        | profile | tools that fit | the others | why | what becomes of them |\n|---|---|---|---|---|\n",
    );
    for entry in left {
        let info = library.profile(&entry.profile);
        let after = match info.as_ref().and_then(|info| info.lenient.clone()) {
            Some(lenient) => format!("sent as for `{lenient}`"),
            None => "dropped, with the reason".to_owned(),
        };
        for (rule, tools) in &entry.rules {
            let id = rule.rsplit_once('/').map_or(rule.as_str(), |(_, id)| id);
            let binding = info.as_ref().and_then(|info| info.bindings.iter().find(|b| b.id == id));
            let why =
                binding.and_then(|b| library.rule_info(&b.rule)).map(|rule| format!("{}: {}", rule.title, rule.why)).unwrap_or_default();
            let _ = writeln!(out, "| `{}` | {} of {} | {tools} | {why} | {after} |", entry.profile, entry.kept, entry.tools);
        }
    }
    out
}

/// Tools as servers list them.
const SERVERS: &str = "shared_tools.ndjson";

/// The files whose names begin like one of those asked for; all where none is.
pub(crate) fn files(asked: &[String]) -> impl Iterator<Item = &'static str> + '_ {
    FILES.iter().copied().filter(|file| asked.is_empty() || asked.iter().any(|f| file.starts_with(f.as_str())))
}

/// Reads one file of the corpus.
pub(crate) fn entries(folder: &Path, file: &str, sample: Option<usize>) -> Result<Vec<Entry>> {
    let path = folder.join(file);
    let mut texts: Vec<(String, String)> = Vec::new();
    if path.is_dir() {
        let mut files: Vec<_> = std::fs::read_dir(&path)?
            .filter_map(|e| e.ok().map(|e| e.path()))
            .filter(|p| p.extension().is_some_and(|e| e == "json"))
            .collect();
        files.sort();
        for file in files {
            texts.push((file.file_name().unwrap_or_default().to_string_lossy().into_owned(), std::fs::read_to_string(&file)?));
        }
    } else if path.exists() {
        let text = std::fs::read_to_string(&path)?;
        texts.extend(text.lines().enumerate().map(|(i, l)| (format!("{}:{}", file, i + 1), l.to_owned())));
    }
    let step = sample.map_or(1, |n| (texts.len() / n.max(1)).max(1));
    let wide = Budget { bytes: 64 << 20, depth: 400, nodes: 20_000_000, ..Budget::default() };
    let mut out = Vec::new();
    for (label, text) in texts.into_iter().step_by(step) {
        let tree = Tree::parse(&text, &wide).map_err(|e| anyhow::anyhow!("{label}: {e}"))?;
        let root = tree.root();
        let text_of = |key: &str| tree.member(root, key).and_then(|n| tree.str(n)).map(std::borrow::Cow::into_owned);
        let schema = ["inputSchema", "parameters", "schema", "input_schema"].iter().find_map(|k| tree.member(root, k)).unwrap_or(root);
        out.push(Entry { label, name: text_of("name"), description: text_of("description"), text: tree.to_json(schema) });
    }
    Ok(out)
}

#[derive(Default)]
struct Tally {
    unchanged: usize,
    clean: usize,
    /// Left as refused by rules that have no repair.
    refused: usize,
    /// Left although a rule has a repair.
    residue: usize,
    unread: usize,
    again: usize,
    panics: usize,
    effects: BTreeMap<&'static str, usize>,
    left: BTreeMap<String, Vec<String>>,
    broken: Vec<String>,
    /// The tool that took longest, and its milliseconds.
    slowest: (u128, String),
    /// Of all results and what was done for them: two runs that differ in it were not deterministic.
    digest: u64,
}

impl Tally {
    fn join(mut self, other: Tally) -> Tally {
        for (mine, theirs) in [
            (&mut self.unchanged, other.unchanged),
            (&mut self.clean, other.clean),
            (&mut self.refused, other.refused),
            (&mut self.residue, other.residue),
            (&mut self.unread, other.unread),
            (&mut self.again, other.again),
            (&mut self.panics, other.panics),
        ] {
            *mine += theirs;
        }
        for (k, v) in other.effects {
            *self.effects.entry(k).or_default() += v;
        }
        for (k, v) in other.left {
            self.left.entry(k).or_default().extend(v);
        }
        self.broken.extend(other.broken);
        self.digest = self.digest.wrapping_add(other.digest);
        self.slowest = self.slowest.max(other.slowest);
        self
    }
}

fn one(file: &str, plan: &Plan, entries: &[&Entry], show: usize) -> (bool, Tally) {
    let start = Instant::now();
    let tally = entries.par_iter().map(|e| judge(plan, e)).reduce(Tally::default, Tally::join);
    let effects: Vec<String> = tally.effects.iter().map(|(k, v)| format!("{k} {v}")).collect();
    println!(
        "{:<28} {:<30} {:>6} {:>9} {:>6} {:>7} {:>7} {:>6} {:>6} {:>7} {:>8} {:016x}  {}; {} {}",
        file,
        plan.profile,
        entries.len(),
        tally.unchanged,
        tally.clean,
        tally.refused,
        tally.residue,
        tally.unread,
        tally.again,
        tally.panics,
        start.elapsed().as_millis(),
        tally.digest,
        effects.join(", "),
        tally.slowest.1,
        tally.slowest.0
    );
    for (rule, places) in tally.left.iter().take(if show == 0 { 0 } else { 40 }) {
        println!("    left: {rule} x{}: {}", places.len(), places.iter().take(show).cloned().collect::<Vec<_>>().join(" | "));
    }
    for broken in tally.broken.iter().take(show) {
        println!("    broken: {broken}");
    }
    (tally.broken.is_empty() && (file != SERVERS || tally.residue == 0), tally)
}

fn judge(plan: &Plan, entry: &Entry) -> Tally {
    let start = Instant::now();
    let tally = judged(plan, entry);
    Tally { slowest: (start.elapsed().as_millis(), entry.label.clone()), ..tally }
}

fn judged(plan: &Plan, entry: &Entry) -> Tally {
    let mut tally = Tally::default();
    let options = Options { audit: true, ..Options::default() };
    let tree = match Tree::parse(&entry.text, &options.budget) {
        Ok(tree) => tree,
        Err(error) => {
            tally.unread += 1;
            tally.left.entry("unread".into()).or_default().push(format!("{} {error}", entry.label));
            return tally;
        }
    };
    let tool = Tool {
        name: Given::Text(entry.name.as_deref().unwrap_or("schema")),
        description: entry.description.as_deref().map_or(Given::Missing, Given::Text),
        schema: Some((&tree, tree.root())),
    };
    let run = catch_unwind(AssertUnwindSafe(|| {
        drop(check(plan, &tool));
        adapt(plan, &tool, &options)
    }));
    let Ok(first) = run else {
        tally.panics += 1;
        tally.broken.push(format!("{}: panic", entry.label));
        return tally;
    };
    for word in first.effects.words() {
        *tally.effects.entry(word).or_default() += 1;
    }
    for event in &first.events {
        if event.effect.meets(Effects::LOSSY) {
            tally.broken.push(format!("{}: {} was lossy", entry.label, event.rule));
        }
    }
    let Some(result) = &first.schema else { return tally };
    if first.residue.is_empty() {
        if first.changed { tally.clean += 1 } else { tally.unchanged += 1 }
    } else {
        let repairable = first.residue.iter().any(|f| f.fix.as_ref().is_some_and(|fix| fix.operations.iter().any(|op| *op != "refuse")));
        if repairable {
            tally.residue += 1;
        } else {
            tally.refused += 1;
        }
        for finding in &first.residue {
            let place = result.at_pointer(result.root(), &finding.path).map(|n| result.excerpt(n, 160)).unwrap_or_default();
            let list = tally.left.entry(finding.rule.to_string()).or_default();
            list.push(format!("{} {} {}", entry.label, finding.path, place));
        }
    }
    let text = result.to_json(result.root());
    tally.digest = digest(&entry.label, &text, &first);
    let again = catch_unwind(AssertUnwindSafe(|| {
        let tree = Tree::parse(&text, &Budget { depth: 1_000, bytes: 256 << 20, nodes: 50_000_000, ..Budget::default() })?;
        let tool = Tool {
            name: first.name.as_deref().map_or(tool.name, Given::Text),
            description: first.description.as_deref().map_or(tool.description, Given::Text),
            schema: Some((&tree, tree.root())),
        };
        let left = check(plan, &tool).into_iter().find(|f| f.level == Level::Error);
        let second = adapt(plan, &tool, &options);
        let same = second.schema.as_ref().map(|t| t.to_json(t.root())).as_deref() == Some(&text);
        let event = second.events.first().map(|e| format!("{} {} at `{}`: {} -> {}", e.rule, e.operation, e.input, e.before, e.after));
        Ok::<_, schemalect_engine::ReadError>((left, same, event))
    }));
    match again {
        Ok(Ok((left, same, event))) => {
            if let Some(finding) = left.filter(|_| first.residue.is_empty()) {
                tally.broken.push(format!("{}: clean, but {} at `{}`", entry.label, finding.rule, finding.path));
            }
            if !same || event.is_some() {
                tally.again += 1;
                tally.broken.push(format!("{} changes again: {}", entry.label, event.unwrap_or_else(|| "without an event".into())));
            }
        }
        Ok(Err(error)) => tally.broken.push(format!("{}: the result cannot be read: {error}", entry.label)),
        Err(_) => {
            tally.panics += 1;
            tally.broken.push(format!("{}: panic on the result", entry.label));
        }
    }
    tally
}

fn digest(label: &str, result: &str, adapted: &Adapted) -> u64 {
    let mut hasher = DefaultHasher::new();
    (label, result, &adapted.name, &adapted.description).hash(&mut hasher);
    adapted.plan.as_ref().map(|plan| plan.to_json().to_string()).hash(&mut hasher);
    for event in &adapted.events {
        (event.rule.as_ref(), event.operation, &event.input, &event.output, &event.before, &event.after, &event.what).hash(&mut hasher);
    }
    hasher.finish()
}

/// The most memory this process ever held, in kilobytes.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(folder: &Path, sample: Option<usize>, turns: usize) {
        let asked = Asked { profiles: Vec::new(), files: Vec::new(), sample, entry: None, show: 3 };
        assert!(sweep(&asked, folder, turns).expect("the corpus can be read").0, "see the table above");
    }

    #[test]
    fn our_own_tools_hold() {
        holds(&data::root().join("conformance/corpus"), None, 4);
    }

    /// A fixed sample of whatever corpus is at hand; the whole of it is `cargo xtask corpus`.
    #[test]
    fn a_sample_of_the_corpus_holds() {
        holds(&data::corpus(), Some(40), 10);
    }
}
