//! What a rewrite does to the set of values, as a set of four words.

use std::fmt;

/// A set of effects; the empty set means "equivalent".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects(pub(crate) u8);

impl Effects {
    /// Nothing changes: the same values, spelled the same way.
    pub const NONE: Effects = Effects(0);
    /// The model may write values that the tool refuses (validation catches them).
    pub const WIDENS: Effects = Effects(1);
    /// Some values that the tool takes can no longer be written.
    pub const NARROWS: Effects = Effects(2);
    /// Structure that guided the model is gone.
    pub const LOSSY: Effects = Effects(4);
    /// Arguments come back in another spelling, so they must be restored.
    pub const RECODES: Effects = Effects(8);
    /// What is allowed when the user says nothing: everything but `lossy`.
    pub const DEFAULT_ALLOWED: Effects = Effects(1 | 2 | 8);
    /// All four.
    pub const ALL: Effects = Effects(15);

    const WORDS: [(Effects, &'static str); 4] =
        [(Effects::WIDENS, "widens"), (Effects::NARROWS, "narrows"), (Effects::LOSSY, "lossy"), (Effects::RECODES, "recodes")];

    /// The effect of this name.
    #[must_use]
    pub fn of(word: &str) -> Option<Effects> {
        Self::WORDS.iter().find(|(_, w)| *w == word).map(|(e, _)| *e)
    }

    /// The union of both.
    #[must_use]
    pub const fn with(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }

    /// Whether every effect is among those allowed.
    #[must_use]
    pub const fn within(self, allowed: Effects) -> bool {
        self.0 & !allowed.0 == 0
    }

    /// Whether the sets share an effect.
    #[must_use]
    pub const fn meets(self, other: Effects) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether nothing changes.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Where the node stands under `not`, widening it narrows the whole, and the other way round.
    #[must_use]
    pub const fn flipped(self) -> Effects {
        let widens = if self.meets(Effects::NARROWS) { 1 } else { 0 };
        let narrows = if self.meets(Effects::WIDENS) { 2 } else { 0 };
        Effects((self.0 & !3) | widens | narrows)
    }

    /// Where the node's influence has no one direction (`if`, `oneOf`), either change means both.
    #[must_use]
    pub const fn blurred(self) -> Effects {
        if self.0 & 3 == 0 { self } else { Effects(self.0 | 3) }
    }

    /// The words, in a fixed order.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::WORDS.into_iter().filter(move |(e, _)| self.meets(*e)).map(|(_, w)| w)
    }
}

impl fmt::Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("equivalent");
        }
        for (i, word) in self.words().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            f.write_str(word)?;
        }
        Ok(())
    }
}
