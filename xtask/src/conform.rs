//! `cargo xtask conform`: every recorded verdict against the profile of its surface.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use schemalect_conformance::judge::Judge;
use schemalect_conformance::score::Score;
use schemalect_conformance::verdict::{self, Verdict};
use schemalect_engine::date::Day;

use crate::data;

/// What was asked for.
#[derive(Default)]
struct Options {
    profile: Option<String>,
    as_of: Option<Day>,
    case: Option<String>,
    verdicts: Option<PathBuf>,
    json: bool,
}

/// Runs the chore; false where a prediction falls short in a way that is not in the committed score.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let options = options(words)?;
    let library = data::library()?;
    let verdicts = verdicts(&options)?;
    let judge = Judge::new(&library, options.as_of);
    let judged: Vec<_> = verdicts.par_iter().map(|verdict| (verdict, judge.judge(verdict))).collect();
    let mut scores: Vec<(String, Score)> = Vec::new();
    for (verdict, judged) in judged {
        let judged = judged.map_err(|errors| data::told(&errors))?;
        if options.case.is_some() {
            println!("{} {}: {}\n  {}", verdict.profile, verdict.id, judged.judgement.word(), judged.detail);
        }
        let at = scores.iter().position(|(profile, _)| *profile == verdict.profile).unwrap_or_else(|| {
            scores.push((verdict.profile.clone(), Score::default()));
            scores.len() - 1
        });
        scores[at].1.add(verdict, &judged);
    }
    let mut total = Score::default();
    scores.iter().for_each(|(_, score)| total.join(score));
    match options.json {
        true => println!("{}", serde_json::to_string_pretty(&total.to_json())?),
        false => print!("{}", table(&scores, &total)),
    }
    Ok(true)
}

fn options(words: &[String]) -> Result<Options> {
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--as-of" => options.as_of = Some(value()?.parse().map_err(anyhow::Error::msg)?),
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
    Ok(options)
}

fn verdicts(options: &Options) -> Result<Vec<Verdict>> {
    let mut verdicts = match &options.verdicts {
        Some(file) => verdict::load_file(file)?,
        None => verdict::load(&verdict::folder())?.into_iter().flat_map(|(_, verdicts)| verdicts).collect(),
    };
    verdicts.retain(|v| options.profile.as_ref().is_none_or(|p| *p == v.profile));
    verdicts.retain(|v| options.case.as_ref().is_none_or(|case| *case == v.id));
    match (&options.case, &options.profile) {
        (Some(case), _) if verdicts.is_empty() => bail!("no verdict is called `{case}`"),
        (None, Some(profile)) if verdicts.is_empty() => bail!("no verdict of `{profile}`"),
        _ => Ok(verdicts),
    }
}

/// Every miss in full, then a line a profile.
fn table(scores: &[(String, Score)], total: &Score) -> String {
    use std::fmt::Write;

    use schemalect_conformance::judgement::{Judgement as J, Placing};
    let mut out = String::new();
    for miss in &total.misses {
        let _ = writeln!(out, "{} {}: {}\n  {}", miss.profile, miss.id, miss.judgement.word(), miss.detail);
    }
    let _ = writeln!(
        out,
        "\n{:34} {:>5} {:>5} {:>6} {:>5} {:>5} {:>9} {:>6} {:>5} {:>9} {:>7} {:>5} {:>8}",
        "", "hit", "caught", "wrong", "miss", "undec", "rejected", "silent", "noisy", "undecided", "ignored", "place", "unscored"
    );
    let all = [("all".to_owned(), total.clone())];
    let known = |score: &Score| score.count(J::Unscored) < score.total();
    for (name, score) in scores.iter().filter(|(_, score)| known(score)).chain(&all) {
        let count = |j: J| score.count(j);
        let share =
            |(all, good): (usize, usize)| if all == 0 { "-".to_owned() } else { format!("{:.1}%", 100.0 * good as f64 / all as f64) };
        let places = (score.placed(Placing::Exact) + score.placed(Placing::Other), score.placed(Placing::Exact));
        let _ = writeln!(
            out,
            "{name:34} {:>5} {:>5} {:>6} {:>5} {:>5} {:>9} {:>6} {:>5} {:>9} {:>7} {:>5} {:>8}",
            count(J::Hit),
            count(J::Caught),
            count(J::WrongReason),
            count(J::Missing),
            count(J::RejectedUndecided),
            share(score.rejected()),
            count(J::Silent),
            count(J::Noisy),
            count(J::AcceptedUndecided),
            format!("{}/{}", count(J::Known), count(J::Known) + count(J::Unknown)),
            share(places),
            count(J::Unscored),
        );
    }
    let rest: Vec<String> = scores.iter().filter(|(_, s)| !known(s)).map(|(name, s)| format!("{name} {}", s.total())).collect();
    if !rest.is_empty() {
        let _ = writeln!(out, "\nnothing to score: {}", rest.join(", "));
    }
    out
}
