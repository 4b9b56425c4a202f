//! What a restore plan is: stages, one for each phase that changed the shape of arguments.

use regex::{Regex, RegexBuilder};
use serde_json::Value;

use super::shape::Shape;
use super::shape::Typed;
use crate::attr::Types;
use crate::op::Phase;

/// The version of the plan's JSON.
pub const PLAN_VERSION: u64 = 1;

/// A compiled pattern takes no more room than this.
const PATTERN_SIZE: usize = 1 << 20;

/// How the arguments of one tool are mapped back. Needs neither schema nor profile.
#[derive(Clone, Debug, PartialEq)]
pub struct RestorePlan {
    /// The profile that it was made for.
    pub profile: String,
    /// The tool's own name.
    pub name: Option<String>,
    /// The name that is sent, where it is another.
    pub sent_as: Option<String>,
    pub(crate) stages: Vec<Stage>,
    pub(crate) types: Option<Typed>,
}

/// Why a plan cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("restore plan: {}: {what}", if path.is_empty() { "the root" } else { path })]
pub struct PlanError {
    /// JSON Pointer into the plan.
    pub path: String,
    /// What is wrong.
    pub what: String,
}

/// The codecs of one phase, along the schema that the phase put out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stage {
    pub(crate) phase: Phase,
    pub(crate) root: Node,
    /// What `Node::target` leads to, by a name for people.
    pub(crate) defs: Vec<(String, Node)>,
}

/// What happens at the values of one schema node, and below.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Node {
    /// In the order in which the schema was changed.
    pub(crate) steps: Vec<Step>,
    /// Sorted by name.
    pub(crate) properties: Vec<(String, Node)>,
    /// The properties that `properties` or the schema names, sorted; the node is for all others.
    pub(crate) rest: Option<Box<Rest>>,
    pub(crate) prefix: Vec<Node>,
    pub(crate) items: Option<Box<Node>>,
    pub(crate) all: Vec<Node>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) target: Option<usize>,
}

/// What happens to properties that the schema does not name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rest {
    /// Those it names, sorted.
    pub(crate) named: Vec<String>,
    /// Nodes for the properties that a pattern is found in; the first counts.
    pub(crate) patterns: Vec<(Pattern, Node)>,
    pub(crate) node: Node,
}

/// A pattern of property names.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) text: String,
    regex: Regex,
}

impl Pattern {
    /// `None` where it cannot be matched in linear time, or only with too much room.
    pub(crate) fn new(text: String) -> Option<Pattern> {
        let regex = RegexBuilder::new(&text).size_limit(PATTERN_SIZE).build().ok()?;
        Some(Pattern { text, regex })
    }

    pub(crate) fn fits(&self, name: &str) -> bool {
        self.regex.is_match(name)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text == other.text
    }
}

/// A branch of a union.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Branch {
    /// What the model's values of the branch look like.
    pub(crate) when: Shape,
    /// What the tool's values of the branch look like.
    pub(crate) was: Shape,
    pub(crate) then: Option<Node>,
}

/// One mapping at one node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// Null stands for absent; sorted by name.
    Nulls(Vec<NullProperty>),
    /// What the tool may be given as null is left out; sorted.
    Absent(Vec<String>),
    /// What the tool is given as null is left out; sorted.
    Omitted(Vec<String>),
    /// The text is JSON, of a value of one of these types (none: of any).
    ParseJson {
        types: Types,
        nullable: bool,
    },
    Entries(Entries),
    Fields(Fields),
    /// The value is wrapped in an object.
    Unwrap {
        name: String,
    },
    /// A text stands for a literal; plain texts stand for themselves.
    FromText {
        values: Vec<(String, Value)>,
        plain: Vec<String>,
    },
    Rename(Renames),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NullProperty {
    pub(crate) name: String,
    /// The tool's own schema takes null here.
    pub(crate) nullable: bool,
    /// The tool's own schema says that no value means null.
    pub(crate) default_null: bool,
}

/// A list of entries is an object; under `rest` it joins the other properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entries {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) rest: Option<String>,
    /// With `rest`: the other properties, sorted.
    pub(crate) named: Vec<String>,
}

/// An object is a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) names: Vec<String>,
    pub(crate) rest: Option<String>,
    /// So many elements there must be.
    pub(crate) least: usize,
}

/// Properties that have other names: as the model writes them, and as the tool expects them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Renames {
    /// Sorted by the first.
    pub(crate) pairs: Vec<(String, String)>,
    /// Places in `pairs`, sorted by the second.
    pub(crate) back: Vec<usize>,
}

impl Renames {
    pub(crate) fn new(mut pairs: Vec<(String, String)>) -> Renames {
        pairs.sort_unstable();
        let mut back: Vec<usize> = (0..pairs.len()).collect();
        back.sort_unstable_by_key(|&i| pairs.get(i).map(|(_, to)| to));
        Renames { pairs, back }
    }

    pub(crate) fn expected(&self, written: &str) -> Option<&str> {
        let at = self.pairs.binary_search_by(|(from, _)| from.as_str().cmp(written)).ok()?;
        self.pairs.get(at).map(|(_, to)| to.as_str())
    }

    pub(crate) fn written(&self, expected: &str) -> Option<&str> {
        let at = self.back.binary_search_by(|&i| self.pairs.get(i).map(|(_, to)| to.as_str()).cmp(&Some(expected))).ok()?;
        self.back.get(at).and_then(|&i| self.pairs.get(i)).map(|(from, _)| from.as_str())
    }
}

impl Node {
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
            && self.properties.is_empty()
            && self.rest.is_none()
            && self.prefix.is_empty()
            && self.items.is_none()
            && self.all.is_empty()
            && self.branches.is_empty()
            && self.target.is_none()
    }
}

impl RestorePlan {
    /// A plan, if there is anything to map.
    pub(crate) fn of(
        profile: &str,
        (name, sent_as): (Option<&str>, Option<&str>),
        stages: Vec<Stage>,
        types: Option<Typed>,
    ) -> Option<RestorePlan> {
        if sent_as.is_none() && stages.is_empty() && types.is_none() {
            return None;
        }
        Some(RestorePlan {
            profile: profile.to_owned(),
            name: name.map(ToOwned::to_owned),
            sent_as: sent_as.map(ToOwned::to_owned),
            stages,
            types,
        })
    }

    /// Whether arguments need any mapping, apart from what the tool's own schema says of them.
    #[must_use]
    pub fn recodes(&self) -> bool {
        !self.stages.is_empty()
    }

    /// The phases that it undoes, first to last.
    pub fn phases(&self) -> impl Iterator<Item = Phase> + '_ {
        self.stages.iter().map(|s| s.phase)
    }
}
