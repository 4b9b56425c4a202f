//! Writes inputs to start from: `seed OUT [NDJSON]…`, a folder below OUT for each target, of what the repository has and of files of tools.

use std::path::Path;
use std::{env, fs, io};

use schemalect::{AdaptOptions, Profiles, ReadOptions, Selection, read};
use schemalect_fuzz::{DAY, TARGETS};
use serde_json::{Value, json};

/// Of a file of tools so many at most, spread over it.
const MOST_OF_A_FILE: usize = 400;
/// Inputs that are longer cost more than they tell.
const LONGEST: usize = 8_000;

fn main() -> io::Result<()> {
    let mut words = env::args().skip(1);
    let out = words.next().ok_or_else(|| io::Error::other("usage: seed OUT [NDJSON]…"))?;
    let mut seeds = Seeds { out, count: 0, names: names() };
    for (target, _) in TARGETS {
        fs::create_dir_all(Path::new(&seeds.out).join(target))?;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let profiles = Profiles::builtin().map_err(io::Error::other)?;
    for rule in profiles.rule_library().rules() {
        for example in rule.bad.iter().chain(&rule.good) {
            for tree in example.tools.iter().filter_map(|tool| tool.tree()) {
                seeds.tool(&json!({"name": "t", "inputSchema": tree.to_value(tree.root())}))?;
            }
        }
    }
    for folder in ["cli/tests/profiles", "rules/tests/base", "rules/tests/errors", "rules/shared", "providers/gemini", "providers/ollama"] {
        for path in fs::read_dir(root.join(folder))?.map(|e| e.map(|e| e.path())) {
            if let Some(text) = fs::read_to_string(path?).ok().filter(|t| t.len() < LONGEST) {
                seeds.write("profile", &text)?;
            }
        }
    }
    for case in values(&root.join("providers/tests/restore.jsonl"))? {
        for profile in case["profiles"].as_str().unwrap_or_default().split(' ') {
            seeds.write("restore", &format!("{profile} types\n\n{}\n\n{}", case["schema"], case["model"]))?;
            seeds.write("restore", &format!("{profile}\n\n{}\n\n{}", case["schema"], case["tool"]))?;
        }
    }
    for entry in fs::read_dir(root.join("conformance/verdicts"))? {
        for verdict in values(&entry?.path())?.into_iter().take(60) {
            if let Some(message) = verdict["message"].as_str() {
                let tools = json!([{"name": "t", "inputSchema": verdict["input"]}]);
                seeds.write("diagnose", &format!("{tools}\n\n{message}"))?;
            }
        }
    }
    for file in words {
        let tools = values(Path::new(&file))?;
        for tool in tools.iter().step_by(tools.len() / MOST_OF_A_FILE + 1) {
            seeds.tool(tool)?;
        }
    }
    println!("{} seeds", seeds.count);
    Ok(())
}

struct Seeds {
    out: String,
    count: usize,
    names: Vec<String>,
}

impl Seeds {
    fn write(&mut self, target: &str, text: &str) -> io::Result<()> {
        if text.len() < LONGEST {
            self.count += 1;
            fs::write(Path::new(&self.out).join(target).join(format!("seed{}", self.count)), text)?;
        }
        Ok(())
    }

    /// A tool for all targets that take one, each time for another profile.
    fn tool(&mut self, tool: &Value) -> io::Result<()> {
        let found = ["inputSchema", "parameters", "schema", "input_schema"].iter().find_map(|key| tool.get(key));
        let schema = found.unwrap_or(tool).to_string();
        let name = self.names[self.count % self.names.len()].clone();
        self.write("parse", &schema)?;
        self.write("tools", &tool.to_string())?;
        self.write("check", &format!("{name}\n\n{schema}"))?;
        self.write("adapt", &format!("{name} audit types\n\n{schema}"))?;
        self.write("restore", &format!("{name} types\n\n{schema}\n\n{{\"a\": 1}}"))?;
        if let Some(plan) = plan(&name, tool) {
            self.write("plan", &format!("{plan}\n\n{{\"a\": 1}}"))?;
        }
        Ok(())
    }
}

fn plan(profile: &str, tool: &Value) -> Option<Value> {
    let profiles = Profiles::builtin().ok()?;
    let surface = profiles.resolve(profile, &Selection::on(DAY.parse().ok()?)).ok()?;
    let list = read(tool.to_string().as_bytes(), &ReadOptions::default()).ok()?;
    let adapted = surface.adapt(&list, &AdaptOptions { types: true, jobs: 1, ..AdaptOptions::default() }).ok()?;
    adapted.tools.first()?.plan.as_ref().map(|plan| plan.to_json())
}

fn names() -> Vec<String> {
    let profiles = Profiles::builtin();
    profiles.map(|p| p.rule_library().profile_names().map(str::to_owned).collect()).unwrap_or_default()
}

fn values(path: &Path) -> io::Result<Vec<Value>> {
    Ok(fs::read_to_string(path)?.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}
