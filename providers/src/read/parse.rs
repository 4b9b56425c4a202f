//! Text to a tree: why it cannot be read, and how a part that is nested too deeply is kept from harming the rest.

use std::borrow::Cow;

use schemalect_engine::{Budget, ReadError, Tree};

use super::place::Base;
use super::{InputError, ReadOptions};

/// A text that was parsed.
pub(super) struct Parsed<'t> {
    pub(super) tree: Tree,
    pub(super) text: Cow<'t, str>,
    /// Parts that are nested too deeply; `0` and blanks stand there in the tree.
    pub(super) deep: Vec<(u32, u32)>,
    /// Why the whole cannot be read as it is, where parts are left out.
    pub(super) error: Option<ReadError>,
}

/// Parses; parts that are nested too deeply are left out, so that they harm nothing but their own tool.
pub(super) fn parse<'t>(bytes: &'t [u8], budget: &Budget) -> Result<Parsed<'t>, ReadError> {
    let error = match Tree::parse_bytes(bytes, budget) {
        Ok(tree) => {
            let text = std::str::from_utf8(bytes).unwrap_or_default().into();
            return Ok(Parsed { tree, text, deep: Vec::new(), error: None });
        }
        Err(error) => error,
    };
    let blanked = if error.over_budget { std::str::from_utf8(bytes).ok().and_then(|text| blank_deep(text, budget.depth)) } else { None };
    match blanked {
        Some((text, deep)) if !deep.is_empty() => match Tree::parse(&text, budget) {
            Ok(tree) => Ok(Parsed { tree, text: text.into(), deep, error: Some(error) }),
            Err(_) => Err(error),
        },
        _ => Err(error),
    }
}

/// The text with `0` and blanks in place of every container nested more than `limit` levels, and where they stood.
fn blank_deep(text: &str, limit: usize) -> Option<(String, Vec<(u32, u32)>)> {
    let mut out = text.as_bytes().to_vec();
    let (mut depth, mut start, mut in_string, mut escaped) = (0_usize, 0, false, false);
    let mut deep = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => {
                depth = depth.saturating_add(1);
                if depth == limit.saturating_add(1) {
                    start = at;
                }
            }
            b']' | b'}' => {
                if depth == limit.saturating_add(1) {
                    let part = out.get_mut(start..=at).unwrap_or_default();
                    part.fill(b' ');
                    if let Some(first) = part.first_mut() {
                        *first = b'0';
                    }
                    deep.push((u32::try_from(start).ok()?, u32::try_from(at.saturating_add(1)).ok()?));
                }
                depth = depth.checked_sub(1)?;
            }
            _ => {}
        }
    }
    Some((String::from_utf8(out).ok()?, deep))
}

/// The error for a person.
pub(super) fn unreadable(error: &ReadError, budget: &Budget, base: Base) -> InputError {
    // The reader looks for the second half where the escape of the first one ends.
    let lone = error.what.contains("surrogate") || error.what == "unexpected end of hex escape";
    let advice = match error.what.as_str() {
        what if error.over_budget && what.contains("levels") && budget.depth >= ReadOptions::DEEPEST => {
            "nothing deeper is read: leave this part out"
        }
        _ if error.over_budget => "raise the limit with --limit, or leave this part out",
        what if what.starts_with("more text") => "give one JSON value, a list, or one value a line",
        what if what.starts_with("invalid UTF-8") => "save the file as UTF-8",
        _ if lone => "write both halves of the surrogate pair, or the character itself",
        _ => "give a valid JSON document",
    };
    let kind = if error.over_budget { "over budget" } else { "not JSON" };
    let cause = if lone { "half of a surrogate pair, without the other half" } else { &error.what };
    InputError {
        line: base.line.saturating_add(error.line).saturating_sub(1),
        column: error.column,
        what: format!("{kind}: {cause}"),
        advice,
    }
}
