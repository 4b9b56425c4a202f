//! `cargo xtask wires`: tools as they go into a request, held against the types of the vendors' own Python SDKs.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use schemalect::{AdaptOptions, Profiles, ReadOptions, Surface, read};
use serde_json::Value;

use crate::python::{Environment, work};
use crate::{corpus, data};

/// So many tools are taken where the caller does not say.
const SAMPLE: usize = 500;

/// Runs the chore; false where an SDK refuses something.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let mut asked = corpus::Asked::of(words, |_, _| Ok(false))?;
    if asked.files.is_empty() {
        asked.files.push("shared_tools".to_owned());
    }
    let python = Environment::ready("sdks")?;
    let ask = |words: &[&str]| python.run("wire_types.py", words, None);
    ask(&["flaws"])?;
    let known = ask(&["profiles"])?;
    let surfaces = surfaces(&known.lines().collect::<Vec<_>>(), &asked.profiles)?;
    let requests = requests(&surfaces, &asked)?;
    let file = work().join("wires.ndjson");
    std::fs::write(&file, &requests.lines)?;
    let answers = ask(&["check", &file.to_string_lossy()])?;
    let report = report(&answers, &requests, asked.show)?;
    print!("{}", report.text);
    Ok(report.refused == 0)
}

/// The surfaces of the profiles for which the script has types, of those asked for; of all where none is.
fn surfaces(known: &[&str], asked: &[String]) -> Result<Vec<Surface>> {
    let profiles = Profiles::builtin()?;
    let built: Vec<&str> = profiles.rule_library().profile_names().collect();
    if let Some(unknown) = asked.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("no SDK type stands for {unknown}; add a row to conformance/recorders/wire_types.py");
    }
    let today = data::today()?;
    let wanted = known.iter().copied().filter(|name| asked.is_empty() || asked.iter().any(|a| a == name));
    let (there, missing): (Vec<&str>, Vec<&str>) = wanted.partition(|name| built.contains(name));
    let without: Vec<&str> = built.into_iter().filter(|name| asked.is_empty() && !known.contains(name)).collect();
    for (what, names) in [("skipped, no such profile", missing), ("without an SDK type", without)] {
        if !names.is_empty() {
            println!("{what}: {}", names.join(", "));
        }
    }
    there.into_iter().map(|name| Ok(profiles.resolve(name, &today)?)).collect()
}

/// What goes into requests.
#[derive(Default)]
struct Requests {
    /// For the script.
    lines: String,
    /// Each entry, by profile and tool.
    entries: BTreeMap<(String, String), String>,
    /// How many tools are left out, by profile.
    left_out: BTreeMap<String, usize>,
}

fn requests(surfaces: &[Surface], asked: &corpus::Asked) -> Result<Requests> {
    let mut tools = Vec::new();
    for file in corpus::files(&asked.files) {
        tools.extend(corpus::entries(&data::corpus(), file, asked.sample.or(Some(SAMPLE)))?);
    }
    let mut out = Requests::default();
    for surface in surfaces {
        let adapted: Vec<Option<String>> = tools.par_iter().map(|tool| adapted(surface, &tool.tool())).collect::<Result<_>>()?;
        for (tool, entry) in tools.iter().zip(adapted) {
            let profile = surface.name();
            match entry {
                Some(entry) => {
                    writeln!(out.lines, r#"{{"profile":"{profile}","label":"{}","entry":{entry}}}"#, tool.label)?;
                    out.entries.insert((profile.to_owned(), tool.label.clone()), entry);
                }
                None => *out.left_out.entry(profile.to_owned()).or_default() += 1,
            }
        }
    }
    Ok(out)
}

/// A tool alone as it is sent, so that every entry has one tool; `None` where it is left out.
fn adapted(surface: &Surface, tool: &str) -> Result<Option<String>> {
    let list = read(tool.as_bytes(), &ReadOptions::default())?;
    let adapted = surface.adapt(&list, &AdaptOptions { jobs: 1, ..AdaptOptions::default() })?;
    Ok(adapted.wire(surface).pop())
}

/// What is said of the script's answers.
struct Report {
    text: String,
    refused: usize,
}

fn report(answers: &str, requests: &Requests, show: usize) -> Result<Report> {
    let mut text = String::new();
    let mut refused_in_all = 0;
    writeln!(text, "{:<34} {:<62} {:>6} {:>8} {:>8} {:>8}", "profile", "SDK type", "tools", "left out", "accepted", "refused")?;
    let mut told = String::new();
    for line in answers.lines() {
        let answer: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
        let word = |value: &Value, key: &str| value[key].as_str().map(ToOwned::to_owned).with_context(|| format!("no {key} in {value}"));
        let (profile, kind) = (word(&answer, "profile")?, word(&answer, "type")?);
        let tools = answer["tools"].as_u64().with_context(|| format!("no tools in {answer}"))? as usize;
        let refused = answer["refused"].as_array().with_context(|| format!("no refused in {answer}"))?;
        let left_out = requests.left_out.get(&profile).copied().unwrap_or_default();
        let accepted = tools - refused.len();
        writeln!(text, "{profile:<34} {kind:<62} {:>6} {left_out:>8} {accepted:>8} {:>8}", tools + left_out, refused.len())?;
        refused_in_all += refused.len();
        for refusal in refused.iter().take(show) {
            let key = (profile.clone(), word(refusal, "label")?);
            let entry = requests.entries.get(&key).map(String::as_str).unwrap_or_default();
            writeln!(told, "\n{profile}: {} is refused by {kind}\n{}\n{entry}", key.1, word(refusal, "message")?)?;
        }
    }
    text.push_str(&told);
    Ok(Report { text, refused: refused_in_all })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tool_is_an_entry_of_its_own() {
        let asked = corpus::Asked { profiles: Vec::new(), files: vec!["shared_tools".to_owned()], sample: Some(10), show: 0, entry: None };
        let surfaces =
            surfaces(&["openai", "gemini", "no-such-profile"], &["openai".to_owned(), "gemini".to_owned()]).expect("two profiles");
        let requests = requests(&surfaces, &asked).expect("the corpus can be read");
        let lines: Vec<Value> = requests.lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
        assert_eq!(lines.len(), requests.entries.len());
        for (profile, pointer) in [("openai", "/entry/function/name"), ("gemini", "/entry/functionDeclarations/0/name")] {
            let named = lines.iter().filter(|line| line["profile"] == profile && line.pointer(pointer).is_some()).count();
            assert!(named >= 10, "{profile}: {named} named");
            assert_eq!(lines.iter().filter(|line| line["profile"] == profile).count(), named, "{profile}");
        }
    }

    #[test]
    fn refusals_are_counted_and_the_first_shown() {
        let key = |label: &str| ("p".to_owned(), label.to_owned());
        let entries = BTreeMap::from([(key("a:1"), "{\"first\":1}".to_owned()), (key("a:2"), "{\"second\":2}".to_owned())]);
        let requests = Requests { entries, left_out: BTreeMap::from([("p".to_owned(), 3)]), ..Requests::default() };
        let answers = r#"{"profile":"p","type":"sdk 1 Tool","tools":2,"refused":[{"label":"a:1","message":"no x"},{"label":"a:2","message":"no y"}]}"#;
        let report = report(answers, &requests, 1).expect("an answer that can be read");
        assert_eq!(report.refused, 2);
        let row = report.text.lines().nth(1).unwrap_or_default();
        assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["p", "sdk", "1", "Tool", "5", "3", "0", "2"]);
        assert!(report.text.ends_with("p: a:1 is refused by sdk 1 Tool\nno x\n{\"first\":1}\n"), "{}", report.text);
    }
}
