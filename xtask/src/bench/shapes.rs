//! Inputs that grow in one way each.

use std::fmt::Write;

/// A way in which an input grows.
pub(super) struct Shape {
    pub(super) word: &'static str,
    /// Whether it is a list of tools; else one schema.
    pub(super) list: bool,
    /// Whether `serde_json::Value` reads it however large it is.
    pub(super) readable: bool,
    make: fn(usize) -> String,
}

pub(super) const SHAPES: [Shape; 7] = [
    Shape { word: "nesting, to 1,000 levels", list: false, readable: false, make: chains },
    Shape { word: "wide objects", list: false, readable: true, make: wide },
    Shape { word: "many refs", list: false, readable: true, make: refs },
    Shape { word: "many tools", list: true, readable: true, make: tools },
    Shape { word: "long enums", list: false, readable: true, make: enums },
    Shape { word: "long anyOf", list: false, readable: true, make: any_of },
    Shape { word: "long descriptions", list: false, readable: true, make: description },
];

impl Shape {
    /// A text of about so many bytes.
    pub(super) fn text(&self, bytes: usize) -> String {
        (self.make)(bytes)
    }
}

/// What stands in for a text that `serde_json::Value` does not read.
pub(super) fn stand_in(bytes: usize) -> String {
    wide(bytes)
}

/// A start, members separated by commas until there are so many bytes, an end.
fn filled(start: &str, end: &str, bytes: usize, mut member: impl FnMut(&mut String, usize)) -> String {
    let mut out = String::with_capacity(bytes + 1024);
    out.push_str(start);
    let mut n = 0;
    while n == 0 || out.len() + end.len() < bytes {
        if n > 0 {
            out.push(',');
        }
        member(&mut out, n);
        n += 1;
    }
    out.push_str(end);
    out
}

const START: &str = r#"{"type":"object","properties":{"#;

fn chain(levels: usize) -> String {
    format!(r#"{}{{"type":"string"}}{}"#, format!("{START}\"a\":").repeat(levels), "}}".repeat(levels))
}

/// Nothing is read that is nested deeper; a level of schemas is two of JSON, and some stand around.
fn chains(bytes: usize) -> String {
    let one = chain((bytes / 37).min(495));
    filled(START, "}}", bytes, |out, n| {
        let _ = write!(out, "\"c{n}\":{one}");
    })
}

fn wide(bytes: usize) -> String {
    filled(START, "}}", bytes, |out, n| {
        let _ = write!(out, r#""property_{n}":{{"type":"string","description":"The value."}}"#);
    })
}

/// Eight references to each definition, which is made just before the first of them is.
fn refs(bytes: usize) -> String {
    let mut definitions = String::new();
    let properties = filled(START, "}", bytes / 5 * 4, |out, n| {
        if n % 8 == 0 {
            let comma = if n > 0 { "," } else { "" };
            let _ = write!(definitions, r#"{comma}"d{n}":{{"type":"object","properties":{{"x":{{"type":"number"}}}}}}"#);
        }
        let _ = write!(out, r##""r{n}":{{"$ref":"#/$defs/d{}"}}"##, n / 8 * 8);
    });
    format!("{properties},\"$defs\":{{{definitions}}}}}")
}

fn tools(bytes: usize) -> String {
    filled("[", "]", bytes, |out, n| {
        let _ = write!(
            out,
            r#"{{"name":"tool_{n}","description":"Finds things.","inputSchema":{{"type":"object","properties":{{"query":{{"type":"string"}},"limit":{{"type":"integer","minimum":1}}}},"required":["query"]}}}}"#
        );
    })
}

fn enums(bytes: usize) -> String {
    filled(r#"{"type":"object","properties":{"word":{"type":"string","enum":["#, "]}}}", bytes, |out, n| {
        let _ = write!(out, "\"value_{n}\"");
    })
}

fn any_of(bytes: usize) -> String {
    filled(r#"{"type":"object","properties":{"choice":{"anyOf":["#, "]}}}", bytes, |out, n| {
        let _ = write!(out, r#"{{"type":"object","properties":{{"k{n}":{{"type":"string"}}}},"required":["k{n}"]}}"#);
    })
}

fn description(bytes: usize) -> String {
    let words = "Finds the things that were asked for. ".repeat(bytes / 38 + 1);
    format!(r#"{{"type":"object","properties":{{"query":{{"type":"string","description":"{words}"}}}}}}"#)
}

#[cfg(test)]
mod tests {
    use schemalect::Budget;
    use schemalect::engine::Tree;

    use super::*;

    #[test]
    fn inputs_are_json_of_about_the_size() {
        for shape in &SHAPES {
            for bytes in [1 << 10, 40 << 10] {
                let text = shape.text(bytes);
                let parsed = Tree::parse(&text, &Budget { depth: 4000, ..Budget::default() });
                assert!(parsed.is_ok(), "{}: {parsed:?}", shape.word);
                assert!(text.len() * 2 > bytes && text.len() < bytes * 2, "{}: {} of {bytes}", shape.word, text.len());
            }
        }
    }
}
