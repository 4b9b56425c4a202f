//! From a provider's error text to the tool, the place and the rule that it speaks of.

mod advice;
mod evidence;
mod find;
mod gate;
mod judge;
mod literal;
mod message;
mod named;
mod path;
mod place;
mod pointed;
mod tools;
mod voice;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use schemalect_engine::Telling;
use schemalect_engine::finding::Subject;
use schemalect_rules::{Bound, Selection};

use crate::json::Json;
use crate::profiles::{Profiles, ProfilesError};
use crate::read::ToolList;
use judge::{Judge, Rank};
use tools::Given;
use voice::{Voice, Voices};

/// No more matches than this are given.
const MOST_MATCHES: usize = 1_000;

/// Reads providers' error texts.
///
/// ```
/// use schemalect::{Confidence, Profiles, ReadOptions, Selection, read};
///
/// let tools = br#"[{"name": "ping", "inputSchema": {"type": "object"}},
///     {"name": "tag", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array"}}}}]"#;
/// let list = read(tools, &ReadOptions::default())?;
/// let error = r#"{"error": {"code": 400, "message":
///     "* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[tags].items: missing field.\n"}}"#;
///
/// let profiles = Profiles::builtin()?;
/// let diagnoser = profiles.diagnoser(&[], &Selection::on("2026-11-29".parse()?))?;
/// let found = diagnoser.diagnose(error, &[&list])?;
/// assert_eq!(found[0].rule, "gemini/array-without-items");
/// assert_eq!((found[0].tool.as_ref().and_then(|t| t.name.as_deref()), found[0].path.as_deref()), (Some("tag"), Some("/properties/tags")));
/// assert_eq!(found[0].confidence, Confidence::Exact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Diagnoser<'p> {
    profiles: &'p Profiles,
    selection: Selection,
    voices: Voices,
}

/// One thing that an error text says, as far as it could be made out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The profile of the surface that most likely said it.
    pub profile: String,
    /// `profile/rule`.
    pub rule: String,
    /// The tool that is meant.
    pub tool: Option<Blamed>,
    /// The tool that the message points at and whose schema has the place that it names, where no rule finds anything there.
    pub pointed: Option<Blamed>,
    /// What of the tool the path points into.
    pub subject: Subject,
    /// Pointer to the place; `None` where neither the message nor a check tells one.
    pub path: Option<String>,
    /// How surely.
    pub confidence: Confidence,
    /// What is wrong, why, and what to do.
    pub advice: String,
    /// The provider's own words.
    pub said: String,
}

/// A tool into whose schema a text leads of which no more is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointed {
    /// The profile of the surface that writes places like this.
    pub profile: String,
    /// The tool.
    pub tool: Blamed,
    /// Pointer to the place in its schema.
    pub path: String,
}

/// A tool of the lists that were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blamed {
    /// Its position over all lists.
    pub index: usize,
    /// Its name.
    pub name: Option<String>,
}

/// How surely a [`Match`] tells what is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The message names a tool and a place, and the tool has that place.
    Exact,
    /// The place was found by checking the tools for that rule.
    Recovered,
    /// Only the rule is known.
    MessageOnly,
}

impl Confidence {
    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Confidence::Exact => "exact",
            Confidence::Recovered => "recovered",
            Confidence::MessageOnly => "message-only",
        }
    }
}

impl Profiles {
    /// A reader of error texts that knows the messages of these profiles, of all where none is named. The day and the switches of
    /// the selection say which rules are certain; a message may speak of others.
    ///
    /// # Errors
    /// An unknown profile.
    pub fn diagnoser(&self, names: &[String], selection: &Selection) -> Result<Diagnoser<'_>, ProfilesError> {
        let library = self.rule_library();
        let all = || library.common_names().map(str::to_owned).collect();
        let names: Vec<String> = if names.is_empty() { all() } else { names.to_vec() };
        let speeches: Result<Vec<_>, _> = names.iter().map(|name| library.speech(name)).collect();
        let speeches = speeches.map_err(|error| ProfilesError::Wrong(vec![error]))?;
        Ok(Diagnoser { profiles: self, selection: selection.clone(), voices: Voices::new(speeches) })
    }
}

impl Diagnoser<'_> {
    /// What a provider's error text, or the whole body of its answer, says of these tools; empty where it says nothing known.
    ///
    /// # Errors
    /// A mistake in a profile whose words stand in the text.
    pub fn diagnose(&self, error: &str, lists: &[&ToolList]) -> Result<Vec<Match>, ProfilesError> {
        let messages = self.voices.messages(error);
        let tools = Given::all(lists);
        let mut judges: Vec<Option<Judge<'_>>> = self.voices.voices.iter().map(|_| None).collect();
        // Of each message: what each profile makes of it.
        let mut heard: Vec<Vec<(usize, Rank, Vec<Match>)>> = Vec::new();
        for message in &messages {
            let mut answers = Vec::new();
            for (number, (voice, slot)) in self.voices.voices.iter().zip(&mut judges).enumerate() {
                let groups = self.voices.hits(voice, message);
                if groups.is_empty() {
                    continue;
                }
                let judge = match slot {
                    Some(judge) => judge,
                    None => slot.insert(Judge::new(&voice.speech, self.bound(voice)?, &tools)),
                };
                let (mut rank, mut matches) = (Rank::default(), Vec::new());
                for group in &groups {
                    let answer = judge.judge(group, message);
                    rank = rank.max(answer.rank);
                    matches.extend(answer.matches);
                }
                rank.sign = self.voices.bears_sign(voice, message);
                answers.push((number, rank, matches));
            }
            heard.push(answers);
        }
        Ok(fold(self.choose(heard)))
    }

    fn bound<'v>(&self, voice: &'v Voice) -> Result<&'v Bound, ProfilesError> {
        if let Some(bound) = voice.bound.get() {
            return Ok(bound);
        }
        let bound = self.bind(&voice.speech.profile)?;
        Ok(voice.bound.get_or_init(|| bound))
    }

    /// The tools into whose schemas an error text leads though no profile knows what it says: new words of a provider, say. An index is
    /// believed only where the tool has the place that is named.
    ///
    /// ```
    /// use schemalect::{Profiles, ReadOptions, Selection, read};
    ///
    /// let tools = br#"[{"name": "ping", "inputSchema": {"type": "object"}},
    ///     {"name": "tag", "inputSchema": {"type": "object", "properties": {"tags": {"type": "array"}}}}]"#;
    /// let list = read(tools, &ReadOptions::default())?;
    /// let profiles = Profiles::builtin()?;
    /// let diagnoser = profiles.diagnoser(&[], &Selection::on("2026-11-29".parse()?))?;
    /// let pointed = |error: &str| diagnoser.pointed(error, &[&list]).map(|found| found.into_iter().map(|p| (p.tool.index, p.path)).collect());
    /// let found: Vec<_> = pointed("tools.1.custom.input_schema.properties.tags: words that nobody has heard")?;
    /// assert_eq!(found, [(1, "/properties/tags".to_owned())]);
    /// let none: Vec<(usize, String)> = pointed("tools.0.custom.input_schema.properties.tags: words that nobody has heard")?;
    /// assert!(none.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A mistake in a profile that writes places like the text.
    pub fn pointed(&self, error: &str, lists: &[&ToolList]) -> Result<Vec<Pointed>, ProfilesError> {
        let tools = Given::all(lists);
        let mut out: Vec<Pointed> = Vec::new();
        for message in &self.voices.messages(error) {
            if self.voices.voices.iter().any(|voice| !self.voices.hits(voice, message).is_empty()) {
                continue;
            }
            let voices = self.voices.voices.iter().enumerate();
            let mut signed: Vec<(usize, &Voice)> = voices.filter(|(_, voice)| self.voices.bears_sign(voice, message)).collect();
            signed.sort_by_key(|&(number, _)| self.generality(number));
            for (_, voice) in signed {
                let judge = Judge::new(&voice.speech, self.bound(voice)?, &tools);
                let new = judge.pointed(message).into_iter().filter(|p| out.iter().all(|old| old.tool != p.tool || old.path != p.path));
                let new: Vec<Pointed> = new.collect();
                out.extend(new);
                out.truncate(MOST_MATCHES);
            }
        }
        Ok(out)
    }

    fn bind(&self, name: &str) -> Result<Bound, ProfilesError> {
        let library = self.profiles.rule_library();
        let known = library.profile(name).map(|p| p.switches).unwrap_or_default();
        let mut selection = self.selection.clone();
        selection.switches.retain(|(switch, _)| known.iter().any(|(k, _)| k == switch));
        library.bind_every(name, &selection).map_err(ProfilesError::Wrong)
    }

    /// Of each message the answer of the profile that most likely spoke: one that explains it best, where several do one that
    /// explains more of the whole text, and of a family the surface that the others extend.
    fn choose(&self, heard: Vec<Vec<(usize, Rank, Vec<Match>)>>) -> Vec<Match> {
        let mut weight: HashMap<usize, usize> = HashMap::new();
        for (number, rank, _) in heard.iter().flatten() {
            let sum = weight.entry(*number).or_default();
            *sum = sum.saturating_add(rank.weight());
        }
        let likely = |(number, rank, _): &(usize, Rank, Vec<Match>)| {
            (rank.sign, rank.weight(), weight.get(number).copied(), rank.length, Reverse(self.generality(*number)))
        };
        heard.into_iter().filter_map(|answers| answers.into_iter().max_by_key(likely)).flat_map(|(.., matches)| matches).collect()
    }
}

impl Diagnoser<'_> {
    /// Of a family the surface that the others extend comes first.
    fn generality(&self, number: usize) -> (usize, Reverse<usize>, usize) {
        let voices = &self.voices.voices;
        let speech = voices.get(number).map(|v| &v.speech);
        let heirs = voices.iter().filter(|v| speech.is_some_and(|s| v.speech.ancestors.contains(&s.profile))).count();
        (speech.map_or(0, |s| s.ancestors.len()), Reverse(heirs), number)
    }
}

/// Each match once, the surest first; one that knows only the rule goes where another knows more.
fn fold(mut matches: Vec<Match>) -> Vec<Match> {
    matches.sort_by_key(|m| m.confidence);
    let placed: HashSet<String> = matches.iter().filter(|m| m.confidence != Confidence::MessageOnly).map(|m| m.rule.clone()).collect();
    let (mut seen, mut telling) = (HashSet::new(), Telling::default());
    matches
        .into_iter()
        .filter(|m| m.confidence != Confidence::MessageOnly || !placed.contains(&m.rule))
        .filter(|m| seen.insert((m.rule.clone(), m.tool.as_ref().map(|t| t.index), m.subject.word(), m.path.clone())))
        .take_while(|m| telling.takes(m.path.as_ref().map_or(0, String::len).saturating_add(m.advice.len()).saturating_add(m.said.len())))
        .take(MOST_MATCHES)
        .collect()
}

impl Pointed {
    /// Appends it as JSON.
    pub fn write_json(&self, json: &mut Json) {
        json.object(|json| {
            json.key("profile").str(&self.profile).key("tool").object(|json| {
                json.key("index").value(self.tool.index).key("name").opt_str(self.tool.name.as_deref());
            });
            json.key("path").str(&self.path);
        });
    }
}

/// One sentence for people that names the tools which a provider refused; `None` where none is known.
///
/// ```
/// use schemalect::refused_tools;
///
/// assert_eq!(refused_tools(["b", "a", "b"]).as_deref(), Some("The provider refused the definitions of the tools \"a\" and \"b\"."));
/// assert_eq!(refused_tools([""; 0]), None);
/// ```
pub fn refused_tools<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Option<String> {
    let mut names: Vec<String> = names.into_iter().map(Into::into).collect();
    names.sort();
    names.dedup();
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let (last, others) = quoted.split_last()?;
    Some(match others {
        [] => format!("The provider refused the definition of the tool {last}."),
        others => format!("The provider refused the definitions of the tools {} and {last}.", others.join(", ")),
    })
}

impl Match {
    /// Appends the match as JSON.
    pub fn write_json(&self, json: &mut Json) {
        json.object(|json| {
            json.key("profile").str(&self.profile).key("rule").str(&self.rule).key("tool");
            match &self.tool {
                None => json.raw("null"),
                Some(tool) => json.object(|json| {
                    json.key("index").value(tool.index).key("name").opt_str(tool.name.as_deref());
                }),
            };
            if let Some(pointed) = &self.pointed {
                json.key("pointed").object(|json| {
                    json.key("index").value(pointed.index).key("name").opt_str(pointed.name.as_deref());
                });
            }
            json.key("subject").str(self.subject.word()).key("path").opt_str(self.path.as_deref());
            json.key("confidence").str(self.confidence.word()).key("advice").str(&self.advice).key("said").str(&self.said);
        });
    }
}
