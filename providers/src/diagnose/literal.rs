//! The texts inside a JSON value, or inside what Python and JavaScript print of one, found in the middle of other text.
//!
//! One pass without recursion; a value that is cut off at the end counts as far as it goes.

use std::borrow::Cow;

/// A value nested more deeply is left as it is.
const DEEPEST: usize = 200;
/// Members that give back what was sent; what they hold is no message.
const ECHOES: [&str; 8] = ["input", "tools", "request", "requestbody", "requestbodyvalues", "messages", "prompt", "headers"];
/// Members by which the answer to a failed request is known.
const ENVELOPES: [&str; 14] = [
    "error",
    "errors",
    "error_message",
    "errormessage",
    "message",
    "msg",
    "detail",
    "details",
    "fault",
    "raw",
    "body",
    "response",
    "responsebody",
    "response_body",
];
/// Members that say where, beside the one that says what.
pub(super) const BESIDE: [&str; 6] = ["param", "field", "path", "pointer", "loc", "location"];

/// A value in a text.
#[derive(Debug)]
pub(super) struct Literal<'t> {
    /// The byte after it.
    pub(super) end: usize,
    /// Its texts, in order.
    pub(super) leaves: Vec<Leaf<'t>>,
    /// Whether it is the answer to a failed request.
    pub(super) envelope: bool,
}

/// A text in a [`Literal`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Leaf<'t> {
    /// The member it stands under, where that means something here, in lower case.
    pub(super) key: &'static str,
    /// The text, still escaped.
    pub(super) raw: &'t str,
    /// The object it is a member of.
    pub(super) object: usize,
}

struct Frame {
    close: u8,
    key: &'static str,
    object: usize,
    echo: bool,
}

/// Whether a value may begin with the bracket at this byte.
pub(super) fn begins(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let inner = text.get(at.saturating_add(1)..).unwrap_or_default().trim_start();
    match (bytes.get(at), inner.as_bytes().first()) {
        (Some(b'{' | b'['), Some(b'"' | b'\'' | b'{' | b'[')) => true,
        (Some(b'{'), Some(_)) => {
            let name = inner.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            name > 0 && named(inner, name)
        }
        _ => false,
    }
}

/// The value that begins at this byte.
///
/// # Errors
/// The byte at which it turns out to be none.
pub(super) fn literal(text: &str, at: usize) -> Result<Literal<'_>, usize> {
    let bytes = text.as_bytes();
    let (mut stack, mut leaves) = (Vec::<Frame>::new(), Vec::new());
    let (mut objects, mut envelope, mut here) = (0_usize, false, at);
    while let Some(&byte) = bytes.get(here) {
        let wrong = Err(here);
        match byte {
            b'{' | b'[' | b'(' => {
                if stack.len() >= DEEPEST {
                    return wrong;
                }
                let (key, echo) = stack.last().map_or(("", false), |f| (f.key, f.echo || ECHOES.contains(&f.key)));
                objects = objects.saturating_add(usize::from(byte == b'{'));
                let object = if byte == b'{' { objects } else { stack.last().map_or(0, |f| f.object) };
                let close = match byte {
                    b'{' => b'}',
                    b'[' => b']',
                    _ => b')',
                };
                stack.push(Frame { close, key, object, echo });
                here = here.saturating_add(1);
            }
            b'}' | b']' | b')' => {
                if stack.pop().is_none_or(|frame| frame.close != byte) {
                    return wrong;
                }
                here = here.saturating_add(1);
                if stack.is_empty() {
                    return Ok(Literal { end: here, leaves, envelope });
                }
            }
            b'"' | b'\'' => {
                let (raw, end) = quoted(text, here);
                here = end;
                if let Some(frame) = stack.last_mut() {
                    if frame.close == b'}' && named(text, end) {
                        frame.key = known(raw);
                        envelope |= !frame.echo && ENVELOPES.contains(&frame.key);
                    } else if !frame.echo && !ECHOES.contains(&frame.key) {
                        leaves.push(Leaf { key: frame.key, raw, object: frame.object });
                    }
                }
            }
            b if b.is_ascii_alphanumeric() || b == b'_' => {
                let rest = text.get(here..).unwrap_or_default();
                let word = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
                // One byte at the least, whatever it is: the text is gone through to its end.
                here = here.saturating_add(word.len().max(1));
                if let Some(frame) = stack.last_mut() {
                    if frame.close == b'}' && named(text, here) && !matches!(bytes.get(here), Some(b'"' | b'\'')) {
                        frame.key = known(word);
                        envelope |= !frame.echo && ENVELOPES.contains(&frame.key);
                    } else if BESIDE.contains(&frame.key) && !frame.echo {
                        leaves.push(Leaf { key: frame.key, raw: word, object: frame.object });
                    }
                }
            }
            _ => here = here.saturating_add(1),
        }
    }
    Ok(Literal { end: text.len(), leaves, envelope })
}

/// Whether what ends at this byte is the name of a member.
fn named(text: &str, end: usize) -> bool {
    text.get(end..).is_some_and(|after| after.trim_start().starts_with(':'))
}

/// The name of a member that means something here; empty for any other.
fn known(raw: &str) -> &'static str {
    let names = ENVELOPES.iter().chain(&ECHOES).chain(&BESIDE);
    names.copied().find(|name| name.eq_ignore_ascii_case(raw)).unwrap_or_default()
}

/// The text between the quote at this byte and the next of its kind, and the byte after that.
pub(super) fn quoted(text: &str, at: usize) -> (&str, usize) {
    let bytes = text.as_bytes();
    let (quote, mut here) = (bytes.get(at).copied().unwrap_or(b'"'), at.saturating_add(1));
    while let Some(&byte) = bytes.get(here) {
        match byte {
            b'\\' => here = here.saturating_add(2),
            b if b == quote => return (text.get(at.saturating_add(1)..here).unwrap_or_default(), here.saturating_add(1)),
            _ => here = here.saturating_add(1),
        }
    }
    (text.get(at.saturating_add(1)..).unwrap_or_default(), text.len())
}

/// A text without its escapes, as JSON, Python and JavaScript have them.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut tail = after.chars();
        let escape = tail.next();
        rest = tail.as_str();
        match escape {
            Some('n' | 'r') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('u') => rest = code(rest, 4, &mut out),
            Some('x') => rest = code(rest, 2, &mut out),
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Appends the character of this many hexadecimal digits, with the second half of a pair; gives what follows.
fn code<'t>(text: &'t str, digits: usize, out: &mut String) -> &'t str {
    let number = |text: &'t str| {
        let (digits, rest) = text.split_at_checked(digits)?;
        Some((u32::from_str_radix(digits, 16).ok()?, rest))
    };
    let Some((first, rest)) = number(text) else { return text };
    if let Some(c) = char::from_u32(first) {
        out.push(c);
        return rest;
    }
    let second = rest.strip_prefix("\\u").and_then(number);
    let pair = |low: u32| char::from_u32(((first & 0x3FF) << 10).saturating_add(0x1_0000).saturating_add(low & 0x3FF));
    match second.and_then(|(low, rest)| pair(low).map(|c| (c, rest))) {
        Some((c, rest)) if first < 0xDC00 => {
            out.push(c);
            rest
        }
        _ => {
            out.push(char::REPLACEMENT_CHARACTER);
            rest
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, envelope: bool, leaves: &[(&str, &str)]) {
        let found = literal(text, 0).expect(text);
        let got: Vec<_> = found.leaves.iter().map(|l| (l.key, unescape(l.raw))).collect();
        let got: Vec<_> = got.iter().map(|(key, value)| (*key, value.as_ref())).collect();
        assert_eq!((found.envelope, got.as_slice(), found.end), (envelope, leaves, text.len()), "{text}");
    }

    #[test]
    fn values_in_three_languages() {
        check(r#"{"error": {"message": "a \"b\"\nc", "code": 400}}"#, true, &[("message", "a \"b\"\nc")]);
        check(
            r#"{'error': {'message': "it's", 'param': None}, 'x': [True, b'y']}"#,
            true,
            &[("message", "it's"), ("param", "None"), ("", "y")],
        );
        check("{ error: { message: 'no', status: 400 } }", true, &[("message", "no")]);
        check(
            r#"{"detail": [{"loc": ["body", 0], "msg": "m", "input": {"a": "b"}}]}"#,
            true,
            &[("loc", "body"), ("loc", "0"), ("msg", "m")],
        );
        check(r#"[{"type": "number"}]"#, false, &[("", "number")]);
        check(r#"{"message": "cut of"#, true, &[("message", "cut of")]);
        check(r#"{"message": "\u00e9\ud83d\ude00\ud83d \x41\"#, true, &[("message", "é😀\u{FFFD} A\\")]);
        assert_eq!(literal("{\"a\": [1)}", 0).map(|l| l.end), Err(8));
    }

    #[test]
    fn beginnings() {
        for (text, begins_there) in
            [("{\"a\"", true), ("[{", true), ("{ error : 1", true), ("{default}", false), ("[go]", false), ("{", false)]
        {
            assert_eq!(begins(text, 0), begins_there, "{text}");
        }
    }
}
