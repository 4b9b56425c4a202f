//! A profile resolved for a day: checks a list of tools.

use std::sync::Arc;

use schemalect_engine::check::{Tool as View, check_each, check_request};
use schemalect_engine::date::Day;
use schemalect_engine::finding::Subject;
use schemalect_engine::{Finding, Plan};
use schemalect_rules::{Bound, Wire};

use crate::parallel;
use crate::read::{Form, Tool, ToolList};
use crate::report::{Placed, Report, ToolReport, of_problem};

/// What one provider surface accepts on one day, with the looser sibling that `unstrict` uses.
#[derive(Clone, Debug)]
pub struct Surface {
    pub(crate) plan: Arc<Plan>,
    pub(crate) wire: Option<Arc<Wire>>,
    pub(crate) lenient: Option<Arc<Surface>>,
    /// Whether all tools of a list go under it where one does.
    pub(crate) together: bool,
}

impl Surface {
    /// The surface of a profile that was resolved, without its lenient sibling.
    #[must_use]
    pub fn of(bound: &Bound) -> Surface {
        Surface { plan: Arc::new(bound.plan.clone()), wire: bound.wire.clone().map(Arc::new), lenient: None, together: bound.together }
    }

    /// The same surface with another lenient sibling, or none.
    #[must_use]
    pub fn with_lenient(self, lenient: Option<Surface>) -> Surface {
        Surface { lenient: lenient.map(Arc::new), ..self }
    }

    /// The profile's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.plan.profile
    }

    /// The day it was resolved for.
    #[must_use]
    pub fn as_of(&self) -> Option<Day> {
        self.plan.as_of
    }

    /// Where the parts of a tool stand in a request.
    #[must_use]
    pub fn wire(&self) -> Option<&Wire> {
        self.wire.as_deref()
    }

    /// A finding as one line: its place, written as the profile says, and its text.
    #[must_use]
    pub fn line(&self, finding: &Finding) -> String {
        match finding.subject {
            Subject::Schema => self.plan.paths.line(&finding.path, &finding.message),
            _ => finding.message.clone(),
        }
    }

    /// The compiled rules.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The sibling that takes more, if the profile names one.
    #[must_use]
    pub fn lenient(&self) -> Option<&Surface> {
        self.lenient.as_deref()
    }

    /// Every finding on a list of tools.
    #[must_use]
    pub fn check(&self, list: &ToolList, jobs: usize) -> Report {
        let tools = parallel::map(list.tools(), jobs, |tool| {
            let found = found(&[&self.plan], list, tool).pop();
            told(list, tool, found.unwrap_or_default())
        });
        self.report(list, tools)
    }

    /// What [`Surface::check`] says for each surface, in their order; what they have in common is looked at once.
    #[must_use]
    pub fn check_each(surfaces: &[Surface], list: &ToolList, jobs: usize) -> Vec<Report> {
        let plans: Vec<&Plan> = surfaces.iter().map(Surface::plan).collect();
        let each = parallel::map(list.tools(), jobs, |tool| {
            let found = found(&plans, list, tool).into_iter();
            found.map(|findings| told(list, tool, findings)).collect::<Vec<_>>()
        });
        let mut tools: Vec<Vec<ToolReport>> = surfaces.iter().map(|_| Vec::with_capacity(each.len())).collect();
        for (surface, report) in each.into_iter().flat_map(|reports| reports.into_iter().enumerate()) {
            if let Some(tools) = tools.get_mut(surface) {
                tools.push(report);
            }
        }
        surfaces.iter().zip(tools).map(|(surface, tools)| surface.report(list, tools)).collect()
    }

    /// A report with what is to be said of the tools together.
    fn report(&self, list: &ToolList, tools: Vec<ToolReport>) -> Report {
        let views: Vec<View<'_>> = list.tools().iter().map(|t| if t.problem.is_some() { View::default() } else { list.view(t) }).collect();
        let nameless = list.tools().iter().all(|t| t.form == Form::Schema);
        let request = check_request(&self.plan, &views).into_iter().filter(|(_, f)| !nameless || about_schema(f));
        let request = request.map(|(at, f)| placed(list, at.and_then(|at| list.tools().get(at)), f)).collect();
        Report { profile: self.name().to_owned(), as_of: self.as_of(), paths: self.plan.paths, tools, request }
    }
}

/// What each plan finds on a tool; a schema alone has no name or description to find fault with.
fn found(plans: &[&Plan], list: &ToolList, tool: &Tool) -> Vec<Vec<Finding>> {
    if let Some(problem) = &tool.problem {
        return plans.iter().map(|_| vec![of_problem(problem)]).collect();
    }
    if tool.form == Form::Foreign {
        return vec![Vec::new(); plans.len()];
    }
    let mut found = check_each(plans, &list.view(tool));
    if tool.form == Form::Schema {
        found.iter_mut().for_each(|findings| findings.retain(about_schema));
    }
    found
}

fn told(list: &ToolList, tool: &Tool, findings: Vec<Finding>) -> ToolReport {
    ToolReport {
        index: tool.index,
        name: tool.name.as_str().map(ToOwned::to_owned),
        findings: findings.into_iter().map(|f| placed(list, Some(tool), f)).collect(),
    }
}

/// A finding at its own place, else at that of the member or tool that it speaks about.
fn placed(list: &ToolList, tool: Option<&Tool>, finding: Finding) -> Placed {
    let document = list.document();
    let own = finding.span.map(|span| document.place(span));
    let subject = || {
        let tool = tool?;
        match finding.subject {
            Subject::Name => tool.name_at.or(Some(tool.entry)),
            Subject::Description => tool.description_at.or(Some(tool.entry)),
            Subject::Schema => tool.schema,
            Subject::Tool | Subject::Request => Some(tool.entry),
        }
    };
    Placed { place: own.or_else(|| document.place_of(subject()?)), finding }
}

/// Whether a finding can stand where there is a schema but no tool around it.
pub(crate) fn about_schema(finding: &Finding) -> bool {
    !matches!(finding.subject, Subject::Name | Subject::Description)
}
