//! `cargo xtask conform`: every recorded verdict against the profile of its surface.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use schemalect_conformance::executed::Row;
use schemalect_conformance::judge::Judge;
use schemalect_conformance::pages;
use schemalect_conformance::score::Score;
use schemalect_conformance::suite::{self, Case};
use schemalect_conformance::verdict::{self, Verdict};
use schemalect_engine::date::Day;

use crate::{conform_executed as executed, conform_text as text, data};

/// What was asked for.
#[derive(Default)]
struct Options {
    profile: Option<String>,
    as_of: Option<Day>,
    case: Option<String>,
    verdicts: Option<PathBuf>,
    json: bool,
    bless: bool,
}

/// Runs the chore; false where a prediction falls short in a way that is not in the committed score.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let options = options(words)?;
    let library = data::library()?;
    let verdicts = verdicts(&options)?;
    let judge = Judge::new(&library, options.as_of);
    let cases = suite::judge(&judge, verdicts).map_err(|errors| data::told(&errors))?;
    let ran = match &options.verdicts {
        Some(_) => Vec::new(),
        None => executed::judged(&judge, options.profile.as_deref(), options.case.as_deref())?,
    };
    if let (Some(case), [], []) = (&options.case, cases.as_slice(), ran.as_slice()) {
        bail!("no verdict is called `{case}`");
    }
    if options.case.is_some() {
        cases.iter().for_each(|case| print!("{}", one(case)));
        ran.iter().for_each(|case| print!("{}", executed::one(case)));
    }
    let scores = suite::scores(&cases);
    let mut total = Score::default();
    scores.iter().for_each(|(_, score)| total.join(score));
    let mut votes = Score::default();
    suite::votes(&cases).iter().for_each(|(_, score)| votes.join(score));
    match options.json {
        true => {
            let mut told = total.to_json();
            told["groups"] = votes.to_json();
            if options.verdicts.is_none() {
                told["executed"] = schemalect_conformance::executed::rows(&ran).iter().map(Row::to_json).collect();
            }
            println!("{}", serde_json::to_string_pretty(&told)?);
        }
        false => {
            if options.case.is_none() {
                print!("{}", executed::unexplained(&ran));
            }
            print!("{}", text::table(&scores, &total, &votes));
            if options.case.is_none() {
                print!("{}", text::evidence(&library, (&cases, &ran), options.profile.as_deref()));
            }
            if !ran.is_empty() {
                print!("{}", executed::table(&ran));
            }
        }
    }
    if options.bless {
        executed::bless(&ran)?;
        return bless(&cases);
    }
    // Misses are committed for the recorded verdicts, each as of its own day.
    if options.verdicts.is_some() || options.as_of.is_some() {
        return Ok(true);
    }
    let mut changed = changed(&cases, &pages::known_misses()?);
    changed.extend(executed::changed(&ran)?);
    for line in &changed {
        eprintln!("{line}");
    }
    if !changed.is_empty() {
        eprintln!("this is not the committed score; `cargo xtask conform --bless` writes it anew");
    }
    Ok(changed.is_empty())
}

/// What differs from the committed misses, a line a verdict.
fn changed(cases: &[Case], known: &BTreeMap<String, String>) -> Vec<String> {
    let line = |case: &Case| {
        let (id, word) = (&case.verdict.id, case.judged.judgement.word());
        match (case.judged.is_miss(), known.get(id)) {
            (true, None) => Some(format!("new miss: {word} {id}")),
            (true, Some(before)) if before != word => Some(format!("{id}: {before} before, {word} now")),
            (false, Some(before)) => Some(format!("better: {id} was {before}, is {word}")),
            _ => None,
        }
    };
    cases.iter().filter_map(line).collect()
}

/// Names the rules of verdicts that name none, where one explains them, and writes the committed account anew.
fn bless(cases: &[Case]) -> Result<bool> {
    let mut files: BTreeMap<&str, Vec<Verdict>> = BTreeMap::new();
    for case in cases {
        let mut verdict = case.verdict.clone();
        if !case.judged.is_miss() && verdict.rule.is_none() {
            verdict.rule = case.judged.rules.first().cloned();
        }
        files.entry(&case.verdict.profile).or_default().push(verdict);
    }
    for (profile, verdicts) in files {
        let path = verdict::folder().join(format!("{profile}.jsonl"));
        std::fs::write(&path, verdict::write(&verdicts)?).with_context(|| path.display().to_string())?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let test = ["test", "--quiet", "-p", "schemalect-conformance", "--test", "snapshots", "pages_are_as_committed"];
    let told = Command::new(cargo).args(test).env("INSTA_UPDATE", "always").current_dir(data::root()).output()?;
    if !told.status.success() {
        eprint!("{}{}", String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
    }
    Ok(told.status.success())
}

/// One case in full.
fn one(case: &Case) -> String {
    use std::fmt::Write;
    let Case { verdict, judged, remade, .. } = case;
    let mut out = format!("{} {}: {}\n  {}\n", verdict.profile, verdict.id, judged.judgement.word(), judged.detail);
    let _ = writeln!(out, "  input: {}", verdict.input.get());
    let told = verdict.message.iter().map(|m| ("message", m)).chain(verdict.path.iter().map(|p| ("path", p)));
    for (what, text) in told.chain(verdict.note.iter().map(|n| ("note", n))) {
        let _ = writeln!(out, "  {what}: {text}");
    }
    if let Some(remade) = remade {
        let _ = writeln!(out, "  adapted: {}", remade.outcome);
        for text in remade.schemas.iter().chain(&remade.plans).map(|(_, text)| text).chain(&remade.faults) {
            let _ = writeln!(out, "    {text}");
        }
    }
    out
}

fn options(words: &[String]) -> Result<Options> {
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--as-of" => options.as_of = Some(value()?.parse().map_err(anyhow::Error::msg)?),
            "--bless" => options.bless = true,
            "--case" => options.case = Some(value()?.clone()),
            "--verdicts" => options.verdicts = Some(value()?.into()),
            "--format" => match value()?.as_str() {
                "json" => options.json = true,
                "text" => options.json = false,
                other => bail!("unknown format `{other}`; json or text"),
            },
            word if word.starts_with('-') => bail!("unknown option `{word}`"),
            _ if options.profile.is_some() => bail!("one profile at most"),
            profile => options.profile = Some(profile.to_owned()),
        }
    }
    let whole = options.verdicts.is_none() && options.as_of.is_none() && options.case.is_none();
    if options.bless && (!whole || options.profile.is_some()) {
        bail!("--bless writes the score of all recorded verdicts, each as of its own day; give no other option");
    }
    Ok(options)
}

fn verdicts(options: &Options) -> Result<Vec<Verdict>> {
    let known: Vec<String> = schemalect_conformance::executed::load_answers()?.into_keys().collect();
    let mut verdicts = match &options.verdicts {
        Some(file) => verdict::load_file(file)?,
        None => verdict::load(&verdict::folder())?.into_iter().flat_map(|(_, verdicts)| verdicts).collect(),
    };
    verdicts.retain(|v| options.profile.as_ref().is_none_or(|p| *p == v.profile));
    verdicts.retain(|v| options.case.as_ref().is_none_or(|case| *case == v.id));
    match (&options.case, &options.profile) {
        (Some(case), _) if verdicts.is_empty() && options.verdicts.is_some() => bail!("no verdict is called `{case}`"),
        (None, Some(profile)) if verdicts.is_empty() && !known.contains(profile) => bail!("no verdict of `{profile}`"),
        _ => Ok(verdicts),
    }
}
