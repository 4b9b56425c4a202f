//! What `check` answers for a list of tools.

use std::sync::Arc;

use schemalect_engine::Finding;
use schemalect_engine::date::Day;
use schemalect_engine::finding::Subject;
use schemalect_engine::path::json_path;
use schemalect_engine::plan::{Certainty, Level, Source};
use schemalect_engine::spelling::PathStyle;

use crate::json::Json;
use crate::read::{Place, Problem};

/// The findings of one profile on a list of tools.
#[derive(Clone, Debug)]
pub struct Report {
    /// The profile's name.
    pub profile: String,
    /// The day it was resolved for.
    pub as_of: Option<Day>,
    /// How the profile writes places.
    pub paths: PathStyle,
    /// One entry a tool, in order.
    pub tools: Vec<ToolReport>,
    /// Findings about the list as a whole.
    pub request: Vec<Placed>,
}

/// The findings on one tool.
#[derive(Clone, Debug)]
pub struct ToolReport {
    /// Its position in the list.
    pub index: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What there is against it.
    pub findings: Vec<Placed>,
}

/// A finding and its place in the input.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The finding.
    pub finding: Finding,
    /// Where it stands, if it stands in the input.
    pub place: Option<Place>,
}

impl ToolReport {
    /// Whether the provider is predicted to take the tool.
    #[must_use]
    pub fn accepted(&self) -> bool {
        accepted(&self.findings)
    }
}

impl Report {
    /// Every finding.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.tools.iter().flat_map(|t| &t.findings).chain(&self.request).map(|p| &p.finding)
    }

    /// Whether something surely holds that is this bad or worse.
    #[must_use]
    pub fn fails(&self, level: Level) -> bool {
        self.findings().any(|f| weight(f) >= level)
    }

    /// How many findings there are of a level.
    #[must_use]
    pub fn count(&self, level: Level) -> usize {
        self.findings().filter(|f| f.level == level).count()
    }

    /// How many tools the provider is predicted to take.
    #[must_use]
    pub fn accepted(&self) -> usize {
        self.tools.iter().filter(|t| t.accepted()).count()
    }

    /// Appends the report as JSON.
    pub fn write_json(&self, json: &mut Json) {
        json.object(|json| {
            write_head(json, &self.profile, self.as_of);
            json.key("tools").list(&self.tools, |json, tool| {
                json.object(|json| {
                    json.key("index").value(tool.index).key("name").opt_str(tool.name.as_deref());
                    json.key("accepted").value(tool.accepted());
                    json.key("findings").list(&tool.findings, write_finding);
                });
            });
            json.key("request").object(|json| {
                json.key("accepted").value(accepted(&self.request));
                json.key("findings").list(&self.request, write_finding);
            });
            json.key("summary").object(|json| {
                json.key("tools").value(self.tools.len()).key("accepted").value(self.accepted());
                json.key("errors").value(self.count(Level::Error)).key("warnings").value(self.count(Level::Warning));
            });
        });
    }
}

/// An undecided finding weighs one level less than it would if it were certain.
fn weight(finding: &Finding) -> Level {
    match (finding.certainty, finding.level) {
        (Certainty::Certain, level) => level,
        (Certainty::Undecided, Level::Error) => Level::Warning,
        (Certainty::Undecided, _) => Level::Style,
    }
}

fn accepted(findings: &[Placed]) -> bool {
    !findings.iter().any(|p| p.finding.refuses())
}

/// The finding that stands for an entry that cannot be checked.
pub(crate) fn of_problem(problem: &Problem) -> Finding {
    Finding {
        rule: Arc::from(problem.rule),
        level: Level::Error,
        stage: "input".into(),
        certainty: Certainty::Certain,
        subject: Subject::Tool,
        path: problem.path.clone(),
        span: problem.span,
        message: problem.message.clone(),
        fix: None,
        sources: Arc::from([]),
    }
}

pub(crate) fn write_head(json: &mut Json, profile: &str, as_of: Option<Day>) {
    json.key("profile").str(profile);
    json.key("as_of").opt_str(as_of.map(|d| d.to_string()).as_deref());
}

/// Appends a finding as JSON.
pub fn write_finding(json: &mut Json, placed: &Placed) {
    let Placed { finding, place } = placed;
    json.object(|json| {
        json.key("rule").str(&finding.rule).key("level").str(finding.level.word());
        json.key("stage").str(&finding.stage).key("certainty").str(finding.certainty.word());
        json.key("subject").str(finding.subject.word());
        json.key("path").str(&finding.path).key("json_path").str(&json_path(&finding.path));
        json.key("span");
        match place {
            None => json.raw("null"),
            Some(at) => json.object(|json| {
                json.key("line").value(at.line).key("column").value(at.column).key("start").value(at.start).key("end").value(at.end);
            }),
        };
        json.key("message").str(&finding.message).key("fix");
        match &finding.fix {
            None => json.raw("null"),
            Some(fix) => json.object(|json| {
                json.key("operations").words(fix.operations.iter()).key("effect").words(fix.effect.words());
            }),
        };
        json.key("sources").list(finding.sources.iter(), write_source);
    });
}

/// Appends a source as JSON.
pub fn write_source(json: &mut Json, source: &Source) {
    json.object(|json| {
        json.key("kind").str(source.kind).key("url").str(&source.url);
        json.key("date").opt_str(source.date.map(|d| d.to_string()).as_deref());
        if let Some(note) = &source.note {
            json.key("note").str(note);
        }
    });
}
