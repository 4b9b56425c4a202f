//! The committed account of all verdicts, and what the data must be for it to be honest.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::{env, fs};

use schemalect::Profiles;
use schemalect_conformance::judge::Judge;
use schemalect_conformance::judgement::Judgement;
use schemalect_conformance::suite::{self, Case};
use schemalect_conformance::{evidence, executed, intervals, pages, verdict};

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let verdicts = verdict::load(&verdict::folder()).unwrap().into_iter().flat_map(|(_, verdicts)| verdicts).collect();
    suite::judge(&Judge::new(profiles().rule_library(), None), verdicts).unwrap()
});

static RAN: LazyLock<Vec<executed::Case>> =
    LazyLock::new(|| executed::judge(&Judge::new(profiles().rule_library(), None), executed::load().unwrap()).unwrap());

fn profiles() -> &'static Profiles {
    static PROFILES: LazyLock<Profiles> = LazyLock::new(|| Profiles::builtin().unwrap());
    &PROFILES
}

#[test]
fn pages_are_as_committed() {
    let pages = pages::all(profiles().rule_library(), &CASES, &RAN);
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (path, page) in &pages {
        let (profile, name) = path.split_once('/').unwrap();
        settings.set_snapshot_path(pages::folder().join(profile));
        settings.bind(|| insta::assert_snapshot!(name, page));
    }
    let blessed = env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always");
    let mut stale = Vec::new();
    for folder in fs::read_dir(pages::folder()).unwrap().map(|entry| entry.unwrap().path()) {
        for file in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = format!("{}/{}", folder.file_name().unwrap().display(), file.file_stem().unwrap().display());
            if !pages.contains_key(&name) {
                stale.push(name);
                if blessed {
                    fs::remove_file(file).unwrap();
                }
            }
        }
    }
    assert!(blessed || stale.is_empty(), "nothing exercises these any more: {stale:?}");
}

#[test]
fn what_adapting_makes_of_refused_inputs_holds() {
    for case in CASES.iter() {
        let faults = case.remade.as_ref().map(|remade| remade.faults.as_slice()).unwrap_or_default();
        assert_eq!(faults, <&[String]>::default(), "{}", case.verdict.id);
    }
}

/// A binding is pinned by a verdict or says why none pins it; not both.
#[test]
fn bindings_are_pinned_or_say_why_not() {
    let faults: Vec<String> = evidence::of(profiles().rule_library(), &CASES, &RAN)
        .into_iter()
        .filter_map(|evidence| {
            let name = format!("{}/{}", evidence.profile, evidence.binding.id);
            match (evidence.is_pinned(), &evidence.binding.unpinned) {
                (false, None) => Some(format!("{name}: no verdict pins it; write `unpinned: documented` or `unpinned: inferred`")),
                (true, Some(_)) => {
                    let executed = evidence.ran.iter().filter(|(_, _, itself)| *itself).map(|(engine, case, _)| format!("{engine}:{case}"));
                    let ids: Vec<String> = evidence.pins.iter().map(|(id, _)| id.clone()).chain(executed).take(1).collect();
                    Some(format!("{name}: `unpinned`, but {} pins it", ids.join("")))
                }
                _ => None,
            }
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A prediction that falls short is explained where the verdict stands, and no other is.
#[test]
fn misses_are_explained() {
    for case in CASES.iter().filter(|case| case.judged.judgement != Judgement::Unscored) {
        let (miss, why) = (case.judged.is_miss(), &case.verdict.unpredicted);
        assert_eq!(miss, why.is_some(), "{}: `unpredicted` says {why:?}, judged {}", case.verdict.id, case.judged.judgement.word());
    }
}

/// The same of what engines and SDKs answered, and adapting holds for the engines that profiles describe.
#[test]
fn executed_answers_are_predicted_or_explained() {
    let mut faults = Vec::new();
    for case in RAN.iter().filter(|case| case.judged.judgement != Judgement::Unscored) {
        let (miss, why) = (case.judged.is_miss(), &case.ran.answer.unpredicted);
        if miss != why.is_some() {
            faults.push(format!("{}: `unpredicted` says {why:?}, judged {}", case.ran.id(), case.judged.judgement.word()));
        }
        faults.extend(case.remade.iter().flat_map(|remade| &remade.faults).map(|fault| format!("{}: {fault}", case.ran.id())));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Of what an engine answers that a profile describes, at least 97 of 100 is predicted.
#[test]
fn engines_are_predicted() {
    let described = |engine: &str| RAN.iter().any(|case| case.ran.engine.itself && case.ran.engine.engine == engine);
    let short: Vec<String> = executed::rows(&RAN)
        .into_iter()
        .filter(|row| described(&row.engine))
        .filter(|row| row.predicted().1 * 100 < row.predicted().0 * 97)
        .map(|row| format!("{}: {} of {}", row.engine, row.predicted().1, row.predicted().0))
        .collect();
    assert!(short.is_empty(), "{}", short.join("\n"));
}

/// The rule that a verdict names is one that explains it, or the verdict is a known miss.
#[test]
fn recorded_rules_explain_their_verdicts() {
    let mut faults = BTreeSet::new();
    for case in CASES.iter().filter(|case| matches!(case.judged.judgement, Judgement::Hit | Judgement::Caught)) {
        match &case.verdict.rule {
            Some(rule) if case.judged.rules.contains(rule) => {}
            Some(rule) => drop(faults.insert(format!("{}: `{rule}` does not explain it, {:?} do", case.verdict.id, case.judged.rules))),
            None => drop(faults.insert(format!("{}: no rule is named; {:?} explain it", case.verdict.id, case.judged.rules))),
        }
    }
    assert!(faults.is_empty(), "{}", Vec::from_iter(faults).join("\n"));
}

/// The dates of a binding are those that the verdicts tell, or lie between them with a source. What is derived from other profiles has theirs.
#[test]
fn dates_agree_with_the_verdicts() {
    let library = profiles().rule_library();
    let infos: Vec<_> = library.profiles().collect();
    let derived: Vec<&str> = infos.iter().filter(|info| !info.meets.is_empty()).filter_map(|info| info.extends.as_deref()).collect();
    assert_eq!(derived, ["mainstream"]);
    let dated = intervals::of(library, &CASES).unwrap();
    let faults: Vec<String> = dated.iter().filter(|d| !derived.contains(&d.profile.as_str())).flat_map(intervals::Dated::faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
