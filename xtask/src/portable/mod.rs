//! `cargo xtask portable`: the profile of what any of several surfaces refuses, made of their own profiles.
//!
//! A profile with `meets:` extends one that is written here: `derive` puts the bindings of its members together, `sweep` holds what the
//! profile makes of tools against each member.

mod derive;
mod sweep;
mod write;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use schemalect_rules::{Library, ProfileInfo};

use crate::corpus::Asked;
use crate::data;

/// Runs the chore; false where a file is not as it would be written, or a member refuses what was adapted.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    match words {
        [word, rest @ ..] if word == "--sweep" => sweep::run(&Asked::of(rest, |_, _| Ok(false))?, &data::corpus()),
        [word] if word == "--check" => {
            let stale = stale()?;
            stale
                .iter()
                .for_each(|(path, _)| println!("{} is not as it would be written; `cargo xtask portable` writes it", path.display()));
            Ok(stale.is_empty())
        }
        [] => {
            for (path, text) in stale()? {
                std::fs::write(&path, text).with_context(|| path.display().to_string())?;
                println!("{} written", path.display());
            }
            Ok(true)
        }
        _ => bail!("cargo xtask portable [--check | --sweep [--file NAME]… [--sample N] [--show N]]"),
    }
}

/// The profiles that name what they meet, with the name of the one that is written for them.
fn meeting(library: &Library) -> Result<Vec<(ProfileInfo, String)>> {
    let of = |info: ProfileInfo| {
        let base = info.extends.clone().with_context(|| format!("{} meets others and extends nothing", info.name))?;
        Ok((info, base))
    };
    library.profiles().filter(|info| !info.meets.is_empty()).map(of).collect()
}

/// The files that are not as they would be written, with the text they would have.
fn stale() -> Result<Vec<(PathBuf, String)>> {
    let library = data::library()?;
    let mut stale = Vec::new();
    for (info, base) in meeting(&library)? {
        let path = data::root().join(&info.path).with_file_name(format!("{base}.yaml"));
        let text = write::text(&base, &info, &derive::derive(&library, &info)?);
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            stale.push((path, text));
        }
    }
    Ok(stale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_derived_is_as_committed() {
        let paths: Vec<PathBuf> = stale().expect("it is derived").into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, Vec::<PathBuf>::new(), "`cargo xtask portable` writes them");
        let library = data::library().expect("the profiles load");
        assert!(!meeting(&library).expect("they extend what is derived").is_empty());
    }
}
