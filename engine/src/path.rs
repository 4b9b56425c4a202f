//! Paths of nodes: RFC 6901 pointers and RFC 9535 normalized paths.

use std::fmt::Write;

use crate::tree::{Id, Kind, Tree};

impl Tree {
    /// The JSON Pointer of a node, relative to `top`.
    #[must_use]
    pub fn pointer(&self, top: Id, id: Id) -> String {
        let mut steps = Vec::with_capacity(16);
        let (mut at, mut len) = (id, 0);
        while at != top {
            let parent = self.parent(at);
            steps.push((at, parent.is_some_and(|p| self.kind(p) == Kind::Object)));
            len += self.raw_key(at).len() + 4;
            let Some(parent) = parent else { break };
            at = parent;
        }
        let mut out = String::with_capacity(len);
        for &(step, member) in steps.iter().rev() {
            out.push('/');
            match (member, self.kw(step)) {
                (true, Some(kw)) => out.push_str(kw.name()),
                (true, None) => push_token(&mut out, &self.key(step)),
                (false, _) => {
                    let _ = write!(out, "{}", self.index(step));
                }
            }
        }
        out
    }

    /// About as many bytes as the pointer of a node has.
    pub(crate) fn place_length(&self, id: Id) -> usize {
        std::iter::successors(Some(id), |&at| self.parent(at)).map(|at| self.raw_key(at).len() + 4).sum()
    }

    /// The node a JSON Pointer names, from `top`.
    #[must_use]
    pub fn at_pointer(&self, top: Id, pointer: &str) -> Option<Id> {
        let mut at = top;
        if pointer.is_empty() {
            return Some(at);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            at = match self.kind(at) {
                Kind::Object => self.member(at, &token_name(token))?,
                Kind::Array if token == "0" || !token.starts_with('0') => self.element(at, token.parse().ok()?)?,
                _ => return None,
            };
        }
        Some(at)
    }
}

/// Appends one reference token, escaped.
pub fn push_token(out: &mut String, name: &str) {
    if !name.as_bytes().contains(&b'~') && !name.as_bytes().contains(&b'/') {
        return out.push_str(name);
    }
    for c in name.chars() {
        match c {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            c => out.push(c),
        }
    }
}

/// The name that a reference token stands for.
#[must_use]
pub fn token_name(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// A JSON Pointer in dotted JSONPath form: `$.properties.a`, with brackets where a name needs them.
#[must_use]
pub fn json_path(pointer: &str) -> String {
    let mut out = String::from("$");
    for token in pointer.split('/').skip(1) {
        let name = token_name(token);
        if !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit()) {
            let _ = write!(out, "[{name}]");
        } else if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        {
            let _ = write!(out, ".{name}");
        } else {
            let _ = write!(out, "['{}']", name.replace('\\', "\\\\").replace('\'', "\\'"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn there_and_back() {
        let tree = Tree::parse(r#"{"a/b":[{"~c":1},2],"":{"d e":3}}"#, &Budget::default()).expect("parses");
        for pointer in ["", "/a~1b", "/a~1b/0/~0c", "/a~1b/1", "//d e"] {
            let id = tree.at_pointer(tree.root(), pointer).expect(pointer);
            assert_eq!(tree.pointer(tree.root(), id), pointer);
        }
        assert_eq!(tree.at_pointer(tree.root(), "/a~1b/01"), None);
        assert_eq!(json_path("/a~1b/0/x"), "$['a/b'][0].x");
    }
}
