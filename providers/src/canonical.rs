//! Canonical texts and hashes of schemas, tools and lists.

#[cfg(feature = "hash")]
use std::fmt::Write;

use schemalect_engine::Tree;
use schemalect_engine::canonical::{Form, schema, text, value};
use serde_json::Value;
#[cfg(feature = "hash")]
use sha2::{Digest, Sha256};

use crate::read::{Form as Entry, Tool, ToolList};

/// The canonical text of a schema; [`schemalect_engine::canonical`] says what the forms are.
#[must_use]
pub fn canonical_schema(given: &Value, form: Form) -> String {
    let tree = Tree::from_value(given);
    schema(&tree, tree.root(), form)
}

/// `sha256:` and the hash of the canonical text of a schema, in [`Form::Sets`].
///
/// The order of keys does not change it, nor of the names in `required`, nor how a number is spelled; whatever changes what the schema says
/// does, and so does every description. It is a hash of the schema alone: two dialects that write the same have the same.
///
/// ```
/// use schemalect::{CanonicalForm, schema_hash, schema_hash_in};
/// use serde_json::json;
///
/// let schema = json!({"type": "string"});
/// assert_eq!(schema_hash(&schema), "sha256:00404e686415370f1711c4d7acfa2905444d3cf23cef2e10c47d445ebe690f96");
/// assert_eq!(schema_hash(&json!({"minimum": 1})), schema_hash(&json!({"minimum": 1.0})));
/// assert_ne!(schema_hash_in(&json!({"minimum": 1}), CanonicalForm::Ascii), schema_hash_in(&json!({"minimum": 1.0}), CanonicalForm::Ascii));
/// ```
#[cfg(feature = "hash")]
#[must_use]
pub fn schema_hash(schema: &Value) -> String {
    schema_hash_in(schema, Form::Sets)
}

/// As [`schema_hash`], in a form of one's choice: [`Form::Ascii`] gives what `hashlib.sha256` gives of Python's `json.dumps` with sorted keys.
#[cfg(feature = "hash")]
#[must_use]
pub fn schema_hash_in(schema: &Value, form: Form) -> String {
    hash_of_text(&canonical_schema(schema, form))
}

/// `sha256:` and the hash of a text, in hexadecimal digits.
#[cfg(feature = "hash")]
#[must_use]
pub fn hash_of_text(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold("sha256:".to_owned(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

impl ToolList {
    /// The canonical text of a tool's schema; `null` where it has none.
    #[must_use]
    pub fn canonical_schema(&self, tool: &Tool, form: Form) -> String {
        let schema_at = tool.schema.filter(|_| tool.problem.is_none());
        schema_at.map_or_else(|| "null".to_owned(), |id| schema(self.document().tree(), id, form))
    }

    /// The canonical text of a tool: its description, name and schema, as far as it has them, whatever form it was read in. Of a tool
    /// that the provider brings, the entry itself; `null` where the entry cannot be read.
    #[must_use]
    pub fn canonical_tool(&self, tool: &Tool, form: Form) -> String {
        if tool.problem.is_some() {
            return "null".to_owned();
        }
        if tool.form == Entry::Foreign {
            return value(self.document().tree(), tool.entry, form);
        }
        let members = [
            ("description", tool.description.as_str().map(|d| text(d, form))),
            ("name", tool.name.as_str().map(|n| text(n, form))),
            ("schema", tool.schema.map(|id| schema(self.document().tree(), id, form))),
        ];
        let members: Vec<String> = members.into_iter().filter_map(|(key, text)| Some(format!("\"{key}\":{}", text?))).collect();
        format!("{{{}}}", members.join(","))
    }

    /// The canonical text of the list: its tools in order, which counts.
    #[must_use]
    pub fn canonical(&self, form: Form) -> String {
        let tools: Vec<String> = self.tools().iter().map(|tool| self.canonical_tool(tool, form)).collect();
        format!("[{}]", tools.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, read};

    fn list(text: &str) -> ToolList {
        read(text.as_bytes(), &ReadOptions::default()).expect(text)
    }

    #[test]
    fn a_tool_is_the_same_in_every_form() {
        let mcp = list(r#"[{"name":"a","description":"d","inputSchema":{"type":"object","required":["y","x"]}}]"#);
        let chat =
            list(r#"[{"type":"function","function":{"description":"d","parameters":{"required":["x","y"],"type":"object"},"name":"a"}}]"#);
        let want = r#"[{"description":"d","name":"a","schema":{"required":["x","y"],"type":"object"}}]"#;
        assert_eq!((mcp.canonical(Form::Sets).as_str(), chat.canonical(Form::Sets).as_str()), (want, want));
        assert_ne!(mcp.canonical(Form::Ascii), chat.canonical(Form::Ascii));
    }

    #[test]
    fn the_order_of_tools_counts() {
        let [a, b] = ["a", "b"].map(|name| format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#));
        let both = |x: &str, y: &str| list(&format!("[{x},{y}]")).canonical(Form::Sets);
        assert_ne!(both(&a, &b), both(&b, &a));
        assert_eq!(list(&format!("[{a}]")).canonical(Form::Sets), r#"[{"name":"a","schema":{"type":"object"}}]"#);
    }

    #[cfg(feature = "hash")]
    #[test]
    fn hashes_are_of_the_bytes() {
        assert_eq!(hash_of_text("{}"), "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
        assert_eq!(
            schema_hash_in(&serde_json::json!({"enum": ["é"]}), Form::Ascii),
            "sha256:6ce66d6900575d0020d6524bdb0ccb1204ac3798fe0d2d9f5d253873aa60d060"
        );
    }
}
