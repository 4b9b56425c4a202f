//! What goes into descriptions when a keyword is dropped: one sentence a keyword, in a fixed order and form.

use std::borrow::Cow;
use std::fmt::Write;

use crate::keyword::Kw;
use crate::tree::{Id, Kind, Tree};

/// Longer values are cut.
const LONGEST: usize = 300;
/// Of longer lists the rest is left out.
const MOST: usize = 50;

/// A sentence for a description, with its place in the order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Note {
    order: u8,
    text: String,
}

/// The fixed order; what is not listed comes last.
const ORDER: &[Kw] = &[
    Kw::Const,
    Kw::Enum,
    Kw::Default,
    Kw::Format,
    Kw::ContentEncoding,
    Kw::ContentMediaType,
    Kw::Minimum,
    Kw::ExclusiveMinimum,
    Kw::Maximum,
    Kw::ExclusiveMaximum,
    Kw::MultipleOf,
    Kw::MinLength,
    Kw::MaxLength,
    Kw::MinItems,
    Kw::MaxItems,
    Kw::UniqueItems,
    Kw::Contains,
    Kw::MinContains,
    Kw::MaxContains,
    Kw::MinProperties,
    Kw::MaxProperties,
    Kw::PropertyNames,
    Kw::DependentRequired,
    Kw::Dependencies,
    Kw::DependentSchemas,
    Kw::AnyOf,
    Kw::OneOf,
    Kw::AllOf,
    Kw::Not,
    Kw::If,
    Kw::Then,
    Kw::Else,
    Kw::Examples,
    Kw::Example,
    Kw::Deprecated,
    Kw::ReadOnly,
    Kw::WriteOnly,
    // It has no end of its own, so it comes last.
    Kw::Pattern,
];

impl Note {
    /// A sentence that belongs to no keyword; it comes first.
    #[must_use]
    pub(crate) fn free(text: String) -> Note {
        Note { order: 0, text }
    }

    /// The sentence for a member of a schema node.
    #[must_use]
    pub(crate) fn of(tree: &Tree, child: Id) -> Option<Note> {
        let json = || tree.excerpt(child, LONGEST);
        let text_or_json = || match tree.str(child) {
            Some(text) if text.chars().count() <= LONGEST => text.into_owned(),
            _ => json(),
        };
        let on = tree.bool(child) == Some(true);
        let Some(kw) = tree.kw(child) else {
            return Some(Note { order: u8::MAX, text: format!("{}: {}.", tree.key(child), text_or_json()) });
        };
        let list = || {
            let mut items: Vec<String> = tree.children(child).take(MOST).map(|v| tree.excerpt(v, 60)).collect();
            if tree.children(child).nth(MOST).is_some() {
                items.push("…".to_owned());
            }
            items.join(", ")
        };
        let text = match kw {
            Kw::Const => format!("Always {}.", json()),
            Kw::Enum => format!("One of: {}.", list()),
            Kw::Default => format!("Default: {}.", json()),
            Kw::Format => format!("Format: {}.", text_or_json()),
            Kw::ContentEncoding => format!("Encoding: {}.", text_or_json()),
            Kw::ContentMediaType => format!("Media type: {}.", text_or_json()),
            Kw::Pattern => format!("Pattern: {}", text_or_json()),
            Kw::Minimum => format!("Minimum: {}.", json()),
            Kw::Maximum => format!("Maximum: {}.", json()),
            Kw::ExclusiveMinimum => format!("Greater than {}.", json()),
            Kw::ExclusiveMaximum => format!("Less than {}.", json()),
            Kw::MultipleOf => format!("Multiple of {}.", json()),
            Kw::MinLength => format!("Minimum length: {}.", json()),
            Kw::MaxLength => format!("Maximum length: {}.", json()),
            Kw::MinItems => format!("Minimum items: {}.", json()),
            Kw::MaxItems => format!("Maximum items: {}.", json()),
            Kw::MinProperties => format!("Minimum properties: {}.", json()),
            Kw::MaxProperties => format!("Maximum properties: {}.", json()),
            Kw::MinContains => format!("At least {} such items.", json()),
            Kw::MaxContains => format!("At most {} such items.", json()),
            Kw::UniqueItems if on => "Items are unique.".to_owned(),
            Kw::Deprecated if on => "Deprecated.".to_owned(),
            Kw::ReadOnly if on => "Read-only.".to_owned(),
            Kw::WriteOnly if on => "Write-only.".to_owned(),
            Kw::UniqueItems | Kw::Deprecated | Kw::ReadOnly | Kw::WriteOnly => return None,
            Kw::Examples if tree.kind(child) == Kind::Array => format!("Examples: {}.", list()),
            Kw::Examples | Kw::Example => format!("Example: {}.", json()),
            Kw::Not => format!("Not: {}.", json()),
            Kw::If => format!("If: {}.", json()),
            Kw::Then => format!("Then: {}.", json()),
            Kw::Else => format!("Else: {}.", json()),
            Kw::PropertyNames => format!("Keys: {}.", json()),
            Kw::Contains => format!("Some item fits {}.", json()),
            Kw::DependentRequired => dependent(tree, child),
            kw => format!("{}: {}.", kw.name(), json()),
        };
        Some(Note { order: order(kw), text })
    }
}

fn order(kw: Kw) -> u8 {
    ORDER.iter().position(|&k| k == kw).map_or(u8::MAX - 1, |p| (p as u8).saturating_add(1))
}

fn dependent(tree: &Tree, map: Id) -> String {
    let mut out = String::new();
    for entry in tree.children(map).take(20) {
        let names: Vec<String> = tree.children(entry).filter_map(|n| tree.str(n).map(Cow::into_owned)).collect();
        let _ = write!(out, "{}With {}: {} required.", if out.is_empty() { "" } else { " " }, tree.key(entry), names.join(", "));
    }
    out
}

/// The description with the notes after it; `None` where it says all of them already.
#[must_use]
pub(crate) fn describe(description: &str, notes: &[Note]) -> Option<String> {
    let mut sorted: Vec<&Note> = notes.iter().collect();
    sorted.sort();
    sorted.dedup();
    let mut out = description.trim_end().to_owned();
    let own = out.len();
    for note in sorted {
        if says(&out, &note.text) {
            continue;
        }
        if out.len() == own && out.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '`' | '"')) {
            out.push('.');
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&note.text);
    }
    (out != description.trim_end()).then_some(out)
}

/// Whether a text has a sentence, not only as the beginning of a longer one.
fn says(text: &str, sentence: &str) -> bool {
    text.match_indices(sentence).any(|(at, found)| {
        let (before, from) = text.split_at(at);
        let after = from.strip_prefix(found).unwrap_or_default();
        let free = |c: Option<char>| c.is_none_or(char::is_whitespace);
        free(before.chars().next_back()) && free(after.chars().next())
    })
}
