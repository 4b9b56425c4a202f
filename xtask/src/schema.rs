//! `cargo xtask schema`: the JSON Schemas of rule, profile and group files, and the line by which editors find them.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use schemalect_rules::{group_schema, profile_schema, rule_schema};
use serde_json::Value;

use crate::data;

/// Where the files stand, and the schema of those that are no groups.
const KINDS: [(&str, &str); 2] = [("rules/shared", "rule.json"), ("providers", "profile.json")];

/// Runs the chore; with `--check`, false where something is not as it would be written.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let check = match words {
        [] => false,
        [word] if word == "--check" => true,
        _ => bail!("cargo xtask schema [--check]"),
    };
    let stale = stale()?;
    for (path, text) in &stale {
        let shown = path.strip_prefix(data::root()).unwrap_or(path).display();
        if check {
            println!("{shown} is not as it would be written; `cargo xtask schema` writes it");
            continue;
        }
        std::fs::create_dir_all(path.parent().context("a file stands in a folder")?)?;
        std::fs::write(path, text).with_context(|| shown.to_string())?;
        println!("{shown} written");
    }
    Ok(!check || stale.is_empty())
}

/// The files that are not as they would be written, with the text they would have.
fn stale() -> Result<Vec<(PathBuf, String)>> {
    let library = data::library()?;
    let rules: Vec<String> = library.rules().map(|rule| rule.id).collect();
    let mut wanted = vec![
        (data::root().join("schemas/rule.json"), pretty(&rule_schema())?),
        (data::root().join("schemas/group.json"), pretty(&group_schema())?),
        (data::root().join("schemas/profile.json"), pretty(&profile_schema(rules.iter().map(String::as_str)))?),
    ];
    for (folder, schema) in KINDS {
        for (path, text) in data::yaml_files(folder)? {
            let schema = if path.ends_with("/group.yaml") { "group.json" } else { schema };
            wanted.push((data::root().join(path), with_line(&text, schema)));
        }
    }
    wanted.retain(|(path, text)| std::fs::read_to_string(path).ok().as_ref() != Some(text));
    Ok(wanted)
}

fn pretty(value: &Value) -> Result<String> {
    Ok(format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// The text of a file, with the line for editors on top.
pub(crate) fn with_line(text: &str, schema: &str) -> String {
    let line = format!("# yaml-language-server: $schema=../../schemas/{schema}\n");
    if text.starts_with(&line) { text.to_owned() } else { format!("{line}{text}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_as_committed_and_every_file_names_its_own() {
        let paths: Vec<PathBuf> = stale().expect("the files are read").into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, Vec::<PathBuf>::new(), "`cargo xtask schema` writes them");
    }
}
