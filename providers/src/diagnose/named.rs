//! What a message names: the tools, and the places in them.

use schemalect_engine::Id;
use schemalect_engine::finding::Subject;
use schemalect_rules::PathForm;

use super::judge::Judge;
use super::path::{Step, steps};
use super::tools::{Named, Part, mention, part};
use super::voice::{Hit, Message};

/// A path of a message in one tool.
pub(super) struct Place {
    pub(super) subject: Subject,
    pub(super) node: Option<Id>,
    /// It names more than what every tool has.
    pub(super) telling: bool,
}

impl Judge<'_> {
    /// The tools that the message names, and whether it names a place.
    pub(super) fn named(&self, hits: &[Hit], message: &Message) -> (Named, bool) {
        let speaks = &self.speech.speaks;
        let (start, end) = hits.iter().fold((usize::MAX, 0), |(s, e), hit| (s.min(hit.start), e.max(hit.end)));
        let own = message.text.get(start..end).unwrap_or_default();
        let in_paths = hits.iter().filter_map(|hit| hit.path.as_deref()).find_map(|path| mention(speaks, path, 0));
        let found = in_paths
            .or_else(|| mention(speaks, own, own.len()))
            .or_else(|| mention(speaks, &message.text, end))
            .or_else(|| mention(speaks, message.beside.as_deref()?, usize::MAX));
        let named = found.map_or(Named::Nothing, |m| m.among(self.tools));
        let place = hits.iter().any(|hit| self.paths(hit, message).iter().any(|(_, steps)| tells(self.part(steps))));
        (named, place)
    }

    /// The path that a hit speaks of, in every spelling in which it may be written.
    pub(super) fn paths(&self, hit: &Hit, message: &Message) -> Vec<(PathForm, Vec<Step>)> {
        let speaks = &self.speech.speaks;
        let rest = match &hit.path {
            Some(path) => mention(speaks, path, usize::MAX).map_or(path.as_str(), |m| m.rest(path)),
            // What is written on from the tool, without a blank.
            None => match mention(speaks, &message.text, hit.end) {
                Some(m) => m.rest(&message.text).split([' ', '\'', '"', '`']).next().unwrap_or_default(),
                None => message.beside.as_deref().and_then(|b| mention(speaks, b, usize::MAX).map(|m| m.rest(b))).unwrap_or_default(),
            },
        };
        if rest.is_empty() {
            // A path that is empty by itself is the schema; after a tool it says nothing more.
            let schema = self.speech.wire.as_ref().map_or("", |wire| wire.own(&wire.schema));
            let whole = hit.path.as_ref().and_then(|_| steps(PathForm::Pointer, schema));
            return whole.into_iter().map(|steps| (PathForm::Pointer, steps)).collect();
        }
        let own = self.speech.says.get(hit.says).map(|says| says.paths.as_slice()).unwrap_or_default();
        let forms = if own.is_empty() { self.speech.speaks.paths.as_slice() } else { own };
        forms.iter().filter_map(|form| Some((*form, steps(*form, rest)?))).collect()
    }

    pub(super) fn part<'s>(&self, steps: &'s [Step]) -> Part<'s> {
        part(self.speech.wire.as_ref(), steps)
    }

    /// Where in a tool a path leads.
    pub(super) fn places(&self, tool: usize, paths: &[(PathForm, Vec<Step>)]) -> Vec<Place> {
        let Some(given) = self.tools.get(tool) else { return Vec::new() };
        for (form, steps) in paths {
            let one = |subject| vec![Place { subject, node: None, telling: false }];
            let rest = match self.part(steps) {
                Part::Name => return one(Subject::Name),
                Part::Description => return one(Subject::Description),
                Part::Tool => return one(Subject::Tool),
                Part::Schema(rest) => rest,
            };
            let Some(schema) = given.schema() else { continue };
            let nodes = schema.places(*form, rest);
            if !nodes.is_empty() {
                let telling = |node| node != schema.root && schema.tree.parent(node) != Some(schema.root);
                let place = |node| Place { subject: Subject::Schema, node: Some(node), telling: telling(node) };
                return nodes.into_iter().map(place).collect();
            }
        }
        Vec::new()
    }
}

/// Whether a part of a tool names a place that not every tool has.
fn tells(part: Part<'_>) -> bool {
    matches!(part, Part::Schema([_, ..]))
}
