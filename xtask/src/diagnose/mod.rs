//! `cargo xtask diagnose`: every recorded refusal, its tool put among others, told from the provider's message.

mod case;
mod tally;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use schemalect::engine::check::check;
use schemalect::engine::plan::Site;
use schemalect::rules::Bound;
use schemalect::{Diagnoser, Match, Profiles, ReadOptions, Selection, Surface, ToolList, read};
use schemalect_conformance::verdict::{self, Verdict};
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
    let (mut file, mut sample, mut show) = (None, 1, 0);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = words.next().with_context(|| format!("{word} needs a value"))?;
        match word.as_str() {
            "--verdicts" => file = Some(PathBuf::from(value)),
            "--every" => sample = value.parse()?,
            "--show" => show = value.parse()?,
            other => bail!("unknown option {other}"),
        }
    }
    let verdicts = match file {
        Some(file) => verdict::load_file(&file)?,
        None => recorded()?,
    };
    let table = measure(verdicts.iter().step_by(sample), &data::corpus(), show)?;
    print!("{table}");
    Ok(table.holds(WANTED))
}

/// The verdicts that the repository holds.
fn recorded() -> Result<Vec<Verdict>> {
    Ok(verdict::load(&verdict::folder())?.into_iter().flat_map(|(_, verdicts)| verdicts).collect())
}

/// What is told of the refusals among verdicts, each among tools of a corpus.
fn measure<'v>(verdicts: impl Iterator<Item = &'v Verdict>, corpus: &Path, show: usize) -> Result<Table> {
    let profiles = Profiles::builtin()?;
    let bench = Bench { today: data::today()?, tools: tools_of(&corpus.join("shared_tools.ndjson"))?, profiles: &profiles };
    let every = profiles.diagnoser(&[], &bench.today)?;
    let mut table = Table::default();
    for case in verdicts.filter_map(Case::of) {
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

fn tools_of(path: &Path) -> Result<Vec<Value>> {
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
        let library = self.profiles.rule_library();
        let bound = library.bind_every(&case.profile, &self.today).map_err(|errors| data::told(&errors))?;
        let surface = self.profiles.resolve(&case.profile, &self.today)?;
        let one = self.profiles.diagnoser(std::slice::from_ref(&case.profile), &self.today)?;
        let accepted = self.others(case, Some(&surface))?;
        let any = self.others(case, None)?;
        let (plain, wide) = (Among::of(case, &accepted)?, Among::of(case, &any)?);
        let asked = if case.named == Named::Place { &wide } else { &plain };
        let found = asked.told_by(&one)?;
        let mut tally = Tally { scorable: case.scorable, known: !found.is_empty(), ..Tally::default() };
        tally.shown = found.iter().map(show).collect();
        match case.named {
            Named::Place | Named::PlaceAlone => {
                tally.named = true;
                // A message of several lines lists several defects, and one of them was recorded.
                let told = found.iter().take(case.message.lines().count());
                let told: Vec<&Match> = told.filter(|m| asked.is_the_tool(m)).collect();
                tally.tool = !told.is_empty();
                tally.place = told.iter().any(|m| case.is_at(m));
                tally.rule = told.iter().any(|m| case.is_rule(&bound, m));
            }
            Named::Nothing => {
                tally.tool = found.iter().any(|m| asked.is_the_tool(m));
                tally.set = tools(&found);
                let found = wide.told_by(&one)?;
                tally.wide = found.iter().any(|m| wide.is_the_tool(m));
                tally.wide_set = tools(&found);
            }
        }
        let told = plain.told_by(every)?;
        let told = told.first().map(|m| m.profile.as_str());
        tally.profile = told == Some(case.profile.as_str());
        tally.family = told.is_some_and(|told| self.family(told) == self.family(&case.profile));
        let innocent = innocent(case, &bound, accepted)?;
        tally.innocent = innocent.len();
        let nonsense = case.nonsense(case.seed % innocent.len().max(1));
        tally.blamed = one.diagnose(&nonsense, &[&list(&innocent)?])?.iter().any(|m| m.tool.is_some());
        Ok(tally)
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

/// A refused tool among others.
struct Among {
    index: usize,
    list: ToolList,
    message: String,
}

impl Among {
    fn of(case: &Case, others: &[Value]) -> Result<Among> {
        let index = case.seed % (others.len() + 1);
        let mut tools = others.to_vec();
        tools.insert(index, case.tool.clone());
        Ok(Among { index, list: list(&tools)?, message: case.message_at(index) })
    }

    fn told_by(&self, diagnoser: &Diagnoser<'_>) -> Result<Vec<Match>> {
        Ok(diagnoser.diagnose(&self.message, &[&self.list])?)
    }

    fn is_the_tool(&self, found: &Match) -> bool {
        found.tool.as_ref().is_some_and(|tool| tool.index == self.index)
    }
}

/// The tools in which no rule fires that the message may speak of; none where it speaks of the whole request.
fn innocent(case: &Case, bound: &Bound, tools: Vec<Value>) -> Result<Vec<Value>> {
    let spoken = case.rules(bound);
    if bound.plan.rules.iter().any(|rule| rule.site == Site::Request && spoken.contains(&&*rule.id)) {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    for tool in tools {
        let list = list(std::slice::from_ref(&tool))?;
        let findings = list.tools().iter().flat_map(|tool| check(&bound.plan, &list.view(tool)));
        if !findings.into_iter().any(|finding| spoken.contains(&&*finding.rule)) {
            out.push(tool);
        }
    }
    Ok(out)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A part of the refusals, among the tools that the repository ships; all of them among real tools is `cargo xtask diagnose`.
    #[test]
    fn a_part_of_the_refusals_is_told() {
        let verdicts = recorded().expect("the verdicts can be read");
        let table = measure(verdicts.iter().step_by(4), &data::root().join("conformance/corpus"), 0).expect("the tools can be read");
        assert!(table.holds(WANTED), "\n{table}");
    }
}
