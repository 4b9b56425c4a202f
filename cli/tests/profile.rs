//! What is wrong with profile files, as `profile check` tells it.
#![allow(clippy::unwrap_used)]

mod common;

use common::run;

/// The messages, in order, are those that begin with these words.
fn check(text: &str, messages: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.yaml");
    std::fs::write(&path, text).unwrap();
    let got = run(&["profile", "check", path.to_str().unwrap(), "--format", "ndjson"], b"");
    let found: Vec<String> = got.lines().iter().map(|l| l["message"].as_str().unwrap().to_owned()).collect();
    assert_eq!(got.code, i32::from(!messages.is_empty()), "{}{}", got.out, got.err);
    assert!(found.len() == messages.len() && found.iter().zip(messages).all(|(f, m)| f.starts_with(m)), "{text}: {found:?}");
}

#[test]
fn every_mistake_is_told() {
    let binding = |with: &str, source: &str| {
        format!(
            "rules:\n  - {{ rule: keyword-refused, stage: semantic, with: {{ refused: [{with}], worth-noting: [default] }}, sources: [ {{ {source} }} ] }}\n"
        )
    };
    let good = "observed: \"https://example.org/1\", seen: 2026-01-01";
    let mine = "profile: m\ntitle: x\nextends: gemini\n";
    check(&format!("{mine}{}", binding("default", good)), &[]);
    check(&format!("{mine}{}", binding("x-mine", good)), &[]);
    check(&format!("{mine}{}", binding("defualt", good)), &["unknown keyword `defualt`"]);
    check(&format!("{mine}{}", binding("default", "observed: nope, seen: 2026-01-01")), &["`nope` is neither an address"]);
    check(
        &format!("{mine}{}", binding("default", "observed: \"https://example.org\", seen: 2099-01-01")),
        &["2099-01-01 lies in the future"],
    );
    check(&format!("{mine}facts: {{ formats: 5 }}\n"), &["the fact `formats` takes words, not a number"]);
    check(&format!("{mine}switches: {{ model: x }}\n"), &["`model` takes a list of texts, not a text"]);
    check("profile: gemini\ntitle: x\n", &["the profile `gemini` exists already"]);
    check("profile: m\n\ttitle: x\n", &["a tab indents this line"]);
    let several = "{ rule: keyword-refusd, stage: semantik, levl: error, since: 2026-13-40, says: \"(is\", sources: [ { observd: x, seen: 2026-99-01 } ] }";
    check(
        &format!("{mine}rules:\n  - {several}\n"),
        &[
            "unknown field `levl`",
            "unknown field `observd`",
            "unknown rule `keyword-refusd`",
            "`2026-13-40` is not a day",
            "the regular expression does not compile",
            "unknown stage `semantik`",
            "the source does not say of which kind it is",
            "`2026-99-01` is not a day",
        ],
    );
}

#[test]
fn a_built_in_profile_can_be_worked_on() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../providers/gemini/gemini.yaml");
    let got = run(&["profile", "check", file], b"");
    assert_eq!((got.code, got.out.as_str()), (0, "no mistakes\n"), "{}", got.err);
}

/// It would be waited for, for ever.
#[cfg(unix)]
#[test]
fn a_pipe_among_profiles_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.yaml")).status().unwrap();
    assert!(made.success());
    std::fs::write(folder.path().join("mine.yaml"), "profile: mine\ntitle: x\nextends: openai\n").unwrap();
    let listed = run(&["profiles", "--profile-dir", folder.path().to_str().unwrap()], b"");
    assert!(listed.code == 0 && listed.out.contains("\n  mine "), "{}{}", listed.out, listed.err);
}
