//! The phase driver: rewrites a copy until the plan accepts it, and says what was done.

pub(crate) mod marks;
mod tool;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::check::{Given, Tool, check_rules, check_schema, check_texts, visit_except};
use crate::doc::{Change, Cycles, Declined, Doc, Done, Outcome};
use crate::effect::Effects;
use crate::facts::{Cx, Facts};
use crate::finding::Finding;
use crate::log::Event;
use crate::measure::is_union;
use crate::memo::{Found, Known, Sight};
use crate::note::describe;
use crate::op::{Op, Phase, Step};
use crate::path::Places;
use crate::plan::{Level, Plan, Rule};
use crate::pred::{Counted, Spot};
use crate::refs::Refs;
use crate::restore::RestorePlan;
use crate::restore::build::stage;
use crate::restore::guard::typed;
use crate::restore::plan::Stage;
use crate::rule_set::RuleSet;
use crate::site::{Place, children, place_of, requires};
use crate::tree::{Id, Kind, Tree};

use marks::{Mark, Marks};
use tool::{adapt_texts, give_schema};

/// One pass over the phases repairs nearly everything; a rewrite may uncover work for an earlier phase.
const MOST_ROUNDS: usize = 6;
/// Of a node before and after a change, so many bytes are kept.
const SHOWN: usize = 240;

/// Choices of the caller.
#[derive(Clone, Debug)]
pub struct Options {
    /// The effects that rewrites may have.
    pub allow: Effects,
    /// Whether events carry the node before and after.
    pub audit: bool,
    /// Whether the restore plan says what the tool's own schema takes, as lenient reading needs it.
    pub types: bool,
    /// So many optional properties become required ones that take null, where a rule about the whole list repairs that way.
    pub require: usize,
    /// Limits.
    pub budget: Budget,
}

impl Default for Options {
    fn default() -> Options {
        Options { allow: Effects::DEFAULT_ALLOWED, audit: false, types: false, require: 0, budget: Budget::default() }
    }
}

/// What became of a tool.
#[derive(Clone, Debug)]
pub struct Adapted {
    /// The rewritten schema; `None` where the tool had none.
    pub schema: Option<Tree>,
    /// The rewritten name, where it had to change.
    pub name: Option<String>,
    /// The rewritten description, where it had to change.
    pub description: Option<String>,
    /// Whether anything changed.
    pub changed: bool,
    /// All effects of the events.
    pub effects: Effects,
    /// Every change, in order.
    pub events: Vec<Event>,
    /// What `check` still finds of level error on the result, by rule order.
    pub residue: Vec<Finding>,
    /// How to map arguments back; `None` where they need no mapping.
    pub plan: Option<RestorePlan>,
}

/// Rewrites a copy of the tool.
#[must_use]
pub fn adapt(plan: &Plan, tool: &Tool<'_>, options: &Options) -> Adapted {
    let mut out = Adapted {
        schema: None,
        name: None,
        description: None,
        changed: false,
        effects: Effects::NONE,
        events: Vec::new(),
        residue: Vec::new(),
        plan: None,
    };
    let mut stages: Vec<Stage> = Vec::new();
    let mut types = None;
    let mut refused = false;
    let mut left_out = Vec::new();
    let given = give_schema(plan, tool, &mut out);
    let tool = &Tool { schema: given.as_ref().map(|tree| (tree, tree.root())).or(tool.schema), ..*tool };
    if let Some((tree, root)) = tool.own_schema() {
        types = options.types.then(|| typed(tree, root, &Refs::of(tree, root))).flatten();
        let base = if root == tree.root() { Cow::Borrowed(tree) } else { Cow::Owned(tree.extract(root)) };
        let first = Scan::of(plan, &base);
        refused = first.refused;
        let rewrites = first.repairable || options.require > 0;
        // References that lead elsewhere are worse than what is refused: such a schema stays as it came.
        match rewrites.then(|| rewritten(plan, &base, options, first)).filter(|driver| !driver.doc.stale) {
            Some(mut driver) => {
                refused = driver.refused;
                stages.append(&mut driver.stages);
                left_out.append(&mut driver.left_out);
                let Driver { doc, .. } = driver;
                finish(plan, doc, &mut out);
            }
            None => out.schema = Some(base.into_owned()),
        }
    }
    adapt_texts(plan, tool, options, &mut out);
    out.effects = out.events.iter().fold(Effects::NONE, |all, e| all.with(e.effect));
    out.changed = !out.events.is_empty();
    let result = Tool {
        name: out.name.as_deref().map_or(tool.name, Given::Text),
        description: out.description.as_deref().map_or(tool.description, Given::Text),
        schema: out.schema.as_ref().map(|t| (t, t.root())).or_else(|| tool.schema.filter(|_| tool.own_schema().is_none())),
    };
    let mut residue = check_texts(plan, &result);
    if let Some((tree, root)) = result.own_schema().filter(|_| refused) {
        check_schema(plan, tree, root, &mut residue);
    }
    // What is final may be gone from the result, or still be there.
    left_out.retain(|f| !residue.iter().any(|r| r.rule == f.rule && r.path == f.path));
    residue.append(&mut left_out);
    residue.retain(|f| f.level == Level::Error);
    out.plan = RestorePlan::of(&plan.profile, (tool.name.text(), out.name.as_deref()), stages, types);
    out.residue = residue;
    out
}

/// The schema when the plan has been run on it.
fn rewritten<'p, 't, 'o>(plan: &'p Plan, base: &'t Tree, options: &'o Options, mut first: Scan) -> Driver<'p, 't, 'o> {
    let refs = first.refs.take().unwrap_or_else(|| Refs::of(base, base.root()));
    let mut driver = Driver::new(plan, base, refs, options);
    // Without more room, or after so many changes, what would go on is still.
    let ended = driver.run(first) && !driver.doc.crowded.get() && driver.doc.log.len() < options.budget.events;
    if !ended && driver.doc.cycles == Cycles::Opened {
        // A cycle that is opened may have to be opened again for ever.
        let mut closed = Driver::new(plan, base, driver.doc.base_refs.clone(), options);
        closed.doc.cycles = Cycles::Closed;
        if closed.run(Scan::of(plan, base)) {
            driver = closed;
        }
    }
    driver
}

/// Which rules hold somewhere in a schema.
struct Scan {
    fires: RuleSet,
    /// Some rule that holds has an operation.
    repairable: bool,
    /// Some rule that holds is of level error.
    refused: bool,
    /// What the references mean, where any rule was looked for.
    refs: Option<Refs>,
    /// What holds where.
    marks: Marks,
}

impl Scan {
    fn of(plan: &Plan, tree: &Tree) -> Scan {
        Scan::again(plan, tree, |_, _| false)
    }

    /// Leaves out the nodes of which it is known that no rule holds there or below.
    fn again(plan: &Plan, tree: &Tree, clean: impl Fn(Id, &Place) -> bool) -> Scan {
        let (index, root) = (plan.index(), tree.root());
        let fires = RuleSet::none(plan.rules.len());
        let mut scan = Scan { fires, repairable: false, refused: false, refs: None, marks: Marks::default() };
        if index.schema.is_empty() {
            return scan;
        }
        let refs = Refs::of(tree, root);
        scan.marks = Marks::of(tree);
        visit_except(&Cx { tree, root, refs: &refs, want: index.want }, clean, |sight, counted| {
            let known = index.memo.at(plan, sight);
            let spot = &Spot { cx: sight.cx, node: sight.node, facts: &known.facts, place: sight.place, counted };
            scan.marks.see(sight.node, sight.place);
            for candidate in &known.rules {
                let (i, due) = (candidate.rule, index.due(candidate.rule));
                if (scan.fires.has(i) && scan.marks.has(sight.node, due)) || !candidate.holds(spot) {
                    continue;
                }
                scan.marks.put(tree, sight.node, due);
                scan.fires.insert(i);
                scan.repairable |= !index.operations(i).is_empty();
                scan.refused |= plan.rule(i).level == Level::Error;
            }
            ControlFlow::Continue(())
        });
        scan.refs = Some(refs);
        scan
    }
}

/// The rules of a phase: all of them, and those that were seen to hold before anything changed.
struct Candidates {
    rules: Vec<usize>,
    known: Vec<usize>,
    phase: Phase,
    top_down: bool,
}

/// A schema that is still to be gone to, or left when all `below` it is done.
struct Visit {
    node: Id,
    place: Place,
    below: bool,
}

struct Driver<'p, 't, 'o> {
    plan: &'p Plan,
    doc: Doc<'t, 'o>,
    stages: Vec<Stage>,
    options: &'o Options,
    /// Where values are written in another form since the last round began.
    recoded: Vec<Id>,
    /// Optional properties that were required for the sake of the list.
    required: usize,
    /// What nothing can repair.
    left_out: Vec<Finding>,
    /// Whether a rule of level error still holds.
    refused: bool,
    /// What the last scan saw.
    marks: Marks,
}

impl<'p, 't, 'o> Driver<'p, 't, 'o> {
    fn new(plan: &'p Plan, base: &'t Tree, refs: Refs, options: &'o Options) -> Driver<'p, 't, 'o> {
        let doc = Doc::new(base, refs, options);
        Driver {
            plan,
            doc,
            stages: Vec::new(),
            options,
            recoded: Vec::new(),
            required: 0,
            left_out: Vec::new(),
            refused: false,
            marks: Marks::default(),
        }
    }

    /// Returns whether nothing more would change.
    fn run(&mut self, first: Scan) -> bool {
        let (scan, settled) = self.rounds(first);
        self.refused = scan.refused;
        // Rules that undo each other's work have done nothing where that leads back to the beginning.
        if !settled && self.stages.is_empty() {
            let (tree, base) = (&self.doc.tree, self.doc.base);
            if tree.to_json(tree.root()) == base.to_json(base.root()) {
                self.doc.log.clear();
            }
        }
        settled
    }

    /// What holds in the end, and whether nothing more would change.
    fn rounds(&mut self, first: Scan) -> (Scan, bool) {
        let mut scan = first;
        for round in 0..MOST_ROUNDS {
            let before = self.doc.log.len();
            self.marks = std::mem::take(&mut scan.marks);
            if round > 0 {
                // What is recursive changes with what was opened and wrapped.
                self.doc.refs = scan.refs.take().unwrap_or_default();
                self.mark_recoded();
            }
            for phase in Phase::ALL {
                if phase == Phase::Recode && round == 0 && !self.plan.index().leave_out.is_empty() {
                    let (tree, refs) = (&self.doc.tree, &self.doc.refs);
                    check_rules(self.plan, &self.plan.index().leave_out, (tree, tree.root(), refs), &mut self.left_out);
                }
                let changed = self.doc.log.len() > before;
                self.phase(phase, &scan.fires, changed);
            }
            let brought = self.doc.respell();
            if self.doc.stale {
                return (scan, false);
            }
            if self.doc.log.len() == before && !brought {
                return (scan, true);
            }
            scan = self.scan_again();
            self.doc.tree.settle();
            if !scan.repairable {
                return (scan, true);
            }
        }
        (scan, false)
    }

    fn scan_again(&self) -> Scan {
        let tree = &self.doc.tree;
        let clean = |node, place: &Place| !tree.edited(node) && self.mark(node).is_some_and(|mark| mark.is_clean(place));
        let scan = Scan::again(self.plan, tree, clean);
        debug_assert_eq!(scan.fires, Scan::of(self.plan, tree).fires, "what was clean and was not touched is clean");
        scan
    }

    /// What the last scan saw at a node, where that still tells something of what is not edited: as long as nothing was moved,
    /// and no node says what another one means.
    fn mark(&self, node: Id) -> Option<Mark> {
        if self.doc.tree.moved || !self.doc.refs.is_empty() { None } else { self.marks.at(node) }
    }

    fn mark_recoded(&mut self) {
        for node in self.recoded.drain(..) {
            let mut at = Some(node);
            while let Some(here) = at.filter(|&here| self.doc.recoded.insert(here)) {
                at = self.doc.tree.parent(here);
            }
        }
    }

    /// Until something changes, and where nothing changed, only the rules that were seen to hold can hold.
    fn phase(&mut self, phase: Phase, fires: &RuleSet, changed: bool) {
        let plan = self.plan;
        let candidates = plan.index().of_phase(phase).iter().copied();
        let rules: Vec<usize> =
            candidates.filter(|&i| (changed || fires.has(i)) && plan.index().needs.may_hold(i, &self.doc.tree)).collect();
        if !rules.is_empty() {
            match phase {
                Phase::Resolve => self.resolve(&rules),
                Phase::Wrap => {
                    let root = self.doc.tree.root();
                    self.apply(&rules, phase, root, Place::ROOT);
                }
                _ => {
                    let known = rules.iter().copied().filter(|&i| fires.has(i)).collect();
                    let top_down = matches!(phase, Phase::Recode | Phase::Close | Phase::Name);
                    self.walk(&Candidates { rules, known, phase, top_down }, self.doc.tree.root());
                }
            }
        }
        match phase {
            Phase::Close => self.require_some(),
            Phase::Describe => self.write_notes(),
            _ => {}
        }
        if !self.doc.codecs.is_empty() {
            let codecs = self.doc.codecs.take();
            self.recoded.extend(codecs.iter().map(|(node, _)| *node));
            self.stages.extend(stage(&self.doc.tree, &self.doc.refs, phase, codecs));
        }
    }

    /// Visits every schema below a node: it before what is below (`top_down`), or after.
    fn walk(&mut self, candidates: &Candidates, top: Id) {
        let mut open = vec![Visit { node: top, place: Place::ROOT, below: false }];
        let mut below = Vec::new();
        while let Some(Visit { node, place, below: seen }) = open.pop() {
            // An earlier sibling's rewrite may have moved it.
            if !seen && place.via.is_some() && self.doc.tree.parent(node).is_none() {
                continue;
            }
            if candidates.top_down && !seen {
                self.apply(self.due(candidates, node), candidates.phase, node, place);
            }
            if seen || self.is_done_below(candidates, node) {
                if !candidates.top_down {
                    let before = self.doc.log.len();
                    self.apply(self.due(candidates, node), candidates.phase, node, place);
                    if candidates.phase == Phase::Repair && self.doc.log.len() > before {
                        // What the scan did not take for a schema may be one now.
                        children(&self.doc.tree, node, &place, &mut below);
                        below.retain(|(child, _)| self.marks.at(*child).is_none());
                        open.extend(below.drain(..).rev().map(|(node, place)| Visit { node, place, below: false }));
                    }
                }
                continue;
            }
            if !candidates.top_down {
                open.push(Visit { node, place, below: true });
            }
            children(&self.doc.tree, node, &place, &mut below);
            open.extend(below.drain(..).rev().map(|(node, place)| Visit { node, place, below: false }));
        }
    }

    /// The rules that may hold at a node.
    fn due<'c>(&self, candidates: &'c Candidates, node: Id) -> &'c [usize] {
        if self.doc.tree.edited(node) {
            return &candidates.rules;
        }
        match self.mark(node) {
            Some(mark) if !mark.own.has(candidates.phase) => &[],
            _ => &candidates.known,
        }
    }

    /// Whether none of the rules can hold below a node.
    fn is_done_below(&self, candidates: &Candidates, node: Id) -> bool {
        let edited = self.doc.tree.edited(node);
        !edited && (candidates.known.is_empty() || self.mark(node).is_some_and(|mark| !mark.below.has(candidates.phase)))
    }

    /// Requires as many optional properties as were asked for, those first that are unions already and take null for nothing.
    fn require_some(&mut self) {
        if self.required >= self.options.require {
            return;
        }
        let plan = self.plan;
        let is_way = |op: &&Op| matches!(op, Op::RequireOptional { .. });
        let way = plan.index().request.iter().find_map(|&i| Some((i, plan.rule(i).operations().find(is_way)?)));
        let Some((rule, op)) = way else { return };
        let (mut todo, mut next, mut optional) = (vec![(self.doc.tree.root(), Place::ROOT)], Vec::new(), Vec::new());
        while let Some((node, place)) = todo.pop() {
            children(&self.doc.tree, node, &place, &mut next);
            todo.extend(next.drain(..).rev());
            if place.optional {
                optional.push((node, place));
            }
        }
        optional.sort_by_key(|(node, _)| !is_union(&self.doc.tree, *node));
        for (node, place) in optional {
            if self.required >= self.options.require {
                break;
            }
            let required = self.attempt(rule, op, Phase::Close, node, &place);
            self.required = self.required.saturating_add(usize::from(required));
        }
    }

    /// References, breadth first: what stands near the root is expanded before the budget is spent below.
    fn resolve(&mut self, rules: &[usize]) {
        let mut queue: VecDeque<Id> = VecDeque::new();
        self.doc.unhoisted = true;
        let mut seen: hashbrown::HashSet<(Id, usize), foldhash::fast::FixedState> = hashbrown::HashSet::default();
        for definitions in [false, true] {
            let root = self.doc.tree.root();
            self.doc.growing.clear();
            self.doc.ending.clear();
            if definitions {
                // Hoisting and pruning look at the whole document.
                self.apply(rules, Phase::Resolve, root, Place::ROOT);
            }
            queue.extend(self.doc.schemas(self.doc.tree.root(), definitions).into_iter().filter(|&n| self.doc.refs.target(n).is_some()));
            while let Some(node) = queue.pop_front() {
                if self.doc.refs.target(node).is_none() || !self.doc.attached(node) || !seen.insert((node, self.doc.log.len())) {
                    continue;
                }
                let before = self.doc.log.len();
                let place = place_of(&self.doc.tree, self.doc.tree.root(), node);
                self.apply(rules, Phase::Resolve, node, place);
                if self.doc.log.len() > before {
                    let fresh = self.doc.schemas(node, false);
                    queue.extend(fresh.into_iter().filter(|&n| self.doc.refs.target(n).is_some()));
                }
            }
        }
        let root = self.doc.tree.root();
        self.apply(rules, Phase::Resolve, root, Place::ROOT);
    }

    /// Runs the phase's operations of every rule that holds at a node.
    fn apply(&mut self, rules: &[usize], phase: Phase, node: Id, place: Place) {
        let plan = self.plan;
        let (mut place, mut known) = (place, None);
        for &index in rules {
            let rule = plan.rule(index);
            let node = if place.via.is_none() { self.doc.tree.root() } else { node };
            for step in &rule.rewrite {
                let ops: &[Op] = match step {
                    Step::Do(op) => std::slice::from_ref(op),
                    Step::OneOf(ops) => ops,
                };
                for op in ops {
                    // An operation before it may have settled the matter.
                    if op.phase() != Some(phase) || !self.fires(index, node, &place, known.get_or_insert_with(|| self.known(node, &place)))
                    {
                        continue;
                    }
                    if self.attempt(index, op, phase, node, &place) {
                        place.optional = place.optional && place.holder.is_none_or(|h| !requires(&self.doc.tree, h, node));
                        known = None;
                        break;
                    }
                }
            }
        }
    }

    fn cx(&self) -> Cx<'_> {
        Cx { tree: &self.doc.tree, root: self.doc.tree.root(), refs: &self.doc.refs, want: self.plan.index().want }
    }

    fn known(&self, node: Id, place: &Place) -> Found<'p, Known> {
        let plan = self.plan;
        plan.index().memo.at(plan, &Sight::of(&self.cx(), node, place))
    }

    fn fires(&self, rule: usize, node: Id, place: &Place, known: &Known) -> bool {
        let Some(candidate) = known.candidate(rule) else { return false };
        if self.doc.omitted || self.doc.log.len() >= self.options.budget.events || self.doc.telling.is_over() {
            return false;
        }
        let spot = Spot { cx: &self.cx(), node, facts: &known.facts, place, counted: &Counted::default() };
        candidate.holds(&spot)
    }

    fn attempt(&mut self, rule: usize, op: &Op, phase: Phase, node: Id, place: &Place) -> bool {
        let audit = self.options.audit;
        let before = if audit { self.doc.tree.excerpt(node, SHOWN) } else { String::new() };
        let (source, parent) = (self.doc.source(node), self.doc.tree.parent(node));
        let Ok(done) = self.carry_out(rule, op, node, place) else { return false };
        let after = if audit { self.doc.tree.excerpt(node, SHOWN) } else { String::new() };
        let Done { effect, what } = done;
        let places = self.doc.tree.place_length(node).saturating_add(self.doc.base.place_length(source));
        self.doc.telling.takes(places.saturating_add(what.len()));
        self.doc.log.push(Change { phase, rule, operation: op.word(), effect, node, source, parent, before, after, what });
        true
    }

    fn carry_out(&mut self, rule: usize, op: &Op, node: Id, place: &Place) -> Outcome {
        let doc = &mut self.doc;
        if doc.tree.kind(node) != Kind::Object
            && !matches!(op, Op::Repair(_) | Op::JsonText { .. } | Op::WrapRoot { .. } | Op::RenameProperties { .. })
        {
            return Err(Declined);
        }
        match op {
            Op::Repair(how) => {
                let cx = Cx { tree: &doc.tree, root: doc.tree.root(), refs: &doc.refs, want: self.plan.index().want };
                let facts = Facts::of(&cx, node, place);
                doc.repair(node, place, &facts, how)
            }
            Op::InlineRefs(how) => {
                let folds = self.plan.rule(rule).operations().any(|op| matches!(op, Op::JsonText { .. }));
                doc.inline(node, how, folds)
            }
            Op::HoistRefs { old_name } => doc.hoist(node, *old_name),
            Op::PruneDefs => doc.prune(),
            Op::Drop { keys, note } => doc.drop_members(node, note, |t, c| keys.has(t.kw(c), t.raw_key(c))),
            Op::Keep { keys, note } => doc.drop_members(node, note, |t, c| !keys.has(t.kw(c), t.raw_key(c))),
            Op::DropOffType => doc.drop_off_type(node),
            Op::Rename { from, to } => doc.rename_key(node, from, to),
            Op::Listify { from, to } => doc.listify(node, *from, *to),
            Op::Unwrap => doc.unwrap_single(node),
            Op::MergeAllOf => doc.merge_all_of(node),
            Op::MergeBranches => doc.merge_branches(node),
            Op::RequiredNote => doc.required_note(node),
            Op::Split { .. } => doc.split_types(node),
            Op::Push => doc.push_siblings(node),
            Op::InferType { from } => doc.infer_type(node, *from),
            Op::InclusiveBounds => doc.inclusive_bounds(node),
            Op::UnionItems => doc.union_items(node),
            Op::Set { key, value } => doc.set_value(node, key, value),
            Op::WrapRoot { name } => doc.wrap_root(name),
            Op::JsonText { words } => doc.json_text(node, words.as_deref()),
            Op::Entries { key, value, rest } => doc.entries(node, key, value, rest),
            Op::Fields { prefix } => doc.fields(node, prefix),
            Op::TextEnum => doc.text_enum(node),
            Op::AliasLiterals => doc.alias_literals(node),
            Op::NullAs(how) => doc.null_as(node, place, *how),
            Op::Retain { key, what, least } => doc.retain(node, *key, *what, *least),
            Op::Close => doc.close(node),
            Op::RequireOptional { null_as, own_null } => doc.require_optional(node, place, *null_as, *own_null),
            Op::RenameProperties { allowed, max, reserved } => {
                let holder = place.holder.ok_or(Declined)?;
                doc.rename_property(node, holder, allowed, *max, reserved)
            }
            Op::OmitSchema => doc.omit_schema(),
            Op::GiveSchema { .. } | Op::RenameTool { .. } | Op::Describe { .. } | Op::Refuse | Op::LeaveOut => Err(Declined),
        }
    }

    /// Writes the collected sentences into the descriptions.
    fn write_notes(&mut self) {
        let mut notes: Vec<_> = std::mem::take(&mut self.doc.notes).into_iter().collect();
        notes.sort_by_key(|(node, _)| *node);
        for (node, list) in notes {
            let tree = &self.doc.tree;
            if tree.kind(node) != Kind::Object || !self.doc.attached(node) {
                continue;
            }
            let old = tree.get(node, crate::Kw::Description);
            let text = old.and_then(|d| tree.str(d)).unwrap_or_default().into_owned();
            let Some(new) = describe(&text, &list) else { continue };
            let value = self.doc.tree.new_str(&new);
            match old {
                Some(old) => self.doc.tree.replace(old, value),
                None => self.doc.tree.set(node, crate::Kw::Description, value),
            }
        }
    }
}

/// Turns changes into events and hands the schema over.
fn finish(plan: &Plan, mut doc: Doc<'_, '_>, out: &mut Adapted) {
    let log = std::mem::take(&mut doc.log);
    let (tree, root) = (&doc.tree, doc.tree.root());
    let (before, after) = (Places::below(doc.base, doc.base.root()), Places::below(tree, root));
    out.events.reserve(log.len());
    for change in log {
        let rule = plan.rule(change.rule);
        let around = std::iter::successors(Some(change.source), |&at| doc.base.parent(at));
        let here = [Some(change.node), change.parent].into_iter().flatten().chain(around).find(|&n| doc.attached(n)).unwrap_or(root);
        out.events.push(Event {
            phase: change.phase,
            rule: rule.id.clone(),
            operation: change.operation,
            effect: change.effect,
            input: before.pointer(change.source),
            output: after.pointer(here),
            before: change.before,
            after: change.after,
            what: change.what,
            why: rule.why.clone(),
            sources: rule.sources.clone(),
        });
    }
    out.schema = (!doc.omitted).then_some(doc.tree);
}

impl Rule {
    /// Every operation of the rewrite list.
    pub fn operations(&self) -> impl Iterator<Item = &Op> {
        self.rewrite.iter().flat_map(|step| match step {
            Step::Do(op) => std::slice::from_ref(op),
            Step::OneOf(ops) => ops.as_slice(),
        })
    }
}
