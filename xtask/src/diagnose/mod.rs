//! `cargo xtask diagnose`: every recorded refusal, its tool put among others, told from the provider's message.

mod case;
mod tally;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use schemalect::engine::check::check;
use schemalect::engine::plan::Site;
use schemalect::{Diagnoser, Match, Profiles, ReadOptions, Selection, Surface, ToolList, read};
use serde_json::{Value, json};

use crate::data;
use case::{Case, Named};
use tally::{Table, Tally};

/// So many other tools stand in the list.
const OTHERS: usize = 40;
/// A set of candidates is small up to this many tools.
const SMALL: usize = 5;
/// So much of each kind has to be right.
const WANTED: f64 = 0.95;

/// Runs the chore; false where too little is told right.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let (mut verdicts, mut show) = (verdicts(), 0);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--verdicts" => verdicts = Some(PathBuf::from(value)),
            "--show" => show = value.parse()?,
            other => bail!("unknown option {other}"),
        }
    }
    let verdicts = verdicts.context("no verdicts are at hand; name a file with --verdicts")?;
    let table = measure(&verdicts, &data::corpus().join("shared_tools.ndjson"), show)?;
    print!("{table}");
    Ok(table.holds(WANTED))
}

/// Where recorded verdicts are: beside the repository, else those that it ships.
fn verdicts() -> Option<PathBuf> {
    let beside = data::root().join("../shared/verdicts/verdicts.jsonl");
    let own = data::root().join("conformance/messages.jsonl");
    [beside, own].into_iter().find(|path| path.is_file())
}

/// What is told of the refusals in a file of verdicts, among the tools of a file.
fn measure(verdicts: &Path, tools: &Path, show: usize) -> Result<Table> {
    let profiles = Profiles::builtin()?;
    let bench =
        Bench { today: Selection::on("2026-11-29".parse().map_err(anyhow::Error::msg)?), tools: lines(tools)?, profiles: &profiles };
    let every = profiles.diagnoser(&[], &bench.today)?;
    let mut table = Table::default();
    for verdict in lines(verdicts)? {
        let Some(case) = Case::of(&verdict) else { continue };
        if !profiles.rule_library().profile_names().any(|name| name == case.profile) {
            continue;
        }
        let tally = bench.judge(&case, &every)?;
        if show > 0 && !tally.fine() {
            println!("{} {} ({}): {}", case.profile, case.id, tally.wrong(), case.message);
            tally.shown.iter().take(show).for_each(|line| println!("    {line}"));
        }
        table.add(&case.profile, tally);
    }
    Ok(table)
}

fn lines(path: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

struct Bench<'b> {
    today: Selection,
    tools: Vec<Value>,
    profiles: &'b Profiles,
}

impl Bench<'_> {
    fn judge(&self, case: &Case, every: &Diagnoser<'_>) -> Result<Tally> {
        let surface = self.profiles.resolve(&case.profile, &self.today)?;
        let one = self.profiles.diagnoser(std::slice::from_ref(&case.profile), &self.today)?;
        let accepted = self.others(case, Some(&surface))?;
        let any = self.others(case, None)?;
        let k = case.seed % (any.len() + 1);
        let among = |others: &[Value]| -> Result<ToolList> {
            let mut tools = others.to_vec();
            tools.insert(k.min(tools.len()), case.tool.clone());
            list(&tools)
        };
        let message = case.message_at(k);
        let mut tally = Tally::default();
        let found = one.diagnose(&message, &[&among(if case.named == Named::Place { &any } else { &accepted })?])?;
        tally.scorable = case.scorable;
        tally.known = !found.is_empty();
        tally.shown = found.iter().map(show).collect();
        match case.named {
            Named::Place | Named::PlaceAlone => {
                tally.named = true;
                // A message of several lines lists several defects, and one of them was recorded.
                let told = found.iter().take(case.message.lines().count());
                let told: Vec<&Match> = told.filter(|m| m.tool.as_ref().is_some_and(|t| t.index == k)).collect();
                tally.tool = !told.is_empty();
                tally.place = told.iter().any(|m| case.is_at(m));
                tally.rule = told.iter().any(|m| case.is_rule(self.profiles, &self.today, m));
            }
            Named::Nothing => {
                let held = |found: &[Match]| found.iter().any(|m| m.tool.as_ref().is_some_and(|t| t.index == k));
                tally.tool = held(&found);
                tally.set = tools(&found);
                let wide = one.diagnose(&message, &[&among(&any)?])?;
                tally.wide = held(&wide);
                tally.wide_set = tools(&wide);
            }
        }
        let told = every.diagnose(&message, &[&among(&accepted)?])?;
        let told = told.first().map(|m| m.profile.as_str());
        tally.profile = told == Some(case.profile.as_str());
        tally.family = told.is_some_and(|told| self.family(told) == self.family(&case.profile));
        let innocent = self.innocent(case, accepted)?;
        tally.innocent = innocent.len();
        tally.blamed = one.diagnose(&case.nonsense(k), &[&list(&innocent)?])?.iter().any(|m| m.tool.is_some());
        Ok(tally)
    }

    /// The tools in which no rule fires that the message may speak of; none where it speaks of the whole request.
    fn innocent(&self, case: &Case, mut tools: Vec<Value>) -> Result<Vec<Value>> {
        let bound = self.profiles.rule_library().bind_every(&case.profile, &self.today);
        let bound = bound.map_err(|errors| anyhow::anyhow!("{}: {} mistakes", case.profile, errors.len()))?;
        let spoken = case.rules(&bound);
        if bound.plan.rules.iter().any(|rule| rule.site == Site::Request && spoken.contains(&&*rule.id)) {
            return Ok(Vec::new());
        }
        let fires = |tool: &Value| -> Result<bool> {
            let list = list(std::slice::from_ref(tool))?;
            let findings = list.tools().iter().flat_map(|tool| check(&bound.plan, &list.view(tool)));
            Ok(findings.into_iter().any(|finding| spoken.contains(&&*finding.rule)))
        };
        let mut out = Vec::new();
        for tool in tools.drain(..) {
            if !fires(&tool)? {
                out.push(tool);
            }
        }
        Ok(out)
    }

    /// The profile that all of a family extend.
    fn family(&self, profile: &str) -> String {
        let speech = self.profiles.rule_library().speech(profile).ok();
        let root = speech.and_then(|s| s.ancestors.first().cloned()).unwrap_or_else(|| profile.to_owned());
        root.split('-').next().unwrap_or_default().to_owned()
    }

    /// Other tools, from a place that the case chooses on; of those that a surface takes where one is given.
    fn others(&self, case: &Case, surface: Option<&Surface>) -> Result<Vec<Value>> {
        let mut out: Vec<Value> = Vec::new();
        for at in 0..self.tools.len() {
            let tool = &self.tools[(case.seed.wrapping_mul(31) + at * 7) % self.tools.len()];
            let known = |name: &Value| out.iter().any(|o| o["name"] == *name) || case.tool["name"] == *name;
            if known(&tool["name"]) {
                continue;
            }
            let tool = json!({"name": tool["name"], "description": tool["description"], "inputSchema": tool["inputSchema"]});
            let takes = |surface: &Surface| -> Result<bool> {
                let report = surface.check(&list(std::slice::from_ref(&tool))?, 1);
                Ok(report.findings().all(|f| f.level < schemalect::Level::Warning))
            };
            if surface.map_or(Ok(true), takes)? {
                out.push(tool);
            }
            if out.len() == OTHERS {
                break;
            }
        }
        Ok(out)
    }
}

fn list(tools: &[Value]) -> Result<ToolList> {
    Ok(read(Value::from(tools.to_vec()).to_string().as_bytes(), &ReadOptions::default())?)
}

/// How many tools are blamed.
fn tools(found: &[Match]) -> usize {
    let mut indices: Vec<usize> = found.iter().filter_map(|m| m.tool.as_ref()).map(|t| t.index).collect();
    indices.sort_unstable();
    indices.dedup();
    indices.len()
}

fn show(found: &Match) -> String {
    let tool = found.tool.as_ref().map(|t| t.index);
    format!("{} tool {tool:?} at {:?}, {}", found.rule, found.path, found.confidence.word())
}
