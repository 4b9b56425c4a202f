//! A reading of a schema that a validator takes: the schema as given, without what cannot be checked.

use std::borrow::Cow;

use jsonschema::{Draft, PatternOptions, ValidationOptions};
use schemalect_engine::adapt::{Options, adapt};
use schemalect_engine::attr::Attr;
use schemalect_engine::check::{Given, Tool};
use schemalect_engine::keyword::{COMBINATORS, DEFINITIONS, KwSet, NOTES};
use schemalect_engine::op::{Op, Repair, Step};
use schemalect_engine::plan::{Certainty, Level, Plan, Pred, Rule, Site};
use schemalect_engine::refs::{Refs, Target};
use schemalect_engine::site::{holder, subschemas};
use schemalect_engine::{Id, Kind, Kw, Tree};
use serde_json::{Value, json};

use super::work::Work;
use super::{Unchecked, cut};

/// After so many places that the draft does not allow, the schema counts as unreadable.
const MOST_REPAIRS: usize = 64;

/// Keywords that may refuse null beside a type that takes it.
const CONDITIONS: KwSet = COMBINATORS.with(KwSet::of(&[Kw::Ref, Kw::DynamicRef, Kw::RecursiveRef, Kw::Not, Kw::If, Kw::Const]));
/// What stays beside a union that is put around a schema.
const BESIDE: KwSet =
    NOTES.with(DEFINITIONS).with(KwSet::of(&[Kw::Id, Kw::OldId, Kw::Anchor, Kw::DynamicAnchor, Kw::Schema, Kw::Nullable]));

/// A schema as it can be checked.
pub(super) struct Reading<'t> {
    pub(super) draft: Draft,
    pub(super) unchecked: Vec<Unchecked>,
    tree: Cow<'t, Tree>,
}

/// The formats of 2020-12, of which older drafts know some.
const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// How schemas are compiled: nothing is fetched, patterns never backtrack, and a format means in every draft what it means today.
pub(super) fn options(draft: Draft) -> ValidationOptions<'static> {
    let patterns = PatternOptions::regex().size_limit(1 << 22);
    let options = jsonschema::options().with_draft(draft).offline().should_validate_formats(true).with_pattern_options(patterns);
    let newer: Vec<&str> = FORMATS.into_iter().filter(|f| !options.is_known_format(draft, f)).collect();
    newer.into_iter().fold(options, |options, format| {
        let today = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
        match today.build(&json!({"format": format})) {
            Ok(today) => options.with_format(format, move |text: &str| today.is_valid(&Value::from(text))),
            Err(_) => options,
        }
    })
}

impl Reading<'_> {
    pub(super) fn of(tree: &Tree) -> Reading<'_> {
        let mut reading = Reading { draft: Draft::Draft202012, unchecked: Vec::new(), tree: Cow::Borrowed(tree) };
        reading.choose_draft();
        reading.repair();
        reading.leave_out();
        reading.spell_null();
        reading
    }

    /// The schema to compile.
    pub(super) fn schema(&self) -> Value {
        let mut schema = self.tree.to_value(self.tree.root());
        if let Some(object) = schema.as_object_mut() {
            object.remove("$schema");
        }
        schema
    }

    /// How much work judging by it is.
    pub(super) fn work(&self) -> Work {
        Work::of(&self.tree)
    }

    fn choose_draft(&mut self) {
        let Some(named) = self.tree.get(self.tree.root(), Kw::Schema) else { return };
        match self.tree.str(named).map(|name| Draft::default().detect(&json!({"$schema": name}))) {
            Some(draft) if draft != Draft::Unknown => self.draft = draft,
            _ => self.note("/$schema".to_owned(), "an unknown draft, read as 2020-12"),
        }
    }

    /// Where the draft does not allow the schema, its evident reading in 2020-12 is taken.
    fn repair(&mut self) {
        if refusal(self.draft, &self.schema()).is_none() {
            return;
        }
        let plan = repairs();
        let tool = Tool { name: Given::Missing, description: Given::Missing, schema: Some((&self.tree, self.tree.root())) };
        let adapted = adapt(&plan, &tool, &Options::default());
        for event in adapted.events.iter().filter(|e| e.operation == "repair") {
            let reason = format!("not valid in the schema's draft, read otherwise: {}", event.what);
            self.unchecked.push(Unchecked { path: event.input.clone(), reason: cut(&reason) });
        }
        if let Some(tree) = adapted.schema {
            self.tree = Cow::Owned(tree);
        }
        self.draft = Draft::Draft202012;
        for _ in 0..MOST_REPAIRS {
            let Some((path, message)) = refusal(self.draft, &self.schema()) else { return };
            let member = self.tree.at_pointer(self.tree.root(), &path).and_then(|at| self.member_at(at));
            let Some(member) = member else { return };
            self.unsay(member, &format!("not valid in the schema's draft, left out: {message}"));
        }
    }

    /// The keyword that a place inside a schema belongs to.
    fn member_at(&self, place: Id) -> Option<Id> {
        let schemas = self.schemas();
        let mut at = place;
        loop {
            let up = self.tree.parent(at)?;
            if schemas.contains(&up) {
                return Some(at);
            }
            at = up;
        }
    }

    /// Takes out patterns that need backtracking and references that lead nowhere; formats nobody knows are listed.
    fn leave_out(&mut self) {
        let root = self.tree.root();
        let refs = Refs::of(&self.tree, root);
        let mut gone: Vec<(Id, String)> = Vec::new();
        let known = options(self.draft);
        for node in self.schemas() {
            let tree = &self.tree;
            if let (Some(Target::Dangling | Target::Elsewhere), Some(kw)) =
                (refs.target(node), [Kw::Ref, Kw::DynamicRef, Kw::RecursiveRef].into_iter().find(|&kw| tree.get(node, kw).is_some()))
                && let Some(child) = tree.get(node, kw)
            {
                gone.push((child, format!("it leads to nothing in this schema: {}", tree.excerpt(child, 120))));
            }
            let pattern = tree.get(node, Kw::Pattern).filter(|&p| tree.kind(p) == Kind::Str);
            let keyed = tree.get(node, Kw::PatternProperties).filter(|&p| tree.kind(p) == Kind::Object);
            for (child, text) in pattern
                .map(|p| (p, tree.str(p).unwrap_or_default()))
                .into_iter()
                .chain(keyed.into_iter().flat_map(|map| tree.children(map)).map(|p| (p, tree.key(p))))
            {
                if options(Draft::Draft202012).build(&json!({"pattern": text})).is_err() {
                    gone.push((child, "no pattern that can be matched in linear time".to_owned()));
                }
            }
            let format = tree.get(node, Kw::Format).and_then(|f| tree.str(f));
            if let Some(format) = format.filter(|f| !known.is_known_format(self.draft, f)) {
                let path = tree.pointer(root, node) + "/format";
                let reason = format!("a format nobody checks: {format}");
                self.unchecked.push(Unchecked { path, reason: cut(&reason) });
            }
        }
        for (child, reason) in gone {
            self.unsay(child, &reason);
        }
    }

    /// Takes out the names that places give themselves, where one of them cannot be read; true where there was one.
    pub(super) fn forget_names(&mut self) -> bool {
        let named = |n: Id| [Kw::Id, Kw::OldId].into_iter().map(move |kw| (kw, n));
        let places: Vec<(Kw, Id)> = self.schemas().into_iter().flat_map(named).filter(|(kw, n)| self.tree.get(*n, *kw).is_some()).collect();
        for &(kw, node) in &places {
            self.note(self.tree.pointer(self.tree.root(), node) + "/" + kw.name(), "a name that no reference can use");
            let tree = self.tree.to_mut();
            if let Some(name) = tree.get(node, kw) {
                tree.detach(name);
            }
        }
        !places.is_empty()
    }

    /// OpenAPI's flag for null in the words of every draft; it counts whatever else stands beside it, as it is mostly meant.
    fn spell_null(&mut self) {
        let flagged = |n: &Id| self.tree.get(*n, Kw::Nullable).and_then(|f| self.tree.bool(f)) == Some(true);
        let nodes: Vec<Id> = self.schemas().into_iter().filter(flagged).collect();
        for node in nodes {
            let tree = self.tree.to_mut();
            if tree.keys(node).meets(CONDITIONS) {
                let (list, inner, null) = (tree.new_array(), tree.new_object(), tree.new_value(&json!({"type": "null"})));
                let members: Vec<Id> = tree.children(node).filter(|&c| tree.kw(c).is_some_and(|kw| !BESIDE.has(kw))).collect();
                for member in members {
                    tree.detach(member);
                    if let Some(kw) = tree.kw(member) {
                        tree.set(inner, kw, member);
                    }
                }
                tree.append(list, inner);
                tree.append(list, null);
                tree.set(node, Kw::AnyOf, list);
                continue;
            }
            if let Some(list) = tree.get(node, Kw::Enum).filter(|&l| tree.kind(l) == Kind::Array) {
                let null = tree.new_null();
                tree.append(list, null);
            }
            let Some(named) = tree.get(node, Kw::Type) else { continue };
            let list = match tree.kind(named) {
                Kind::Array => named,
                _ => {
                    let list = tree.new_array();
                    tree.replace(named, list);
                    tree.append(list, named);
                    list
                }
            };
            if !tree.children(list).any(|t| tree.str(t).as_deref() == Some("null")) {
                let null = tree.new_str("null");
                tree.append(list, null);
            }
        }
    }

    /// Removes a member so that nothing is refused for its absence.
    fn unsay(&mut self, member: Id, reason: &str) {
        let root = self.tree.root();
        if !self.tree.within(member, root) {
            return;
        }
        let schemas = self.schemas();
        let tree = &self.tree;
        let (target, mut node) = outermost(tree, &schemas, member);
        let mut gone = vec![target];
        if tree.parent(target) != Some(node) {
            // What a pattern of keys took is no undeclared key now.
            gone.extend(tree.get(node, Kw::AdditionalProperties));
        } else if tree.kw(target) == Some(Kw::If) {
            gone.extend([Kw::Then, Kw::Else].into_iter().filter_map(|kw| tree.get(node, kw)));
        }
        loop {
            if schemas.contains(&node) {
                gone.extend([Kw::UnevaluatedProperties, Kw::UnevaluatedItems].into_iter().filter_map(|kw| tree.get(node, kw)));
            }
            match tree.parent(node).filter(|_| node != root) {
                Some(up) => node = up,
                None => break,
            }
        }
        self.note(self.tree.pointer(root, target), reason);
        let tree = self.tree.to_mut();
        for id in gone {
            tree.detach(id);
        }
    }

    fn schemas(&self) -> Vec<Id> {
        let mut out = vec![self.tree.root()];
        let mut next = 0;
        while let Some(&node) = out.get(next) {
            subschemas(&self.tree, node, |child, _| out.push(child));
            next = next.saturating_add(1);
        }
        out
    }

    fn note(&mut self, path: String, reason: &str) {
        self.unchecked.push(Unchecked { path, reason: cut(reason) });
    }
}

/// The outermost keyword around a member under which saying less would refuse more, else the member; and its schema.
fn outermost(tree: &Tree, schemas: &[Id], member: Id) -> (Id, Id) {
    let (mut found, mut inner) = (member, None);
    let mut at = member;
    while let Some(up) = tree.parent(at).filter(|_| at != tree.root()) {
        if schemas.contains(&up) {
            inner = inner.or(Some(up));
        }
        if schemas.contains(&at)
            && let Some((node, via)) = holder(tree, at)
            && matches!(via, Kw::Not | Kw::OneOf | Kw::If | Kw::Contains)
            && let Some(keyword) = tree.get(node, via)
        {
            (found, inner) = (keyword, Some(node));
        }
        at = up;
    }
    (found, inner.unwrap_or(tree.root()))
}

/// Where and why the draft refuses a schema.
fn refusal(draft: Draft, schema: &Value) -> Option<(String, String)> {
    let refused = match draft {
        Draft::Draft4 => jsonschema::draft4::meta::validate(schema),
        Draft::Draft6 => jsonschema::draft6::meta::validate(schema),
        Draft::Draft7 => jsonschema::draft7::meta::validate(schema),
        Draft::Draft201909 => jsonschema::draft201909::meta::validate(schema),
        _ => jsonschema::draft202012::meta::validate(schema),
    };
    refused.err().map(|e| (e.instance_path().to_string(), e.to_string()))
}

/// The one rule: a keyword whose value the draft does not allow gets its evident reading.
fn repairs() -> Plan {
    let mut plan = Plan::default();
    plan.rules.push(Rule {
        id: "keyword-value-invalid".into(),
        title: String::new(),
        message: String::new(),
        change: None,
        why: "".into(),
        site: Site::Schema,
        when: Pred::attr(Attr::Misfit),
        rewrite: vec![Step::Do(Op::Repair(Repair::ALL))],
        level: Level::Error,
        stage: "".into(),
        certainty: Certainty::Certain,
        sources: [].into(),
    });
    plan
}
