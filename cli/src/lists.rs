//! `profiles`, `rules` and `catalog`: what there is.

use std::fmt::Write;
use std::path::Path;

use schemalect::rules::{BindingInfo, ProfileInfo, RuleInfo};
use schemalect::{Json, Listed, recorded, recorded_of};

use crate::args::{Format, OutputArgs, SelectArgs};
use crate::error::Failure;
use crate::given::each_list;
use crate::session::Session;

pub(crate) fn profiles(select: &SelectArgs, output: &OutputArgs) -> Result<String, Failure> {
    let session = Session::open(select)?;
    let chosen = session.chosen();
    if output.format != Format::Text {
        return Ok(each(output.format, &chosen, |json, profile| {
            json.object(|json| {
                json.key("profile")
                    .str(&profile.name)
                    .key("group")
                    .str(&profile.group)
                    .key("title")
                    .str(&profile.title)
                    .key("extends")
                    .opt_str(profile.extends.as_deref())
                    .key("also")
                    .words(&profile.also);
                json.key("as_of").str(&session.as_of.to_string()).key("switches").object(|json| write_switches(json, profile));
                json.key("rules").value(profile.bindings.len()).key("verdicts").value(count(profile));
            });
        }));
    }
    let width = chosen.iter().map(|p| p.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for group in session.profiles.rule_library().groups() {
        let mut members: Vec<&ProfileInfo> = chosen.iter().filter(|p| p.group == group.name).collect();
        if members.is_empty() {
            continue;
        }
        members.sort_by_key(|p| &p.name);
        let apart = if group.apart { "; not among `all`" } else { "" };
        let _ = writeln!(out, "{}{}: {}{apart}", if out.is_empty() { "" } else { "\n" }, group.name, group.title);
        for profile in members {
            let _ = writeln!(out, "  {:<width$}  {:>3} rules  {}", profile.name, profile.bindings.len(), profile.title);
        }
    }
    Ok(out)
}

pub(crate) fn catalog(file: &Path, budget: usize) -> Result<String, Failure> {
    let mut listed = Vec::new();
    each_list(file, |list| {
        listed.extend(Listed::all_in(&list));
        Ok(())
    })?;
    Ok(schemalect::catalog(&listed, budget))
}

pub(crate) fn rules(select: &SelectArgs, output: &OutputArgs) -> Result<String, Failure> {
    let session = Session::open(select)?;
    let profiles = session.chosen();
    let rules: Vec<RuleInfo> = session.profiles.rule_library().rules().collect();
    let bound = |rule: &RuleInfo| -> Vec<String> {
        profiles.iter().filter(|p| p.bindings.iter().any(|b| b.rule == rule.id)).map(|p| p.name.clone()).collect()
    };
    if output.format != Format::Text {
        return Ok(each(output.format, &rules, |json, rule| {
            json.object(|json| {
                json.key("rule").str(&rule.id).key("title").str(&rule.title).key("profiles").words(bound(rule));
            });
        }));
    }
    let width = rules.iter().map(|r| r.id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for rule in &rules {
        let _ = writeln!(out, "{:<width$}  {:>2} profiles  {}", rule.id, bound(rule).len(), rule.title);
    }
    Ok(out)
}

/// A JSON list, or one element a line.
fn each<T>(format: Format, items: &[T], element: impl Fn(&mut Json, &T)) -> String {
    let one = |item: &T| {
        let mut json = Json::new();
        element(&mut json, item);
        json.finish()
    };
    let texts: Vec<String> = items.iter().map(one).collect();
    if format == Format::Ndjson { texts.into_iter().map(|t| t + "\n").collect() } else { format!("[{}]\n", texts.join(",")) }
}

/// The members of an object of switches with their values.
pub(crate) fn write_switches(json: &mut Json, profile: &ProfileInfo) {
    for (switch, values) in &profile.switches {
        json.key(switch).words(values);
    }
}

/// How many answers of its surface are recorded: for a profile of the user's, those that its bindings name.
fn count(profile: &ProfileInfo) -> usize {
    recorded(&profile.name).map_or_else(|| verdicts(profile).len(), |(verdicts, _)| verdicts)
}

/// The recorded answers that a binding names or explains, each once.
pub(crate) fn verdicts_of(binding: &BindingInfo) -> Vec<&str> {
    let named = binding.sources.iter().filter(|s| s.kind == "verdicts").map(|s| s.url.as_str());
    let mut ids: Vec<&str> = named.chain(recorded_of(&binding.home, &binding.id)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The same of all bindings of a profile.
pub(crate) fn verdicts(profile: &ProfileInfo) -> Vec<&str> {
    let mut ids: Vec<&str> = profile.bindings.iter().flat_map(verdicts_of).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
