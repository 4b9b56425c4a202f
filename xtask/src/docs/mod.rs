//! `cargo xtask docs`: pages of what the profiles, rules and verdicts say, written anew or compared with the committed ones.

mod changes;
mod matrix;
mod parity;
mod profile;
mod rule;
mod verdicts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use schemalect::Surface;
use schemalect_conformance::evidence::{self, Evidence};
use schemalect_conformance::grid::{self, Probe};
use schemalect_conformance::judge::Judge;
use schemalect_conformance::suite::{self, Case};
use schemalect_conformance::{executed, verdict};
use schemalect_engine::date::Day;
use schemalect_rules::{Library, ProfileInfo, RuleInfo, Selection};

use crate::data;

/// The folders and files below `docs` that are all ours.
const OWN: [&str; 5] = ["profiles", "rules", "matrix.md", "changes.md", "parity.md"];

/// Everything that pages are made of.
struct Book {
    rulebook: Library,
    profiles: Vec<ProfileInfo>,
    rules: Vec<RuleInfo>,
    cases: Vec<Case>,
    ran: Vec<executed::Case>,
    evidence: Vec<Evidence>,
    probes: Vec<Probe>,
    /// The newest day that a source or verdict names.
    day: Day,
}

/// Runs the chore; with `--check`, false where a page is not as it is committed.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let check = match words {
        [] => false,
        [word] if word == "--check" => true,
        _ => bail!("cargo xtask docs [--check]"),
    };
    let pages = pages()?;
    let stale = stale(&pages)?;
    if check {
        stale.iter().for_each(|path| println!("docs/{path} is not as it would be written; `cargo xtask docs` writes it"));
        return Ok(stale.is_empty());
    }
    for path in &stale {
        let file = folder().join(path);
        match pages.get(path) {
            Some(text) => {
                std::fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
                std::fs::write(&file, text).with_context(|| file.display().to_string())?;
            }
            None => std::fs::remove_file(&file).with_context(|| file.display().to_string())?,
        }
    }
    println!("docs: {} pages, {} written", pages.len(), stale.len());
    Ok(true)
}

fn folder() -> PathBuf {
    data::root().join("docs")
}

/// Every page by its path below `docs`.
fn pages() -> Result<BTreeMap<String, String>> {
    let book = Book::open()?;
    let mut pages = BTreeMap::new();
    for info in &book.profiles {
        pages.insert(format!("profiles/{}.md", info.name), profile::page(&book, info)?);
    }
    for info in &book.rules {
        pages.insert(format!("rules/{}.md", info.id), rule::page(&book, info));
    }
    pages.insert("matrix.md".to_owned(), matrix::page(&book));
    pages.insert("changes.md".to_owned(), changes::page(&book));
    pages.insert("parity.md".to_owned(), parity::page()?);
    pages.insert(verdicts::PATH.to_owned(), verdicts::page(&book));
    Ok(pages)
}

/// The pages that are not as they would be written, those included that would not be written at all.
fn stale(pages: &BTreeMap<String, String>) -> Result<BTreeSet<String>> {
    let differs = |path: &str, text: &str| std::fs::read_to_string(folder().join(path)).ok().as_deref() != Some(text);
    let mut stale: BTreeSet<String> = pages.iter().filter(|(path, text)| differs(path, text)).map(|(path, _)| path.clone()).collect();
    for own in OWN {
        let folder = folder().join(own);
        if !folder.is_dir() {
            continue;
        }
        for entry in std::fs::read_dir(&folder)? {
            let path = format!("{own}/{}", entry?.file_name().to_string_lossy());
            if !pages.contains_key(&path) {
                stale.insert(path);
            }
        }
    }
    Ok(stale)
}

impl Book {
    fn open() -> Result<Book> {
        let rulebook = data::library()?;
        let verdicts = verdict::load(&verdict::folder())?.into_iter().flat_map(|(_, verdicts)| verdicts).collect();
        let cases = suite::judge(&Judge::new(&rulebook, None), verdicts).map_err(|errors| data::told(&errors))?;
        let ran = executed::judge(&Judge::new(&rulebook, None), executed::load()?).map_err(|errors| data::told(&errors))?;
        let profiles: Vec<ProfileInfo> = rulebook.profiles().collect();
        let sources = profiles.iter().flat_map(|p| &p.bindings).flat_map(|b| &b.sources).filter_map(|source| source.date);
        let day = sources.chain(cases.iter().filter_map(|case| case.verdict.day())).max().context("no source is dated")?;
        Ok(Book {
            evidence: evidence::of(&rulebook, &cases, &ran),
            ran,
            rules: rulebook.rules().collect(),
            probes: grid::probes()?,
            profiles,
            rulebook,
            cases,
            day,
        })
    }

    fn surface(&self, profile: &str) -> Result<Surface> {
        let bound = self.rulebook.bind(profile, &Selection::on(self.day)).map_err(|errors| data::told(&errors))?;
        Ok(Surface::of(&bound))
    }

    /// What pins a binding, at the profile that declares it.
    fn evidence(&self, home: &str, id: &str) -> Option<&Evidence> {
        self.evidence.iter().find(|e| e.profile == home && e.binding.id == id)
    }
}

/// Text that is safe in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ").trim().to_owned()
}

/// Text as code in a cell of a table; nothing for nothing.
fn code(text: &str) -> String {
    let fence = if text.contains('`') { "``" } else { "`" };
    if text.is_empty() { String::new() } else { cell(&format!("{fence}{text}{fence}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_as_committed() {
        let stale = stale(&pages().expect("the pages are made")).expect("the folder is read");
        assert_eq!(stale, BTreeSet::new(), "`cargo xtask docs` writes them anew");
    }
}
