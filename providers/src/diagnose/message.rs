//! The messages of an error text, whatever they are wrapped in: JSON, JSON text in JSON text, what Python or JavaScript print of
//! such values, event streams.

use super::literal::{BESIDE, begins, literal, unescape};

/// Text within text is read to this depth.
const DEEPEST: usize = 8;

/// Shows every line that may be a message, with what its object says of the place.
///
/// Reads each level of wrapping a bounded number of times, so the work grows with the length of the text.
pub(super) fn messages(text: &str, see: &mut dyn FnMut(&str, Option<&str>)) {
    Reader { see }.read(text, None, 0);
}

struct Reader<'s> {
    see: &'s mut dyn FnMut(&str, Option<&str>),
}

impl Reader<'_> {
    fn read(&mut self, text: &str, beside: Option<&str>, depth: usize) {
        // What turns out to be no value is read once more from its second byte on.
        let mut fuel = text.len().saturating_mul(8);
        let (mut shown, mut at) = (0, 0);
        while let Some(open) = text.get(at..).and_then(|t| t.find(['{', '['])).map(|n| at.saturating_add(n)) {
            at = open.saturating_add(1);
            if depth >= DEEPEST || fuel == 0 {
                break;
            }
            if let Some(end) = escaped(text, open) {
                self.lines(text.get(shown..open).unwrap_or_default(), beside);
                self.read(&unescape(text.get(open..end).unwrap_or_default()), beside, depth.saturating_add(1));
                (shown, at) = (end, end);
            } else if begins(text, open) {
                let found = literal(text, open);
                let seen = found.as_ref().map_or_else(|end| *end, |l| l.end);
                fuel = fuel.saturating_sub(seen.saturating_sub(open));
                let Some(found) = found.ok().filter(|l| l.envelope) else { continue };
                self.lines(text.get(shown..open).unwrap_or_default(), beside);
                (shown, at) = (found.end, found.end);
                let mut leaves = found.leaves.as_slice();
                while let Some(first) = leaves.first() {
                    let of_object = leaves.iter().take_while(|l| l.object == first.object).count();
                    let (now, later) = leaves.split_at(of_object);
                    let places: Vec<_> = now.iter().filter(|l| BESIDE.contains(&l.key)).map(|l| unescape(l.raw)).collect();
                    let place = (!places.is_empty()).then(|| places.join("."));
                    for leaf in now.iter().filter(|l| !BESIDE.contains(&l.key)) {
                        self.read(&unescape(leaf.raw), place.as_deref().or(beside), depth.saturating_add(1));
                    }
                    leaves = later;
                }
            }
        }
        self.lines(text.get(shown..).unwrap_or_default(), beside);
    }

    fn lines(&mut self, text: &str, beside: Option<&str>) {
        for line in text.lines() {
            let line = line.trim();
            let line = line.strip_prefix("data:").or_else(|| line.strip_prefix("* ")).unwrap_or(line).trim();
            if !line.is_empty() {
                (self.see)(line, beside);
            }
        }
    }
}

/// The end of the text of a value whose quotes are escaped, where one begins at this bracket.
fn escaped(text: &str, open: usize) -> Option<usize> {
    let mut inner =
        text.as_bytes().get(open.saturating_add(1)..)?.iter().take(64).skip_while(|b| matches!(b, b' ' | b'{' | b'[')).peekable();
    let is_escaped = inner.peek() == Some(&&b'\\');
    if !is_escaped || inner.find(|b| **b != b'\\') != Some(&b'"') {
        return None;
    }
    let mut end = open;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end = end.saturating_add(2),
            b'"' => break,
            _ => end = end.saturating_add(1),
        }
    }
    Some(end.min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Option<String>)> {
        let mut out = Vec::new();
        messages(text, &mut |line, beside| out.push((line.to_owned(), beside.map(str::to_owned))));
        out
    }

    fn check(text: &str, wanted: &[(&str, Option<&str>)]) {
        let got = read(text);
        let got: Vec<_> = got.iter().map(|(line, beside)| (line.as_str(), beside.as_deref())).collect();
        for one in wanted {
            assert!(got.contains(one), "{one:?} is not among {got:?}");
        }
    }

    #[test]
    fn wrappings() {
        check("* a\n* b", &[("a", None), ("b", None)]);
        check(r#"400 {"error":{"message":"Bad 'x'","param":"tools[0]","code":null}}"#, &[("Bad 'x'", Some("tools[0]"))]);
        check(
            r#"[{"error": {"message": "a\nb", "details": [{"fieldViolations": [{"field": "f", "description": "a"}]}]}}]"#,
            &[("a", None), ("b", None), ("a", Some("f"))],
        );
        let inner = r#"{"error":{"message":"deep \"x\""}}"#;
        let nested = serde_json::json!({"error": {"message": "Provider returned error", "metadata": {"raw": inner}}});
        check(&nested.to_string(), &[("deep \"x\"", None), ("Provider returned error", None)]);
        let twice = serde_json::json!({"message": nested.to_string()});
        check(&twice.to_string(), &[("deep \"x\"", None)]);
        check(&format!("log body=\"{}\" status=400", inner.replace('\\', "\\\\").replace('"', "\\\"")), &[("deep \"x\"", None)]);
        check(
            "Error code: 400 - {'type': 'error', 'error': {'type': 'x', 'message': \"In context=('properties', 'a'), no\"}}",
            &[("In context=('properties', 'a'), no", None)],
        );
        check("event: error\ndata: {\"type\":\"error\",\"error\":{\"message\":\"m\"}}\n\n", &[("m", None)]);
        check("{\n  \"error\": {\n    \"message\": \"over\n lines\"\n  }\n}", &[("over", None), ("lines", None)]);
        check("$ref cannot have keywords {'default', 'title'}", &[("$ref cannot have keywords {'default', 'title'}", None)]);
        check("[{'type': 'number'}] is not of type 'object'", &[("[{'type': 'number'}] is not of type 'object'", None)]);
        check("at properties[\"a\"].items: no", &[("at properties[\"a\"].items: no", None)]);
        check(r#"{"detail": [{"loc": ["body", "tools", 0], "msg": "m", "input": {"message": "echo"}}]}"#, &[("m", Some("body.tools.0"))]);
        assert!(!read(r#"{"error": {"message": "m"}, "request": {"message": "echo"}}"#).iter().any(|(line, _)| line == "echo"));
    }

    /// Each of these would take hours if the work were more than linear.
    #[test]
    fn hostile_texts_take_linear_time() {
        let long = 1 << 20;
        for part in ["{\"a\":", "[", "{\"message\": \"", "{\\\"", "'", "{'error': {\"message\": [", "\\\\\\\"{", "{\"a\")"] {
            let text = part.repeat(long / part.len());
            let mut bytes = 0;
            messages(&text, &mut |line, _| bytes += line.len());
            assert!(bytes <= text.len() * 9, "{part}: {bytes}");
        }
    }
}
