//! The switches of a profile, as they follow from what a verdict records.

use std::collections::BTreeSet;

use schemalect::rules::ProfileInfo;

use crate::verdict::Verdict;

/// The values of those of a profile's switches that a verdict says something about.
///
/// A switch that is called like a field of the verdict (`model`, `api`, `strict`, `provider`) takes its value from there, if it is one
/// that the profile lists; what the verdict sets itself wins.
#[must_use]
pub fn of(verdict: &Verdict, profile: &ProfileInfo) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (switch, _) in &profile.switches {
        let set = verdict.switches.get(switch).filter(|value| profile.lists(switch, value)).cloned();
        let field = match switch.as_str() {
            "model" => verdict.model.clone(),
            "api" => verdict.api.clone(),
            "provider" => verdict.provider.clone(),
            "strict" => verdict.strict.map(|strict| strict.to_string()),
            _ => None,
        };
        let value = set.or_else(|| listed(profile, switch, &field?));
        out.extend(value.map(|value| (switch.clone(), value)));
    }
    out
}

/// The value that a field says: where it names several, all must be of the same pattern.
fn listed(profile: &ProfileInfo, switch: &str, field: &str) -> Option<String> {
    let known = profile.switches.iter().find(|(name, _)| name == switch).map(|(_, known)| known.as_slice()).unwrap_or_default();
    let several = field.split([',', ' ']).filter(|word| !word.is_empty() && *word != "/");
    let values: Vec<Option<String>> = several.map(|word| tail(word, |part| profile.lists(switch, part))).collect();
    let first = values.first().cloned().flatten()?;
    let patterns: Option<BTreeSet<&String>> =
        values.iter().map(|value| value.as_deref().and_then(|v| known.iter().find(|pattern| matches(pattern, v)))).collect();
    (patterns?.len() == 1).then_some(first)
}

/// A name without what stands before it (`models/`, `us.vendor.`), the longest that is known.
fn tail(name: &str, known: impl Fn(&str) -> bool) -> Option<String> {
    let cuts = name.char_indices().filter(|(_, c)| matches!(c, '/' | '.')).map(|(at, _)| at + 1);
    let tails = std::iter::once(0).chain(cuts).filter_map(|at| name.get(at..));
    tails.map(str::to_owned).find(|part| known(part))
}

/// A pattern of a switch is a word, or one with `*` at its end.
fn matches(pattern: &str, value: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == value, |start| value.starts_with(start))
}

#[cfg(test)]
mod tests {
    use schemalect::rules::Library;

    use super::*;

    #[test]
    fn values() {
        let yaml = "profile: p\ntitle: t\nwire: { name: /name, description: /description, schema: /parameters }\nstages: [s]\n\
                    switches: { model: [any, gpt-5*, gpt-4*, claude-*], api: [chat, responses], strict: [\"false\", \"true\"] }\nrules: []\n";
        let library = Library::new([], [("p.yaml".to_owned(), yaml.to_owned())]).expect("the profile reads");
        let profile = library.profile("p").expect("it is there");
        let check = |fields: serde_json::Value, expected: &[(&str, &str)]| {
            let mut line = serde_json::json!({"id": "a", "profile": "p", "kind": "schema", "input": {}, "outcome": "accepted"});
            for (key, value) in fields.as_object().into_iter().flatten() {
                line[key] = value.clone();
            }
            let verdicts = crate::verdict::read("here", &line.to_string()).expect("a verdict");
            let expected: Vec<_> = expected.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            assert_eq!(of(&verdicts[0], &profile), expected, "{fields}");
        };
        check(serde_json::json!({"model": "gpt-4o"}), &[("model", "gpt-4o")]);
        check(serde_json::json!({"model": "openai/gpt-5.2-mini"}), &[("model", "gpt-5.2-mini")]);
        check(serde_json::json!({"model": "us.anthropic.claude-sonnet-4-5-v1:0"}), &[("model", "claude-sonnet-4-5-v1:0")]);
        check(serde_json::json!({"model": "gpt-4o, gpt-4.1"}), &[("model", "gpt-4o")]);
        check(serde_json::json!({"model": "gpt-4o / gpt-5"}), &[]);
        check(serde_json::json!({"model": "gpt-4o / o1"}), &[]);
        check(serde_json::json!({"model": "all"}), &[]);
        check(serde_json::json!({"api": "responses", "strict": true}), &[("api", "responses"), ("strict", "true")]);
        check(serde_json::json!({"model": "gpt-4o", "switches": {"model": "gpt-5", "no": "x"}}), &[("model", "gpt-5")]);
    }
}
