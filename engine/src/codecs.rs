//! The codecs of the phase that runs, found by node.

use hashbrown::HashMap;

use crate::codec::Codec;
use crate::tree::Id;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Codecs in the order in which they were made.
#[derive(Default)]
pub(crate) struct Codecs {
    /// None where one was removed.
    all: Vec<Option<(Id, Codec)>>,
    /// Where those of a node stand.
    at: Map<Id, Vec<usize>>,
}

impl Codecs {
    pub(crate) fn push(&mut self, node: Id, codec: Codec) {
        self.at.entry(node).or_default().push(self.all.len());
        self.all.push(Some((node, codec)));
    }

    /// Whether no node has any.
    pub(crate) fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Those of a node.
    pub(crate) fn of(&self, node: Id) -> impl Iterator<Item = &Codec> {
        let places = self.at.get(&node).into_iter().flatten();
        places.filter_map(|&place| self.all.get(place)?.as_ref()).map(|(_, codec)| codec)
    }

    /// What maps the values of a node now maps those of another.
    pub(crate) fn shift(&mut self, from: Id, to: Id) {
        let Some(places) = self.at.remove(&from) else { return };
        for &place in &places {
            if let Some(Some((node, _))) = self.all.get_mut(place) {
                *node = to;
            }
        }
        self.at.entry(to).or_default().extend(places);
    }

    /// Forgets those of a node.
    pub(crate) fn remove(&mut self, node: Id) {
        for place in self.at.remove(&node).into_iter().flatten() {
            if let Some(codec) = self.all.get_mut(place) {
                *codec = None;
            }
        }
    }

    /// Gives copies of nodes what the originals have.
    pub(crate) fn copy(&mut self, pairs: impl IntoIterator<Item = (Id, Id)>) {
        let places = |(from, to)| self.at.get(&from).into_iter().flatten().map(move |&place| (place, to));
        let mut copies: Vec<(usize, Id)> = pairs.into_iter().flat_map(places).collect();
        copies.sort_unstable_by_key(|(place, _)| *place);
        for (place, to) in copies {
            if let Some(Some((_, codec))) = self.all.get(place).cloned() {
                self.push(to, codec);
            }
        }
    }

    /// All of them, and none is left.
    pub(crate) fn take(&mut self) -> Vec<(Id, Codec)> {
        let Codecs { all, .. } = std::mem::take(self);
        all.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_follow_their_nodes() {
        let named = |name: &str| Codec::Unwrap { name: name.to_owned() };
        let mut codecs = Codecs::default();
        for (node, name) in [(1, "a"), (2, "b"), (1, "c"), (3, "d")] {
            codecs.push(Id(node), named(name));
        }
        codecs.shift(Id(1), Id(4));
        codecs.remove(Id(2));
        codecs.copy([(Id(3), Id(6)), (Id(4), Id(5)), (Id(2), Id(7))]);
        assert_eq!(codecs.of(Id(4)).collect::<Vec<_>>(), [&named("a"), &named("c")]);
        let all: Vec<(u32, Codec)> = codecs.take().into_iter().map(|(node, codec)| (node.0, codec)).collect();
        let wanted = [(4, "a"), (4, "c"), (3, "d"), (5, "a"), (5, "c"), (6, "d")];
        assert_eq!(all, wanted.map(|(node, name)| (node, named(name))));
        assert!(codecs.is_empty());
    }
}
