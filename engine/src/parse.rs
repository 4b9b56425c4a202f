//! JSON text to [`Tree`], with positions, raw numbers and duplicate keys seen, under a budget.

use hashbrown::HashMap;
use jiter::{Jiter, JiterError, JiterErrorType, JsonErrorType, Peek};

use crate::attr::Types;
use crate::budget::{Budget, ReadError};
use crate::keyword::Kw;
use crate::tree::{Id, Kind, Node, Span, Tree, escape};
use crate::valid::standard_type;

/// Objects with more members than this look up duplicate keys by hash.
const SMALL_OBJECT: u32 = 12;

/// Places are 32 bits; there is room beside the text for what is made.
const LONGEST: usize = (u32::MAX - (1 << 28)) as usize;

struct Open {
    id: Id,
    object: bool,
    count: u32,
    names: Option<HashMap<Box<str>, Id, foldhash::fast::FixedState>>,
}

impl Tree {
    /// Reads one JSON document.
    ///
    /// # Errors
    /// The text is no JSON, or exceeds the budget; the error says what and where.
    pub fn parse(text: &str, budget: &Budget) -> Result<Tree, ReadError> {
        if text.len() > budget.bytes.min(LONGEST) {
            let what = format!("{} bytes, the limit is {}", text.len(), budget.bytes);
            return Err(ReadError::at(text.as_bytes(), 0, what, true));
        }
        Parser::new(text, budget).run()
    }

    /// Reads one JSON document from bytes, which must be UTF-8.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn parse_bytes(bytes: &[u8], budget: &Budget) -> Result<Tree, ReadError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Tree::parse(text, budget),
            Err(e) => Err(ReadError::at(bytes, e.valid_up_to(), "invalid UTF-8".into(), false)),
        }
    }

    /// A tree of a [`serde_json::Value`]; nothing in it has a position.
    #[must_use]
    pub fn from_value(value: &serde_json::Value) -> Tree {
        let mut tree = Tree::empty(64);
        tree.root = tree.new_value(value);
        tree
    }
}

struct Parser<'t> {
    text: &'t str,
    jiter: Jiter<'t>,
    budget: &'t Budget,
    tree: Tree,
    stack: Vec<Open>,
    /// Bytes that what was read so far takes as compact JSON.
    length: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, budget: &'t Budget) -> Parser<'t> {
        let mut tree = Tree::empty((text.len() / 16).saturating_add(1));
        tree.text.reserve(text.len().saturating_add(text.len() / 4));
        tree.text.push_str(text);
        tree.parsed = text.len() as u32;
        Parser { text, jiter: Jiter::new(text.as_bytes()), budget, tree, stack: Vec::with_capacity(16), length: 0 }
    }

    fn run(mut self) -> Result<Tree, ReadError> {
        let peek = self.jiter.peek().map_err(|e| self.fail(&e))?;
        self.tree.root = self.value(peek)?;
        while let Some(open) = self.stack.last() {
            let (id, object, fresh) = (open.id, open.object, open.count == 0);
            if object { self.member(id, fresh)? } else { self.element(id, fresh)? }
        }
        self.jiter.finish().map_err(|e| self.fail(&e))?;
        self.tree.read = self.tree.nodes.len() as u32;
        self.tree.compact = self.length == self.text.len() && self.tree.text.len() == self.text.len();
        Ok(self.tree)
    }

    fn fail(&self, error: &JiterError) -> ReadError {
        let what = match &error.error_type {
            JiterErrorType::JsonError(JsonErrorType::TrailingCharacters) => "more text after the value".to_owned(),
            JiterErrorType::JsonError(e) => e.to_string(),
            JiterErrorType::WrongType { .. } => "unexpected value".to_owned(),
        };
        ReadError::at(self.text.as_bytes(), error.index, what, false)
    }

    fn over(&self, what: String) -> ReadError {
        ReadError::at(self.text.as_bytes(), self.jiter.current_index(), what, true)
    }

    /// Reads a scalar whole, or opens a container.
    fn value(&mut self, peek: Peek) -> Result<Id, ReadError> {
        if self.tree.nodes.len() >= self.budget.nodes {
            return Err(self.over(format!("more than {} values", self.budget.nodes)));
        }
        let start = self.jiter.current_index();
        let (mut escaped, mut names) = (false, Types::default());
        let kind = match peek {
            Peek::Object | Peek::Array => {
                let deepest = self.budget.depth.min(Budget::DEEPEST);
                if self.stack.len() >= deepest {
                    return Err(self.over(format!("nested more than {deepest} levels deep")));
                }
                let object = peek == Peek::Object;
                let kind = if object { Kind::Object } else { Kind::Array };
                let start = start as u32;
                let id = self.tree.push_node(Node::new(kind, Span { start, end: start.saturating_add(1) }));
                self.length = self.length.saturating_add(2);
                self.stack.push(Open { id, object, count: 0, names: None });
                return Ok(id);
            }
            Peek::String => {
                let read = self.jiter.known_str().map(|text| (text.len(), standard_type(text)));
                let (len, named) = read.map_err(|e| self.fail(&e))?;
                escaped = len.saturating_add(2) != self.jiter.current_index().saturating_sub(start);
                names = named.filter(|_| !escaped).unwrap_or_default();
                Kind::Str
            }
            Peek::True | Peek::False => {
                self.jiter.known_bool(peek).map_err(|e| self.fail(&e))?;
                Kind::Bool
            }
            Peek::Null => {
                self.jiter.known_null().map_err(|e| self.fail(&e))?;
                Kind::Null
            }
            _ => {
                let read = self.jiter.known_number_bytes(peek).map(<[u8]>::len);
                read.map_err(|e| self.fail(&e))?;
                Kind::Num
            }
        };
        let mut node = Node::new(kind, Span { start: start as u32, end: self.jiter.current_index() as u32 });
        self.length = self.length.saturating_add(node.span.len());
        node.escaped = escaped;
        node.names = names;
        Ok(self.tree.push_node(node))
    }

    fn element(&mut self, array: Id, fresh: bool) -> Result<(), ReadError> {
        let step = if fresh { self.jiter.known_array() } else { self.jiter.array_step() };
        match step.map_err(|e| self.fail(&e))? {
            None => self.close(array),
            Some(peek) => {
                self.length = self.length.saturating_add(usize::from(!fresh));
                self.bump();
                let child = self.value(peek)?;
                self.link(array, child);
            }
        }
        Ok(())
    }

    fn member(&mut self, object: Id, fresh: bool) -> Result<(), ReadError> {
        let data = self.text.as_bytes().as_ptr_range();
        let step = if fresh { self.jiter.known_object() } else { self.jiter.next_key() };
        let (key, kw) = match step {
            Err(e) => return Err(self.fail(&e)),
            Ok(None) => {
                self.close(object);
                return Ok(());
            }
            Ok(Some(name)) => {
                let kw = Kw::of(name);
                let at = name.as_ptr();
                let key = if data.contains(&at) && !name.is_empty() {
                    let start = (at as usize).saturating_sub(data.start as usize) as u32;
                    Span { start, end: start.saturating_add(name.len() as u32) }
                } else {
                    let raw = escape(name);
                    let start = self.tree.text.len() as u32;
                    self.tree.text.push_str(&raw);
                    Span { start, end: self.tree.text.len() as u32 }
                };
                (key, kw)
            }
        };
        self.length = self.length.saturating_add(key.len()).saturating_add(if fresh { 3 } else { 4 });
        self.bump();
        let peek = self.jiter.peek().map_err(|e| self.fail(&e))?;
        let twin = self.twin(object, key, kw);
        let child = self.value(peek)?;
        self.tree.node_mut(child).key = key;
        self.tree.node_mut(child).set_kw(kw);
        match twin {
            Some(old) => {
                // Every reader that matters keeps the last of equal keys, in the first one's place.
                self.tree.duplicates.push(object, key);
                self.tree.replace(old, child);
                self.recall(object, key, child);
            }
            None => self.link(object, child),
        }
        self.tree.note_key(object, kw);
        Ok(())
    }

    fn bump(&mut self) {
        if let Some(open) = self.stack.last_mut() {
            open.count = open.count.saturating_add(1);
        }
    }

    fn close(&mut self, id: Id) {
        self.tree.node_mut(id).span.end = self.jiter.current_index() as u32;
        self.stack.pop();
    }

    fn link(&mut self, parent: Id, child: Id) {
        let last = self.tree.node(parent).last;
        self.tree.node_mut(child).parent = parent;
        self.tree.node_mut(child).prev = last;
        match last.some() {
            Some(last) => self.tree.node_mut(last).next = child,
            None => self.tree.node_mut(parent).first = child,
        }
        self.tree.node_mut(parent).last = child;
    }

    /// The member of this name read before, if any.
    fn twin(&mut self, object: Id, key: Span, kw: Option<Kw>) -> Option<Id> {
        let Parser { tree, stack, .. } = self;
        let open = stack.last_mut()?;
        if let Some(kw) = kw {
            return tree.get(object, kw);
        }
        let raw = tree.slice(key);
        if open.count <= SMALL_OBJECT {
            let same = |&c: &Id| tree.node(c).key.len() == key.len() && tree.raw_key(c) == raw;
            return tree.children(object).find(same);
        }
        let names = open.names.get_or_insert_with(|| {
            let mut names = HashMap::default();
            names.extend(tree.children(object).map(|c| (Box::from(tree.raw_key(c)), c)));
            names
        });
        let found = names.get(raw).copied();
        if found.is_none() {
            // The value is not read yet: it will be the next node.
            names.insert(Box::from(raw), Id(tree.nodes.len() as u32));
        }
        found
    }

    fn recall(&mut self, object: Id, key: Span, child: Id) {
        let Parser { tree, stack, .. } = self;
        if let Some(names) = stack.iter_mut().rev().find(|o| o.id == object).and_then(|o| o.names.as_mut()) {
            names.insert(Box::from(tree.slice(key)), child);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) {
        let tree = Tree::parse(text, &Budget::default()).expect(text);
        let want: serde_json::Value = serde_json::from_str(text).expect(text);
        assert_eq!(tree.to_value(tree.root()), want, "{text}");
        let printed = tree.to_json(tree.root());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&printed).expect(&printed), want, "{text}");
    }

    #[test]
    fn reads_what_serde_json_reads() {
        for text in [
            "null",
            " [1, -0, 2.50, 1e5, \"a\\n\\u00e9\", {}, [], [[]], true, false] ",
            r#"{"a":1,"b":{"c":[1,2,{"d":null}]},"e":"\ud83d\ude00"}"#,
            r#"{"":1,"a\"b":2,"\u0074ype":"string","title":{"title":1}}"#,
            r#"{"a":1,"a":2,"b":3,"type":1,"type":2}"#,
        ] {
            same(text);
        }
        let wide: Vec<String> = (0..40).map(|i| format!("\"k{}\":{i}", i % 25)).collect();
        same(&format!("{{{}}}", wide.join(",")));
    }

    #[test]
    fn keys_are_keywords_whatever_their_escapes() {
        let tree = Tree::parse(r#"{"\u0074ype":"string"}"#, &Budget::default()).expect("parses");
        assert_eq!(tree.get(tree.root(), Kw::Type).and_then(|t| tree.str(t)).as_deref(), Some("string"));
    }

    #[test]
    fn spans_are_bytes_of_the_text() {
        let text = r#"{"a": {"b": [1, "x"]}}"#;
        let tree = Tree::parse(text, &Budget::default()).expect("parses");
        let a = tree.member(tree.root(), "a").expect("a");
        assert_eq!(tree.raw(a), r#"{"b": [1, "x"]}"#);
        assert_eq!(tree.span(a), Some((6, 21)));
    }

    #[test]
    fn refuses_with_a_place() {
        let deep = "[".repeat(200_000);
        for (text, line, column, over) in [
            ("", 1, 1, false),
            ("{\"a\":\n  tru}", 2, 6, false),
            ("1 2", 1, 3, false),
            ("[1,]", 1, 4, false),
            ("{\"a\":1,}", 1, 8, false),
            ("\"a\u{0}b\"", 1, 3, false),
            (r#""\ud800""#, 1, 8, false),
            ("[01]", 1, 3, false),
            ("NaN", 1, 1, false),
            (deep.as_str(), 1, 129, true),
        ] {
            let error = Tree::parse(text, &Budget::default()).expect_err(text);
            assert_eq!((error.line, error.column, error.over_budget), (line, column, over), "{}: {error}", &text[..text.len().min(20)]);
        }
        assert!(Tree::parse_bytes(b"\"\xff\"", &Budget::default()).is_err());
        assert!(Tree::parse("1e400", &Budget::default()).is_ok());
    }
}
