//! Counts over a schema: how deep, how many, how long.
//!
//! Only places where schemas stand are walked. Definitions are walked where they are written, once, and start
//! at no level of their own; references are not followed.

use hashbrown::HashMap;

use crate::keyword::{DEFINITIONS, Holds, Kw, KwSet, SUBSCHEMAS, UNIONS};
use crate::plan::Measure;
use crate::site::{Required, is_container};
use crate::tree::{Id, Kind, Tree};

/// What can be counted of one schema and all below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The deepest [`level`].
    pub depth: u64,
    /// Schemas, itself among them.
    pub schemas: u64,
    /// Declared properties.
    pub properties: u64,
    /// The schema's own declared properties.
    pub property_count: u64,
    /// The schema's own required names.
    pub required_count: u64,
    /// Members of enums.
    pub enum_values: u64,
    /// Characters of property names, definition names and strings in `enum` and `const`.
    pub literal_chars: u64,
    /// The most branches of one `anyOf` or `oneOf`.
    pub branches: u64,
    /// The length as compact JSON.
    pub bytes: u64,
    /// Properties that their object does not require.
    pub optional: u64,
    /// Properties with `anyOf`, `oneOf` or a type list; not those in definitions.
    pub unions: u64,
    /// The sum of `maxItems`.
    pub max_items_sum: u64,
}

impl Counts {
    /// Counts a schema.
    #[must_use]
    pub fn of(tree: &Tree, root: Id) -> Counts {
        Counts { bytes: bytes(tree, root), ..Counts::but_bytes(tree, root) }
    }

    /// Counts a schema, but for its length.
    pub(crate) fn but_bytes(tree: &Tree, root: Id) -> Counts {
        let mut counts = Counts::alone(tree, root);
        let mut stack = vec![(root, Place::default(), false)];
        while let Some((schema, place, defined)) = stack.pop() {
            if tree.kind(schema) != Kind::Object {
                continue;
            }
            let place = place.entered(tree, schema);
            counts.depth = counts.depth.max(place.level());
            if schema != root {
                counts.take_in(&Counts::alone(tree, schema), defined);
            }
            below(tree, schema, |member, kw| stack.push((member, place.below(kw), defined || DEFINITIONS.has(kw))));
        }
        counts
    }

    /// Counts what a schema says itself; not its length, and not how deep it is.
    fn alone(tree: &Tree, schema: Id) -> Counts {
        let mut counts = Counts {
            property_count: own(tree, schema, Kw::Properties, Kind::Object),
            required_count: own(tree, schema, Kw::Required, Kind::Array),
            schemas: u64::from(tree.kind(schema) == Kind::Object),
            ..Counts::default()
        };
        if !tree.keys(schema).meets(COUNTED) {
            return counts;
        }
        for value in tree.children(schema) {
            if let Some(kw) = tree.kw(value).filter(|kw| COUNTED.has(*kw)) {
                counts.add_keyword(tree, schema, kw, value);
            }
        }
        counts
    }

    /// Adds what is counted of a schema below, which may stand in a definition.
    fn take_in(&mut self, part: &Counts, defined: bool) {
        let unions = if defined { 0 } else { part.unions };
        self.join(&Counts { depth: 0, property_count: 0, required_count: 0, bytes: 0, unions, ..*part });
    }

    /// The count of this name; 0 for those that are no count of one schema (`level`, `tools`).
    #[must_use]
    pub fn get(&self, of: Measure) -> u64 {
        match of {
            Measure::Level | Measure::Tools => 0,
            Measure::Depth => self.depth,
            Measure::Schemas => self.schemas,
            Measure::Properties => self.properties,
            Measure::PropertyCount => self.property_count,
            Measure::RequiredCount => self.required_count,
            Measure::EnumValues => self.enum_values,
            Measure::LiteralChars => self.literal_chars,
            Measure::Branches => self.branches,
            Measure::Bytes => self.bytes,
            Measure::Optional => self.optional,
            Measure::Unions => self.unions,
            Measure::MaxItemsSum => self.max_items_sum,
        }
    }

    /// Takes in the counts of a schema that stands beside: the greater depth and number of branches, the sum of all else.
    pub fn join(&mut self, other: &Counts) {
        self.depth = self.depth.max(other.depth);
        self.branches = self.branches.max(other.branches);
        for (sum, more) in [
            (&mut self.schemas, other.schemas),
            (&mut self.properties, other.properties),
            (&mut self.property_count, other.property_count),
            (&mut self.required_count, other.required_count),
            (&mut self.enum_values, other.enum_values),
            (&mut self.literal_chars, other.literal_chars),
            (&mut self.bytes, other.bytes),
            (&mut self.optional, other.optional),
            (&mut self.unions, other.unions),
            (&mut self.max_items_sum, other.max_items_sum),
        ] {
            add(sum, more);
        }
    }

    fn add_keyword(&mut self, tree: &Tree, schema: Id, kw: Kw, value: Id) {
        let count = || tree.count(value) as u64;
        match (kw, tree.kind(value)) {
            (Kw::Properties, Kind::Object) => {
                add(&mut self.unions, tree.children(value).filter(|&p| is_union(tree, p)).count() as u64);
                add(&mut self.properties, count());
                add(&mut self.optional, optional(tree, schema, value));
                add(&mut self.literal_chars, key_chars(tree, value));
            }
            (Kw::Defs | Kw::Definitions, Kind::Object) => add(&mut self.literal_chars, key_chars(tree, value)),
            (Kw::Enum, Kind::Array) => {
                add(&mut self.enum_values, count());
                add(&mut self.literal_chars, tree.children(value).map(|v| chars(tree, v)).fold(0, u64::saturating_add));
            }
            (Kw::Const, Kind::Str) => add(&mut self.literal_chars, chars(tree, value)),
            (Kw::AnyOf | Kw::OneOf, Kind::Array) => self.branches = self.branches.max(count()),
            // The cast saturates.
            (Kw::MaxItems, Kind::Num) => add(&mut self.max_items_sum, tree.num(value).unwrap_or(0.0) as u64),
            _ => {}
        }
    }
}

/// Keywords that count, or below which there is something to count.
const COUNTED: KwSet = SUBSCHEMAS.with(KwSet::of(&[Kw::Enum, Kw::Const, Kw::MaxItems]));

/// The counts of every schema of a document, each made of those below it.
pub(crate) struct Parts(HashMap<Id, Counts, foldhash::fast::FixedState>);

impl Parts {
    /// Counts the schema at the root and all below it.
    pub(crate) fn of(tree: &Tree, root: Id) -> Parts {
        let mut order = vec![(root, None, false)];
        let mut next = 0;
        while let Some(&(schema, ..)) = order.get(next) {
            below(tree, schema, |member, kw| order.push((member, Some(schema), DEFINITIONS.has(kw))));
            next = next.saturating_add(1);
        }
        let mut parts = HashMap::default();
        for (schema, holder, defined) in order.into_iter().rev() {
            let below: Counts = parts.remove(&schema).unwrap_or_default();
            let mut counts = Counts::alone(tree, schema);
            counts.take_in(&below, false);
            parts.insert(schema, counts);
            if let Some(holder) = holder {
                parts.entry(holder).or_default().take_in(&counts, defined);
            }
        }
        Parts(parts)
    }

    /// Like [`count`], of a schema that was counted.
    pub(crate) fn get(&self, tree: &Tree, root: Id, id: Id, of: Measure) -> u64 {
        match self.0.get(&id) {
            Some(counts) if !matches!(of, Measure::Level | Measure::Depth | Measure::Bytes) => counts.get(of),
            _ => count(tree, root, id, of),
        }
    }
}

/// One count of a node and what is below it, `level` included, counting no more than it takes.
#[must_use]
pub fn count(tree: &Tree, root: Id, id: Id, of: Measure) -> u64 {
    match of {
        Measure::Level => level(tree, root, id),
        Measure::PropertyCount => own(tree, id, Kw::Properties, Kind::Object),
        Measure::RequiredCount => own(tree, id, Kw::Required, Kind::Array),
        Measure::Bytes => bytes(tree, id),
        _ => Counts::but_bytes(tree, id).get(of),
    }
}

/// The objects and arrays around and including a schema below `root`: 1 for a root that is one.
///
/// Schemas that speak of the same value (branches, `not`, `if`) are together one level at most.
#[must_use]
pub fn level(tree: &Tree, root: Id, id: Id) -> u64 {
    let mut path = Vec::new();
    let mut at = id;
    while at != root {
        path.push(at);
        match tree.parent(at) {
            Some(parent) => at = parent,
            None => break,
        }
    }
    let mut place = Place::default().entered(tree, at);
    let mut holder = None;
    for &step in path.iter().rev() {
        let below = match (holder.take(), tree.kw(step)) {
            (Some(kw), _) => kw,
            (None, Some(kw)) => match opens(tree, kw, step) {
                Opens::Schema => kw,
                Opens::Members => {
                    holder = Some(kw);
                    continue;
                }
                Opens::Nothing => break,
            },
            (None, None) => break,
        };
        place = place.below(below).entered(tree, step);
    }
    place.level()
}

/// Keywords whose schemas speak of the same value as the schema they stand in.
const IN_PLACE: KwSet =
    KwSet::of(&[Kw::AllOf, Kw::AnyOf, Kw::OneOf, Kw::Not, Kw::If, Kw::Then, Kw::Else, Kw::DependentSchemas, Kw::Dependencies]);

/// Where a schema stands among objects and arrays.
#[derive(Clone, Copy, Default)]
struct Place {
    around: u64,
    /// Whether a schema of the same value is an object or array.
    contains: bool,
}

impl Place {
    fn entered(self, tree: &Tree, id: Id) -> Place {
        Place { contains: self.contains || is_container(tree, id), ..self }
    }

    fn below(self, kw: Kw) -> Place {
        if IN_PLACE.has(kw) {
            self
        } else if DEFINITIONS.has(kw) {
            Place::default()
        } else {
            Place { around: self.level(), contains: false }
        }
    }

    fn level(self) -> u64 {
        self.around.saturating_add(u64::from(self.contains))
    }
}

/// What stands under a keyword.
enum Opens {
    Schema,
    Members,
    Nothing,
}

/// The schemas that a schema holds, each with the keyword that it stands under.
fn below(tree: &Tree, schema: Id, mut f: impl FnMut(Id, Kw)) {
    for value in tree.children(schema) {
        let Some(kw) = tree.kw(value) else { continue };
        match opens(tree, kw, value) {
            Opens::Schema => f(value, kw),
            Opens::Members => tree.children(value).filter(|&member| tree.kind(member) == Kind::Object).for_each(|member| f(member, kw)),
            Opens::Nothing => {}
        }
    }
}

fn opens(tree: &Tree, kw: Kw, value: Id) -> Opens {
    if !SUBSCHEMAS.has(kw) {
        return Opens::Nothing;
    }
    match (kw.holds(), tree.kind(value)) {
        (Holds::Schema | Holds::SchemaOrBool | Holds::SchemaOrList, Kind::Object) => Opens::Schema,
        (Holds::SchemaOrList | Holds::SchemaList, Kind::Array) => Opens::Members,
        (Holds::SchemaMap | Holds::SchemaOrNamesMap, Kind::Object) => Opens::Members,
        _ => Opens::Nothing,
    }
}

pub(crate) fn is_union(tree: &Tree, id: Id) -> bool {
    tree.keys(id).meets(UNIONS) || tree.get(id, Kw::Type).is_some_and(|t| tree.kind(t) == Kind::Array)
}

fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

fn optional(tree: &Tree, schema: Id, properties: Id) -> u64 {
    let mut required = Required::of(tree, schema);
    tree.children(properties).filter(|&property| !required.has_next(property)).count() as u64
}

fn own(tree: &Tree, id: Id, kw: Kw, kind: Kind) -> u64 {
    tree.get(id, kw).filter(|&value| tree.kind(value) == kind).map_or(0, |value| tree.count(value) as u64)
}

fn chars(tree: &Tree, id: Id) -> u64 {
    tree.str(id).map_or(0, |text| characters(&text))
}

fn key_chars(tree: &Tree, id: Id) -> u64 {
    tree.children(id).map(|member| characters(&tree.key(member))).fold(0, u64::saturating_add)
}

fn characters(text: &str) -> u64 {
    if text.is_ascii() { text.len() as u64 } else { text.chars().count() as u64 }
}

fn bytes(tree: &Tree, top: Id) -> u64 {
    let length = |id: Id| match tree.kind(id) {
        Kind::Array => tree.count(id).saturating_add(1).max(2),
        // Beside its name, a member has two quotes, a colon and mostly a comma.
        Kind::Object => {
            tree.children(id).map(|m| tree.raw_key(m).len().saturating_add(4)).fold(0, usize::saturating_add).saturating_add(1).max(2)
        }
        _ => tree.raw(id).len(),
    };
    tree.descendants(top).map(|id| length(id) as u64).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    fn parse(text: &str) -> Tree {
        Tree::parse(text, &Budget::default()).expect(text)
    }

    /// Counts by their words; those not given are 0, except the lengths, which are compared with the printed text.
    fn check(text: &str, wanted: &[(Measure, u64)]) {
        let tree = parse(text);
        let counts = Counts::of(&tree, tree.root());
        let printed = tree.to_json(tree.root()).len() as u64;
        for of in [
            Measure::Depth,
            Measure::Properties,
            Measure::PropertyCount,
            Measure::RequiredCount,
            Measure::EnumValues,
            Measure::LiteralChars,
            Measure::Branches,
            Measure::Bytes,
            Measure::Optional,
            Measure::Unions,
            Measure::MaxItemsSum,
        ] {
            let unnamed = if of == Measure::Bytes { printed } else { 0 };
            let want = wanted.iter().find(|(o, _)| *o == of).map_or(unnamed, |(_, n)| *n);
            assert_eq!(counts.get(of), want, "{of:?} of {text}");
            assert_eq!(count(&tree, tree.root(), tree.root(), of), want, "{of:?} of {text}");
        }
    }

    fn check_levels(text: &str, levels: &[(&str, u64)]) {
        let tree = parse(text);
        let root = tree.root();
        for (pointer, want) in levels {
            let id = tree.at_pointer(root, pointer).expect(pointer);
            assert_eq!(level(&tree, root, id), *want, "{pointer} of {text}");
        }
        let deepest = tree.descendants(root).map(|id| level(&tree, root, id)).max();
        assert_eq!(Some(Counts::of(&tree, root).depth), deepest, "{text}");
    }

    #[test]
    fn unions_in_definitions_are_not_counted() {
        let counts = |text: &str| {
            let tree = parse(text);
            Counts::of(&tree, tree.root()).unions
        };
        let definition = r#"{"properties": {"a": {"type": ["string", "null"]}, "b": {"properties": {"c": {"anyOf": [{}, {}]}}}}}"#;
        assert_eq!(counts(definition), 2);
        assert_eq!(counts(&format!(r#"{{"$defs": {{"d": {definition}}}}}"#)), 0);
        assert_eq!(counts(&format!(r#"{{"items": {definition}, "definitions": {{"d": {definition}}}}}"#)), 2);
    }

    #[test]
    fn counts() {
        use Measure::{Branches, Depth, EnumValues, LiteralChars, MaxItemsSum, Optional, Properties, PropertyCount, RequiredCount, Unions};
        for text in ["true", "{}", r#"{"type":"string"}"#, "[1, {}]", r#""é\n""#, r#"{"x-a":{"properties":{"a":{}}}}"#] {
            check(text, &[]);
        }
        check(
            r#"{"type":"object","properties":{"a":{"type":["string","null"]},"é":{"properties":{"b":true}}},"required":["a"]}"#,
            &[(Depth, 2), (Properties, 3), (PropertyCount, 2), (RequiredCount, 1), (LiteralChars, 3), (Optional, 2), (Unions, 1)],
        );
        check(
            r#"{"properties":{"\u0061":{"oneOf":[{},{}]},"q\"":{"anyOf":[true]}},"required":["a","\u0071\"","a",1]}"#,
            &[(Depth, 1), (Properties, 2), (PropertyCount, 2), (RequiredCount, 4), (LiteralChars, 3), (Branches, 2), (Unions, 2)],
        );
        check(
            r#"{"enum":["ab","\u00e9",1,null,["xyz"]],"items":{"const":"abc"},"not":{"const":5,"enum":[]}}"#,
            &[(Depth, 1), (EnumValues, 5), (LiteralChars, 6)],
        );
        check(r#"{"maxItems":3,"items":{"maxItems":2.0,"allOf":[{"maxItems":-1}]}}"#, &[(Depth, 1), (MaxItemsSum, 5)]);
        check(r#"{"maxItems":1e300,"not":{"maxItems":18446744073709551615}}"#, &[(MaxItemsSum, u64::MAX)]);
        check(r#"{"maxItems":"3","properties":[{"properties":{"a":{}}}],"required":true,"enum":{"a":1},"anyOf":{"a":1}}"#, &[(Depth, 1)]);
    }

    #[test]
    fn values_are_not_entered() {
        use Measure::{Depth, EnumValues, LiteralChars, Optional, Properties, PropertyCount};
        let schema = r#"{"type":"object","properties":{"a":{}},"enum":["x"]}"#;
        for kw in ["default", "const", "examples", "example", "x-any", "discriminator"] {
            check(&format!(r#"{{"{kw}":{schema}}}"#), &[]);
        }
        check(&format!(r#"{{"enum":[{schema}]}}"#), &[(EnumValues, 1)]);
        check(
            &format!(r#"{{"dependencies":{{"a":["b"],"c":{schema}}}}}"#),
            &[(Depth, 1), (Properties, 1), (EnumValues, 1), (LiteralChars, 2), (Optional, 1)],
        );
        check(
            r#"{"properties":{"default":{"enum":[1]},"properties":{"type":"string"}}}"#,
            &[(Depth, 1), (Properties, 2), (PropertyCount, 2), (EnumValues, 1), (LiteralChars, 17), (Optional, 2)],
        );
    }

    #[test]
    fn definitions_count_once() {
        use Measure::{Depth, LiteralChars, Optional, Properties};
        check(
            r##"{"anyOf":[{"$ref":"#/$defs/abc"},{"$ref":"#/$defs/abc"}],"$defs":{"abc":{"properties":{"d":{"items":{}}}}}}"##,
            &[(Depth, 2), (Properties, 1), (LiteralChars, 4), (Optional, 1), (Measure::Branches, 2)],
        );
    }

    #[test]
    fn levels() {
        check_levels(r#"{"type":"string"}"#, &[("", 0)]);
        check_levels(
            r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":["object","null"]}},"b":true}}"#,
            &[("", 1), ("/properties/a", 2), ("/properties/a/items", 3), ("/properties/b", 1)],
        );
        check_levels(
            r#"{"properties":{"items":{"anyOf":[{"type":"null"},{"properties":{"c":{"prefixItems":[{}]}}}]}}}"#,
            &[
                ("/properties/items", 1),
                ("/properties/items/anyOf/0", 1),
                ("/properties/items/anyOf/1", 2),
                ("/properties/items/anyOf/1/properties/c", 3),
                ("/properties/items/anyOf/1/properties/c/prefixItems/0", 3),
            ],
        );
        check_levels(
            r#"{"type":"object","allOf":[{"type":"object","not":{"properties":{"a":{"type":"array"}}}}]}"#,
            &[("/allOf/0", 1), ("/allOf/0/not", 1), ("/allOf/0/not/properties/a", 2)],
        );
        check_levels(
            r#"{"type":"object","$defs":{"d":{"type":"object","properties":{"e":{"type":"string"}}}}}"#,
            &[("/$defs/d", 1), ("/$defs/d/properties/e", 1)],
        );
        check_levels(r#"{"type":"object","default":{"type":"object","items":{"type":"array"}}}"#, &[("/default/items", 1)]);
        check_levels(
            r#"{"items":[{"type":"array"}],"additionalProperties":{"type":"object"}}"#,
            &[("/items/0", 2), ("/additionalProperties", 2)],
        );
    }

    #[test]
    fn schemas_side_by_side_join() {
        let tree =
            parse(r#"[{"properties":{"a":{"anyOf":[{},{}]},"b":true},"maxItems":1e30,"default":{}},{"items":{"items":{}},"maxItems":7}]"#);
        let mut all = Counts::default();
        for schema in tree.children(tree.root()) {
            all.join(&Counts::of(&tree, schema));
        }
        assert_eq!((all.depth, all.properties, all.branches, all.unions, all.max_items_sum), (2, 2, 2, 1, u64::MAX));
        assert_eq!(all.schemas, 7, "four and three; boolean schemas and values are none");
    }

    #[test]
    fn deep_schemas_are_counted() {
        let mut tree = Tree::empty(8);
        let mut schema = tree.new_object();
        for _ in 0..100_000 {
            let outer = tree.new_object();
            tree.set(outer, Kw::Items, schema);
            schema = outer;
        }
        assert_eq!(Counts::of(&tree, schema).depth, 100_000);
    }
}
