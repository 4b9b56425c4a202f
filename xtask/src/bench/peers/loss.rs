//! What of a schema is no longer there after a rewrite.

use std::collections::BTreeSet;

use schemalect::Budget;
use schemalect::engine::keyword::DEFINITIONS;
use schemalect::engine::site::subschemas;
use schemalect::engine::{Id, Kind, Kw, Tree};

const BOUNDS: [Kw; 13] = [
    Kw::Pattern,
    Kw::Format,
    Kw::Minimum,
    Kw::Maximum,
    Kw::ExclusiveMinimum,
    Kw::ExclusiveMaximum,
    Kw::MultipleOf,
    Kw::MinLength,
    Kw::MaxLength,
    Kw::MinItems,
    Kw::MaxItems,
    Kw::UniqueItems,
    Kw::Default,
];

/// What a schema tells a model.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// Names of properties, wherever they are declared.
    properties: BTreeSet<String>,
    /// Members of enum, and const, as text.
    values: BTreeSet<String>,
    /// Keywords that narrow or hint, with their values as text.
    bounds: BTreeSet<(Kw, String)>,
    descriptions: BTreeSet<String>,
}

impl Parts {
    /// Of a schema as text; `None` where it cannot be read.
    pub(super) fn of(text: &str) -> Option<Parts> {
        Tree::parse(text, &Budget::default()).ok().map(|tree| Parts::of_tree(&tree))
    }

    pub(super) fn of_tree(tree: &Tree) -> Parts {
        let mut out = Parts::default();
        let named = references(tree);
        let mut todo = vec![tree.root()];
        while let Some(node) = todo.pop() {
            out.add(tree, node);
            subschemas(tree, node, |child, via| {
                // What nothing refers to tells a model nothing.
                if DEFINITIONS.has(via) && !named.iter().any(|n| n.contains(tree.raw_key(child))) {
                    return;
                }
                if via == Kw::Properties {
                    out.properties.insert(tree.key(child).into_owned());
                }
                todo.push(child);
            });
        }
        out
    }

    fn add(&mut self, tree: &Tree, node: Id) {
        if tree.kind(node) != Kind::Object {
            return;
        }
        let text = |id| tree.str(id).map_or_else(|| tree.to_json(id), std::borrow::Cow::into_owned);
        for child in tree.children(node) {
            match tree.kw(child) {
                Some(Kw::Enum) => self.values.extend(tree.children(child).filter(|&v| tree.kind(v) != Kind::Null).map(text)),
                Some(Kw::Const) => {
                    self.values.insert(text(child));
                }
                Some(Kw::Description) => {
                    self.descriptions.insert(text(child).trim().to_owned());
                }
                Some(kw) if BOUNDS.contains(&kw) => {
                    self.bounds.insert((kw, text(child)));
                }
                _ => {}
            }
        }
    }

    /// How many properties, values, bounds and descriptions the output lacks, and does not tell in words that the input does not have either.
    pub(super) fn lost_in(&self, output: &Parts) -> [usize; 4] {
        let added: Vec<&str> = output.descriptions.iter().map(|d| self.without_own(d)).collect();
        let told = |text: &str| !text.is_empty() && added.iter().any(|words| words.contains(text));
        let texts = |mine: &BTreeSet<String>, theirs: &BTreeSet<String>| mine.difference(theirs).filter(|t| !told(t)).count();
        [
            texts(&self.properties, &output.properties),
            texts(&self.values, &output.values),
            self.bounds.difference(&output.bounds).filter(|(_, value)| !told(value)).count(),
            self.descriptions.iter().filter(|own| !output.descriptions.iter().any(|d| d.contains(own.as_str()))).count(),
        ]
    }

    /// What stands in a description of the output besides the longest of the input that it begins with.
    fn without_own<'d>(&self, description: &'d str) -> &'d str {
        let own = self.descriptions.iter().filter(|own| description.starts_with(own.as_str())).map(String::len).max();
        description.get(own.unwrap_or(0)..).unwrap_or_default()
    }
}

/// All that references say.
fn references(tree: &Tree) -> Vec<String> {
    let refs = tree.descendants(tree.root()).filter(|&n| tree.kw(n) == Some(Kw::Ref));
    refs.filter_map(|n| tree.str(n).map(std::borrow::Cow::into_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_neither_kept_nor_told_is_lost() {
        let input =
            r#"{"type":"object","properties":{"size":{"enum":["big",7],"description":"How big."},"n":{"type":"integer","minimum":12}}}"#;
        let cases = [
            (input, [0, 0, 0, 0]),
            (r#"{"properties":{"size":{"enum":["big","7"],"description":"How big."},"n":{"description":"at least 12"}}}"#, [0, 0, 0, 0]),
            (r#"{"properties":{"size":{"type":"string","description":"How big."}}}"#, [1, 2, 1, 0]),
            (r#"{"properties":{"all":{"type":"string","description":"JSON with size (big or 7) and n"}}}"#, [0, 0, 1, 1]),
            (r##"{"$ref":"#/$defs/a","$defs":{"a":{"properties":{"size":{"const":"big"},"n":{"minimum":12}}}}}"##, [0, 1, 0, 1]),
            (r#"{"$defs":{"a":{"properties":{"size":{"const":"big"},"n":{"minimum":12}}}}}"#, [2, 2, 1, 1]),
        ];
        for (output, expected) in cases {
            let (before, after) = (Parts::of(input).expect("JSON"), Parts::of(output).expect("JSON"));
            assert_eq!(before.lost_in(&after), expected, "{output}");
        }
    }
}
