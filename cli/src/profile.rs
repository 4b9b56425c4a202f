//! `profile check`: what is wrong with profile files.

use std::path::PathBuf;

use schemalect::rules::ProfileError;
use schemalect::{Json, Profiles, ProfilesError};

use crate::args::{Format, OutputArgs};
use crate::error::Failure;
use crate::session::today;

/// What was found, as it is printed, and the exit code.
pub(crate) fn check(files: &[PathBuf], folders: &[PathBuf], output: &OutputArgs) -> Result<(String, u8), Failure> {
    let errors = match Profiles::load(folders, &[])?.replacing(files) {
        Ok(profiles) => {
            let mut errors: Vec<ProfileError> = Vec::new();
            for name in files.iter().flat_map(|f| profiles.of_file(f)) {
                let library = profiles.rule_library();
                for error in library.check(&name).into_iter().chain(library.seen_after(&name, today())) {
                    if !errors.contains(&error) {
                        errors.push(error);
                    }
                }
            }
            errors
        }
        Err(ProfilesError::Wrong(errors)) => errors,
        Err(error) => return Err(error.into()),
    };
    let code = u8::from(!errors.is_empty());
    let out = match output.format {
        Format::Text if output.quiet => String::new(),
        Format::Text if errors.is_empty() => "no mistakes\n".to_owned(),
        Format::Text => errors.iter().map(|e| e.render() + "\n\n").collect(),
        Format::Json => {
            let mut json = Json::new();
            json.list(&errors, write);
            json.finish() + "\n"
        }
        Format::Ndjson => errors.iter().map(line).collect(),
    };
    Ok((out, code))
}

fn line(error: &ProfileError) -> String {
    let mut json = Json::new();
    write(&mut json, error);
    json.finish() + "\n"
}

fn write(json: &mut Json, error: &ProfileError) {
    json.object(|json| {
        json.key("file").opt_str(error.path());
        if let Some((line, column)) = error.line_column() {
            json.key("line").value(line).key("column").value(column);
        }
        json.key("message").str(error.message()).key("hint").opt_str(error.suggestion());
    });
}
