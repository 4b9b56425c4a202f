//! What runs in processes of its own, to be counted, stopped, or measured for memory.

use std::path::Path;

use anyhow::{Result, bail};

use super::{counted, growth, start};

pub(super) fn run(words: &[&str]) -> Result<()> {
    match words {
        ["counts", cases] => counted::child(Path::new(cases)),
        ["growth", shape, bytes, verb, profile] => growth::child(shape, bytes.parse()?, verb, profile),
        ["load"] => start::child(),
        _ => bail!("no such measurement"),
    }
}
