//! One spelling for schemas that say the same, and the bytes that a hash is taken of.
//!
//! | | [`Form::Sets`] | [`Form::Ascii`] |
//! |---|---|---|
//! | keys | sorted by UTF-16 code units, as RFC 8785 does | sorted by code points |
//! | strings | the fewest escapes, UTF-8 | the same escapes, and `\u` with four hexadecimal digits in lower case for what else is no printable ASCII: twice, as surrogates, above U+FFFF |
//! | numbers | one spelling a value: `1`, `1.0` and `1e0` are `1`; a whole number keeps all its digits | as Python prints them: `1` and `1.0` differ |
//! | `required`, type lists and the like | sorted sets | as they stand |
//!
//! In both, no blank stands between the parts, and lists whose order says something keep it.

use std::fmt::Write;

use crate::keyword::{Holds, Kw};
use crate::tree::{Id, Kind, Tree, escape};

/// How the canonical text is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// What says the same is the same.
    #[default]
    Sets,
    /// Sorted keys in ASCII and nothing more, as `json.dumps(…, sort_keys=True, separators=(",", ":"))` writes it in Python.
    Ascii,
}

impl Form {
    /// The words on the command line.
    pub const WORDS: [(&'static str, Form); 2] = [("sets", Form::Sets), ("ascii", Form::Ascii)];
}

/// The canonical text of a schema.
#[must_use]
pub fn schema(tree: &Tree, id: Id, form: Form) -> String {
    let mut out = String::new();
    Writer { tree, form }.write(id, Holds::Schema, &mut out);
    out
}

/// The canonical text of a value that is no schema, or holds none.
#[must_use]
pub fn value(tree: &Tree, id: Id, form: Form) -> String {
    let mut out = String::new();
    Writer { tree, form }.write(id, Holds::Value, &mut out);
    out
}

/// A text as it stands in the canonical form, with its quotes.
#[must_use]
pub fn text(text: &str, form: Form) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    quote(text, form, &mut out);
    out
}

struct Writer<'t> {
    tree: &'t Tree,
    form: Form,
}

impl Writer<'_> {
    fn write(&self, id: Id, holds: Holds, out: &mut String) {
        let tree = self.tree;
        match tree.kind(id) {
            Kind::Object => {
                let mut members: Vec<_> = tree.children(id).map(|c| (tree.key(c).into_owned(), c)).collect();
                match self.form {
                    Form::Sets => members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16())),
                    Form::Ascii => members.sort_by(|(a, _), (b, _)| a.cmp(b)),
                }
                joined(out, '{', '}', members, |out, (key, member)| {
                    quote(&key, self.form, out);
                    out.push(':');
                    self.write(member, below(tree, &key, member, holds), out);
                });
            }
            Kind::Array if self.form == Form::Sets && matches!(holds, Holds::Names | Holds::Types) => {
                let element = |item| {
                    let mut out = String::new();
                    self.write(item, holds.element(), &mut out);
                    out
                };
                let mut items: Vec<String> = tree.children(id).map(element).collect();
                items.sort();
                items.dedup();
                joined(out, '[', ']', items, |out, item| out.push_str(&item));
            }
            Kind::Array => joined(out, '[', ']', tree.children(id), |out, item| self.write(item, holds.element(), out)),
            Kind::Str => quote(&tree.str(id).unwrap_or_default(), self.form, out),
            Kind::Num => out.push_str(&match self.form {
                Form::Sets => number(tree.raw(id)),
                Form::Ascii => python_number(tree.raw(id)),
            }),
            Kind::Bool | Kind::Null => out.push_str(tree.raw(id)),
        }
    }
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
fn below(tree: &Tree, key: &str, member: Id, holds: Holds) -> Holds {
    match holds.member(key, tree.kind(member) == Kind::Array) {
        // The order of this one is what it says.
        Holds::Names if key == Kw::PropertyOrdering.name() => Holds::Value,
        inner => inner,
    }
}

fn quote(text: &str, form: Form, out: &mut String) {
    out.push('"');
    match form {
        Form::Sets => out.push_str(&escape(text)),
        Form::Ascii => {
            for c in escape(text).chars() {
                match c {
                    ' '..='~' => out.push(c),
                    c => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                        let _ = write!(out, "\\u{unit:04x}");
                    }),
                }
            }
        }
    }
    out.push('"');
}

fn is_whole(raw: &str) -> bool {
    raw.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

/// One spelling a value: plain digits where it is whole, else the shortest that a double reads back.
fn number(raw: &str) -> String {
    if is_whole(raw) {
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

/// Integers keep their digits; what is written with a point or an exponent is a double and shows it.
fn python_number(raw: &str) -> String {
    if is_whole(raw) {
        return if raw == "-0" { "0".to_owned() } else { raw.to_owned() };
    }
    let value = raw.parse::<f64>().unwrap_or(f64::NAN);
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 || (1e-4..1e16).contains(&value.abs()) {
        return format!("{value:?}");
    }
    // At least two digits of an exponent, and its sign.
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
    format!("{digits}e{sign}{exponent:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;

    fn check(form: Form, given: &str, want: &str) {
        let tree = Tree::parse(given, &Budget::default()).expect(given);
        assert_eq!(schema(&tree, tree.root(), form), want, "{given}");
    }

    #[test]
    fn what_says_the_same_is_the_same() {
        for (given, want) in [
            (r#"{"type":"string"}"#, r#"{"type":"string"}"#),
            (r#"{"required":["b","a","b"],"type":["null","string"]}"#, r#"{"required":["a","b"],"type":["null","string"]}"#),
            (r#"{"properties":{"required":{"default":["b","a"]}}}"#, r#"{"properties":{"required":{"default":["b","a"]}}}"#),
            (r#"{"propertyOrdering":["b","a"]}"#, r#"{"propertyOrdering":["b","a"]}"#),
            (
                r#"{"minimum":1.0,"maximum":1e2,"default":[-0.0,0.50,1e21,1e-7,9223372036854775807,1e400]}"#,
                r#"{"default":[0,0.5,1e+21,1e-7,9223372036854775807,1e400],"maximum":100,"minimum":1}"#,
            ),
            (r#"{"enum":["\u00e9\u000a","b"],"const":{"b":1,"a":2}}"#, "{\"const\":{\"a\":2,\"b\":1},\"enum\":[\"é\\n\",\"b\"]}"),
        ] {
            check(Form::Sets, given, want);
        }
    }

    #[test]
    fn ascii_is_what_python_writes() {
        for (given, want) in [
            (r#"{"required":["b","a"],"enum":["é"]}"#, r#"{"enum":["\u00e9"],"required":["b","a"]}"#),
            (r#"{"default":["\/\b\f\n\r\t\u007f\u001f\"\\", "😀"]}"#, r#"{"default":["/\b\f\n\r\t\u007f\u001f\"\\","\ud83d\ude00"]}"#),
            (
                r#"{"default":[1,1.0,-0,-0.0,1e2,123456789012345678901234567890]}"#,
                r#"{"default":[1,1.0,0,-0.0,100.0,123456789012345678901234567890]}"#,
            ),
            (
                r#"{"default":[1e15,1e16,1.5e300,1e-4,1e-5,1.5e-10,1e400,-1e400]}"#,
                r#"{"default":[1000000000000000.0,1e+16,1.5e+300,0.0001,1e-05,1.5e-10,Infinity,-Infinity]}"#,
            ),
            (r#"{"\ufb33":1,"😀":2}"#, r#"{"\ufb33":1,"\ud83d\ude00":2}"#),
        ] {
            check(Form::Ascii, given, want);
        }
        check(Form::Sets, r#"{"\ufb33":1,"😀":2}"#, "{\"😀\":2,\"\u{fb33}\":1}");
    }
}
