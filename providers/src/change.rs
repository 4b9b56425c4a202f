//! Changes in a profile's own words: one line a change, in the order in which the result is written.

use std::fmt;

use schemalect_engine::log::Event;
use schemalect_engine::path::token_name;
use schemalect_engine::plan::Site;
use schemalect_engine::{Id, Kind, Tree};

use crate::adapt::AdaptedTool;
use crate::surface::Surface;

/// A change as the profile tells it. It prints as `place: text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The place in the schema that is sent, spelled as the profile spells places; empty for the tool around it.
    pub place: String,
    /// What was done.
    pub text: String,
    /// The event that it tells, by its number.
    pub event: usize,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => f.write_str(&self.text),
            place => write!(f, "{place}: {}", self.text),
        }
    }
}

impl Surface {
    /// Whether the profile has words of its own for what it changes.
    #[must_use]
    pub fn words_changes(&self) -> bool {
        self.plan.rules.iter().any(|rule| rule.change.is_some())
    }

    /// What was changed of a tool, in the profile's words; an event that it has no words for is told by its operation.
    pub(crate) fn told(&self, tool: &AdaptedTool) -> Vec<Change> {
        let surface = tool.under(self);
        if !surface.words_changes() {
            return Vec::new();
        }
        let mut told: Vec<(Vec<usize>, Change)> = Vec::new();
        for (event, change) in tool.events.iter().enumerate() {
            let rule = surface.plan.rules.iter().find(|rule| rule.id == change.rule);
            let text = rule.and_then(|rule| rule.change.as_ref()?.tell(change)).unwrap_or_else(|| plainly(change));
            if text.is_empty() {
                continue;
            }
            let about_schema = rule.is_some_and(|rule| rule.site == Site::Schema);
            let place = if about_schema { surface.plan.paths.write(&change.output) } else { String::new() };
            let order = tool.schema.as_ref().filter(|_| about_schema).map(|tree| order(tree, &change.output));
            told.push((order.unwrap_or_default(), Change { place, text, event }));
        }
        // The sort keeps the order of events at one place.
        told.sort_by(|(a, _), (b, _)| a.cmp(b));
        told.into_iter().map(|(_, change)| change).collect()
    }
}

fn plainly(event: &Event) -> String {
    if event.what.is_empty() { event.operation.to_owned() } else { format!("{}: {}", event.operation, event.what) }
}

/// Where a place stands in a document, so that places sort as they are written.
fn order(tree: &Tree, pointer: &str) -> Vec<usize> {
    let mut at = tree.root();
    let mut out = Vec::new();
    for token in pointer.split('/').skip(1) {
        let name = token_name(token);
        let is = |(i, child): &(usize, Id)| match tree.kind(at) {
            Kind::Object => tree.key(*child) == name,
            _ => i.to_string() == name,
        };
        let Some((i, child)) = tree.children(at).enumerate().find(is) else { break };
        out.push(i);
        at = child;
    }
    out
}
