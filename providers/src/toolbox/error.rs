//! What can go wrong with a tool when it is added, and with a call of it.

use crate::restore::UnknownTool;
use crate::validate::Mistake;

use super::Failure;

/// A schema has something that not every provider takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the schema of `{tool}` is not portable: {}", .problems.join("; "))]
pub struct SchemaNotPortable {
    /// The tool.
    pub tool: String,
    /// Every problem, as `$.path: text`.
    pub problems: Vec<String>,
}

/// Why a tool cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolboxError {
    /// It has no name.
    #[error("a tool needs a name")]
    Nameless,
    /// Another tool has its name.
    #[error("there is a tool `{name}` already; give one of them another name")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Its schema cannot be read.
    #[error("the schema of `{name}` cannot be read: {what}")]
    Unreadable {
        /// The tool.
        name: String,
        /// Why.
        what: String,
    },
    /// It has to be portable and is not.
    #[error(transparent)]
    NotPortable(#[from] SchemaNotPortable),
    /// Its arguments or results have no schema.
    #[cfg(feature = "typed")]
    #[error(transparent)]
    Declare(#[from] crate::DeclareError),
}

/// The arguments of a call are not what the tool takes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the arguments of `{tool}` are not valid: {}", lines(.mistakes))]
pub struct ToolArgsInvalid {
    /// The tool.
    pub tool: String,
    /// What is wrong, each with its place in the arguments.
    pub mistakes: Vec<Mistake>,
    /// Pointers of what is required and absent.
    pub missing: Vec<String>,
}

/// Why a call gives no result.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// It names no tool that was rendered.
    #[error(transparent)]
    UnknownTool(#[from] UnknownTool),
    /// Its arguments are not what the tool takes.
    #[error(transparent)]
    Arguments(#[from] ToolArgsInvalid),
    /// The tool has no function; it is for the caller to run.
    #[error("`{tool}` has no function to run; take the arguments from `prepare`")]
    NoHandler {
        /// The tool.
        tool: String,
    },
    /// The tool's function failed.
    #[error("`{tool}` failed: {error}")]
    Failed {
        /// The tool.
        tool: String,
        /// Why.
        #[source]
        error: Failure,
    },
}

fn lines(mistakes: &[Mistake]) -> String {
    let line = |mistake: &Mistake| match mistake.path.as_str() {
        "" => mistake.message.clone(),
        path => format!("{path}: {}", mistake.message),
    };
    mistakes.iter().map(line).collect::<Vec<_>>().join("; ")
}
