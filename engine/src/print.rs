//! [`Tree`] back to text and to [`serde_json::Value`].

use serde_json::Value;

use crate::tree::{Id, Kind, Node, Tree};

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
        self.write_beyond(usize::MAX, id, out);
    }

    /// The same, until more than `limit` bytes are written.
    fn write_beyond(&self, limit: usize, id: Id, out: &mut String) {
        let mut at = id;
        while out.len() <= limit {
            let node = self.node(at);
            if let Some((open, close)) = brackets(node.kind).filter(|_| !self.as_read(node)) {
                out.push(open);
                if let Some(first) = node.first.some() {
                    self.write_key(node.kind, first, out);
                    at = first;
                    continue;
                }
                out.push(close);
            } else {
                let text = self.slice(node.span);
                // A character has four bytes at most: one byte more than there is room for is written.
                out.push_str(head(text, limit.saturating_sub(out.len()).saturating_add(4)));
            }
            // To the next value after this one, closing what ends with it.
            loop {
                if at == id {
                    return;
                }
                let Node { next, parent, .. } = *self.node(at);
                let Some(parent) = parent.some() else { return };
                let kind = self.kind(parent);
                if let Some(next) = next.some() {
                    out.push(',');
                    self.write_key(kind, next, out);
                    at = next;
                    break;
                }
                out.extend(brackets(kind).map(|(_, close)| close));
                at = parent;
            }
        }
    }

    /// Whether a container stands in the text as it would be printed.
    pub(crate) fn as_read(&self, node: &Node) -> bool {
        self.compact && !node.altered && node.span.len() > 1
    }

    fn write_key(&self, holder: Kind, id: Id, out: &mut String) {
        if holder == Kind::Object {
            out.push('"');
            out.push_str(self.raw_key(id));
            out.push_str("\":");
        }
    }

    /// Compact JSON of a subtree, cut after about `limit` bytes with a mark.
    #[must_use]
    pub fn excerpt(&self, id: Id, limit: usize) -> String {
        let mut out = String::with_capacity(limit.min(256));
        self.write_beyond(limit, id, &mut out);
        cut(&mut out, limit);
        out
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

/// Cuts a text after so many bytes, with a mark.
pub(crate) fn cut(text: &mut String, limit: usize) {
    if text.len() > limit {
        text.truncate(head(text, limit).len());
        text.push('…');
    }
}

/// So many bytes of a text, without the character that does not fit.
fn head(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or_default()
}

fn brackets(kind: Kind) -> Option<(char, char)> {
    match kind {
        Kind::Object => Some(('{', '}')),
        Kind::Array => Some(('[', ']')),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::keyword::Kw;

    #[test]
    fn an_excerpt_ends_where_a_character_does() {
        let text = r#"{"a":[1,{"b":"é€𝄞"}],"c":[[]],"d":{}}"#;
        for text in [text.to_owned(), text.replace(':', ": ")] {
            let mut tree = Tree::parse(&text, &Budget::default()).expect("parses");
            for changed in [false, true] {
                if changed {
                    let flag = tree.new_bool(true);
                    tree.set(tree.root(), Kw::Type, flag);
                }
                let whole = tree.to_json(tree.root());
                for limit in 0..=whole.len() {
                    let mut end = limit;
                    while !whole.is_char_boundary(end) {
                        end -= 1;
                    }
                    let mark = if limit < whole.len() { "…" } else { "" };
                    assert_eq!(tree.excerpt(tree.root(), limit), format!("{}{mark}", &whole[..end]));
                }
            }
        }
    }

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
        check(Tree::detach, r#"{"a":{"type":"x","b":[1]},"title":"t"}"#);
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
