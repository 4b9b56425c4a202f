//! `cargo xtask tidy`: house rules that no compiler checks.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::data;

/// No source file is longer.
const LONGEST: usize = 700;
/// How a line begins that skips a test.
const SKIPPING: &str = concat!("#[", "ignore");
/// Folders that are not ours to tidy.
const SKIPPED: &[&str] = &["target", ".git"];

/// Runs the chore; false where a rule is broken.
pub(crate) fn run() -> Result<bool> {
    let faults = faults(&data::root())?;
    for fault in &faults {
        println!("{fault}");
    }
    println!("tidy: {} faults", faults.len());
    Ok(faults.is_empty())
}

fn faults(root: &Path) -> Result<Vec<String>> {
    let mut out = Vec::new();
    for path in files(root)? {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if !matches!(ending, "rs" | "yaml" | "md" | "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| name.clone())?;
        judge(&name, ending, &text, &mut out);
    }
    Ok(out)
}

fn judge(name: &str, ending: &str, text: &str, out: &mut Vec<String>) {
    let lines = text.lines().count();
    if ending == "rs" && !text.starts_with("//!") {
        out.push(format!("{name}:1: no `//!` line says what the file is for"));
    }
    if ending == "rs" && lines > LONGEST {
        out.push(format!("{name}: {lines} lines, at most {LONGEST}; split it"));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        out.push(format!("{name}: no newline at the end"));
    }
    for (i, line) in text.lines().enumerate() {
        // Two blanks at the end of a Markdown line are a line break; the rest is an accident.
        if line.ends_with([' ', '\t']) && !(ending == "md" && line.ends_with("  ")) {
            out.push(format!("{name}:{}: blanks at the end of the line", i + 1));
        }
        if ending == "rs" && line.trim_start().starts_with(SKIPPING) {
            out.push(format!("{name}:{}: a test is skipped", i + 1));
        }
    }
}

fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    let mut todo = vec![root.to_path_buf()];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
                todo.push(path);
            } else if path.is_file() {
                out.push(path);
            }
        }
    }
    out.sort();
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        assert_eq!(faults(&data::root()).expect("the files can be read"), Vec::<String>::new());
    }

    #[test]
    fn faults_are_seen() {
        let mut out = Vec::new();
        judge("a.rs", "rs", &format!("fn main() {{}} \n{SKIPPING}]"), &mut out);
        assert_eq!(out.len(), 4, "{out:?}");
    }
}
