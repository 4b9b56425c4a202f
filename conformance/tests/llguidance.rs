//! The engine itself as a judge: it answers as recorded, and takes what adapting makes. Needs the feature `llguidance`.
#![cfg(feature = "llguidance")]
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};

use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::ApproximateTokEnv;
use llguidance::{Matcher, ParserFactory};
use schemalect::{AdaptOptions, Outcome, Profiles, ReadOptions, Surface, read};
use schemalect_conformance::executed::{self, Became, Ran};
use schemalect_conformance::{Rng, schemas};
use schemalect_rules::Selection;
use serde_json::Value;

/// The engine of the answers that are compared.
const ENGINE: &str = "llguidance-1.9.1-crate";
/// So many adapted tools have to compile.
const TOOLS: usize = 500;

struct Live {
    factory: ParserFactory,
    env: llguidance::toktrie::TokEnv,
}

impl Live {
    fn new() -> Live {
        let env = ApproximateTokEnv::single_byte_env();
        Live { factory: ParserFactory::new_simple(&env).unwrap(), env }
    }

    /// Whether each value is let in by what the schema compiles to, or why it does not.
    fn ask(&self, schema: &str, values: &[String]) -> Result<Vec<bool>, String> {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let parser = || self.factory.create_parser(TopLevelGrammar::from_json_schema(schema.clone())).map_err(|error| error.to_string());
        parser()?;
        let takes = |value: &String| {
            let mut matcher = Matcher::new(Ok(parser()?));
            let tokens = self.env.tokenize(value);
            let taken = matcher.try_consume_tokens(&tokens).unwrap_or(0);
            Ok(taken == tokens.len() && matcher.is_accepting().unwrap_or(false))
        };
        values.iter().map(takes).collect()
    }

    /// What becomes of a question.
    fn became(&self, ran: &Ran) -> Became {
        let question = &ran.question;
        let values: Vec<String> = question.good.iter().chain(&question.bad).map(|value| value.get().to_owned()).collect();
        let Ok(matches) = self.ask(question.input.get(), &values) else { return Became::Rejected };
        let (good, bad) = matches.split_at(question.good.len());
        match (good.iter().all(|&in_| in_), bad.iter().any(|&in_| in_)) {
            (true, false) if bad.is_empty() => Became::Accepted,
            (true, false) => Became::Enforced,
            (true, true) => Became::SilentlyIgnored,
            (false, false) => Became::TooNarrow,
            (false, true) => Became::Wrong,
        }
    }
}

#[test]
fn the_engine_answers_as_recorded() {
    let live = Live::new();
    let mine: Vec<Ran> = executed::load().unwrap().into_iter().filter(|ran| ran.engine.engine == ENGINE).collect();
    assert!(mine.len() > 200, "{} answers", mine.len());
    let other = mine.iter().filter(|ran| live.became(ran) != ran.answer.outcome);
    let other: Vec<String> =
        other.map(|ran| format!("{}: {} recorded, {} now", ran.id(), ran.answer.outcome.word(), live.became(ran).word())).collect();
    assert!(other.is_empty(), "{}", other.join("\n"));
}

#[test]
fn the_engine_takes_adapted_tools() {
    let live = Live::new();
    let switches = executed::engines().unwrap().into_iter().find(|engine| engine.engine == ENGINE).unwrap().switches;
    let day = Selection { as_of: "2026-11-29".parse().unwrap(), switches: switches.into_iter().collect() };
    let surface = Profiles::builtin().unwrap().resolve("llguidance", &day).unwrap();
    let mut refused = Vec::new();
    let mut taken = 0;
    let made = (1..).map(|seed| format!(r#"{{"name":"made_{seed}","inputSchema":{}}}"#, schemas::schema(&mut Rng::new(seed))));
    for tool in corpus().into_iter().chain(made.take(2 * TOOLS)) {
        let Some(schema) = adapted(&surface, &tool) else { continue };
        match live.ask(&schema, &[]) {
            Ok(_) => taken += 1,
            // That no value fits is a fault of the schema as it was written.
            Err(error) if error.contains("Unsatisfiable schema") => {}
            Err(error) => refused.push(format!("{error}\n  {schema}")),
        }
    }
    assert!(refused.is_empty(), "{taken} taken, {} refused:\n{}", refused.len(), refused.join("\n"));
    assert!(taken >= TOOLS, "{taken} taken");
}

/// The tools of the corpus: of `SCHEMALECT_CORPUS`, else of the sample that the repository ships.
fn corpus() -> Vec<String> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let folder = std::env::var_os("SCHEMALECT_CORPUS").map_or(sample, PathBuf::from);
    let text = std::fs::read_to_string(folder.join("shared_tools.ndjson")).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The schema that is sent of a tool; nothing where it is said to be refused.
fn adapted(surface: &Surface, tool: &str) -> Option<String> {
    let list = read(tool.as_bytes(), &ReadOptions::default()).unwrap();
    let adapted = surface.adapt(&list, &AdaptOptions { jobs: 1, ..AdaptOptions::default() }).unwrap();
    let tool = adapted.tools.first().filter(|tool| matches!(tool.outcome, Outcome::Unchanged | Outcome::Clean))?;
    tool.schema.as_ref().map(|tree| tree.to_json(tree.root()))
}
