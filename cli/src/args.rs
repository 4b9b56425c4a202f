//! The command line: verbs and flags.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use schemalect::{Day, Effects, Input, Level, OnUnfixable};

/// Checks and adapts the schemas of LLM tools for every provider.
#[derive(Debug, Parser)]
#[command(name = "schemalect", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Says what a provider would refuse, and why
    Check {
        #[command(flatten)]
        source: SourceArgs,
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        output: OutputArgs,
        /// Exit with 1 when something is this bad or worse
        #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "LEVEL")]
        fail_on: FailOn,
    },
    /// Rewrites the tools so that a provider takes them
    Adapt {
        /// A file, or `-` for standard input
        // A single file after --audit is the input, not the audit's.
        #[arg(value_name = "INPUT", required_unless_present = "audit")]
        file: Option<PathBuf>,
        #[command(flatten)]
        reading: ReadArgs,
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        output: OutputArgs,
        #[command(flatten)]
        adapt: AdaptArgs,
        /// What to print: the tools as they go into a request, the full account, or the schemas alone
        #[arg(long = "as", value_enum, default_value_t = As::Wire, value_name = "FORM")]
        form: As,
        /// Say which rule changed what and why: to stderr as text, or to FILE as NDJSON
        #[arg(long, value_name = "FILE", num_args = 0..=1)]
        #[allow(clippy::option_option)]
        audit: Option<Option<PathBuf>>,
        /// Write the plan that restores the model's arguments
        #[arg(long, value_name = "FILE")]
        plan: Option<PathBuf>,
    },
    /// Says what a rule or a profile means, with sources and an executed example
    Explain {
        /// RULE, PROFILE or PROFILE/RULE
        what: String,
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Lists the profiles
    Profiles {
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Lists the rules
    Rules {
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Shows tools against profiles: what is taken, what can be adapted and at what cost
    Matrix {
        #[command(flatten)]
        source: SourceArgs,
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        output: OutputArgs,
        #[command(flatten)]
        adapt: AdaptArgs,
    },
    /// Lists tools in few characters, for agents that load them when they are needed
    Catalog {
        /// A file, or `-` for standard input
        #[arg(value_name = "INPUT")]
        file: PathBuf,
        /// Characters that the listing may have
        #[arg(long, default_value_t = 6000, value_name = "N")]
        budget: usize,
    },
    /// Prints the canonical form of each schema, of each tool, or of the list
    Canonical {
        #[command(flatten)]
        source: SourceArgs,
        #[command(flatten)]
        canonical: CanonicalArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Prints a hash of the canonical form
    Hash {
        #[command(flatten)]
        source: SourceArgs,
        #[command(flatten)]
        canonical: CanonicalArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Judges the arguments of a call by the tool's own schema
    #[cfg(feature = "validate")]
    Validate {
        #[command(flatten)]
        validate: ValidateArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Maps a model's call back to what the tool expects
    Restore {
        #[command(flatten)]
        restore: RestoreArgs,
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        adapt: AdaptArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Writes a call of a tool as the provider's model would have written it: the inverse of restore
    Encode {
        #[command(flatten)]
        restore: RestoreArgs,
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        adapt: AdaptArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Says which tool, place and rule a provider's error text speaks of
    #[command(after_help = DIAGNOSE_HELP)]
    Diagnose {
        #[command(flatten)]
        diagnose: DiagnoseArgs,
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Works on profile files
    #[command(subcommand)]
    Profile(ProfileVerb),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileVerb {
    /// Loads profile files and prints what is wrong with them
    Check {
        /// Profile files, which may extend each other and built-in profiles
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// More profiles that they may extend
        #[arg(long, value_name = "DIR")]
        profile_dir: Vec<PathBuf>,
        #[command(flatten)]
        output: OutputArgs,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// A file, or `-` for standard input
    #[arg(value_name = "INPUT")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// Read the input as this instead of telling it apart
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) input: Option<InputForm>,
    /// Set a limit: bytes, depth, nodes, expanded or events of a schema; document-bytes, document-depth or document-nodes
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub(crate) limit: Vec<(String, String)>,
    /// Threads to use; all by default
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct SelectArgs {
    /// Profiles by name, `all`, `group:NAME`, or files of your own (`-p ./my.yaml`)
    #[arg(short, long = "profile", value_name = "PROFILE[,PROFILE…]", value_delimiter = ',')]
    pub(crate) profile: Vec<String>,
    /// A folder with profiles of your own
    #[arg(long, value_name = "DIR")]
    pub(crate) profile_dir: Vec<PathBuf>,
    /// The day to answer for; today by default
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<Day>,
    /// Set a switch of the profiles, such as model=gemini-2.5
    #[arg(long = "set", value_name = "SWITCH=VALUE", value_parser = assignment)]
    pub(crate) switches: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Text for people, JSON, or JSON with one answer a line
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// No notes, and of text output only the summary
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AdaptArgs {
    /// The effects that rewrites may have: a list of widens, narrows, recodes, lossy; or none
    #[arg(long, value_name = "EFFECT[,EFFECT…]", value_parser = effects, default_value = "widens,narrows,recodes")]
    pub(crate) allow: Effects,
    /// What becomes of a tool that cannot be made to fit; unstrict where the profile has a lenient sibling, else drop
    #[arg(long, value_enum, value_name = "CHOICE")]
    pub(crate) on_unfixable: Option<Unfixable>,
}

#[cfg(feature = "validate")]
#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// The call as {"name", "arguments"}, or of one tool the arguments alone; a file, or `-` for standard input
    #[arg(value_name = "CALL")]
    pub(crate) call: PathBuf,
    /// The tools as they were given
    #[arg(long, value_name = "INPUT")]
    pub(crate) tools: PathBuf,
    /// Only what is required and missing
    #[arg(long)]
    pub(crate) missing: bool,
}

const DIAGNOSE_HELP: &str = "\
Without -p the provider is told from the text. Each match says how sure it is:
  exact         the message names a tool and a place, and the tool has it
  recovered     the place was found by checking the tools for the rule that the message is about
  message-only  only the rule is known; the tools given hold nothing of the kind
Exits with 1 when nothing in the text is known.";

#[derive(Debug, Args)]
pub(crate) struct DiagnoseArgs {
    /// The error text, or the whole body of the answer, however it is wrapped; a file, or `-` for standard input
    #[arg(value_name = "ERROR")]
    pub(crate) error: PathBuf,
    /// The tools of the request
    #[arg(long, value_name = "INPUT")]
    pub(crate) tools: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// A call in any provider's form, {"name", "arguments"}, a list of calls, or a whole response; a file, or `-` for standard input
    #[arg(value_name = "CALL")]
    pub(crate) call: PathBuf,
    /// The tools as they were given to adapt, with -p PROFILE
    #[arg(long, value_name = "INPUT")]
    pub(crate) tools: Option<PathBuf>,
    /// The plan that adapt wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Read what does not fit as what was meant, with a note for each: all of it, or a list
    #[arg(long, value_enum, value_name = "READING[,READING…]", value_delimiter = ',', num_args = 0.., require_equals = true)]
    pub(crate) lenient: Option<Vec<Reading>>,
    /// Drop a null where the tool takes both null and no value
    #[arg(long)]
    pub(crate) drop_nulls: bool,
    /// Exit with 1 when there is any issue
    #[arg(long)]
    pub(crate) strict: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reading {
    JsonText,
    NumericText,
    Integral,
    BooleanWords,
    LetterCase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Ndjson,
}

#[derive(Debug, Args)]
pub(crate) struct CanonicalArgs {
    /// `sets`: what says the same is the same; `ascii`: sorted keys in ASCII and nothing more, as Python's json writes it
    #[arg(long, value_enum, default_value_t = CanonicalForm::Sets)]
    pub(crate) form: CanonicalForm,
    /// Of each schema, of each tool with its name and description, or of the whole list in its order
    #[arg(long, value_enum, default_value_t = Of::Schema)]
    pub(crate) of: Of,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CanonicalForm {
    Sets,
    Ascii,
}

impl CanonicalForm {
    pub(crate) const fn form(self) -> schemalect::CanonicalForm {
        match self {
            CanonicalForm::Sets => schemalect::CanonicalForm::Sets,
            CanonicalForm::Ascii => schemalect::CanonicalForm::Ascii,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Of {
    Schema,
    Tool,
    List,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum As {
    Wire,
    Tools,
    Schema,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Error,
    Warning,
    Style,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputForm {
    Schema,
    Tool,
    Tools,
    Request,
    Ndjson,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unfixable {
    Unstrict,
    Drop,
    Error,
    Keep,
}

impl FailOn {
    /// The level, if there is one.
    pub(crate) const fn level(self) -> Option<Level> {
        match self {
            FailOn::Error => Some(Level::Error),
            FailOn::Warning => Some(Level::Warning),
            FailOn::Style => Some(Level::Style),
            FailOn::Never => None,
        }
    }
}

impl From<InputForm> for Input {
    fn from(form: InputForm) -> Input {
        match form {
            InputForm::Schema => Input::Schema,
            InputForm::Tool => Input::Tool,
            InputForm::Tools => Input::Tools,
            InputForm::Request => Input::Request,
            InputForm::Ndjson => Input::Ndjson,
        }
    }
}

impl From<Unfixable> for OnUnfixable {
    fn from(choice: Unfixable) -> OnUnfixable {
        match choice {
            Unfixable::Unstrict => OnUnfixable::Unstrict,
            Unfixable::Drop => OnUnfixable::Drop,
            Unfixable::Error => OnUnfixable::Error,
            Unfixable::Keep => OnUnfixable::Keep,
        }
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

fn effects(text: &str) -> Result<Effects, String> {
    match text {
        "none" => Ok(Effects::NONE),
        "all" => Ok(Effects::ALL),
        _ => text.split(',').try_fold(Effects::NONE, |all, word| match Effects::of(word.trim()) {
            Some(effect) => Ok(all.with(effect)),
            None => Err(format!("unknown effect `{word}`; known: widens, narrows, recodes, lossy, none")),
        }),
    }
}
