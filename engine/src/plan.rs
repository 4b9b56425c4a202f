//! What a profile becomes: compiled rules over closed predicates and operations.

use std::sync::Arc;

use crate::attr::{Attr, AttrSet};
use crate::date::Day;
use crate::effect::Effects;
use crate::keyword::{Kw, KwSet};
use crate::log::Event;
use crate::op::Step;
use crate::pattern::Pattern;
use crate::select::Selector;
use crate::spelling::PathStyle;
use crate::tree::Kind;

/// A compiled profile.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The profile's name.
    pub profile: String,
    /// The day it was resolved for.
    pub as_of: Option<Day>,
    /// How its texts write places.
    pub paths: PathStyle,
    /// The rules, in the order in which they run at a node.
    pub rules: Vec<Rule>,
    /// Worked out when first used; the rules must not change after that.
    pub(crate) index: std::sync::OnceLock<crate::index::Index>,
}

/// A rule bound to a profile.
#[derive(Clone, Debug)]
pub struct Rule {
    /// `profile/rule`.
    pub id: Arc<str>,
    /// The offence in a few words.
    pub title: String,
    /// The finding's text; placeholders `{key} {value} {path} {limit} {count}`.
    pub message: String,
    /// How its changes are told, where the profile words them.
    pub change: Option<Wording>,
    /// Why it matters.
    pub why: Arc<str>,
    /// What it looks at.
    pub site: Site,
    /// When it fires.
    pub when: Pred,
    /// How to repair it; empty: reported only.
    pub rewrite: Vec<Step>,
    /// How bad it is.
    pub level: Level,
    /// The stage of the provider's checker.
    pub stage: Arc<str>,
    /// Whether it surely holds on the day and with the switches asked for.
    pub certainty: Certainty,
    /// Who says so.
    pub sources: Arc<[Source]>,
}

/// How the changes of a rule are told; placeholders `{what} {operation} {before} {after}`. An empty text tells nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    /// By the operation that made the change; [`Wording::RECODES`] goes before it, where the change has to be restored.
    pub by: Vec<(&'static str, String)>,
    /// For every other change.
    pub any: Option<String>,
}

impl Wording {
    /// The word for changes that have to be restored.
    pub const RECODES: &'static str = "recodes";
    /// What may stand in braces.
    pub const PLACEHOLDERS: [&'static str; 4] = ["what", "operation", "before", "after"];

    /// The text for a change, with what it tells; `None` where nothing is said of such a change.
    #[must_use]
    pub fn tell(&self, event: &Event) -> Option<String> {
        let find = |word: &str| self.by.iter().find(|(w, _)| *w == word).map(|(_, text)| text);
        let recoded = find(Self::RECODES).filter(|_| event.effect.meets(Effects::RECODES));
        let text = recoded.or_else(|| find(event.operation)).or(self.any.as_ref())?;
        Some(fill(text, |name, out| {
            out.push_str(match name {
                "what" => &event.what,
                "operation" => event.operation,
                "before" => &event.before,
                "after" => &event.after,
                _ => return false,
            });
            true
        }))
    }
}

/// A text with the placeholders replaced, each once read: what is put in is not looked at again. `write` says whether it knows one.
pub(crate) fn fill(text: &str, mut write: impl FnMut(&str, &mut String) -> bool) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(32));
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('{') {
        out.push_str(before);
        match from.split_once('}') {
            Some((name, after)) if write(name, &mut out) => rest = after,
            _ => {
                out.push('{');
                rest = from;
            }
        }
    }
    out.push_str(rest);
    out
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// The list of tools.
    Request,
    /// One tool: its name, description and whether it has a schema.
    Tool,
    /// Each schema node, the root included.
    Schema,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Better written otherwise.
    Style,
    /// Taken, but harmful, ignored or risky.
    Warning,
    /// The provider refuses.
    Error,
}

impl Level {
    /// The word used in files and output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Level::Style => "style",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// Whether a finding surely holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It does.
    Certain,
    /// A date inside an interval, or a switch that is not set.
    Undecided,
}

impl Certainty {
    /// The word used in output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Certainty::Certain => "certain",
            Certainty::Undecided => "undecided",
        }
    }
}

/// Who says that a rule holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// `observed`, `documented`, `executed`, `inferred`, `verdicts` or `contradicts`.
    pub kind: &'static str,
    /// An address, or the words of an inference.
    pub url: String,
    /// The day it was seen.
    pub date: Option<Day>,
    /// What else there is to say.
    pub note: Option<String>,
}

/// Keys, known and unknown.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    /// The known keywords among them.
    pub known: KwSet,
    /// The names that are no known keyword, sorted.
    pub other: Vec<String>,
}

impl Keys {
    /// The set of these names.
    pub fn of<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Keys {
        let mut keys = Keys::default();
        for name in names {
            match Kw::of(name.as_ref()) {
                Some(kw) => keys.known.insert(kw),
                None => keys.other.push(name.as_ref().to_owned()),
            }
        }
        keys.other.sort();
        keys.other.dedup();
        keys
    }

    /// Whether the set holds this key.
    #[must_use]
    pub fn has(&self, kw: Option<Kw>, name: &str) -> bool {
        match kw {
            Some(kw) => self.known.has(kw),
            None => self.other.binary_search_by(|k| k.as_str().cmp(name)).is_ok(),
        }
    }

    /// The known keywords, and [`KwSet::OTHER`] for the rest: a node that has one of the keys meets it.
    pub(crate) fn outline(&self) -> KwSet {
        if self.other.is_empty() { self.known } else { self.known.with(KwSet::OTHER) }
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.other.is_empty()
    }
}

/// A predicate over a node: every part must hold.
#[derive(Clone, Debug, Default)]
pub struct Pred {
    /// The node's kind is one of these (a set of [`crate::attr::NodeKind`] bits); 0: any.
    pub kinds: u16,
    /// The `type` keyword contains one of these (a set of [`crate::attr::Types`] bits); 0: any.
    pub types: u8,
    /// All of these attributes.
    pub is: AttrSet,
    /// None of these attributes.
    pub is_not: AttrSet,
    /// Any of these keys stands in the node; one witness a key.
    pub has: Option<Keys>,
    /// All of these keys stand in the node.
    pub has_all: Option<Keys>,
    /// None of these keys stands in the node.
    pub lacks: Option<Keys>,
    /// The slower tests.
    pub tests: Vec<Test>,
}

/// A test that looks at more than bits.
#[derive(Clone, Debug)]
pub enum Test {
    /// A key outside the list stands in the node.
    KeysOutside(Keys),
    /// One of `key` stands beside another key that is not excepted.
    Beside {
        /// The keys that want to stand alone.
        key: Keys,
        /// What may stand beside them.
        except: Keys,
    },
    /// One of these keys stands in a node of another type.
    OffType(Keys),
    /// The value under a key.
    Value(Name, ValueTest),
    /// Some member of the array (or key of the object) under a key.
    Members(Name, ValueTest),
    /// The regex under a key uses one of these features (a set of [`crate::regex_scan::Uses`] bits).
    Regex(Kw, u32),
    /// A count is above the limit.
    Measure {
        /// What is counted.
        of: Measure,
        /// Over what.
        over: Over,
        /// The limit.
        above: u64,
    },
    /// The tool's or property's text.
    Text(TextOf, TextTest),
    /// An RFC 9535 query, relative to the node.
    Select(Selector),
    /// All of these.
    All(Vec<Pred>),
    /// One of these.
    Any(Vec<Pred>),
    /// Not this.
    Not(Box<Pred>),
}

/// A key by name, resolved once.
#[derive(Clone, Debug)]
pub struct Name {
    /// The keyword, if it is one.
    pub kw: Option<Kw>,
    /// As written.
    pub name: String,
}

/// Tests of a JSON value; those that are set must all hold.
#[derive(Clone, Debug, Default)]
pub struct ValueTest {
    /// Equal to one of these JSON texts (compact).
    pub within: Option<Vec<serde_json::Value>>,
    /// Equal to none of these.
    pub not_within: Option<Vec<serde_json::Value>>,
    /// A string that matches.
    pub matches: Option<Pattern>,
    /// A string that does not match.
    pub not_matches: Option<Pattern>,
    /// Of one of these JSON kinds.
    pub kind: Option<Vec<Kind>>,
    /// Of none of these JSON kinds.
    pub not_kind: Option<Vec<Kind>>,
    /// A number above.
    pub above: Option<f64>,
    /// A number below.
    pub below: Option<f64>,
    /// A number that is (not) integral.
    pub integral: Option<bool>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Measure {
    Level,
    Depth,
    Schemas,
    Properties,
    PropertyCount,
    RequiredCount,
    EnumValues,
    LiteralChars,
    Branches,
    Bytes,
    Optional,
    Unions,
    MaxItemsSum,
    Tools,
}

/// Over what a measure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The node and what is below it.
    Node,
    /// The whole schema of the tool.
    Schema,
    /// All tools of the request.
    Request,
}

/// Which text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextOf {
    /// The tool's name.
    Name,
    /// The tool's description.
    Description,
    /// The name of the property that the schema stands under.
    PropertyName,
}

/// Tests of a text; those that are set must all hold.
#[derive(Clone, Debug, Default)]
pub struct TextTest {
    /// It matches.
    pub matches: Option<Pattern>,
    /// It does not match.
    pub not_matches: Option<Pattern>,
    /// It is one of these.
    pub within: Option<Vec<String>>,
    /// It is longer than this.
    pub longer: Option<u64>,
    /// It is shorter than this.
    pub shorter: Option<u64>,
    /// How length is counted.
    pub unit: Unit,
    /// It is (not) missing.
    pub missing: Option<bool>,
    /// It is (not) `null`.
    pub null: Option<bool>,
}

/// How the length of a text is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Unicode scalar values.
    #[default]
    Chars,
    /// UTF-8 bytes.
    Bytes,
    /// UTF-16 code units.
    Utf16,
}

impl Unit {
    /// The length of a text in this unit.
    #[must_use]
    pub fn len(self, text: &str) -> u64 {
        let n = match self {
            Unit::Chars => text.chars().count(),
            Unit::Bytes => text.len(),
            Unit::Utf16 => text.encode_utf16().count(),
        };
        n as u64
    }
}

impl Pred {
    /// A predicate that needs one attribute.
    #[must_use]
    pub fn attr(attr: Attr) -> Pred {
        Pred { is: AttrSet::of(&[attr]), ..Pred::default() }
    }
}
