//! A profile is a dialect: it is adapted to without anything that takes more or is read back, and what is left over is an error.

use schemalect_engine::adapt::{Options, adapt};
use schemalect_engine::check::Tool as View;
use schemalect_engine::finding::Subject;
use schemalect_engine::keyword::{DEFINITIONS, Holds};
use schemalect_engine::op::{Op, Step};
use schemalect_engine::path::token_name;
use schemalect_engine::plan::Rule;
use schemalect_engine::refs::Refs;
use schemalect_engine::site::subschemas;
use schemalect_engine::{Effects, Finding, Id, Kind, Kw, Tree};
use serde_json::Value;

use super::dialect::Dialect;
use super::error::CapabilityError;
use crate::surface::Surface;

impl Dialect for Surface {
    fn name(&self) -> &str {
        Surface::name(self)
    }

    fn place(&self, pointer: &str) -> String {
        self.plan().paths.write(pointer)
    }

    /// Adapts a copy by the profile's rules. Only what keeps the meaning or narrows is done: a schema that takes more than the type would
    /// be met by answers that the code refuses, and there is no plan to restore arguments by.
    fn adapt(&self, schema: Value) -> Result<Value, CapabilityError> {
        let given = Tree::from_value(&schema);
        let view = View { schema: Some((&given, given.root())), ..View::default() };
        let adapted = adapt(self.plan(), &view, &Options { allow: Effects::NARROWS, ..Options::default() });
        let tree = adapted.schema.unwrap_or(given);
        let left: Vec<&Finding> = adapted.residue.iter().filter(|f| f.refuses() && f.subject == Subject::Schema).collect();
        // What a definition holds is told where the definition is used, if it is.
        let used = left.iter().find(|f| !in_definition(&f.path)).or(left.first());
        match used {
            None => Ok(tree.to_value(tree.root())),
            Some(finding) => Err(self.incapable(&tree, finding)),
        }
    }
}

impl Surface {
    fn incapable(&self, tree: &Tree, finding: &Finding) -> CapabilityError {
        let rule = self.plan().rules.iter().find(|rule| rule.id == finding.rule);
        let (path, keyword) = split(tree, &finding.path);
        let node = tree.at_pointer(tree.root(), path);
        let refers = node.is_some_and(|n| tree.keys(n).has(Kw::Ref)) && keyword.as_deref().is_none_or(|k| k == Kw::Ref.name());
        let keyword = match (keyword, refers) {
            (Some(keyword), _) => Some(keyword),
            (None, true) => Some(Kw::Ref.name().to_owned()),
            (None, false) => rule.and_then(writes),
        };
        let refs = Refs::of(tree, tree.root());
        let reference = node.filter(|_| refers);
        let over = |most: &u32| reference.and_then(|n| refs.node(n)).is_some_and(|to| refs.height(to) > *most);
        let limit = rule.and_then(nested).filter(over);
        let definition = reference.and_then(|node| definition(tree, &refs, node, limit.unwrap_or_default()));
        CapabilityError {
            type_name: Box::default(),
            dialect: self.name().into(),
            keyword: keyword.map(Into::into),
            definition: definition.map(Into::into),
            limit,
            path: path.into(),
            place: Box::default(),
            reason: finding.message.as_str().into(),
        }
    }
}

fn in_definition(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or_default();
    Kw::of(first).is_some_and(|kw| DEFINITIONS.has(kw))
}

/// A place that is a keyword of a schema: the schema's place, and the keyword.
fn split<'p>(tree: &Tree, path: &'p str) -> (&'p str, Option<String>) {
    let Some((up, last)) = path.rsplit_once('/') else { return (path, None) };
    let (mut at, mut holds) = (tree.root(), Holds::Schema);
    for token in up.split('/').skip(1) {
        let name = token_name(token);
        let next = match tree.kind(at) {
            Kind::Array => tree.element(at, token.parse().unwrap_or(usize::MAX)).map(|next| (next, holds.element())),
            _ => tree.member(at, &name).map(|next| (next, holds.member(&name, tree.kind(next) == Kind::Array))),
        };
        match next {
            Some(next) => (at, holds) = next,
            None => return (path, None),
        }
    }
    let schema = tree.kind(at) == Kind::Object && matches!(holds, Holds::Schema | Holds::SchemaOrList | Holds::SchemaOrBool);
    if schema { (up, Some(token_name(last))) } else { (path, None) }
}

/// The keyword that the rule's rewrite would have written.
fn writes(rule: &Rule) -> Option<String> {
    operations(rule).find_map(|op| match op {
        Op::Close => Some(Kw::AdditionalProperties.name().to_owned()),
        Op::RequireOptional { .. } => Some(Kw::Required.name().to_owned()),
        Op::Set { key, .. } => Some(key.clone()),
        _ => None,
    })
}

/// How many copies the rule's rewrite makes one inside the other.
fn nested(rule: &Rule) -> Option<u32> {
    operations(rule).find_map(|op| match op {
        Op::InlineRefs(how) if how.nested < u32::MAX => Some(how.nested),
        _ => None,
    })
}

fn operations(rule: &Rule) -> impl Iterator<Item = &Op> {
    rule.rewrite.iter().flat_map(|step| match step {
        Step::Do(op) => std::slice::from_ref(op),
        Step::OneOf(ops) => ops.as_slice(),
    })
}

/// The name of the definition that a reference leads to, after so many others that stand inside each other.
fn definition(tree: &Tree, refs: &Refs, node: Id, past: u32) -> Option<String> {
    let mut at = node;
    for _ in 0..past {
        let target = refs.node(at)?;
        // Of the references inside, the one that nests deepest.
        at = references(tree, refs, target).into_iter().max_by_key(|&inner| refs.node(inner).map_or(0, |to| refs.height(to)))?;
    }
    let text = tree.get(at, Kw::Ref).and_then(|r| tree.str(r))?;
    let last = text.rsplit('/').next().map(token_name)?;
    Some(last).filter(|name| !name.is_empty() && name != "#")
}

fn references(tree: &Tree, refs: &Refs, top: Id) -> Vec<Id> {
    let (mut out, mut stack) = (Vec::new(), vec![top]);
    while let Some(node) = stack.pop() {
        if refs.node(node).is_some() {
            out.push(node);
        }
        let from = stack.len();
        subschemas(tree, node, |child, via| {
            if !DEFINITIONS.has(via) {
                stack.push(child);
            }
        });
        stack.get_mut(from..).unwrap_or_default().reverse();
    }
    out
}
