//! References: inlined, hoisted, pruned.

use std::collections::VecDeque;

use super::{InlineRefs, RefChoice};
use crate::attr::Types;
use crate::definitions::unused_definitions;
use crate::doc::{Cycles, Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::facts::Cx;
use crate::keyword::{DEFINITIONS, Kw, KwSet, NOTES, Role};
use crate::note::Note;
use crate::op::cost::{drop_cost, types_of};
use crate::refs::{KINDS, REFERENCES, Target, percent_decode};
use crate::site::{holder, subschemas};
use crate::tree::{Id, Kind, Tree};
use crate::valid::read_types;

/// A definition of so many nodes is always written out.
const LEAF: usize = 16;
/// Where copies end up deeper than this, inlining stops as if the budget were spent.
const DEEPEST: usize = 160;

impl Doc<'_, '_> {
    /// Replaces a reference by a copy of what it means; `folds` says that what is left of it will become JSON text.
    pub(crate) fn inline(&mut self, node: Id, how: &InlineRefs, folds: bool) -> Outcome {
        let target = self.refs.target(node).ok_or(Declined)?;
        let text = KINDS.iter().find_map(|&kw| self.tree.get(node, kw)).map(|r| self.tree.excerpt(r, 120)).unwrap_or_default();
        let Target::Node(to) = target else {
            return self.instead(node, None, how.unresolved, (&text, how));
        };
        // What is counted from where a definition is used must not be written out within the definition first.
        let counted = how.nested < u32::MAX && self.definition_around(node).is_some();
        if counted || self.stays(node, to, how.recursion, folds) {
            return Err(Declined);
        }
        // What is nothing without itself stays a reference however often it is written out.
        if self.refs.cyclic(to) && (self.unrolled(node, to) > how.depth as usize || self.refs.leads_to_itself(to)) {
            return self.instead(node, Some(to), how.recursion, (&text, how));
        }
        let from_base = to.at() < self.base.len() && !self.recoded.contains(&to);
        let size = if from_base { self.base_size(to) } else { self.tree.size(to) };
        let made = self.tree.len().saturating_sub(self.base.len());
        // What is this small takes no more room than a word about it would.
        let room = made.saturating_add(size) <= self.options.budget.expanded || (size <= LEAF && !self.leads_on(to));
        if !room || self.wordy(to, from_base) || self.tree.depth(node) > DEEPEST || self.nests_over(node, to, how.nested) {
            return self.instead(node, Some(to), how.over_budget, (&text, how));
        }
        let copy = if from_base { self.copy_base(to) } else { self.copy(to).ok_or(Declined)? };
        for kw in KINDS {
            self.tree.remove(node, kw);
        }
        self.refs.forget(node);
        self.strip_identity(copy);
        self.merge(node, copy);
        self.expanded.entry(node).or_default().push(to);
        done(Effects::NONE, text.trim_matches('"'))
    }

    /// Whether a recursive definition stays one: opened once more each time, it would grow for ever.
    fn stays(&mut self, node: Id, to: Id, choice: RefChoice, folds: bool) -> bool {
        if node == self.tree.root() || !self.refs.cyclic(to) {
            return false;
        }
        match choice {
            RefChoice::Keep | RefChoice::Refuse => true,
            RefChoice::Bare => self.tree.children(node).nth(1).is_none() || self.grows((to, choice, folds), Self::can_be_bare),
            RefChoice::JsonText => self.grows((to, choice, folds), |doc, back| doc.can_be_text(back, folds)),
        }
    }

    /// Whether a definition refers to others.
    fn leads_on(&self, to: Id) -> bool {
        let mut stack = vec![to];
        while let Some(node) = stack.pop() {
            let refers = self.refs.target(node).is_some() || (node.at() < self.base.len() && self.base_refs.target(node).is_some());
            if refers {
                return true;
            }
            subschemas(&self.tree, node, |child, _| stack.push(child));
        }
        false
    }

    /// Whether a recursive definition has references of its own that cannot be brought to an end: opened, each would ask to be opened.
    fn grows(&mut self, how: (Id, RefChoice, bool), ends: impl Fn(&Self, Id) -> bool) -> bool {
        if let Some(&known) = self.growing.get(&how) {
            return known;
        }
        let mut stack = vec![how.0];
        let mut grows = false;
        while let Some(node) = stack.pop().filter(|_| !grows) {
            let back = self.refs.node(node).filter(|&t| self.refs.recursive(node) && self.refs.cyclic(t));
            grows = back.is_some() && {
                let (_, choice, folds) = how;
                let known = self.ending.get(&(node, choice, folds)).copied();
                let ends = known.unwrap_or_else(|| ends(self, node));
                self.ending.insert((node, choice, folds), ends);
                !ends
            };
            subschemas(&self.tree, node, |child, _| stack.push(child));
        }
        self.growing.insert(how, grows);
        grows
    }

    fn can_be_bare(&self, node: Id) -> bool {
        self.refs.node(node).is_some_and(|target| self.permit(node, beside_cost(&self.tree, target, node)).is_ok())
    }

    fn can_be_text(&self, node: Id, folds: bool) -> bool {
        let alone = || (self.is_value(node, Types::STRING) && !self.below_all_of(node)).then_some(node);
        let value = if folds { self.value_around(node) } else { alone() };
        value.is_some_and(|v| self.permit(v, Effects::RECODES.with(Effects::WIDENS).with(self.rival_cost(v, Types::STRING))).is_ok())
    }

    /// A copy is no place to refer to, nor are the definitions in it: its references mean the originals.
    fn strip_identity(&mut self, copy: Id) {
        for kw in [Kw::Id, Kw::OldId, Kw::Anchor, Kw::DynamicAnchor, Kw::RecursiveAnchor, Kw::Schema] {
            self.tree.remove(copy, kw);
        }
        for node in self.schemas(copy, false) {
            for kw in [Kw::Defs, Kw::Definitions] {
                self.tree.remove(node, kw);
            }
        }
    }

    /// Whether copies would stand in more than so many others. It is all of a definition or nothing: else the same schema, adapted again,
    /// would be opened further each time.
    fn nests_over(&self, node: Id, to: Id, nested: u32) -> bool {
        if nested == u32::MAX {
            return false;
        }
        let mut around = 0_usize;
        let mut at = Some(node);
        while let Some(here) = at {
            around = around.saturating_add(self.expanded.get(&here).map_or(0, Vec::len));
            at = self.tree.parent(here);
        }
        let height = if to.at() < self.base.len() { self.base_refs.height(to) } else { self.refs.height(to) };
        around.saturating_add(height as usize) > nested as usize
    }

    /// How often the target has been copied around the node, or is around it.
    fn unrolled(&self, node: Id, target: Id) -> usize {
        let mut count = 0_usize;
        let mut at = Some(node);
        while let Some(here) = at {
            let copies = self.expanded.get(&here).map_or(0, |l| l.iter().filter(|&&t| t == target).count());
            count = count.saturating_add(copies).saturating_add(usize::from(here == target));
            at = self.tree.parent(here);
        }
        count
    }

    fn instead(&mut self, node: Id, target: Option<Id>, choice: RefChoice, (text, how): (&str, &InlineRefs)) -> Outcome {
        match choice {
            RefChoice::Keep | RefChoice::Refuse => Err(Declined),
            RefChoice::Bare => {
                let beside: Vec<Id> = beside(&self.tree, node).collect();
                let cost = target.map_or(Effects::NONE, |t| beside_cost(&self.tree, t, node));
                let effect = self.permit(node, cost)?;
                if beside.is_empty() {
                    return Err(Declined);
                }
                for child in beside {
                    self.tree.detach(child);
                }
                done(effect, format!("beside {text}"))
            }
            RefChoice::JsonText
                if target.is_none() && node != self.tree.root() && (!self.is_value(node, Types::STRING) || self.below_all_of(node)) =>
            {
                self.let_go(node, text)
            }
            // Its parts speak of one value, and only some of them would speak of text.
            RefChoice::JsonText if self.below_all_of(node) => Err(Declined),
            RefChoice::JsonText => {
                let shape = target.map(|t| {
                    let t = if t.at() < self.base.len() { t } else { self.source(t) };
                    self.base.excerpt(t, super::recode::SHOWN)
                });
                let kind = target.filter(|t| t.at() < self.base.len()).map(|t| read_types(self.base, t).types);
                self.fold(node, shape, kind.unwrap_or_default(), how.words.as_deref()).map(|mut d| {
                    d.what = text.trim_matches('"').to_owned();
                    d
                })
            }
        }
    }

    /// Whether the node is part of an `allOf` that has still to be merged.
    fn below_all_of(&self, node: Id) -> bool {
        let mut at = node;
        while let Some((up, via)) = (at != self.tree.root()).then(|| holder(&self.tree, at)).flatten() {
            if via == Kw::AllOf {
                return true;
            }
            at = up;
        }
        false
    }

    /// Drops a condition that nobody here can read; the value it is about says where it stands.
    fn let_go(&mut self, node: Id, text: &str) -> Outcome {
        let effect = self.permit(node, Effects::WIDENS)?;
        for kw in KINDS {
            self.tree.remove(node, kw);
        }
        self.refs.forget(node);
        let mut about = node;
        while let Some((up, _)) = holder(&self.tree, about).filter(|_| !self.is_value(about, Types::default())) {
            about = up;
        }
        self.note(about, Note::free(format!("Refers to {text}.")));
        done(effect, text.trim_matches('"'))
    }

    /// Moves every target that does not stand in the root's definitions there; the node's own reference is respelt at once, since rules may ask
    /// how it is spelt.
    pub(crate) fn hoist(&mut self, node: Id, old_name: bool) -> Outcome {
        let mut moved = if old_name { self.give_new_name() } else { Vec::new() };
        if std::mem::take(&mut self.unhoisted) {
            moved.extend(self.hoist_all());
        }
        let respelt = self.respell_one(node);
        match respelt {
            _ if !moved.is_empty() => done(Effects::NONE, moved.join(", ")),
            Some(what) => done(Effects::NONE, what),
            None => Err(Declined),
        }
    }

    /// Moves the root's `definitions` to its `$defs`.
    fn give_new_name(&mut self) -> Vec<String> {
        let root = self.tree.root();
        let Some(map) = self.tree.get(root, Kw::Definitions).filter(|&m| self.tree.kind(m) == Kind::Object) else { return Vec::new() };
        if !self.tree.keys(root).has(Kw::Defs) {
            self.tree.rename(map, Kw::Defs.name());
            return vec![Kw::Defs.name().to_owned()];
        }
        let definitions: Vec<Id> = self.tree.children(map).collect();
        self.tree.detach(map);
        let moved = definitions.into_iter().map(|definition| {
            let wish = self.tree.key(definition).into_owned();
            self.tree.detach(definition);
            self.define(definition, &wish)
        });
        moved.collect()
    }

    fn hoist_all(&mut self) -> Vec<String> {
        let root = self.tree.root();
        let (mut moved, mut emptied) = (Vec::new(), Vec::new());
        let mut open: VecDeque<Id> = self.schemas(root, true).into();
        while let Some(node) = open.pop_front() {
            let Some(to) = self.refs.node(node).filter(|&to| self.is_misplaced(to)) else { continue };
            let place = holder(&self.tree, to);
            let wish = self.tree.key(to).into_owned();
            let wish = if wish.is_empty() { "definition".to_owned() } else { wish };
            if place.is_some_and(|(_, kw)| DEFINITIONS.has(kw)) {
                self.tree.detach(to);
                self.define(to, &wish);
                moved.push(wish);
                continue;
            }
            let Some(copy) = self.copy(to) else {
                // Room does not come back.
                self.unhoistable = true;
                break;
            };
            self.strip_identity(copy);
            emptied.extend(self.definition_around(to));
            self.refs.redirect(to, copy);
            self.define(copy, &wish);
            moved.push(wish);
            open.extend(self.schemas(copy, true));
        }
        // What stays in a nested map is used by nobody.
        let led = self.led_into();
        let maps = [Kw::Defs, Kw::Definitions].into_iter().filter_map(|kw| self.tree.get(root, kw));
        let folders = maps.flat_map(|map| self.tree.children(map)).filter(|&d| self.tree.keys(d) == KwSet::OTHER);
        emptied.extend(folders);
        emptied.sort_unstable();
        emptied.dedup();
        emptied.retain(|d| !led.contains(d));
        for definition in emptied {
            self.tree.detach(definition);
        }
        for node in self.schemas(root, true) {
            if node == root || !self.tree.keys(node).meets(DEFINITIONS) {
                continue;
            }
            for kw in [Kw::Defs, Kw::Definitions] {
                let free = self.tree.get(node, kw).is_some_and(|m| !led.contains(&m));
                if free {
                    self.tree.remove(node, kw);
                    moved.push(kw.name().to_owned());
                }
            }
        }
        self.unhoisted = false;
        moved
    }

    /// The root's definition that a node stands in.
    fn definition_around(&self, node: Id) -> Option<Id> {
        let root = self.tree.root();
        let mut at = node;
        while let Some(up) = self.tree.parent(at) {
            if self.tree.parent(up) == Some(root) {
                return self.tree.kw(up).is_some_and(|kw| DEFINITIONS.has(kw)).then_some(at);
            }
            at = up;
        }
        None
    }

    /// The nodes that a reference from outside of them leads into.
    pub(crate) fn led_into(&self) -> hashbrown::HashSet<Id, foldhash::fast::FixedState> {
        let mut led = hashbrown::HashSet::default();
        // For every node: the last reference that was seen to stand in it.
        let mut around = vec![None; self.tree.len()];
        for node in self.schemas(self.tree.root(), true) {
            let Some(target) = self.refs.node(node) else { continue };
            let mut at = Some(node);
            while let Some(here) = at {
                if let Some(last) = around.get_mut(here.at()) {
                    *last = Some(node);
                }
                at = self.tree.parent(here);
            }
            let mut at = Some(target);
            while let Some(here) = at.filter(|h| around.get(h.at()) != Some(&Some(node))) {
                led.insert(here);
                at = self.tree.parent(here);
            }
        }
        led
    }

    /// Removes definitions that nothing leads to, and maps that are empty then.
    pub(crate) fn prune(&mut self) -> Outcome {
        let root = self.tree.root();
        let cx = Cx { tree: &self.tree, root, refs: &self.refs, want: crate::attr::AttrSet::EMPTY };
        let unused = unused_definitions(&cx);
        let mut names: Vec<String> = unused.iter().take(8).map(|&d| self.tree.key(d).into_owned()).collect();
        if unused.len() > names.len() {
            names.push(format!("and {} more", unused.len().saturating_sub(names.len())));
        }
        let gone = !unused.is_empty();
        for definition in unused {
            let map = self.tree.parent(definition);
            self.tree.detach(definition);
            if let Some(map) = map.filter(|&m| self.tree.parent(m) != Some(root) && self.tree.node(m).first.some().is_none()) {
                self.tree.detach(map);
            }
        }
        if gone {
            self.prune_mappings();
        }
        for kw in [Kw::Defs, Kw::Definitions] {
            if let Some(map) = self.tree.get(root, kw)
                && self.tree.kind(map) == Kind::Object
                && self.tree.node(map).first.some().is_none()
            {
                self.tree.detach(map);
                if names.is_empty() {
                    names.push(kw.name().to_owned());
                }
            }
        }
        if names.is_empty() { Err(Declined) } else { done(Effects::NONE, names.join(", ")) }
    }

    /// A discriminator's mapping names definitions by their places: what names none goes.
    fn prune_mappings(&mut self) {
        let root = self.tree.root();
        let tree = &self.tree;
        let mut gone = Vec::new();
        for node in self.schemas(root, true) {
            let mapping = tree.get(node, Kw::Discriminator).and_then(|d| tree.member(d, "mapping"));
            let Some(mapping) = mapping.filter(|&m| tree.kind(m) == Kind::Object) else { continue };
            let lost = |m: &Id| {
                let place = tree.str(*m).and_then(|t| t.strip_prefix('#').map(percent_decode));
                place.is_some_and(|p| tree.at_pointer(root, &p).is_none())
            };
            let lost: Vec<Id> = tree.children(mapping).filter(lost).collect();
            if lost.len() == tree.count(mapping) {
                gone.push(mapping);
            } else {
                gone.extend(lost);
            }
        }
        for member in gone {
            self.tree.detach(member);
        }
    }

    /// Replaces the node's reference by a copy of what it means; false where that cannot be.
    pub(crate) fn open(&mut self, node: Id) -> bool {
        // What a chain leads to from outside of a cycle is no cycle here, whatever it is where the chain began.
        let cyclic = self.refs.node(node).is_some_and(|target| self.refs.cyclic(target));
        if self.refs.recursive(node) || (cyclic && self.cycles == Cycles::Closed) || !self.ends(node) {
            return !self.tree.keys(node).meets(REFERENCES);
        }
        if cyclic {
            self.cycles = Cycles::Opened;
        }
        loop {
            if !self.tree.keys(node).meets(REFERENCES) {
                return true;
            }
            let Some(target) = self.refs.node(node) else { return false };
            let Some(copy) = self.copy(target) else { return false };
            self.strip_identity(copy);
            for kw in KINDS {
                self.tree.remove(node, kw);
            }
            self.refs.forget(node);
            self.merge(node, copy);
        }
    }

    /// Whether the references for one value come to an end: none leads, through others and the parts of combinators, to where it stands.
    fn ends(&self, node: Id) -> bool {
        self.ends_within(node, &mut Vec::new(), &mut 256)
    }

    fn ends_within(&self, node: Id, path: &mut Vec<Id>, left: &mut u32) -> bool {
        if *left == 0 || path.len() > 64 {
            return false;
        }
        *left = left.saturating_sub(1);
        if self.tree.kind(node) != Kind::Object {
            return true;
        }
        if self.tree.keys(node).meets(REFERENCES) {
            let Some(target) = self.refs.node(node).filter(|t| !path.contains(t)) else { return false };
            path.push(target);
            let ends = self.ends_within(target, path, left);
            path.pop();
            if !ends {
                return false;
            }
        }
        let lists = [Kw::AllOf, Kw::AnyOf, Kw::OneOf].into_iter().filter_map(|kw| self.tree.get(node, kw));
        path.is_empty() || lists.flat_map(|l| self.tree.children(l)).all(|branch| self.ends_within(branch, path, left))
    }
}

/// What stands beside a node's reference.
fn beside(tree: &Tree, node: Id) -> impl Iterator<Item = Id> + '_ {
    tree.children(node).filter(|&c| tree.kw(c).is_none_or(|kw| !REFERENCES.has(kw)))
}

/// What dropping it costs.
fn beside_cost(tree: &Tree, target: Id, node: Id) -> Effects {
    let said = beside(tree, node).filter(|&child| !implied(tree, target, child));
    said.fold(Effects::NONE, |all, child| all.with(drop_cost(tree, node, child)))
}

/// Whether a schema says by itself what stands beside a reference to it.
fn implied(tree: &Tree, target: Id, beside: Id) -> bool {
    let Some(kw) = tree.kw(beside) else { return false };
    let same = |kw: Kw| tree.get(target, kw).is_some_and(|own| tree.same(own, beside));
    match kw {
        Kw::Type => {
            let (own, said) = (read_types(tree, target).types, types_of(tree, beside));
            !own.is_empty() && said.covers(own)
        }
        // What means something only together with its neighbours is not compared alone.
        Kw::Properties | Kw::PatternProperties | Kw::Required | Kw::Enum | Kw::Const => same(kw),
        _ => kw.role() == Role::Limit && same(kw),
    }
}

/// The keys that may stay beside a union when its siblings move into the branches.
pub(crate) const STAYS: KwSet =
    NOTES.with(DEFINITIONS).with(KwSet::of(&[Kw::AnyOf, Kw::OneOf, Kw::Id, Kw::OldId, Kw::Anchor, Kw::Nullable]));
