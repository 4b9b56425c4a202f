//! `explain`: what a rule or a profile says, why, who says so, and an example that is run.

use std::fmt::Write;

use schemalect::engine::plan::{Certainty, Site, Source};
use schemalect::rules::{BindingInfo, ProfileInfo, RuleInfo, nearest};
use schemalect::{Json, ProfilesError, executed_of, pretty, write_source};

use crate::args::{Format, OutputArgs, SelectArgs};
use crate::error::Failure;
use crate::example::{self, Ran, show_adapted, show_given};
use crate::lists::{verdicts, verdicts_of, write_switches};
use crate::session::Session;
use crate::text;

pub(crate) fn run(what: &str, select: &SelectArgs, output: &OutputArgs) -> Result<String, Failure> {
    let session = Session::open(select)?;
    let subject = find(&session, what)?;
    if output.format == Format::Text {
        return Ok(subject.text(&session));
    }
    let mut json = Json::new();
    json.object(|json| subject.write(&session, json));
    Ok(json.finish() + "\n")
}

enum Subject {
    Rule { rule: Box<RuleInfo>, bindings: Vec<(String, BindingInfo)> },
    Binding { rule: Option<Box<RuleInfo>>, profile: Box<ProfileInfo>, binding: Box<BindingInfo> },
    Profile(Box<ProfileInfo>),
}

fn find(session: &Session, what: &str) -> Result<Subject, Failure> {
    let library = session.profiles.rule_library();
    if let Some((name, id)) = what.split_once('/') {
        let Some(profile) = library.profile(name) else { return Err(unknown(session, name)) };
        let Some(binding) =
            profile.bindings.iter().find(|b| b.id == id).or_else(|| profile.bindings.iter().find(|b| b.rule == id)).cloned()
        else {
            let known = profile.bindings.iter().flat_map(|b| [b.id.as_str(), b.rule.as_str()]);
            let hint = match nearest(id, known) {
                Some(near) => format!("did you mean `{name}/{near}`?"),
                None => format!("`schemalect explain {name}` lists those it has"),
            };
            return Err(Failure::Usage(format!("{name} has no rule `{id}`; {hint}")));
        };
        let rule = library.rule_info(&binding.rule).map(Box::new);
        return Ok(Subject::Binding { rule, profile: Box::new(profile), binding: Box::new(binding) });
    }
    if let Some(rule) = library.rule_info(what) {
        let of_profile =
            |p: ProfileInfo| p.bindings.into_iter().filter(|b| b.rule == what).map(move |b| (p.name.clone(), b)).collect::<Vec<_>>();
        let bindings = session.chosen().into_iter().flat_map(of_profile).collect();
        return Ok(Subject::Rule { rule: Box::new(rule), bindings });
    }
    match library.profile(what) {
        Some(profile) => Ok(Subject::Profile(Box::new(profile))),
        None => Err(unknown(session, what)),
    }
}

/// The error for a word that is neither, with the nearest that is.
fn unknown(session: &Session, what: &str) -> Failure {
    let profile = session.profiles.resolve(what, &session.selection(what)).err();
    let near = |error: ProfilesError| match error {
        ProfilesError::Wrong(errors) => errors.first().and_then(|e| e.suggestion()).map(ToOwned::to_owned),
        ProfilesError::Unreadable { .. } => None,
    };
    let rule = session.profiles.rule_library().compile_rule_alone(what, &serde_json::Map::new()).err().map(ProfilesError::Wrong);
    let hint = rule.and_then(near).or_else(|| profile.and_then(near)).filter(|h| h.starts_with("did you mean"));
    let hint = hint.unwrap_or_else(|| "`schemalect profiles` and `schemalect rules` list them".to_owned());
    Failure::Usage(format!("no rule or profile is called `{what}`; {hint}"))
}

impl Subject {
    fn write(&self, session: &Session, json: &mut Json) {
        match self {
            Subject::Rule { rule, bindings } => {
                write_rule(json, rule);
                json.key("profiles").list(bindings, |json, (profile, binding)| {
                    json.object(|json| {
                        json.key("profile").str(profile);
                        write_binding(json, binding);
                    });
                });
                write_example(json, self.example(session));
            }
            Subject::Binding { rule, profile, binding } => {
                json.key("profile").str(&profile.name);
                write_binding(json, binding);
                json.key("holds").opt_str(holds(session, profile, binding));
                json.key("of");
                match rule {
                    Some(rule) => json.object(|json| write_rule(json, rule)),
                    None => json.raw("null"),
                };
                write_example(json, self.example(session));
            }
            Subject::Profile(profile) => write_profile(json, profile),
        }
    }

    fn example(&self, session: &Session) -> Option<Ran> {
        match self {
            Subject::Rule { rule, .. } => example::run(session, rule, None),
            Subject::Binding { rule, profile, binding } => example::run(session, rule.as_ref()?, Some((&profile.name, &binding.id))),
            Subject::Profile(_) => None,
        }
    }

    fn text(&self, session: &Session) -> String {
        let mut out = String::new();
        match self {
            Subject::Rule { rule, bindings } => {
                rule_text(&mut out, rule);
                out.push_str("\nprofiles\n");
                for (profile, b) in bindings {
                    let _ = writeln!(out, "  {profile}/{}  {}{}{}", b.id, b.level.word(), stage(b), dates(b));
                }
            }
            Subject::Binding { rule, profile, binding } => {
                let _ = writeln!(out, "{}/{}  {}{}{}", profile.name, binding.id, binding.level.word(), stage(binding), dates(binding));
                if let Some(word) = holds(session, profile, binding) {
                    let _ = writeln!(out, "on {}: {word}", session.as_of);
                }
                binding_text(&mut out, binding);
                if let Some(rule) = rule {
                    out.push('\n');
                    rule_text(&mut out, rule);
                }
            }
            Subject::Profile(profile) => profile_text(&mut out, profile),
        }
        if let Some(ran) = self.example(session) {
            example_text(&mut out, &ran);
        }
        out
    }
}

/// Whether a binding holds on the day and with the switches asked for.
fn holds(session: &Session, profile: &ProfileInfo, binding: &BindingInfo) -> Option<&'static str> {
    let surface = session.profiles.resolve(&profile.name, &session.selection(&profile.name)).ok()?;
    let whole = format!("{}/{}", profile.name, binding.id);
    Some(match surface.plan().rules.iter().find(|r| *r.id == whole).map(|r| r.certainty) {
        Some(Certainty::Certain) => "holds",
        Some(Certainty::Undecided) => "undecided",
        None => "does not hold",
    })
}

const fn site(rule: &RuleInfo) -> &'static str {
    match rule.at {
        Site::Request => "request",
        Site::Tool => "tool",
        Site::Schema => "schema",
    }
}

fn write_rule(json: &mut Json, rule: &RuleInfo) {
    json.key("rule").str(&rule.id).key("title").str(&rule.title).key("message").str(&rule.message);
    json.key("at").str(site(rule)).key("when").str(&rule.when).key("why").str(rule.why.trim());
    json.key("rewrite").opt_str(rule.rewrite.as_deref());
}

fn write_binding(json: &mut Json, binding: &BindingInfo) {
    json.key("id").str(&binding.id).key("rule").str(&binding.rule).key("title").str(&binding.title).key("home").str(&binding.home);
    json.key("stage").str(&binding.stage).key("level").str(binding.level.word());
    json.key("only").object(|json| {
        for (switch, values) in &binding.only {
            json.key(switch).words(values);
        }
    });
    json.key("since").opt_str(binding.since.as_deref()).key("until").opt_str(binding.until.as_deref());
    json.key("with").value(serde_json::Value::Object(binding.with.clone())).key("says").opt_str(binding.says.as_deref());
    json.key("rewrite").opt_str(binding.rewrite.as_deref()).key("follows").opt_str(binding.follows.as_deref());
    json.key("unpinned").opt_str(binding.unpinned.as_deref());
    json.key("sources").list(&binding.sources, write_source);
    json.key("verdicts").words(verdicts_of(binding));
    json.key("executed").object(|json| {
        for (engine, count) in executed_of(&binding.home, &binding.id) {
            json.key(engine).value(count);
        }
    });
}

fn write_profile(json: &mut Json, profile: &ProfileInfo) {
    json.key("profile").str(&profile.name).key("title").str(&profile.title).key("about").str(profile.about.trim());
    json.key("extends")
        .opt_str(profile.extends.as_deref())
        .key("also")
        .words(&profile.also)
        .key("lenient")
        .opt_str(profile.lenient.as_deref())
        .key("lenient-for")
        .str(if profile.together { "list" } else { "tool" });
    json.key("switches").object(|json| write_switches(json, profile));
    json.key("stages").words(&profile.stages).key("facts").value(serde_json::Value::Object(profile.facts.clone()));
    json.key("wire");
    match &profile.wire {
        None => json.raw("null"),
        Some(wire) => json.object(|json| {
            json.key("name")
                .opt_str(wire.name.as_deref())
                .key("description")
                .opt_str(wire.description.as_deref())
                .key("schema")
                .str(&wire.schema);
            json.key("schema-as").str(if wire.text { "text" } else { "json" });
            json.key("keeps").words(&wire.keeps).key("arguments").words(&wire.arguments);
            for (key, values) in [("constants", &wire.constants), ("request", &wire.request)] {
                json.key(key).object(|json| {
                    for (pointer, value) in values {
                        json.key(pointer).value(value);
                    }
                });
            }
        }),
    };
    json.key("without").words(&profile.without).key("rules").list(&profile.bindings, |json, binding| {
        json.object(|json| write_binding(json, binding));
    });
    json.key("verdicts").words(verdicts(profile));
}

fn write_example(json: &mut Json, ran: Option<Ran>) {
    json.key("example");
    match ran {
        Some(ran) => ran.write(json),
        None => {
            json.raw("null");
        }
    }
}

fn rule_text(out: &mut String, rule: &RuleInfo) {
    let _ = writeln!(out, "{}: {}", rule.id, rule.title);
    let _ = writeln!(out, "  why: {}", text::plain(rule.why.trim()));
    let _ = writeln!(out, "  when: {} (at: {})", text::plain(&rule.when), site(rule));
    let _ = writeln!(out, "  rewrite: {}", rule.rewrite.as_deref().map_or_else(|| "none".to_owned(), text::plain));
}

fn binding_text(out: &mut String, binding: &BindingInfo) {
    for (label, value) in
        [("says", &binding.says), ("rewrite", &binding.rewrite), ("follows", &binding.follows), ("unpinned", &binding.unpinned)]
    {
        if let Some(value) = value {
            let _ = writeln!(out, "  {label}: {}", text::plain(value.trim()));
        }
    }
    sources_text(out, &binding.sources);
}

fn sources_text(out: &mut String, sources: &[Source]) {
    for source in sources {
        let _ = writeln!(out, "  source: {}", text::source(source));
    }
}

fn profile_text(out: &mut String, profile: &ProfileInfo) {
    let _ = writeln!(out, "{}: {}", profile.name, profile.title);
    if !profile.about.trim().is_empty() {
        let _ = writeln!(out, "\n{}", profile.about.trim());
    }
    out.push('\n');
    let also = (!profile.also.is_empty()).then(|| profile.also.join(", "));
    let sibling = if profile.together { "lenient sibling, for the whole list" } else { "lenient sibling" };
    for (label, value) in [("extends", &profile.extends), ("takes as well", &also), (sibling, &profile.lenient)] {
        if let Some(value) = value {
            let _ = writeln!(out, "{label}: {value}");
        }
    }
    for (pointer, value) in profile.wire.iter().flat_map(|wire| &wire.request) {
        let _ = writeln!(out, "beside the tools, a request carries {pointer}: {value}");
    }
    for (switch, values) in &profile.switches {
        let _ = writeln!(out, "switch {switch}: {}", values.join(", "));
    }
    let _ = writeln!(out, "\nrules");
    let width = profile.bindings.iter().map(|b| b.id.len()).max().unwrap_or(0);
    for b in &profile.bindings {
        let _ = writeln!(out, "  {:<width$}  {:<7} {}{}{}", b.id, b.level.word(), b.title, stage(b), dates(b));
    }
}

fn example_text(out: &mut String, ran: &Ran) {
    let with = ran.with.as_ref().map_or("the rule alone".to_owned(), |p| format!("as {p} binds it"));
    let _ = writeln!(out, "\nexample ({with})");
    for tool in &ran.tools {
        let _ = writeln!(out, "  before\n{}", indent(&pretty(&show_given(&tool.given, ran.at))));
    }
    for finding in &ran.findings {
        let path = if finding.path.is_empty() { "(root)" } else { &finding.path };
        let _ = writeln!(out, "  found  {path}  {}", text::plain(&finding.message));
    }
    for adapted in ran.tools.iter().filter_map(|t| t.adapted.as_ref()) {
        let _ = writeln!(out, "  after ({})\n{}", adapted.effects, indent(&pretty(&show_adapted(adapted, ran.at))));
    }
}

fn indent(text: &str) -> String {
    text.lines().map(|l| format!("    {l}")).collect::<Vec<_>>().join("\n")
}

fn stage(binding: &BindingInfo) -> String {
    if binding.stage.is_empty() { String::new() } else { format!(", stage {}", binding.stage) }
}

fn dates(binding: &BindingInfo) -> String {
    let part = |word: &str, day: &Option<String>| day.as_ref().map(|d| format!(", {word} {d}")).unwrap_or_default();
    part("since", &binding.since) + &part("until", &binding.until)
}
