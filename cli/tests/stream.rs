//! One document a line: one answer a line, in order, whatever the number of threads.

mod common;

use std::process::{Command, Stdio};

use common::run;
use serde_json::json;

fn lines(count: usize) -> String {
    let line = |i: usize| match i % 3 {
        0 => format!("{{\"name\": \"t{i}\", \"inputSchema\": {{\"type\": \"object\", \"properties\": {{\"é\": {{\"const\": {i}}}}}}}}}\n"),
        1 => format!("{{\"tools\": [{{\"name\": \"t{i}\", \"input_schema\": {{}}}}]}}\n"),
        _ => "{\"type\": \"object\"}\r\n\n".to_owned(),
    };
    (0..count).map(line).collect()
}

#[test]
fn answers_stand_in_order() {
    let text = lines(2000);
    let one = run(&["check", "-", "-p", "acme", "--format", "json", "--jobs", "1"], text.as_bytes());
    let two = run(&["check", "-", "-p", "acme", "--format", "json", "--jobs", "2"], text.as_bytes());
    assert!(one.code == 1 && one.out == two.out);
    let answers = one.lines();
    assert_eq!(answers.len(), 2000);
    for (i, answer) in answers.iter().enumerate().filter(|(i, _)| i % 3 < 2) {
        assert_eq!(answer["tools"][0]["name"], json!(format!("t{i}")));
    }
    let span = &answers[3]["tools"][0]["findings"][0]["span"];
    let start = usize::try_from(span["start"].as_u64().expect("placed")).expect("small");
    assert_eq!((&span["line"], &text[start..=start]), (&json!(5), "3"));
    let before = text[..start].chars().rev().take_while(|&c| c != '\n').count();
    assert_eq!(span["column"], json!(before + 1));
}

#[test]
fn every_line_is_adapted_for_itself() {
    let text = lines(9) + "{\"name\": \"no\", \"parameters\": {\"not\": {}}}\n";
    let result = run(&["adapt", "-", "-p", "acme", "--on-unfixable", "drop"], text.as_bytes());
    assert_eq!(result.code, 1);
    let answers = result.lines();
    assert_eq!(answers.len(), 10);
    assert_eq!(answers[0]["function"]["parameters"]["properties"]["é"], json!({"enum": [0]}));
    assert_eq!(answers[1][0]["function"]["name"], json!("t1"));
    assert_eq!(answers[9]["error"]["line"], json!(13));
    assert!(answers[9]["error"]["message"].as_str().is_some_and(|m| m.starts_with("left out: no: acme/")), "{}", answers[9]);
    assert!(result.err.contains("<stdin>:13: left out: no"), "{}", result.err);
    let failed = run(&["adapt", "-", "-p", "acme", "--on-unfixable", "error"], text.as_bytes());
    assert_eq!((failed.code, failed.lines()[9]["error"]["line"].clone()), (1, json!(13)));
    for format in ["text", "json", "ndjson"] {
        for choice in ["drop", "error"] {
            let one = run(
                &["adapt", "-", "-p", "acme", "--format", format, "--on-unfixable", choice],
                br#"{"name": "no", "parameters": {"not": {}}}"#,
            );
            assert_eq!((one.code, one.out.as_str(), one.err.contains("no: acme/")), (1, "", true), "{}", one.err);
        }
    }
}

#[test]
fn a_bad_line_keeps_its_place() {
    let text = "{\"type\": \"object\"}\n{\"type\": \n{\"const\": 1}\n";
    let result = run(&["check", "-", "-p", "acme", "--format", "json"], text.as_bytes());
    assert_eq!(result.code, 2);
    let answers = result.lines();
    assert_eq!(answers.len(), 3);
    assert_eq!((&answers[1]["error"]["line"], &answers[2]["tools"][0]["accepted"]), (&json!(2), &json!(false)));
    assert!(result.err.contains("<stdin>:2:"), "{}", result.err);
    let first = run(&["check", "-", "-p", "acme", "--format", "json", "--input", "ndjson"], b"{\n{}\n");
    assert_eq!((first.code, first.lines().len()), (2, 2));
}

#[test]
fn files_go_beside_the_answers() {
    let folder = tempfile::tempdir().expect("a folder");
    let (audit, plan) = (folder.path().join("audit.ndjson"), folder.path().join("plan.ndjson"));
    let (audit_arg, plan_arg) = (audit.display().to_string(), plan.display().to_string());
    let args = ["adapt", "-", "-p", "acme", "--audit", &audit_arg, "--plan", &plan_arg];
    let result = run(&args, lines(6).as_bytes());
    assert_eq!((result.code, result.err.as_str()), (0, ""));
    let read = |path| std::fs::read_to_string(path).expect("written");
    let events: Vec<serde_json::Value> = read(&audit).lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    assert_eq!(events.len(), 2);
    assert_eq!(
        (&events[1]["name"], &events[1]["operation"], &events[1]["input"]),
        (&json!("t3"), &json!("listify"), &json!("/properties/é"))
    );
    assert_eq!(read(&plan).lines().count(), 6);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_schemalect"))
        .args(["profiles", "--profile-dir", common::PROFILES])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
