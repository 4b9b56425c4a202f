//! The way back for a list of tools: calls by the names that were sent, arguments by each tool's plan.

use std::collections::HashMap;

use schemalect_engine::restore::{Issue, IssueKind, IssueLevel, PlanError, RestoreOptions, RestorePlan, Restored, encode, restore};
use serde_json::Value;

use crate::adapt::AdaptedList;
use crate::call::Call;
use crate::json::Json;

/// What restores the calls of adapted tools. Made by [`AdaptedList::plans`], or read from what [`AdaptedList::write_plan`] wrote.
#[derive(Clone, Debug, Default)]
pub struct RestorePlans {
    tools: Vec<Planned>,
    by_sent: HashMap<String, Vec<usize>>,
    by_own: HashMap<String, Vec<usize>>,
}

#[derive(Clone, Debug)]
struct Planned {
    sent: Option<String>,
    own: Option<String>,
    plan: Option<RestorePlan>,
}

/// A call as the tool expects it, or as the model would have written it.
#[derive(Clone, Debug, PartialEq)]
pub struct RestoredCall {
    /// The tool's name on that side.
    pub name: Option<String>,
    /// The arguments.
    pub arguments: Value,
    /// What could not be mapped, and what was read as something else.
    pub issues: Vec<Issue>,
}

/// A call names a tool that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}; {}", if name.is_empty() { "the call names no tool".to_owned() } else { format!("there is no tool {name:?}") }, listed(&self.known))]
pub struct UnknownTool {
    /// The name.
    pub name: String,
    /// The names that there are.
    pub known: Vec<String>,
}

/// Of a name so many characters are shown.
const LONGEST_NAME: usize = 128;

fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let plain = |name: &String| name.chars().take(LONGEST_NAME).flat_map(char::escape_debug).collect::<String>();
    let list = names.iter().take(SHOWN).map(plain).collect::<Vec<_>>().join(", ");
    match names.len() {
        0 => "there are no tools".to_owned(),
        n if n > SHOWN => format!("there are {list} and {} more", n.saturating_sub(SHOWN)),
        _ => format!("there are {list}"),
    }
}

impl AdaptedList {
    /// What restores the calls of these tools.
    #[must_use]
    pub fn plans(&self) -> RestorePlans {
        let mut plans = RestorePlans::default();
        for tool in self.tools.iter().filter(|t| t.foreign.is_none()) {
            plans.add(Planned { sent: tool.name.clone(), own: tool.original_name.clone(), plan: tool.plan.clone() });
        }
        plans
    }
}

impl RestorePlans {
    /// Reads what [`AdaptedList::write_plan`] wrote, or one tool's plan alone.
    ///
    /// # Errors
    /// It is neither, or of another version.
    pub fn from_json(document: &Value) -> Result<RestorePlans, PlanError> {
        let mut plans = RestorePlans::default();
        plans.read(document)?;
        Ok(plans)
    }

    /// Adds the plans of another document.
    ///
    /// # Errors
    /// As [`RestorePlans::from_json`].
    pub fn read(&mut self, document: &Value) -> Result<(), PlanError> {
        let Some(tools) = document.get("tools") else {
            let plan = RestorePlan::from_json(document)?;
            self.add(Planned { sent: plan.sent_as.clone().or_else(|| plan.name.clone()), own: plan.name.clone(), plan: Some(plan) });
            return Ok(());
        };
        let fail = |path: String, what: &str| PlanError { path, what: what.to_owned() };
        if document.get("version").and_then(Value::as_u64) != Some(schemalect_engine::restore::PLAN_VERSION) {
            return Err(fail("/version".to_owned(), "another version than this reads"));
        }
        let tools = tools.as_array().ok_or_else(|| fail("/tools".to_owned(), "a list is needed"))?;
        for (i, tool) in tools.iter().enumerate() {
            let at = format!("/tools/{i}");
            if !tool.is_object() {
                return Err(fail(at, "an object is needed"));
            }
            let text = |key: &str| tool.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
            let plan = tool.get("plan").filter(|p| !p.is_null()).map(RestorePlan::from_json).transpose();
            let plan = plan.map_err(|e| PlanError { path: format!("{at}/plan{}", e.path), what: e.what })?;
            self.add(Planned { sent: text("name"), own: text("original_name"), plan });
        }
        Ok(())
    }

    /// Adds the plans of another list.
    pub fn append(&mut self, other: RestorePlans) {
        other.tools.into_iter().for_each(|tool| self.add(tool));
    }

    fn add(&mut self, tool: Planned) {
        let at = self.tools.len();
        for (name, index) in [(&tool.sent, &mut self.by_sent), (&tool.own, &mut self.by_own)] {
            if let Some(name) = name {
                index.entry(name.clone()).or_default().push(at);
            }
        }
        self.tools.push(tool);
    }

    /// The call as the tool expects it. Of several tools of the call's name the first is meant, which is an issue.
    ///
    /// # Errors
    /// The call names none of the tools.
    pub fn restore(&self, call: Call, options: &RestoreOptions) -> Result<RestoredCall, UnknownTool> {
        let (tool, several) = self.find(call.name.as_deref(), [&self.by_sent, &self.by_own], |t| t.sent.as_ref())?;
        let mut restored = mapped(tool, &tool.own, call, |plan, arguments| restore(plan, arguments, options));
        restored.issues.extend(several);
        Ok(restored)
    }

    /// A call of the tool as the provider's model would have written it. Of several tools of the call's name the first is meant,
    /// which is an issue.
    ///
    /// # Errors
    /// The call names none of the tools.
    pub fn encode(&self, call: Call, options: &RestoreOptions) -> Result<RestoredCall, UnknownTool> {
        let (tool, several) = self.find(call.name.as_deref(), [&self.by_own, &self.by_sent], |t| t.own.as_ref())?;
        let mut encoded = mapped(tool, &tool.sent, call, |plan, arguments| encode(plan, arguments, options));
        encoded.issues.extend(several);
        Ok(encoded)
    }

    /// The tool of a name; a call without a name is one of the only tool.
    fn find(
        &self,
        name: Option<&str>,
        by: [&HashMap<String, Vec<usize>>; 2],
        name_of: impl Fn(&Planned) -> Option<&String>,
    ) -> Result<(&Planned, Option<Issue>), UnknownTool> {
        match (name, &self.tools[..]) {
            (None, [only]) => return Ok((only, None)),
            // A schema alone has no name.
            (Some(_), [only]) if only.sent.is_none() && only.own.is_none() => return Ok((only, None)),
            _ => {}
        }
        let found = name.and_then(|n| by.iter().find_map(|index| index.get(n)));
        match found.and_then(|list| Some((list, self.tools.get(*list.first()?)?))) {
            Some((list, tool)) => Ok((tool, (list.len() > 1).then(|| several(list.len(), tool)))),
            None => Err(UnknownTool {
                name: name.unwrap_or_default().to_owned(),
                known: self.tools.iter().filter_map(name_of).cloned().collect(),
            }),
        }
    }
}

fn several(count: usize, first: &Planned) -> Issue {
    let sent = first.sent.as_deref().unwrap_or_default();
    let message = format!("{count} tools have this name; the first is meant, which is sent as {sent:?}");
    Issue { path: String::new(), issue: IssueKind::AmbiguousTool, level: IssueLevel::Error, message }
}

/// The call with its arguments mapped one way, under the name on the other side.
fn mapped(tool: &Planned, name: &Option<String>, call: Call, way: impl Fn(&RestorePlan, Value) -> Restored) -> RestoredCall {
    let name = name.clone().or_else(|| call.name.clone());
    let (arguments, mut issues) = call.read();
    let Some(plan) = tool.plan.as_ref().filter(|_| arguments.is_object()) else { return RestoredCall { name, arguments, issues } };
    let mut mapped = way(plan, arguments);
    issues.append(&mut mapped.issues);
    RestoredCall { name, arguments: mapped.arguments, issues }
}

impl RestoredCall {
    /// Appends the call and its issues as JSON.
    pub fn write_json(&self, json: &mut Json) {
        json.object(|json| {
            json.key("name").opt_str(self.name.as_deref()).key("arguments").raw(&self.arguments.to_string());
            json.key("issues").list(&self.issues, |json, issue| {
                json.object(|json| {
                    json.key("path").str(&issue.path).key("issue").str(issue.issue.word());
                    json.key("level").str(issue.level.word()).key("message").str(&issue.message);
                });
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_listed_stay_on_their_line() {
        let known = vec!["plain_name".to_owned(), "two\nlines\u{1b}".to_owned(), "x".repeat(1_000)];
        let error = UnknownTool { name: "a\nb".to_owned(), known };
        let long = "x".repeat(LONGEST_NAME);
        assert_eq!(error.to_string(), format!(r#"there is no tool "a\nb"; there are plain_name, two\nlines\u{{1b}}, {long}"#));
    }
}
