//! Judges the arguments of a call by the tool's own schema, as it was given.
//!
//! Formats are checked, nothing is fetched, and every pattern runs in linear time. What cannot be checked that way
//! refuses nothing and is listed.

mod missing;
mod nulls;
mod reading;
mod work;

use schemalect_engine::{Budget, Telling, Tree};
use serde_json::Value;

use reading::{Reading, options};
use work::{DEEPEST, Work};

/// Messages and notes are cut after so many characters.
const LONGEST: usize = 300;
/// No arguments are judged whose pointers have more bytes than this together.
const MOST_SPELLED: usize = 128 << 20;
/// No more mistakes than this are told.
const MOST_ERRORS: usize = 10_000;

/// What a schema says of some arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validation {
    /// Nothing that could be checked speaks against them.
    pub valid: bool,
    /// What speaks against them.
    pub errors: Vec<Mistake>,
    /// Pointers of what is required and absent, whether or not something stands around it.
    pub missing: Vec<String>,
    /// What the schema says and was not checked.
    pub unchecked: Vec<Unchecked>,
}

/// A place in the arguments that the schema does not admit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Pointer into the arguments.
    pub path: String,
    /// Pointer of the keyword into the schema.
    pub schema_path: String,
    /// What is wrong.
    pub message: String,
}

/// A place in the schema that was not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchecked {
    /// Pointer into the schema.
    pub path: String,
    /// Why.
    pub reason: String,
}

/// A schema that is ready to judge arguments.
#[derive(Debug)]
pub struct Validator {
    /// `None` where nothing of the schema can be read.
    compiled: Option<(jsonschema::Validator, Work)>,
    unchecked: Vec<Unchecked>,
}

/// Judges arguments by a schema.
///
/// ```
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {"day": {"type": "string", "format": "date"}}, "required": ["day", "city"]});
/// let found = schemalect::validate(&schema, &json!({"day": "tomorrow"}));
/// assert!(!found.valid);
/// assert_eq!(found.missing, ["/city"]);
/// assert_eq!(found.errors.len(), 2);
/// ```
#[must_use]
pub fn validate(schema: &Value, arguments: &Value) -> Validation {
    Validator::new(schema).validate(arguments)
}

impl Validator {
    /// Reads a schema; never fails, what cannot be read is listed as unchecked.
    #[must_use]
    pub fn new(schema: &Value) -> Validator {
        let budget = Budget::default();
        match Tree::parse(&schema.to_string(), &budget) {
            Ok(tree) => Validator::of(&tree),
            Err(error) => Validator::unreadable(error.to_string(), Vec::new()),
        }
    }

    fn of(tree: &Tree) -> Validator {
        let mut reading = Reading::of(tree);
        if reading.work().is_too_deep() {
            return Validator::unreadable(format!("more than {DEEPEST} schemas lead one to the next"), reading.unchecked);
        }
        let built = options(reading.draft)
            .build(&reading.schema())
            .or_else(|error| if reading.forget_names() { options(reading.draft).build(&reading.schema()) } else { Err(error) });
        match built {
            Ok(compiled) => Validator { compiled: Some((compiled, reading.work())), unchecked: reading.unchecked },
            Err(error) => Validator::unreadable(error.to_string(), std::mem::take(&mut reading.unchecked)),
        }
    }

    fn unreadable(reason: String, mut unchecked: Vec<Unchecked>) -> Validator {
        let reason = cut(&format!("the schema cannot be read: {reason}"));
        unchecked.push(Unchecked { path: String::new(), reason });
        Validator { compiled: None, unchecked }
    }

    /// What the schema says and is never checked.
    #[must_use]
    pub fn unchecked(&self) -> &[Unchecked] {
        &self.unchecked
    }

    /// Whether nothing that can be checked speaks against the arguments, and judging them is bearable.
    #[must_use]
    pub fn is_valid(&self, arguments: &Value) -> bool {
        self.compiled.as_ref().is_none_or(|(compiled, work)| work.is_bearable(arguments) && compiled.is_valid(arguments))
    }

    /// Judges arguments. Where that would take work out of proportion, which unions of references can, they count as not valid.
    #[must_use]
    pub fn validate(&self, arguments: &Value) -> Validation {
        let mut found = Validation { valid: true, unchecked: self.unchecked.clone(), ..Validation::default() };
        let Some((compiled, work)) = &self.compiled else { return found };
        if !work.is_bearable(arguments) {
            let reason = "not judged: unions and references multiply for these arguments to more work than is done".to_owned();
            found.errors.push(Mistake { path: String::new(), schema_path: String::new(), message: reason.clone() });
            found.unchecked.push(Unchecked { path: String::new(), reason });
            found.valid = false;
            return found;
        }
        let mut left = MOST_SPELLED;
        if !spell(arguments, 0, &mut left) {
            let reason = "not judged: the places of these arguments are too long to be told".to_owned();
            found.errors.push(Mistake { path: String::new(), schema_path: String::new(), message: reason.clone() });
            found.unchecked.push(Unchecked { path: String::new(), reason });
            found.valid = false;
            return found;
        }
        let mut telling = Telling::default();
        for error in compiled.iter_errors(arguments).take(MOST_ERRORS) {
            if !telling.takes(error.instance_path().as_str().len().saturating_add(error.schema_path().as_str().len())) {
                break;
            }
            missing::collect(&error, &mut found.missing);
            found.errors.push(Mistake {
                path: error.instance_path().to_string(),
                schema_path: error.schema_path().to_string(),
                message: cut(&error.to_string()),
            });
        }
        found.valid = found.errors.is_empty();
        found.missing.sort();
        found.missing.dedup();
        found
    }
}

/// Takes the length of the pointers of all values off what is left; false where that is not enough. The judge spells out the place of
/// every mistake before the first is seen.
fn spell(value: &Value, above: usize, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(above) else { return false };
    *left = rest;
    match value {
        Value::Array(list) => list.iter().all(|v| spell(v, above.saturating_add(4), left)),
        Value::Object(map) => map.iter().all(|(name, v)| spell(v, above.saturating_add(name.len()).saturating_add(1), left)),
        _ => true,
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_judges_by_its_own_draft() {
        let tuple = json!({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}], "additionalItems": false});
        assert!(validate(&tuple, &json!(["a"])).valid);
        assert!(!validate(&tuple, &json!(["a", "b"])).valid);
        assert_eq!(validate(&tuple, &json!(["a"])).unchecked, []);
        let old = json!({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 0, "exclusiveMinimum": true});
        assert!(!validate(&old, &json!(0)).valid);
        assert!(!validate(&json!({"format": "email"}), &json!("nobody")).valid);
        for format in ["uuid", "duration", "date", "time"] {
            let schema = json!({"$schema": "http://json-schema.org/draft-04/schema#", "format": format});
            assert_eq!(
                (validate(&schema, &json!("nobody")).valid, validate(&schema, &json!(1)).unchecked),
                (false, Vec::new()),
                "{format}"
            );
        }
    }

    #[test]
    fn an_invalid_schema_is_repaired_and_said_to_be() {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}},
            "required": ["n", "n"]});
        let found = validate(&schema, &json!({"n": 0}));
        assert!(!found.valid);
        assert!(found.unchecked.iter().any(|u| u.path == "/properties/n" && u.reason.contains("exclusiveMinimum")), "{found:?}");
        assert_eq!(validate(&schema, &json!({})).missing, ["/n"]);
        let nonsense = validate(&json!({"type": {"x": 1}, "properties": 7, "required": ["a"]}), &json!({}));
        assert_eq!(nonsense.missing, ["/a"]);
        assert!(validate(&json!(null), &json!({})).valid);
    }

    #[test]
    fn what_cannot_be_checked_refuses_nothing() {
        for (schema, arguments, path) in [
            (json!({"pattern": "^(?!x)(?=.*a(?=b))(a)\\1$"}), json!("zzz"), "/pattern"),
            (json!({"not": {"pattern": "(a)\\1"}}), json!("zzz"), "/not"),
            (json!({"patternProperties": {"(a)\\1": {}}, "additionalProperties": false}), json!({"aa": 1}), "/patternProperties/(a)\\1"),
            (json!({"$ref": "https://example.org/elsewhere.json"}), json!(1), "/$ref"),
            (json!({"properties": {"a": {"$ref": "#/$defs/none"}}, "unevaluatedProperties": false}), json!({"b": 1}), "/properties/a/$ref"),
            (json!({"if": {"pattern": "(a)\\1"}, "then": false, "else": false}), json!("x"), "/if"),
        ] {
            let found = validate(&schema, &arguments);
            assert!(found.valid && found.unchecked.iter().any(|u| u.path == path), "{schema}: {found:?}");
        }
        assert!(validate(&json!({"$ref": "#"}), &json!(1)).valid);
        // A judge that calls itself for each of them would run out of stack.
        let link = |i: usize| (format!("d{i}"), json!({"allOf": [{"$ref": format!("#/$defs/d{}", i + 1)}]}));
        for (links, judged) in [(400, true), (30_000, false)] {
            let mut defs: serde_json::Map<String, Value> = (0..links).map(link).collect();
            defs.insert(format!("d{links}"), json!({"type": "string"}));
            let found = validate(&json!({"$ref": "#/$defs/d0", "$defs": defs}), &json!(1));
            assert_eq!((found.valid, found.unchecked.len()), (!judged, usize::from(!judged)), "{links}: {found:?}");
        }
        let unknown = validate(&json!({"format": "postcode", "$schema": "urn:mine"}), &json!("x"));
        assert_eq!(unknown.unchecked.len(), 2, "{unknown:?}");
    }

    #[test]
    fn missing_is_what_is_required_and_absent() {
        let person = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
        let schema = json!({"$defs": {"person": person}, "type": "object", "required": ["a/b", "who"], "properties": {
            "who": {"$ref": "#/$defs/person"}, "maybe": {"anyOf": [{"$ref": "#/$defs/person"}, {"type": "null"}]},
            "list": {"type": "array", "items": {"$ref": "#/$defs/person"}},
            "shape": {"oneOf": [
                {"properties": {"kind": {"const": "circle"}, "r": {}}, "required": ["kind", "r"]},
                {"properties": {"kind": {"const": "square"}, "side": {}}, "required": ["kind", "side"]}]}}});
        let found = validate(&schema, &json!({"who": {"name": 7}, "maybe": {}, "list": [{}, {"name": "x"}], "shape": {"kind": "square"}}));
        assert_eq!(found.missing, ["/a~1b", "/list/0/name", "/maybe/name", "/shape/side"]);
        assert_eq!(validate(&schema, &json!({"a/b": 1, "who": {"name": 7}})).missing, [""; 0]);
    }

    #[test]
    fn patterns_run_in_linear_time() {
        let schema = json!({"pattern": "^(a+)+$"});
        assert!(!validate(&schema, &json!("a".repeat(50_000) + "!")).valid);
    }
}
