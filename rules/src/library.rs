//! The set of rule files and profile files.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use schemalect_engine::date::Day;
use schemalect_engine::plan::Plan;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::bind::{self, Binding, Bound, Chain, Effective, ProfileEntry, Selection};
use crate::check;
use crate::compile::binding;
use crate::compile::rule::{self, RuleEntry};
use crate::error::{Errors, File, ProfileError, Source};
use crate::form::{self, Form};
use crate::group::{GroupEntry, GroupFile, GroupInfo, is_group};
use crate::info::{ProfileInfo, RuleInfo};
use crate::says::Speech;
use crate::slot::Slot;
use crate::yaml;

/// So many profiles may build on each other in a row.
const DEEPEST: usize = 32;

/// Rules and profiles that were read, by name.
#[derive(Debug, Default)]
pub struct Library {
    rules: IndexMap<String, Slot<RuleEntry>>,
    profiles: IndexMap<String, Slot<ProfileEntry>>,
    groups: IndexMap<String, GroupEntry>,
}

impl Library {
    /// Reads rule files and profile files, each a path (for errors and names) and a text. Among the profile files may be group files.
    ///
    /// # Errors
    /// Every mistake of a rule file; of a profile file those that hinder reading it or finding what
    /// it extends. [`Library::check`] finds the others.
    pub fn new(
        rules: impl IntoIterator<Item = (String, String)>,
        profiles: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Library, Vec<ProfileError>> {
        Library::over([], [], rules, profiles)
    }

    /// As [`Library::new`], with files that a test has checked: each of those is read when it is first asked for, and unknown fields
    /// of it go unnoticed.
    ///
    /// # Errors
    /// As [`Library::new`], of the other files.
    pub fn over(
        checked_rules: impl IntoIterator<Item = (String, String)>,
        checked_profiles: impl IntoIterator<Item = (String, String)>,
        rules: impl IntoIterator<Item = (String, String)>,
        profiles: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Library, Vec<ProfileError>> {
        let mut library = Library::default();
        let mut errors = Errors::default();
        for (path, text) in checked_rules {
            library.rules.extend(Slot::later(path, text, "rule", read_rule));
        }
        for (path, text) in checked_profiles {
            if is_group(&text) {
                library.read_group(path, text, true, &mut errors);
            } else {
                library.profiles.extend(Slot::later(path, text, "profile", read_profile));
            }
        }
        for (path, text) in rules {
            library.add_rule_file(path, text, &mut errors);
        }
        let (mut added, mut faulty, mut missing) = (Vec::new(), Vec::new(), false);
        for (path, text) in profiles {
            if is_group(&text) {
                library.read_group(path, text, false, &mut errors);
                continue;
            }
            let before = errors.len();
            let name = library.add_profile_file(path, text, &mut errors);
            missing |= name.is_none();
            faulty.extend(name.clone().filter(|_| errors.len() > before));
            added.extend(name);
        }
        // A profile that could not be read would be missed by all that extend it.
        if !missing {
            for error in added.iter().filter_map(|name| library.chain(name).err()) {
                errors.push(error);
            }
        }
        for name in faulty.iter().filter(|name| library.chain(name).is_ok()) {
            errors.extend(library.check(name));
        }
        errors.or(library)
    }

    /// Adds one rule file and returns the rule's id.
    ///
    /// # Errors
    /// Every mistake of the file.
    pub fn add_rule(&mut self, path: String, text: String) -> Result<String, Vec<ProfileError>> {
        let mut errors = Errors::default();
        let id = self.add_rule_file(path, text, &mut errors);
        errors.or(id.unwrap_or_default())
    }

    /// Adds one profile file and returns the profile's name. What it extends must be there already.
    ///
    /// # Errors
    /// Mistakes that hinder reading it.
    pub fn add_profile(&mut self, path: String, text: String) -> Result<String, Vec<ProfileError>> {
        let mut errors = Errors::default();
        let Some(name) = self.add_profile_file(path, text, &mut errors) else { return errors.or(String::new()) };
        match self.chain(&name) {
            Ok(_) if errors.is_empty() => {}
            Ok(_) => errors.extend(self.check(&name)),
            Err(error) => errors.push(error),
        }
        if !errors.is_empty() {
            self.profiles.shift_remove(&name);
        }
        errors.or(name)
    }

    /// The profiles, in the order in which they were added.
    pub fn profiles(&self) -> impl Iterator<Item = ProfileInfo> + '_ {
        self.profiles.keys().filter_map(|name| self.profile(name))
    }

    /// What there is to say about one profile.
    #[must_use]
    pub fn profile(&self, name: &str) -> Option<ProfileInfo> {
        let chain = self.chain(name).ok()?;
        let profile = Effective::new(chain, &mut Errors::default());
        Some(ProfileInfo::of(&profile, self))
    }

    /// The names of the profiles.
    pub fn profile_names(&self) -> impl Iterator<Item = &str> {
        self.profiles.keys().map(String::as_str)
    }

    /// The names of the profiles that are meant by all of them: those of groups that stand apart are used where they are named.
    pub fn common_names(&self) -> impl Iterator<Item = &str> {
        self.profiles.iter().filter(|(_, entry)| !self.group_of(&entry.file).apart).map(|(name, _)| name.as_str())
    }

    /// The groups that have profiles, by name; the profiles of a user's own come last.
    #[must_use]
    pub fn groups(&self) -> Vec<GroupInfo> {
        let mut groups: Vec<GroupInfo> = Vec::new();
        for group in self.profiles.values().map(|entry| self.group_of(&entry.file)) {
            if !groups.contains(&group) {
                groups.push(group);
            }
        }
        groups.sort_by(|a, b| (a.name == GroupInfo::OWN, &a.name).cmp(&(b.name == GroupInfo::OWN, &b.name)));
        groups
    }

    /// The group of a profile.
    #[must_use]
    pub fn group(&self, profile: &str) -> Option<GroupInfo> {
        self.profiles.get(profile).map(|entry| self.group_of(&entry.file))
    }

    fn group_of(&self, file: &File) -> GroupInfo {
        self.groups.values().find(|group| group.holds(file)).map_or_else(GroupInfo::own, GroupInfo::of)
    }

    /// The rules, in the order in which they were added.
    pub fn rules(&self) -> impl Iterator<Item = RuleInfo> + '_ {
        self.rules.values().filter_map(|slot| slot.get().ok()).map(RuleInfo::of)
    }

    /// What there is to say about one rule.
    #[must_use]
    pub fn rule_info(&self, id: &str) -> Option<RuleInfo> {
        self.rule_entry(id).map(RuleInfo::of)
    }

    /// Resolves a profile for a day and switches.
    ///
    /// # Errors
    /// Every mistake of the bindings that hold, and of the selection.
    pub fn bind(&self, name: &str, selection: &Selection) -> Result<Bound, Vec<ProfileError>> {
        bind::bind(self, name, selection, false)
    }

    /// As [`Library::bind`], with the bindings that do not hold on the day or for the switches; those are undecided, and
    /// [`Bound::left_out`] names them. A provider's message shows that a rule holds whatever the profile knows of its dates.
    ///
    /// # Errors
    /// As [`Library::bind`], of every binding.
    pub fn bind_every(&self, name: &str, selection: &Selection) -> Result<Bound, Vec<ProfileError>> {
        bind::bind(self, name, selection, true)
    }

    /// What a profile says of the provider's messages, without compiling its rules.
    ///
    /// # Errors
    /// An unknown profile, here or in what it extends.
    pub fn speech(&self, name: &str) -> Result<Speech, ProfileError> {
        bind::speech(self, name)
    }

    /// Everything that can be wrong with a profile, whatever the day and the switches.
    #[must_use]
    pub fn check(&self, name: &str) -> Vec<ProfileError> {
        let mut errors = Errors::default();
        match self.chain(name) {
            Ok(chain) => check::profile(self, Effective::new(chain, &mut errors), &mut errors),
            Err(error) => errors.push(error),
        }
        errors.into_vec()
    }

    /// The sources of a profile's own bindings that were seen after a day; of today's day they are slips.
    #[must_use]
    pub fn seen_after(&self, name: &str, day: Day) -> Vec<ProfileError> {
        let Some(entry) = self.profiles.get(name).and_then(|slot| slot.get().ok()) else { return Vec::new() };
        let sources = entry.profile.rules.iter().flat_map(|at| &at.value.sources);
        let seen = sources.filter_map(|at| at.value.seen.as_ref()).filter(|at| at.value.parse::<Day>().is_ok_and(|seen| seen > day));
        seen.map(|at| ProfileError::at(&entry.file, &at.span, format!("{} lies in the future", at.value))).collect()
    }

    /// Everything that can be wrong with all profiles and rules, each mistake once.
    #[must_use]
    pub fn check_all(&self) -> Vec<ProfileError> {
        let mut errors = Errors::default();
        for slot in self.rules.values() {
            match slot.get() {
                Ok(entry) => rule::check(entry, &mut errors),
                Err(wrong) => errors.extend(wrong.to_vec()),
            }
        }
        for name in self.profiles.keys() {
            errors.extend(self.check(name));
        }
        errors.into_vec()
    }

    /// A plan with one rule alone, certain and of level error, which is how examples are run.
    ///
    /// Facts that are not given and that only the rewrite reads leave their operation out.
    ///
    /// # Errors
    /// An unknown rule, or facts of the wrong kind.
    pub fn compile_rule_alone(&self, id: &str, facts: &Map<String, Value>) -> Result<Plan, Vec<ProfileError>> {
        match self.rules.get(id) {
            Some(slot) => rule::alone(slot.get().map_err(<[_]>::to_vec)?, facts),
            None => {
                let error = ProfileError::new(format!("unknown rule `{id}`"));
                Err(vec![error.near(id, self.rules.keys().map(String::as_str))])
            }
        }
    }

    /// A profile and what it builds on.
    pub(crate) fn chain(&self, name: &str) -> Result<Chain<'_>, ProfileError> {
        let Some(slot) = self.profiles.get(name) else {
            let error = ProfileError::new(format!("unknown profile `{name}`"));
            return Err(error.near(name, self.profiles.keys().map(String::as_str)));
        };
        let mut all = Vec::new();
        self.build(slot.one()?, &mut Vec::new(), &mut all)?;
        Ok(Chain::of(all))
    }

    /// Adds a profile after all that it builds on; `path` is how it was reached.
    fn build<'l>(
        &'l self,
        entry: &'l ProfileEntry,
        path: &mut Vec<&'l ProfileEntry>,
        all: &mut Vec<&'l ProfileEntry>,
    ) -> Result<(), ProfileError> {
        path.push(entry);
        for parent in entry.profile.also.iter().chain(&entry.profile.extends) {
            let wrong = |message: String| ProfileError::at(&entry.file, &parent.span, message);
            let Some(next) = self.profiles.get(parent.value.as_str()) else {
                let error = wrong(format!("unknown profile `{}`", parent.value));
                return Err(error.near(&parent.value, self.profiles.keys().map(String::as_str)));
            };
            let next = next.one()?;
            if let Some(at) = path.iter().position(|seen| std::ptr::eq(*seen, next)) {
                let circle = path.iter().skip(at).map(|e| e.profile.profile.value.as_str()).chain([parent.value.as_str()]);
                let message = format!("`{}` extends itself: {}", parent.value, circle.collect::<Vec<_>>().join(" -> "));
                return Err(wrong(message).hint("break the circle of `extends` and `also`"));
            }
            if path.len() >= DEEPEST {
                return Err(wrong(format!("more than {DEEPEST} profiles build on each other in a row")));
            }
            if !all.iter().any(|seen| std::ptr::eq(*seen, next)) {
                self.build(next, path, all)?;
            }
        }
        path.pop();
        all.push(entry);
        Ok(())
    }

    /// The rule that a binding names.
    pub(crate) fn rule(&self, binding: &Binding<'_>, errors: &mut Errors) -> Option<&RuleEntry> {
        let Some(slot) = self.rules.get(binding.value.rule.value.as_str()) else {
            let known = self.rules.keys().map(String::as_str);
            errors.push(binding::unknown_rule(binding.value, binding.file, known));
            return None;
        };
        slot.get().map_err(|wrong| errors.extend(wrong.to_vec())).ok()
    }

    /// The rule of this id.
    pub(crate) fn rule_entry(&self, id: &str) -> Option<&RuleEntry> {
        self.rules.get(id)?.get().ok()
    }

    /// Checks all bindings of a profile and returns the facts that they read, whoever declares them;
    /// `None` where a rule is unknown and so what it reads.
    pub(crate) fn check_bindings(&self, profile: &Effective<'_>, errors: &mut Errors) -> Option<BTreeSet<String>> {
        let mut used = Some(BTreeSet::new());
        for binding in profile.bindings.values() {
            match self.rule(binding, errors) {
                Some(rule) => {
                    let read = binding::check(profile, binding, rule, errors);
                    used.iter_mut().for_each(|used| used.extend(read.iter().cloned()));
                }
                None => {
                    binding::check_own(profile, binding, errors);
                    used = None;
                }
            }
        }
        used
    }

    /// The profiles that build on this one, directly or not.
    pub(crate) fn heirs<'l>(&'l self, name: &'l str) -> impl Iterator<Item = Effective<'l>> {
        self.profiles.keys().filter_map(move |heir| {
            let chain = self.chain(heir).ok()?;
            (heir != name && chain.has(name)).then(|| Effective::new(chain, &mut Errors::default()))
        })
    }

    fn add_rule_file(&mut self, path: String, text: String, errors: &mut Errors) -> Option<String> {
        let entry = read_rule(&source(path, text, false), errors)?;
        let id = entry.id().to_owned();
        if let Some(old) = self.rules.get(&id) {
            let error = ProfileError::at(&entry.file, &entry.rule.rule.span, format!("the rule `{id}` exists already"));
            let span = old.get().map_or(0..0, |old| old.rule.rule.span.clone());
            errors.push(error.and(&old.file, &span, "here"));
            return None;
        }
        rule::check(&entry, errors);
        self.rules.insert(id.clone(), Slot::now(entry.file.clone(), entry, read_rule));
        Some(id)
    }

    fn read_group(&mut self, path: String, text: String, checked: bool, errors: &mut Errors) {
        let file = source(path, text, checked);
        let Some(group) = read::<GroupFile>(&file, &form::GROUP, errors) else { return };
        let entry = GroupEntry { file, group };
        entry.check(errors);
        let at = &entry.group.group;
        if let Some(old) = self.groups.get(&at.value) {
            let error = ProfileError::at(&entry.file, &at.span, format!("the group `{}` exists already", at.value));
            errors.push(error.and(&old.file, &old.group.group.span, "here"));
            return;
        }
        self.groups.insert(at.value.clone(), entry);
    }

    fn add_profile_file(&mut self, path: String, text: String, errors: &mut Errors) -> Option<String> {
        let entry = read_profile(&source(path, text, false), errors)?;
        let at = &entry.profile.profile;
        let name = at.value.clone();
        if let Some(old) = self.profiles.get(&name) {
            let message = format!("the profile `{name}` exists already");
            let error = ProfileError::at(&entry.file, &at.span, message);
            let span = old.get().map_or(0..0, |old| old.profile.profile.span.clone());
            let error = error.and(&old.file, &span, "here");
            errors.push(error.hint(format!("give it another name; `extends: {name}` builds on the one that there is")));
            return None;
        }
        self.profiles.insert(name.clone(), Slot::now(entry.file.clone(), entry, read_profile));
        Some(name)
    }
}

fn read_rule(file: &File, errors: &mut Errors) -> Option<RuleEntry> {
    read(file, &form::RULE, errors).map(|rule| RuleEntry { file: file.clone(), rule })
}

fn read_profile(file: &File, errors: &mut Errors) -> Option<ProfileEntry> {
    read(file, &form::PROFILE, errors).map(|profile| ProfileEntry { file: file.clone(), profile })
}

fn source(path: String, text: String, builtin: bool) -> File {
    Arc::new(Source { path, text, builtin })
}

fn read<T: DeserializeOwned>(file: &File, form: &'static Form, errors: &mut Errors) -> Option<T> {
    yaml::read(file, form.unless(file.builtin), errors)
}
