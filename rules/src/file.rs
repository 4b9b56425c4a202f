//! The two kinds of file, as they are written.
//!
//! Closed structs with places; a [`Raw`] stands where `facts.NAME` may, or where one word may stand
//! for a list. What words mean is decided where they are compiled. [`crate::form`] lists the same fields and tells of those
//! that there are not.

use serde::{Deserialize, Deserializer};

use crate::yaml::{At, Pairs, Raw};

/// A rule file.
#[derive(Debug, Deserialize)]
pub(crate) struct RuleFile {
    pub(crate) rule: At<String>,
    pub(crate) title: At<String>,
    pub(crate) message: Option<At<String>>,
    pub(crate) at: At<String>,
    pub(crate) when: At<PredFile>,
    pub(crate) why: At<String>,
    #[serde(default)]
    pub(crate) rewrite: Option<At<Vec<At<Raw>>>>,
    #[serde(default)]
    pub(crate) bad: Vec<At<ExampleFile>>,
    #[serde(default)]
    pub(crate) good: Vec<At<ExampleFile>>,
}

/// An example of a rule.
#[derive(Debug, Deserialize)]
pub(crate) struct ExampleFile {
    #[serde(default)]
    pub(crate) facts: Pairs<At<Raw>>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) schema: Option<At<Raw>>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) name: Option<At<Raw>>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) description: Option<At<Raw>>,
    pub(crate) tools: Option<Vec<At<ToolFile>>>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) after: Option<At<Raw>>,
}

/// A tool of an example.
#[derive(Debug, Deserialize)]
pub(crate) struct ToolFile {
    #[serde(default, deserialize_with = "present")]
    pub(crate) name: Option<At<Raw>>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) description: Option<At<Raw>>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) schema: Option<At<Raw>>,
}

/// A predicate.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct PredFile {
    pub(crate) kind: Option<At<Raw>>,
    pub(crate) r#type: Option<At<Raw>>,
    pub(crate) is: Option<At<Raw>>,
    pub(crate) is_not: Option<At<Raw>>,
    pub(crate) has: Option<At<Raw>>,
    pub(crate) has_all: Option<At<Raw>>,
    pub(crate) lacks: Option<At<Raw>>,
    pub(crate) keys_outside: Option<At<Raw>>,
    pub(crate) off_type: Option<At<Raw>>,
    pub(crate) beside: Option<At<BesideFile>>,
    pub(crate) value: Option<At<ValueFile>>,
    pub(crate) members: Option<At<ValueFile>>,
    pub(crate) regex: Option<At<RegexFile>>,
    pub(crate) measure: Option<At<MeasureFile>>,
    pub(crate) text: Option<At<TextFile>>,
    pub(crate) select: Option<At<Raw>>,
    pub(crate) all: Option<At<Vec<At<PredFile>>>>,
    pub(crate) any: Option<At<Vec<At<PredFile>>>>,
    pub(crate) not: Option<Box<At<PredFile>>>,
}

/// `beside:`
#[derive(Debug, Deserialize)]
pub(crate) struct BesideFile {
    pub(crate) key: At<Raw>,
    pub(crate) except: Option<At<Raw>>,
}

/// `value:` and `members:`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct ValueFile {
    pub(crate) key: At<Raw>,
    pub(crate) r#in: Option<At<Raw>>,
    pub(crate) not_in: Option<At<Raw>>,
    pub(crate) matches: Option<At<Raw>>,
    pub(crate) not_matches: Option<At<Raw>>,
    pub(crate) kind: Option<At<Raw>>,
    pub(crate) not_kind: Option<At<Raw>>,
    pub(crate) above: Option<At<Raw>>,
    pub(crate) below: Option<At<Raw>>,
    pub(crate) integral: Option<bool>,
}

/// `regex:`
#[derive(Debug, Deserialize)]
pub(crate) struct RegexFile {
    pub(crate) key: At<Raw>,
    pub(crate) uses: At<Raw>,
}

/// `measure:`
#[derive(Debug, Deserialize)]
pub(crate) struct MeasureFile {
    pub(crate) of: At<String>,
    pub(crate) over: Option<At<String>>,
    pub(crate) above: At<Raw>,
}

/// `text:`
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct TextFile {
    pub(crate) of: At<String>,
    pub(crate) matches: Option<At<Raw>>,
    pub(crate) not_matches: Option<At<Raw>>,
    pub(crate) r#in: Option<At<Raw>>,
    pub(crate) longer: Option<At<Raw>>,
    pub(crate) shorter: Option<At<Raw>>,
    pub(crate) unit: Option<At<String>>,
    pub(crate) missing: Option<bool>,
    pub(crate) null: Option<bool>,
}

/// A profile file.
#[derive(Debug, Deserialize)]
pub(crate) struct ProfileFile {
    pub(crate) profile: At<String>,
    pub(crate) title: At<String>,
    pub(crate) about: Option<At<String>>,
    pub(crate) extends: Option<At<String>>,
    #[serde(default)]
    pub(crate) also: Vec<At<String>>,
    pub(crate) lenient: Option<At<String>>,
    #[serde(rename = "lenient-for")]
    pub(crate) lenient_for: Option<At<String>>,
    #[serde(default)]
    pub(crate) meets: Vec<At<String>>,
    pub(crate) speaks: Option<SpeaksFile>,
    pub(crate) writes: Option<WritesFile>,
    pub(crate) wire: Option<At<WireFile>>,
    #[serde(default)]
    pub(crate) probe: Pairs<At<Raw>>,
    pub(crate) stages: Option<At<Vec<At<String>>>>,
    #[serde(default)]
    pub(crate) switches: Pairs<At<Vec<At<String>>>>,
    #[serde(default)]
    pub(crate) facts: Pairs<At<Raw>>,
    #[serde(default)]
    pub(crate) without: Vec<At<String>>,
    #[serde(default)]
    pub(crate) rules: Vec<At<BindingFile>>,
}

/// `speaks:`
#[derive(Debug, Deserialize)]
pub(crate) struct SpeaksFile {
    pub(crate) reports: Option<At<String>>,
    pub(crate) paths: Option<At<Raw>>,
    pub(crate) tools: Option<At<Vec<At<String>>>>,
    pub(crate) signs: Option<At<Vec<At<String>>>>,
}

/// `writes:`
#[derive(Debug, Deserialize)]
pub(crate) struct WritesFile {
    pub(crate) paths: Option<At<String>>,
}

/// `wire:`
#[derive(Debug, Deserialize)]
pub(crate) struct WireFile {
    #[serde(default, deserialize_with = "present")]
    pub(crate) name: Option<At<Raw>>,
    #[serde(default, deserialize_with = "present")]
    pub(crate) description: Option<At<Raw>>,
    pub(crate) schema: Option<At<String>>,
    #[serde(default)]
    pub(crate) constants: Pairs<At<Raw>>,
    #[serde(default)]
    pub(crate) request: Pairs<At<Raw>>,
    pub(crate) keeps: Option<At<Vec<At<String>>>>,
    pub(crate) arguments: Option<At<Vec<At<String>>>>,
    #[serde(rename = "schema-as")]
    pub(crate) schema_as: Option<At<String>>,
}

/// A rule bound to a profile.
#[derive(Debug, Deserialize)]
pub(crate) struct BindingFile {
    pub(crate) rule: At<String>,
    pub(crate) r#as: Option<At<String>>,
    pub(crate) stage: Option<At<String>>,
    pub(crate) level: Option<At<String>>,
    #[serde(default)]
    pub(crate) only: Pairs<At<Raw>>,
    pub(crate) since: Option<At<String>>,
    pub(crate) until: Option<At<String>>,
    #[serde(default)]
    pub(crate) with: Pairs<At<Raw>>,
    pub(crate) says: Option<At<String>>,
    pub(crate) paths: Option<At<Raw>>,
    pub(crate) message: Option<At<String>>,
    #[serde(default)]
    pub(crate) rewrite: Option<At<Vec<At<Raw>>>>,
    pub(crate) change: Option<At<Raw>>,
    pub(crate) follows: Option<At<String>>,
    pub(crate) unpinned: Option<At<String>>,
    #[serde(default)]
    pub(crate) sources: Vec<At<SourceFile>>,
}

impl BindingFile {
    /// The name it is known by in its profile.
    pub(crate) fn id(&self) -> &At<String> {
        self.r#as.as_ref().unwrap_or(&self.rule)
    }
}

/// Who says so.
#[derive(Debug, Deserialize)]
pub(crate) struct SourceFile {
    pub(crate) observed: Option<At<String>>,
    pub(crate) documented: Option<At<String>>,
    pub(crate) executed: Option<At<String>>,
    pub(crate) inferred: Option<At<String>>,
    pub(crate) verdicts: Option<At<String>>,
    pub(crate) contradicts: Option<At<String>>,
    pub(crate) seen: Option<At<String>>,
    pub(crate) note: Option<At<String>>,
}

/// A field that may hold null, as against one that is absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<At<Raw>>, D::Error> {
    At::<Raw>::deserialize(deserializer).map(Some)
}
