//! The repository's own data: rules, profiles, and where the corpus is.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use schemalect_engine::Plan;
use schemalect_engine::date::Day;
use schemalect_rules::{Library, ProfileError, Selection};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Every YAML file below a folder, sorted, with its path relative to the repository.
pub(crate) fn yaml_files(folder: &str) -> Result<Vec<(String, String)>> {
    let mut out = Vec::new();
    let mut todo = vec![root().join(folder)];
    while let Some(dir) = todo.pop() {
        for entry in std::fs::read_dir(&dir).with_context(|| dir.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "yaml") {
                let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
                let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
                out.push((name, text));
            }
        }
    }
    out.sort();
    Ok(out)
}

/// The rules and profiles as they stand in the repository.
pub(crate) fn library() -> Result<Library> {
    Library::new(yaml_files("rules/shared")?, yaml_files("providers")?).map_err(|errors| told(&errors))
}

/// Mistakes in the files as one error.
pub(crate) fn told(errors: &[ProfileError]) -> anyhow::Error {
    let text: Vec<String> = errors.iter().map(ToString::to_string).collect();
    anyhow::anyhow!("{}", text.join("\n"))
}

/// Today, with no switch set.
pub(crate) fn today() -> Result<Selection> {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs();
    Ok(Selection::on(Day::from_unix_days((seconds / 86_400) as u32)))
}

/// The plans of the named profiles as of today; where none is named, of all that stand for a surface.
pub(crate) fn plans(names: &[String]) -> Result<Vec<Plan>> {
    let library = library()?;
    let today = today()?;
    let mut plans = Vec::new();
    let chosen = |name: &&str| names.iter().any(|n| n == name);
    let wanted: Vec<&str> =
        if names.is_empty() { library.common_names().collect() } else { library.profile_names().filter(chosen).collect() };
    for name in wanted {
        plans.push(library.bind(name, &today).map_err(|errors| told(&errors))?.plan);
    }
    Ok(plans)
}

/// Where the corpus is: `SCHEMALECT_CORPUS`, else `../shared/corpus`, else the sample that the repository ships.
pub(crate) fn corpus() -> PathBuf {
    let named = std::env::var_os("SCHEMALECT_CORPUS").map(PathBuf::from);
    let beside = root().join("../shared/corpus");
    named.filter(|p| p.is_dir()).or_else(|| beside.is_dir().then_some(beside)).unwrap_or_else(|| root().join("conformance/corpus"))
}
