//! Groups of profiles: those in one folder, which a `group.yaml` there names.

use std::path::Path;

use serde::Deserialize;

use crate::compile::rule::is_kebab;
use crate::error::{Errors, File, ProfileError};
use crate::yaml::At;

/// A group file.
#[derive(Debug, Deserialize)]
pub(crate) struct GroupFile {
    pub(crate) group: At<String>,
    pub(crate) title: At<String>,
    #[serde(default)]
    pub(crate) apart: bool,
}

/// A group file that was read.
#[derive(Debug)]
pub(crate) struct GroupEntry {
    pub(crate) file: File,
    pub(crate) group: GroupFile,
}

/// A group of profiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupInfo {
    /// Its name.
    pub name: String,
    /// What its profiles have in common, in a line.
    pub title: String,
    /// Its profiles are meant only where they are named: they are no part of all profiles.
    pub apart: bool,
}

impl GroupInfo {
    /// The group of profiles in whose folder no file names one, as those of a user.
    pub const OWN: &'static str = "own";

    pub(crate) fn own() -> GroupInfo {
        GroupInfo { name: GroupInfo::OWN.to_owned(), title: "Profiles of your own".to_owned(), apart: false }
    }

    pub(crate) fn of(entry: &GroupEntry) -> GroupInfo {
        let GroupFile { group, title, apart } = &entry.group;
        GroupInfo { name: group.value.clone(), title: title.value.clone(), apart: *apart }
    }
}

impl GroupEntry {
    /// Whether a file stands beside this one. What is built in is known by paths of its own, which a user's may resemble.
    pub(crate) fn holds(&self, file: &File) -> bool {
        let folder = |file: &File| Path::new(&file.path).parent().map(Path::to_path_buf);
        self.file.builtin == file.builtin && folder(&self.file) == folder(file)
    }

    pub(crate) fn check(&self, errors: &mut Errors) {
        let at = &self.group.group;
        if !is_kebab(&at.value) {
            let error = ProfileError::at(&self.file, &at.span, format!("`{}` is not kebab-case", at.value));
            errors.push(error.hint("write lower-case words with hyphens between them"));
        }
        if at.value == GroupInfo::OWN {
            let error = ProfileError::at(&self.file, &at.span, "`own` is the group of profiles that have no group file");
            errors.push(error.hint("give it another name"));
        }
        if self.group.title.value.trim().is_empty() {
            errors.push(ProfileError::at(&self.file, &self.group.title.span, "`title` is empty"));
        }
    }
}

/// Whether a text is that of a group file.
pub(crate) fn is_group(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#')).is_some_and(|line| line.starts_with("group:"))
}
