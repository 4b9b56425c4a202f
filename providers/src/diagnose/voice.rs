//! What profiles know of providers' messages, and which of it stands in a text.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use regex::Regex;
use schemalect_rules::{Bound, Speech};

use super::gate::Gate;
use super::message::messages;

/// No more distinct messages than this are looked at.
const MOST_MESSAGES: usize = 2_000;
/// Nor more text than this, all of them together.
const MOST_BYTES: usize = 1 << 20;
/// Of a long line, this much before and after what is known is looked at.
const BEFORE: usize = 2 << 10;
const AFTER: usize = 6 << 10;

/// What one profile knows of its provider's messages.
#[derive(Debug)]
pub(super) struct Voice {
    pub(super) speech: Speech,
    /// Its rules, once a message needed them.
    pub(super) bound: OnceLock<Bound>,
    /// The pattern of each of its `says`.
    says: Vec<usize>,
    signs: Vec<usize>,
}

/// What several profiles know.
#[derive(Debug)]
pub(super) struct Voices {
    pub(super) voices: Vec<Voice>,
    patterns: Vec<(String, OnceLock<Option<Regex>>)>,
    gate: Gate,
}

/// A message that some profile may know.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) text: String,
    /// What its object says of the place.
    pub(super) beside: Option<String>,
    /// The patterns that may match.
    patterns: Vec<usize>,
}

/// Where a binding's words stand in a message.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    /// The number of the `says` in the profile's speech.
    pub(super) says: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) path: Option<String>,
    pub(super) key: Option<String>,
    /// The reference that it names.
    pub(super) reference: Option<String>,
    pub(super) value: Option<String>,
    pub(super) count: Option<u64>,
}

impl Voices {
    pub(super) fn new(speeches: Vec<Speech>) -> Voices {
        let (mut numbers, mut patterns) = (HashMap::<String, usize>::new(), Vec::new());
        let mut number = |pattern: &str| {
            if let Some(&known) = numbers.get(pattern) {
                return known;
            }
            numbers.insert(pattern.to_owned(), patterns.len());
            patterns.push((pattern.to_owned(), OnceLock::new()));
            patterns.len().saturating_sub(1)
        };
        let mut voice = |speech: Speech| Voice {
            says: speech.says.iter().map(|says| number(says.pattern())).collect(),
            signs: speech.speaks.signs.iter().map(|sign| number(sign.text())).collect(),
            speech,
            bound: OnceLock::new(),
        };
        let voices: Vec<Voice> = speeches.into_iter().map(&mut voice).collect();
        let gate = Gate::new(patterns.iter().map(|(text, _)| text.as_str()));
        Voices { voices, patterns, gate }
    }

    /// The messages in a text that hold something known, each once.
    pub(super) fn messages(&self, text: &str) -> Vec<Message> {
        let (mut seen, mut out, mut bytes) = (HashSet::new(), Vec::<Message>::new(), 0_usize);
        messages(text, &mut |line, beside| {
            for part in self.parts(line) {
                let patterns = self.possible(part);
                let new = !patterns.is_empty() && out.len() < MOST_MESSAGES && bytes.saturating_add(part.len()) <= MOST_BYTES;
                if new && seen.insert((part.to_owned(), beside.map(str::to_owned))) {
                    bytes = bytes.saturating_add(part.len());
                    out.push(Message { text: part.to_owned(), beside: beside.map(str::to_owned), patterns });
                }
            }
        });
        out
    }

    /// A line, or the parts of a long one in which something known stands.
    fn parts<'t>(&self, line: &'t str) -> Vec<&'t str> {
        if line.len() <= BEFORE + AFTER {
            return vec![line];
        }
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for sighting in self.gate.sightings(line) {
            let (start, end) = (sighting.start.saturating_sub(BEFORE), sighting.end.saturating_add(AFTER).min(line.len()));
            let full = spans.len() >= MOST_MESSAGES;
            match spans.last_mut() {
                Some((first, last)) if start <= *last && end.saturating_sub(*first) <= BEFORE + 2 * AFTER => *last = end.max(*last),
                Some((_, last)) if sighting.end.saturating_add(BEFORE) <= *last => {}
                _ if full => break,
                _ => spans.push((start, end)),
            }
        }
        let bound = |at: usize| (0..=at).rev().find(|&i| line.is_char_boundary(i)).unwrap_or(0);
        spans.into_iter().filter_map(|(start, end)| line.get(bound(start)..bound(end))).collect()
    }

    fn possible(&self, text: &str) -> Vec<usize> {
        let mut patterns = self.gate.open().to_vec();
        for sighting in self.gate.sightings(text) {
            patterns.extend(sighting.patterns);
            if patterns.len() > self.patterns.len().saturating_mul(4) {
                patterns.sort_unstable();
                patterns.dedup();
            }
        }
        patterns.sort_unstable();
        patterns.dedup();
        patterns
    }

    /// Where the words of this profile's bindings stand in a message, grouped by what they speak of: the groups do not overlap.
    pub(super) fn hits(&self, voice: &Voice, message: &Message) -> Vec<Vec<Hit>> {
        let mut hits = Vec::new();
        for (says, pattern) in voice.says.iter().enumerate() {
            let Some(regex) = self.regex(*pattern, message) else { continue };
            for found in regex.captures_iter(&message.text).take(MOST_MESSAGES) {
                let Some(whole) = found.get(0) else { continue };
                let group = |name: &str| found.name(name).map(|m| m.as_str().to_owned());
                hits.push(Hit {
                    says,
                    start: whole.start(),
                    end: whole.end(),
                    path: group("path"),
                    key: group("key"),
                    reference: group("ref"),
                    value: group("value"),
                    count: group("count").and_then(|count| count.parse().ok()),
                });
            }
        }
        hits.sort_by_key(|hit| (hit.start, hit.says));
        let mut groups: Vec<(usize, Vec<Hit>)> = Vec::new();
        for hit in hits {
            match groups.last_mut() {
                Some((end, group)) if hit.start < *end => {
                    *end = hit.end.max(*end);
                    group.push(hit);
                }
                _ => groups.push((hit.end, vec![hit])),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Whether a message bears a sign of this profile.
    pub(super) fn bears_sign(&self, voice: &Voice, message: &Message) -> bool {
        voice.signs.iter().any(|sign| self.regex(*sign, message).is_some_and(|regex| regex.is_match(&message.text)))
    }

    fn regex(&self, pattern: usize, message: &Message) -> Option<&Regex> {
        message.patterns.binary_search(&pattern).ok()?;
        let (text, regex) = self.patterns.get(pattern)?;
        regex.get_or_init(|| Regex::new(text).ok()).as_ref()
    }
}
