//! Texts that no profile knows, but that name a tool and lead into its schema.

use super::judge::Judge;
use super::path::steps;
use super::tools::{Named, Part, mention};
use super::voice::Message;
use super::{Blamed, Pointed};

impl Judge<'_> {
    /// The tools that a message names, if it leads to a place in their schemas. A name alone is the whole schema.
    pub(super) fn pointed(&self, message: &Message) -> Vec<Pointed> {
        let Some(mention) = mention(&self.speech.speaks, &message.text, usize::MAX) else { return Vec::new() };
        let rest = mention.rest(&message.text).split([' ', '\'', '"', '`']).next().unwrap_or_default();
        let (tools, by_name) = match mention.among(self.tools) {
            Named::Index(tools) => (tools, false),
            Named::Name(tools) => (tools, true),
            Named::Nothing | Named::Unknown => return Vec::new(),
        };
        tools.into_iter().filter_map(|tool| self.pointed_at(tool, rest, by_name)).collect()
    }

    fn pointed_at(&self, tool: usize, rest: &str, by_name: bool) -> Option<Pointed> {
        let given = self.tools.get(tool)?;
        let schema = given.schema()?;
        let forms = self.speech.speaks.paths.iter().filter_map(|form| Some((*form, steps(*form, rest)?)));
        let place = forms.map(|(form, steps)| match self.part(&steps) {
            Part::Schema(steps) => schema.places(form, steps).first().copied(),
            _ => None,
        });
        let node = if rest.is_empty() { by_name.then_some(schema.root) } else { place.flatten().next() }?;
        Some(Pointed {
            profile: self.speech.profile.clone(),
            tool: Blamed { index: tool, name: given.name().map(str::to_owned) },
            path: schema.tree.pointer(schema.root, node),
        })
    }
}
