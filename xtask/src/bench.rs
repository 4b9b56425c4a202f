//! `cargo xtask bench`: runs the benchmarks and prints every figure as a ratio to `serde_json::Value` on the same bytes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::data;

const SIZES: [&str; 4] = ["small", "median", "p99", "corpus"];

/// Runs the chore.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let status = Command::new("cargo").args(["bench", "-p", "schemalect", "--bench", "ratios", "--"]).args(words).status()?;
    ensure!(status.success(), "the benchmarks failed");
    let folder = data::root().join("target/criterion");
    let mut rows: BTreeMap<String, [Option<f64>; 4]> = BTreeMap::new();
    for (column, size) in SIZES.iter().enumerate() {
        let base = median(&folder.join(size).join("serde_json"))?;
        for entry in std::fs::read_dir(folder.join(size))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name != "report" && path.is_dir() {
                rows.entry(name).or_default()[column] = Some(median(&path)? / base);
            }
        }
    }
    println!("| ratio to serde_json::Value, read and written | {} |", SIZES.join(" | "));
    println!("|---|{}", "---|".repeat(SIZES.len()));
    for (name, cells) in rows {
        let cells: Vec<String> = cells.iter().map(|c| c.map_or_else(String::new, |c| format!("{c:.2}"))).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
    Ok(true)
}

/// The median time that criterion wrote down.
fn median(folder: &Path) -> Result<f64> {
    let path = folder.join("new/estimates.json");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let value: serde_json::Value = serde_json::from_str(&text)?;
    value["median"]["point_estimate"].as_f64().with_context(|| format!("{} has no median", path.display()))
}
