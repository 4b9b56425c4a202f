//! What adapting promises of values.
//!
//! A value that the tool takes is encoded, has to fit the adapted schema, and comes back as it was; unless a rewrite on
//! its way says that it narrows. A value that the adapted schema takes comes back as one that the tool takes, unless a
//! rewrite says that it widens. What a rewrite says is so held against what it does.

use std::collections::BTreeMap;

use schemalect::{Validation, Validator};
use schemalect_engine::adapt::{Adapted, Options, adapt};
use schemalect_engine::check::{Given, Tool};
use schemalect_engine::log::Event;
use schemalect_engine::restore::{RestoreOptions, RestorePlan, Restored, encode, restore};
use schemalect_engine::{Budget, Effects, Plan, Tree};
use serde_json::Value;

use crate::Rng;
use crate::instances::{Generator, Instance, Style, spoil};
use crate::trace::Place;

/// So many tries for each value that is wanted.
const TRIES: usize = 6;
/// Of a value in a report, so many characters.
const SHOWN: usize = 400;

/// A schema with values to try on it.
pub struct Subject {
    tree: Tree,
    judge: Validator,
    /// Only objects are arguments, though the schema may leave that open.
    objects: bool,
    /// A reference leads to the root or into the middle of the schema, so its places are about more than they say.
    loops: bool,
    /// Values that the schema takes.
    pub valid: Vec<Instance>,
    /// Values that it nearly takes.
    near: Vec<Value>,
}

/// What came of a subject under a plan.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Values that were tried.
    pub instances: usize,
    /// Of these, values with keys that nobody declared.
    pub undeclared: usize,
    /// Values that the adapted schema takes and were tried on the way back.
    pub answers: usize,
    /// Of these, how many came back with a word of what is wrong.
    pub reported: usize,
    /// Values that came back with their keys in another order: from a list of entries beside declared properties, or with a null that had been
    /// left out at the end.
    pub reordered: usize,
    /// Values that came back with null where they had nothing, or the other way round, which are one for the target.
    pub null_or_absent: usize,
    /// Schemas whose adapted form the judge cannot read whole.
    pub unjudged: usize,
    /// Values that can no longer be written, by rule and operation.
    pub lost: BTreeMap<String, usize>,
    /// Likewise, of those with keys that nobody declared.
    pub lost_undeclared: BTreeMap<String, usize>,
    /// Values that can be written and the tool refuses, by rule and operation.
    pub gained: BTreeMap<String, usize>,
    /// Promises that were broken.
    pub violations: Vec<String>,
}

impl Outcome {
    /// Both together.
    #[must_use]
    pub fn join(mut self, other: Outcome) -> Outcome {
        for (mine, theirs) in [
            (&mut self.instances, other.instances),
            (&mut self.undeclared, other.undeclared),
            (&mut self.answers, other.answers),
            (&mut self.reported, other.reported),
            (&mut self.reordered, other.reordered),
            (&mut self.unjudged, other.unjudged),
            (&mut self.null_or_absent, other.null_or_absent),
        ] {
            *mine += theirs;
        }
        for (mine, theirs) in
            [(&mut self.lost, other.lost), (&mut self.lost_undeclared, other.lost_undeclared), (&mut self.gained, other.gained)]
        {
            for (rule, count) in theirs {
                *mine.entry(rule).or_default() += count;
            }
        }
        self.violations.extend(other.violations);
        self
    }
}

impl Subject {
    /// Reads a schema and makes values for it; `None` where it cannot be read or judged.
    #[must_use]
    pub fn of(text: &str, wanted: usize, seed: u64) -> Option<Subject> {
        let tree = Tree::parse(text, &Budget::default()).ok()?;
        let schema = undated(tree.to_value(tree.root()));
        let judge = Validator::new(&schema);
        if !judges_whole(&judge) {
            return None;
        }
        // Arguments are an object wherever a schema leaves that open.
        let open = schema.get("type").is_none_or(|t| t == "object" || t.as_array().is_some_and(|l| l.iter().any(|t| t == "object")));
        let fits = |value: &Value| (value.is_object() || !open) && judge.is_valid(value);
        let mut rng = Rng::new(seed);
        let mut made = Generator::new(&schema, seed);
        let mut valid: Vec<Instance> = Vec::new();
        let mut near = Vec::new();
        for i in 0..wanted * TRIES {
            if valid.len() >= wanted {
                break;
            }
            let instance = made.instance(Style::ALL[i % Style::ALL.len()]);
            if !fits(&instance.value) {
                if !judge.is_valid(&instance.value) {
                    near.push(instance.value);
                }
            } else if !valid.iter().any(|v| v.value == instance.value) || i > wanted * 2 {
                let mut spoiled = instance.value.clone();
                spoil(&mut spoiled, &mut rng);
                if !judge.is_valid(&spoiled) {
                    near.push(spoiled);
                }
                valid.push(instance);
            }
        }
        near.truncate(wanted);
        Some(Subject { tree, judge, objects: open, loops: leads_anywhere(&schema), valid, near })
    }

    /// Tries the values on what the plan makes of the schema.
    #[must_use]
    pub fn judge(&self, plan: &Plan, allow: Effects, seed: u64) -> Outcome {
        let tool = Tool { name: Given::Text("tool"), description: Given::Missing, schema: Some((&self.tree, self.tree.root())) };
        let adapted = adapt(plan, &tool, &Options { allow, types: true, ..Options::default() });
        let mut out = Outcome::default();
        let Some(tree) = &adapted.schema else { return out };
        if adapted.events.is_empty() {
            // The same schema takes the same values.
            out.instances = self.valid.len();
            out.undeclared = self.valid.iter().filter(|i| i.undeclared).count();
            return out;
        }
        let schema = undated(tree.to_value(tree.root()));
        let trial = Trial { subject: self, adapted: &adapted, judge: Validator::new(&schema) };
        if !judges_whole(&trial.judge) {
            if trial.judge.unchecked().iter().all(|u| !u.path.is_empty()) {
                out.unjudged += 1;
                return out;
            }
            let why: Vec<_> = trial.judge.unchecked().iter().map(|u| format!("{} {}", u.path, u.reason)).collect();
            out.violations.push(format!("the adapted schema cannot be judged: {}", cut(&why.join("; "), SHOWN)));
            return out;
        }
        for instance in &self.valid {
            trial.there(instance, &mut out);
        }
        for value in &self.near {
            trial.near(value, &mut out);
        }
        let mut made = Generator::new(&schema, seed);
        for i in 0..self.valid.len() {
            let answer = made.instance(Style::ALL[i % Style::ALL.len()]).value;
            if trial.judge.is_valid(&answer) && (answer.is_object() || !self.objects) {
                trial.back(&answer, &mut out);
            }
        }
        out
    }
}

struct Trial<'s> {
    subject: &'s Subject,
    adapted: &'s Adapted,
    judge: Validator,
}

impl Trial<'_> {
    /// A value of the tool is encoded, fits, and comes back.
    fn there(&self, instance: &Instance, out: &mut Outcome) {
        out.instances += 1;
        out.undeclared += usize::from(instance.undeclared);
        let value = &instance.value;
        let coded = self.encode(value);
        if !coded.is_clean() {
            let paths: Vec<_> = coded.issues.iter().map(|i| (i.path.as_str(), None)).collect();
            let why = format!("cannot be encoded: {}", words(&coded));
            return self.lost(instance, (&paths, Side::Between), &coded.arguments, &why, out);
        }
        let returned = self.restore(&coded.arguments);
        match (returned.is_clean(), compare(value, &returned.arguments)) {
            (true, Same::Equal) => {}
            (true, Same::ButNull) => out.null_or_absent += 1,
            (true, Same::ButOrder) if self.adapted.events.iter().any(moves_members) => out.reordered += 1,
            _ => {
                let what = format!("comes back otherwise: {} {}", difference("", value, &returned.arguments), words(&returned));
                return self.broken(&what, value, &coded.arguments, out);
            }
        }
        let found = self.judge.validate(&coded.arguments);
        if !found.valid {
            self.lost(instance, (&wrong(&found), Side::Output), &coded.arguments, &told(&found), out);
        }
    }

    fn lost(&self, instance: &Instance, (paths, side): (&[Wrong<'_>], Side), coded: &Value, why: &str, out: &mut Outcome) {
        let rule = self.blame(Effects::NARROWS, paths, side);
        match rule {
            Some(rule) if instance.undeclared => *out.lost_undeclared.entry(rule).or_default() += 1,
            Some(rule) => *out.lost.entry(rule).or_default() += 1,
            None => self.broken(&format!("is lost: {why}"), &instance.value, coded, out),
        }
    }

    /// A value that the tool refuses cannot be written either.
    fn near(&self, value: &Value, out: &mut Outcome) {
        let coded = self.encode(value);
        if coded.is_clean() && self.judge.is_valid(&coded.arguments) && (coded.arguments.is_object() || !self.subject.objects) {
            self.back(&coded.arguments, out);
        }
    }

    /// What the model writes comes back as something that the tool takes.
    fn back(&self, answer: &Value, out: &mut Outcome) {
        out.answers += 1;
        let returned = self.restore(answer);
        if !returned.is_clean() {
            // It never reaches the tool.
            out.reported += 1;
            return;
        }
        let found = self.subject.judge.validate(&returned.arguments);
        if found.valid {
            return;
        }
        match self.blame(Effects::WIDENS, &wrong(&found), Side::Input) {
            Some(rule) => *out.gained.entry(rule).or_default() += 1,
            None => self.broken(&format!("is gained: {}", told(&found)), &returned.arguments, answer, out),
        }
    }

    /// The rewrite that says so and stands nearest.
    fn blame(&self, effect: Effects, paths: &[Wrong<'_>], side: Side) -> Option<String> {
        let events = self.adapted.events.iter().filter(|e| e.effect.meets(effect) || e.effect.meets(Effects::LOSSY));
        let near = events.flat_map(|event| side.pointers(event).map(move |pointer| (event, pointer))).filter_map(|(event, pointer)| {
            let place = if self.subject.loops { Place::of(pointer).anywhere() } else { Place::of(pointer) };
            let meets = |(value, schema): &Wrong<'_>| place.meets(value) || schema.is_some_and(|s| within(s, pointer));
            paths.iter().any(meets).then(|| (place.len(), event))
        });
        near.max_by_key(|(len, _)| *len).map(|(_, event)| {
            let rule = event.rule.split_once('/').map_or(&*event.rule, |(_, rule)| rule);
            format!("{rule} {}", event.operation)
        })
    }

    fn broken(&self, what: &str, value: &Value, coded: &Value, out: &mut Outcome) {
        let events: Vec<String> =
            self.adapted.events.iter().map(|e| format!("{} {} {} {}", e.rule, e.operation, e.effect, e.input)).collect();
        let events = if events.len() > 12 { format!("{} events", events.len()) } else { events.join("; ") };
        out.violations.push(format!("{} / {} {what} [{events}]", shown(value), shown(coded)));
    }

    fn encode(&self, value: &Value) -> Restored {
        self.map(value, encode)
    }

    fn restore(&self, value: &Value) -> Restored {
        self.map(value, restore)
    }

    fn map(&self, value: &Value, map: impl Fn(&RestorePlan, Value, &RestoreOptions) -> Restored) -> Restored {
        match &self.adapted.plan {
            Some(plan) => map(plan, value.clone(), &RestoreOptions::default()),
            None => Restored { arguments: value.clone(), issues: Vec::new() },
        }
    }
}

/// The schema whose places a pointer into a value is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Input,
    Output,
    /// Some stages have been carried out, and others not.
    Between,
}

impl Side {
    fn pointers(self, event: &Event) -> impl Iterator<Item = &String> {
        let (input, output) = (Some(&event.input), Some(&event.output));
        let pair = match self {
            Side::Input => [input, None],
            Side::Output => [output, None],
            Side::Between => [input, output],
        };
        pair.into_iter().flatten()
    }
}

/// Whether a judge leaves out nothing that a value could be refused for.
fn judges_whole(judge: &Validator) -> bool {
    let harmless = ["a format nobody checks", "not valid in the schema's draft, read otherwise"];
    judge.unchecked().iter().all(|u| harmless.iter().any(|h| u.reason.starts_with(h)))
}

/// Whether some reference leads to a place that is no definition.
fn leads_anywhere(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(key, member)| match member.as_str() {
            Some(uri) if key == "$ref" => !uri.starts_with("#/$defs/") && !uri.starts_with("#/definitions/"),
            _ => leads_anywhere(member),
        }),
        Value::Array(items) => items.iter().any(leads_anywhere),
        _ => false,
    }
}

/// The schema as rewrites read it: in the words of all drafts at once, whichever it names.
fn undated(mut schema: Value) -> Value {
    if let Some(members) = schema.as_object_mut() {
        members.shift_remove("$schema");
    }
    schema
}

/// Where something is wrong: in the value, and in the schema if that is known.
type Wrong<'v> = (&'v str, Option<&'v str>);

fn wrong(found: &Validation) -> Vec<Wrong<'_>> {
    found.errors.iter().map(|e| (e.path.as_str(), Some(e.schema_path.as_str()))).collect()
}

/// Whether one pointer leads through the other.
fn within(one: &str, other: &str) -> bool {
    let (long, short) = if one.len() < other.len() { (other, one) } else { (one, other) };
    !short.is_empty() && long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Same {
    Equal,
    /// But for the order of keys.
    ButOrder,
    /// But for nulls that one of them leaves out.
    ButNull,
    Different,
}

/// Whether a change puts members of an object elsewhere when they come back.
fn moves_members(event: &Event) -> bool {
    event.operation == "entries" || (event.operation == "null-as" && event.effect.meets(Effects::RECODES))
}

/// Compares values, the order of keys included; numbers as numbers.
fn compare(a: &Value, b: &Value) -> Same {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            let there = |map: &serde_json::Map<String, Value>, key: &String| map.contains_key(key);
            let (mine, theirs) = (x.iter().filter(|(k, _)| there(y, k)), y.iter().filter(|(k, _)| there(x, k)));
            let only = x.iter().filter(|(k, _)| !there(y, k)).chain(y.iter().filter(|(k, _)| !there(x, k)));
            let mut out = Same::Equal;
            for (_, value) in only {
                out = if value.is_null() && out != Same::Different { Same::ButNull } else { Same::Different };
            }
            for ((k, v), (l, _)) in mine.zip(theirs) {
                out = worse(out, if k == l { Same::Equal } else { Same::ButOrder });
                out = worse(out, compare(v, &y[k.as_str()]));
            }
            out
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            x.iter().zip(y).fold(Same::Equal, |all, (v, w)| worse(all, compare(v, w)))
        }
        (Value::Number(x), Value::Number(y)) if x == y || (x.is_f64() != y.is_f64() && x.as_f64() == y.as_f64()) => Same::Equal,
        _ if a == b => Same::Equal,
        _ => Same::Different,
    }
}

/// The first place where two values differ, and what stands there.
fn difference(path: &str, a: &Value, b: &Value) -> String {
    let found = match (a, b) {
        (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => {
            x.iter().find(|(k, v)| compare(v, &y[k.as_str()]) != Same::Equal).map(|(k, v)| (k.clone(), v, &y[k.as_str()]))
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            let mut pairs = x.iter().zip(y).enumerate();
            pairs.find(|(_, (v, w))| compare(v, w) != Same::Equal).map(|(i, (v, w))| (i.to_string(), v, w))
        }
        _ => None,
    };
    match found {
        Some((token, v, w)) => difference(&format!("{path}/{token}"), v, w),
        None => format!("{path}: {} -> {}", shown(a), shown(b)),
    }
}

fn worse(a: Same, b: Same) -> Same {
    a.max(b)
}

fn words(mapped: &Restored) -> String {
    mapped.issues.iter().map(|i| format!("{} {}", i.issue.word(), i.path)).collect::<Vec<_>>().join(", ")
}

fn told(found: &Validation) -> String {
    found.errors.iter().take(3).map(|e| format!("{} {}: {}", e.path, e.schema_path, cut(&e.message, 160))).collect::<Vec<_>>().join(" | ")
}

fn shown(value: &Value) -> String {
    cut(&value.to_string(), SHOWN)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_compare_by_keys_order_and_number() {
        for (a, b, same) in [
            (json!({"a": 5}), json!({"a": 5.0}), Same::Equal),
            (json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1}), Same::ButOrder),
            (json!({"a": 1}), json!({"a": 1, "b": null}), Same::ButNull),
            (json!([{"a": null}]), json!([{}]), Same::ButNull),
            (json!({"a": 1}), json!({"a": 1, "b": 2}), Same::Different),
            (json!([1]), json!([1, 2]), Same::Different),
        ] {
            assert_eq!(compare(&a, &b), same, "{a} {b}");
        }
    }
}
