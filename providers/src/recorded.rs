//! What answers the rules of the built-in profiles rest on, as it was counted when they were released.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde_json::{Map, Value};

const COUNTED: &str = include_str!("../verdicts.json");

/// How many answers of a built-in profile's surface are recorded, and how many of engines and SDKs that were run for it; none where no
/// built-in profile has this name.
#[must_use]
pub fn recorded(profile: &str) -> Option<(usize, usize)> {
    let own = counted().get(profile)?;
    let number = |key: &str| own[key].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or_default();
    Some((number("verdicts"), number("executed")))
}

/// The recorded answers that a binding explains, at the built-in profile that declares it.
#[must_use]
pub fn recorded_of(profile: &str, binding: &str) -> Vec<&'static str> {
    let ids = rule(profile, binding).and_then(|rule| rule["verdicts"].as_array());
    ids.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Of each engine that was run, how many answers a binding explains.
#[must_use]
pub fn executed_of(profile: &str, binding: &str) -> BTreeMap<&'static str, u64> {
    let engines = rule(profile, binding).and_then(|rule| rule["executed"].as_object());
    engines.into_iter().flatten().filter_map(|(engine, count)| Some((engine.as_str(), count.as_u64()?))).collect()
}

fn rule(profile: &str, binding: &str) -> Option<&'static Value> {
    counted().get(profile)?.get("rules")?.get(binding)
}

fn counted() -> &'static Map<String, Value> {
    static PARSED: OnceLock<Map<String, Value>> = OnceLock::new();
    PARSED.get_or_init(|| serde_json::from_str(COUNTED).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read() {
        assert!(recorded("gemini").is_some_and(|(verdicts, executed)| verdicts > 0 && executed > 0));
        assert_eq!(recorded("no-such-profile"), None);
        assert!(!recorded_of("gemini", "type-list").is_empty());
        assert!(executed_of("llguidance", "keyword-refused").contains_key("llguidance-1.9.1"));
        assert!(recorded_of("gemini", "no-such-rule").is_empty() && executed_of("gemini", "no-such-rule").is_empty());
    }
}
