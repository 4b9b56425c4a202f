//! `cargo xtask new profile|rule|verdict`: files to start from.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use schemalect_conformance::verdict::{self, Verdict};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::data;
use crate::schema::with_line;

pub(crate) const HELP: &str = "\
cargo xtask new profile VENDOR/NAME [--extends PROFILE]
cargo xtask new rule ID
cargo xtask new verdict PROFILE ID --input FILE|- --outcome OUTCOME --source ADDRESS [--kind schema|tool|request] [--date DAY] [--message TEXT]
    [--path POINTER] [--model NAME] [--api NAME] [--status N] [--fidelity WORD] [--note TEXT]";

/// Runs the chore.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let root = data::root();
    let path = match words.as_slice() {
        ["profile", name] => profile(&root, name, None)?,
        ["profile", name, "--extends", parent] => profile(&root, name, Some(parent))?,
        ["rule", id] => rule(&root, id)?,
        ["verdict", name, id, options @ ..] => add_verdict(&root, name, id, options)?,
        _ => bail!("what is new?\n{HELP}"),
    };
    println!("{}", path.display());
    Ok(true)
}

/// Writes a profile that loads and says nothing yet.
pub(crate) fn profile(root: &Path, name: &str, extends: Option<&str>) -> Result<PathBuf> {
    let (vendor, name) = name.split_once('/').context("write VENDOR/NAME: the folder below providers, and the profile")?;
    kebab(vendor)?;
    kebab(name)?;
    let body = match extends {
        Some(parent) => format!("extends: {parent}\n"),
        None => "speaks: { reports: first, paths: pointer }\n\
                 wire: { name: /name, description: /description, schema: /parameters }\n\
                 stages: [request, schema]\n"
            .to_owned(),
    };
    let text = format!(
        "profile: {name}\n\
         title: {name}, what this surface is in a line\n\
         about: |\n  How its checker works, what it says, and what is not known.\n\
         {body}\n\
         rules: []\n"
    );
    let path = create(root.join(format!("providers/{vendor}/{name}.yaml")), &with_line(&text, "profile.json"))?;
    let group = path.with_file_name("group.yaml");
    if !group.exists() {
        create(group, &with_line(&format!("group: {vendor}\ntitle: {vendor}, what its profiles have in common\n"), "group.json"))?;
    }
    Ok(path)
}

/// Writes a rule that loads, with examples to replace.
pub(crate) fn rule(root: &Path, id: &str) -> Result<PathBuf> {
    kebab(id)?;
    let text = format!(
        "rule: {id}\n\
         title: the offence in a few words, which read well after \"allow\"\n\
         at: schema\n\
         when: {{ has: [const] }}\n\
         why: What the provider does with it, and why that is so.\n\
         rewrite: [ refuse ]\n\
         bad:\n  - {{ schema: {{ type: object, properties: {{ a: {{ const: x }} }} }} }}\n\
         good:\n  - {{ schema: {{ type: object, properties: {{ const: {{ type: string }} }} }} }}\n"
    );
    create(root.join(format!("rules/shared/{id}.yaml")), &with_line(&text, "rule.json"))
}

/// Adds a verdict to the file of its surface, which keeps its canonical form.
pub(crate) fn add_verdict(root: &Path, profile: &str, id: &str, options: &[&str]) -> Result<PathBuf> {
    let mut fields: BTreeMap<&str, &str> = BTreeMap::new();
    for pair in options.chunks(2) {
        let [name, value] = pair else { bail!("{} needs a value", pair[0]) };
        let name = name.strip_prefix("--").with_context(|| format!("`{name}` is no option\n{HELP}"))?;
        const KNOWN: [&str; 12] =
            ["input", "outcome", "source", "kind", "date", "message", "path", "model", "api", "status", "fidelity", "note"];
        ensure!(KNOWN.contains(&name), "unknown option `--{name}`\n{HELP}");
        fields.insert(name, value);
    }
    let input = fields.remove("input").context("--input is needed: a file, or - for what is typed in")?;
    let mut line = json!({
        "id": id, "profile": profile, "provider": profile.split('-').next(), "kind": "schema", "input": null, "fidelity": "schema_shown",
    });
    for needed in ["outcome", "source"] {
        ensure!(fields.contains_key(needed), "--{needed} is needed\n{HELP}");
    }
    for (name, value) in fields {
        line[name] = if name == "status" { json!(value.parse::<u16>().context("--status is a number")?) } else { json!(value) };
    }
    let mut added = one(line)?;
    added.input = RawValue::from_string(text_of(input)?).context("--input is no JSON")?;
    let path = root.join(format!("conformance/verdicts/{profile}.jsonl"));
    let mut verdicts = if path.exists() { verdict::load_file(&path)? } else { Vec::new() };
    ensure!(verdicts.iter().all(|known| known.id != id), "`{id}` exists already");
    verdicts.push(added);
    std::fs::create_dir_all(path.parent().context("a file stands in a folder")?)?;
    std::fs::write(&path, verdict::write(&verdicts)?).with_context(|| path.display().to_string())?;
    Ok(path)
}

fn one(line: Value) -> Result<Verdict> {
    let mut verdicts = verdict::read("the new verdict", &line.to_string())?;
    verdicts.pop().context("one verdict is read")
}

fn text_of(input: &str) -> Result<String> {
    let mut text = String::new();
    match input {
        "-" => std::io::stdin().read_to_string(&mut text).context("what was typed in")?,
        file => std::fs::File::open(file).with_context(|| file.to_owned())?.read_to_string(&mut text).with_context(|| file.to_owned())?,
    };
    Ok(text.trim().to_owned())
}

fn create(path: PathBuf, text: &str) -> Result<PathBuf> {
    ensure!(!path.exists(), "{} exists already", path.display());
    std::fs::create_dir_all(path.parent().context("a file stands in a folder")?)?;
    std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    Ok(path)
}

fn kebab(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
    ensure!(!name.is_empty() && name.chars().all(plain), "`{name}`: lower case, digits, `-` and `.` only");
    Ok(())
}

#[cfg(test)]
mod tests {
    use schemalect_conformance::judge::Judge;
    use schemalect_conformance::judgement::Judgement;
    use schemalect_conformance::{evidence, suite};
    use schemalect_rules::Library;

    use super::*;

    /// The repository's rules with the files of a folder.
    fn library(root: &Path, files: &[PathBuf]) -> Library {
        let text = |path: &PathBuf| {
            (path.strip_prefix(root).expect("below").display().to_string(), std::fs::read_to_string(path).expect("a text"))
        };
        let (rules, profiles): (Vec<_>, Vec<_>) = files.iter().map(text).partition(|(path, _)| path.starts_with("rules"));
        let shared = data::yaml_files("rules/shared").expect("the rules are read");
        Library::new(shared.into_iter().chain(rules), profiles).expect("the files load")
    }

    #[test]
    fn what_is_new_loads() {
        let root = tempfile::tempdir().expect("a folder");
        let files = [
            profile(root.path(), "acme/acme", None).expect("it is written"),
            profile(root.path(), "acme/acme-strict", Some("acme")).expect("it is written"),
            rule(root.path(), "wholly-new").expect("it is written"),
        ];
        let library = library(root.path(), &files);
        assert_eq!(library.check_all().len(), 0, "{:?}", library.check_all());
        assert!(profile(root.path(), "acme/acme", None).is_err(), "nothing is overwritten");
        assert!(profile(root.path(), "acme/Acme", None).is_err() && rule(root.path(), "").is_err(), "names are checked");
    }

    /// The steps of CONTRIBUTING: a provider from a blank page, by YAML and verdicts alone.
    #[test]
    fn a_provider_in_five_steps() {
        // 1. What the surface accepts is found out. 2. A profile is written.
        let root = tempfile::tempdir().expect("a folder");
        let file = profile(root.path(), "acme/acme", None).expect("it is written");
        // 3. Rules are bound.
        let rules = "rules:\n  - rule: const-present\n    stage: schema\n    says: \"'(?<key>const)' is not supported\"\n    \
                     sources: [ { observed: \"https://example.org/1\", seen: 2026-01-02 } ]\n";
        let text = std::fs::read_to_string(&file).expect("a text");
        std::fs::write(&file, text.replace("rules: []\n", rules)).expect("it is written");
        // 4. The profile is checked.
        let library = library(root.path(), std::slice::from_ref(&file));
        assert_eq!(library.check("acme").len(), 0, "{:?}", library.check("acme"));
        // 5. What the provider answered is written down, and judged.
        let input = root.path().join("input.json");
        std::fs::write(&input, r#"{ "type": "object", "properties": { "a": { "const": 1.0 } } }"#).expect("it is written");
        let input = input.display().to_string();
        let common = ["--input", &input, "--source", "https://example.org/1", "--date", "2026-01-02"];
        let refused =
            ["--outcome", "rejected", "--message", "'const' is not supported", "--path", "/properties/a/const", "--status", "400"];
        add_verdict(root.path(), "acme", "acme-const", &[&common[..], &refused].concat()).expect("it is added");
        std::fs::write(&input, r#"{"type":"object"}"#).expect("it is written");
        let written =
            add_verdict(root.path(), "acme", "acme-bare", &[&common[..], &["--outcome", "accepted"]].concat()).expect("it is added");
        assert!(add_verdict(root.path(), "acme", "acme-bare", &[&common[..], &["--outcome", "accepted"]].concat()).is_err(), "it exists");
        let verdicts = verdict::load_file(&written).expect("they are read");
        assert_eq!(verdict::write(&verdicts).expect("they are written"), std::fs::read_to_string(&written).expect("a text"), "canonical");
        let cases = suite::judge(&Judge::new(&library, None), verdicts).expect("they are judged");
        let judged: Vec<_> = cases.iter().map(|case| (case.verdict.id.as_str(), case.judged.judgement)).collect();
        assert_eq!(judged, [("acme-bare", Judgement::Silent), ("acme-const", Judgement::Hit)]);
        assert!(evidence::of(&library, &cases, &[]).iter().all(|e| e.pins.len() == 1), "each binding is pinned");
        let remade = cases[1].remade.as_ref().expect("it was refused");
        assert_eq!((remade.outcome, remade.faults.len()), ("clean", 0));
    }
}
