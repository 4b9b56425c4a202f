//! Descriptions of tools: cut to what a provider takes, and written where there is none.

use std::fmt::Write;

use crate::keyword::Kw;
use crate::plan::Unit;
use crate::site::Required;
use crate::tree::{Id, Kind, Tree};
use crate::valid::read_types;

/// So many arguments are named in a description that is written.
const MOST_ARGUMENTS: usize = 12;
/// Their names and descriptions are cut after so many characters.
const NAME_LENGTH: usize = 64;
const TEXT_LENGTH: usize = 60;

/// A text of at least and at most so many units; the cut is marked.
#[must_use]
pub fn fit_text(text: &str, least: u64, most: Option<u64>, unit: Unit, fallback: &str) -> String {
    let mut out = if unit.len(text.trim()) < least.max(u64::from(least > 0)) { fallback.to_owned() } else { text.to_owned() };
    if let Some(most) = most.filter(|&m| unit.len(&out) > m) {
        let room = most.saturating_sub(unit.len("…"));
        let mut cut = String::new();
        let mut used = 0_u64;
        for c in out.chars() {
            let mut buffer = [0; 4];
            used = used.saturating_add(unit.len(c.encode_utf8(&mut buffer)));
            if used > room {
                break;
            }
            cut.push(c);
        }
        cut.push('…');
        out = cut;
    }
    out
}

/// What can be said of a tool without a description: its name, and its arguments with their types and first lines.
#[must_use]
pub fn derived_description(name: &str, schema: Option<(&Tree, Id)>) -> String {
    let mut out = format!("\"{name}\" came with no description, so this one is written from its name and inputs.");
    let properties = schema.and_then(|(tree, root)| Some((tree, root, tree.get(root, Kw::Properties)?)));
    let Some((tree, root, map)) = properties.filter(|(tree, _, map)| tree.kind(*map) == Kind::Object && tree.count(*map) > 0) else {
        return out + " It takes no arguments.";
    };
    let required = Required::of(tree, root);
    let arguments: Vec<String> = tree.children(map).take(MOST_ARGUMENTS).map(|p| argument(tree, p, required.has(p))).collect();
    let _ = write!(out, " It takes: {}", arguments.join("; "));
    if tree.count(map) > MOST_ARGUMENTS {
        let _ = write!(out, "; and {} more", tree.count(map).saturating_sub(MOST_ARGUMENTS));
    }
    out.push('.');
    out
}

/// An argument with what is known of it: `limit (integer, required) — How many.`
fn argument(tree: &Tree, property: Id, required: bool) -> String {
    let types: Vec<&str> = read_types(tree, property).types.names().filter(|t| *t != "null").collect();
    let mut notes = if types.is_empty() { Vec::new() } else { vec![types.join(" or ")] };
    if required {
        notes.push("required".to_owned());
    }
    let mut out = cut(&tree.key(property), NAME_LENGTH);
    if !notes.is_empty() {
        let _ = write!(out, " ({})", notes.join(", "));
    }
    let text = tree.get(property, Kw::Description).and_then(|d| tree.str(d)).unwrap_or_default();
    let line = text.trim().lines().next().unwrap_or_default().trim();
    if !line.is_empty() {
        let _ = write!(out, " — {}", cut(line, TEXT_LENGTH));
    }
    out
}

/// The beginning of a text, with a mark where more follows.
fn cut(text: &str, most: usize) -> String {
    fit_text(text, 0, Some(most as u64), Unit::Chars, "")
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;

    use super::*;

    #[test]
    fn texts_fit() {
        assert_eq!(fit_text("", 1, None, Unit::Chars, "The tool."), "The tool.");
        assert_eq!(fit_text("abcdef", 0, Some(4), Unit::Chars, ""), "abc…");
        assert_eq!(fit_text("abc", 0, Some(3), Unit::Bytes, ""), "abc");
    }

    fn check(schema: &str, want: &str) {
        let tree = Tree::parse(schema, &Budget::default()).expect("JSON");
        let got = derived_description("a/b", Some((&tree, tree.root())));
        assert_eq!(got.strip_prefix("\"a/b\" came with no description, so this one is written from its name and inputs. "), Some(want));
    }

    #[test]
    fn what_is_known_of_a_tool() {
        check("{}", "It takes no arguments.");
        check(r#"{"properties": {}}"#, "It takes no arguments.");
        check(
            r#"{"properties": {"a": {"type": "string", "description": "First line\nsecond"}, "b": {"type": ["integer", "null"]}, "c": {}}, "required": ["a"]}"#,
            "It takes: a (string, required) — First line; b (integer); c.",
        );
        let many: Vec<String> = (0..14).map(|i| format!(r#""p{i}": {{"description": "{}"}}"#, "y".repeat(70))).collect();
        let tree = Tree::parse(&format!(r#"{{"properties": {{{}}}}}"#, many.join(",")), &Budget::default()).expect("JSON");
        let got = derived_description("x", Some((&tree, tree.root())));
        assert!(got.contains(&format!("p0 — {}…; p1", "y".repeat(59))) && got.ends_with("…; and 2 more."), "{got}");
        assert!(derived_description("x", None).ends_with("It takes no arguments."));
    }
}
