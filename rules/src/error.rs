//! Mistakes in rule and profile files: where they stand and how they are shown.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::near::nearest;

/// Bytes of a source text.
pub(crate) type Span = Range<usize>;

/// A file's path and text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    /// Comes with the program, and was checked by its tests.
    pub(crate) builtin: bool,
}

/// A file that values and errors point into.
pub(crate) type File = Arc<Source>;

/// A mistake in a rule file, a profile file or a selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError {
    message: String,
    place: Option<Place>,
    other: Option<(Place, String)>,
    hint: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    file: File,
    span: Span,
}

impl ProfileError {
    pub(crate) fn new(message: impl Into<String>) -> ProfileError {
        ProfileError { message: message.into(), place: None, other: None, hint: None }
    }

    pub(crate) fn at(file: &File, span: &Span, message: impl Into<String>) -> ProfileError {
        ProfileError { place: Some(Place::new(file, span)), ..ProfileError::new(message) }
    }

    /// Points at a second place.
    pub(crate) fn and(mut self, file: &File, span: &Span, label: impl Into<String>) -> Self {
        self.other = Some((Place::new(file, span), label.into()));
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Hints at the nearest of the right words, or at all of them where they are few.
    pub(crate) fn near<'c>(self, word: &str, right: impl IntoIterator<Item = &'c str> + Clone) -> Self {
        if let Some(near) = nearest(word, right.clone()) {
            return self.hint(format!("did you mean `{near}`?"));
        }
        let all: Vec<&str> = right.into_iter().collect();
        match all.len() {
            0 => self,
            1..=16 => self.hint(format!("known: {}", all.join(", "))),
            _ => self,
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The file it stands in; `None` where the selection itself is wrong.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.place.as_ref().map(|p| p.file.path.as_str())
    }

    /// Line and column, both from 1; columns count characters.
    #[must_use]
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.place.as_ref().map(Place::line_column)
    }

    /// The error with the lines it speaks of, without colour.
    #[must_use]
    pub fn render(&self) -> String {
        self.render_with(&Renderer::plain())
    }

    fn render_with(&self, renderer: &Renderer) -> String {
        let mut group =
            Level::ERROR.primary_title(self.message.as_str()).elements([] as [Snippet<'_, annotate_snippets::Annotation<'_>>; 0]);
        if let Some(place) = &self.place {
            group = group.element(place.snippet(AnnotationKind::Primary, None));
        }
        if let Some((place, label)) = &self.other {
            group = group.element(place.snippet(AnnotationKind::Context, Some(label)));
        }
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        renderer.clone().decor_style(DecorStyle::Ascii).render(&[group])
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            let (line, column) = place.line_column();
            write!(f, "{}:{line}:{column}: ", place.file.path)?;
        }
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ProfileError {}

impl Place {
    fn new(file: &File, span: &Span) -> Place {
        let end = file.text.len();
        let span = span.start.min(end)..span.end.min(end).max(span.start.min(end));
        Place { file: Arc::clone(file), span }
    }

    fn line_column(&self) -> (usize, usize) {
        let before = self.file.text.get(..self.span.start).unwrap_or_default();
        let line = before.matches('\n').count().saturating_add(1);
        (line, before.rsplit('\n').next().unwrap_or_default().chars().count().saturating_add(1))
    }

    /// The lines that it touches, and where the first begins.
    fn lines(&self) -> (&str, usize) {
        let text = self.file.text.as_str();
        let start = text.get(..self.span.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at.saturating_add(1));
        let end = text.get(self.span.end..).and_then(|after| after.find('\n')).map_or(text.len(), |at| self.span.end.saturating_add(at));
        (text.get(start..end).unwrap_or_default(), start)
    }

    fn snippet<'p>(&'p self, kind: AnnotationKind, label: Option<&'p str>) -> Snippet<'p, annotate_snippets::Annotation<'p>> {
        let (lines, start) = self.lines();
        let mark = kind.span(self.span.start.saturating_sub(start)..self.span.end.saturating_sub(start));
        let mark = match label {
            Some(label) => mark.label(label),
            None => mark,
        };
        Snippet::source(lines).line_start(self.line_column().0).path(self.file.path.as_str()).annotation(mark)
    }
}

/// No more mistakes than this are told at once.
const MOST: usize = 1_000;

/// Errors that are collected on the way.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<ProfileError>);

impl Errors {
    /// Adds one, unless the same was said of the same place, or enough was said.
    pub(crate) fn push(&mut self, error: ProfileError) {
        let same_place = |a: &Place, b: &Place| Arc::ptr_eq(&a.file, &b.file) && a.span == b.span;
        let said = |old: &ProfileError| match (&old.place, &error.place) {
            (Some(a), Some(b)) => same_place(a, b) && old.message == error.message,
            (a, b) => a.is_none() && b.is_none() && old.message == error.message,
        };
        if self.0.len() < MOST && !self.0.iter().any(said) {
            self.0.push(error);
        }
        if self.0.len() == MOST {
            self.0.push(ProfileError::new(format!("more than {MOST} mistakes; the others are not told")));
        }
    }

    pub(crate) fn extend(&mut self, errors: Vec<ProfileError>) {
        for error in errors {
            self.push(error);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_vec(self) -> Vec<ProfileError> {
        self.0
    }

    /// The value, if nothing is wrong.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Vec<ProfileError>> {
        if self.is_empty() { Ok(value) } else { Err(self.0) }
    }
}
