//! Profiles of the user's own, and the verbs about data.

mod common;

use std::fs;

use common::{PROFILES, run};
use serde_json::{Value, json};

const SCHEMA: &[u8] = br#"{"type": "string", "format": "date", "const": "x"}"#;

fn rules(args: &[&str]) -> Vec<String> {
    let result = run(&[&["check", "-", "--format", "json"], args].concat(), SCHEMA);
    assert!(result.code < 2, "{args:?}: {}", result.err);
    let report = result.json();
    let findings = report["tools"][0]["findings"].as_array().expect("findings");
    findings.iter().map(|f| format!("{} {}", f["rule"].as_str().unwrap_or_default(), f["level"].as_str().unwrap_or_default())).collect()
}

#[test]
fn dates_and_switches_choose_rules() {
    let constant = "acme/probe-const error";
    assert_eq!(rules(&["-p", "acme", "--as-of", "2026-11-29"]), [constant]);
    assert_eq!(rules(&["-p", "acme", "--as-of", "2026-01-01"]), [constant, "acme/format-ignored warning"]);
    assert_eq!(rules(&["-p", "acme", "--as-of", "2026-11-29", "--set", "model=small"]), [constant, "acme/probe-format error"]);
    for bad in [&["--set", "modle=small"][..], &["--as-of", "29.11.2026"], &["--set", "model"], &["-p", "acmee"], &["--limit", "x=1"]] {
        let result = run(&[&["check", "-", "-p", "acme"], bad].concat(), SCHEMA);
        assert!(result.code == 2 && result.out.is_empty() && !result.err.is_empty(), "{bad:?}");
    }
    assert_eq!(run(&["check", "-"], SCHEMA).code, 2);
}

#[test]
fn levels_choose_the_exit_code() {
    let schema = br#"{"type": "string", "format": "date"}"#;
    for (fail_on, code) in [("error", 0), ("warning", 1), ("style", 1), ("never", 0)] {
        let result = run(&["check", "-", "-p", "acme", "--as-of", "2026-01-01", "--fail-on", fail_on], schema);
        assert_eq!(result.code, code, "{fail_on}");
        assert!(result.out.contains("schema  /format  acme/format-ignored  warning: format"), "{}", result.out);
        assert!(result.out.ends_with("acme as of 2026-01-01: 1 tool, 1 accepted, 0 errors, 1 warning\n"), "{}", result.out);
    }
}

#[test]
fn a_provider_is_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.yaml");
    let text = "profile: mine\ntitle: Mine\nextends: acme\nstages: [ schema ]\nwithout: [ probe-const ]\nrules: []\n";
    fs::write(&path, text).expect("written");
    let path = path.display().to_string();
    assert!(rules(&["-p", &path]).is_empty());
    let twice = format!("{PROFILES}/../profiles/acme.yaml,acme");
    assert_eq!(rules(&["-p", &twice, "--as-of", "2026-11-29"]).len(), 1);
    let both = run(&["check", "-", "--format", "json", "-p", &format!("acme,{path}")], SCHEMA);
    assert_eq!((both.code, &both.json()[0]["profile"], &both.json()[1]["profile"]), (1, &json!("acme"), &json!("mine")));
    let all = run(&["check", "-", "--format", "ndjson", "-p", "all"], SCHEMA);
    assert!(all.lines().len() > 2);

    fs::write(&path, text.replace("probe-const", "probe-konst")).expect("written");
    let bad = run(&["profile", "check", &path, "--profile-dir", PROFILES], b"");
    assert_eq!(bad.code, 1, "{}", bad.err);
    assert!(bad.out.contains("probe-konst") && bad.out.contains("mine.yaml:5:"), "{}", bad.out);
    fs::write(&path, "profile: mine\ntitel: Mine\n").expect("written");
    let bad = run(&["check", "-", "-p", &path], SCHEMA);
    assert!(bad.code == 2 && bad.err.contains("unknown field `titel`") && bad.err.contains("mine.yaml:2:1"), "{}", bad.err);
    let fine = format!("{PROFILES}/acme-loose.yaml");
    assert_eq!(run(&["profile", "check", &fine], b"").code, 0);
}

#[test]
fn data_is_explained() {
    let profiles = run(&["profiles", "--format", "json", "-p", "acme"], b"").json();
    assert_eq!(profiles[0]["profile"], json!("acme"));
    assert_eq!((&profiles[0]["rules"], &profiles[0]["switches"]["model"][1]), (&json!(4), &json!("small")));
    let rules = run(&["rules", "--format", "ndjson", "-p", "acme"], b"");
    assert!(rules.lines().contains(&json!({"rule": "probe-const", "title": "const", "profiles": ["acme"]})));
    let binding = run(&["explain", "acme/probe-const", "--format", "json"], b"").json();
    assert_eq!(
        (&binding["stage"], &binding["sources"][0]["date"], &binding["holds"]),
        (&json!("schema"), &json!("2026-01-02"), &json!("holds"))
    );
    assert_eq!(binding["example"]["with"], json!("acme"));
    assert_eq!(binding["example"]["tools"][0]["after"]["schema"], json!({"enum": ["a"]}));
    assert!(run(&["explain", "probe-const"], b"").out.contains("acme/probe-const  error, stage schema"));
    assert!(run(&["explain", "acme"], b"").out.contains("switch model: large, small"));
    let unknown = run(&["explain", "probe-cosnt"], b"");
    assert!(unknown.code == 2 && unknown.err.contains("did you mean `probe-const`?"), "{}", unknown.err);
}

#[test]
fn tools_stand_against_profiles() {
    let text = br#"[{"name": "a", "inputSchema": {"const": 1}}, {"name": "b", "inputSchema": {"not": {}}}]"#;
    let matrix = run(&["matrix", "-", "-p", "acme,acme-loose", "--format", "json"], text).json();
    assert_eq!(matrix["profiles"], json!(["acme", "acme-loose"]));
    assert_eq!(matrix["tools"][0]["cells"][0], json!({"profile": "acme", "accepted": false, "outcome": "clean", "effect": []}));
    assert_eq!(matrix["tools"][1]["cells"][0]["outcome"], json!("unstrict"));
    assert_eq!(matrix["tools"][1]["cells"][1]["outcome"], json!("unchanged"));
}

#[test]
fn limits_of_the_whole_list_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    let rule = |id: &str, measure: &str, bad: &str| {
        let text = format!(
            "rule: {id}\ntitle: too many\nat: request\nwhen: {{ measure: {{ of: {measure}, over: request, above: 2 }} }}\nwhy: There is a limit.\n\
             rewrite: [ refuse ]\nbad: [ {{ tools: [ {bad} ] }} ]\ngood: [ {{ tools: [] }} ]\n"
        );
        write(&format!("{id}.yaml"), &text);
    };
    rule("probe-tools", "tools", "{ name: a }, { name: b }, { name: c }");
    rule("probe-optional", "optional", "{ name: a, schema: { properties: { a: {}, b: {}, c: {} } } }");
    for (name, head, rule) in [("few", "lenient: acme-loose\n", "probe-tools"), ("small", "", "probe-optional")] {
        let text = format!(
            "profile: {name}\ntitle: Limited\n{head}wire: {{ name: /name, description: /description, schema: /parameters }}\nstages: [ request ]\n\
             rules: [ {{ rule: {rule}, stage: request, sources: [ {{ inferred: nothing, seen: 2026-01-01 }} ] }} ]\n"
        );
        write(&format!("{name}.yaml"), &text);
    }
    let tool = |name: &str, optional: usize| {
        let properties: Vec<String> = (0..optional).map(|i| format!("\"p{i}\": {{}}")).collect();
        format!(r#"{{"name": "{name}", "parameters": {{"type": "object", "properties": {{{}}}}}}}"#, properties.join(", "))
    };
    let folder = folder.path().display().to_string();
    let adapt = |profile: &str, tools: &[String]| {
        let args = ["adapt", "-", "-p", profile, "--profile-dir", &folder, "--as", "tools"];
        let result = run(&args, format!("[{}]", tools.join(", ")).as_bytes());
        let account = result.json();
        let sent = account["tools"].as_array().expect("tools").iter().map(|t| format!("{}:{}", t["name"], t["outcome"]).replace('"', ""));
        (result.code, sent.collect::<Vec<_>>(), account)
    };
    let (code, sent, _) = adapt("few", &[tool("a", 3), tool("b", 1), tool("c", 2), tool("d", 4)]);
    assert_eq!((code, sent), (0, ["a:unstrict", "b:unchanged", "c:unchanged", "d:unstrict"].map(str::to_owned).to_vec()));
    let (code, sent, account) = adapt("small", &[tool("a", 1), tool("b", 3), tool("c", 1)]);
    assert_eq!((code, sent), (1, ["a:unchanged", "c:unchanged"].map(str::to_owned).to_vec()));
    assert_eq!((&account["dropped"][0]["name"], &account["request"]["findings"]), (&json!("b"), &json!([])));
    let (code, sent, account) = adapt("small", &[tool("a", 2), tool("c", 2)]);
    assert_eq!((code, sent.len(), &account["request"]["findings"][0]["rule"]), (1, 2, &json!("small/probe-optional")));
}

#[test]
fn names_that_become_one_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write(
        "probe-name.yaml",
        concat!(
            "rule: probe-name\ntitle: name\nat: tool\nwhen: { text: { of: name, not-matches: \"^[a-z_]{1,16}$\" } }\nwhy: Names are plain.\n",
            "rewrite: [ rename-tool: { allowed: a-z0-9_, first: a-z, max: 20 } ]\n",
            "bad: [ { name: a/b, schema: {} } ]\ngood: [ { name: a_b, schema: {} } ]\n"
        ),
    );
    write(
        "strict-names.yaml",
        concat!(
            "profile: strict-names\ntitle: Plain names\nwire: { name: /name, description: /description, schema: /parameters }\nstages: [ request ]\n",
            "rules: [ { rule: probe-name, stage: request, sources: [ { inferred: nothing, seen: 2026-01-01 } ] } ]\n"
        ),
    );
    let folder = folder.path().display().to_string();
    let adapt = |text: &str| -> Vec<String> {
        let result = run(&["adapt", "-", "-p", "strict-names", "--profile-dir", &folder], text.as_bytes());
        assert_eq!(result.code, 0, "{}", result.err);
        result.json().as_array().expect("tools").iter().map(|t| t["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let one = adapt(r#"[{"name": "a/b", "parameters": {}}, {"name": "a_b", "parameters": {}}, {"name": "a.b", "parameters": {}}]"#);
    assert_eq!(one[1], "a_b");
    assert!(one[0].starts_with("a_b_") && one[2].starts_with("a_b_") && one[0] != one[2] && one[0].len() <= 20, "{one:?}");
    let two = adapt(r#"[{"name": "a.b", "parameters": {}}, {"name": "a/b", "parameters": {}}, {"name": "a_b", "parameters": {}}]"#);
    assert_eq!(two, [one[2].clone(), one[0].clone(), "a_b".to_owned()]);
    assert_eq!(adapt(r#"[{"name": "a/b", "parameters": {}}]"#), ["a_b"]);
    let args = ["check", "-", "-p", "strict-names", "--profile-dir", &folder, "--format", "json"];
    let span = &run(&args, br#"[{"parameters": {}, "name": "a/b"}]"#).json()["tools"][0]["findings"][0]["span"];
    assert_eq!((&span["start"], &span["end"]), (&json!(28), &json!(33)));
}

#[test]
fn equal_schemas_have_equal_hashes() {
    let hash = |text: &str| run(&["hash", "-", "--format", "json"], text.as_bytes()).json();
    let one = hash(r#"{"type": "object", "required": ["b", "a"], "minimum": 1.0}"#);
    assert_eq!(one, hash(r#"{"minimum": 1, "required": ["a", "b"], "type": "object"}"#));
    assert_eq!(one["algorithm"], json!("sha256"));
    let canonical = run(&["canonical", "-"], br#"{"b": {"type": "string"}, "type": "object", "enum": [2, 1.50]}"#);
    assert_eq!(canonical.out, "{\"b\":{\"type\":\"string\"},\"enum\":[2,1.5],\"type\":\"object\"}\n");
}

#[test]
fn hashes_are_of_schemas_tools_or_the_list() {
    let one = r#"{"name": "a", "description": "d", "inputSchema": {"const": "é", "minimum": 1.0}}"#;
    let two = format!(r#"[{one}, {{"name": "b", "inputSchema": {{}}}}]"#);
    let canonical = |arguments: &[&str]| run(&[&["canonical", "-"], arguments].concat(), two.as_bytes()).out;
    assert_eq!(canonical(&[]), "[{\"const\":\"é\",\"minimum\":1},{}]\n");
    assert_eq!(canonical(&["--form", "ascii"]), "[{\"const\":\"\\u00e9\",\"minimum\":1.0},{}]\n");
    let tools = "[{\"description\":\"d\",\"name\":\"a\",\"schema\":{\"const\":\"é\",\"minimum\":1}},{\"name\":\"b\",\"schema\":{}}]\n";
    assert_eq!(canonical(&["--of", "tool"]), tools);
    assert_eq!(canonical(&["--of", "list"]), tools);
    let hash = |of: &str| run(&["hash", "-", "--of", of], two.as_bytes()).out;
    assert_eq!(hash("schema").lines().count(), 2);
    assert_eq!(hash("tool").lines().count(), 2);
    assert_eq!(hash("list").lines().count(), 1);
    assert!(hash("list").starts_with("sha256:"));
    // The hash that Python computes of the same schema.
    let python = run(&["hash", "-", "--form", "ascii", "--input", "schema"], r#"{"enum": ["é"]}"#.as_bytes()).out;
    assert_eq!(python, "sha256:6ce66d6900575d0020d6524bdb0ccb1204ac3798fe0d2d9f5d253873aa60d060\n");
}

#[test]
fn the_examples_fit_every_profile() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/tools.json");
    let result = run(&["matrix", path, "--format", "json"], b"");
    assert_eq!(result.code, 0, "{}", result.err);
    for tool in result.json()["tools"].as_array().expect("tools") {
        for cell in tool["cells"].as_array().expect("cells") {
            assert!(cell["outcome"] != json!("dropped") && cell["outcome"] != json!("residue"), "{} {cell}", tool["name"]);
        }
    }
}

#[test]
fn the_readme_shows_what_is_printed() {
    let readme = include_str!("../../README.md");
    let (path, start) = (concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/tools.json"), "```\nset_labels: ");
    let shown = readme.split_once(start).and_then(|(_, rest)| rest.split_once("```\n")).map(|(shown, _)| shown).expect("an audit");
    let result = run(&["adapt", path, "-p", "openai-strict", "--audit", "--as-of", "2026-11-29", "--format", "json"], b"");
    assert!(result.err.contains(&format!("\nset_labels: {shown}")), "{}", result.err);
    let tools = result.json();
    let sent = tools.as_array().expect("tools").iter().find(|t| t["function"]["name"] == "set_labels").expect("sent");
    let given: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("the examples")).expect("JSON");
    let given = given["tools"].as_array().or(given.as_array()).expect("tools").iter().find(|t| t["name"] == "set_labels").expect("given");
    let blocks: Vec<Value> = readme
        .split("```json\n")
        .filter_map(|b| b.split_once("\n```"))
        .filter(|(b, _)| b.contains("set_labels"))
        .map(|(b, _)| serde_json::from_str(b).expect("JSON"))
        .collect();
    assert_eq!(blocks.iter().collect::<Vec<_>>(), [given, sent]);
}

/// The commands of the README, without comments, with the files of the folder that it names.
fn commands() -> Vec<Vec<String>> {
    let readme = include_str!("../../README.md");
    let (_, block) = readme.split_once("these run as they stand:\n\n```sh\n").expect("commands");
    let (block, _) = block.split_once("```").expect("an end");
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/");
    let word = |word: &str| match word.ends_with(".json") || word.ends_with(".txt") {
        true => format!("{examples}{word}"),
        false => word.replace("../providers/*/*", concat!(env!("CARGO_MANIFEST_DIR"), "/../providers/openai/openai")),
    };
    let line = |line: &str| line.split('#').next().unwrap_or_default().split_whitespace().skip(1).map(word).collect();
    block.lines().map(line).collect()
}

#[test]
fn the_commands_of_the_readme_run() {
    let commands = commands();
    assert!(commands.len() >= 10);
    for command in commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let result = run(&words, b"");
        assert!(result.code < 2 && !result.out.is_empty(), "{command:?}: {}", result.err);
    }
    let readme = include_str!("../../README.md");
    let (_, shown) = readme.split_once("$ schemalect diagnose error.txt --tools tools.json\n").expect("a diagnosis");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/");
    let told = run(&["diagnose", &format!("{folder}error.txt"), "--tools", &format!("{folder}tools.json")], b"");
    assert_eq!(shown.split_once("```").map(|(shown, _)| shown), Some(told.out.as_str()));
}

#[test]
fn a_catalog_fits_its_budget() {
    let tools = include_bytes!("../../examples/tools.json");
    let done = run(&["catalog", "-", "--budget", "200"], tools);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.chars().count() <= 200 && done.out.ends_with("tools left out.\n"), "{}", done.out);
    let whole = run(&["catalog", "-"], tools);
    assert!(whole.out.starts_with("Groups: boards (1 tool)\n- list_boards: "), "{}", whole.out);
}
