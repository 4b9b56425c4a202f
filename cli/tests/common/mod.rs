//! Runs the binary.

#![allow(dead_code)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// What a run gave.
pub(crate) struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {}\n{}", self.out, self.err))
    }

    /// Each line of standard output as JSON.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect()
    }
}

/// The folder with a made-up provider's profiles and rules.
pub(crate) const PROFILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/profiles");

/// Runs the binary over an input, with the made-up provider's profiles.
pub(crate) fn run(args: &[&str], input: &[u8]) -> Run {
    let takes_profiles = !matches!(args.first(), Some(&("canonical" | "hash" | "profile" | "validate" | "catalog")));
    let profiles = if takes_profiles { &["--profile-dir", PROFILES][..] } else { &[] };
    let output = fed(Command::new(env!("CARGO_BIN_EXE_schemalect")).args(args).args(profiles), input);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs a command over an input to its end.
pub(crate) fn fed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it wrote");
    output
}
