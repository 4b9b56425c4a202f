//! What adapting makes of a refused input, and whether the result holds.

use std::fmt::Write;

use schemalect::{AdaptOptions, AdaptedTool, Input, Outcome, ReadOptions, Surface, read};
use serde_json::{Map, Value, json};

use crate::judge::Part;
use crate::verdict::{Kind, Verdict};

/// What adapting made of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remade {
    /// The worst that became of a tool: `unchanged`, `clean`, `unstrict`, `residue`, `dropped`.
    pub outcome: &'static str,
    /// The schemas that are sent, as text, each under its position in the input.
    pub schemas: Vec<(usize, String)>,
    /// The restore plans of those that need one.
    pub plans: Vec<(usize, String)>,
    /// What is wrong with results that are said to be accepted.
    pub faults: Vec<String>,
}

/// From the least to the worst.
const OUTCOMES: [&str; 5] = ["unchanged", "clean", "unstrict", "residue", "dropped"];

/// Adapts the tools of an input, each part under its own surface.
pub(crate) fn remake(verdict: &Verdict, parts: &[Part<'_>]) -> Remade {
    let mut out = Remade { outcome: OUTCOMES[0], ..Remade::default() };
    let worst = |outcome: &'static str, out: &mut Remade| {
        let rank = |word: &str| OUTCOMES.iter().position(|known| *known == word);
        if rank(outcome) > rank(out.outcome) {
            out.outcome = outcome;
        }
    };
    for part in parts {
        // Without `OnUnfixable::Error` nothing is an error.
        let Ok(adapted) = part.surface.adapt(&part.list, &AdaptOptions { jobs: 1, ..AdaptOptions::default() }) else { continue };
        for tool in &adapted.tools {
            let at = part.position(tool.index);
            worst(tool.outcome.word(), &mut out);
            out.schemas.extend(schema(tool).map(|schema| (at, schema)));
            out.plans.extend(tool.plan.as_ref().map(|plan| (at, plan.to_json().to_string())));
            out.faults.extend(fault(part.surface, verdict.kind, tool));
        }
        if !adapted.dropped.is_empty() {
            worst("dropped", &mut out);
        }
    }
    out
}

fn schema(tool: &AdaptedTool) -> Option<String> {
    tool.schema.as_ref().map(|tree| tree.to_json(tree.root()))
}

/// What the surface still has against a tool that it is said to accept.
fn fault(surface: &Surface, kind: Kind, tool: &AdaptedTool) -> Option<String> {
    let surface = match tool.outcome {
        Outcome::Residue => return None,
        Outcome::Unstrict => surface.lenient()?,
        Outcome::Unchanged | Outcome::Clean => surface,
    };
    let schema = schema(tool)?;
    let (input, text) = match kind {
        Kind::Schema => (Input::Schema, schema),
        Kind::Tool | Kind::Request => {
            let mut members = Map::new();
            members.extend(tool.name.as_ref().map(|name| ("name".to_owned(), json!(name))));
            members.extend(tool.description.as_ref().map(|text| ("description".to_owned(), json!(text))));
            members.insert("parameters".to_owned(), serde_json::from_str(&schema).unwrap_or(Value::Null));
            (Input::Tool, Value::Object(members).to_string())
        }
    };
    let list = match read(text.as_bytes(), &ReadOptions { input, ..ReadOptions::default() }) {
        Ok(list) => list,
        Err(error) => return Some(format!("the result cannot be read: {error}")),
    };
    let report = surface.check(&list, 1);
    let mut told = String::new();
    for finding in report.tools.iter().flat_map(|t| &t.findings).map(|p| &p.finding).filter(|f| f.refuses()) {
        let _ = write!(told, "{} at {:?} ", finding.rule, finding.path);
    }
    (!told.is_empty()).then(|| format!("said to be {}, but {told}", tool.outcome.word()))
}
