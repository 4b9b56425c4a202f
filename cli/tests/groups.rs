//! Many profiles at once: groups, and what is told of them in text.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::run;
use serde_json::{Value, json};

const TOOLS: &[u8] = br#"[{"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "array"}, "y": {"const": 1}}}},
    {"name": "b", "inputSchema": {"type": "object", "properties": {"z": {"type": "string"}}}}]"#;

fn names(args: &[&str]) -> BTreeSet<String> {
    let result = run(args, TOOLS);
    assert!(result.code < 2, "{args:?}: {}", result.err);
    let json = result.json();
    let name = |entry: &Value| entry["profile"].as_str().expect("a name").to_owned();
    json.as_array().expect("a list").iter().map(name).collect()
}

fn names_of_group(group: &str) -> BTreeSet<String> {
    names(&["profiles", "-p", &format!("group:{group}"), "--format", "json"])
}

#[test]
fn a_group_is_a_folder() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../providers/gemini");
    let files: BTreeSet<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| Path::new(&entry.expect("an entry").file_name()).file_stem().expect("a name").to_string_lossy().into_owned())
        .filter(|name| name != "group")
        .collect();
    assert_eq!(names_of_group("gemini"), files);
    assert_eq!(names_of_group("own"), ["acme", "acme-loose"].map(str::to_owned).into());
    assert_eq!(names(&["check", "-", "-p", "group:gemini,acme", "--format", "json"]).len(), files.len() + 1);
    let unknown = run(&["check", "-", "-p", "group:gemeni"], TOOLS);
    assert!(unknown.code == 2 && unknown.err.contains("did you mean `gemini`?"), "{}", unknown.err);
    let text = run(&["profiles"], b"").out;
    assert!(text.contains("\ngemini: Gemini and Vertex AI\n  gemini") && text.contains("\nown: Profiles of your own\n  acme"), "{text}");
}

#[test]
fn what_stands_apart_is_named_or_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("group.yaml", "group: habits\ntitle: Habits of a library\napart: true\n");
    write("habit.yaml", "profile: habit\ntitle: A habit\nextends: acme\n");
    let folder = folder.path().display().to_string();
    let asked = |profiles: &str| names(&["check", "-", "-p", profiles, "--profile-dir", &folder, "--format", "json"]);
    let all = asked("all");
    assert!(all.contains("acme") && all.contains("openai") && !all.contains("habit"));
    assert!(asked("all,habit").contains("habit"));
    assert_eq!(asked("acme,group:habits"), ["acme", "habit"].map(str::to_owned).into());
    let matrix = run(&["matrix", "-", "--profile-dir", &folder, "--format", "json"], TOOLS).json();
    assert!(!matrix["profiles"].as_array().expect("names").contains(&json!("habit")));
    let listed = run(&["profiles", "--profile-dir", &folder], b"").out;
    assert!(listed.contains("habits: Habits of a library; not among `all`\n  habit "), "{listed}");
}

/// The lines of a table, each as its words, after the line that begins like this.
fn table<'t>(text: &'t str, head: &str) -> Vec<Vec<&'t str>> {
    text.lines().skip_while(|line| !line.starts_with(head)).skip(1).map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn many_profiles_are_told_by_group_the_worst_first() {
    let all = run(&["check", "-", "-p", "all", "--as-of", "2026-11-29"], TOOLS);
    let json = run(&["check", "-", "-p", "all", "--as-of", "2026-11-29", "--format", "json"], TOOLS);
    assert_eq!((all.code, json.code), (1, 1));
    let reports = json.json();
    let reports = reports.as_array().expect("reports");
    assert!(all.out.lines().count() < reports.len(), "{}", all.out);
    assert!(all.out.contains(&format!("2 tools by {} profiles as of 2026-11-29, worst first:\n", reports.len())), "{}", all.out);
    let lines = table(&all.out, "group ");
    let bad = |line: &[&str]| {
        let at = line.iter().position(|word| *word == "of").expect("so many of so many");
        let number = |at: usize| line[at].parse::<i64>().expect("a number");
        (number(at - 1), -number(at + 2), -number(at + 3))
    };
    let first_of_groups: Vec<_> = lines.iter().filter(|line| line[1].parse::<i64>().is_ok() && line[2] == "of").map(|l| bad(l)).collect();
    assert!(first_of_groups.is_sorted() && first_of_groups.len() > 10, "{first_of_groups:?}");
    let worst = reports.iter().map(|r| {
        let n = |name: &str| r["summary"][name].as_i64().expect("a number");
        (n("accepted"), -n("errors"), -n("warnings"))
    });
    assert_eq!(worst.min(), first_of_groups.first().copied());
    // `mainstream` gathers what others refuse, so it always finds most.
    let worst = all.out.lines().next().and_then(|line| line.strip_suffix(", the worst:")).unwrap_or_default();
    assert!(!worst.is_empty() && !["mainstream", "portable"].contains(&worst), "{}", all.out);
    let quiet = run(&["check", "-", "-p", "all", "--as-of", "2026-11-29", "--quiet"], TOOLS);
    assert!(quiet.out.starts_with("2 tools by "), "{}", quiet.out);

    // No more than a screen of them: each finding by itself.
    let few = run(&["check", "-", "-p", "acme,openai,gemini"], TOOLS);
    assert!(few.out.contains("\nopenai as of ") && few.out.contains("gemini/array-without-items"), "{}", few.out);
}

#[test]
fn a_matrix_of_many_profiles_has_a_line_where_they_say_the_same() {
    let matrix = run(&["matrix", "-", "--as-of", "2026-11-29"], TOOLS);
    let profiles = run(&["matrix", "-", "--as-of", "2026-11-29", "--format", "json"], TOOLS).json();
    let profiles = profiles["profiles"].as_array().expect("names").len();
    assert_eq!(matrix.code, 0, "{}", matrix.err);
    assert!(matrix.out.lines().count() < profiles, "{}", matrix.out);
    assert!(matrix.out.lines().any(|line| line.starts_with("mcp ") && line.contains("ok") && line.ends_with("mcp")), "{}", matrix.out);
    let many: Vec<Value> = (0..9)
        .map(|i| json!({"name": format!("t{i}"), "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}}))
        .collect();
    let matrix = run(&["matrix", "-", "--as-of", "2026-11-29"], json!(many).to_string().as_bytes());
    assert!(matrix.out.lines().any(|line| line.starts_with("mcp ") && line.contains("9 ok")), "{}", matrix.out);
    let few = run(&["matrix", "-", "-p", "acme,acme-loose"], TOOLS);
    assert!(few.out.contains("columns: acme, acme-loose"), "{}", few.out);
}
