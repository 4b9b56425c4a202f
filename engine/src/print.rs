//! [`Tree`] back to text and to [`serde_json::Value`].

use serde_json::Value;

use crate::tree::{Id, Kind, Tree};

impl Tree {
    /// Compact JSON of a subtree. Strings and numbers come out as they were written.
    #[must_use]
    pub fn to_json(&self, id: Id) -> String {
        let mut out = String::with_capacity(if id == self.root { self.text.len() } else { 256 });
        self.write_json(id, &mut out);
        out
    }

    /// Appends the compact JSON of a subtree.
    pub fn write_json(&self, id: Id, out: &mut String) {
        let node = self.node(id);
        let object = match node.kind {
            Kind::Object => true,
            Kind::Array => false,
            _ => return out.push_str(self.slice(node.span)),
        };
        if self.compact && !node.altered && node.span.len() > 1 {
            return out.push_str(self.slice(node.span));
        }
        out.push(if object { '{' } else { '[' });
        let mut at = node.first;
        while let Some(child) = at.some() {
            if child != node.first {
                out.push(',');
            }
            let member = self.node(child);
            if object {
                out.push('"');
                out.push_str(self.slice(member.key));
                out.push_str("\":");
            }
            match member.kind {
                Kind::Object | Kind::Array => self.write_json(child, out),
                _ => out.push_str(self.slice(member.span)),
            }
            at = member.next;
        }
        out.push(if object { '}' } else { ']' });
    }

    fn write_key(&self, id: Id, out: &mut String) {
        if self.parent(id).is_some_and(|p| self.kind(p) == Kind::Object) {
            out.push('"');
            out.push_str(self.raw_key(id));
            out.push_str("\":");
        }
    }

    /// Compact JSON of a subtree, cut after about `limit` bytes with a mark.
    #[must_use]
    pub fn excerpt(&self, id: Id, limit: usize) -> String {
        let mut out = String::new();
        for here in self.descendants(id).take(limit) {
            if self.kind(here) == Kind::Str || self.kind(here) == Kind::Num {
                out.push_str(self.raw(here));
            }
            out.push_str("----");
            if out.len() > limit * 2 {
                break;
            }
        }
        if out.len() <= limit * 2 {
            out = self.to_json(id);
        } else {
            out.clear();
            self.write_cut(id, &mut out, limit);
        }
        if out.len() > limit {
            let mut end = limit;
            while !out.is_char_boundary(end) {
                end -= 1;
            }
            out.truncate(end);
            out.push('…');
        }
        out
    }

    /// Writes until the limit is passed, then stops wherever it is.
    fn write_cut(&self, id: Id, out: &mut String, limit: usize) {
        if out.len() > limit {
            return;
        }
        match self.kind(id) {
            Kind::Object | Kind::Array => {
                let object = self.kind(id) == Kind::Object;
                out.push(if object { '{' } else { '[' });
                for (i, child) in self.children(id).enumerate() {
                    if out.len() > limit {
                        return;
                    }
                    if i > 0 {
                        out.push(',');
                    }
                    self.write_key(child, out);
                    self.write_cut(child, out, limit);
                }
                out.push(if object { '}' } else { ']' });
            }
            _ => out.push_str(self.raw(id)),
        }
    }

    /// A [`serde_json::Value`] of a subtree. A number that no double holds becomes its text.
    #[must_use]
    pub fn to_value(&self, id: Id) -> Value {
        match self.kind(id) {
            Kind::Null => Value::Null,
            Kind::Bool => Value::Bool(self.raw(id) == "true"),
            Kind::Num => serde_json::from_str(self.raw(id)).unwrap_or_else(|_| Value::String(self.raw(id).to_owned())),
            Kind::Str => Value::String(self.str(id).unwrap_or_default().into_owned()),
            Kind::Array => Value::Array(self.children(id).map(|c| self.to_value(c)).collect()),
            Kind::Object => Value::Object(self.children(id).map(|c| (self.key(c).into_owned(), self.to_value(c))).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::keyword::Kw;

    /// What is printed after an edit, of a compact text and of one that is not.
    fn check(edit: impl Fn(&mut Tree, Id), want: &str) {
        let text = r#"{"a":{"type":"x","b":[1,{"c":true}]},"title":"t"}"#;
        for text in [text.to_owned(), text.replace(':', " : ")] {
            let mut tree = Tree::parse(&text, &Budget::default()).expect("parses");
            let inner = tree.at_pointer(tree.root(), "/a/b/1").expect("is there");
            edit(&mut tree, inner);
            assert_eq!(tree.to_json(tree.root()), want, "{text}");
            let copy = tree.extract(tree.root());
            assert_eq!(copy.to_json(copy.root()), want, "a copy of {text}");
        }
    }

    #[test]
    fn edits_are_printed_wherever_they_are() {
        check(|_, _| (), r#"{"a":{"type":"x","b":[1,{"c":true}]},"title":"t"}"#);
        check(
            |tree, inner| {
                let note = tree.new_str("n");
                tree.set(inner, Kw::Title, note);
            },
            r#"{"a":{"type":"x","b":[1,{"c":true,"title":"n"}]},"title":"t"}"#,
        );
        check(|tree, inner| tree.detach(inner), r#"{"a":{"type":"x","b":[1]},"title":"t"}"#);
        check(
            |tree, inner| {
                let flag = tree.member(inner, "c").expect("is there");
                tree.become_object(flag);
            },
            r#"{"a":{"type":"x","b":[1,{"c":{}}]},"title":"t"}"#,
        );
        check(
            |tree, inner| {
                let root = tree.root();
                let list = tree.parent(inner).expect("is there");
                tree.detach(list);
                tree.insert(root, "d", list);
                let flag = tree.member(inner, "c").expect("is there");
                tree.rename(flag, "type");
            },
            r#"{"a":{"type":"x"},"title":"t","d":[1,{"type":true}]}"#,
        );
    }
}
