//! `canonical` and `hash`: one spelling for schemas that say the same.
//!
//! Keys are sorted (by UTF-16 code units, as RFC 8785 does), strings have the fewest escapes, `required`, `type` lists and the like
//! are sorted sets, and numbers of one value have one spelling; a whole number keeps all its digits.

use std::fmt::Write;

use schemalect::engine::keyword::Holds;
use schemalect::engine::tree::escape;
use schemalect::engine::{Id, Kind, Kw, Tree};
use schemalect::{InputError, Json, ToolList};
use sha2::{Digest, Sha256};

use crate::args::{Format, OutputArgs, SourceArgs};
use crate::check::unreadable;
use crate::drive::{Answer, Answers, At, Sinks, drive};
use crate::error::Failure;

pub(crate) fn run(source: &SourceArgs, output: &OutputArgs, hashed: bool) -> Result<u8, Failure> {
    drive(source, Sinks { quiet: output.quiet, ..Sinks::default() }, &Canonical { format: output.format, hashed })
}

struct Canonical {
    format: Format,
    hashed: bool,
}

impl Answers for Canonical {
    fn answer(&self, list: &ToolList, _: At<'_>) -> Answer {
        let tree = list.document().tree();
        let mut answer = Answer::default();
        let mut texts = Vec::new();
        for tool in list.tools() {
            let schema = match (&tool.problem, tool.schema) {
                (None, schema) => schema.map_or_else(|| "null".to_owned(), |id| canonical(tree, id)),
                (Some(problem), _) => {
                    let _ = writeln!(answer.notes, "#{}: {}", tool.index, problem.message);
                    answer.code = 1;
                    "null".to_owned()
                }
            };
            texts.push((tool.name.as_str(), if self.hashed { hash(&schema) } else { schema }));
        }
        let single = list.is_single();
        answer.out = match (self.hashed, self.format) {
            (true, Format::Text) if !single => texts.iter().map(|(name, h)| format!("{h}  {}\n", name.unwrap_or("-"))).collect(),
            (true, Format::Json | Format::Ndjson) => {
                let mut json = Json::new();
                match texts.as_slice() {
                    [(_, hash)] if single => json.object(|json| write_hash(json, hash)),
                    texts => json.list(texts, |json, (name, hash)| {
                        json.object(|json| {
                            json.key("name").opt_str(*name);
                            write_hash(json, hash);
                        });
                    }),
                };
                json.finish() + "\n"
            }
            _ => {
                let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
                if single { texts.concat() + "\n" } else { format!("[{}]\n", texts.join(",")) }
            }
        };
        answer
    }

    fn unreadable(&self, error: &InputError) -> String {
        unreadable(error, Format::Json)
    }
}

fn write_hash(json: &mut Json, hash: &str) {
    json.key("hash").str(hash).key("algorithm").str("sha256");
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold("sha256:".to_owned(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// The canonical text of a schema.
fn canonical(tree: &Tree, id: Id) -> String {
    let mut out = String::new();
    write(tree, id, Holds::Schema, &mut out);
    out
}

fn write(tree: &Tree, id: Id, holds: Holds, out: &mut String) {
    match tree.kind(id) {
        Kind::Object => {
            let mut members: Vec<_> = tree.children(id).map(|c| (tree.key(c).into_owned(), c)).collect();
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            joined(out, '{', '}', members, |out, (key, member)| {
                out.push('"');
                out.push_str(&escape(&key));
                out.push_str("\":");
                write(tree, member, below(tree, member, holds), out);
            });
        }
        Kind::Array => {
            let inner = if matches!(holds, Holds::SchemaList | Holds::SchemaOrList) { Holds::Schema } else { Holds::Value };
            let mut items: Vec<String> = tree.children(id).map(|item| element(tree, item, inner)).collect();
            if matches!(holds, Holds::Names | Holds::Types) {
                items.sort();
                items.dedup();
            }
            joined(out, '[', ']', items, |out, item| out.push_str(&item));
        }
        Kind::Str => {
            out.push('"');
            out.push_str(&escape(&tree.str(id).unwrap_or_default()));
            out.push('"');
        }
        Kind::Num => out.push_str(&number(tree.raw(id))),
        Kind::Bool | Kind::Null => out.push_str(tree.raw(id)),
    }
}

fn element(tree: &Tree, id: Id, holds: Holds) -> String {
    let mut out = String::new();
    write(tree, id, holds, &mut out);
    out
}

fn joined<T>(out: &mut String, open: char, close: char, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut String, T)) {
    out.push(open);
    for (i, it) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        item(out, it);
    }
    out.push(close);
}

/// What a member of an object holds, given what the object is.
fn below(tree: &Tree, member: Id, holds: Holds) -> Holds {
    match holds {
        Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool => match tree.kw(member).map(Kw::holds) {
            // The order of this one is what it says.
            Some(Holds::Names) if tree.key(member) == "propertyOrdering" => Holds::Value,
            Some(holds) => holds,
            None => Holds::Value,
        },
        Holds::SchemaMap => Holds::Schema,
        Holds::SchemaOrNamesMap if tree.kind(member) == Kind::Array => Holds::Names,
        Holds::SchemaOrNamesMap => Holds::Schema,
        Holds::NamesMap => Holds::Names,
        _ => Holds::Value,
    }
}

/// One spelling a value: plain digits where it is whole, else the shortest that a double reads back.
fn number(raw: &str) -> String {
    if raw.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        return if raw == "-0" { "0".to_owned() } else { raw.to_owned() };
    }
    match raw.parse::<f64>() {
        Ok(0.0) => "0".to_owned(),
        Ok(value) if value.is_finite() && value.abs() < 1e21 && value.abs() >= 1e-6 => value.to_string(),
        Ok(value) if value.is_finite() => {
            let text = format!("{value:e}");
            if text.contains("e-") { text } else { text.replace('e', "e+") }
        }
        _ => raw.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemalect::engine::Budget;

    #[test]
    fn one_spelling() {
        for (text, want) in [
            (r#"{"type":"string"}"#, r#"{"type":"string"}"#),
            (r#"{"required":["b","a","b"],"type":["null","string"]}"#, r#"{"required":["a","b"],"type":["null","string"]}"#),
            (r#"{"properties":{"required":{"default":["b","a"]}}}"#, r#"{"properties":{"required":{"default":["b","a"]}}}"#),
            (
                r#"{"minimum":1.0,"maximum":1e2,"default":[-0.0,0.50,1e21,1e-7,9223372036854775807,1e400]}"#,
                r#"{"default":[0,0.5,1e+21,1e-7,9223372036854775807,1e400],"maximum":100,"minimum":1}"#,
            ),
            (r#"{"enum":["\u00e9\u000a","b"],"const":{"b":1,"a":2}}"#, "{\"const\":{\"a\":2,\"b\":1},\"enum\":[\"é\\n\",\"b\"]}"),
        ] {
            let tree = Tree::parse(text, &Budget::default()).expect(text);
            assert_eq!(canonical(&tree, tree.root()), want);
        }
        assert!(hash(r#"{"type":"string"}"#).starts_with("sha256:00404e68"));
        assert!(hash("{}").starts_with("sha256:44136fa3"));
    }
}
