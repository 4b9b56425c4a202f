//! The profiles of `docs/own-profiles.md`, loaded and run: what is given, and what is sent.
#![allow(missing_docs)]

use std::fs;

use schemalect::{AdaptOptions, Profiles, ReadOptions, Selection, read};
use serde_json::Value;

const PAGE: &str = include_str!("../../docs/own-profiles.md");

/// The blocks of the page that are fenced with this word.
fn blocks(word: &str) -> Vec<&'static str> {
    let fence = format!("```{word}\n");
    PAGE.split(fence.as_str()).skip(1).filter_map(|rest| rest.split_once("\n```")).map(|(block, _)| block).collect()
}

#[test]
fn the_page_is_true() {
    let (yaml, json) = (blocks("yaml"), blocks("json"));
    assert!(yaml.len() >= 5 && json.len() == 2 * yaml.len());
    let selection = Selection::on("2026-11-29".parse().expect("a day"));
    for (text, pair) in yaml.iter().zip(json.chunks(2)) {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("own.yaml"), text).expect("written");
        let profiles = Profiles::builtin().and_then(|p| p.with_dir(folder.path())).unwrap_or_else(|e| panic!("{}", e.render()));
        let name = text.lines().find_map(|line| line.strip_prefix("profile: ")).expect("a name");
        let mistakes = profiles.rule_library().check(name);
        assert!(mistakes.is_empty(), "{name}: {}", mistakes[0].render());
        let surface = profiles.resolve(name, &selection).unwrap_or_else(|e| panic!("{}", e.render()));
        let given = read(pair[0].as_bytes(), &ReadOptions::default()).expect("tools");
        let adapted = surface.adapt(&given, &AdaptOptions::default()).expect("they are adapted");
        let sent: Value = serde_json::from_str(&format!("[{}]", adapted.wire(&surface).join(","))).expect("JSON");
        let shown: Value = serde_json::from_str(pair[1]).expect("JSON");
        assert_eq!(sent, shown, "{name}");
        // What is sent changes what is given, so the knob does something, and the profile takes it.
        assert_ne!(surface.check(&given, 1).count(schemalect::Level::Error), 0, "{name} finds nothing in what is given");
    }
}

/// The words of a gateway lead to the tool and the place.
#[test]
fn a_gateway_is_understood() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("own.yaml"), blocks("yaml")[0]).expect("written");
    let profiles = Profiles::builtin().and_then(|p| p.with_dir(folder.path())).expect("it loads");
    let tools = read(blocks("json")[0].as_bytes(), &ReadOptions::default()).expect("tools");
    let selection = Selection::on("2026-11-29".parse().expect("a day"));
    let reader = profiles.diagnoser(&["acme-gateway".to_owned()], &selection).expect("it is known");
    let matches = reader.diagnose("unexpected member '$schema' at $.$schema", &[&tools]).expect("it is read");
    let found: Vec<_> = matches.iter().map(|m| (m.rule.as_str(), m.path.as_deref())).collect();
    assert_eq!(found, [("acme-gateway/dialect-refused", Some("/$schema"))]);
}
