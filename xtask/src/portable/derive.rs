//! The bindings of several profiles as those of one that refuses what any of them refuses.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use indexmap::IndexMap;
use schemalect_engine::date::Day;
use schemalect_engine::plan::{Level, Site};
use schemalect_rules::{BindingInfo, Library, ProfileInfo, RuleInfo};
use serde_json::Value;

use super::write;

/// What was put together.
pub(super) struct Derived {
    pub(super) switches: IndexMap<String, Vec<String>>,
    pub(super) facts: BTreeMap<String, Value>,
    pub(super) bindings: Vec<Joined>,
}

/// A binding that stands for those of several members.
pub(super) struct Joined {
    pub(super) id: String,
    pub(super) rule: String,
    pub(super) site: Site,
    pub(super) level: Level,
    pub(super) only: IndexMap<String, Vec<String>>,
    pub(super) since: Option<String>,
    pub(super) until: Option<String>,
    pub(super) with: BTreeMap<String, Value>,
    pub(super) rewrite: Option<String>,
    pub(super) members: Vec<String>,
    pub(super) seen: Option<Day>,
}

/// How the values of a fact are put together, so that what any of them refuses is refused.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    /// What is accepted: what all accept.
    Common,
    /// What is refused: what any refuses.
    All,
    Least,
    Most,
    /// No one value says it; the bindings stay apart.
    Apart,
}

/// Puts the bindings of the members together, in the order of the members.
pub(super) fn derive(library: &Library, info: &ProfileInfo) -> Result<Derived> {
    let mut members = Vec::new();
    for name in &info.meets {
        members.push(library.profile(name).with_context(|| format!("{} meets {name}, which is unknown", info.name))?);
    }
    let rules: BTreeMap<String, RuleInfo> = library.rules().map(|rule| (rule.id.clone(), rule)).collect();
    let mut switches: IndexMap<String, Vec<String>> = IndexMap::new();
    let mut joined: Vec<Joined> = Vec::new();
    for member in &members {
        for (name, values) in &member.switches {
            let known = switches.entry(name.clone()).or_default();
            known.extend(values.iter().filter(|v| !known.contains(v)).cloned().collect::<Vec<_>>());
        }
        for binding in member.bindings.iter().filter(|b| b.level != Level::Style) {
            let rule = rules.get(&binding.rule).with_context(|| format!("{} binds {}", member.name, binding.rule))?;
            let one = Joined::of(member, binding, rule);
            match joined.iter_mut().find(|other| other.rule == one.rule && other.fits(&one, rule)) {
                Some(other) => other.join(one, rule),
                None => joined.push(one),
            }
        }
    }
    name_apart(&mut joined);
    for binding in &mut joined {
        binding.rewrite = binding.rewrite.take().map(|text| write::on_one_line(&text));
    }
    let used: Vec<&String> = joined.iter().flat_map(|binding| binding.only.keys()).collect();
    switches.retain(|name, _| used.contains(&name));
    let facts = shared(&mut joined);
    Ok(Derived { switches, facts, bindings: joined })
}

impl Joined {
    fn of(member: &ProfileInfo, binding: &BindingInfo, rule: &RuleInfo) -> Joined {
        let rewrite = binding.rewrite.clone().filter(|text| Some(text) != rule.rewrite.as_ref());
        let read = write::facts_in(&rule.when).into_iter().chain(write::facts_in(binding.rewrite.as_deref().unwrap_or_default()));
        let value = |name: String| {
            let own = binding.with.get(&name).or_else(|| member.facts.get(&name))?;
            let value = own.as_str().and_then(|text| text.strip_prefix("facts.")).and_then(|other| member.facts.get(other)).unwrap_or(own);
            Some((name, value.clone()))
        };
        Joined {
            id: binding.id.clone(),
            rule: binding.rule.clone(),
            site: rule.at,
            level: binding.level,
            only: binding.only.iter().cloned().collect(),
            since: binding.since.clone(),
            until: binding.until.clone(),
            with: read.filter_map(value).collect(),
            rewrite,
            members: vec![member.name.clone()],
            seen: binding.sources.iter().filter(|source| source.kind != "contradicts").filter_map(|source| source.date).max(),
        }
    }

    /// Whether the two can be one: their facts can be put together, and they are errors or dated warnings of the same days.
    fn fits(&self, other: &Joined, rule: &RuleInfo) -> bool {
        let apart = |name: &String| join_of(rule, name, &self.with[name]) == Join::Apart;
        let same = |name: &String| !apart(name) || self.with.get(name) == other.with.get(name);
        let own_level = self.level == other.level || (self.is_plain() && other.is_plain());
        own_level && self.id == other.id && self.with.keys().all(same) && self.with.len() == other.with.len()
    }

    /// It holds on every day and for all switches.
    fn is_plain(&self) -> bool {
        self.only.is_empty() && self.since.is_none() && self.until.is_none()
    }

    fn join(&mut self, other: Joined, rule: &RuleInfo) {
        if self.level != other.level {
            // What some refuse and others only warn of is refused.
            if other.level == Level::Error {
                *self = other;
            }
            return;
        }
        for (name, value) in other.with {
            let join = join_of(rule, &name, &value);
            self.with.entry(name).and_modify(|own| *own = put(join, own, &value)).or_insert(value);
        }
        self.only.retain(|switch, _| other.only.contains_key(switch));
        for (switch, values) in other.only {
            if let Some(own) = self.only.get_mut(&switch) {
                own.extend(values.into_iter().filter(|value| !own.contains(value)).collect::<Vec<_>>());
            }
        }
        self.since = match (self.since.take(), other.since) {
            (Some(a), Some(b)) => Some(if certain(&a) <= certain(&b) { a } else { b }),
            _ => None,
        };
        self.until = match (self.until.take(), other.until) {
            (Some(a), Some(b)) => Some(if certain(&a) >= certain(&b) { a } else { b }),
            _ => None,
        };
        self.rewrite = self.rewrite.take().or(other.rewrite);
        self.members.extend(other.members);
        self.seen = self.seen.max(other.seen);
    }
}

/// Two bindings of one id are told apart by their first member.
fn name_apart(joined: &mut [Joined]) {
    for at in 1..joined.len() {
        let (before, rest) = joined.split_at_mut(at);
        if let Some(binding) = rest.first_mut()
            && before.iter().any(|other| other.id == binding.id)
        {
            binding.id = format!("{}-of-{}", binding.id, binding.members[0]);
        }
    }
}

/// The day from which a `since` or `until` is certain, as it sorts.
fn certain(interval: &str) -> &str {
    let day = interval.rsplit("..").next().unwrap_or_default();
    if day.is_empty() { "9999" } else { day }
}

/// How values of a fact are put together, told from where the rule reads it.
fn join_of(rule: &RuleInfo, name: &str, value: &Value) -> Join {
    let fact = format!("facts.{name}");
    let Some((before, _)) = write::split_at_word(&rule.when, &fact) else {
        return match value {
            Value::Array(_) => Join::All,
            Value::Number(_) => Join::Least,
            _ => Join::Apart,
        };
    };
    let negated = before.match_indices("not:").any(|(at, _)| !before[..at].ends_with('-'));
    let key = before.trim_end().trim_end_matches(':');
    let key = &key[key.rfind(|c: char| !c.is_ascii_alphabetic() && c != '-').map_or(0, |at| at + 1)..];
    match key {
        _ if negated => Join::Apart,
        "keys-outside" | "not-in" | "except" | "lacks" => Join::Common,
        "has" | "in" | "off-type" | "uses" | "key" => Join::All,
        "above" | "longer" => Join::Least,
        "below" | "shorter" => Join::Most,
        _ => Join::Apart,
    }
}

fn put(join: Join, own: &Value, other: &Value) -> Value {
    match (join, own, other) {
        (Join::Common, Value::Array(a), Value::Array(b)) => a.iter().filter(|v| b.contains(v)).cloned().collect(),
        (Join::All, Value::Array(a), Value::Array(b)) => a.iter().chain(b.iter().filter(|v| !a.contains(v))).cloned().collect(),
        (Join::Least, a, b) if b.as_f64() < a.as_f64() => b.clone(),
        (Join::Most, a, b) if b.as_f64() > a.as_f64() => b.clone(),
        _ => own.clone(),
    }
}

/// Takes the facts that have one value wherever they are read out of the bindings.
fn shared(joined: &mut [Joined]) -> BTreeMap<String, Value> {
    let mut values: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (name, value) in joined.iter().flat_map(|binding| &binding.with) {
        let known = values.entry(name.clone()).or_default();
        if !known.contains(value) {
            known.push(value.clone());
        }
    }
    let facts: BTreeMap<String, Value> =
        values.into_iter().filter_map(|(name, v)| <[Value; 1]>::try_from(v).ok().map(|[v]| (name, v))).collect();
    joined.iter_mut().for_each(|binding| binding.with.retain(|name, _| !facts.contains_key(name)));
    facts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What two members with these facts of one rule become.
    fn check(when: &str, one: &Value, other: &Value, facts: &Value) {
        let rule = format!("rule: r\ntitle: t\nat: schema\nwhen: {when}\nwhy: w\nrewrite: [ refuse ]\n");
        let profile = |name: &str, facts: &Value, more: &str| {
            let text = format!(
                "profile: {name}\ntitle: t\nwire: {{ schema: /s }}\nstages: [s]\n{more}facts: {{ f: {facts} }}\n\
                 rules: [ {{ rule: r, stage: s, sources: [ {{ inferred: i, seen: 2026-01-01 }} ] }} ]\n"
            );
            (format!("{name}.yaml"), text)
        };
        let files = [profile("one", one, ""), profile("other", other, ""), profile("both", one, "meets: [one, other]\n")];
        let library = Library::new([("r.yaml".to_owned(), rule)], files).unwrap_or_else(|errors| panic!("{errors:?}"));
        let derived = derive(&library, &library.profile("both").expect("stands there")).expect("it is derived");
        let found = if derived.facts.is_empty() {
            derived.bindings.iter().map(|binding| json!([binding.id, binding.with["f"]])).collect()
        } else {
            json!(derived.facts["f"])
        };
        assert_eq!(&found, facts, "{when}");
    }

    #[test]
    fn facts_are_put_together_by_what_they_mean() {
        check("{ keys-outside: facts.f }", &json!(["type", "enum"]), &json!(["const", "type"]), &json!(["type"]));
        check("{ has: facts.f }", &json!(["oneOf"]), &json!(["not", "oneOf"]), &json!(["oneOf", "not"]));
        check("{ measure: { of: depth, over: schema, above: facts.f } }", &json!(9), &json!(5), &json!(5));
        check("{ value: { key: format, not-in: facts.f } }", &json!(["uri", "date"]), &json!(["date"]), &json!(["date"]));
        let patterns = json!([["r", "^a$"], ["r-of-other", "^b$"]]);
        check("{ text: { of: property-name, not-matches: facts.f } }", &json!("^a$"), &json!("^b$"), &patterns);
        check("{ text: { of: property-name, not-matches: facts.f } }", &json!("^a$"), &json!("^a$"), &json!("^a$"));
    }

    #[test]
    fn the_wider_term_holds() {
        for (one, other, wider) in [("..2025-05-01", "..2025-03-01", true), ("2025-03-01", "2025-04-01..", false)] {
            assert_eq!(certain(one) > certain(other), wider, "{one} {other}");
        }
    }
}
