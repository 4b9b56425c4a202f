//! What values look like: the guard of a branch, and the slim form of a tool's own schema.

use serde_json::Value;

use crate::attr::Types;

/// Nested so deeply a value or a schema is looked at.
pub(crate) const MOST_DEPTH: usize = 512;

/// What values look like. What is left open fits everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    /// None: any.
    pub(crate) types: Types,
    pub(crate) values: Option<Vec<Value>>,
    /// Sorted.
    pub(crate) required: Vec<String>,
    /// Sorted by name.
    pub(crate) properties: Vec<(String, Shape)>,
    /// Other properties are refused.
    pub(crate) closed: bool,
    /// Other properties look like this.
    pub(crate) rest: Option<Box<Shape>>,
    pub(crate) prefix: Vec<Shape>,
    pub(crate) items: Option<Box<Shape>>,
    pub(crate) any: Vec<Shape>,
    pub(crate) all: Vec<Shape>,
    pub(crate) target: Option<usize>,
}

/// The slim form of a tool's own schema.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Typed {
    pub(crate) root: Shape,
    /// What `Shape::target` leads to, by a name for people.
    pub(crate) defs: Vec<(String, Shape)>,
}

/// How much work is left; every look at a node of the plan costs one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fuel {
    left: u64,
}

impl Fuel {
    pub(crate) fn new(values: u64) -> Fuel {
        Fuel { left: values.saturating_mul(64).saturating_add(10_000) }
    }

    pub(crate) fn spend(&mut self, work: u64) -> bool {
        let fits = self.left >= work;
        self.left = self.left.saturating_sub(work);
        fits
    }

    pub(crate) fn is_spent(self) -> bool {
        self.left == 0
    }
}

/// How much there is to a value, as far down as it is looked at: text may hold as many values as it has characters.
pub(crate) fn count(value: &Value, depth: usize) -> u64 {
    let deeper = depth.saturating_add(1);
    match value {
        Value::String(text) => (text.len() as u64).saturating_add(1),
        _ if depth > MOST_DEPTH => 1,
        Value::Array(list) => list.iter().fold(1, |sum: u64, v| sum.saturating_add(count(v, deeper))),
        Value::Object(map) => map.values().fold(1, |sum: u64, v| sum.saturating_add(count(v, deeper))),
        _ => 1,
    }
}

/// The type of a value; an integral number is an integer.
pub(crate) fn type_of(value: &Value) -> Types {
    match value {
        Value::Null => Types::NULL,
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(n) if n.is_f64() && n.as_f64().is_none_or(|f| f.fract() != 0.0) => Types::NUMBER,
        Value::Number(_) => Types::INTEGER,
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    }
}

/// Whether two values are one by JSON Schema's measure: 1 and 1.0 are.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || (x.is_f64() != y.is_f64() && x.as_f64() == y.as_f64()),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same(a, b)),
        (Value::Object(x), Value::Object(y)) => x.len() == y.len() && x.iter().all(|(k, a)| y.get(k).is_some_and(|b| same(a, b))),
        _ => a == b,
    }
}

/// The entry of a list that is sorted by name.
pub(crate) fn named<'l, T>(list: &'l [(String, T)], name: &str) -> Option<&'l T> {
    let at = list.binary_search_by(|(n, _)| n.as_str().cmp(name)).ok()?;
    list.get(at).map(|(_, found)| found)
}

/// Whether a sorted list has the name.
pub(crate) fn lists(list: &[String], name: &str) -> bool {
    list.binary_search_by(|n| n.as_str().cmp(name)).is_ok()
}

/// What shapes refer to.
pub(crate) type Defs<'d> = &'d [(String, Shape)];

impl Shape {
    pub(crate) fn of_types(types: Types) -> Shape {
        Shape { types, ..Shape::default() }
    }

    pub(crate) fn is_any(&self) -> bool {
        *self == Shape::default()
    }

    /// Whether a value looks like this.
    pub(crate) fn fits(&self, value: &Value, defs: Defs<'_>, fuel: &mut Fuel, depth: usize) -> bool {
        self.fits_within(value, defs, fuel, (depth, &mut Vec::new()))
    }

    /// Inside of the definitions that lead here for the same value; one that leads to itself fits nothing.
    fn fits_within(&self, value: &Value, defs: Defs<'_>, fuel: &mut Fuel, (depth, inside): (usize, &mut Vec<usize>)) -> bool {
        if depth > MOST_DEPTH || !fuel.spend(1) || self.target.is_some_and(|t| inside.contains(&t)) {
            return false;
        }
        if !self.types.is_empty() && !self.types.admits(type_of(value)) {
            return false;
        }
        if self.values.as_ref().is_some_and(|list| !list.iter().any(|v| fuel.spend(1) && same(v, value))) {
            return false;
        }
        match value {
            Value::Object(map) if !self.fits_object(map, defs, fuel, depth) => return false,
            Value::Array(list) => {
                for (i, value) in list.iter().enumerate() {
                    let shape = self.prefix.get(i).or(self.items.as_deref());
                    if shape.is_some_and(|s| !s.fits(value, defs, fuel, depth.saturating_add(1))) {
                        return false;
                    }
                }
            }
            _ => {}
        }
        if !self.any.is_empty() && !self.any.iter().any(|s| s.fits_within(value, defs, fuel, (depth, inside))) {
            return false;
        }
        if !self.all.iter().all(|s| s.fits_within(value, defs, fuel, (depth, inside))) {
            return false;
        }
        let Some((target, (_, shape))) = self.target.and_then(|t| Some((t, defs.get(t)?))) else { return true };
        inside.push(target);
        let fits = shape.fits_within(value, defs, fuel, (depth, inside));
        inside.pop();
        fits
    }

    fn fits_object(&self, map: &serde_json::Map<String, Value>, defs: Defs<'_>, fuel: &mut Fuel, depth: usize) -> bool {
        if !self.required.iter().all(|name| fuel.spend(1) && map.contains_key(name)) {
            return false;
        }
        if self.properties.is_empty() && self.rest.is_none() && !self.closed {
            return true;
        }
        map.iter().all(|(name, value)| match (named(&self.properties, name), &self.rest) {
            (Some(shape), _) => shape.fits(value, defs, fuel, depth.saturating_add(1)),
            (None, Some(rest)) => rest.fits(value, defs, fuel, depth.saturating_add(1)),
            (None, None) => !self.closed,
        })
    }

    /// The types of the values that look like this; one that takes numbers takes integers too.
    pub(crate) fn admits(&self, defs: Defs<'_>, fuel: &mut Fuel) -> Types {
        self.admits_within(defs, fuel, &mut Vec::new())
    }

    /// Inside of the definitions that lead here; one that leads to itself says nothing.
    fn admits_within(&self, defs: Defs<'_>, fuel: &mut Fuel, inside: &mut Vec<usize>) -> Types {
        if inside.len() > 32 || !fuel.spend(1) || self.target.is_some_and(|t| inside.contains(&t)) {
            return Types(0x7f);
        }
        let mut out = if self.types.is_empty() { 0x7f } else { self.types.0 };
        if let Some(values) = &self.values {
            out &= values.iter().fold(0, |all, v| all | type_of(v).0);
        }
        if out & Types::NUMBER.0 != 0 {
            out |= Types::INTEGER.0;
        }
        if !self.any.is_empty() {
            out &= self.any.iter().fold(0, |all, s| all | s.admits_within(defs, fuel, inside).0);
        }
        for shape in &self.all {
            out &= shape.admits_within(defs, fuel, inside).0;
        }
        if let Some((target, (_, shape))) = self.target.and_then(|t| Some((t, defs.get(t)?))) {
            inside.push(target);
            out &= shape.admits_within(defs, fuel, inside).0;
            inside.pop();
        }
        Types(out)
    }

    /// How much of a value that fits the shape names: members and literals.
    pub(crate) fn evidence(&self, value: &Value) -> u32 {
        let own = u32::from(self.values.is_some()).saturating_mul(4);
        let below: u32 = match value {
            Value::Object(map) => {
                let required = self.required.iter().filter(|name| map.contains_key(*name)).count() as u32;
                let inside = self.properties.iter().filter_map(|(name, shape)| map.get(name).map(|v| shape.evidence(v).saturating_add(1)));
                inside.fold(required, u32::saturating_add)
            }
            Value::Array(list) => list.first().zip(self.prefix.first().or(self.items.as_deref())).map_or(0, |(v, s)| s.evidence(v)),
            _ => 0,
        };
        let union = self.any.iter().map(|s| s.evidence(value)).max().unwrap_or(0);
        self.all.iter().map(|s| s.evidence(value)).chain([below, union]).fold(own, u32::saturating_add)
    }

    /// Takes null out, where it is a type, a literal or a branch.
    pub(crate) fn without_null(&mut self) {
        if self.types.meets(Types::NULL) && self.types != Types::NULL {
            self.types = self.types.without(Types::NULL);
        }
        if let Some(values) = &mut self.values
            && values.len() > 1
        {
            values.retain(|v| !v.is_null());
        }
        let null = Shape::of_types(Types::NULL);
        if self.any.len() > 1 {
            self.any.retain(|s| *s != null);
        }
    }

    /// Puts null in: besides what it says already.
    pub(crate) fn with_null(&mut self) {
        let inner = std::mem::take(self);
        self.any = vec![inner, Shape::of_types(Types::NULL)];
    }

    /// The shape of a property.
    pub(crate) fn property(&self, name: &str) -> Option<&Shape> {
        named(&self.properties, name)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_that_are_integers() {
        assert_eq!(type_of(&json!(5.0)), Types::INTEGER);
        assert_eq!(type_of(&json!(5.5)), Types::NUMBER);
        assert!(same(&json!([1, {"a": 2.0}]), &json!([1.0, {"a": 2}])));
        assert!(!same(&json!(1), &json!("1")));
    }

    #[test]
    fn a_budget_ends_work() {
        let loops = vec![("a".to_owned(), Shape { all: vec![], target: Some(0), ..Shape::default() })];
        let shape = Shape { any: vec![Shape { target: Some(0), ..Shape::default() }], ..Shape::default() };
        assert!(!shape.fits(&json!(1), &loops, &mut Fuel::new(1), 0));
        assert_eq!(shape.admits(&loops, &mut Fuel::new(1)), Types(0x7f));
    }
}
