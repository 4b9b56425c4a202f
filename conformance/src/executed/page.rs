//! The committed account of executed answers: a page a profile with the score, every miss with its reason, and where each rule fires.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use schemalect::engine::plan::Level;
use schemalect::rules::Library;

use super::{Case, Row, rows};
use crate::judgement::Judgement;
use crate::verdict::Outcome;

/// The name of the page.
const PAGE: &str = "_executed";

/// Every page by its path below the folder of the committed pages, without ending: `PROFILE/_executed`.
#[must_use]
pub fn pages(library: &Library, cases: &[Case]) -> BTreeMap<String, String> {
    let profiles: BTreeSet<&str> = cases.iter().map(|case| case.ran.engine.profile.as_str()).collect();
    let rows = rows(cases);
    let page = |profile: &&str| {
        let own: Vec<&Case> = cases.iter().filter(|case| case.ran.engine.profile == **profile).collect();
        let mut out = table(rows.iter().filter(|row| row.profile == **profile));
        misses(&mut out, &own);
        adapted(&mut out, &own);
        if let Some(info) = library.profile(profile) {
            out.push_str("\nwhere rules fire:\n");
            info.bindings.iter().for_each(|binding| fires(&mut out, &binding.id, &own));
        }
        (format!("{profile}/{PAGE}"), out)
    };
    profiles.iter().map(page).collect()
}

/// The misses that are in the committed pages: by id, the word of the judgement.
///
/// # Errors
/// A page cannot be read.
pub fn known_misses() -> std::io::Result<BTreeMap<String, String>> {
    let mut out = BTreeMap::new();
    for entry in std::fs::read_dir(crate::pages::folder())? {
        let path = entry?.path().join(format!("{PAGE}.snap"));
        if !path.is_file() {
            continue;
        }
        for line in std::fs::read_to_string(path)?.lines() {
            let Some((word, (case, engines))) =
                line.strip_prefix("- ").and_then(|l| l.split_once(' ')).and_then(|(w, rest)| Some((w, rest.split_once(": ")?)))
            else {
                continue;
            };
            out.extend(engines.split(", ").map(|engine| (format!("{engine}:{case}"), word.to_owned())));
        }
    }
    Ok(out)
}

fn table<'r>(rows: impl Iterator<Item = &'r Row>) -> String {
    let mut out = format!("{:34} {}\n", "", Row::heads());
    for row in rows {
        let _ = writeln!(out, "{:34} {}", row.engine, row.cells());
    }
    out
}

/// Misses that are alike in all but the engine share an entry.
fn misses(out: &mut String, cases: &[&Case]) {
    let mut alike: Vec<(String, String, Vec<&str>)> = Vec::new();
    for case in cases.iter().filter(|case| case.judged.is_miss()) {
        let head = format!("{} {}", case.judged.judgement.word(), case.ran.question.case);
        let why = case.ran.answer.unpredicted.as_deref().map(|why| format!("\n  why: {why}")).unwrap_or_default();
        let message =
            case.ran.answer.message.as_deref().map(|message| format!("\n  message: {}", message.replace('\n', " "))).unwrap_or_default();
        let body = format!("  {} {}{message}{why}\n", case.ran.answer.outcome.word(), case.judged.detail);
        match alike.iter_mut().find(|(h, b, _)| *h == head && *b == body) {
            Some((_, _, engines)) => engines.push(&case.ran.engine.engine),
            None => alike.push((head, body, vec![&case.ran.engine.engine])),
        }
    }
    if !alike.is_empty() {
        out.push_str("\nmisses:\n");
    }
    for (head, body, engines) in alike {
        let _ = write!(out, "- {head}: {}\n{body}", engines.join(", "));
    }
}

/// What adapting makes of the inputs that were refused.
fn adapted(out: &mut String, cases: &[&Case]) {
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for remade in cases.iter().filter_map(|case| case.remade.as_ref()) {
        *outcomes.entry(remade.outcome).or_default() += 1;
    }
    if !outcomes.is_empty() {
        let counts: Vec<String> = outcomes.iter().map(|(word, count)| format!("{count} {word}")).collect();
        let _ = writeln!(out, "\nrefused inputs when adapted: {}", counts.join(", "));
    }
    for case in cases {
        for fault in case.remade.iter().flat_map(|remade| &remade.faults) {
            let _ = writeln!(out, "  fault of {}: {fault}", case.ran.id());
        }
    }
}

/// The questions on which a rule fires: where it explains a refusal, where it warns of what has no force, and all others.
fn fires(out: &mut String, rule: &str, cases: &[&Case]) {
    let mut groups: [BTreeSet<&str>; 3] = Default::default();
    for case in cases.iter().filter(|case| case.judged.judgement != Judgement::Unscored) {
        let found: Vec<_> = case.judged.findings.iter().filter(|(_, f)| f.rule.rsplit('/').next() == Some(rule)).collect();
        if found.is_empty() {
            continue;
        }
        let warns = found.iter().any(|(_, f)| f.level == Level::Warning);
        let group = match case.ran.answer.outcome.outcome() {
            Outcome::Rejected if case.judged.rules.iter().any(|r| r == rule) => 0,
            Outcome::SilentlyIgnored if warns => 1,
            _ => 2,
        };
        groups[group].insert(&case.ran.question.case);
    }
    if groups.iter().all(BTreeSet::is_empty) {
        return;
    }
    let _ = writeln!(out, "{rule}");
    for (word, cases) in ["refused", "without force", "else"].iter().zip(&groups).filter(|(_, cases)| !cases.is_empty()) {
        let _ = writeln!(out, "  {word}: {}", cases.iter().copied().collect::<Vec<_>>().join(" "));
    }
}
