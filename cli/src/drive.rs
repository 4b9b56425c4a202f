//! Runs a verb over an input: one document, or one document a line.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::{mem, thread};

use rayon::prelude::*;
use schemalect::{InputError, Line, LineReader, Opened, ToolList, open, read};

use crate::args::SourceArgs;
use crate::error::Failure;
use crate::session::read_options;
use crate::sink::Sink;
use crate::text::plain_lines;

/// Lines that are worked on at a time.
const BATCH: usize = 512;

/// Likewise, bytes; the last line may exceed them.
const BATCH_BYTES: usize = 1 << 20;

/// More threads than this only wait for each other.
const MOST_JOBS: usize = 64;

/// What a verb does with each document.
pub(crate) trait Answers: Sync {
    /// The answer to one document; `line` is its line, of NDJSON.
    fn answer(&self, list: &ToolList, place: At<'_>) -> Answer;

    /// The answer that stands in the place of a line that cannot be read.
    fn unreadable(&self, error: &InputError) -> String;

    /// What is printed after the last answer.
    fn finish(&self, totals: &[Totals]) -> String {
        let _ = totals;
        String::new()
    }
}

/// Where a document was read, and how it may be worked on.
#[derive(Clone, Copy)]
pub(crate) struct At<'p> {
    /// The input's name.
    pub(crate) file: &'p Path,
    /// Its line, of NDJSON.
    pub(crate) line: Option<usize>,
    /// As of `schemalect::AdaptOptions`.
    pub(crate) jobs: usize,
}

/// The answer to one document.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// For standard output.
    pub(crate) out: String,
    /// For standard error.
    pub(crate) notes: String,
    /// For the audit file.
    pub(crate) audit: String,
    /// For the plan file.
    pub(crate) plan: String,
    /// The exit code.
    pub(crate) code: u8,
    /// Counts a profile.
    pub(crate) totals: Vec<Totals>,
}

/// Counts of a profile.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) tools: usize,
    pub(crate) accepted: usize,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
}

/// Where answers go besides standard output.
#[derive(Default)]
pub(crate) struct Sinks {
    pub(crate) audit: Option<Sink>,
    pub(crate) plan: Option<Sink>,
    /// Nothing but errors goes to standard error.
    pub(crate) quiet: bool,
}

/// Reads the input, answers it, and returns the exit code.
pub(crate) fn drive(source: &SourceArgs, mut sinks: Sinks, verb: &impl Answers) -> Result<u8, Failure> {
    let options = read_options(source)?;
    let path = source.file.as_path();
    let fail = |error| Failure::file(path, error);
    let reader: Box<dyn Read + Send> =
        if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(path).map_err(fail)?) };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(source.reading.jobs.unwrap_or(0).min(MOST_JOBS)).stack_size(16 << 20).build();
    let threads = threads.map_err(|e| Failure::Usage(format!("--jobs: {e}")))?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut run = Run { out: &mut out, sinks: &mut sinks, code: 0, totals: Vec::new() };
    let named = if path == Path::new("-") { Path::new("<stdin>") } else { path };
    let whole = |error| Failure::Input { path: named.to_owned(), error };
    match open(reader, &options).map_err(fail)? {
        Opened::Document(bytes) => {
            let at = At { file: named, line: None, jobs: source.reading.jobs.unwrap_or(0) };
            let answer = threads.install(|| read(&bytes, &options).map(|list| verb.answer(&list, at))).map_err(whole)?;
            run.take(answer)?;
        }
        Opened::Lines(lines) => {
            let answer = |line: &Line| match line.read(&options) {
                Ok(list) => verb.answer(&list, At { file: named, line: Some(line.number()), jobs: 1 }),
                Err(error) => {
                    let out = verb.unreadable(&error);
                    Answer { out, notes: format!("{}\n", whole(error)), code: 2, ..Answer::default() }
                }
            };
            let mut ahead = Ahead::start(lines);
            let mut answers: Vec<Answer> = Vec::new();
            loop {
                // Answers that are ready do not wait for lines that are not.
                let batch = ahead.take(answers.is_empty());
                if batch.is_empty() && answers.is_empty() {
                    break;
                }
                let written = mem::take(&mut answers);
                threads.in_place_scope(|scope| {
                    scope.spawn(|_| answers = batch.par_iter().map(answer).collect());
                    written.into_iter().try_for_each(|answer| run.take(answer))?;
                    run.out.flush().map_err(Failure::from)
                })?;
            }
            ahead.end().map_err(fail)?;
        }
    }
    let Run { code, totals, .. } = run;
    out.write_all(verb.finish(&totals).as_bytes())?;
    out.flush()?;
    for sink in [sinks.audit, sinks.plan].into_iter().flatten() {
        sink.finish(code > 0)?;
    }
    Ok(code)
}

/// Lines that are read in a thread of their own, while earlier ones are worked on and their answers written.
struct Ahead {
    batches: Receiver<io::Result<Vec<Line>>>,
    /// Why there are no more.
    error: Option<io::Error>,
}

impl Ahead {
    /// The thread is not waited for: it may stand in a read that never returns.
    fn start<R: Read + Send + 'static>(mut lines: LineReader<R>) -> Ahead {
        let (sender, batches) = sync_channel(1);
        thread::spawn(move || {
            loop {
                let batch = lines.batch(BATCH);
                let last = batch.as_ref().map_or(true, Vec::is_empty);
                if sender.send(batch).is_err() || last {
                    break;
                }
            }
        });
        Ahead { batches, error: None }
    }

    /// The lines that are there, so many at most that they are worth the threads; `wait` for the first of them.
    fn take(&mut self, wait: bool) -> Vec<Line> {
        let first = if wait { self.batches.recv().ok() } else { self.batches.try_recv().ok() };
        let (mut batch, mut next) = (Vec::new(), first);
        while let Some(lines) = next.take() {
            match lines {
                Ok(lines) => batch.extend(lines),
                Err(error) => self.error = Some(error),
            }
            let bytes: usize = batch.iter().map(Line::bytes).sum();
            if batch.len() < BATCH && bytes < BATCH_BYTES {
                next = self.batches.try_recv().ok();
            }
        }
        batch
    }

    fn end(self) -> io::Result<()> {
        self.error.map_or(Ok(()), Err)
    }
}

struct Run<'r, W> {
    out: &'r mut W,
    sinks: &'r mut Sinks,
    code: u8,
    totals: Vec<Totals>,
}

impl<W: Write> Run<'_, W> {
    fn take(&mut self, answer: Answer) -> Result<(), Failure> {
        self.out.write_all(answer.out.as_bytes())?;
        if !answer.notes.is_empty() && (!self.sinks.quiet || answer.code == 2) {
            let _ = io::stderr().lock().write_all(plain_lines(&answer.notes).as_bytes());
        }
        for (sink, text) in [(&mut self.sinks.audit, &answer.audit), (&mut self.sinks.plan, &answer.plan)] {
            if let Some(sink) = sink {
                sink.write_all(text.as_bytes())?;
            }
        }
        self.code = self.code.max(answer.code);
        self.totals.resize(self.totals.len().max(answer.totals.len()), Totals::default());
        for (sum, new) in self.totals.iter_mut().zip(&answer.totals) {
            sum.tools += new.tools;
            sum.accepted += new.accepted;
            sum.errors += new.errors;
            sum.warnings += new.warnings;
        }
        Ok(())
    }
}
