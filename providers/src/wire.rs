//! Writes tools as they go into a provider's request.

use schemalect_engine::path::token_name;
use schemalect_engine::tree::escape;
use schemalect_rules::Wire;
use serde_json::Value;

/// The parts of a tool, the schema as JSON text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ToolParts<'t> {
    pub(crate) name: Option<&'t str>,
    pub(crate) description: Option<&'t str>,
    pub(crate) schema: Option<&'t str>,
    /// What the tool carries besides: names and JSON.
    pub(crate) other: &'t [(String, String)],
}

/// The tool in the form that `wire` describes, of a list that tools share only its own entry. Parts that are missing, or for which
/// the form has no place, are left out.
///
/// A profile without a form of its own gets the bare `{name, description, parameters}`.
pub(crate) fn entry(wire: Option<&Wire>, tool: &ToolParts<'_>) -> String {
    let text = |t: &str| format!("\"{}\"", escape(t));
    let own = |pointer: &str| wire.map_or(pointer, |w| w.own(pointer)).to_owned();
    let mut top = Members::default();
    for (pointer, value) in wire.map_or(&[][..], |w| &w.constants) {
        top.put(&own(pointer), value.to_string());
    }
    let [name, description, schema] = match wire {
        Some(w) => [w.name.as_deref(), w.description.as_deref(), Some(w.schema.as_str())],
        None => [Some("/name"), Some("/description"), Some("/parameters")],
    };
    let as_text = wire.is_some_and(|w| w.text);
    let written = tool.schema.map(|schema| if as_text { text(schema) } else { schema.to_owned() });
    for (pointer, value) in [(name, tool.name.map(text)), (description, tool.description.map(text)), (schema, written)] {
        if let (Some(pointer), Some(value)) = (pointer, value) {
            top.put(&own(pointer), value);
        }
    }
    for pointer in wire.map_or(&[][..], |w| &w.keeps) {
        let name = pointer.rsplit_once('/').map(|(_, token)| token_name(token)).unwrap_or_default();
        if let Some((_, value)) = tool.other.iter().find(|(key, _)| *key == name) {
            top.put(&own(pointer), value.clone());
        }
    }
    let mut out = String::new();
    top.write(&mut out);
    out
}

/// Values at their pointers, as one object.
pub(crate) fn members(values: &[(String, Value)]) -> String {
    let mut top = Members::default();
    for (pointer, value) in values {
        top.put(pointer, value.to_string());
    }
    let mut out = String::new();
    top.write(&mut out);
    out
}

/// The list that tools share, in the entry of the request that holds it.
pub(crate) fn shared(list: &str, entries: &[String]) -> String {
    let mut top = Members::default();
    top.put(list, format!("[{}]", entries.join(",")));
    let mut out = String::new();
    top.write(&mut out);
    out
}

#[derive(Default)]
struct Members(Vec<(String, Member)>);

enum Member {
    Value(String),
    Inner(Members),
}

impl Members {
    fn put(&mut self, pointer: &str, value: String) {
        let Some((token, rest)) = pointer.strip_prefix('/').map(|p| p.split_once('/').unwrap_or((p, ""))) else { return };
        let name = token_name(token);
        if !self.0.iter().any(|(n, _)| *n == name) {
            self.0.push((name.clone(), Member::Inner(Members::default())));
        }
        let Some((_, member)) = self.0.iter_mut().find(|(n, _)| *n == name) else { return };
        if rest.is_empty() {
            *member = Member::Value(value);
        } else if let Member::Inner(inner) = member {
            let mut below = String::from("/");
            below.push_str(rest);
            inner.put(&below, value);
        }
    }

    fn write(&self, out: &mut String) {
        let mut sorted: Vec<_> = self.0.iter().collect();
        sorted.sort_by_key(|(name, _)| rank(name));
        out.push('{');
        for (i, (name, member)) in sorted.into_iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            out.push('"');
            out.push_str(&escape(name));
            out.push_str("\":");
            match member {
                Member::Value(json) => out.push_str(json),
                Member::Inner(inner) => inner.write(out),
            }
        }
        out.push('}');
    }
}

/// The order in which people write a tool.
fn rank(name: &str) -> u8 {
    match name {
        "type" => 0,
        "name" => 1,
        "description" => 2,
        "strict" => 4,
        _ => 3,
    }
}
