//! Chores of the workspace: `cargo xtask corpus`, …
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod conform;
mod conform_executed;
mod conform_text;
mod corpus;
mod data;
mod deps;
mod diagnose;
mod docs;
mod laws;
mod mutate;
mod names;
mod new;
mod portable;
mod python;
mod record;
mod record_executed;
mod schema;
mod tidy;
mod wires;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask corpus [--profile NAME]… [--file NAME]… [--sample N] [--show N] [--page FILE]   every tool of the corpus through every profile
cargo xtask laws [--profile NAME]… [--file NAME]… [--sample N] [--line N] [--random N] [--instances N] [--seed N] [--allow EFFECTS] [--show N]   values there and back
cargo xtask conform [PROFILE] [--as-of DAY] [--case ID] [--verdicts FILE] [--format json|text] [--bless]   recorded verdicts against the profiles
cargo xtask names [--profile NAME]… [--random N] [--seed N] [--show N]   tool names there and back
cargo xtask mutate [PROFILE]   breaks every binding in turn; a recorded verdict has to notice
cargo xtask docs [--check]   the pages of profiles and rules
cargo xtask portable [--check | --sweep [--file NAME]… [--sample N] [--show N]]   what profiles that meet others derive from them; what they adapt, by each of those
cargo xtask schema [--check]   JSON Schemas of rule and profile files, for editors
cargo xtask diagnose [--verdicts FILE] [--every N] [--show N]   recorded refusals among other tools, told from their messages
cargo xtask record PROFILE [--case ID] [--budget N] [--per-minute N]   asks an endpoint again, with the key of the environment
cargo xtask record --executed [NAME]… [--tools N] [--file NAME] [--show N]   asks engines and SDKs that are run here; --tools: about adapted tools
cargo xtask wires [--profile NAME]… [--file NAME]… [--sample N] [--show N]   what goes into a request against the types of the vendors' Python SDKs
cargo xtask deps [--check]   what the crates depend on, against the allowed licences and sources
cargo xtask bench [--growth [SHAPE] | --stream [TOOLS] | --peers FOLDER]   writes docs/performance.md, a part a command
cargo xtask tidy   house rules";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[String]) -> Result<bool> {
    match words.split_first() {
        Some((verb, rest)) if verb == "corpus" => corpus::run(rest),
        Some((verb, rest)) if verb == "laws" => laws::run(rest),
        Some((verb, rest)) if verb == "conform" => conform::run(rest),
        Some((verb, rest)) if verb == "names" => names::run(rest),
        Some((verb, rest)) if verb == "mutate" => mutate::run(rest),
        Some((verb, rest)) if verb == "portable" => portable::run(rest),
        Some((verb, rest)) if verb == "deps" => deps::run(rest),
        Some((verb, rest)) if verb == "docs" => docs::run(rest),
        Some((verb, rest)) if verb == "diagnose" => diagnose::run(rest),
        Some((verb, rest)) if verb == "wires" => wires::run(rest),
        Some((verb, rest)) if verb == "schema" => schema::run(rest),
        Some((verb, rest)) if verb == "new" => new::run(rest),
        Some((verb, rest)) if verb == "record" => record::run(rest),
        Some((verb, rest)) if verb == "bench" => bench::run(rest),
        Some((verb, _)) if verb == "tidy" => tidy::run(),
        Some((verb, _)) if verb == "--help" || verb == "help" => {
            println!("{HELP}\n{}", new::HELP);
            Ok(true)
        }
        _ => bail!("which chore?\n{HELP}\n{}", new::HELP),
    }
}
