//! Which places of a value a place of a schema speaks of.

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// This member.
    Name(String),
    /// Any member or element.
    Any,
}

/// The places of values that a schema's place is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// It stands in a definition, so it may be about any part of a value.
    loose: bool,
    steps: Vec<Step>,
}

impl Place {
    /// Reads a pointer into a schema.
    #[must_use]
    pub fn of(pointer: &str) -> Place {
        let mut out = Place::default();
        let mut tokens = pointer.split('/').skip(1).map(unescape).peekable();
        while let Some(token) = tokens.next() {
            match token.as_str() {
                "properties" => match tokens.next() {
                    Some(name) => out.steps.push(Step::Name(name)),
                    None => break,
                },
                "patternProperties" | "prefixItems" => {
                    if tokens.next().is_none() {
                        break;
                    }
                    out.steps.push(Step::Any);
                }
                "additionalProperties" | "unevaluatedProperties" | "additionalItems" | "unevaluatedItems" | "contains" => {
                    out.steps.push(Step::Any);
                }
                "items" => {
                    out.steps.push(Step::Any);
                    tokens.next_if(|t| t.parse::<usize>().is_ok());
                }
                "anyOf" | "oneOf" | "allOf" | "dependentSchemas" | "dependencies" => {
                    tokens.next();
                }
                "$defs" | "definitions" => {
                    tokens.next();
                    out = Place { loose: true, steps: Vec::new() };
                }
                "if" | "then" | "else" | "not" | "$ref" => {}
                _ => break,
            }
        }
        out
    }

    /// The place where any part of a value may be described by the whole schema again.
    #[must_use]
    pub fn anywhere(self) -> Place {
        Place { loose: true, ..self }
    }

    /// Whether a pointer into a value leads to the place, into it, or on the way there.
    #[must_use]
    pub fn meets(&self, pointer: &str) -> bool {
        let tokens: Vec<String> = pointer.split('/').skip(1).map(unescape).collect();
        let fits = |from: usize| {
            self.steps.iter().zip(&tokens[from..]).all(|(step, token)| matches!(step, Step::Any) || *step == Step::Name(token.clone()))
        };
        if self.loose { (0..=tokens.len()).any(fits) } else { fits(0) }
    }

    /// How much it says.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it is about the whole value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: &str, value: &str, meets: bool) {
        assert_eq!(Place::of(schema).meets(value), meets, "{schema} {value}");
    }

    #[test]
    fn places() {
        check("/properties/a/anyOf/0/items/properties/b", "/a/3/b/c", true);
        check("/properties/a/anyOf/0/items/properties/b", "/a", true);
        check("/properties/a", "/b", false);
        check("/properties/a~1b/minLength", "/a~1b", true);
        check("/$defs/properties/properties/x", "/deep/er/x", true);
        check("", "/a", true);
    }
}
