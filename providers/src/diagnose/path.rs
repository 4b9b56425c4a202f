//! The spellings in which providers write the path of a place, each read as steps.

use schemalect_engine::path::token_name;
use schemalect_rules::PathForm;

use super::literal::{quoted, unescape};

/// A path has at most so many steps; what follows is not read.
const MOST_STEPS: usize = 256;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A name, or a number that may be one.
    Name(String),
    /// What stood in brackets.
    Bracket(String),
    /// Steps that were left out.
    Gap,
}

impl Step {
    /// What is written.
    pub(super) fn text(&self) -> &str {
        match self {
            Step::Name(text) | Step::Bracket(text) => text,
            Step::Gap => "",
        }
    }

    fn of(text: &str) -> Step {
        if is_mask(text) { Step::Gap } else { Step::Name(text.to_owned()) }
    }
}

/// Reads a path; `None` where it is not of this spelling.
pub(super) fn steps(form: PathForm, text: &str) -> Option<Vec<Step>> {
    match form {
        PathForm::Pointer => (text.is_empty() || text.starts_with(['/', '#'])).then(|| pointer(text)),
        PathForm::PythonTuple => Some(tuple(text)).filter(|steps| text.is_empty() || !steps.is_empty()),
        PathForm::Member => Some(members(dotted(text))),
        PathForm::JsonPath | PathForm::Dotted | PathForm::Pydantic | PathForm::Proto | PathForm::Names => Some(dotted(text)),
    }
}

fn is_mask(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, '*' | '.' | '…'))
}

fn pointer(text: &str) -> Vec<Step> {
    let text = text.trim_end_matches([':', ',', '.']);
    let tokens = text.trim_start_matches('#').split('/').skip(1);
    tokens.take(MOST_STEPS).map(|token| Step::of(&token_name(token))).collect()
}

/// The quoted words of a tuple, and the numbers.
fn tuple(text: &str) -> Vec<Step> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| !c.is_whitespace() && !matches!(c, ',' | '(' | ')')) {
        rest = rest.get(at..).unwrap_or_default();
        let end = if rest.starts_with(['\'', '"']) {
            let (raw, end) = quoted(rest, 0);
            out.push(Step::Name(unescape(raw).into_owned()));
            end
        } else {
            let end = rest.find([',', ')']).unwrap_or(rest.len());
            let word = rest.get(..end).unwrap_or_default().trim();
            if is_mask(word) || word.bytes().all(|b| b.is_ascii_digit()) {
                out.push(Step::of(word));
            }
            end
        };
        rest = rest.get(end..).unwrap_or_default();
        if out.len() >= MOST_STEPS {
            break;
        }
    }
    out
}

/// Names between dots, with brackets.
fn dotted(text: &str) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::new();
    let mut rest = text.trim_start_matches('$');
    while let Some(first) = rest.chars().next() {
        if out.len() >= MOST_STEPS {
            break;
        }
        match first {
            '.' | '…' => {
                let after = rest.trim_start_matches(['.', '…']);
                if rest.len().saturating_sub(after.len()) > 1 && out.last() != Some(&Step::Gap) {
                    out.push(Step::Gap);
                }
                rest = after;
            }
            '[' => {
                let (inner, end) = bracket(rest);
                out.push(if is_mask(inner) || inner.is_empty() { Step::Gap } else { Step::Bracket(inner.to_owned()) });
                rest = rest.get(end..).unwrap_or_default();
            }
            _ => {
                let end = rest.find(['.', '[', '…']).unwrap_or(rest.len());
                let name = rest.get(..end).unwrap_or_default().trim_end_matches([':', ',', '\'', '"', ')', '`']);
                if !name.is_empty() {
                    out.push(Step::of(name));
                }
                rest = rest.get(end..).unwrap_or_default();
            }
        }
    }
    out
}

/// What stands in the brackets at the beginning, without quotes, and the byte after them.
fn bracket(text: &str) -> (&str, usize) {
    let inner = text.get(1..).unwrap_or_default();
    let quote = inner.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let quoted =
        quote.and_then(|q| inner.strip_prefix(q)?.split_once(&format!("{q}]"))).map(|(name, _)| (name, name.len().saturating_add(4)));
    quoted.unwrap_or_else(|| match inner.split_once(']') {
        Some((name, _)) => (name, name.len().saturating_add(2)),
        None => (inner, text.len()),
    })
}

/// A number before `member` counts from 1; the word itself is no step.
fn members(steps: Vec<Step>) -> Vec<Step> {
    let mut out: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        match (&step, out.last().and_then(|s| s.text().parse::<usize>().ok())) {
            (Step::Name(name), Some(ordinal)) if name == "member" => {
                out.pop();
                out.push(Step::Bracket(ordinal.saturating_sub(1).to_string()));
            }
            _ => out.push(step),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brackets show as they are, gaps as a blank.
    fn check(form: PathForm, text: &str, wanted: &[&str]) {
        let got: Vec<String> = steps(form, text)
            .unwrap_or_default()
            .into_iter()
            .map(|step| match step {
                Step::Name(name) => name,
                Step::Bracket(inner) => format!("[{inner}]"),
                Step::Gap => " ".to_owned(),
            })
            .collect();
        assert_eq!(got, wanted, "{text}");
    }

    #[test]
    fn spellings() {
        use PathForm::{Dotted, JsonPath, Member, Pointer, Proto, PythonTuple};
        check(Pointer, "#/a/b~1c/0:", &["a", "b/c", "0"]);
        check(Pointer, "/", &[""]);
        check(Pointer, "", &[]);
        check(PythonTuple, "'properties', 'x', 'anyOf', '0'", &["properties", "x", "anyOf", "0"]);
        check(PythonTuple, "('properties','it\\'s'", &["properties", "it's"]);
        check(PythonTuple, "..., 'a', 'not'", &[" ", "a", "not"]);
        check(PythonTuple, "", &[]);
        assert_eq!((steps(PythonTuple, "a.b"), steps(Pointer, "a/b")), (None, None));
        check(JsonPath, "$.properties.a['b.c'].anyOf[0].pattern.", &["properties", "a", "[b.c]", "anyOf", "[0]", "pattern"]);
        check(JsonPath, "$.properties....items.items", &["properties", " ", "items", "items"]);
        check(Proto, "parameters.properties[3].value.any_of[0]", &["parameters", "properties", "[3]", "value", "any_of", "[0]"]);
        check(Proto, "*.properties[a.b].items", &[" ", "properties", "[a.b]", "items"]);
        check(Proto, "***.properties[\"x\"].enum[0]", &[" ", "properties", "[x]", "enum", "[0]"]);
        check(Proto, "properties[...].value", &["properties", " ", "value"]);
        check(Proto, "...enum[0]", &[" ", "enum", "[0]"]);
        check(Proto, "properties[r]...any_of[0].items:", &["properties", "[r]", " ", "any_of", "[0]", "items"]);
        check(Member, "required.2.member.x.3", &["required", "[1]", "x", "3"]);
        check(Dotted, "toolSpec[0].[é", &["toolSpec", "[0]", "[é]"]);
    }
}
