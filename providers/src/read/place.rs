//! Where a node of a document stands in the file it was read from.

use schemalect_engine::{Id, Tree};

/// Bytes between two counted characters of [`Lines`].
const STRIDE: usize = 1024;

/// A range of the input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line of the first byte, from 1.
    pub line: usize,
    /// Column of the first byte in characters, from 1.
    pub column: usize,
    /// First byte, from 0.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// One JSON text of a file, as a tree that knows where it stood.
#[derive(Debug)]
pub struct Document {
    pub(crate) tree: Tree,
    base: Base,
    lines: Lines,
}

/// Where a text begins in its file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    /// Bytes before it.
    pub(crate) offset: usize,
    /// Its first line, from 1.
    pub(crate) line: usize,
}

impl Base {
    /// The beginning of a file.
    pub(crate) const START: Base = Base { offset: 0, line: 1 };
}

impl Document {
    pub(crate) fn new(tree: Tree, text: &str, base: Base) -> Document {
        Document { tree, base, lines: Lines::of(text) }
    }

    /// The parsed text.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The place of a range of bytes of the parsed text.
    #[must_use]
    pub fn place(&self, (start, end): (u32, u32)) -> Place {
        let (line, column) = self.lines.of_byte(&self.tree, start as usize);
        Place {
            line: self.base.line.saturating_add(line),
            column: column.saturating_add(1),
            start: self.base.offset.saturating_add(start as usize),
            end: self.base.offset.saturating_add(end as usize),
        }
    }

    /// The place of a node.
    #[must_use]
    pub fn place_of(&self, id: Id) -> Option<Place> {
        self.tree.span(id).map(|span| self.place(span))
    }
}

/// Line starts, and character counts where bytes and characters differ.
#[derive(Debug)]
struct Lines {
    starts: Vec<u32>,
    chars: Vec<u32>,
}

impl Lines {
    fn of(text: &str) -> Lines {
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let starts = std::iter::once(0).chain(newlines.map(|(at, _)| offset(at.saturating_add(1)))).collect();
        let mut chars = Vec::new();
        if !text.is_ascii() {
            let mut seen = 0_u32;
            for block in text.as_bytes().chunks(STRIDE) {
                chars.push(seen);
                seen = seen.saturating_add(offset(count(block)));
            }
        }
        Lines { starts, chars }
    }

    /// Line and column of a byte, both from 0.
    fn of_byte(&self, tree: &Tree, byte: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&s| s as usize <= byte).saturating_sub(1);
        let start = self.starts.get(line).map_or(0, |&s| s as usize);
        (line, self.chars_before(tree, byte).saturating_sub(self.chars_before(tree, start)))
    }

    fn chars_before(&self, tree: &Tree, byte: usize) -> usize {
        let block = (byte / STRIDE).min(self.chars.len().saturating_sub(1));
        let Some(&seen) = self.chars.get(block) else { return byte };
        // Only white space stands outside of the root, and it is ASCII.
        let root = tree.span(tree.root()).map_or(0, |s| s.0 as usize);
        let text = tree.raw(tree.root()).as_bytes();
        let from = block.saturating_mul(STRIDE);
        let before = root.clamp(from, byte.max(from)).saturating_sub(from);
        let inside = text.get(from.saturating_sub(root)..byte.saturating_sub(root)).map_or(0, count);
        (seen as usize).saturating_add(before).saturating_add(inside)
    }
}

fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&b| (b & 0xC0) != 0x80).count()
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemalect_engine::Budget;
    use schemalect_engine::budget::line_column;

    #[test]
    fn every_value_is_placed_as_an_editor_would() {
        let long = format!("  [\n\"{}\", \"é\", {{\"ü\": [1,\n 2]}}]", "äb".repeat(900));
        for text in ["[1, 2]", "\n\n {\"a\":\n  [true,\n\"x\"]}", "[\"é\", \"ü\",\n\"ß\", 1]", long.as_str()] {
            let tree = Tree::parse(text, &Budget::default()).expect(text);
            let document = Document::new(tree.clone(), text, Base { offset: 100, line: 5 });
            for id in tree.descendants(tree.root()) {
                let place = document.place_of(id).expect("parsed");
                let (line, column) = line_column(text.as_bytes(), place.start - 100);
                assert_eq!((place.line, place.column), (line + 4, column), "{}", tree.raw(id));
            }
        }
    }
}
