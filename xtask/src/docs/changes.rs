//! What changed at the providers over time, as the dates of the bindings tell it.

use std::fmt::Write;

use schemalect_rules::BindingInfo;

use super::{Book, cell};

pub(super) fn page(book: &Book) -> String {
    let mut changes: Vec<(String, String)> = Vec::new();
    for profile in &book.profiles {
        for binding in profile.bindings.iter().filter(|b| b.home == profile.name) {
            for (interval, begins) in [(&binding.since, true), (&binding.until, false)] {
                if let Some(interval) = interval {
                    changes.push((key(interval), line(&profile.name, binding, interval, begins)));
                }
            }
        }
    }
    changes.sort_by(|a, b| b.cmp(a));
    let mut out = String::from(
        "# What changed at the providers\n\nThe newest first. `A..B` is between the last day that is known as before and the first that is known as after.\n\n",
    );
    for (_, line) in changes {
        let _ = writeln!(out, "- {line}");
    }
    out
}

/// The day by which an interval is sorted: the first known as after, else the last known as before.
fn key(interval: &str) -> String {
    let (from, to) = interval.split_once("..").unwrap_or((interval, interval));
    if to.is_empty() { from.to_owned() } else { to.to_owned() }
}

fn line(profile: &str, binding: &BindingInfo, interval: &str, begins: bool) -> String {
    let open = interval.starts_with("..") || interval.ends_with("..");
    let what = match (begins, open, binding.level.word()) {
        (true, true, "error") => "known to be refused by then",
        (true, false, "error") => "refused from then on",
        (true, true, _) => "known to be harmful or without force by then",
        (true, false, _) => "harmful or without force from then on",
        (false, true, "error") => "last seen refused then",
        (false, false, "error") => "no longer refused",
        (false, _, _) => "no longer harmful",
    };
    let note = binding.follows.as_deref().map(|text| format!(" {}", cell(text))).unwrap_or_default();
    format!("{interval} [{profile}](profiles/{profile}.md) `{}`: {}; {what}.{note}", binding.id, cell(&binding.title))
}
