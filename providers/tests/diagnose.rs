//! Error texts and what is told of them: one case a line of `diagnose/cases.jsonl`, over the tools of `diagnose/tools.json` where it has none of its own.
#![allow(missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use schemalect::{Profiles, ReadOptions, Selection, read};
use serde_json::{Value, json};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnose").join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(file(name)).expect(name)
}

#[test]
fn error_texts() {
    let profiles = Profiles::builtin().and_then(|p| p.with_file(file("gateway.yml"))).expect("the profiles load");
    let tools: Value = serde_json::from_str(&text("tools.json")).expect("JSON");
    let wrong: Vec<String> = text("cases.jsonl").lines().filter_map(|line| check(&profiles, &tools, line).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(profiles: &Profiles, tools: &Value, line: &str) -> Result<(), String> {
    let case: Value = serde_json::from_str(line).expect(line);
    let tools = Some(&case["tools"]).filter(|t| !t.is_null()).unwrap_or(tools);
    let names: Vec<String> = serde_json::from_value(case.get("profiles").cloned().unwrap_or_else(|| json!([]))).expect("names");
    let selection = Selection::on("2026-11-29".parse().expect("a day"));
    let list = read(tools.to_string().as_bytes(), &ReadOptions::default()).expect("tools");
    let diagnoser = profiles.diagnoser(&names, &selection).expect("profiles");
    let found = diagnoser.diagnose(case["error"].as_str().unwrap_or_default(), &[&list]).expect("no profile is wrong");
    let got: Vec<Value> =
        found.iter().map(|m| json!([m.rule, m.tool.as_ref().and_then(|t| t.name.as_ref()), m.path, m.confidence.word()])).collect();
    assert!(found.iter().all(|m| !m.advice.is_empty() && m.rule.starts_with(&m.profile)), "{line}");
    match case["matches"] == json!(got) {
        true => Ok(()),
        false => Err(format!("{}:\n  wanted {}\n  got    {}", case["what"], case["matches"], json!(got))),
    }
}

#[test]
fn unknown_profiles_are_told() {
    let profiles = Profiles::builtin().expect("the built-in profiles load");
    let selection = Selection::on("2026-11-29".parse().expect("a day"));
    let error = profiles.diagnoser(&["geminy".to_owned()], &selection).expect_err("it is unknown");
    assert!(error.to_string().contains("did you mean `gemini`?"), "{error}");
}
