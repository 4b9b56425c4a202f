//! A file that is read when it is first asked for.

use std::sync::{Arc, OnceLock};

use crate::error::{Errors, File, ProfileError, Source};

/// Reads a file.
type Read<E> = fn(&File, &mut Errors) -> Option<E>;

/// What stands in a file.
#[derive(Debug)]
pub(crate) struct Slot<E> {
    pub(crate) file: File,
    entry: OnceLock<Result<E, Vec<ProfileError>>>,
    read: Read<E>,
}

impl<E> Slot<E> {
    /// Of a file that was read.
    pub(crate) fn now(file: File, entry: E, read: Read<E>) -> Slot<E> {
        Slot { file, entry: OnceLock::from(Ok(entry)), read }
    }

    /// Of a built-in file, with the name that it gives in the line `KIND: NAME`; nothing where there is no such line.
    pub(crate) fn later(path: String, text: String, kind: &str, read: Read<E>) -> Option<(String, Slot<E>)> {
        let named = |line: &str| line.strip_prefix(kind)?.strip_prefix(':').map(|name| name.trim().to_owned());
        let name = text.lines().find_map(named)?;
        let file = Arc::new(Source { path, text, builtin: true });
        Some((name, Slot { file, entry: OnceLock::new(), read }))
    }

    /// What stands in it, or every mistake in it.
    pub(crate) fn get(&self) -> Result<&E, &[ProfileError]> {
        let read = || {
            let mut errors = Errors::default();
            match (self.read)(&self.file, &mut errors) {
                Some(entry) => errors.or(entry),
                None => Err(errors.into_vec()),
            }
        };
        self.entry.get_or_init(read).as_ref().map_err(Vec::as_slice)
    }

    /// What stands in it, or the first mistake.
    pub(crate) fn one(&self) -> Result<&E, ProfileError> {
        let unread = || ProfileError::new(format!("{} cannot be read", self.file.path));
        self.get().map_err(|wrong| wrong.first().cloned().unwrap_or_else(unread))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &File, errors: &mut Errors) -> Option<usize> {
        match file.text.len() {
            n if n > 12 => Some(n),
            _ => {
                errors.push(ProfileError::new("short".to_owned()));
                None
            }
        }
    }

    #[test]
    fn names_are_known_before_the_file_is_read() {
        for (text, name, found) in
            [("# x\nrule: a-b \ntitle: t\n", Some("a-b"), Ok(24)), ("rule: a\n", Some("a"), Err("short")), ("group: a\n", None, Ok(0))]
        {
            let slot = Slot::later("p".to_owned(), text.to_owned(), "rule", read);
            assert_eq!(slot.as_ref().map(|(name, _)| name.as_str()), name, "{text}");
            let Some((_, slot)) = slot else { continue };
            assert_eq!(slot.get().copied().map_err(|e| e[0].to_string()), found.map_err(ToOwned::to_owned), "{text}");
            assert_eq!(slot.one().is_ok(), found.is_ok(), "{text}");
        }
    }
}
