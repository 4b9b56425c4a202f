//! How a binding tells its changes: one text, or one by operation.

use schemalect_engine::op::{Op, Step};
use schemalect_engine::plan::Wording;

use super::scope::Cx;
use crate::error::ProfileError;
use crate::near::nearest;
use crate::yaml::{At, Pairs, Raw};

/// Reads `change:`; `rewrite` are the operations that can make a change.
pub(crate) fn read(cx: &mut Cx<'_>, raw: &At<Raw>, rewrite: &[Step]) -> Wording {
    match &raw.value {
        Raw::Text(text) => {
            placeholders(cx, raw, text);
            Wording { by: Vec::new(), any: Some(text.clone()) }
        }
        Raw::Map(Pairs(pairs)) => Wording { by: pairs.iter().filter_map(|(word, text)| one(cx, word, text, rewrite)).collect(), any: None },
        other => {
            let message = format!("`change` takes a text, or texts by operation, not {}", other.noun());
            cx.error_hint(&raw.span, message, "write change: \"{what} dropped\", or change: { drop: \"{what} dropped\" }");
            Wording::default()
        }
    }
}

fn one(cx: &mut Cx<'_>, word: &At<String>, text: &At<Raw>, rewrite: &[Step]) -> Option<(&'static str, String)> {
    let made = rewrite.iter().flat_map(|step| match step {
        Step::Do(op) => std::slice::from_ref(op),
        Step::OneOf(ops) => ops,
    });
    let known: Vec<&'static str> = made.map(Op::word).chain([Wording::RECODES]).collect();
    let Some(found) = known.iter().find(|k| **k == word.value) else {
        let error = ProfileError::at(cx.file, &word.span, format!("`{}` is no operation of this rewrite", word.value));
        cx.errors.push(error.near(&word.value, known.iter().copied()));
        return None;
    };
    let Raw::Text(told) = &text.value else {
        cx.error(&text.span, format!("`{}` takes a text, not {}", word.value, text.value.noun()));
        return None;
    };
    placeholders(cx, text, told);
    Some((found, told.clone()))
}

fn placeholders(cx: &mut Cx<'_>, at: &At<Raw>, text: &str) {
    for part in text.split('{').skip(1) {
        let Some((name, _)) = part.split_once('}') else { continue };
        if name.bytes().all(|b| b.is_ascii_alphabetic()) && !name.is_empty() && !Wording::PLACEHOLDERS.contains(&name) {
            let hint = match nearest(name, Wording::PLACEHOLDERS) {
                Some(near) => format!("did you mean `{{{near}}}`?"),
                None => "known: {what} {operation} {before} {after}".to_owned(),
            };
            cx.error_hint(&at.span, format!("unknown placeholder `{{{name}}}`"), hint);
        }
    }
}
