//! A listing of tools for agents that load them only when they are needed: as much as fits into a budget of characters.

use std::fmt::Write;

use crate::read::{Tool, ToolList};
use crate::unseen::unseen;

/// Of a description, so many characters are shown.
const SHOWN: usize = 160;
/// Members of a tool that say which group it belongs to.
const GROUPS: [&str; 3] = ["group", "server", "namespace"];
/// What stands between a group and a tool in a name.
const SEPARATORS: [&str; 4] = ["__", "/", ".", ":"];

/// A tool in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// What it belongs to; empty for a tool that stands alone.
    pub group: String,
    /// Its name.
    pub name: String,
    /// The beginning of its description.
    pub about: String,
}

impl Listed {
    /// The tools of a list that have a name, in their order.
    #[must_use]
    pub fn all_in(list: &ToolList) -> Vec<Listed> {
        list.tools().iter().filter(|t| t.problem.is_none()).filter_map(|tool| Listed::of(list, tool)).collect()
    }

    fn of(list: &ToolList, tool: &Tool) -> Option<Listed> {
        let name = tool.name.as_str().filter(|n| !n.is_empty())?;
        let tree = list.document().tree();
        let said = GROUPS.iter().find_map(|key| tree.member(tool.entry, key).and_then(|m| tree.str(m)));
        let named = || SEPARATORS.iter().find_map(|s| name.rsplit_once(s)).map(|(group, _)| group).filter(|g| !g.is_empty());
        let group = said.map_or_else(|| named().unwrap_or_default().to_owned(), std::borrow::Cow::into_owned);
        Some(Listed { group, name: one_line(name, usize::MAX), about: about(tool.description.as_str().unwrap_or_default()) })
    }

    /// The line for it, without its description where there is no room.
    fn line(&self, room: usize) -> Option<String> {
        let short = format!("- {}\n", self.name);
        let long = if self.about.is_empty() { short.clone() } else { format!("- {}: {}\n", self.name, self.about) };
        [long, short].into_iter().find(|line| line.chars().count() <= room)
    }
}

/// Lists tools in at most `budget` characters: the groups, then one tool of each group in turn (tools that stand alone
/// first), then what was left out.
///
/// ```
/// use schemalect::{Listed, ReadOptions, catalog, read};
///
/// let tools = br#"[{"name": "git/log", "description": "Shows commits. Newest first."}, {"name": "git/show"}, {"name": "now"}]"#;
/// let listed = Listed::all_in(&read(tools, &ReadOptions::default())?);
/// assert_eq!(catalog(&listed, 6000), "Groups: git (2 tools)\n- now\n- git/log: Shows commits.\n- git/show\n");
/// assert_eq!(catalog(&listed, 30), "- now\n2 tools left out.\n");
/// # Ok::<(), schemalect::InputError>(())
/// ```
#[must_use]
pub fn catalog(tools: &[Listed], budget: usize) -> String {
    let groups = grouped(tools);
    let rest = |count: usize| if count == 1 { "1 tool left out.\n".to_owned() } else { format!("{count} tools left out.\n") };
    let last = rest(tools.len()).chars().count();
    let mut out = heading(&groups, budget.saturating_sub(last));
    let mut left = budget.saturating_sub(out.chars().count());
    let mut shown = 0_usize;
    for tool in in_turn(&groups) {
        // Until the last tool is in, there has to be room to say that it is not.
        let spare = if shown.saturating_add(1) == tools.len() { 0 } else { last };
        let Some(line) = tool.line(left.saturating_sub(spare)) else { break };
        left = left.saturating_sub(line.chars().count());
        out.push_str(&line);
        shown = shown.saturating_add(1);
    }
    if shown < tools.len() {
        out.push_str(&rest(tools.len().saturating_sub(shown)));
    }
    if out.chars().count() > budget { out.chars().take(budget).collect() } else { out }
}

/// The groups in the order in which they come up; what stands alone is the first.
fn grouped(tools: &[Listed]) -> Vec<(&str, Vec<&Listed>)> {
    let mut groups: Vec<(&str, Vec<&Listed>)> = vec![("", Vec::new())];
    let mut places: std::collections::HashMap<&str, usize> = std::collections::HashMap::from([("", 0)]);
    for tool in tools {
        let at = *places.entry(&tool.group).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, tools)) => tools.push(tool),
            None => groups.push((&tool.group, vec![tool])),
        }
    }
    groups
}

/// The line that names the groups, as many as fit.
fn heading(groups: &[(&str, Vec<&Listed>)], room: usize) -> String {
    let named = || groups.iter().filter(|(name, _)| !name.is_empty());
    let mut out = String::new();
    for (at, (name, tools)) in named().enumerate() {
        let count = if tools.len() == 1 { "1 tool".to_owned() } else { format!("{} tools", tools.len()) };
        let more = format!(", and {} more\n", named().count());
        let part = format!("{}{} ({count})", if at == 0 { "Groups: " } else { ", " }, one_line(name, SHOWN));
        if out.chars().count().saturating_add(part.chars().count()).saturating_add(more.chars().count()) > room / 2 {
            if at > 0 {
                let _ = write!(out, ", and {} more", named().count().saturating_sub(at));
            }
            break;
        }
        out.push_str(&part);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// One tool of each group, then the next of each.
fn in_turn<'t>(groups: &'t [(&str, Vec<&'t Listed>)]) -> impl Iterator<Item = &'t Listed> {
    let (alone, others) = groups.split_at(1);
    let most = others.iter().map(|(_, tools)| tools.len()).max().unwrap_or(0);
    let turns = (0..most).flat_map(move |turn| others.iter().filter_map(move |(_, tools)| tools.get(turn).copied()));
    alone.iter().flat_map(|(_, tools)| tools.iter().copied()).chain(turns)
}

/// The first sentence of a description.
fn about(description: &str) -> String {
    let line = one_line(description, SHOWN * 4);
    let end = line.find(". ").map_or(line.len(), |at| at.saturating_add(1));
    one_line(line.get(..end).unwrap_or(&line), SHOWN)
}

/// Text without line breaks and what nobody sees, cut with a mark where it is long.
fn one_line(text: &str, most: usize) -> String {
    let seen: String = text.chars().filter(|&c| c.is_whitespace() || c.is_control() || !unseen(c)).collect();
    let words = seen.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most.saturating_sub(1)) {
        Some((at, _)) if line.chars().nth(most).is_some() => format!("{}…", line.get(..at).unwrap_or(&line)),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(group: &str, name: &str, about: &str) -> Listed {
        Listed { group: group.to_owned(), name: name.to_owned(), about: about.to_owned() }
    }

    fn check(tools: &[Listed], budget: usize, want: &str) {
        let got = catalog(tools, budget);
        assert_eq!(got, want, "{budget}");
        assert!(got.chars().count() <= budget, "{budget}");
    }

    #[test]
    fn groups_take_turns() {
        let tools = [tool("a", "a1", "One."), tool("a", "a2", ""), tool("b", "b1", ""), tool("", "own", "")];
        check(&tools, 6000, "Groups: a (2 tools), b (1 tool)\n- own\n- a1: One.\n- b1\n- a2\n");
        check(&tools, 90, "Groups: a (2 tools), and 1 more\n- own\n- a1: One.\n- b1\n- a2\n");
        check(&[], 100, "");
    }

    #[test]
    fn a_budget_is_kept() {
        let tools: Vec<Listed> = (0..200).map(|i| tool(&format!("g{}", i % 7), &format!("tool_{i}"), "größe 日本語. More.")).collect();
        for budget in 0..400 {
            assert!(catalog(&tools, budget).chars().count() <= budget, "{budget}");
        }
        assert!(catalog(&tools, 300).ends_with("tools left out.\n"));
        assert!(!catalog(&tools, 100_000).contains("left out"));
    }

    #[test]
    fn sentences() {
        assert_eq!(about("Shows\n commits. Newest first."), "Shows commits.");
        assert_eq!(about("v1.2 of it"), "v1.2 of it");
        assert_eq!(about(&"x".repeat(200)).chars().count(), SHOWN);
    }
}
