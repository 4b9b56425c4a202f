//! Offers a list of tools to a model: each is conformed to a profile, what cannot be is left out, and every decision is data that can be shown.

mod census;
#[cfg(feature = "log")]
mod log_once;

use std::fmt::Write as _;

use schemalect_engine::finding::Subject;
use schemalect_engine::log::Event;
use schemalect_engine::plan::{Rule, Site};
use schemalect_engine::{Effects, Finding};

use crate::adapt::{AdaptOptions, AdaptedList, AdaptedTool, Dropped, Outcome};
use crate::json::Json;
use crate::read::ToolList;
use crate::report::{Placed, write_finding, write_head};
use crate::surface::Surface;

pub use census::{Census, Crowded, NameChoice, name_census};
#[cfg(feature = "log")]
pub use log_once::log_offer;

/// Choices for [`Surface::offer`].
#[derive(Clone, Debug, Default)]
pub struct OfferOptions {
    /// How each tool is adapted.
    pub adapt: AdaptOptions,
    /// What becomes of tools whose names come out equal.
    pub names: NameChoice,
    /// Names that are taken already, by tools of the program's own.
    pub taken: Vec<String>,
}

/// A list of tools as it is offered, with what was done to each and what is left out.
#[derive(Debug)]
pub struct Offer {
    /// The tools to send, with the way back.
    pub list: AdaptedList,
    /// What there is to say of each tool, in the order of the input.
    pub notes: Vec<OfferNote>,
}

/// What there is to say of one tool.
#[derive(Clone, Debug)]
pub struct OfferNote {
    /// Its position in the input.
    pub index: usize,
    /// Its name in the input.
    pub name: Option<String>,
    /// The name that it is offered under; `None` where it is left out.
    pub offered_as: Option<String>,
    /// What became of it.
    pub fate: OfferFate,
    /// Why, in a sentence; empty where there is nothing to say.
    pub reason: String,
    /// What was wrong with it, in the order of the schema.
    pub defects: Vec<Defect>,
    /// The description that was written for it, where it came without one.
    pub description: Option<String>,
}

/// What became of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferFate {
    /// Offered as it came.
    Unchanged,
    /// Offered with repairs.
    Repaired,
    /// Left out: its schema or its name cannot be offered.
    Defective,
    /// Left out: another tool has the name that it would be offered under.
    NameTaken,
}

impl OfferFate {
    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            OfferFate::Unchanged => "unchanged",
            OfferFate::Repaired => "repaired",
            OfferFate::Defective => "defective",
            OfferFate::NameTaken => "name-taken",
        }
    }

    /// Whether the tool is offered.
    #[must_use]
    pub const fn is_offered(self) -> bool {
        matches!(self, OfferFate::Unchanged | OfferFate::Repaired)
    }
}

/// One thing that was wrong with a tool.
#[derive(Clone, Debug)]
pub struct Defect {
    /// `profile/rule`.
    pub rule: String,
    /// The check of the profile that the rule belongs to.
    pub stage: String,
    /// What of the tool it is about: its schema, name or description, or the tool as a whole.
    pub subject: &'static str,
    /// Pointer into the schema: as it came where it was repaired, else as far as it was brought.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// How it was repaired; `None` where it was not.
    pub repair: Option<String>,
}

impl Surface {
    /// Conforms each tool, leaves out what cannot be offered, and says why. One bad tool never harms the others.
    ///
    /// ```
    /// use schemalect::{OfferFate, OfferOptions, Profiles, ReadOptions, Selection, read};
    ///
    /// let tools = br#"[{"name": "a/b", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}},
    ///     {"name": "c", "inputSchema": {"type": "object", "properties": {"xs": {"type": "array"}}}}]"#;
    /// let surface = Profiles::builtin()?.resolve("personalclaw-portable", &Selection::on("2026-11-29".parse()?))?;
    /// let offer = surface.offer(&read(tools, &ReadOptions::default())?, &OfferOptions::default());
    /// let fates: Vec<_> = offer.notes.iter().map(|note| (note.offered_as.as_deref(), note.fate)).collect();
    /// assert_eq!(fates, [(Some("a_b"), OfferFate::Repaired), (None, OfferFate::Defective)]);
    /// assert_eq!(offer.notes[1].defects[0].path, "/properties/xs");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn offer(&self, list: &ToolList, options: &OfferOptions) -> Offer {
        let adapt = AdaptOptions { on_unfixable: None, ..options.adapt.clone() };
        let Ok(mut adapted) = self.adapt(list, &adapt) else {
            // Only the choice of an error, which was just taken away, makes one.
            return Offer { list: self.nothing(), notes: Vec::new() };
        };
        leave_out_nameless(&mut adapted);
        let crowded = census::settle(&mut adapted, self, options);
        let mut notes: Vec<OfferNote> = adapted.tools.iter().map(|tool| self.note_of(tool)).collect();
        notes.extend(adapted.dropped.iter().map(|dropped| note_of_dropped(dropped, &crowded)));
        notes.sort_by_key(|note| note.index);
        Offer { list: adapted, notes }
    }

    fn nothing(&self) -> AdaptedList {
        let (tools, dropped, request) = (Vec::new(), Vec::new(), Vec::new());
        AdaptedList { profile: self.name().to_owned(), as_of: self.as_of(), tools, dropped, request }
    }

    fn note_of(&self, tool: &AdaptedTool) -> OfferNote {
        let plan = tool.under(self).plan();
        let told = |event: &Event| {
            let rule = plan.rules.iter().find(|rule| rule.id == event.rule);
            let words = rule.and_then(|rule| rule.change.as_ref()?.tell(event));
            // What a profile does not tell is no defect.
            (words.as_deref() != Some("")).then(|| Defect {
                rule: event.rule.to_string(),
                stage: rule.map(|rule| rule.stage.to_string()).unwrap_or_default(),
                subject: about(rule, event),
                path: event.input.clone(),
                message: rule.map(|rule| rule.title.clone()).unwrap_or_default(),
                repair: Some(words.unwrap_or_else(|| format!("{}: {}", event.operation, event.what))),
            })
        };
        let defects: Vec<Defect> = in_order(tool).into_iter().filter_map(told).collect();
        let described = tool.events.iter().any(|e| e.operation == "describe") && tool.outcome != Outcome::Unchanged;
        let description = tool.description.clone().filter(|_| described);
        let fate = if tool.events.is_empty() { OfferFate::Unchanged } else { OfferFate::Repaired };
        let mut reason = String::new();
        if let Some(own) = tool.original_name.as_deref().filter(|own| tool.name.as_deref() != Some(own)) {
            let _ = write!(reason, "offered as {:?} for {own:?}", tool.name.as_deref().unwrap_or_default());
        }
        OfferNote { index: tool.index, name: tool.original_name.clone(), offered_as: tool.name.clone(), fate, reason, defects, description }
    }
}

/// The word for what an event is about.
fn about(rule: Option<&Rule>, event: &Event) -> &'static str {
    let parts = [Subject::Name, Subject::Description, Subject::Schema];
    let part = || parts.into_iter().map(Subject::word).find(|word| *word == event.what);
    match rule.map(|rule| rule.site) {
        Some(Site::Schema) => Subject::Schema.word(),
        _ => part().filter(|word| *word != Subject::Schema.word()).unwrap_or(Subject::Tool.word()),
    }
}

/// What has no name cannot be called: a name that was made up for it would lead back to nothing.
fn leave_out_nameless(adapted: &mut AdaptedList) {
    let AdaptedList { tools, dropped, .. } = adapted;
    tools.retain(|tool| {
        let named = tool.foreign.is_some() || tool.original_name.as_deref().is_some_and(|name| !name.trim().is_empty());
        if !named {
            let reason = "it has no name".to_owned();
            dropped.push(Dropped { index: tool.index, name: tool.original_name.clone(), reason, findings: Vec::new() });
        }
        named
    });
    dropped.sort_by_key(|d| d.index);
}

/// The events of a tool as a reader goes through the schema; where the profile tells its changes, in that order.
fn in_order(tool: &AdaptedTool) -> Vec<&Event> {
    if tool.changes.is_empty() {
        return tool.events.iter().collect();
    }
    tool.changes.iter().filter_map(|change| tool.events.get(change.event)).collect()
}

fn note_of_dropped(dropped: &Dropped, crowded: &[Crowded]) -> OfferNote {
    let taken = crowded.iter().find(|c| c.index == dropped.index);
    let defect = |placed: &Placed| {
        let Finding { rule, stage, path, message, subject, .. } = &placed.finding;
        let path = if *subject == Subject::Schema { path.clone() } else { String::new() };
        Defect { rule: rule.to_string(), stage: stage.to_string(), subject: subject.word(), path, message: message.clone(), repair: None }
    };
    OfferNote {
        index: dropped.index,
        name: dropped.name.clone(),
        offered_as: None,
        fate: if taken.is_some() { OfferFate::NameTaken } else { OfferFate::Defective },
        reason: dropped.reason.clone(),
        defects: dropped.findings.iter().map(defect).collect(),
        description: None,
    }
}

impl OfferNote {
    /// One line for a log: whose tool it is, which, and what about it; `None` where there is nothing to say.
    #[must_use]
    pub fn line(&self, owner: &str) -> Option<String> {
        let name = self.name.as_deref().map_or_else(|| format!("#{}", self.index), |name| format!("{name:?}"));
        let defects: Vec<String> = self.defects.iter().map(Defect::told).collect();
        let what = match self.fate {
            OfferFate::Unchanged => return None,
            OfferFate::Repaired if defects.is_empty() && self.description.is_none() => return None,
            OfferFate::Repaired => "is offered with repairs",
            OfferFate::Defective | OfferFate::NameTaken => "is left out",
        };
        let why = if defects.is_empty() { self.reason.clone() } else { defects.join("; ") };
        let line = format!("{owner}: tool {name} {what}{}{why}", if why.is_empty() { "" } else { ": " });
        // Names and values of an input must not begin a line of their own.
        Some(line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
    }
}

impl Defect {
    fn told(&self) -> String {
        let rule = self.rule.rsplit('/').next().unwrap_or_default();
        let place = match self.path.as_str() {
            _ if self.subject != Subject::Schema.word() => String::new(),
            "" => " at the root".to_owned(),
            path => format!(" at {path}"),
        };
        match &self.repair {
            Some(repair) => format!("{rule}{place} ({repair})"),
            None => format!("{rule}{place}: {}", self.message),
        }
    }
}

impl Offer {
    /// The tools that are left out.
    pub fn left_out(&self) -> impl Iterator<Item = &OfferNote> {
        self.notes.iter().filter(|note| !note.fate.is_offered())
    }

    /// Appends what there is to say of each tool as JSON, for a page that lists tools.
    pub fn write_json(&self, json: &mut Json) {
        json.object(|json| {
            write_head(json, &self.list.profile, self.list.as_of);
            json.key("tools").list(&self.notes, |json, note| {
                json.object(|json| {
                    json.key("index").value(note.index).key("name").opt_str(note.name.as_deref());
                    json.key("offered_as").opt_str(note.offered_as.as_deref()).key("fate").str(note.fate.word());
                    json.key("reason").str(&note.reason).key("description").opt_str(note.description.as_deref());
                    json.key("defects").list(&note.defects, |json, defect| {
                        json.object(|json| {
                            json.key("rule").str(&defect.rule).key("stage").str(&defect.stage);
                            json.key("subject").str(defect.subject).key("path").str(&defect.path);
                            json.key("message").str(&defect.message).key("repair").opt_str(defect.repair.as_deref());
                        });
                    });
                });
            });
            json.key("request").list(&self.list.request, write_finding);
        });
    }
}

impl OfferOptions {
    /// Whether names may be changed at all.
    pub(crate) fn may_rename(&self) -> bool {
        Effects::RECODES.within(self.adapt.allow)
    }
}
