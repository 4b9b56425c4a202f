//! The `schemalect` command: checks and adapts the schemas of LLM tools for every provider.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable, clippy::todo, clippy::unimplemented)
)]
#![cfg_attr(not(test), deny(clippy::indexing_slicing, clippy::string_slice))]

mod adapt;
mod args;
mod canonical;
mod check;
mod crowd;
mod diagnose;
mod drive;
mod error;
mod example;
mod explain;
mod given;
mod lists;
mod matrix;
mod profile;
mod restore;
mod session;
mod sink;
mod text;
#[cfg(feature = "validate")]
mod validate;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, ProfileVerb, SourceArgs, Verb};
use error::Failure;

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr().lock(), "{}", text::plain_lines(&failure.to_string()));
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> Result<u8, Failure> {
    match cli.verb {
        Verb::Check { source, select, output, fail_on } => check::run(&source, &select, &output, fail_on),
        Verb::Adapt { file, reading, select, output, adapt, form, audit, plan } => {
            let (file, audit) = match (file, audit) {
                (None, Some(Some(input))) => (Some(input), Some(None)),
                given => given,
            };
            let Some(file) = file else {
                return Err(Failure::Usage("no input is given; add a file, or `-` for standard input".to_owned()));
            };
            let source = SourceArgs { file, reading };
            let wanted = adapt::Wanted { form, audit: audit.as_ref(), plan: plan.as_ref() };
            adapt::run(&source, &select, &output, &adapt, &wanted)
        }
        Verb::Explain { what, select, output } => print(&explain::run(&what, &select, &output)?, 0),
        Verb::Profiles { select, output } => print(&lists::profiles(&select, &output)?, 0),
        Verb::Rules { select, output } => print(&lists::rules(&select, &output)?, 0),
        Verb::Matrix { source, select, output, adapt } => matrix::run(&source, &select, &output, &adapt),
        Verb::Catalog { file, budget } => print(&lists::catalog(&file, budget)?, 0),
        Verb::Canonical { source, canonical, output } => canonical::run(&source, &canonical, &output, false),
        Verb::Hash { source, canonical, output } => canonical::run(&source, &canonical, &output, true),
        #[cfg(feature = "validate")]
        Verb::Validate { validate, output } => {
            let (text, code) = validate::run(&validate, &output)?;
            print(&text, code)
        }
        Verb::Restore { restore, select, adapt, output } => {
            let (text, code) = restore::run(&restore, &select, &adapt, &output, true)?;
            print(&text, code)
        }
        Verb::Encode { restore, select, adapt, output } => {
            let (text, code) = restore::run(&restore, &select, &adapt, &output, false)?;
            print(&text, code)
        }
        Verb::Diagnose { diagnose, select, output } => {
            let (text, code) = diagnose::run(&diagnose, &select, &output)?;
            print(&text, code)
        }
        Verb::Profile(ProfileVerb::Check { files, profile_dir, output }) => {
            let (text, code) = profile::check(&files, &profile_dir, &output)?;
            print(&text, code)
        }
    }
}

fn print(text: &str, code: u8) -> Result<u8, Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(code)
}
