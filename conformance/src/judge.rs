//! Holds a verdict against the profile of its surface, as that is known for the verdict's day.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use schemalect::engine::Finding;
use schemalect::engine::plan::{Certainty, Level};
use schemalect::rules::{Bound, Library, ProfileError, ProfileInfo, Reports, Selection};
use schemalect::{Day, Input, ReadOptions, Surface, ToolList, read};
use serde_json::Value;

use crate::judgement::{Judged, Judgement, Placing};
use crate::place::{Nodes, Place, property, speaks_of_property};
use crate::remake::{Remade, remake};
use crate::switches;
use crate::verdict::{Kind, Outcome, Verdict};

/// An undated verdict is judged by what is known last.
const LAST: &str = "9999-12-31";

/// Judges verdicts by the profiles of a library.
pub struct Judge<'l> {
    rulebook: &'l Library,
    profiles: Arc<HashMap<String, ProfileInfo>>,
    as_of: Option<Day>,
    altered: Option<(&'l Judge<'l>, Alter<'l>)>,
    bound: Mutex<HashMap<Key, Arc<Resolved>>>,
}

/// What a trial changes in a profile that was resolved.
type Alter<'l> = Box<dyn Fn(&mut Bound) + Sync + Send + 'l>;
type Key = (String, Day, Vec<(String, String)>);

/// A profile resolved for a day and switches.
struct Resolved {
    bound: Bound,
    surface: Surface,
}

impl Resolved {
    /// The rules in force, those that are undecided marked.
    fn era(&self) -> String {
        let mark = |certainty| if certainty == Certainty::Undecided { "? " } else { " " };
        self.bound.plan.rules.iter().map(|rule| format!("{}{}", rule.id, mark(rule.certainty))).collect()
    }
}

/// What of a profile a verdict is held against.
#[derive(Clone, Copy, Debug, Default)]
pub struct Within<'w> {
    /// The stages that were carried out; none: all.
    pub stages: &'w [String],
    /// A message that no rule of the profile speaks of counts as none.
    pub any_words: bool,
}

/// A finding, and the position of the tool that it is about.
pub type Found = (Option<usize>, Finding);

impl<'l> Judge<'l> {
    /// A judge by these profiles; each verdict is judged as of its own day, or all as of one.
    #[must_use]
    pub fn new(rulebook: &'l Library, as_of: Option<Day>) -> Judge<'l> {
        let profiles = rulebook.profiles().map(|info| (info.name.clone(), info)).collect();
        Judge { rulebook, profiles: Arc::new(profiles), as_of, altered: None, bound: Mutex::default() }
    }

    /// A judge like another, with a change made to every profile that is resolved.
    #[must_use]
    pub fn over(base: &'l Judge<'l>, alter: impl Fn(&mut Bound) + Sync + Send + 'l) -> Judge<'l> {
        let altered = Some((base, Box::new(alter) as Alter<'l>));
        Judge { rulebook: base.rulebook, profiles: Arc::clone(&base.profiles), as_of: base.as_of, altered, bound: Mutex::default() }
    }

    /// Judges one verdict.
    ///
    /// # Errors
    /// The profile of its surface has mistakes.
    pub fn judge(&self, verdict: &Verdict) -> Result<Judged, Vec<ProfileError>> {
        self.judge_within(verdict, &Within::default())
    }

    /// Judges one verdict by part of its profile.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub fn judge_within(&self, verdict: &Verdict, within: &Within<'_>) -> Result<Judged, Vec<ProfileError>> {
        let Some(profile) = self.profiles.get(&verdict.profile) else {
            return Ok(Judged::unscored("no profile of this surface"));
        };
        if !verdict.scorable {
            return Ok(Judged::unscored(verdict.out_of_scope.as_deref().unwrap_or("out of scope")));
        }
        let resolved = self.resolve(verdict, profile)?;
        let parts = match parts(verdict, &resolved.surface) {
            Ok(parts) => parts,
            Err(error) => return Ok(Judged::unscored(&format!("the input cannot be read: {error}"))),
        };
        let mut findings: Vec<Found> = parts.iter().flat_map(Part::findings).collect();
        findings.retain(|(_, f)| within.stages.is_empty() || within.stages.iter().any(|stage| **stage == *f.stage));
        let case = Case { verdict, bound: &resolved.bound, nodes: Nodes::of(&parts), findings: &findings, words: !within.any_words };
        let (judgement, placing, detail) = case.judge();
        let rules = case.explaining();
        Ok(Judged { judgement, placing, detail, rules, findings })
    }

    /// The era of a verdict: days on which the same rules are in force, as surely, are of one era. Its switches stand in front.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub fn era(&self, verdict: &Verdict) -> Result<Option<String>, Vec<ProfileError>> {
        let Some(profile) = self.profiles.get(&verdict.profile) else { return Ok(None) };
        let switches: String = switches::of(verdict, profile).into_iter().map(|(switch, value)| format!("{switch}={value} ")).collect();
        Ok(Some(switches + &self.resolve(verdict, profile)?.era()))
    }

    /// What adapting makes of the input; nothing where the surface has no profile or the input cannot be read.
    ///
    /// # Errors
    /// As [`Judge::judge`].
    pub fn remake(&self, verdict: &Verdict) -> Result<Option<Remade>, Vec<ProfileError>> {
        let Some(profile) = self.profiles.get(&verdict.profile) else { return Ok(None) };
        let resolved = self.resolve(verdict, profile)?;
        Ok(parts(verdict, &resolved.surface).ok().map(|parts| remake(verdict, &parts)))
    }

    fn resolve(&self, verdict: &Verdict, profile: &ProfileInfo) -> Result<Arc<Resolved>, Vec<ProfileError>> {
        let last = || LAST.parse().ok();
        let day = self.as_of.or_else(|| verdict.day()).or_else(last).unwrap_or(Day::from_unix_days(0));
        let key = (verdict.profile.clone(), day, switches::of(verdict, profile));
        if let Some(known) = self.bound.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(known));
        }
        let resolved = match &self.altered {
            None => self.bind_with_sibling(verdict, &Selection { as_of: day, switches: key.2.clone() })?,
            Some((base, alter)) => {
                let resolved = base.resolve(verdict, profile)?;
                let (mut bound, lenient) = (resolved.bound.clone(), resolved.surface.lenient().cloned());
                alter(&mut bound);
                Resolved { surface: Surface::of(&bound).with_lenient(lenient), bound }
            }
        };
        let resolved = Arc::new(resolved);
        self.bound.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&resolved));
        Ok(resolved)
    }

    fn bind_with_sibling(&self, verdict: &Verdict, selection: &Selection) -> Result<Resolved, Vec<ProfileError>> {
        let bound = self.rulebook.bind(&verdict.profile, selection)?;
        let lenient = bound.lenient.clone().filter(|name| *name != verdict.profile);
        let lenient = match lenient.and_then(|name| Some((self.profiles.get(&name)?, name))) {
            Some((profile, name)) => {
                let selection = Selection { as_of: selection.as_of, switches: switches::of(verdict, profile) };
                Some(Surface::of(&self.rulebook.bind(&name, &selection)?))
            }
            None => None,
        };
        Ok(Resolved { surface: Surface::of(&bound).with_lenient(lenient), bound })
    }
}

/// Tools of an input that are judged by one surface.
pub(crate) struct Part<'s> {
    pub(crate) surface: &'s Surface,
    pub(crate) list: ToolList,
    /// The position in the input of each tool of the list.
    pub(crate) positions: Vec<usize>,
}

impl Part<'_> {
    /// The position in the input of a tool of the list.
    pub(crate) fn position(&self, index: usize) -> usize {
        self.positions.get(index).copied().unwrap_or(index)
    }

    fn findings(&self) -> Vec<Found> {
        let report = self.surface.check(&self.list, 1);
        let tools = report.tools.into_iter().map(|tool| (self.position(tool.index), tool.findings));
        let tools = tools.flat_map(|(at, findings)| findings.into_iter().map(move |placed| (Some(at), placed.finding)));
        tools.chain(report.request.into_iter().map(|placed| (None, placed.finding))).collect()
    }
}

/// Reads the input. In a request that mixes strict tools with others, the others are the lenient sibling's.
pub(crate) fn parts<'s>(verdict: &Verdict, surface: &'s Surface) -> Result<Vec<Part<'s>>, String> {
    let form = match verdict.kind {
        Kind::Schema => Input::Schema,
        Kind::Tool => Input::Tool,
        Kind::Request => Input::Request,
    };
    let options = ReadOptions { input: form, ..ReadOptions::default() };
    let whole = |text: &str, surface, positions| {
        let list = read(text.as_bytes(), &options).map_err(|error| error.to_string())?;
        Ok::<_, String>(Part { surface, list, positions })
    };
    let text = verdict.input.get();
    let Some(lenient) = surface.lenient().filter(|_| verdict.kind == Kind::Request) else {
        return Ok(vec![whole(text, surface, Vec::new())?]);
    };
    let request: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let tools = request.get("tools").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_strict = |tool: &Value| tool.get("strict").or_else(|| tool.pointer("/function/strict")).and_then(Value::as_bool);
    let side = |strict: bool| tools.iter().enumerate().filter(move |(_, tool)| is_strict(tool).unwrap_or(false) == strict);
    if side(true).next().is_none() || side(false).next().is_none() {
        return Ok(vec![whole(text, surface, Vec::new())?]);
    }
    let mut out = Vec::new();
    for (strict, surface) in [(true, surface), (false, lenient)] {
        let (positions, tools): (Vec<usize>, Vec<&Value>) = side(strict).unzip();
        out.push(whole(&serde_json::json!({ "tools": tools }).to_string(), surface, positions)?);
    }
    Ok(out)
}

/// A verdict with what the profile finds on its input.
struct Case<'c> {
    verdict: &'c Verdict,
    bound: &'c Bound,
    nodes: Nodes,
    findings: &'c [Found],
    /// A message that no rule speaks of explains nothing.
    words: bool,
}

impl Case<'_> {
    fn judge(&self) -> (Judgement, Placing, String) {
        match self.verdict.outcome {
            Outcome::Rejected => self.rejected(),
            Outcome::Accepted => (self.accepted(), Placing::Unknown, self.told(|f| f.level == Level::Error)),
            Outcome::SilentlyIgnored => {
                let refused = self.findings.iter().any(|(_, f)| f.refuses());
                let judgement = if !refused && self.warned() { Judgement::Known } else { Judgement::Unknown };
                (judgement, Placing::Unknown, self.told(|_| true))
            }
            Outcome::Degraded => {
                let judgement = if self.warned() { Judgement::Warned } else { Judgement::DegradedSilent };
                (judgement, Placing::Unknown, self.told(|_| true))
            }
        }
    }

    fn rejected(&self) -> (Judgement, Placing, String) {
        let place = self.verdict.path.as_deref().map(|path| Place::recorded(self.verdict.kind, path));
        let refusing = self.reported(Certainty::Certain);
        let there = |found: &&Found| place.as_ref().is_none_or(|place| self.at(place, found));
        let placing = match &place {
            None => Placing::Unknown,
            Some(_) if refusing.iter().any(there) => Placing::Exact,
            Some(_) => Placing::Other,
        };
        let told = self.told(|f| f.level == Level::Error);
        let Some(expected) = self.expected() else {
            let judgement = match refusing.is_empty() {
                false => Judgement::Caught,
                true if self.reported(Certainty::Undecided).is_empty() => Judgement::Missing,
                true => Judgement::RejectedUndecided,
            };
            return (judgement, placing, told);
        };
        let right = |found: &&Found| expected.iter().any(|rule| same_rule(rule, &found.1.rule));
        if refusing.iter().copied().any(|found| right(&found) && there(&found)) {
            return (Judgement::Hit, placing, told);
        }
        let undecided = self.reported(Certainty::Undecided);
        if refusing.is_empty() && undecided.iter().copied().any(|found| right(&found)) {
            return (Judgement::RejectedUndecided, placing, told);
        }
        if refusing.is_empty() {
            return (Judgement::Missing, placing, format!("expected {}; {told}", words(&expected)));
        }
        let elsewhere = refusing.iter().copied().any(|found| right(&found));
        let why = if elsewhere { "at another place" } else { "by other rules" };
        (Judgement::WrongReason, placing, format!("expected {}; refused {why}: {told}", words(&expected)))
    }

    fn accepted(&self) -> Judgement {
        if self.findings.iter().any(|(_, f)| f.refuses()) {
            Judgement::Noisy
        } else if self.findings.iter().any(|(_, f)| f.level == Level::Error) {
            Judgement::AcceptedUndecided
        } else {
            Judgement::Silent
        }
    }

    /// Whether something is said about the place, by a warning or worse.
    fn warned(&self) -> bool {
        let place = self.verdict.path.as_deref().map(|path| Place::recorded(self.verdict.kind, path));
        self.findings.iter().any(|found| found.1.level >= Level::Warning && place.as_ref().is_none_or(|place| self.at(place, found)))
    }

    /// The findings of level error that the service would report: all, or those of the first stage that fails.
    fn reported(&self, certainty: Certainty) -> Vec<&Found> {
        let stage = |found: &Found| self.bound.stages.iter().position(|stage| **stage == *found.1.stage);
        let errors = self.findings.iter().filter(|(_, f)| f.level == Level::Error && f.certainty == certainty);
        let mut errors: Vec<&Found> = errors.collect();
        if self.bound.speaks.reports != Reports::All {
            let first = errors.iter().map(|found| stage(found)).min();
            errors.retain(|found| Some(stage(found)) == first);
        }
        errors
    }

    /// The rules whose words match the message, else the rule that the verdict names; `None` where neither is recorded.
    fn expected(&self) -> Option<Vec<String>> {
        let message = self.verdict.message.as_deref().filter(|message| !message.trim().is_empty())?;
        let says = self.bound.says.iter().filter(|says| says.regex().is_some_and(|regex| regex.is_match(message)));
        let mut rules: Vec<String> = says.map(|says| says.rule.to_string()).collect();
        if rules.is_empty() {
            rules.extend(self.verdict.rule.clone());
        }
        (self.words || !rules.is_empty()).then_some(rules)
    }

    /// The rules that refuse at the recorded place and that the message speaks of.
    fn explaining(&self) -> Vec<String> {
        let place = self.verdict.path.as_deref().map(|path| Place::recorded(self.verdict.kind, path));
        let expected = self.expected();
        let mut out: Vec<String> = Vec::new();
        for found in self.reported(Certainty::Certain) {
            let named = expected.as_ref().is_none_or(|rules| rules.iter().any(|rule| same_rule(rule, &found.1.rule)));
            let rule = found.1.rule.rsplit('/').next().unwrap_or_default().to_owned();
            if named && place.as_ref().is_none_or(|place| self.at(place, found)) && !out.contains(&rule) {
                out.push(rule);
            }
        }
        out
    }

    fn at(&self, place: &Place, found: &Found) -> bool {
        let rule = self.bound.plan.rules.iter().find(|rule| rule.id == found.1.rule);
        let of_property = rule.is_some_and(|rule| speaks_of_property(&rule.when)) || self.names(found);
        self.nodes.same(place, &Place::of(found.0, &found.1), of_property)
    }

    /// Whether the message, as the rule's words read it, names the property at which the finding stands.
    fn names(&self, found: &Found) -> bool {
        let key = || {
            let message = self.verdict.message.as_deref()?;
            let says = self.bound.says.iter().find(|says| says.rule == found.1.rule)?;
            Some(says.regex()?.captures(message)?.name("key")?.as_str())
        };
        key().is_some_and(|key| property(&found.1.path).as_deref() == Some(key))
    }

    /// The findings in a line: each rule once, with its places.
    fn told(&self, which: impl Fn(&Finding) -> bool) -> String {
        let mut rules: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (_, f) in self.findings.iter().filter(|(_, f)| which(f)) {
            let mark = if f.level == Level::Error && f.certainty == Certainty::Undecided { "?" } else { "" };
            rules.entry(format!("{}{mark}", f.rule)).or_default().push(if f.path.is_empty() { "(root)" } else { &f.path });
        }
        let line = |(rule, places): (&String, &Vec<&str>)| {
            let more = if places.len() > 3 { format!(" and {} more", places.len() - 3) } else { String::new() };
            format!("{rule} at {}{more}", places.iter().take(3).copied().collect::<Vec<_>>().join(", "))
        };
        if rules.is_empty() { "nothing found".to_owned() } else { rules.iter().map(line).collect::<Vec<_>>().join("; ") }
    }
}

/// Whether two names mean the same binding, with or without the profile's name.
fn same_rule(a: &str, b: &str) -> bool {
    let tail = |rule: &str| rule.rsplit('/').next().map(str::to_owned);
    tail(a) == tail(b)
}

fn words(rules: &[String]) -> String {
    if rules.is_empty() { "a rule with these words".to_owned() } else { rules.join(" or ") }
}
