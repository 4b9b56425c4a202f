//! What the tool's own schema says of restored values: nulls, integers, and what a model's slips are read as.

use serde_json::Value;

use super::issue::IssueKind;
use super::shape::{Shape, Typed, count, lists, named, type_of};
use super::step::{is_of, takes_no_text};
use super::text::integral;
use super::walk::{At, Walk};
use crate::attr::Types;

/// Through so many references and branches one value is followed.
const MOST_HOPS: usize = 64;

impl<'p> Walk<'p> {
    /// Fits restored arguments to the tool's own schema.
    pub(crate) fn fit(&mut self, types: &'p Typed, arguments: &mut Value) {
        self.fit_value(&types.root, types, arguments, &At::ROOT, 0);
    }

    fn fit_value(&mut self, shape: &'p Shape, types: &'p Typed, value: &mut Value, at: &At<'_>, depth: usize) {
        if !self.may(at, depth) {
            return;
        }
        if !matches!(value, Value::Object(_) | Value::Array(_) | Value::Null) {
            let admits = shape.admits(&types.defs, &mut self.fuel);
            self.fit_scalar(shape, types, admits, value, at);
        }
        self.fit_inside(shape, types, value, at, (depth, 0));
    }

    /// One part of what a schema says, after the value itself was read.
    fn fit_inside(&mut self, shape: &'p Shape, types: &'p Typed, value: &mut Value, at: &At<'_>, (depth, hops): (usize, usize)) {
        // A definition that leads to itself says nothing new.
        if hops > MOST_HOPS || !matches!(value, Value::Object(_) | Value::Array(_)) || !self.may(at, depth) {
            return;
        }
        match value {
            Value::Object(map) if !shape.properties.is_empty() || shape.rest.is_some() => {
                let mut dropped = false;
                for (name, inner) in map.iter_mut() {
                    let known = named(&shape.properties, name);
                    let Some(below) = known.or(shape.rest.as_deref()) else { continue };
                    if inner.is_null() && known.is_some() {
                        dropped |= self.is_unwanted_null(shape, below, types, name, at);
                    }
                    self.fit_value(below, types, inner, &at.key(name), depth.saturating_add(1));
                }
                if dropped {
                    self.leave_out_nulls(shape, types, map, at);
                }
            }
            Value::Array(list) => {
                for (i, inner) in list.iter_mut().enumerate() {
                    match shape.prefix.get(i).or(shape.items.as_deref()) {
                        Some(below) => self.fit_value(below, types, inner, &at.index(i), depth.saturating_add(1)),
                        None => break,
                    }
                }
            }
            _ => {}
        }
        for part in &shape.all {
            self.fit_inside(part, types, value, at, (depth, hops.saturating_add(1)));
        }
        if let Some((_, part)) = shape.target.and_then(|t| types.defs.get(t)) {
            self.fit_inside(part, types, value, at, (depth, hops.saturating_add(1)));
        }
        if let Some(branch) = self.branch(shape, types, value) {
            self.fit_inside(branch, types, value, at, (depth, hops.saturating_add(1)));
        }
    }

    /// Whether null stands for an optional property that takes none; for a required one it is reported.
    fn is_unwanted_null(&mut self, holder: &Shape, shape: &Shape, types: &Typed, name: &str, at: &At<'_>) -> bool {
        if shape.admits(&types.defs, &mut self.fuel).meets(Types::NULL) || self.fuel.is_spent() {
            return false;
        }
        let required = lists(&holder.required, name);
        if required {
            self.error(&at.key(name), IssueKind::NullRequired, "null for a required property that does not take null");
        }
        !required
    }

    fn leave_out_nulls(&mut self, shape: &Shape, types: &Typed, map: &mut serde_json::Map<String, Value>, at: &At<'_>) {
        let mut gone: Vec<String> = Vec::new();
        map.retain(|name, value| {
            let unwanted = value.is_null()
                && !lists(&shape.required, name)
                && shape.property(name).is_some_and(|s| !s.admits(&types.defs, &mut self.fuel).meets(Types::NULL));
            if unwanted {
                gone.push(name.clone());
            }
            !unwanted
        });
        for name in gone {
            self.note(&at.key(&name), IssueKind::NullDropped, "null for an optional property that does not take null was left out");
        }
    }

    fn fit_scalar(&mut self, shape: &'p Shape, types: &'p Typed, admits: Types, value: &mut Value, at: &At<'_>) {
        match value {
            Value::Number(number) if number.is_f64() && admits.meets(Types::INTEGER) && !admits.meets(Types::NUMBER) => {
                if let Some(whole) = integral(number) {
                    if self.options.integral || self.options.lenient.integral {
                        *value = Value::Number(whole);
                        if self.options.lenient.integral {
                            self.note(at, IssueKind::Integral, "the number was written as an integer");
                        }
                    }
                } else if type_of(value) == Types::NUMBER {
                    self.error(at, IssueKind::NotIntegral, "an integer was expected");
                }
            }
            Value::String(_) => {
                if takes_no_text(admits) {
                    self.read_text(admits, value, at);
                }
                if value.is_string() {
                    self.read_literal(shape, types, value, at);
                }
            }
            _ => {}
        }
    }

    /// The branch of a union that a value belongs to: the first that fits, else the only one of its type.
    fn branch(&mut self, shape: &'p Shape, types: &'p Typed, value: &Value) -> Option<&'p Shape> {
        if shape.any.is_empty() {
            return None;
        }
        if let [only] = &shape.any[..] {
            return Some(only);
        }
        let of_type: Vec<&'p Shape> = shape.any.iter().filter(|s| is_of(s.admits(&types.defs, &mut self.fuel), value)).collect();
        if let [only] = of_type[..] {
            return Some(only);
        }
        let work = count(value, 0);
        if !self.fuel.spend(work) {
            return None;
        }
        of_type.iter().find(|s| s.fits(value, &types.defs, &mut self.fuel, 0)).copied().or_else(|| {
            let mut near = of_type.iter().filter(|s| s.is_near(value, &types.defs));
            near.next().filter(|_| near.next().is_none()).copied()
        })
    }
}

impl Shape {
    /// Whether an object has the required members of a shape, and its literals.
    fn is_near(&self, value: &Value, defs: &[(String, Shape)]) -> bool {
        let shape = self.target.and_then(|t| defs.get(t)).map_or(self, |(_, s)| s);
        let Value::Object(map) = value else { return true };
        let literal = |name: &String, s: &Shape| match (map.get(name), &s.values) {
            (Some(v), Some(values)) => values.contains(v),
            _ => true,
        };
        shape.required.iter().all(|name| map.contains_key(name)) && shape.properties.iter().all(|(name, s)| literal(name, s))
    }
}
