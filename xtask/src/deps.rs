//! `cargo xtask deps`: what the crates depend on, held against the licences and sources that are allowed, and told in `docs/dependencies.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::data;

/// The crates that users add to their own; the rest are tools of this workspace.
const LIBRARIES: [(&str, &str); 3] = [
    ("schemalect-engine", "the document tree, the predicates and operations"),
    ("schemalect-rules", "reads rule and profile files"),
    ("schemalect", "the crate to add: profiles, tool lists, calls"),
];
/// Licences under which a dependency may be used, as `deny.toml` lists them.
const ALLOWED: [&str; 12] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];
const DENY: &str = "deny.toml";
const PAGE: &str = "docs/dependencies.md";

/// Runs the chore; with `--check`, false where a file is not as it is committed.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let check = match words {
        [] => false,
        [word] if word == "--check" => true,
        _ => bail!("cargo xtask deps [--check]"),
    };
    let graph = Graph::read()?;
    let faults = graph.faults();
    faults.iter().for_each(|fault| println!("{fault}"));
    let mut fine = faults.is_empty();
    for (path, text) in [(DENY, deny()), (PAGE, graph.page())] {
        let file = data::root().join(path);
        let stale = std::fs::read_to_string(&file).ok().as_deref() != Some(&text);
        if stale && check {
            println!("{path} is not as it would be written; `cargo xtask deps` writes it");
            fine = false;
        } else if stale {
            std::fs::write(&file, text).with_context(|| path.to_owned())?;
        }
    }
    println!("deps: {} packages, {} faults", graph.packages.len(), faults.len());
    Ok(fine)
}

struct Package {
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
    /// What it is built with, by package id; neither tests nor build scripts.
    uses: Vec<String>,
}

/// What `cargo metadata` says.
struct Graph {
    packages: BTreeMap<String, Package>,
}

impl Graph {
    fn read() -> Result<Graph> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let out = Command::new(cargo).args(["metadata", "--format-version", "1", "--locked"]).current_dir(data::root()).output()?;
        ensure!(out.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&out.stderr));
        let meta: Value = serde_json::from_slice(&out.stdout)?;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let normal = |dep: &Value| list(&dep["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for node in list(&meta["resolve"]["nodes"]) {
            let deps = list(&node["deps"]).iter().filter(|dep| normal(dep)).filter_map(|dep| text(&dep["pkg"])).collect();
            uses.insert(text(&node["id"]).unwrap_or_default(), deps);
        }
        let mut packages = BTreeMap::new();
        for package in list(&meta["packages"]) {
            let id = text(&package["id"]).context("a package without id")?;
            let uses = uses.remove(&id).unwrap_or_default();
            let name = text(&package["name"]).unwrap_or_default();
            let version = text(&package["version"]).unwrap_or_default();
            packages.insert(id, Package { name, version, license: text(&package["license"]), source: text(&package["source"]), uses });
        }
        Ok(Graph { packages })
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for package in self.packages.values() {
            let Package { name, version, license, source, .. } = package;
            if let Some(source) = source.as_ref().filter(|s| !s.starts_with("registry+")) {
                faults.push(format!("{name} {version} comes from {source}; only the crate registry is allowed"));
            }
            match license {
                None => faults.push(format!("{name} {version} names no licence")),
                Some(license) if !allowed(license) => faults.push(format!("{name} {version} is under {license}, which is not allowed")),
                Some(_) => {}
            }
        }
        faults
    }

    /// All that a package is built with, by name and version.
    fn closure(&self, package: &Package) -> BTreeSet<(String, String)> {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<&String> = package.uses.iter().collect();
        while let Some(id) = todo.pop() {
            if let Some(used) = self.packages.get(id)
                && seen.insert((used.name.clone(), used.version.clone()))
            {
                todo.extend(&used.uses);
            }
        }
        seen
    }

    fn page(&self) -> String {
        let mut out = String::from(
            "# Dependencies\n\nWhat the library crates are built with, all features on and on every platform; written by `cargo xtask deps`, \
             which also holds every package of the workspace against the licences of `deny.toml` and refuses any source but the crate registry.\n",
        );
        for (name, what) in LIBRARIES {
            let Some(package) = self.packages.values().find(|p| p.name == name && p.source.is_none()) else { continue };
            let all = self.closure(package);
            let _ = write!(out, "\n## {name}: {what}\n\n{} packages in all, of which it names itself:\n\n", all.len());
            let mut own: Vec<&Package> = package.uses.iter().filter_map(|id| self.packages.get(id)).collect();
            own.sort_by(|a, b| a.name.cmp(&b.name));
            for used in own {
                let licence = used.license.as_deref().unwrap_or("no licence");
                let _ = writeln!(out, "- {} {} ({licence}), with {} of its own", used.name, used.version, self.closure(used).len());
            }
        }
        let licences: BTreeSet<&str> = self.packages.values().filter_map(|p| p.license.as_deref()).collect();
        let _ = write!(out, "\n## Licences of all packages, those of tests and chores included\n\n");
        for licence in licences {
            let n = self.packages.values().filter(|p| p.license.as_deref() == Some(licence)).count();
            let _ = writeln!(out, "- {licence}: {n}");
        }
        out
    }
}

/// Whether one may choose allowed licences only.
fn allowed(expression: &str) -> bool {
    let mode = spdx::ParseMode { allow_slash_as_or_operator: true, ..spdx::ParseMode::STRICT };
    spdx::Expression::parse_mode(expression, mode)
        .is_ok_and(|parsed| parsed.evaluate(|requirement| ALLOWED.contains(&requirement.to_string().as_str())))
}

fn deny() -> String {
    let licences: Vec<String> = ALLOWED.iter().map(|l| l.split(" WITH ").next().unwrap_or(l)).map(|l| format!("\"{l}\"")).collect();
    let licences: BTreeSet<String> = licences.into_iter().collect();
    let licences: Vec<String> = licences.into_iter().collect();
    let exceptions = ALLOWED.iter().filter(|l| l.contains(" WITH ")).map(|l| format!("\"{l}\", ")).collect::<String>();
    format!(
        "# For `cargo deny check bans licenses sources`; written by `cargo xtask deps`.\n\n[graph]\nall-features = true\n\n\
         [licenses]\nallow = [{exceptions}{}]\nconfidence-threshold = 0.9\n\n\
         [bans]\nmultiple-versions = \"warn\"\nwildcards = \"deny\"\nallow-wildcard-paths = true\n\n\
         [sources]\nunknown-registry = \"deny\"\nunknown-git = \"deny\"\n",
        licences.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn one_allowed_choice_is_enough_and_every_part_of_an_and_counts() {
        for (expression, want) in [
            ("MIT OR Apache-2.0", true),
            ("MIT/Apache-2.0", true),
            ("MIT OR LGPL-2.1-or-later", true),
            ("LGPL-2.1-or-later", false),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("MIT AND GPL-3.0-only", false),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Somebody's own", false),
        ] {
            assert_eq!(allowed(expression), want, "{expression}");
        }
    }
}
