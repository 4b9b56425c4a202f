//! What to do about a match, in words.

use schemalect_engine::Finding;
use schemalect_engine::op::Step;
use schemalect_engine::plan::Rule;

use super::Confidence;

/// What is wrong, why it matters, and how it is repaired.
pub(super) fn advice(profile: &str, rule: Option<&Rule>, finding: Option<&Finding>, confidence: Confidence, placed: bool) -> String {
    let Some(rule) = rule else { return String::new() };
    let what = finding.map_or(rule.title.as_str(), |f| f.message.as_str());
    let mut parts = vec![sentence(what), sentence(&rule.why)];
    if confidence == Confidence::MessageOnly && !placed {
        parts.push("None of the tools given is like that; were these the tools that were sent?".to_owned());
    }
    let fix = finding.and_then(|f| f.fix.as_ref());
    parts.push(match fix {
        Some(fix) => format!("`adapt -p {profile}` repairs it: {} ({}).", fix.operations.join(", "), fix.effect),
        None if rule.rewrite.iter().any(repairs) => format!("`adapt -p {profile}` repairs it."),
        None => "No rewrite repairs it: change the tool, or leave it out.".to_owned(),
    });
    parts.join(" ")
}

fn repairs(step: &Step) -> bool {
    match step {
        Step::Do(op) => op.phase().is_some(),
        Step::OneOf(ops) => ops.iter().any(|op| op.phase().is_some()),
    }
}

/// A text as a sentence.
fn sentence(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
