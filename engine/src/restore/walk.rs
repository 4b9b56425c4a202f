//! A stage carried out: down the value and the plan side by side.

use std::fmt::Write;

use serde_json::Value;

use super::RestoreOptions;
use super::issue::{Issue, IssueKind, IssueLevel};
use super::plan::{Node, Rest, Step};
use super::shape::{Fuel, MOST_DEPTH, count, lists, named};
use super::text::decode;
use crate::budget::Telling;
use crate::path::push_token;

/// No more issues than this are kept for one call.
const MOST_ISSUES: usize = 1000;

/// The way to a value; text is made of it for an issue only.
pub(crate) struct At<'a> {
    up: Option<&'a At<'a>>,
    step: Token<'a>,
}

enum Token<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    pub(crate) const ROOT: At<'static> = At { up: None, step: Token::Root };

    pub(crate) fn key(&'a self, key: &'a str) -> At<'a> {
        At { up: Some(self), step: Token::Key(key) }
    }

    pub(crate) fn index(&'a self, index: usize) -> At<'a> {
        At { up: Some(self), step: Token::Index(index) }
    }

    /// So many steps from the root.
    pub(crate) fn depth(&self) -> usize {
        self.up.map_or(0, |up| up.depth().saturating_add(1))
    }

    /// The JSON Pointer.
    pub(crate) fn pointer(&self) -> String {
        let mut out = self.up.map(At::pointer).unwrap_or_default();
        match self.step {
            Token::Root => {}
            Token::Key(key) => {
                out.push('/');
                push_token(&mut out, key);
            }
            Token::Index(index) => {
                let _ = write!(out, "/{index}");
            }
        }
        out
    }
}

pub(crate) struct Walk<'p> {
    pub(crate) defs: &'p [(String, Node)],
    pub(crate) fuel: Fuel,
    pub(crate) issues: Vec<Issue>,
    telling: Telling,
    /// The definitions that are being carried out, each with how deep: what leads to itself without a step down does so for ever.
    entered: Vec<(usize, usize)>,
    pub(crate) options: &'p RestoreOptions,
}

impl<'p> Walk<'p> {
    pub(crate) fn new(options: &'p RestoreOptions, arguments: &Value) -> Walk<'p> {
        Walk {
            defs: &[],
            fuel: Fuel::new(count(arguments, 0)),
            issues: Vec::new(),
            telling: Telling::default(),
            entered: Vec::new(),
            options,
        }
    }

    pub(crate) fn error(&mut self, at: &At<'_>, issue: IssueKind, message: impl Into<String>) {
        self.issue(at, issue, IssueLevel::Error, message);
    }

    pub(crate) fn note(&mut self, at: &At<'_>, issue: IssueKind, message: impl Into<String>) {
        self.issue(at, issue, IssueLevel::Note, message);
    }

    /// What reading the text at a place lost.
    pub(crate) fn lost(&mut self, at: &At<'_>, losses: Vec<Issue>) {
        for loss in losses {
            if self.issues.len() < MOST_ISSUES && !self.telling.is_over() {
                let path = at.pointer() + &loss.path;
                self.telling.takes(path.len());
                self.issues.push(Issue { path, ..loss });
            }
        }
    }

    fn issue(&mut self, at: &At<'_>, issue: IssueKind, level: IssueLevel, message: impl Into<String>) {
        if self.issues.len() < MOST_ISSUES && !self.telling.is_over() {
            let (path, message) = (at.pointer(), message.into());
            self.telling.takes(path.len().saturating_add(message.len()));
            self.issues.push(Issue { path, issue, level, message });
        }
    }

    /// Whether there is room for another look; says so once if there is not.
    pub(crate) fn may(&mut self, at: &At<'_>, depth: usize) -> bool {
        if depth > MOST_DEPTH {
            self.error(at, IssueKind::TooDeep, "nested too deeply to be mapped");
            return false;
        }
        self.has_fuel(at, 1)
    }

    pub(crate) fn has_fuel(&mut self, at: &At<'_>, work: u64) -> bool {
        if self.fuel.spend(work) {
            return true;
        }
        if !self.issues.iter().any(|i| i.issue == IssueKind::OverBudget) {
            self.error(at, IssueKind::OverBudget, "too much work; what is left is as it came");
        }
        false
    }

    /// Maps a model's value back: what is below first, for its plan follows the shape that the model writes.
    pub(crate) fn restore(&mut self, node: &'p Node, value: &mut Value, at: &At<'_>, depth: usize) {
        if !self.may(at, depth) {
            return;
        }
        let mark = self.issues.len();
        if !node.branches.is_empty() {
            self.restore_union(&node.branches, value, at, depth);
        }
        self.read_container(node, value, at);
        self.below(node, value, at, depth, Walk::restore);
        for step in node.steps.iter().rev() {
            self.undo(step, value, at, mark);
        }
    }

    /// Reads JSON text in the place of what stands for a map or a tuple, where slips are read.
    fn read_container(&mut self, node: &Node, value: &mut Value, at: &At<'_>) {
        let Value::String(text) = &*value else { return };
        let expected = node.steps.iter().any(|s| matches!(s, Step::Entries(e) if e.rest.is_none()) || matches!(s, Step::Fields(_)));
        if !expected || !self.options.lenient.json_text || !self.has_fuel(at, text.len() as u64 / 4) {
            return;
        }
        if let Some(decoded) = decode(text).ok().filter(|d| d.value.is_array() || d.value.is_object()) {
            *value = decoded.value;
            self.note(at, IssueKind::JsonText, "text was read as the JSON that it writes");
            self.lost(at, decoded.losses);
        }
    }

    /// Maps a tool's value forth: its own steps first.
    pub(crate) fn encode(&mut self, node: &'p Node, value: &mut Value, at: &At<'_>, depth: usize) {
        if !self.may(at, depth) {
            return;
        }
        for step in &node.steps {
            self.carry_out(step, value, at);
        }
        self.below(node, value, at, depth, Walk::encode);
        if !node.branches.is_empty() {
            self.encode_union(&node.branches, value, at, depth);
        }
    }

    fn below(&mut self, node: &'p Node, value: &mut Value, at: &At<'_>, depth: usize, go: Go<'p>) {
        match value {
            Value::Object(map) if node.rest.is_some() || !node.properties.is_empty() => {
                for (name, value) in map.iter_mut() {
                    if let Some(inner) = named(&node.properties, name).or_else(|| node.rest.as_deref().and_then(|r| r.of(name))) {
                        go(self, inner, value, &at.key(name), depth.saturating_add(1));
                    }
                }
            }
            Value::Array(list) if node.items.is_some() || !node.prefix.is_empty() => {
                for (i, value) in list.iter_mut().enumerate() {
                    match node.prefix.get(i).or(node.items.as_deref()) {
                        Some(inner) if !inner.is_empty() => go(self, inner, value, &at.index(i), depth.saturating_add(1)),
                        Some(_) => {}
                        None => break,
                    }
                }
            }
            _ => {}
        }
        for inner in &node.all {
            go(self, inner, value, at, depth.saturating_add(1));
        }
        if let Some((target, (_, inner))) = node.target.and_then(|t| Some((t, self.defs.get(t)?))) {
            let place = at.depth();
            if self.entered.iter().rev().take_while(|(_, p)| *p == place).any(|(t, _)| *t == target) {
                self.error(at, IssueKind::TooDeep, "a definition that leads back to itself has no end");
                return;
            }
            self.entered.push((target, place));
            go(self, inner, value, at, depth.saturating_add(1));
            self.entered.pop();
        }
    }
}

/// Which way a walk goes.
type Go<'p> = fn(&mut Walk<'p>, &'p Node, &mut Value, &At<'_>, usize);

impl Rest {
    fn of(&self, name: &str) -> Option<&Node> {
        if lists(&self.named, name) {
            return None;
        }
        let found = self.patterns.iter().find(|(pattern, _)| pattern.fits(name));
        Some(found.map_or(&self.node, |(_, node)| node))
    }
}
