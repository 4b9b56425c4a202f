//! What the verbs share: profiles, surfaces, limits, threads.

use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use schemalect::rules::{ProfileInfo, nearest};
use schemalect::{Day, Profiles, ReadOptions, Selection, Surface};

use crate::args::{SelectArgs, SourceArgs};
use crate::error::Failure;
use crate::text::plain;

/// The built-in profiles and the user's own, with the names that were asked for.
pub(crate) struct Session {
    pub(crate) profiles: Profiles,
    pub(crate) as_of: Day,
    names: Vec<String>,
    switches: Vec<(String, String)>,
    quiet: bool,
}

impl Session {
    pub(crate) fn open(args: &SelectArgs) -> Result<Session, Failure> {
        let files: Vec<_> = args.profile.iter().filter(|p| is_file(p)).map(Into::into).collect();
        let profiles = Profiles::load(&args.profile_dir, &files)?;
        let mut names: Vec<String> = Vec::new();
        for asked in &args.profile {
            let found: Vec<String> = match asked.as_str() {
                "all" => profiles.rule_library().common_names().map(ToOwned::to_owned).collect(),
                word => match word.strip_prefix(GROUP) {
                    Some(group) => of_group(&profiles, group)?,
                    None if is_file(word) => profiles.of_file(word).collect(),
                    None => vec![word.to_owned()],
                },
            };
            for name in found {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let as_of = args.as_of.unwrap_or_else(today);
        Ok(Session { profiles, as_of, names, switches: args.switches.clone(), quiet: false })
    }

    /// Without notes.
    pub(crate) fn quiet(self, quiet: bool) -> Session {
        Session { quiet, ..self }
    }

    /// Notes a value that the profile does not know: what it says of the values that it knows is taken not to hold.
    fn note_unlisted(&self, profile: &ProfileInfo) {
        for (switch, value) in &self.switches {
            let Some((_, known)) = profile.switches.iter().find(|(name, _)| name == switch) else { continue };
            if !profile.lists(switch, value) {
                let known = known.join(", ");
                let note = format!("note: {} knows no {switch} `{}`; it knows {known}", profile.name, plain(value));
                let _ = writeln!(io::stderr().lock(), "{note}");
            }
        }
    }

    /// Takes all profiles where none was asked for.
    pub(crate) fn default_to_all(&mut self) {
        if self.names.is_empty() {
            self.names = self.profiles.rule_library().common_names().map(ToOwned::to_owned).collect();
        }
    }

    /// The surfaces that were asked for, at least one.
    pub(crate) fn surfaces(&self) -> Result<Vec<Surface>, Failure> {
        if self.names.is_empty() {
            return Err(Failure::Usage("no profile is given; add -p PROFILE (`schemalect profiles` lists them)".to_owned()));
        }
        // All that a profile says takes reading all of its rules, and only switches ask for it.
        let asked = self.names.iter().filter(|_| !self.switches.is_empty());
        let known: Vec<ProfileInfo> = asked.filter_map(|n| self.profiles.rule_library().profile(n)).collect();
        for (switch, _) in &self.switches {
            if known.len() > 1 && !known.iter().any(|p| has_switch(p, switch)) {
                return Err(Failure::Usage(format!("none of these profiles has a switch `{switch}`")));
            }
        }
        if !self.quiet {
            known.iter().for_each(|p| self.note_unlisted(p));
        }
        self.names.iter().map(|name| Ok(self.profiles.resolve(name, &self.selection(name))?)).collect()
    }

    /// The one surface that was asked for.
    pub(crate) fn surface(&self) -> Result<Surface, Failure> {
        let mut surfaces = self.surfaces()?;
        match (surfaces.pop(), surfaces.is_empty()) {
            (Some(surface), true) => Ok(surface),
            _ => Err(Failure::Usage("give one profile; adapt works for one surface at a time".to_owned())),
        }
    }

    /// The profiles that were asked for, or all of them.
    pub(crate) fn chosen(&self) -> Vec<ProfileInfo> {
        let all = self.profiles.rule_library().profiles();
        all.filter(|p| self.names.is_empty() || self.names.contains(&p.name)).collect()
    }

    /// The groups of the profiles that were asked for, in their order.
    pub(crate) fn groups(&self) -> Vec<String> {
        let library = self.profiles.rule_library();
        self.names.iter().map(|name| library.group(name).map(|group| group.name).unwrap_or_default()).collect()
    }

    /// Whether each of them gathers what other surfaces refuse: one that meets others, and what it is made from.
    pub(crate) fn gathered(&self) -> Vec<bool> {
        let chosen = self.chosen();
        let meeting: Vec<&ProfileInfo> = chosen.iter().filter(|p| !p.meets.is_empty()).collect();
        let gathers = |name: &String| meeting.iter().any(|p| p.name == *name || p.extends.as_ref() == Some(name));
        self.names.iter().map(gathers).collect()
    }

    /// The names of the profiles that were asked for.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The day and all switches, each of which some of the profiles has.
    pub(crate) fn whole_selection(&self) -> Result<Selection, Failure> {
        let known = self.chosen();
        for (switch, _) in &self.switches {
            if !known.iter().any(|p| has_switch(p, switch)) {
                return Err(Failure::Usage(format!("none of these profiles has a switch `{switch}`")));
            }
        }
        Ok(Selection { as_of: self.as_of, switches: self.switches.clone() })
    }

    /// The day and the switches; among several profiles, those that this one has.
    pub(crate) fn selection(&self, name: &str) -> Selection {
        let asked = !self.switches.is_empty() && self.names.len() > 1;
        let known = asked.then(|| self.profiles.rule_library().profile(name)).flatten();
        let fits = |switch: &str| self.names.len() < 2 || known.as_ref().is_some_and(|p| has_switch(p, switch));
        Selection { as_of: self.as_of, switches: self.switches.iter().filter(|(s, _)| fits(s)).cloned().collect() }
    }
}

/// What stands before the name of a group.
const GROUP: &str = "group:";

fn of_group(profiles: &Profiles, name: &str) -> Result<Vec<String>, Failure> {
    let library = profiles.rule_library();
    let groups = library.groups();
    if groups.iter().any(|group| group.name == name) {
        let of_group = |profile: &&str| library.group(profile).is_some_and(|group| group.name == name);
        return Ok(library.profile_names().filter(of_group).map(ToOwned::to_owned).collect());
    }
    let known = groups.iter().map(|group| group.name.as_str());
    let hint = match nearest(name, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known: {}", known.collect::<Vec<_>>().join(", ")),
    };
    Err(Failure::Usage(format!("no group is called `{name}`; {hint}")))
}

fn has_switch(profile: &ProfileInfo, switch: &str) -> bool {
    profile.switches.iter().any(|(name, _)| name == switch)
}

/// Whether a profile is given as a file.
fn is_file(asked: &str) -> bool {
    Path::new(asked).extension().is_some_and(|e| e == "yaml" || e == "yml") || asked.contains(std::path::MAIN_SEPARATOR)
}

pub(crate) fn today() -> Day {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    Day::from_unix_days(u32::try_from(seconds / 86_400).unwrap_or(0))
}

/// A schema is nested in so many levels of tools and lists.
const AROUND: usize = 16;

/// How the input is to be read.
pub(crate) fn read_options(args: &SourceArgs) -> Result<ReadOptions, Failure> {
    let mut options = ReadOptions { input: args.reading.input.map(Into::into).unwrap_or_default(), ..ReadOptions::default() };
    for (name, value) in &args.reading.limit {
        let wrong = |what: &str| Failure::Usage(format!("--limit {name}={value}: {what}"));
        let number: usize = value.parse().map_err(|_| wrong("the value is no whole number"))?;
        let known = match name.strip_prefix("document-") {
            Some(word) => matches!(word, "bytes" | "depth" | "nodes") && options.document.set(word, number),
            None => options.schema.set(name, number),
        };
        if matches!(name.as_str(), "depth" | "document-depth") && number > ReadOptions::DEEPEST {
            return Err(wrong(&format!("nothing is read that is nested more than {} levels deep", ReadOptions::DEEPEST)));
        }
        if !known {
            return Err(wrong("known are bytes, depth, nodes, expanded, events, document-bytes, document-depth, document-nodes"));
        }
    }
    // A schema of the depth that is asked for stands in a tool, and the tool in lists.
    options.document.depth = options.document.depth.max(options.schema.depth.saturating_add(AROUND)).min(ReadOptions::DEEPEST);
    Ok(options)
}
