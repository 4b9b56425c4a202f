//! Runs the example of a rule: what is found before, what the repair makes of it.

use schemalect::engine::adapt::{Adapted, Options, adapt};
use schemalect::engine::check::{Tool, check, check_request};
use schemalect::engine::plan::Site;
use schemalect::engine::{Finding, Plan, Tree};
use schemalect::rules::{Example, ExampleTool, RuleInfo};
use schemalect::{Effects, Json};

use crate::session::Session;

/// An example that was run.
pub(crate) struct Ran {
    /// What the rule looks at.
    pub(crate) at: Site,
    /// What it was run with: a profile, or the rule alone.
    pub(crate) with: Option<String>,
    pub(crate) tools: Vec<Shown>,
    pub(crate) findings: Vec<Finding>,
}

/// A tool of an example, before and after.
pub(crate) struct Shown {
    pub(crate) given: ExampleTool,
    pub(crate) adapted: Option<Adapted>,
}

/// Runs the first bad example of a rule with the binding of a profile, or alone where that finds nothing.
pub(crate) fn run(session: &Session, rule: &RuleInfo, binding: Option<(&str, &str)>) -> Option<Ran> {
    let library = session.profiles.rule_library();
    let bound = binding.and_then(|(profile, id)| {
        let surface = session.profiles.resolve(profile, &session.selection(profile)).ok()?;
        let whole = format!("{profile}/{id}");
        let own = surface.plan().rules.iter().filter(|r| *r.id == whole).cloned().collect();
        let plan = Plan::new(profile.to_owned(), surface.as_of(), own);
        let example = rule.bad.iter().find(|e| !find(&plan, rule.at, &trees(e)).is_empty())?;
        Some(ran(&plan, rule.at, example, Some(profile.to_owned())))
    });
    bound.or_else(|| {
        let example = rule.bad.first()?;
        let plan = library.compile_rule_alone(&rule.id, &example.facts).ok()?;
        Some(ran(&plan, rule.at, example, None))
    })
}

type Trees<'e> = Vec<(&'e ExampleTool, Option<Tree>)>;

fn trees(example: &Example) -> Trees<'_> {
    example.tools.iter().map(|t| (t, t.tree())).collect()
}

fn views<'t>(trees: &'t Trees<'_>) -> Vec<Tool<'t>> {
    trees.iter().map(|(tool, tree)| tool.view(tree.as_ref())).collect()
}

fn find(plan: &Plan, at: Site, trees: &Trees<'_>) -> Vec<Finding> {
    let views = views(trees);
    match at {
        Site::Request => check_request(plan, &views).into_iter().map(|(_, f)| f).collect(),
        Site::Tool | Site::Schema => views.iter().flat_map(|v| check(plan, v)).collect(),
    }
}

fn ran(plan: &Plan, at: Site, example: &Example, with: Option<String>) -> Ran {
    let trees = trees(example);
    let options = Options { allow: Effects::ALL, audit: true, ..Options::default() };
    let one = |view: &Tool<'_>| if at == Site::Request { None } else { Some(adapt(plan, view, &options)).filter(|a| a.changed) };
    let tools = views(&trees).iter().zip(&trees).map(|(view, (given, _))| Shown { given: (*given).clone(), adapted: one(view) }).collect();
    Ran { at, with, tools, findings: find(plan, at, &trees) }
}

impl Ran {
    /// Appends the example as JSON.
    pub(crate) fn write(&self, json: &mut Json) {
        json.object(|json| {
            json.key("with").opt_str(self.with.as_deref());
            json.key("tools").list(&self.tools, |json, tool| {
                json.object(|json| {
                    json.key("before").object(|json| write_tool(json, &tool.given));
                    json.key("after");
                    match &tool.adapted {
                        None => json.raw("null"),
                        Some(adapted) => json.object(|json| write_adapted(json, adapted)),
                    };
                    let events = tool.adapted.iter().flat_map(|a| &a.events).enumerate();
                    json.key("events").list(events, |json, (seq, event)| {
                        json.object(|json| schemalect::write_event(json, seq, event));
                    });
                });
            });
            json.key("findings").list(&self.findings, |json, finding| {
                json.object(|json| {
                    json.key("rule").str(&finding.rule).key("subject").str(finding.subject.word());
                    json.key("path").str(&finding.path).key("message").str(&finding.message);
                });
            });
        });
    }
}

fn write_tool(json: &mut Json, tool: &ExampleTool) {
    for (name, value) in [("name", &tool.name), ("description", &tool.description), ("schema", &tool.schema)] {
        if let Some(value) = value {
            json.key(name).value(value);
        }
    }
}

fn write_adapted(json: &mut Json, adapted: &Adapted) {
    for (name, text) in [("name", &adapted.name), ("description", &adapted.description)] {
        if let Some(text) = text {
            json.key(name).str(text);
        }
    }
    if let Some(schema) = &adapted.schema {
        json.key("schema").raw(&schema.to_json(schema.root()));
    }
}

/// A tool as given, for a person: of a rule about schemas the schema alone.
pub(crate) fn show_given(tool: &ExampleTool, at: Site) -> String {
    match tool {
        ExampleTool { schema: Some(schema), .. } if at == Site::Schema => schema.to_string(),
        tool => object(|json| write_tool(json, tool)),
    }
}

/// A tool as adapted, likewise.
pub(crate) fn show_adapted(adapted: &Adapted, at: Site) -> String {
    match adapted {
        Adapted { schema: Some(schema), .. } if at == Site::Schema => schema.to_json(schema.root()),
        adapted => object(|json| write_adapted(json, adapted)),
    }
}

fn object(members: impl FnOnce(&mut Json)) -> String {
    let mut json = Json::new();
    json.object(members);
    json.finish()
}
