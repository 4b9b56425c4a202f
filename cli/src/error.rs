//! Why a run fails, as it is shown to a person.

use std::io;
use std::path::{Path, PathBuf};

use schemalect::{InputError, ProfilesError};

/// A failure with exit code 2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A file could not be read or written.
    #[error("error: {}: {error}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// An input is no document of a known form.
    #[error("error: {}:{error}", path.display())]
    Input {
        /// Which one.
        path: PathBuf,
        /// Why.
        #[source]
        error: InputError,
    },
    /// A profile is wrong.
    #[error("{}", .0.render())]
    Profiles(#[from] ProfilesError),
    /// The flags do not fit together.
    #[error("error: {0}")]
    Usage(String),
    /// Standard output could not be written.
    #[error("error: standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// A file that could not be read or written.
    pub(crate) fn file(path: &Path, error: io::Error) -> Failure {
        Failure::File { path: path.to_owned(), error }
    }

    /// Whether the reader of our output has gone.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
