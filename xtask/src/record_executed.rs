//! `cargo xtask record --executed`: asks the engines and SDKs that can be run here, and says what changed.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use schemalect::{AdaptOptions, Outcome, ReadOptions, Surface, read};
use schemalect_conformance::executed::{self, Answer, Became, Engine, Question};
use schemalect_conformance::instances::{Generator, Style};
use schemalect_conformance::verdict::Kind;
use schemalect_rules::{Library, Selection};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::python::{Environment, work};
use crate::{corpus, data};

/// What was asked for.
struct Asked {
    /// Engines or profiles; all where none is named.
    names: Vec<String>,
    /// So many tools, adapted, take the place of the questions.
    tools: Option<usize>,
    file: String,
    show: usize,
}

/// A line of the script's answers.
#[derive(Deserialize)]
struct Told {
    seconds: f64,
    #[serde(flatten)]
    answer: BTreeMap<String, Value>,
}

/// Runs the chore; false where an engine refuses an adapted tool, or does not answer as it is committed.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    let asked = options(words)?;
    let mut engines = executed::engines()?;
    let wanted = |engine: &Engine| asked.names.is_empty() || asked.names.iter().any(|n| *n == engine.engine || *n == engine.profile);
    if let Some(unknown) = asked.names.iter().find(|n| !engines.iter().any(|e| **n == e.engine || **n == e.profile)) {
        bail!("no engine or profile of an engine is called {unknown}; conformance/recorders/engines.jsonl lists them");
    }
    let mut fine = true;
    for engine in engines.iter_mut().filter(|engine| wanted(engine)) {
        let Some((_, environment)) = engine.asks.as_ref().zip(engine.environment.as_deref()) else {
            println!("{}: its answers were taken by other means, and stay as they are", engine.engine);
            continue;
        };
        let environment = Environment::ready(environment)?;
        fine &= match asked.tools {
            Some(sample) => tools(engine, &environment, sample, &asked)?,
            None => questions(engine, &environment)?,
        };
    }
    if asked.tools.is_none() {
        executed::write_engines(&engines)?;
    }
    Ok(fine)
}

fn options(words: &[String]) -> Result<Asked> {
    let mut asked = Asked { names: Vec::new(), tools: None, file: "shared_tools".to_owned(), show: 5 };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--tools" => asked.tools = Some(value()?.parse().context("--tools is a number")?),
            "--file" => asked.file.clone_from(value()?),
            "--show" => asked.show = value()?.parse().context("--show is a number")?,
            other if other.starts_with('-') => bail!("unknown option `{other}`"),
            name => asked.names.push(name.to_owned()),
        }
    }
    Ok(asked)
}

/// Asks the questions, tells what is answered otherwise than it is committed, and writes that.
fn questions(engine: &mut Engine, environment: &Environment) -> Result<bool> {
    let questions = executed::questions()?;
    let mine: Vec<&Question> = questions.iter().filter(|q| engine.groups.contains(&q.group)).collect();
    let lines: Vec<String> = mine.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    let told = ask(engine, environment, &lines)?;
    let mut files = executed::load_answers()?;
    let known = files.entry(engine.profile.clone()).or_default();
    let mut before: BTreeMap<String, Answer> = BTreeMap::new();
    for answer in known.iter_mut().filter(|answer| answer.engines.contains(&engine.engine)) {
        answer.engines.retain(|name| *name != engine.engine);
        before.insert(answer.case.clone(), answer.clone());
    }
    known.retain(|answer| !answer.engines.is_empty());
    let (mut changed, mut reworded) = (0, 0);
    for told in told {
        let mut answer: Answer = serde_json::from_value(json!({ "engines": [engine.engine] }).as_object().map_or(Value::Null, |head| {
            let mut all = head.clone();
            all.extend(told.answer);
            Value::Object(all)
        }))?;
        let old = before.get(&answer.case);
        if old.is_none_or(|old| old.outcome != answer.outcome) {
            changed += 1;
            let words = answer.message.as_deref().unwrap_or_default();
            println!(
                "{}:{}: {} before, {} now {words}",
                engine.engine,
                answer.case,
                old.map_or("nothing", |o| o.outcome.word()),
                answer.outcome.word()
            );
        } else if let Some(old) = old {
            reworded += usize::from(old.message != answer.message);
            answer.unpredicted.clone_from(&old.unpredicted);
        }
        known.push(answer);
    }
    executed::write_answers(&files)?;
    engine.ran = data::today()?.as_of.to_string();
    println!("{}: {} answers, {changed} of another outcome, {reworded} in other words", engine.engine, mine.len());
    Ok(changed == 0)
}

/// Has an engine judge what adapting makes of tools.
fn tools(engine: &Engine, environment: &Environment, sample: usize, asked: &Asked) -> Result<bool> {
    let surface = surface(&data::library()?, engine)?;
    let mut entries = Vec::new();
    for file in corpus::files(std::slice::from_ref(&asked.file)) {
        entries.extend(corpus::entries(&data::corpus(), file, Some(sample))?);
    }
    let made: Vec<Option<Question>> = entries.par_iter().map(|entry| adapted(&surface, engine, entry)).collect::<Result<_>>()?;
    let questions: Vec<Question> = made.into_iter().flatten().collect();
    let lines: Vec<String> = questions.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    let told = ask(engine, environment, &lines)?;
    let slowest = told.iter().map(|told| told.seconds).fold(0.0, f64::max);
    let (mut refused, mut shown) = (0, String::new());
    for (question, told) in questions.iter().zip(&told) {
        let outcome: Became = serde_json::from_value(told.answer.get("outcome").cloned().unwrap_or_default())?;
        if !matches!(outcome, Became::Rejected | Became::Crashed) {
            continue;
        }
        refused += 1;
        if refused <= asked.show {
            let message = told.answer.get("message").and_then(Value::as_str).unwrap_or_default();
            writeln!(shown, "  {} {}: {message}\n    {}", question.case, outcome.word(), question.input.get())?;
        }
    }
    println!(
        "{:34} {:>6} tools, {:>4} left out, {:>6} taken, {refused:>4} refused, slowest {slowest:.1} s",
        engine.engine,
        entries.len(),
        entries.len() - questions.len(),
        questions.len() - refused
    );
    print!("{shown}");
    // A helper or a type of an SDK that is not scored is no judge of what the service takes.
    Ok(refused == 0 || engine.unscored.is_some())
}

/// The engine's profile, as of its day and with its switches.
fn surface(library: &Library, engine: &Engine) -> Result<Surface> {
    let switches = engine.switches.clone().into_iter().collect();
    let as_of = engine.date.parse().map_err(anyhow::Error::msg)?;
    let bound = library.bind(&engine.profile, &Selection { as_of, switches }).map_err(|errors| data::told(&errors))?;
    Ok(Surface::of(&bound))
}

/// What is sent of a tool, as a question; nothing where the profile says that it would be refused.
fn adapted(surface: &Surface, engine: &Engine, entry: &corpus::Entry) -> Result<Option<Question>> {
    let list = read(entry.tool().as_bytes(), &ReadOptions::default())?;
    let adapted = surface.adapt(&list, &AdaptOptions { jobs: 1, ..AdaptOptions::default() })?;
    let Some(tool) = adapted.tools.first().filter(|tool| matches!(tool.outcome, Outcome::Unchanged | Outcome::Clean)) else {
        return Ok(None);
    };
    let Some(schema) = tool.schema.as_ref().map(|tree| tree.to_json(tree.root())) else { return Ok(None) };
    let (kind, input) = if engine.groups.iter().any(|group| group == "tools") {
        let described = tool.description.as_ref().map(|text| format!("\"description\":{},", json!(text))).unwrap_or_default();
        (Kind::Tool, format!("{{\"name\":{},{described}\"parameters\":{schema}}}", json!(tool.name)))
    } else {
        (Kind::Schema, schema)
    };
    let (case, group, about) = (entry.label.clone(), "adapted".to_owned(), String::new());
    Ok(Some(Question { case, group, about, kind, good: values(&input, kind)?, input: RawValue::from_string(input)?, bad: Vec::new() }))
}

/// Values that follow a schema. Some engines look at a part of it only when a value leads there.
fn values(schema: &str, kind: Kind) -> Result<Vec<Box<RawValue>>> {
    if kind != Kind::Schema {
        return Ok(Vec::new());
    }
    let schema: Value = serde_json::from_str(schema)?;
    let mut generator = Generator::new(&schema, 1);
    let made = [Style::Least, Style::Full].map(|style| generator.instance(style).value);
    Ok(made.iter().map(serde_json::value::to_raw_value).collect::<Result<_, _>>()?)
}

fn ask(engine: &Engine, environment: &Environment, lines: &[String]) -> Result<Vec<Told>> {
    let file: PathBuf = work().join(format!("{}.ndjson", engine.engine));
    std::fs::write(&file, lines.join("\n") + "\n")?;
    let answers = environment.run("ask.py", &[&serde_json::to_string(engine)?], Some(&file))?;
    let told: Vec<Told> = answers.lines().map(|line| serde_json::from_str(line).with_context(|| line.to_owned())).collect::<Result<_>>()?;
    ensure!(told.len() == lines.len(), "{}: {} questions, {} answers", engine.engine, lines.len(), told.len());
    Ok(told)
}
