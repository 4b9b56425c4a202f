//! The places of a schema that a path may mean.

use schemalect_engine::refs::Refs;
use schemalect_engine::{Id, Kind, Kw, Tree};
use schemalect_rules::PathForm;

use super::path::Step;

/// No more places than this are kept for one path with gaps.
const MOST_PLACES: usize = 64;
/// So many steps are tried for one path.
const MOST_TRIES: usize = 100_000;

/// A schema in which paths are looked up.
pub(super) struct Schema<'t> {
    pub(super) tree: &'t Tree,
    pub(super) root: Id,
    pub(super) refs: &'t Refs,
}

struct Walk<'w, 't> {
    schema: &'w Schema<'t>,
    form: PathForm,
    tries: usize,
    found: Vec<Id>,
}

impl Schema<'_> {
    /// The nodes that a path leads to. The last step may be a keyword that is missing: then it is the node which lacks it.
    pub(super) fn places(&self, form: PathForm, steps: &[Step]) -> Vec<Id> {
        let mut walk = Walk { schema: self, form, tries: MOST_TRIES, found: Vec::new() };
        walk.follow(self.root, steps);
        walk.found
    }

    /// Whether two nodes are one place: the same, a schema and its keyword, or members of one keyword's value.
    pub(super) fn near(&self, a: Id, b: Id) -> bool {
        let owner = |id: Id| {
            let mut at = id;
            while self.tree.kind(at) != Kind::Object {
                match self.tree.parent(at).filter(|_| at != self.root) {
                    Some(parent) => at = parent,
                    None => break,
                }
            }
            at
        };
        let parent = |id: Id| self.tree.parent(id).filter(|_| id != self.root);
        a == b || parent(a) == Some(b) || parent(b) == Some(a) || owner(a) == owner(b)
    }
}

impl Walk<'_, '_> {
    fn follow(&mut self, node: Id, steps: &[Step]) {
        let Some(tries) = self.tries.checked_sub(1).filter(|_| self.found.len() < MOST_PLACES) else { return };
        self.tries = tries;
        let tree = self.schema.tree;
        let (first, rest) = match steps.split_first() {
            None => {
                if !self.found.contains(&node) {
                    self.found.push(node);
                }
                return;
            }
            // What comes after is not known.
            Some((Step::Gap, [])) => return,
            Some((Step::Gap, rest)) => {
                self.follow(node, rest);
                for below in tree.descendants(node).skip(1) {
                    self.follow(below, rest);
                }
                return;
            }
            Some(split) => split,
        };
        if let Some((next, rest)) = self.step(node, first, rest) {
            return self.follow(next, rest);
        }
        let target = self.schema.refs.follow(node);
        if target != node {
            return self.follow(target, steps);
        }
        let lacks = rest.is_empty() && tree.kind(node) == Kind::Object && Kw::of(&camel(first.text())).is_some();
        let is_tag = self.form == PathForm::Pydantic && !rest.is_empty() && matches!(first, Step::Name(_));
        if lacks || is_tag {
            self.follow(node, rest);
        }
    }

    /// The node of one step, and the steps after it.
    fn step<'s>(&self, node: Id, step: &Step, rest: &'s [Step]) -> Option<(Id, &'s [Step])> {
        let tree = self.schema.tree;
        let text = step.text();
        if self.form == PathForm::Names {
            return self.property(node, text, 4, &mut { MOST_TRIES }).map(|next| (next, rest));
        }
        match (tree.kind(node), text.parse::<usize>()) {
            (Kind::Array, Ok(index)) => tree.element(node, index).map(|next| (next, rest)),
            (Kind::Object, Ok(index)) if self.form == PathForm::Proto && matches!(step, Step::Bracket(_)) => match rest.split_first() {
                Some((Step::Name(value), rest)) if value == "value" => tree.children(node).nth(index).map(|next| (next, rest)),
                _ => tree.member(node, text).or_else(|| tree.children(node).nth(index)).map(|next| (next, rest)),
            },
            (Kind::Object, _) => {
                let spelled = || Kw::of(&camel(text)).and_then(|_| tree.member(node, &camel(text)));
                tree.member(node, text).or_else(spelled).map(|next| (next, rest))
            }
            _ => None,
        }
    }

    /// The schema of a property by its name alone, in the node or in what its elements, branches and target are.
    fn property(&self, node: Id, name: &str, deep: usize, tries: &mut usize) -> Option<Id> {
        let tree = self.schema.tree;
        let own = tree.get(node, Kw::Properties).and_then(|map| tree.member(map, name));
        *tries = tries.saturating_sub(1);
        if own.is_some() || deep == 0 || *tries == 0 {
            return own;
        }
        let target = self.schema.refs.follow(node);
        let mut inner = if target == node { Vec::new() } else { vec![target] };
        inner.extend(tree.get(node, Kw::Items));
        for branches in [Kw::AnyOf, Kw::OneOf, Kw::AllOf].into_iter().filter_map(|kw| tree.get(node, kw)) {
            inner.extend(tree.children(branches).take(MOST_PLACES));
        }
        let below = inner.into_iter().find_map(|next| self.property(next, name, deep.saturating_sub(1), tries));
        below.or_else(|| tree.get(node, Kw::of(&camel(name))?))
    }
}

/// A keyword in the spelling that JSON Schema has.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut out, part| {
        let mut letters = part.chars();
        out.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(letters.as_str());
        out
    })
}

#[cfg(test)]
mod tests {
    use schemalect_engine::Budget;

    use super::super::path::steps;
    use super::*;

    const TEXT: &str = r##"{"type": "object", "properties": {
        "value": {"anyOf": [{"type": "array", "items": {"properties": {"b": {"type": "string"}}}}, {"type": "null"}]},
        "0": {"enum": ["x", 1]}, "r": {"$ref": "#/$defs/R"}, "a.b": {"type": ["string", "null"]}},
      "required": ["value"], "$defs": {"R": {"type": "object", "properties": {"deep": {"type": "array"}}}}}"##;

    fn check(form: PathForm, path: &str, wanted: &[&str]) {
        let tree = Tree::parse(TEXT, &Budget::default()).expect("parses");
        let refs = Refs::of(&tree, tree.root());
        let schema = Schema { tree: &tree, root: tree.root(), refs: &refs };
        let found = schema.places(form, &steps(form, path).expect(path));
        let found: Vec<String> = found.into_iter().map(|id| tree.pointer(tree.root(), id)).collect();
        assert_eq!(found, wanted, "{path}");
    }

    #[test]
    fn paths_lead_to_places() {
        use PathForm::{Dotted, JsonPath, Names, Pointer, Proto, Pydantic, PythonTuple};
        check(Proto, "", &[""]);
        check(Proto, "properties[0].value.any_of[0].items", &["/properties/value/anyOf/0/items"]);
        check(Proto, "properties[value].any_of[0].items.properties[b]", &["/properties/value/anyOf/0/items/properties/b"]);
        check(Proto, "properties[1].value.enum[1]", &["/properties/0/enum/1"]);
        check(Proto, "properties[0].enum[1]", &["/properties/0/enum/1"]);
        check(Proto, "properties[a.b]", &["/properties/a.b"]);
        check(Proto, "properties[9].value", &[]);
        check(Proto, "properties[r].properties[deep].items", &["/$defs/R/properties/deep"]);
        check(Proto, "properties[value].not_a_keyword", &[]);
        check(PythonTuple, "'properties', 'a.b', 'type', '1'", &["/properties/a.b/type/1"]);
        check(PythonTuple, "'properties', '0'", &["/properties/0"]);
        check(JsonPath, "$.properties...enum[0]", &["/properties/0/enum/0"]);
        check(JsonPath, "$.required[0]", &["/required/0"]);
        check(Dotted, "properties.value", &["/properties/value"]);
        check(Pydantic, "function-wrap.properties.value", &["/properties/value"]);
        check(Pointer, "/properties/r/properties/deep", &["/$defs/R/properties/deep"]);
        check(Names, "value.b", &["/properties/value/anyOf/0/items/properties/b"]);
        check(Names, "r.deep", &["/$defs/R/properties/deep"]);
        check(Names, "r.none", &[]);
        check(Proto, "...", &[]);
    }
}
