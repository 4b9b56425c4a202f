//! Tells a document from one document a line, and reads the latter a line at a time.

use std::io::{self, BufRead, BufReader, Read};

use schemalect_engine::{Kind, Tree};

use super::place::Base;
use super::{Input, InputError, ReadOptions, ToolList, read_at};

/// An input, opened.
pub enum Opened<R> {
    /// One document.
    Document(Vec<u8>),
    /// One document a line.
    Lines(LineReader<R>),
}

/// Bytes that are read ahead.
const BUFFER: usize = 1 << 20;

/// Reads lines; white lines are passed over.
pub struct LineReader<R> {
    reader: BufReader<R>,
    ahead: Vec<Line>,
    next: Base,
    limit: usize,
}

/// A line of NDJSON and where it stood.
#[derive(Clone, Debug)]
pub struct Line {
    bytes: Vec<u8>,
    base: Base,
    too_long: bool,
}

/// Opens an input and tells which of both it is.
///
/// # Errors
/// The reader's own.
pub fn open<R: Read>(reader: R, options: &ReadOptions) -> io::Result<Opened<R>> {
    let reader = BufReader::with_capacity(BUFFER, reader);
    let mut lines = LineReader { reader, ahead: Vec::new(), next: Base::START, limit: options.document.bytes };
    match options.input {
        Input::Ndjson => Ok(Opened::Lines(lines)),
        Input::Auto => {
            let Some(first) = lines.read()? else { return Ok(Opened::Document(Vec::new())) };
            let second = lines.read()?;
            if let Some(second) = &second
                && is_ndjson(&first, second, options)
            {
                lines.ahead = vec![second.clone(), first];
                return Ok(Opened::Lines(lines));
            }
            lines.whole(Some(first), second).map(Opened::Document)
        }
        _ => lines.whole(None, None).map(Opened::Document),
    }
}

/// Whether each of two lines seems to be a document: the first is whole, or broken where the second is whole.
fn is_ndjson(first: &Line, second: &Line, options: &ReadOptions) -> bool {
    let parse = |line: &Line| Tree::parse_bytes(without_mark(&line.bytes), &options.document);
    match parse(first) {
        Ok(_) => true,
        Err(error) => {
            error.offset < without_mark(&first.bytes).trim_ascii_end().len()
                && !error.over_budget
                && parse(second).is_ok_and(|t| t.kind(t.root()) == Kind::Object)
        }
    }
}

impl<R: Read> LineReader<R> {
    /// The lines that can be had without waiting, up to so many; at least one, if there is one.
    ///
    /// # Errors
    /// The reader's own.
    pub fn batch(&mut self, lines: usize) -> io::Result<Vec<Line>> {
        let mut batch = Vec::new();
        while batch.len() < lines && (batch.is_empty() || !self.ahead.is_empty() || self.reader.buffer().contains(&b'\n')) {
            let Some(line) = self.ahead.pop().map_or_else(|| self.read(), |line| Ok(Some(line)))? else { break };
            batch.push(line);
        }
        Ok(batch)
    }

    /// The next line that is not white.
    fn read(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            let limit = u64::try_from(self.limit).unwrap_or(u64::MAX).saturating_add(2);
            let mut taken = self.reader.by_ref().take(limit).read_until(b'\n', &mut bytes)?;
            if taken == 0 {
                return Ok(None);
            }
            let too_long = bytes.len() > self.limit && bytes.last() != Some(&b'\n');
            if too_long {
                bytes.truncate(64);
                taken = taken.saturating_add(skip_line(&mut self.reader)?);
            }
            let base = self.next;
            self.next = Base { offset: base.offset.saturating_add(taken), line: base.line.saturating_add(1) };
            if too_long || !without_mark(&bytes).trim_ascii().is_empty() {
                return Ok(Some(Line { bytes, base, too_long }));
            }
        }
    }

    /// Everything, with what was read of it; a little more than the limit where there is more.
    fn whole(mut self, first: Option<Line>, second: Option<Line>) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        for line in [first, second].into_iter().flatten() {
            // White lines that were passed over keep their length and number.
            let before: usize = line.base.line.saturating_sub(1).saturating_sub(out.iter().filter(|&&b| b == b'\n').count());
            let blanks = line.base.offset.saturating_sub(out.len().saturating_add(before));
            out.extend(std::iter::repeat_n(b' ', blanks));
            out.extend(std::iter::repeat_n(b'\n', before));
            out.extend(&line.bytes);
            if line.too_long {
                out.resize(self.limit.saturating_add(1), b' ');
                return Ok(out);
            }
        }
        let left = u64::try_from(self.limit.saturating_add(1).saturating_sub(out.len())).unwrap_or(u64::MAX);
        self.reader.by_ref().take(left).read_to_end(&mut out)?;
        Ok(out)
    }
}

/// Without the byte order mark that some editors write.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Passes over the rest of a line.
fn skip_line(reader: &mut impl BufRead) -> io::Result<usize> {
    let mut skipped = 0_usize;
    loop {
        let buffer = reader.fill_buf()?;
        let (used, found) = match buffer.iter().position(|&b| b == b'\n') {
            Some(at) => (at.saturating_add(1), true),
            None => (buffer.len(), false),
        };
        reader.consume(used);
        skipped = skipped.saturating_add(used);
        if found || used == 0 {
            return Ok(skipped);
        }
    }
}

impl Line {
    /// Its number, from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        self.base.line
    }

    /// The bytes that it holds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Reads the document in it.
    ///
    /// # Errors
    /// As [`super::read`].
    pub fn read(&self, options: &ReadOptions) -> Result<ToolList, InputError> {
        if self.too_long {
            let what = format!("over budget: a line of more than {} bytes", options.document.bytes);
            return Err(InputError { line: self.base.line, column: 1, what, advice: "raise document-bytes with --limit" });
        }
        read_at(self.bytes.trim_ascii_end(), self.base, &ReadOptions { input: Input::Auto, ..*options })
    }
}
