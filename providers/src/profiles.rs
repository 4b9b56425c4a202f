//! The built-in profiles and a user's own.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::{fmt, fs, io};

use schemalect_rules::{Library, ProfileError, SHARED_RULES, Selection};

use crate::surface::Surface;

include!(concat!(env!("OUT_DIR"), "/builtin.rs"));

/// Profiles by name: the built-in ones, and files of the user's own.
///
/// ```
/// use schemalect::{Profiles, Selection};
///
/// let profiles = Profiles::builtin()?;
/// assert!(profiles.rule_library().rules().count() > 10);
///
/// let error = profiles.resolve("no-such-provider", &Selection::on("2026-11-29".parse()?)).unwrap_err();
/// assert!(error.to_string().contains("unknown profile"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Profiles {
    rules: Cow,
    own: Vec<(String, String)>,
}

#[derive(Debug)]
enum Cow {
    Builtin(&'static Library),
    Own(Box<Library>),
}

/// Why profiles could not be loaded or resolved.
#[derive(Debug, thiserror::Error)]
pub enum ProfilesError {
    /// A file or folder could not be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// Something in the files, or in what was asked of them, is wrong.
    #[error("{}", Lines(.0))]
    Wrong(Vec<ProfileError>),
}

impl ProfilesError {
    /// The error as it is shown to a person, with the lines of YAML that it speaks of.
    #[must_use]
    pub fn render(&self) -> String {
        match self {
            ProfilesError::Wrong(errors) => errors.iter().map(ProfileError::render).collect::<Vec<_>>().join("\n\n"),
            ProfilesError::Unreadable { .. } => format!("error: {self}"),
        }
    }
}

struct Lines<'e>(&'e [ProfileError]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            let end = if i > 0 { "\n" } else { "" };
            write!(f, "{end}{error}")?;
        }
        Ok(())
    }
}

impl Profiles {
    /// The profiles that come with this crate; they are read once a process.
    ///
    /// # Errors
    /// Never in a release; while the files are being worked on, every mistake in them.
    pub fn builtin() -> Result<Profiles, ProfilesError> {
        static BUILTIN: OnceLock<Result<Library, Vec<ProfileError>>> = OnceLock::new();
        let library = BUILTIN.get_or_init(|| Library::over(files(SHARED_RULES), files(PROFILES), [], []));
        match library {
            Ok(library) => Ok(Profiles { rules: Cow::Builtin(library), own: Vec::new() }),
            Err(errors) => Err(ProfilesError::Wrong(errors.clone())),
        }
    }

    /// The built-in profiles with the YAML files in these folders and below them, and with these files.
    ///
    /// # Errors
    /// A folder or a file cannot be read, or a file is wrong.
    pub fn load(folders: &[PathBuf], files: &[PathBuf]) -> Result<Profiles, ProfilesError> {
        let mut paths = Vec::new();
        for folder in folders {
            let mut found = Vec::new();
            list(folder, 0, &mut found)?;
            found.sort();
            paths.append(&mut found);
        }
        let known: Vec<PathBuf> = paths.iter().map(|p| whole(p)).collect();
        for (at, file) in files.iter().enumerate() {
            if !known.contains(&whole(file)) && !files.iter().take(at).any(|f| whole(f) == whole(file)) {
                paths.push(file.clone());
            }
        }
        if paths.is_empty() { Profiles::builtin() } else { Profiles::of(texts(&paths)?, |_, _| true) }
    }

    /// With the YAML files in a folder and below it, in the order of their names.
    ///
    /// # Errors
    /// The folder or a file cannot be read, or a file is wrong.
    pub fn with_dir(self, folder: impl AsRef<Path>) -> Result<Profiles, ProfilesError> {
        let mut paths = Vec::new();
        list(folder.as_ref(), 0, &mut paths)?;
        paths.sort();
        self.with_files(&paths)
    }

    /// With one YAML file.
    ///
    /// # Errors
    /// The file cannot be read, or is wrong.
    pub fn with_file(self, path: impl AsRef<Path>) -> Result<Profiles, ProfilesError> {
        self.with_files(&[path.as_ref().to_owned()])
    }

    /// With one YAML file that is given as text; `path` is what errors call it.
    ///
    /// # Errors
    /// The text is wrong.
    pub fn with_text(self, path: &str, text: &str) -> Result<Profiles, ProfilesError> {
        let own = self.own.into_iter().chain([(path.to_owned(), text.to_owned())]).collect();
        Profiles::of(own, |_, _| true)
    }

    /// With these YAML files, which may extend each other; a file that begins with `rule:` adds a rule.
    ///
    /// # Errors
    /// A file cannot be read, or is wrong.
    pub fn with_files(self, paths: &[PathBuf]) -> Result<Profiles, ProfilesError> {
        Profiles::of(self.with_texts(paths)?, |_, _| true)
    }

    /// With these YAML files, where a file of a built-in rule or profile stands in place of what was built in.
    ///
    /// # Errors
    /// As [`Profiles::with_files`].
    pub fn replacing(self, paths: &[PathBuf]) -> Result<Profiles, ProfilesError> {
        let own = self.with_texts(paths)?;
        let files: Vec<(PathBuf, Option<String>)> =
            own.iter().map(|(path, text)| (whole(Path::new(path)), head(text).map(ToOwned::to_owned))).collect();
        Profiles::of(own, |path, text| !files.iter().any(|(file, own)| own.as_deref() == head(text) && file.ends_with(path)))
    }

    fn with_texts(self, paths: &[PathBuf]) -> Result<Vec<(String, String)>, ProfilesError> {
        Ok(self.own.into_iter().chain(texts(paths)?).collect())
    }

    fn of(own: Vec<(String, String)>, keep: impl Fn(&str, &str) -> bool) -> Result<Profiles, ProfilesError> {
        let (rules, profiles): (Vec<_>, Vec<_>) =
            own.iter().cloned().partition(|(_, text)| head(text).is_some_and(|h| h.starts_with("rule:")));
        let builtin = |table| files(table).filter(|(path, text)| keep(path, text));
        let library = Library::over(builtin(SHARED_RULES), builtin(PROFILES), rules, profiles).map_err(ProfilesError::Wrong)?;
        Ok(Profiles { rules: Cow::Own(Box::new(library)), own })
    }

    /// The rules and profiles as data.
    #[must_use]
    pub fn rule_library(&self) -> &Library {
        match &self.rules {
            Cow::Builtin(library) => library,
            Cow::Own(library) => library,
        }
    }

    /// The names of the profiles that stand in a file that was added.
    pub fn of_file(&self, path: impl AsRef<Path>) -> impl Iterator<Item = String> {
        let path = whole(path.as_ref());
        self.rule_library().profiles().filter(move |p| whole(Path::new(&p.path)) == path).map(|p| p.name)
    }

    /// A profile as it holds on a day and with switches, with its lenient sibling.
    ///
    /// # Errors
    /// An unknown profile or switch, or a mistake in the profile.
    pub fn resolve(&self, name: &str, selection: &Selection) -> Result<Surface, ProfilesError> {
        let bound = self.rule_library().bind(name, selection).map_err(ProfilesError::Wrong)?;
        let lenient = match &bound.lenient {
            Some(lenient) if lenient != name => Some(Arc::new(self.resolve_sibling(lenient, selection)?)),
            _ => None,
        };
        Ok(Surface { plan: Arc::new(bound.plan), wire: bound.wire.map(Arc::new), lenient, together: bound.together })
    }

    /// A sibling has no sibling of its own, and may know fewer switches.
    fn resolve_sibling(&self, name: &str, selection: &Selection) -> Result<Surface, ProfilesError> {
        let asked = Some(name).filter(|_| !selection.switches.is_empty());
        let known = asked.and_then(|name| self.rule_library().profile(name)).map(|p| p.switches).unwrap_or_default();
        let switches = selection.switches.iter().filter(|(s, _)| known.iter().any(|(k, _)| k == s)).cloned().collect();
        let selection = Selection { as_of: selection.as_of, switches };
        let bound = self.rule_library().bind(name, &selection).map_err(ProfilesError::Wrong)?;
        Ok(Surface { plan: Arc::new(bound.plan), wire: bound.wire.map(Arc::new), lenient: None, together: bound.together })
    }
}

fn files(table: &'static [(&str, &str)]) -> impl Iterator<Item = (String, String)> {
    table.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
}

/// The same for every spelling of a path, where it exists.
fn whole(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn texts(paths: &[PathBuf]) -> Result<Vec<(String, String)>, ProfilesError> {
    let read = |path: &PathBuf| match fs::read_to_string(path) {
        Ok(text) => Ok((path.display().to_string(), text)),
        Err(error) => Err(ProfilesError::Unreadable { path: path.clone(), error }),
    };
    paths.iter().map(read).collect()
}

/// The line that names the rule, profile or group of a file.
fn head(text: &str) -> Option<&str> {
    text.lines().find(|l| ["rule:", "profile:", "group:"].iter().any(|kind| l.starts_with(kind))).map(str::trim_end)
}

/// Folders nested more than this are not looked into: a link may lead back.
const DEEPEST: usize = 8;

fn list(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) -> Result<(), ProfilesError> {
    let fail = |error| ProfilesError::Unreadable { path: folder.to_owned(), error };
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_dir() {
            if depth < DEEPEST {
                list(&path, depth.saturating_add(1), paths)?;
            }
            continue;
        }
        // A pipe would be waited for; what cannot be looked at is told when it is read.
        let regular = path.metadata().map_or(true, |it| it.is_file());
        if regular && path.extension().is_some_and(|e| e == "yaml" || e == "yml") {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_is_of_the_form() {
        let read = Library::new(files(SHARED_RULES), files(PROFILES)).expect("reads");
        let mistakes: Vec<String> = read.check_all().iter().map(ProfileError::render).collect();
        assert_eq!(mistakes, Vec::<String>::new());
        let later = Profiles::builtin().expect("reads");
        let rules = |library: &Library| library.rules().map(|rule| rule.id).collect::<Vec<_>>();
        assert!(read.profile_names().eq(later.rule_library().profile_names()));
        assert_eq!(rules(&read), rules(later.rule_library()));
        assert!(later.rule_library().check_all().is_empty());
    }
}
