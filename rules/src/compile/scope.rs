//! Where `facts.NAME` is looked up, and values read as the type that is needed.

use std::cell::RefCell;
use std::collections::BTreeSet;

use indexmap::IndexMap;
use schemalect_engine::keyword::Kw;
use schemalect_engine::pattern::Pattern;
use schemalect_engine::plan::Keys;
use serde_json::Value;

use crate::error::{Errors, File, ProfileError, Span};
use crate::near::slip_of;
use crate::speaks::why_not;
use crate::yaml::{At, Pairs, Raw};

/// A fact of a profile and the file that declares it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact<'a> {
    pub(crate) value: &'a At<Raw>,
    pub(crate) file: &'a File,
}

/// What `facts.NAME` can mean at one binding.
pub(crate) struct Scope<'a> {
    with: Option<(&'a Pairs<At<Raw>>, &'a File)>,
    /// `None`: any name may yet be filled in.
    facts: Option<&'a IndexMap<&'a str, Fact<'a>>>,
    asked: RefCell<BTreeSet<String>>,
    used: RefCell<BTreeSet<String>>,
}

impl<'a> Scope<'a> {
    /// A binding's `with`, then the profile's facts.
    pub(crate) fn bound(with: &'a Pairs<At<Raw>>, file: &'a File, facts: &'a IndexMap<&'a str, Fact<'a>>) -> Scope<'a> {
        Scope { with: Some((with, file)), facts: Some(facts), ..Scope::open() }
    }

    /// An example's facts; those it lacks stay open.
    pub(crate) fn example(facts: &'a Pairs<At<Raw>>, file: &'a File) -> Scope<'a> {
        Scope { with: Some((facts, file)), ..Scope::open() }
    }

    /// A rule on its own: every fact is open.
    pub(crate) fn open() -> Scope<'a> {
        Scope { with: None, facts: None, asked: RefCell::default(), used: RefCell::default() }
    }

    /// The names that were asked for.
    pub(crate) fn asked(&self) -> BTreeSet<String> {
        self.asked.borrow().clone()
    }

    /// The facts of the profile that were read.
    pub(crate) fn used(&self) -> BTreeSet<String> {
        self.used.borrow().clone()
    }
}

/// A text and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'v> {
    pub(crate) text: &'v str,
    pub(crate) span: &'v Span,
    pub(crate) file: &'v File,
}

/// A value after `facts.NAME` was followed.
struct Found<'v> {
    value: &'v At<Raw>,
    file: &'v File,
    /// The place that named the fact.
    via: Option<(&'v File, &'v Span)>,
}

/// What is needed to read values: the file they stand in, the facts, and where errors go.
pub(crate) struct Cx<'a> {
    pub(crate) file: &'a File,
    pub(crate) scope: &'a Scope<'a>,
    pub(crate) errors: &'a mut Errors,
}

impl<'a> Cx<'a> {
    pub(crate) fn error(&mut self, span: &Span, message: impl Into<String>) {
        self.errors.push(ProfileError::at(self.file, span, message));
    }

    pub(crate) fn error_hint(&mut self, span: &Span, message: impl Into<String>, hint: impl Into<String>) {
        self.errors.push(ProfileError::at(self.file, span, message).hint(hint));
    }

    /// The meaning of a word that stands in this file.
    pub(crate) fn meaning<T: Copy>(&mut self, word: &At<String>, what: &str, table: &[(&'static str, T)]) -> Option<T> {
        let word = Word { text: &word.value, span: &word.span, file: self.file };
        self.look_up(word, what, table)
    }

    /// The meaning of a word.
    pub(crate) fn look_up<T: Copy>(&mut self, word: Word<'_>, what: &str, table: &[(&'static str, T)]) -> Option<T> {
        let found = table.iter().find(|(w, _)| *w == word.text);
        if found.is_none() {
            let message = format!("unknown {what} `{}`", word.text);
            let error = ProfileError::at(word.file, word.span, message);
            self.errors.push(error.near(word.text, table.iter().map(|(w, _)| *w)));
        }
        found.map(|(_, meaning)| *meaning)
    }

    /// One word or a list of words. An open fact is an empty list.
    pub(crate) fn words<'v>(&mut self, raw: &'v At<Raw>) -> Vec<Word<'v>>
    where
        'a: 'v,
    {
        let Some(found) = self.follow(raw) else {
            return Vec::new();
        };
        let items = match &found.value.value {
            Raw::List(items) => items.as_slice(),
            Raw::Text(_) => std::slice::from_ref(found.value),
            other => {
                self.misfit(&found, "a word or a list of words", other.noun());
                return Vec::new();
            }
        };
        let mut words = Vec::new();
        for item in items {
            match &item.value {
                Raw::Text(text) if fact_name(text).is_some() && items.len() > 1 => {
                    let message = format!("`{text}` cannot stand inside a list");
                    self.errors.push(ProfileError::at(found.file, &item.span, message).hint("name one fact in place of the whole list"));
                }
                Raw::Text(text) => words.push(Word { text, span: &item.span, file: found.file }),
                other => {
                    let message = format!("a word is needed here, not {}", other.noun());
                    self.errors.push(ProfileError::at(found.file, &item.span, message).hint("write it in quotes if the word is meant"));
                }
            }
        }
        words
    }

    /// A list of words, each with a meaning.
    pub(crate) fn meanings<T: Copy>(&mut self, raw: &At<Raw>, what: &str, table: &[(&'static str, T)]) -> Vec<T> {
        let words = self.words(raw);
        words.into_iter().filter_map(|word| self.look_up(word, what, table)).collect()
    }

    /// A set of keys. Any name can be one, but not one that is a slip of a keyword's.
    pub(crate) fn keys(&mut self, raw: &At<Raw>) -> Keys {
        let words = self.words(raw);
        for word in &words {
            if let Some(near) = slip_of(word.text, Kw::ALL.iter().map(|kw| kw.name())) {
                let error = ProfileError::at(word.file, word.span, format!("unknown keyword `{}`", word.text));
                self.errors.push(error.hint(format!("did you mean `{near}`?")));
            }
        }
        Keys::of(words.into_iter().map(|word| word.text))
    }

    /// One text. `None` where it is wrong or open.
    pub(crate) fn text<'v>(&mut self, raw: &'v At<Raw>) -> Option<Word<'v>>
    where
        'a: 'v,
    {
        let found = self.follow(raw)?;
        match &found.value.value {
            Raw::Text(text) => Some(Word { text, span: &found.value.span, file: found.file }),
            other => {
                self.misfit(&found, "a text", other.noun());
                None
            }
        }
    }

    /// Any value as JSON. `None` where it is open.
    pub(crate) fn json(&mut self, raw: &At<Raw>) -> Option<Value> {
        self.follow(raw).map(|found| found.value.value.to_json())
    }

    /// One JSON value or a list of them.
    pub(crate) fn jsons(&mut self, raw: &At<Raw>) -> Vec<Value> {
        match self.json(raw) {
            Some(Value::Array(values)) => values,
            Some(value) => vec![value],
            None => Vec::new(),
        }
    }

    /// A number. `None` where it is wrong or open.
    pub(crate) fn number(&mut self, raw: &At<Raw>) -> Option<f64> {
        let found = self.follow(raw)?;
        match &found.value.value {
            Raw::Number(number) => number.as_f64(),
            other => {
                self.misfit(&found, "a number", other.noun());
                None
            }
        }
    }

    /// A count. `None` where it is wrong or open.
    pub(crate) fn count(&mut self, raw: &At<Raw>) -> Option<u64> {
        let found = self.follow(raw)?;
        let number = match &found.value.value {
            Raw::Number(number) => number,
            other => {
                self.misfit(&found, "a whole number", other.noun());
                return None;
            }
        };
        let count = number.as_u64();
        if count.is_none() {
            self.misfit(&found, "a whole number from 0", &number.to_string());
        }
        count
    }

    /// `true` or `false`. `None` where it is wrong or open.
    pub(crate) fn flag(&mut self, raw: &At<Raw>) -> Option<bool> {
        let found = self.follow(raw)?;
        match &found.value.value {
            Raw::Bool(flag) => Some(*flag),
            other => {
                self.misfit(&found, "`true` or `false`", other.noun());
                None
            }
        }
    }

    /// A regular expression. `None` where it is wrong or open.
    pub(crate) fn pattern(&mut self, raw: &At<Raw>) -> Option<Pattern> {
        let word = self.text(raw)?;
        self.compiled(word, Pattern::new(word.text))
    }

    /// A regular expression, or none and the error noted.
    pub(crate) fn compiled<T>(&mut self, word: Word<'_>, result: Result<T, regex::Error>) -> Option<T> {
        result.map_err(|error| self.errors.push(ProfileError::at(word.file, word.span, why_not(&error)))).ok()
    }

    fn follow<'v>(&mut self, raw: &'v At<Raw>) -> Option<Found<'v>>
    where
        'a: 'v,
    {
        let name = match &raw.value {
            Raw::Text(text) => fact_name(text),
            _ => None,
        };
        let Some(name) = name else {
            return Some(Found { value: raw, file: self.file, via: None });
        };
        let scope = self.scope;
        scope.asked.borrow_mut().insert(name.to_owned());
        let via = Some((self.file, &raw.span));
        let given = scope.with.and_then(|(with, file)| {
            let (_, value) = with.get(name)?;
            Some((value, file))
        });
        let Some((value, file)) = given else {
            return self.fact(name, self.file, &raw.span, via);
        };
        match &value.value {
            Raw::Text(text) if fact_name(text).is_some() => {
                let name = fact_name(text).unwrap_or_default();
                self.fact(name, file, &value.span, Some((file, &value.span)))
            }
            _ => Some(Found { value, file, via }),
        }
    }

    fn fact<'v>(&mut self, name: &str, file: &'v File, span: &'v Span, via: Option<(&'v File, &'v Span)>) -> Option<Found<'v>>
    where
        'a: 'v,
    {
        let facts = self.scope.facts?;
        let Some(fact) = facts.get(name) else {
            let error = ProfileError::at(file, span, format!("unknown fact `{name}`"));
            let given = self.scope.with.iter().flat_map(|(with, _)| with.keys());
            self.errors.push(error.near(name, facts.keys().copied().chain(given)));
            return None;
        };
        self.scope.used.borrow_mut().insert(name.to_owned());
        if let Raw::Text(text) = &fact.value.value
            && fact_name(text).is_some()
        {
            self.errors.push(ProfileError::at(fact.file, &fact.value.span, format!("the fact `{name}` names another fact")));
            return None;
        }
        Some(Found { value: fact.value, file: fact.file, via })
    }

    fn misfit(&mut self, found: &Found<'_>, needed: &str, noun: &str) {
        let message = format!("{needed} is needed here, not {noun}");
        self.errors.push(match found.via {
            Some((file, span)) => ProfileError::at(file, span, message).and(found.file, &found.value.span, "the fact"),
            None => ProfileError::at(found.file, &found.value.span, message),
        });
    }
}

/// The NAME of `facts.NAME`.
pub(crate) fn fact_name(text: &str) -> Option<&str> {
    text.strip_prefix("facts.")
}
