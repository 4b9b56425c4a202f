//! How well a finding agrees with the words that a message names.

use schemalect_engine::finding::Subject;
use schemalect_engine::{Finding, Id, Kind, Kw};

use super::judge::Judge;
use super::named::Place;
use super::tools::Given;
use super::voice::Hit;

/// How well a finding agrees with words that name nothing in particular.
pub(super) const AGREES: u8 = 2;
/// So many members of a value are compared with a word.
const MOST_MEMBERS: usize = 200;

impl Judge<'_> {
    /// Whether the key that a hit names stands at a place, or may stand there unseen.
    pub(super) fn holds_key(&self, tool: usize, place: &Place, hit: &Hit) -> bool {
        let Some(key) = hit.key.as_deref().filter(|key| is_word(key)) else { return true };
        let schema = self.tools.get(tool).and_then(Given::schema);
        let (Some(schema), Some(node)) = (schema, place.node) else { return true };
        schema.tree.kind(node) != Kind::Object || schema.tree.member(node, key).is_some() || schema.tree.key(node) == key
    }

    /// How well a finding agrees with the words that a hit names: 0 not at all, 4 in every way.
    pub(super) fn fits(&self, tool: usize, finding: &Finding, hit: &Hit) -> u8 {
        let schema = self.tools.get(tool).and_then(Given::schema).filter(|_| finding.subject == Subject::Schema);
        let node = schema.as_ref().and_then(|s| s.tree.at_pointer(s.root, &finding.path));
        let (Some(schema), Some(node)) = (schema, node) else { return AGREES };
        let tree = schema.tree;
        let last = tree.key(node);
        let held = |word: &str| {
            let above = tree.parent(node).filter(|_| node != schema.root);
            last == word
                || tree.member(node, word).is_some()
                || tree.str(node).is_some_and(|text| text == word)
                || above.is_some_and(|p| p != schema.root && tree.key(p) == word)
                || tree
                    .get(node, Kw::Required)
                    .is_some_and(|list| tree.children(list).any(|c| tree.str(c).is_some_and(|text| text == word)))
        };
        let key = match hit.key.as_deref() {
            None => AGREES,
            Some(key) if words(key).any(held) => AGREES + 1,
            Some(key) => u8::from(!is_word(key)),
        };
        let value = |value: &str| {
            let value = value.trim_matches(['\'', '"']);
            let below = |id: Id| tree.str(id).map_or_else(|| tree.raw(id) == value, |text| text == value);
            below(node) || tree.children(node).take(MOST_MEMBERS).any(below)
        };
        key.saturating_add(u8::from(key > 0 && hit.value.iter().chain(&hit.reference).any(|text| value(text))))
    }
}

/// Whether a key is one name, and so has to stand where the message says.
fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-')) || Kw::of(key).is_some()
}

/// The words of a list that a message writes out.
fn words(key: &str) -> impl Iterator<Item = &str> {
    let whole = std::iter::once(key);
    whole.chain(key.split(['\'', '"', ',', '/', ' ']).map(str::trim).filter(move |w| !w.is_empty() && *w != key))
}
