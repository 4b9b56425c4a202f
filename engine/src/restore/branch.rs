//! Unions: which branch a value belongs to.

use serde_json::Value;

use super::issue::{Issue, IssueKind, IssueLevel};
use super::plan::{Branch, Node, Step};
use super::shape::{count, same, type_of};
use super::walk::{At, Walk};

impl<'p> Walk<'p> {
    /// The branches whose values look like this one; where none does, those whose values are of its type.
    fn candidates(&mut self, branches: &'p [Branch], value: &Value, back: bool) -> Vec<&'p Branch> {
        let look = |b: &'p Branch| if back { &b.when } else { &b.was };
        let mut out: Vec<&Branch> = branches.iter().filter(|b| look(b).fits(value, &[], &mut self.fuel, 0)).collect();
        if out.is_empty() {
            let of = type_of(value);
            out = branches.iter().filter(|b| look(b).admits(&[], &mut self.fuel).admits(of)).collect();
        }
        out
    }

    pub(crate) fn restore_union(&mut self, branches: &'p [Branch], value: &mut Value, at: &At<'_>, depth: usize) {
        let candidates = self.candidates(branches, value, true);
        if candidates.iter().all(|b| b.then.is_none()) {
            if candidates.is_empty() {
                self.error(at, IssueKind::NoBranch, "the value fits no branch of the union");
            }
            return;
        }
        if let [Branch { then: Some(then), .. }] = candidates[..] {
            self.restore(then, value, at, depth.saturating_add(1));
            return;
        }
        let mut found: Option<(Value, Vec<Issue>, u32)> = None;
        let mut unsure = false;
        for branch in &candidates {
            let Some((tried, issues)) = self.attempt(branch, value, at, depth, true) else { return };
            let clean = !issues.iter().any(|i| i.level == IssueLevel::Error);
            if !clean || !branch.was.fits(&tried, &[], &mut self.fuel, 0) {
                continue;
            }
            // Text that holds just what the model was told to write as text is hardly meant as text.
            let told = branch.then.as_ref().is_some_and(Node::parses) && (tried.is_object() || tried.is_array());
            let evidence = branch.when.evidence(value).saturating_add(if told { 2 } else { 0 });
            match &found {
                Some((other, _, most)) if evidence <= *most => unsure |= evidence == *most && *other != tried,
                _ => {
                    found = Some((tried, issues, evidence));
                    unsure = false;
                }
            }
        }
        if unsure {
            self.note(at, IssueKind::AmbiguousBranch, "several branches of the union fit; it was read as the first");
        }
        match found {
            Some((restored, mut issues, _)) => {
                *value = restored;
                self.issues.append(&mut issues);
            }
            None => self.error(at, IssueKind::AmbiguousBranch, "it cannot be told which branch of the union the value belongs to"),
        }
    }

    pub(crate) fn encode_union(&mut self, branches: &'p [Branch], value: &mut Value, at: &At<'_>, depth: usize) {
        let candidates = self.candidates(branches, value, false);
        let of = type_of(value);
        let rival = |b: &Branch| b.then.is_some() && (b.when.types.is_empty() || b.when.types.admits(of));
        if candidates.iter().all(|b| b.then.is_none()) && candidates.len() < 2 && !branches.iter().any(rival) {
            if candidates.is_empty() {
                self.error(at, IssueKind::NoBranch, "the value fits no branch of the union");
            }
            return;
        }
        if let [only @ Branch { then: Some(then), .. }] = candidates[..]
            && branches.iter().all(|b| !b.when.types.is_empty())
            && !branches.iter().any(|b| !std::ptr::eq(b, only) && b.when.types.meets(only.when.types))
        {
            // No other branch has values of its type.
            self.encode(then, value, at, depth.saturating_add(1));
            return;
        }
        let mut second: Option<(Value, Vec<Issue>)> = None;
        for branch in &candidates {
            let Some((tried, issues)) = self.attempt(branch, value, at, depth, false) else { return };
            if issues.iter().any(|i| i.level == IssueLevel::Error) || !branch.when.fits(&tried, &[], &mut self.fuel, 0) {
                continue;
            }
            match self.comes_back(branches, &tried, value, at, depth) {
                Back::Same => {
                    second = Some((tried, issues));
                    break;
                }
                Back::ButNulls => {
                    second.get_or_insert((tried, issues));
                }
                Back::Other => {}
            }
        }
        match second {
            Some((encoded, mut issues)) => {
                *value = encoded;
                self.issues.append(&mut issues);
            }
            None => {
                self.error(at, IssueKind::AmbiguousBranch, "whatever branch of the union it is written in, it would be read in another");
            }
        }
    }

    /// What a branch makes of a copy of the value; `None` where there is no room for one.
    fn attempt(&mut self, branch: &'p Branch, value: &Value, at: &At<'_>, depth: usize, back: bool) -> Option<(Value, Vec<Issue>)> {
        let work = count(value, 0);
        if !self.has_fuel(at, work) {
            return None;
        }
        let mut copy = value.clone();
        let kept = std::mem::take(&mut self.issues);
        match &branch.then {
            Some(then) if back => self.restore(then, &mut copy, at, depth.saturating_add(1)),
            Some(then) => self.encode(then, &mut copy, at, depth.saturating_add(1)),
            None => {}
        }
        let issues = std::mem::replace(&mut self.issues, kept);
        Some((copy, issues))
    }

    /// What an encoded value is restored to, beside the one it was made of.
    fn comes_back(&mut self, branches: &'p [Branch], encoded: &Value, value: &Value, at: &At<'_>, depth: usize) -> Back {
        let work = count(encoded, 0);
        if !self.has_fuel(at, work) {
            return Back::Other;
        }
        let mut copy = encoded.clone();
        let kept = std::mem::take(&mut self.issues);
        self.restore_union(branches, &mut copy, at, depth);
        let issues = std::mem::replace(&mut self.issues, kept);
        match () {
            () if issues.iter().any(|i| i.level == IssueLevel::Error) => Back::Other,
            () if copy == *value => Back::Same,
            () if same_but_nulls(&copy, value) => Back::ButNulls,
            () => Back::Other,
        }
    }
}

/// How a value comes back.
enum Back {
    Same,
    /// With nulls that it did not have, or without some that it had.
    ButNulls,
    Other,
}

/// Whether values are one but for members that are null in one and absent in the other.
fn same_but_nulls(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            let fits = |(name, value): (&String, &Value), other: &serde_json::Map<String, Value>| match other.get(name) {
                Some(there) => same_but_nulls(value, there),
                None => value.is_null(),
            };
            x.iter().all(|member| fits(member, y)) && y.iter().all(|(name, value)| x.contains_key(name) || value.is_null())
        }
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(v, w)| same_but_nulls(v, w)),
        _ => same(a, b),
    }
}

impl Node {
    /// Whether the values of the node are JSON text.
    fn parses(&self) -> bool {
        matches!(self.steps.last(), Some(Step::ParseJson { .. }))
    }
}
