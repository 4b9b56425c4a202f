//! Writes JSON text: commas in the right places, members in the order written.

use std::fmt::Write;

use schemalect_engine::tree::escape;

/// JSON text in the making. Compact; [`pretty`] indents it.
#[derive(Debug, Default)]
pub struct Json {
    out: String,
}

impl Json {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Json {
        Json::default()
    }

    /// The text.
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    fn comma(&mut self) {
        if !matches!(self.out.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(',');
        }
    }

    /// Text that is JSON already.
    pub fn raw(&mut self, json: &str) -> &mut Json {
        self.comma();
        self.out.push_str(json);
        self
    }

    /// A string.
    pub fn str(&mut self, text: &str) -> &mut Json {
        self.comma();
        self.out.push('"');
        self.out.push_str(&escape(text));
        self.out.push('"');
        self
    }

    /// A string, or null.
    pub fn opt_str(&mut self, text: Option<&str>) -> &mut Json {
        match text {
            Some(text) => self.str(text),
            None => self.raw("null"),
        }
    }

    /// A number or a boolean.
    pub fn value(&mut self, value: impl std::fmt::Display) -> &mut Json {
        self.comma();
        let _ = write!(self.out, "{value}");
        self
    }

    /// The name of the member whose value is written next.
    pub fn key(&mut self, name: &str) -> &mut Json {
        self.str(name);
        self.out.push(':');
        self
    }

    /// An object, whose members are written by `members`.
    pub fn object(&mut self, members: impl FnOnce(&mut Json)) -> &mut Json {
        self.comma();
        self.out.push('{');
        members(self);
        self.out.push('}');
        self
    }

    /// A list, each of whose elements is written by `element`.
    pub fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut element: impl FnMut(&mut Json, T)) -> &mut Json {
        self.comma();
        self.out.push('[');
        for item in items {
            element(self, item);
        }
        self.out.push(']');
        self
    }

    /// A list of strings.
    pub fn words<S: AsRef<str>>(&mut self, words: impl IntoIterator<Item = S>) -> &mut Json {
        self.list(words, |json, word| {
            json.str(word.as_ref());
        })
    }
}

/// Compact JSON, indented by two blanks a level; literals stay as they are.
#[must_use]
pub fn pretty(json: &str) -> String {
    let mut out = String::with_capacity(json.len().saturating_mul(2));
    let (mut level, mut in_string, mut escaped) = (0_usize, false, false);
    let newline = |out: &mut String, level: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", level));
    };
    for (at, c) in json.char_indices() {
        let closes_at_once = matches!(json.as_bytes().get(at.saturating_add(1)), Some(b'}' | b']'));
        match c {
            _ if in_string => {
                out.push(c);
                (in_string, escaped) = (escaped || c != '"', !escaped && c == '\\');
            }
            '"' => {
                out.push(c);
                in_string = true;
            }
            '{' | '[' => {
                out.push(c);
                level = level.saturating_add(1);
                if !closes_at_once {
                    newline(&mut out, level);
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                if !out.ends_with(['{', '[']) {
                    newline(&mut out, level);
                }
                out.push(c);
            }
            ',' => {
                out.push(c);
                newline(&mut out, level);
            }
            ':' => out.push_str(": "),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_indents() {
        let mut json = Json::new();
        json.object(|json| {
            json.key("a").str("x\"{,\n").key("b").list([1, 2], |json, n| {
                json.value(n);
            });
            json.key("c").object(|_| {}).key("d").words::<&str>([]).key("e").opt_str(None);
        });
        let text = json.finish();
        assert_eq!(text, r#"{"a":"x\"{,\n","b":[1,2],"c":{},"d":[],"e":null}"#);
        let want = "{\n  \"a\": \"x\\\"{,\\n\",\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": {},\n  \"d\": [],\n  \"e\": null\n}";
        assert_eq!(pretty(&text), want);
    }
}
