//! Where in the tools that stands which a message speaks of: at the place that it names, else wherever a check finds it.

use std::cmp::Reverse;
use std::collections::HashMap;

use schemalect_engine::Finding;
use schemalect_engine::finding::Subject;
use schemalect_engine::measure::Counts;
use schemalect_engine::plan::{Level, Measure, Over, Test};

use super::evidence::AGREES;
use super::judge::Judge;
use super::named::Place;
use super::tools::{Given, Named};
use super::voice::{Hit, Message};

/// Agreement at the place that a message names, times this, leaves room for how close the finding is.
const AT_PLACE: u8 = 2;

/// What a hit speaks of, as far as it was found.
#[derive(Clone, Debug)]
pub(super) struct Spot<'f> {
    pub(super) hit: &'f Hit,
    pub(super) tool: Option<usize>,
    pub(super) subject: Subject,
    pub(super) path: Option<String>,
    pub(super) finding: Option<&'f Finding>,
    /// How well the finding agrees with the words of the message.
    fits: u8,
}

impl<'f> Spot<'f> {
    /// The rule of a hit, and no more.
    pub(super) fn bare(hit: &'f Hit, tool: Option<usize>, subject: Subject) -> Spot<'f> {
        Spot { hit, tool, subject, path: None, finding: None, fits: 0 }
    }

    fn of(hit: &'f Hit, tool: Option<usize>, finding: &'f Finding, fits: u8) -> Spot<'f> {
        Spot { hit, tool, subject: finding.subject, path: Some(finding.path.clone()), finding: Some(finding), fits }
    }
}

impl Judge<'_> {
    /// The places that the message names, in the tools that it names or in all.
    pub(super) fn at_named_place<'f>(&'f self, hits: &'f [Hit], message: &Message, named: &Named) -> Vec<Spot<'f>> {
        let tools: Vec<usize> = match named {
            Named::Index(tools) | Named::Name(tools) => tools.clone(),
            Named::Unknown => return Vec::new(),
            Named::Nothing => (0..self.tools.len()).collect(),
        };
        let paths: Vec<_> = hits.iter().map(|hit| (hit, self.paths(hit, message))).collect();
        let (mut firing, mut silent) = (Vec::new(), None);
        for &tool in &tools {
            let mut here: Vec<Spot<'f>> = Vec::new();
            for (hit, paths) in &paths {
                for place in self.places(tool, paths) {
                    match self.firing_at(tool, hit, &place) {
                        Some(spot) => here.push(spot),
                        None => silent = silent.or_else(|| self.silent(tool, hit, &place)),
                    }
                }
            }
            let best = here.into_iter().filter(|spot| spot.fits >= AT_PLACE * AGREES).max_by_key(|spot| self.order(spot));
            firing.extend(best);
        }
        if !firing.is_empty() {
            return firing;
        }
        // No rule fires there. Where it does elsewhere, the request that was sent was another, or positions have shifted.
        let doubtful = matches!(named, Named::Nothing) && self.tools.len() > 1;
        let silent = silent.filter(|_| !doubtful && self.recovered(hits, named, false).is_empty());
        silent.into_iter().collect()
    }

    /// The best finding of a hit's rule at a place.
    fn firing_at<'f>(&'f self, tool: usize, hit: &'f Hit, place: &Place) -> Option<Spot<'f>> {
        let schema = self.tools.get(tool)?.schema();
        let node_of = |finding: &Finding| schema.as_ref().and_then(|s| s.tree.at_pointer(s.root, &finding.path));
        let at = |finding: &Finding| match (place.node, &schema) {
            (Some(node), Some(schema)) if finding.subject == Subject::Schema => node_of(finding).is_some_and(|found| {
                // A property that the message names, of the object at the place.
                let owner = schema.tree.parent(found).and_then(|map| schema.tree.parent(map));
                let named = owner == Some(node) && hit.key.as_deref().is_some_and(|key| schema.tree.key(found) == key);
                named || schema.near(found, node)
            }),
            (None, _) => finding.subject == place.subject || (place.subject == Subject::Tool && finding.subject != Subject::Schema),
            _ => false,
        };
        let spot = |finding: &'f Finding| {
            let closest = place.node.is_some() && node_of(finding) == place.node;
            Spot::of(hit, Some(tool), finding, self.fits(tool, finding, hit).saturating_mul(AT_PLACE).saturating_add(u8::from(closest)))
        };
        self.findings_of(tool, hit).filter(|finding| at(finding)).map(spot).max_by_key(|spot| spot.fits)
    }

    /// A place that the message names and at which no rule fires, where it says more than what every tool has.
    fn silent<'f>(&self, tool: usize, hit: &'f Hit, place: &Place) -> Option<Spot<'f>> {
        let schema = self.tools.get(tool)?.schema()?;
        let node = place.node.filter(|_| place.telling && self.holds_key(tool, place, hit))?;
        let member = hit.key.as_deref().and_then(|key| schema.tree.member(node, key));
        let path = schema.tree.pointer(schema.root, member.unwrap_or(node));
        Some(Spot { path: Some(path), ..Spot::bare(hit, Some(tool), place.subject) })
    }

    /// Of spots the one that is meant most likely comes last.
    fn order(&self, spot: &Spot<'_>) -> (bool, Option<Level>, u8, Reverse<usize>) {
        (self.is_in_force(spot.hit), spot.finding.map(|f| f.level), spot.fits, Reverse(spot.hit.says))
    }

    /// The places at which a check finds what the message says: in the tools that it names, or in all.
    pub(super) fn recovered<'f>(&'f self, hits: &'f [Hit], named: &Named, place_named: bool) -> Vec<Spot<'f>> {
        let mut all: Vec<usize> = (0..self.tools.len()).collect();
        let found = match named {
            Named::Unknown => Vec::new(),
            Named::Name(tools) => self.found_in(hits, tools),
            Named::Nothing => self.found_in(hits, &all),
            Named::Index(tools) => {
                let there = if place_named { Vec::new() } else { self.found_in(hits, tools) };
                if there.is_empty() {
                    all.sort_by_key(|tool| !tools.contains(tool));
                    self.found_in(hits, &all)
                } else {
                    there
                }
            }
        };
        if found.is_empty() { self.found_in_request(hits) } else { found }
    }

    fn found_in<'f>(&'f self, hits: &'f [Hit], tools: &[usize]) -> Vec<Spot<'f>> {
        let mut spots: Vec<Spot<'f>> = Vec::new();
        for &tool in tools {
            for hit in hits {
                let spot = |finding| Spot::of(hit, Some(tool), finding, self.fits(tool, finding, hit));
                spots.extend(self.findings_of(tool, hit).map(spot).filter(|spot| spot.fits > 0));
            }
        }
        let weight = |spot: &Spot<'_>| (spot.finding.map(|f| f.level), spot.fits);
        let best = spots.iter().map(weight).max();
        spots.retain(|spot| Some(weight(spot)) == best);
        // Where several rules fire at one place, the first that holds is meant.
        let at = |spot: &Spot<'_>| (spot.tool, spot.subject.word(), spot.path.clone());
        let mut meant: HashMap<_, _> = HashMap::new();
        for spot in &spots {
            let order = self.order(spot);
            meant.entry(at(spot)).and_modify(|old| *old = order.max(*old)).or_insert(order);
        }
        spots.retain(|spot| meant.get(&at(spot)) == Some(&self.order(spot)));
        spots
    }

    fn found_in_request<'f>(&'f self, hits: &'f [Hit]) -> Vec<Spot<'f>> {
        let mut spots = Vec::new();
        for hit in hits {
            for (tool, finding) in self.request_findings().iter().filter(|(_, f)| *f.rule == *self.rule_of(hit)) {
                let tools = tool.map_or_else(|| self.largest(hit), |tool| vec![Some(tool)]);
                spots.extend(tools.into_iter().map(|tool| Spot::of(hit, tool, finding, AGREES)));
            }
        }
        spots
    }

    /// The fewest tools without which a list keeps within a limit on all of it; where the message counts otherwise than the whole
    /// list, the tools that alone have that count. No tool in particular where it is their number.
    fn largest(&self, hit: &Hit) -> Vec<Option<usize>> {
        let tests = self.rule(self.rule_of(hit)).map(|rule| rule.when.tests.as_slice()).unwrap_or_default();
        let limit = tests.iter().find_map(|test| match test {
            Test::Measure { of, over: Over::Request, above } if *of != Measure::Tools => Some((*of, *above)),
            _ => None,
        });
        let Some((of, above)) = limit else { return vec![None] };
        let one = |tool: &Given<'_>| tool.view().schema.map_or(0, |(tree, root)| Counts::of(tree, root).get(of));
        let mut parts: Vec<(u64, usize)> = self.tools.iter().enumerate().map(|(i, tool)| (one(tool), i)).collect();
        let mut sum = parts.iter().fold(0_u64, |sum, (n, _)| sum.saturating_add(*n));
        let alone: Vec<_> = parts.iter().filter(|(n, _)| Some(*n) == hit.count).map(|(_, i)| Some(*i)).collect();
        if Some(sum) != hit.count && !alone.is_empty() {
            return alone;
        }
        parts.sort_by_key(|(n, i)| (Reverse(*n), *i));
        let mut out = Vec::new();
        for (n, i) in parts {
            if sum <= above {
                break;
            }
            sum = sum.saturating_sub(n);
            out.push(Some(i));
        }
        out
    }
}
