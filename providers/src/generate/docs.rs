//! Doc comments as descriptions: the first paragraph describes the type, a section of arguments describes its properties.
//!
//! A comment that cannot be read costs a description, never the schema.

use schemalect_engine::Kw;
use schemalect_engine::path::token_name;
use serde_json::{Map, Value};

/// Headings of a section that describes properties.
const ARGUMENTS: [&str; 6] = ["args", "arguments", "parameters", "params", "attributes", "fields"];
/// Headings of sections that describe something else.
const OTHERS: [&str; 17] = [
    "returns",
    "return",
    "raises",
    "yields",
    "example",
    "examples",
    "note",
    "notes",
    "errors",
    "panics",
    "safety",
    "see also",
    "warning",
    "warnings",
    "todo",
    "references",
    "implementation notes",
];

/// Spreads the comments of the root and of its definitions.
pub(super) fn spread(schema: &mut Value) {
    let Value::Object(root) = schema else { return };
    for kw in [Kw::Defs, Kw::Definitions] {
        let definitions = root.get_mut(kw.name()).and_then(Value::as_object_mut);
        definitions.into_iter().flat_map(|d| d.values_mut()).filter_map(Value::as_object_mut).for_each(describe);
    }
    describe(root);
    lift(root);
}

/// A root that only refers to a definition is described by what it refers to.
fn lift(root: &mut Map<String, Value>) {
    if root.contains_key(Kw::Description.name()) {
        return;
    }
    let Some(mut at) = root.get(Kw::Ref.name()).and_then(Value::as_str).and_then(|r| r.strip_prefix("#/")) else { return };
    let mut holder = &*root;
    let target = loop {
        let (step, rest) = at.split_once('/').unwrap_or((at, ""));
        let Some(Value::Object(inner)) = holder.get(&token_name(step)) else { return };
        if rest.is_empty() {
            break inner;
        }
        (holder, at) = (inner, rest);
    };
    if let Some(text) = target.get(Kw::Description.name()).cloned() {
        root.insert(Kw::Description.name().to_owned(), text);
    }
}

fn describe(schema: &mut Map<String, Value>) {
    let Some(text) = schema.get(Kw::Description.name()).and_then(Value::as_str) else { return };
    let doc = Doc::of(text);
    match doc.summary.filter(|summary| !is_signature(summary, schema)) {
        Some(summary) => {
            schema.insert(Kw::Description.name().to_owned(), summary.into());
        }
        None => {
            schema.shift_remove(Kw::Description.name());
        }
    }
    let Some(properties) = schema.get_mut(Kw::Properties.name()).and_then(Value::as_object_mut) else { return };
    for (name, text) in doc.entries {
        let found = find(properties, &name);
        if let Some(Value::Object(property)) = found.and_then(|name| properties.get_mut(&name))
            && !text.is_empty()
        {
            property.entry(Kw::Description.name()).or_insert_with(|| text.into());
        }
    }
}

/// What a generator writes of a type that nobody described: `Name(field: str, …)`.
fn is_signature(summary: &str, schema: &Map<String, Value>) -> bool {
    let title = schema.get(Kw::Title.name()).and_then(Value::as_str);
    let rest = title.and_then(|title| summary.strip_prefix(title));
    rest.is_some_and(|rest| rest.starts_with('(') && rest.ends_with(')'))
}

/// The property that an entry is about: the name itself, else the one that is the same in another case or without underscores.
fn find(properties: &Map<String, Value>, name: &str) -> Option<String> {
    if properties.contains_key(name) {
        return Some(name.to_owned());
    }
    let bare = |name: &str| -> String { name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let wanted = bare(name);
    let mut alike = properties.keys().filter(|key| bare(key) == wanted);
    alike.next().filter(|_| alike.next().is_none()).cloned()
}

/// A comment, read.
#[derive(Debug, Default, PartialEq, Eq)]
struct Doc {
    summary: Option<String>,
    /// Names and texts, in order.
    entries: Vec<(String, String)>,
}

#[derive(PartialEq, Eq)]
enum Part {
    Start,
    Summary,
    Arguments { indent: Option<usize>, list: bool },
    Other,
}

impl Doc {
    fn of(text: &str) -> Doc {
        let (mut summary, mut entries) = (String::new(), Vec::<(String, String)>::new());
        let mut part = Part::Start;
        // Whether the line before belongs to the last entry.
        let mut open = false;
        for line in text.lines() {
            let (indent, line) = (line.len().saturating_sub(line.trim_start().len()), line.trim());
            if let Some(next) = heading(line, part == Part::Start) {
                (part, open) = (next, false);
                continue;
            }
            match &mut part {
                Part::Start | Part::Summary if line.is_empty() => {
                    if part == Part::Summary {
                        part = Part::Other;
                    }
                }
                Part::Start | Part::Summary => {
                    push(&mut summary, line);
                    part = Part::Summary;
                }
                Part::Arguments { .. } if line.is_empty() => open = false,
                Part::Arguments { indent: base, list } => {
                    let bullet = line.starts_with(['*', '-', '+']) && !line.starts_with("**");
                    if base.is_none() {
                        (*base, *list) = (Some(indent), bullet);
                    }
                    let level = base.unwrap_or_default();
                    let begins = if *list { bullet && indent <= level } else { indent <= level };
                    match entry(line).filter(|_| begins) {
                        Some((name, text)) => {
                            entries.push((name, text.to_owned()));
                            open = true;
                        }
                        None if begins && (!*list || bullet) => open = false,
                        None if open => {
                            if let Some((_, text)) = entries.last_mut() {
                                push(text, line);
                            }
                        }
                        None => {}
                    }
                    if indent < level {
                        part = Part::Other;
                    }
                }
                Part::Other => {}
            }
        }
        Doc { summary: Some(summary).filter(|s| !s.is_empty()), entries }
    }
}

fn push(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(line);
}

/// The part that a heading begins: `Args:`, `# Arguments`, `Returns:`… At the start a heading of no known part is a title, and passed over.
fn heading(line: &str, start: bool) -> Option<Part> {
    let hashes = line.trim_start_matches('#');
    let marked = hashes.len() < line.len() && hashes.starts_with(' ');
    let word = if marked { hashes.trim().trim_end_matches(':') } else { line.strip_suffix(':')? };
    let word = word.trim().to_lowercase();
    match word.as_str() {
        word if ARGUMENTS.contains(&word) => Some(Part::Arguments { indent: None, list: false }),
        word if OTHERS.contains(&word) => Some(Part::Other),
        _ if marked => Some(if start { Part::Start } else { Part::Other }),
        _ => None,
    }
}

/// A line that describes a property: `name: text`, `name (type): text`, ``* `name` - text``.
fn entry(line: &str) -> Option<(String, &str)> {
    let line = line.strip_prefix(['*', '-', '+']).filter(|l| l.starts_with(' ')).unwrap_or(line).trim_start();
    let line = line.strip_prefix("r#").unwrap_or(line);
    let (name, rest) = match ["**", "`"].iter().find_map(|q| Some((line.strip_prefix(q)?, *q))) {
        Some((inner, quote)) => inner.split_once(quote)?,
        None => line.split_at(line.find(|c: char| !(c.is_alphanumeric() || "_-$.".contains(c)))?),
    };
    let name = name.trim_matches('`').trim_start_matches("r#");
    if name.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    let mut rest = rest.trim_start();
    if rest.starts_with('(') {
        rest = rest.split_once(')')?.1.trim_start();
    }
    let text = [":", "- ", "– ", "— "].iter().find_map(|sign| rest.strip_prefix(sign))?;
    Some((name.to_owned(), text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(text: &str, summary: &str, entries: &[(&str, &str)]) {
        let doc = Doc::of(text);
        assert_eq!(doc.summary.unwrap_or_default(), summary, "{text}");
        assert_eq!(doc.entries.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect::<Vec<_>>(), entries, "{text}");
    }

    #[test]
    fn the_first_paragraph_is_the_summary() {
        check("A stop.", "A stop.", &[]);
        check("A stop on\nthe way.\n\nMore of it.", "A stop on the way.", &[]);
        check("# Waypoint\n\nA stop.\n\n# Examples\n\nnone", "A stop.", &[]);
        check("\n  A stop.\n", "A stop.", &[]);
        check("", "", &[]);
        check("Returns:\n    it", "", &[]);
    }

    #[test]
    fn blocks_of_arguments() {
        check(
            "S.\n\nArgs:\n    a: the a\n        and more.\n    b: the b\n\nReturns:\n    c: no",
            "S.",
            &[("a", "the a and more."), ("b", "the b")],
        );
        check("Args:\n    a: the a.", "", &[("a", "the a.")]);
        check(
            "S.\n\nArgs:\n    a: first\n    b (int): second\n    mode: one of\n        fast: quick",
            "S.",
            &[("a", "first"), ("b", "second"), ("mode", "one of fast: quick")],
        );
        check("S.\n\nArgs:\n    a: first\n    no entry at all\n    b: second", "S.", &[("a", "first"), ("b", "second")]);
        check("S.\n\nArgs:\n    a: first\nAfter: it", "S.", &[("a", "first"), ("After", "it")]);
    }

    #[test]
    fn sections_of_arguments() {
        let text =
            "S.\n\n# Arguments\n\n* `a` - the a\n  and more\n* `b` (text): the b\n- **c** — the c\n- d: the d\n\n# Errors\n* `e` - no";
        check(text, "S.", &[("a", "the a and more"), ("b", "the b"), ("c", "the c"), ("d", "the d")]);
    }

    #[test]
    fn entries_find_their_properties() {
        for (entry, name) in [("a", "a"), ("class_", "class"), ("max_nights", "maxNights"), ("r#type", "type")] {
            let mut schema =
                json!({"description": format!("S.\n\nArgs:\n    {entry}: text"), "properties": {name: {"type": "string"}, "z": {}}});
            spread(&mut schema);
            assert_eq!(schema["properties"][name]["description"], "text", "{entry}");
            assert_eq!(schema["description"], "S.");
        }
    }

    #[test]
    fn a_description_of_its_own_wins_and_none_is_made_up() {
        let mut schema = json!({"description": "Args:\n    a: one", "properties": {"a": {"description": "own"}},
            "$defs": {"N": {"title": "N", "description": "N(name: str, n: int = 1)"}, "M": {"description": "M.\n\nArgs:\n x: y"}}});
        spread(&mut schema);
        assert_eq!(
            schema,
            json!({"properties": {"a": {"description": "own"}}, "$defs": {"N": {"title": "N"}, "M": {"description": "M."}}})
        );
    }
}
