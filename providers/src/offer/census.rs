//! The names that tools are offered under: which name each tool gets, and which tools have to stay out because another has theirs.

use std::collections::{BTreeMap, HashSet};

use schemalect_engine::op::Op;
use schemalect_engine::op::name::{in_class, plain_name};

use super::OfferOptions;
use crate::adapt::{AdaptedList, AdaptedTool, Dropped};
use crate::names::{rename, renaming};
use crate::surface::Surface;

/// What becomes of tools whose names come out equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameChoice {
    /// Each gets a name of its own, with a hash of what tells it apart.
    #[default]
    Apart,
    /// Only the tool whose own name it is keeps it, the others are left out.
    LeaveOut,
}

/// A tool that is left out for its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crowded {
    /// Its position in the list.
    pub index: usize,
    /// Its own name.
    pub name: String,
    /// The name that it would be offered under.
    pub form: String,
}

/// Names as they are offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// The tool's own name by the name that it is offered under.
    pub names: BTreeMap<String, String>,
    /// What is left out, in the order of the list.
    pub left_out: Vec<Crowded>,
}

/// Which name each of these names is offered under, and which are left out because the form of another is the same or is taken: of equal forms the one
/// whose own name it is stays. Characters outside of `allowed` become `_`, and what is longer than `max` is cut.
///
/// ```
/// use schemalect::name_census;
///
/// let census = name_census(&["a/b", "a_b", "c.d", "x/y", "x.y"], &["c_d"], "a-zA-Z0-9_-", 64);
/// assert_eq!(census.names.iter().map(|(form, name)| (&form[..], &name[..])).collect::<Vec<_>>(), [("a_b", "a_b")]);
/// assert_eq!(census.left_out.iter().map(|c| &c.name[..]).collect::<Vec<_>>(), ["a/b", "c.d", "x/y", "x.y"]);
/// ```
#[must_use]
pub fn name_census(names: &[&str], taken: &[&str], allowed: &str, max: usize) -> Census {
    let form = |name: &str| -> String {
        let form: String = name.chars().map(|c| if in_class(allowed, c) { c } else { '_' }).take(max).collect();
        if form.is_empty() { "tool".to_owned() } else { form }
    };
    let forms: Vec<String> = names.iter().map(|name| form(name)).collect();
    let pairs = names.iter().zip(&forms).map(|(name, form)| (*name, form.as_str()));
    let crowded = crowded(&pairs.collect::<Vec<_>>(), &taken.iter().copied().collect());
    let mut census = Census::default();
    for (index, (name, form)) in names.iter().zip(forms).enumerate() {
        if crowded.contains(&index) {
            census.left_out.push(Crowded { index, name: (*name).to_owned(), form });
        } else {
            census.names.insert(form, (*name).to_owned());
        }
    }
    census
}

/// The places of the names that have to stay out, of names with their forms.
fn crowded(names: &[(&str, &str)], taken: &HashSet<&str>) -> HashSet<usize> {
    let mut owners: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
    for (at, (own, form)) in names.iter().enumerate() {
        owners.entry(form).or_default().push((at, own));
    }
    let mut out = HashSet::new();
    for (form, places) in owners {
        let distinct: HashSet<&str> = places.iter().map(|(_, own)| *own).collect();
        let stays = |own: &str| !taken.contains(form) && (distinct.len() <= 1 || own == form);
        out.extend(places.into_iter().filter(|(_, own)| !stays(own)).map(|(at, _)| at));
    }
    out
}

/// Settles the names of adapted tools; returns those that are left out for theirs.
pub(super) fn settle(adapted: &mut AdaptedList, surface: &Surface, options: &OfferOptions) -> Vec<Crowded> {
    let taken: HashSet<&str> = options.taken.iter().map(String::as_str).collect();
    if options.names == NameChoice::Apart && options.may_rename() {
        for tool in &mut adapted.tools {
            make_way(tool, surface, &taken);
        }
        // Where no rule renames, two tools of one name cannot both be called.
    }
    let forms: Vec<(String, String)> = adapted.tools.iter().map(|tool| names_of(tool, surface, options.names)).collect();
    let pairs: Vec<(&str, &str)> = forms.iter().map(|(own, form)| (own.as_str(), form.as_str())).collect();
    let gone = crowded(&pairs, &taken);
    let mut left_out = Vec::new();
    let mut named = forms.iter().enumerate();
    let AdaptedList { tools, dropped, .. } = adapted;
    tools.retain(|tool| {
        let Some((at, (own, form))) = named.next() else { return true };
        let stays = !gone.contains(&at) || tool.foreign.is_some();
        if !stays {
            let reason = format!("another tool is offered as {form:?}");
            left_out.push(Crowded { index: tool.index, name: own.clone(), form: form.clone() });
            dropped.push(Dropped { index: tool.index, name: tool.original_name.clone(), reason, findings: Vec::new() });
        }
        stays
    });
    dropped.sort_by_key(|d| d.index);
    left_out
}

/// A tool's own name, and the name that it would be offered under.
fn names_of(tool: &AdaptedTool, surface: &Surface, choice: NameChoice) -> (String, String) {
    let own = tool.original_name.clone().unwrap_or_default();
    let sent = tool.name.clone().unwrap_or_default();
    let op = surface.plan().rules.iter().find_map(|rule| rule.operations().find(|op| matches!(op, Op::RenameTool { .. })));
    let form = match op {
        // As it was before equal names were told apart.
        Some(Op::RenameTool { allowed, first, max }) if choice == NameChoice::LeaveOut && sent != own => {
            plain_name(&own, allowed, first, *max)
        }
        _ => sent,
    };
    (own, form)
}

/// Gives a tool whose name is taken another one, where the profile has a rule for names.
fn make_way(tool: &mut AdaptedTool, surface: &Surface, taken: &HashSet<&str>) {
    let Some(name) = tool.name.clone().filter(|name| taken.contains(name.as_str())) else { return };
    let Some(renaming) = surface.plan().rules.iter().find_map(renaming) else { return };
    let own = tool.original_name.clone().unwrap_or_default();
    let fresh = schemalect_engine::op::name::with_hash(&name, &own, renaming.max);
    if !taken.contains(fresh.as_str()) {
        rename(tool, fresh, renaming.rule);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &[&str], taken: &[&str], offered: &[(&str, &str)], left_out: &[&str]) {
        let census = name_census(names, taken, "a-zA-Z0-9_-", 64);
        let got: Vec<(&str, &str)> = census.names.iter().map(|(form, name)| (form.as_str(), name.as_str())).collect();
        assert_eq!(got, offered, "{names:?}");
        assert_eq!(census.left_out.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), left_out, "{names:?}");
    }

    #[test]
    fn of_equal_forms_the_own_name_stays() {
        check(&["a/b", "a_b", "a.b", "c.d"], &[], &[("a_b", "a_b"), ("c_d", "c.d")], &["a/b", "a.b"]);
        check(&["a/b", "a.b"], &[], &[], &["a/b", "a.b"]);
        check(&["", "tool_search"], &["tool_search"], &[("tool", "")], &["tool_search"]);
        let long = ["x".repeat(64) + "1", "x".repeat(64) + "2"];
        check(&[&long[0], &long[1]], &[], &[], &[&long[0], &long[1]]);
        check(&["a", "a"], &[], &[("a", "a")], &[]);
    }
}
