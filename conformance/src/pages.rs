//! The committed account: a page of the score a profile, and a page a rule with every verdict that exercises it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use schemalect::engine::plan::{Certainty, Level};
use schemalect::rules::Library;

use crate::evidence::{self, Evidence};
use crate::executed;
use crate::judgement::{Judgement, Placing};
use crate::score::Score;
use crate::suite::{Case, scores, votes};
use crate::verdict::Outcome;

/// The folder of the committed pages.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots")
}

/// The misses that are in the committed scores: by id, the word of the judgement.
///
/// # Errors
/// A page cannot be read.
pub fn known_misses() -> std::io::Result<BTreeMap<String, String>> {
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(folder())? {
        let path = entry?.path().join("_score.snap");
        if !path.is_file() {
            continue;
        }
        for line in std::fs::read_to_string(path)?.lines() {
            let miss = line.strip_prefix("- ").and_then(|rest| rest.split_once(' '));
            out.extend(miss.map(|(word, id)| (id.trim().to_owned(), word.to_owned())));
        }
    }
    Ok(out)
}

/// Every page by its path below [`folder`], without ending: `PROFILE/_score`, `PROFILE/_executed` and `PROFILE/RULE`.
#[must_use]
pub fn all(library: &Library, cases: &[Case], ran: &[executed::Case]) -> BTreeMap<String, String> {
    let mut out = executed::pages(library, ran);
    let evidence = evidence::of(library, cases, ran);
    for ((profile, score), (_, votes)) in scores(cases).into_iter().zip(votes(cases)) {
        let Some(info) = library.profile(&profile) else { continue };
        let own: Vec<&Case> = cases.iter().filter(|case| case.verdict.profile == profile).collect();
        out.insert(format!("{profile}/_score"), score_page(&profile, (&score, &votes), &own, &evidence));
        for binding in &info.bindings {
            out.extend(rule_page(&profile, &binding.id, &own).map(|page| (format!("{profile}/{}", binding.id), page)));
        }
    }
    out
}

fn score_page(profile: &str, (score, votes): (&Score, &Score), cases: &[&Case], evidence: &[Evidence]) -> String {
    use Judgement as J;
    let dates = cases.iter().filter_map(|case| case.verdict.date.as_deref());
    let span = format!("{} to {}", dates.clone().min().unwrap_or("-"), dates.max().unwrap_or("-"));
    let counts = |judgements: &[J]| judgements.iter().map(|&j| format!("{} {}", score.count(j), j.word())).collect::<Vec<_>>().join(", ");
    let mut out = format!("{profile}: {} verdicts, {span}\n\n", score.total());
    let _ = writeln!(out, "rejected: {}", counts(&[J::Hit, J::Caught, J::WrongReason, J::Missing, J::RejectedUndecided]));
    let _ = writeln!(out, "accepted: {}", counts(&[J::Silent, J::Noisy, J::AcceptedUndecided]));
    let _ = writeln!(out, "without force: {}; degraded: {}", counts(&[J::Known, J::Unknown]), counts(&[J::Warned, J::DegradedSilent]));
    let ((refused, hit), (taken, silent)) = (votes.rejected(), votes.accepted());
    let _ = writeln!(
        out,
        "one vote a group of equal inputs: {} groups, {hit} of {refused} refusals, {silent} of {taken} acceptances",
        votes.total()
    );
    let place = |placing| score.placed(placing);
    let _ =
        writeln!(out, "places: {} exact, {} other, {} not recorded", place(Placing::Exact), place(Placing::Other), place(Placing::Unknown));
    let remade = cases.iter().filter_map(|case| case.remade.as_ref());
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    remade.clone().for_each(|r| *outcomes.entry(r.outcome).or_default() += 1);
    let _ = writeln!(out, "refused inputs when adapted: {}", list(outcomes.iter().map(|(word, count)| format!("{count} {word}"))));
    let own: Vec<&Evidence> = evidence.iter().filter(|e| e.profile == profile).collect();
    let pinned = own.iter().filter(|e| e.is_pinned()).count();
    let unpinned = |word: &str| own.iter().filter(|e| e.binding.unpinned.as_deref() == Some(word)).count();
    let _ = writeln!(out, "own bindings: {} pinned, {} documented only, {} inferred", pinned, unpinned("documented"), unpinned("inferred"));
    let unscored: Vec<String> = cases
        .iter()
        .filter(|case| case.judged.judgement == J::Unscored)
        .map(|case| format!("{} ({})", case.verdict.id, case.judged.detail))
        .collect();
    if !unscored.is_empty() {
        let _ = writeln!(out, "\nnot scored:\n  {}", unscored.join("\n  "));
    }
    if !score.misses.is_empty() {
        out.push_str("\nmisses:\n");
    }
    for miss in &score.misses {
        let _ = writeln!(out, "- {} {}\n  {}", miss.judgement.word(), miss.id, miss.detail);
        if let Some(why) = &miss.why {
            let _ = writeln!(out, "  why: {why}");
        }
    }
    let faults = cases.iter().filter_map(|case| Some((case, case.remade.as_ref()?)));
    let faults: Vec<String> = faults.flat_map(|(case, r)| r.faults.iter().map(|fault| format!("{}: {fault}", case.verdict.id))).collect();
    if !faults.is_empty() {
        let _ = writeln!(out, "\nfaults of adapting:\n  {}", faults.join("\n  "));
    }
    out
}

fn list(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// Every scored verdict on whose input the rule fires, or whose recorded rule it is.
fn rule_page(profile: &str, rule: &str, cases: &[&Case]) -> Option<String> {
    let mut out = String::new();
    let mut cases: Vec<&&Case> = cases.iter().filter(|case| case.judged.judgement != Judgement::Unscored).collect();
    cases.sort_by(|a, b| (&a.verdict.date, &a.verdict.id).cmp(&(&b.verdict.date, &b.verdict.id)));
    for case in cases {
        let Case { verdict, judged, remade, .. } = case;
        let findings = judged.findings.iter().filter(|(_, f)| f.rule.rsplit('/').next() == Some(rule));
        let findings: Vec<_> = findings.collect();
        if findings.is_empty() && verdict.rule.as_deref() != Some(rule) {
            continue;
        }
        let outcome = match verdict.outcome {
            Outcome::Rejected => "rejected",
            Outcome::Accepted => "accepted",
            Outcome::SilentlyIgnored => "silently ignored",
            Outcome::Degraded => "degraded",
        };
        let part = if verdict.rule.as_deref() == Some(rule) { " (the recorded rule)" } else { "" };
        let date = verdict.date.as_deref().unwrap_or("undated");
        let _ = writeln!(out, "\n{} {date} {outcome}: {}{part}", verdict.id, judged.judgement.word());
        for (_, finding) in findings {
            let sure = if finding.certainty == Certainty::Undecided { ", undecided" } else { "" };
            let level = if finding.level == Level::Error { "" } else { finding.level.word() };
            let place = if finding.path.is_empty() { "(root)" } else { &finding.path };
            let _ = writeln!(
                out,
                "  {level}{}{} {place}: {}{sure}",
                if level.is_empty() { "" } else { " " },
                finding.subject.word(),
                finding.message
            );
        }
        if let Some(remade) = remade {
            let _ = writeln!(out, "  adapted: {}", remade.outcome);
            for (_, schema) in &remade.schemas {
                let _ = writeln!(out, "    {}", cut(schema));
            }
            for (_, plan) in &remade.plans {
                let _ = writeln!(out, "    plan {}", cut(plan));
            }
        }
    }
    (!out.is_empty()).then(|| format!("{profile}/{rule}\n{out}"))
}

/// Long texts are cut: what matters of those is that they stay the same.
fn cut(text: &str) -> String {
    const LONGEST: usize = 2000;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((at, _)) => {
            let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            format!("{}… {} bytes, {sum:016x}", &text[..at], text.len())
        }
    }
}
