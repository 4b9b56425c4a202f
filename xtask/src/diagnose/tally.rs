//! What was told right, counted by profile.

use std::collections::BTreeMap;
use std::fmt;

use super::SMALL;

/// What was told of one refusal.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// The message names a place.
    pub(super) named: bool,
    pub(super) known: bool,
    /// A checker of schemas could predict the refusal.
    pub(super) scorable: bool,
    pub(super) tool: bool,
    pub(super) place: bool,
    pub(super) rule: bool,
    /// So many tools are candidates, among tools that the surface takes; and among any tools.
    pub(super) set: usize,
    pub(super) wide: bool,
    pub(super) wide_set: usize,
    /// Without being told, the profile or one of its family was told from the text.
    pub(super) profile: bool,
    pub(super) family: bool,
    /// So many tools have nothing of what the message says.
    pub(super) innocent: usize,
    /// One of them was blamed.
    pub(super) blamed: bool,
    pub(super) shown: Vec<String>,
}

impl Tally {
    fn right(&self) -> bool {
        if self.named { self.tool && self.place && self.rule } else { self.tool && self.set <= SMALL }
    }

    pub(super) fn fine(&self) -> bool {
        self.right() && self.family && !self.blamed
    }

    /// What is wrong, in words.
    pub(super) fn wrong(&self) -> String {
        let all = [
            (!self.known, "not known".to_owned()),
            (!self.tool, "tool".to_owned()),
            (self.named && !self.place, "place".to_owned()),
            (self.named && !self.rule, "rule".to_owned()),
            (!self.named && self.set > SMALL, format!("{} candidates", self.set)),
            (!self.family, "family".to_owned()),
            (self.blamed, "blamed for nothing".to_owned()),
        ];
        all.into_iter().filter(|(wrong, _)| *wrong).map(|(_, word)| word).collect::<Vec<_>>().join(", ")
    }
}

/// The counts of all profiles.
#[derive(Debug, Default)]
pub(super) struct Table(BTreeMap<String, Vec<Tally>>);

impl Table {
    pub(super) fn add(&mut self, profile: &str, tally: Tally) {
        self.0.entry(profile.to_owned()).or_default().push(tally);
    }

    fn all(&self) -> Vec<Tally> {
        self.0.values().flatten().cloned().collect()
    }

    /// Whether at least this part of each kind of what can be predicted is right, over all profiles.
    pub(super) fn holds(&self, wanted: f64) -> bool {
        let all: Vec<Tally> = self.all().into_iter().filter(|t| t.scorable).collect();
        let part = |of: &dyn Fn(&&Tally) -> bool, right: &dyn Fn(&Tally) -> bool| {
            let among: Vec<&Tally> = all.iter().filter(of).collect();
            among.iter().filter(|t| right(t)).count() as f64 >= wanted * among.len() as f64
        };
        part(&|t| t.named, &Tally::right) && part(&|t| !t.named, &Tally::right) && part(&|_| true, &|t| !t.blamed)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<28} {:>5} | {:>6} {:>5} {:>5} {:>5} | {:>7} {:>5} {:>6} {:>6} {:>5} {:>6} | {:>7} {:>6} | {:>7} {:>6}",
            "profile",
            "known",
            "place",
            "tool",
            "rule",
            "place",
            "nothing",
            "small",
            "median",
            "most",
            "any",
            "median",
            "profile",
            "family",
            "nowhere",
            "blamed"
        )?;
        let all = self.all();
        let scorable: Vec<Tally> = all.iter().filter(|t| t.scorable).cloned().collect();
        for (profile, tallies) in self.0.iter().map(|(p, t)| (p.as_str(), t)).chain([("all", &all), ("predictable", &scorable)]) {
            row(f, profile, tallies)?;
        }
        Ok(())
    }
}

fn row(f: &mut fmt::Formatter<'_>, profile: &str, tallies: &[Tally]) -> fmt::Result {
    let (named, rest): (Vec<&Tally>, Vec<&Tally>) = tallies.iter().partition(|t| t.named);
    let of = |list: &[&Tally], right: &dyn Fn(&Tally) -> bool| list.iter().filter(|t| right(t)).count();
    let mut sets: Vec<usize> = rest.iter().map(|t| t.set).collect();
    let mut wide: Vec<usize> = rest.iter().map(|t| t.wide_set).collect();
    sets.sort_unstable();
    wide.sort_unstable();
    let all: Vec<&Tally> = tallies.iter().collect();
    writeln!(
        f,
        "{profile:<28} {:>2}/{:<2} | {:>6} {:>5} {:>5} {:>5} | {:>7} {:>5} {:>6} {:>6} {:>5} {:>6} | {:>7} {:>6} | {:>7} {:>6}",
        of(&all, &|t| t.known),
        all.len(),
        named.len(),
        of(&named, &|t| t.tool),
        of(&named, &|t| t.rule),
        of(&named, &|t| t.place),
        rest.len(),
        of(&rest, &Tally::right),
        sets.get(sets.len() / 2).copied().unwrap_or(0),
        sets.last().copied().unwrap_or(0),
        of(&rest, &|t| t.wide),
        wide.get(wide.len() / 2).copied().unwrap_or(0),
        of(&all, &|t| t.profile),
        of(&all, &|t| t.family),
        of(&all, &|t| t.innocent > 0),
        of(&all, &|t| t.blamed),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds() {
        let check = |holds: bool, wrong: Tally| {
            let mut table = Table::default();
            let right = Tally { named: wrong.named, scorable: true, tool: true, place: true, rule: true, set: 1, ..Tally::default() };
            (0..19).for_each(|_| table.add("p", right.clone()));
            table.add("p", Tally { scorable: true, ..wrong.clone() });
            assert!(table.holds(0.95), "one of twenty");
            table.add("p", Tally { scorable: true, ..wrong.clone() });
            assert_eq!(table.holds(0.95), holds, "{}", wrong.wrong());
        };
        let named = Tally { named: true, tool: true, place: true, rule: true, ..Tally::default() };
        check(true, named.clone());
        check(false, Tally { tool: false, ..named.clone() });
        check(false, Tally { place: false, ..named.clone() });
        check(false, Tally { rule: false, ..named.clone() });
        check(false, Tally { blamed: true, ..named });
        check(true, Tally { tool: true, set: SMALL, ..Tally::default() });
        check(false, Tally { tool: true, set: SMALL + 1, ..Tally::default() });
    }
}
