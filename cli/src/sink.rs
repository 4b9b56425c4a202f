//! A file that is written whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::Failure;

/// A file to be written. Until all is well an old one stays as it is.
pub(crate) struct Sink {
    writer: BufWriter<File>,
    path: PathBuf,
    /// Where it is written for the time being; `None` where the path is a pipe or a device.
    part: Option<PathBuf>,
    is_empty: bool,
}

impl Sink {
    pub(crate) fn create(path: &Path) -> Result<Sink, Failure> {
        let whole = std::fs::metadata(path).map_or(true, |m| m.is_file());
        let part = whole.then(|| {
            let mut name = path.file_name().unwrap_or_default().to_owned();
            name.push(format!(".{}.part", std::process::id()));
            path.with_file_name(name)
        });
        let file = File::create(part.as_deref().unwrap_or(path)).map_err(|e| Failure::file(path, e))?;
        Ok(Sink { writer: BufWriter::new(file), path: path.to_owned(), part, is_empty: true })
    }

    /// Puts the file in its place; of a run that failed only where it holds something.
    pub(crate) fn finish(mut self, failed: bool) -> Result<(), Failure> {
        let fail = |error| Failure::file(&self.path, error);
        if !failed || !self.is_empty {
            self.writer.flush().map_err(fail)?;
            if let Some(part) = self.part.take() {
                std::fs::rename(part, &self.path).map_err(fail)?;
            }
        }
        Ok(())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_empty &= bytes.is_empty();
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let _ = std::fs::remove_file(part);
        }
    }
}
