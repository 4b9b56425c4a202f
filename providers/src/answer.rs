//! The answers of `adapt`: the tools as they are sent, and the full account.

use std::borrow::Cow;

use schemalect_engine::log::Event;
use schemalect_engine::path::token_name;
use schemalect_engine::restore::{IssueLevel, RestoreOptions, encode};
use schemalect_rules::Wire;
use serde_json::Value;

use crate::adapt::{AdaptedList, AdaptedTool, Dropped, Outcome};
use crate::json::Json;
use crate::report::{Placed, write_finding, write_head, write_source};
use crate::surface::Surface;
use crate::wire::{self, ToolParts};

impl AdaptedList {
    /// Whether something is left out, kept with a residue, or still against the list.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.dropped.is_empty()
            || self.tools.iter().any(|t| t.outcome == Outcome::Residue)
            || self.request.iter().any(|p| p.finding.refuses())
    }

    /// What the request carries beside the list of tools, as JSON, for the surface that they were adapted to; `None` where that is nothing.
    #[must_use]
    pub fn beside(&self, surface: &Surface) -> Option<String> {
        let strict = self.tools.is_empty() || self.tools.iter().any(|tool| tool.outcome != Outcome::Unstrict && tool.foreign.is_none());
        let under = surface.lenient().filter(|_| !strict).unwrap_or(surface);
        under.wire.as_deref().map(|wire| &wire.request).filter(|members| !members.is_empty()).map(|members| wire::members(members))
    }

    /// Appends the full account as JSON.
    pub fn write_json(&self, json: &mut Json) {
        json.object(|json| {
            write_head(json, &self.profile, self.as_of);
            json.key("tools").list(&self.tools, write_tool);
            json.key("dropped").list(&self.dropped, write_dropped);
            json.key("request").object(|json| {
                json.key("findings").list(&self.request, write_finding);
            });
        });
    }

    /// Appends the restore plans of all tools, by the name that is sent.
    pub fn write_plan(&self, json: &mut Json) {
        json.object(|json| {
            json.key("version").value(1);
            write_head(json, &self.profile, self.as_of);
            json.key("tools").list(self.tools.iter().filter(|t| t.foreign.is_none()), |json, tool| {
                json.object(|json| {
                    json.key("name").opt_str(tool.name.as_deref()).key("original_name").opt_str(tool.original_name.as_deref());
                    json.key("plan").raw(&plan_json(tool));
                });
            });
        });
    }
}

impl AdaptedList {
    /// The entries of the request's list of tools, as JSON, for the surface that they were adapted to.
    #[must_use]
    pub fn wire(&self, surface: &Surface) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let mut shared: Vec<(&str, Vec<String>, usize)> = Vec::new();
        for tool in &self.tools {
            let under = tool.under(surface);
            let list = under.wire.as_deref().and_then(Wire::list).filter(|_| tool.foreign.is_none());
            match (list, shared.iter_mut().find(|(l, ..)| list == Some(l))) {
                (None, _) => out.push(tool.wire_entry(under)),
                (Some(_), Some((_, entries, _))) => entries.push(tool.wire_entry(under)),
                (Some(list), None) => {
                    shared.push((list, vec![tool.wire_entry(under)], out.len()));
                    // Its place, until all that belongs there is known.
                    out.push(String::new());
                }
            }
        }
        for (list, entries, at) in shared {
            if let Some(place) = out.get_mut(at) {
                *place = wire::shared(list, &entries);
            }
        }
        out
    }
}

impl AdaptedTool {
    /// The surface under which it is sent, of this one and its lenient sibling.
    pub(crate) fn under<'s>(&self, surface: &'s Surface) -> &'s Surface {
        surface.lenient().filter(|_| self.outcome == Outcome::Unstrict).unwrap_or(surface)
    }

    /// The tool as it stands among the others in a request.
    fn wire_entry(&self, surface: &Surface) -> String {
        if let Some(foreign) = &self.foreign {
            return foreign.clone();
        }
        let schema = self.schema_json();
        let other = self.other_for(surface);
        let parts =
            ToolParts { name: self.name.as_deref(), description: self.description.as_deref(), schema: schema.as_deref(), other: &other };
        wire::entry(surface.wire.as_deref(), &parts)
    }

    /// What the tool carries besides, with the arguments in it as the model would write them; those that have no form are left out.
    fn other_for(&self, surface: &Surface) -> Cow<'_, [(String, String)]> {
        let named = |key: &str| {
            let pointers = surface.wire.as_deref().map_or(&[][..], |w| &w.arguments);
            pointers.iter().any(|p| p.rsplit_once('/').is_some_and(|(_, token)| token_name(token) == key))
        };
        let Some(plan) = self.plan.as_ref().filter(|_| self.other.iter().any(|(key, _)| named(key))) else {
            return Cow::Borrowed(&self.other);
        };
        let written = |(key, json): &(String, String)| {
            let list = serde_json::from_str(json).ok().filter(|_| named(key));
            let Some(Value::Array(list)) = list else { return (key.clone(), json.clone()) };
            let forms = list.into_iter().map(|arguments| encode(plan, arguments, &RestoreOptions::default()));
            let forms = forms.filter(|e| !e.issues.iter().any(|i| i.level == IssueLevel::Error)).map(|e| e.arguments);
            (key.clone(), forms.collect::<Value>().to_string())
        };
        Cow::Owned(self.other.iter().map(written).collect())
    }

    /// Appends the schema alone; null where there is none.
    pub fn write_schema(&self, json: &mut Json) {
        json.raw(self.schema_json().as_deref().unwrap_or("null"));
    }

    fn schema_json(&self) -> Option<String> {
        self.schema.as_ref().map(|tree| tree.to_json(tree.root()))
    }
}

fn write_tool(json: &mut Json, tool: &AdaptedTool) {
    json.object(|json| {
        json.key("index").value(tool.index).key("name").opt_str(tool.name.as_deref());
        json.key("original_name").opt_str(tool.original_name.as_deref());
        json.key("outcome").str(tool.outcome.word()).key("description").opt_str(tool.description.as_deref());
        json.key("schema");
        tool.write_schema(json);
        json.key("effect").words(tool.effects.words());
        json.key("events").list(tool.events.iter().enumerate(), |json, (seq, event)| {
            json.object(|json| write_event(json, seq, event));
        });
        if !tool.changes.is_empty() {
            json.key("changes").list(&tool.changes, |json, change| {
                json.object(|json| {
                    json.key("place").str(&change.place).key("text").str(&change.text).key("event").value(change.event);
                });
            });
        }
        json.key("residue").list(&tool.residue, |json, finding| {
            write_finding(json, &Placed { finding: finding.clone(), place: None });
        });
        json.key("plan").raw(&plan_json(tool));
        if !tool.other.is_empty() {
            json.key("other").object(|json| {
                for (key, value) in &tool.other {
                    json.key(key).raw(value);
                }
            });
        }
        if let Some(foreign) = &tool.foreign {
            json.key("foreign").raw(foreign);
        }
    });
}

fn plan_json(tool: &AdaptedTool) -> String {
    tool.plan.as_ref().map_or_else(|| "null".to_owned(), |plan| plan.to_json().to_string())
}

fn write_dropped(json: &mut Json, dropped: &Dropped) {
    json.object(|json| {
        json.key("index").value(dropped.index).key("name").opt_str(dropped.name.as_deref());
        json.key("reason").str(&dropped.reason).key("findings").list(&dropped.findings, write_finding);
    });
}

/// Appends the members of an event.
pub fn write_event(json: &mut Json, seq: usize, event: &Event) {
    json.key("seq").value(seq).key("phase").str(event.phase.word());
    json.key("rule").str(&event.rule).key("operation").str(event.operation);
    json.key("effect").words(event.effect.words());
    json.key("input").str(&event.input).key("output").str(&event.output);
    for (name, node) in [("before", &event.before), ("after", &event.after)] {
        json.key(name);
        match node.as_str() {
            "" => json.raw("null"),
            node if is_json(node) => json.raw(node),
            // Cut where large: a text that shows the beginning.
            node => json.str(node),
        };
    }
    json.key("what").str(&event.what).key("why").str(&event.why);
    json.key("sources").list(event.sources.iter(), write_source);
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok()
}
