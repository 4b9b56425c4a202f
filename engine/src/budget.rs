//! Limits on what is read and made, and the error for both kinds of unreadable input.

use std::fmt;

/// Limits; every one has a safe default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of one schema's text.
    pub bytes: usize,
    /// Nesting of arrays and objects.
    pub depth: usize,
    /// Nodes of one schema.
    pub nodes: usize,
    /// Nodes that inlining references may make, per schema.
    pub expanded: usize,
    /// Events per schema.
    pub events: usize,
}

impl Budget {
    /// No text is read that is nested deeper, whatever the limit: what goes along documents needs stack for each level.
    pub const DEEPEST: usize = 1_000;

    /// The limits' words on the command line.
    pub const WORDS: [&'static str; 5] = ["bytes", "depth", "nodes", "expanded", "events"];

    /// Sets a limit by its word.
    pub fn set(&mut self, word: &str, value: usize) -> bool {
        match word {
            "bytes" => self.bytes = value,
            "depth" => self.depth = value,
            "nodes" => self.nodes = value,
            "expanded" => self.expanded = value,
            "events" => self.events = value,
            _ => return false,
        }
        true
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { bytes: 4 << 20, depth: 128, nodes: 400_000, expanded: 20_000, events: 10_000 }
    }
}

/// How much text about places may still be told. A place spells out the names around it, and names can be as long as a document: what is
/// told of many places has to be bounded by length as well as by number. What is told first is told whatever its length.
#[derive(Clone, Copy, Debug)]
pub struct Telling(usize);

impl Default for Telling {
    fn default() -> Telling {
        Telling(4 << 20)
    }
}

impl Telling {
    /// Whether so many bytes more are told.
    pub fn takes(&mut self, bytes: usize) -> bool {
        let open = self.0 > 0;
        self.0 = self.0.saturating_sub(bytes);
        open
    }

    /// Whether nothing more is told.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0 == 0
    }
}

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// What was wrong.
    pub what: String,
    /// The byte at which it was seen.
    pub offset: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Whether a limit was exceeded; else the text is no JSON.
    pub over_budget: bool,
}

impl ReadError {
    pub(crate) fn at(text: &[u8], offset: usize, what: String, over_budget: bool) -> ReadError {
        let offset = offset.min(text.len());
        let (line, column) = line_column(text, offset);
        ReadError { what, offset, line, column, over_budget }
    }
}

/// Line and column (in characters), both from 1, of a byte.
#[must_use]
pub fn line_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.iter().filter(|&&b| b == b'\n').count().saturating_add(1);
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p.saturating_add(1));
    let column = before.get(start..).unwrap_or_default().iter().filter(|&&b| (b as i8) >= -0x40).count().saturating_add(1);
    (line, column)
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.over_budget { "over budget" } else { "not JSON" };
        write!(f, "{kind}: {} at line {}, column {}", self.what, self.line, self.column)
    }
}

impl std::error::Error for ReadError {}
