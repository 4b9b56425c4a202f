//! The tools that were given, and which of them a message names.

use std::cell::OnceCell;

use schemalect_engine::check::Tool as View;
use schemalect_engine::refs::Refs;
use schemalect_engine::{Id, Kind, Kw};
use schemalect_rules::{Speaks, Wire};

use super::path::Step;
use super::place::Schema;
use crate::read::{Form, Tool, ToolList};

/// A tool, with its position over all lists.
pub(super) struct Given<'t> {
    pub(super) list: &'t ToolList,
    pub(super) tool: &'t Tool,
    refs: OnceCell<Refs>,
}

/// Which tools a message names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// It names none.
    Nothing,
    /// One that is not among those given.
    Unknown,
    /// These, by an index.
    Index(Vec<usize>),
    /// These, by a name.
    Name(Vec<usize>),
}

/// What a text says of a tool, and where in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mention {
    end: usize,
    index: Option<usize>,
    group: Option<usize>,
    name: Option<String>,
}

/// What of a tool a path speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'s> {
    Name,
    Description,
    /// The tool as a whole, or what stands beside its schema.
    Tool,
    /// The schema, and the path in it.
    Schema(&'s [Step]),
}

impl<'t> Given<'t> {
    /// The tools of all lists.
    pub(super) fn all(lists: &[&'t ToolList]) -> Vec<Given<'t>> {
        lists.iter().flat_map(|list| list.tools().iter().map(|tool| Given { list, tool, refs: OnceCell::new() })).collect()
    }

    pub(super) fn name(&self) -> Option<&'t str> {
        self.tool.name.as_str()
    }

    /// What rules see of it.
    pub(super) fn view(&self) -> View<'t> {
        match (&self.tool.problem, self.tool.form) {
            (None, Form::Schema | Form::Tool) => self.list.view(self.tool),
            _ => View::default(),
        }
    }

    pub(super) fn schema(&self) -> Option<Schema<'_>> {
        let (tree, root) = self.view().schema?;
        Some(Schema { tree, root, refs: self.refs.get_or_init(|| Refs::of(tree, root)) })
    }

    /// Its place in a list within a list of groups.
    fn in_group(&self) -> Option<(usize, usize)> {
        let tree = self.list.document().tree();
        let list = tree.parent(self.tool.entry)?;
        let around = |id: Id| tree.parent(id).filter(|p| tree.kind(*p) == Kind::Array).map(|_| tree.index(id));
        Some((around(tree.parent(list)?)?, around(self.tool.entry)?))
    }
}

/// The last mention of a tool that begins before a byte of a text, else the first after it.
pub(super) fn mention(speaks: &Speaks, text: &str, before: usize) -> Option<Mention> {
    let mut best: Option<Mention> = None;
    for pattern in &speaks.tools {
        let Some(regex) = pattern.regex() else { continue };
        for found in regex.captures_iter(text) {
            let Some(whole) = found.get(0) else { continue };
            let number = |group: &str| found.name(group).and_then(|m| m.as_str().parse::<usize>().ok());
            let index = number("index").or_else(|| number("ordinal").and_then(|n| n.checked_sub(1)));
            let name = found.name("tool").map(|m| m.as_str().to_owned());
            if index.is_none() && name.is_none() {
                continue;
            }
            let one = Mention { end: whole.end(), index, group: number("group"), name };
            let better = best.as_ref().is_none_or(|old| old.end < one.end && whole.start() <= before);
            if better {
                best = Some(one);
            }
        }
    }
    best
}

impl Mention {
    /// What follows it in its text.
    pub(super) fn rest<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.end..).unwrap_or_default()
    }

    /// The tools that are meant.
    pub(super) fn among(&self, tools: &[Given<'_>]) -> Named {
        if let Some(name) = &self.name {
            return of_name(name, tools);
        }
        let Some(index) = self.index else { return Named::Nothing };
        let within = |at: usize| if at < tools.len() { Named::Index(vec![at]) } else { Named::Index(Vec::new()) };
        let Some(group) = self.group else { return within(index) };
        let exact: Vec<usize> = (0..).zip(tools).filter(|(_, tool)| tool.in_group() == Some((group, index))).map(|(at, _)| at).collect();
        if !exact.is_empty() {
            return Named::Index(exact);
        }
        match (group, index) {
            (0, index) => within(index),
            // Each tool was sent in a group of its own.
            (group, 0) => within(group),
            _ => Named::Index(Vec::new()),
        }
    }
}

/// The tools of a name, or of one that was respelled to it.
fn of_name(name: &str, tools: &[Given<'_>]) -> Named {
    let all = |test: &dyn Fn(&str) -> bool| -> Vec<usize> {
        tools.iter().enumerate().filter(|(_, tool)| tool.name().is_some_and(test)).map(|(i, _)| i).collect()
    };
    let plain = |name: &str| -> String { name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect() };
    let mut found = all(&|n| n == name);
    if found.is_empty() {
        let wanted = plain(name);
        found = all(&|n| plain(n) == wanted);
    }
    match tools {
        [only] if only.name().is_none() => Named::Name(vec![0]),
        _ if found.is_empty() => Named::Unknown,
        _ => Named::Name(found),
    }
}

/// What a path speaks of, as the profile's wire form tells.
pub(super) fn part<'s>(wire: Option<&Wire>, steps: &'s [Step]) -> Part<'s> {
    let starts_in_schema = steps.first().is_some_and(|s| matches!(s, Step::Name(n) if Kw::of(n).is_some_and(|kw| kw != Kw::Description)));
    let Some(wire) = wire.filter(|_| !starts_in_schema) else { return Part::Schema(steps) };
    let schema = wire.own(&wire.schema);
    if let Some(rest) = after(schema, steps) {
        return Part::Schema(rest);
    }
    let last = |pointer: &str| matches!(steps, [only] if pointer.rsplit('/').next().is_some_and(|token| same(only, token)));
    let is = |pointer: &Option<String>| {
        pointer.as_ref().map(|p| wire.own(p)).is_some_and(|p| after(p, steps).is_some_and(<[Step]>::is_empty) || last(p))
    };
    if is(&wire.name) {
        Part::Name
    } else if is(&wire.description) {
        Part::Description
    } else if steps.is_empty() || begins(schema, steps) {
        Part::Tool
    } else {
        Part::Schema(steps)
    }
}

/// What follows a pointer in a path, where some steps may stand before it.
fn after<'s>(pointer: &str, steps: &'s [Step]) -> Option<&'s [Step]> {
    let tokens: Vec<&str> = pointer.split('/').skip(1).collect();
    let after = |tokens: &[&str], skip: usize| {
        let (head, rest) = steps.get(skip..)?.split_at_checked(tokens.len())?;
        head.iter().zip(tokens).all(|(step, token)| same(step, token)).then_some(rest)
    };
    // What names the tool may have taken the first steps with it.
    (0..=2).find_map(|skip| after(&tokens, skip)).or_else(|| tokens.get(1..).filter(|rest| rest.len() > 1).and_then(|rest| after(rest, 0)))
}

/// Whether a path ends before a pointer does.
fn begins(pointer: &str, steps: &[Step]) -> bool {
    let tokens = pointer.split('/').skip(1);
    steps.len() < tokens.clone().count() && steps.iter().zip(tokens).all(|(step, token)| same(step, token))
}

/// Whether a step is this token, in whatever letter case, with or without hyphens.
fn same(step: &Step, token: &str) -> bool {
    let letters = |text: &str| -> String { text.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect() };
    matches!(step, Step::Name(name) if letters(name) == letters(token))
}
