//! How a place in a schema is written for people: from the JSON Pointer to the spelling that a profile asks for.

use std::fmt::Write;

use crate::keyword::{Holds, Kw};
use crate::path::{json_path, token_name};

/// A way to write a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathStyle {
    /// `/properties/a/anyOf/0`, as it is.
    #[default]
    Pointer,
    /// `$.properties.a.anyOf[0]`.
    JsonPath,
    /// `properties.a.anyOf.0`.
    Dotted,
    /// `properties.a.anyOf[0]`.
    Bracketed,
    /// `a.b`: the names of properties alone.
    Names,
    /// `$.a.b`: the names of properties, from the root.
    RootedNames,
}

impl PathStyle {
    /// Each style with its word.
    pub const WORDS: [(&'static str, PathStyle); 6] = [
        ("pointer", PathStyle::Pointer),
        ("json-path", PathStyle::JsonPath),
        ("dotted", PathStyle::Dotted),
        ("bracketed", PathStyle::Bracketed),
        ("names", PathStyle::Names),
        ("rooted-names", PathStyle::RootedNames),
    ];

    /// A JSON Pointer into a schema in this style.
    ///
    /// The styles of names say `[]` for the items of an array, `[0]` for one of a tuple and `.*` for a value of a map, nothing for a branch,
    /// and stop at a keyword that holds no schema.
    #[must_use]
    pub fn write(self, pointer: &str) -> String {
        match self {
            PathStyle::Pointer => pointer.to_owned(),
            PathStyle::JsonPath => json_path(pointer),
            PathStyle::Dotted => steps(pointer).collect::<Vec<_>>().join("."),
            PathStyle::Bracketed => bracketed(pointer),
            PathStyle::Names => names(pointer, ""),
            PathStyle::RootedNames => names(pointer, "$"),
        }
    }

    /// A text about a place, with the place before it, if it has a name in this style.
    #[must_use]
    pub fn line(self, pointer: &str, text: &str) -> String {
        match self.write(pointer) {
            place if place.is_empty() => text.to_owned(),
            place => format!("{place}: {text}"),
        }
    }
}

fn steps(pointer: &str) -> impl Iterator<Item = String> {
    pointer.split('/').skip(1).map(token_name)
}

fn bracketed(pointer: &str) -> String {
    let mut out = String::new();
    let mut before = After::Schema;
    for step in steps(pointer) {
        let is_index = !step.is_empty() && step.bytes().all(|b| b.is_ascii_digit());
        if is_index && matches!(before, After::List | After::SchemaOrList) {
            let _ = write!(out, "[{step}]");
            before = After::Schema;
            continue;
        }
        if !out.is_empty() {
            out.push('.');
        }
        out.push_str(&step);
        before = match before {
            After::Names => After::Schema,
            _ => After::of(Kw::of(&step)),
        };
    }
    out
}

/// What stands below a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Schema,
    Names,
    List,
    SchemaOrList,
}

impl After {
    fn of(kw: Option<Kw>) -> After {
        match kw.map(Kw::holds) {
            Some(Holds::SchemaMap | Holds::SchemaOrNamesMap | Holds::NamesMap) => After::Names,
            Some(Holds::SchemaList | Holds::Values | Holds::Names | Holds::Types) => After::List,
            Some(Holds::SchemaOrList) => After::SchemaOrList,
            _ => After::Schema,
        }
    }
}

fn names(pointer: &str, root: &str) -> String {
    let mut out = root.to_owned();
    let name = |out: &mut String, name: &str| {
        if !out.is_empty() {
            out.push('.');
        }
        out.push_str(name);
    };
    let mut steps = steps(pointer).peekable();
    while let Some(step) = steps.next() {
        let Some(kw) = Kw::of(&step) else { break };
        match (kw, kw.holds()) {
            (Kw::Properties, _) => {
                if let Some(step) = steps.next() {
                    name(&mut out, &step);
                }
            }
            (Kw::PatternProperties, _) => {
                if steps.next().is_some() {
                    name(&mut out, "*");
                }
            }
            (Kw::AdditionalProperties | Kw::UnevaluatedProperties, _) if steps.peek().is_some() => name(&mut out, "*"),
            (Kw::Defs | Kw::Definitions, _) => {
                if let Some(next) = steps.next() {
                    name(&mut out, kw.name());
                    name(&mut out, &next);
                }
            }
            (Kw::Items | Kw::PrefixItems | Kw::AdditionalItems | Kw::UnevaluatedItems | Kw::Contains, _) => {
                let index = steps.next_if(|step| step.bytes().all(|b| b.is_ascii_digit()));
                match index {
                    Some(index) => _ = write!(out, "[{index}]"),
                    None if kw == Kw::PrefixItems => {}
                    None => out.push_str("[]"),
                }
            }
            (_, Holds::SchemaList | Holds::SchemaMap) => _ = steps.next(),
            (_, Holds::Schema | Holds::SchemaOrBool) => {}
            _ => break,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let check = |pointer: &str, expected: [&str; 5]| {
            let styles = [PathStyle::JsonPath, PathStyle::Dotted, PathStyle::Bracketed, PathStyle::Names, PathStyle::RootedNames];
            assert_eq!(styles.map(|style| style.write(pointer)), expected, "{pointer}");
            assert_eq!(PathStyle::Pointer.write(pointer), pointer);
        };
        check("", ["$", "", "", "", "$"]);
        check("/properties/a", ["$.properties.a", "properties.a", "properties.a", "a", "$.a"]);
        check("/properties/a/pattern", ["$.properties.a.pattern", "properties.a.pattern", "properties.a.pattern", "a", "$.a"]);
        check(
            "/properties/a/anyOf/0/properties/b",
            [
                "$.properties.a.anyOf[0].properties.b",
                "properties.a.anyOf.0.properties.b",
                "properties.a.anyOf[0].properties.b",
                "a.b",
                "$.a.b",
            ],
        );
        check(
            "/properties/items/items/properties/0",
            [
                "$.properties.items.items.properties[0]",
                "properties.items.items.properties.0",
                "properties.items.items.properties.0",
                "items[].0",
                "$.items[].0",
            ],
        );
        check("/items/1", ["$.items[1]", "items.1", "items[1]", "[1]", "$[1]"]);
        check(
            "/properties/m/additionalProperties/type",
            [
                "$.properties.m.additionalProperties.type",
                "properties.m.additionalProperties.type",
                "properties.m.additionalProperties.type",
                "m.*",
                "$.m.*",
            ],
        );
        check(
            "/properties/m/additionalProperties",
            ["$.properties.m.additionalProperties", "properties.m.additionalProperties", "properties.m.additionalProperties", "m", "$.m"],
        );
        check(
            "/$defs/N/properties/c",
            ["$['$defs'].N.properties.c", "$defs.N.properties.c", "$defs.N.properties.c", "$defs.N.c", "$.$defs.N.c"],
        );
        check("/properties/a/enum/0", ["$.properties.a.enum[0]", "properties.a.enum.0", "properties.a.enum[0]", "a", "$.a"]);
    }

    #[test]
    fn lines() {
        assert_eq!(PathStyle::RootedNames.line("/properties/a", "t"), "$.a: t");
        assert_eq!(PathStyle::Names.line("", "t"), "t");
    }
}
