//! What a profile that meets others makes of the corpus, held against each of those.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;
use schemalect_engine::adapt::{Options, adapt};
use schemalect_engine::check::{Given, Tool, check};
use schemalect_engine::plan::Level;
use schemalect_engine::{Plan, Tree};

use super::meeting;
use crate::corpus::{Asked, Entry, entries, files};
use crate::data;

/// What came out of one file.
#[derive(Default)]
struct Tally {
    adapted: usize,
    left: usize,
    /// By member and rule: where.
    refused: BTreeMap<(String, String), Vec<String>>,
}

/// Runs the sweep; false where a member refuses what was adapted.
pub(super) fn run(asked: &Asked, folder: &Path) -> Result<bool> {
    let mut fine = true;
    for (info, _) in meeting(&data::library()?)? {
        let plans = data::plans(&[info.meets.clone(), vec![info.name.clone()]].concat())?;
        let (own, members): (Vec<Plan>, Vec<Plan>) = plans.into_iter().partition(|plan| plan.profile == info.name);
        for file in files(&asked.files) {
            let entries = entries(folder, file, asked.sample)?;
            let tally = entries.par_iter().map(|entry| judge(&own[0], &members, entry)).reduce(Tally::default, Tally::join);
            let refused: usize = tally.refused.values().map(Vec::len).sum();
            println!(
                "{file}: {} adapted for {}, {} left out, {refused} findings of {} members",
                tally.adapted,
                info.name,
                tally.left,
                members.len()
            );
            for ((member, rule), places) in &tally.refused {
                println!(
                    "    {member}: {rule} x{}: {}",
                    places.len(),
                    places.iter().take(asked.show).cloned().collect::<Vec<_>>().join(" | ")
                );
            }
            fine &= refused == 0;
        }
    }
    Ok(fine)
}

impl Tally {
    fn join(mut self, other: Tally) -> Tally {
        self.adapted += other.adapted;
        self.left += other.left;
        for (key, places) in other.refused {
            self.refused.entry(key).or_default().extend(places);
        }
        self
    }
}

fn judge(own: &Plan, members: &[Plan], entry: &Entry) -> Tally {
    let mut tally = Tally::default();
    let options = Options::default();
    let Ok(tree) = Tree::parse(&entry.text, &options.budget) else { return tally };
    let tool = Tool {
        name: Given::Text(entry.name.as_deref().unwrap_or("schema")),
        description: entry.description.as_deref().map_or(Given::Missing, Given::Text),
        schema: Some((&tree, tree.root())),
    };
    let adapted = adapt(own, &tool, &options);
    let Some(schema) = adapted.schema.as_ref().filter(|_| adapted.residue.is_empty()) else {
        tally.left += 1;
        return tally;
    };
    tally.adapted += 1;
    let sent = Tool {
        name: adapted.name.as_deref().map_or(tool.name, Given::Text),
        description: adapted.description.as_deref().map_or(tool.description, Given::Text),
        schema: Some((schema, schema.root())),
    };
    for member in members {
        for finding in check(member, &sent).into_iter().filter(|finding| finding.level == Level::Error) {
            let place = schema.at_pointer(schema.root(), &finding.path).map(|n| schema.excerpt(n, 120)).unwrap_or_default();
            let places = tally.refused.entry((member.profile.clone(), finding.rule.to_string())).or_default();
            places.push(format!("{} {} {place}", entry.label, finding.path));
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_take_what_is_adapted() {
        for (folder, sample) in [(data::root().join("conformance/corpus"), None), (data::corpus(), Some(60))] {
            let asked = Asked { profiles: Vec::new(), files: Vec::new(), sample, show: 3, entry: None };
            assert!(run(&asked, &folder).expect("the corpus can be read"), "see above");
        }
    }
}
