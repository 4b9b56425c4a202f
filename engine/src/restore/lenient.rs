//! What a model's slips are read as; each reading has its switch and leaves a note.

use serde_json::Value;

use super::issue::IssueKind;
use super::shape::{Shape, Typed, type_of};
use super::step::is_of;
use super::text::{Decoded, decode, integral, number, yes_or_no};
use super::walk::{At, Walk};
use crate::attr::Types;

impl<'p> Walk<'p> {
    /// Reads a text where no text is a value.
    pub(crate) fn read_text(&mut self, admits: Types, value: &mut Value, at: &At<'_>) {
        let lenient = self.options.lenient;
        let Value::String(text) = &*value else { return };
        let plain = |read: Option<Value>, kind| read.map(|value| (value, Vec::new(), kind));
        let found = None
            .or_else(|| plain(if lenient.numeric_text { numeric(text, admits) } else { None }, IssueKind::NumericText))
            .or_else(|| {
                if lenient.json_text { json(text, admits, lenient.twice) } else { None }.map(|d| (d.value, d.losses, IssueKind::JsonText))
            })
            .or_else(|| plain(if lenient.boolean_words { boolean(text, admits) } else { None }, IssueKind::BooleanWord));
        let Some((read, losses, kind)) = found else { return };
        let what = match kind {
            IssueKind::NumericText => "text was read as the number that it writes",
            IssueKind::JsonText => "text was read as the JSON that it writes",
            _ => "a word was read as a boolean",
        };
        *value = read;
        self.note(at, kind, what);
        self.lost(at, losses);
    }

    /// Reads a literal that is written in other letter case, where exactly one fits.
    pub(crate) fn read_literal(&mut self, shape: &'p Shape, types: &'p Typed, value: &mut Value, at: &At<'_>) {
        let Value::String(text) = &*value else { return };
        if !self.options.lenient.letter_case {
            return;
        }
        let mut literals = Vec::new();
        if !self.literals(shape, types, &mut literals, 0) || literals.iter().any(|l| l == text) {
            return;
        }
        let lower = text.to_lowercase();
        let mut near = literals.iter().filter(|l| l.to_lowercase() == lower);
        if let (Some(only), None) = (near.next(), near.next()) {
            *value = Value::String((*only).to_owned());
            self.note(at, IssueKind::LetterCase, "the literal was read without regard to letter case");
        }
    }

    /// Gathers the texts that a shape takes: false where it takes others too.
    fn literals(&mut self, shape: &'p Shape, types: &'p Typed, out: &mut Vec<&'p str>, depth: usize) -> bool {
        if depth > 32 || !self.fuel.spend(1) {
            return false;
        }
        if let Some(values) = &shape.values {
            let new = values.iter().filter_map(Value::as_str);
            let new: Vec<&str> = new.filter(|t| !out.contains(t)).collect();
            out.extend(new);
            return true;
        }
        if !shape.types.is_empty() && !shape.types.meets(Types::STRING) {
            return true;
        }
        if let Some((_, target)) = shape.target.and_then(|t| types.defs.get(t)) {
            return self.literals(target, types, out, depth.saturating_add(1));
        }
        if let [only] = &shape.all[..] {
            return self.literals(only, types, out, depth.saturating_add(1));
        }
        !shape.any.is_empty() && shape.any.iter().all(|s| self.literals(s, types, out, depth.saturating_add(1)))
    }
}

fn numeric(text: &str, admits: Types) -> Option<Value> {
    if !admits.meets(Types(Types::NUMBER.0 | Types::INTEGER.0)) {
        return None;
    }
    let number = number(text)?;
    match integral(&number) {
        Some(whole) if !admits.meets(Types::NUMBER) => Some(Value::Number(whole)),
        _ => admits.meets(Types::NUMBER).then_some(Value::Number(number)),
    }
}

fn json(text: &str, admits: Types, twice: bool) -> Option<Decoded> {
    let decoded = decode(text).ok()?;
    let wanted = Types(Types::ARRAY.0 | Types::OBJECT.0 | Types::BOOLEAN.0);
    match &decoded.value {
        // JSON in a JSON string in a JSON string.
        Value::String(inner) => {
            let inner = Some(inner).filter(|_| twice)?;
            decode(inner).ok().filter(|d| d.value.is_array() || d.value.is_object()).filter(|d| is_of(admits, &d.value))
        }
        value => (wanted.meets(type_of(value)) && is_of(admits, value)).then_some(decoded),
    }
}

fn boolean(text: &str, admits: Types) -> Option<Value> {
    admits.meets(Types::BOOLEAN).then(|| yes_or_no(text).map(Value::Bool)).flatten()
}
