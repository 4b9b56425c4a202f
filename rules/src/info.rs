//! What there is to say about rules, profiles and bindings, for documents and explanations.

use schemalect_engine::Tree;
use schemalect_engine::check::{Given, Tool};
use schemalect_engine::date::Day;
use schemalect_engine::plan::{Level, Site, Source};
use serde_json::{Map, Value};

use crate::bind::{self, Binding, Effective};
use crate::compile::binding::source_kinds;
use crate::compile::rule::RuleEntry;
use crate::compile::scope::Fact;
use crate::compile::terms::{Switch, glob};
use crate::compile::words;
use crate::error::{Errors, Span};
use crate::file::{ExampleFile, SourceFile, ToolFile};
use crate::library::Library;
use crate::speaks::Speaks;
use crate::wire::Wire;
use crate::yaml::{At, Raw};

/// A rule.
#[derive(Clone, Debug)]
pub struct RuleInfo {
    /// Its id, which is its file's name.
    pub id: String,
    /// The file.
    pub path: String,
    /// The offence in a few words.
    pub title: String,
    /// What a finding says, with placeholders.
    pub message: String,
    /// What it looks at.
    pub at: Site,
    /// Why it matters.
    pub why: String,
    /// The predicate as written.
    pub when: String,
    /// The repair as written; `None` where there is none.
    pub rewrite: Option<String>,
    /// Examples that give a finding.
    pub bad: Vec<Example>,
    /// Examples that give none.
    pub good: Vec<Example>,
}

/// An example of a rule.
#[derive(Clone, Debug)]
pub struct Example {
    /// The line of the rule file on which it stands.
    pub line: usize,
    /// The facts it is run with.
    pub facts: Map<String, Value>,
    /// The tool; of a rule at request, all tools.
    pub tools: Vec<ExampleTool>,
    /// The schema that the default rewrite makes of it.
    pub after: Option<Value>,
}

/// A tool of an example; `None` stands for a field that is absent.
#[derive(Clone, Debug, Default)]
pub struct ExampleTool {
    /// Its name, of any JSON kind.
    pub name: Option<Value>,
    /// Its description, of any JSON kind.
    pub description: Option<Value>,
    /// Its schema.
    pub schema: Option<Value>,
}

impl ExampleTool {
    /// Its schema as a tree.
    #[must_use]
    pub fn tree(&self) -> Option<Tree> {
        self.schema.as_ref().map(Tree::from_value)
    }

    /// What rules see of it, with the tree of its schema.
    #[must_use]
    pub fn view<'t>(&'t self, tree: Option<&'t Tree>) -> Tool<'t> {
        Tool { name: given(self.name.as_ref()), description: given(self.description.as_ref()), schema: tree.map(|t| (t, t.root())) }
    }
}

fn given(value: Option<&Value>) -> Given<'_> {
    match value {
        None => Given::Missing,
        Some(Value::Null) => Given::Null,
        Some(Value::String(text)) => Given::Text(text),
        Some(_) => Given::Odd,
    }
}

/// A profile with everything it inherits.
#[derive(Clone, Debug)]
pub struct ProfileInfo {
    /// Its name.
    pub name: String,
    /// The file.
    pub path: String,
    /// The group that it belongs to, by name.
    pub group: String,
    /// What it is, in a line.
    pub title: String,
    /// What it is, at length.
    pub about: String,
    /// The profile that it extends.
    pub extends: Option<String>,
    /// The profiles whose facts and bindings it takes as well.
    pub also: Vec<String>,
    /// The sibling that takes what this one refuses.
    pub lenient: Option<String>,
    /// Whether all tools of a list go under the sibling where one does.
    pub together: bool,
    /// The surfaces that all take what this one passes.
    pub meets: Vec<String>,
    /// Switches with their values, the default first.
    pub switches: Vec<(String, Vec<String>)>,
    /// How the surface itself is asked, which is not inherited; empty where nobody has said.
    pub probe: Map<String, Value>,
    /// The stages of the provider's checker, in order.
    pub stages: Vec<String>,
    /// Its facts, own and inherited.
    pub facts: Map<String, Value>,
    /// Where the parts of a tool stand in a request.
    pub wire: Option<Wire>,
    /// How the provider reports.
    pub speaks: Speaks,
    /// The bindings that it does not inherit.
    pub without: Vec<String>,
    /// Its bindings, own and inherited, in the order in which they run.
    pub bindings: Vec<BindingInfo>,
}

/// A rule bound to a profile.
#[derive(Clone, Debug)]
pub struct BindingInfo {
    /// The name it is known by in the profile.
    pub id: String,
    /// The rule.
    pub rule: String,
    /// The rule's title; empty where the rule does not exist.
    pub title: String,
    /// The profile that declares it.
    pub home: String,
    /// The line of the profile file on which it stands.
    pub line: usize,
    /// The stage of the provider's checker.
    pub stage: String,
    /// How bad a finding is.
    pub level: Level,
    /// The switches on which it depends, with patterns.
    pub only: Vec<(String, Vec<String>)>,
    /// Since when it holds, as written.
    pub since: Option<String>,
    /// Until when it holds, as written.
    pub until: Option<String>,
    /// The facts that it fills in.
    pub with: Map<String, Value>,
    /// The provider's words, a regular expression.
    pub says: Option<String>,
    /// The repair as written, the rule's own where the binding has none.
    pub rewrite: Option<String>,
    /// How a change is told, as written.
    pub change: Option<String>,
    /// Why this and not the other source.
    pub follows: Option<String>,
    /// Why no recorded verdict pins it.
    pub unpinned: Option<String>,
    /// Who says so, and who says otherwise.
    pub sources: Vec<Source>,
}

impl RuleInfo {
    pub(crate) fn of(entry: &RuleEntry) -> RuleInfo {
        let RuleEntry { file, rule } = entry;
        let text = file.text.as_str();
        let examples = |list: &[At<ExampleFile>]| {
            let example = |at: &At<ExampleFile>| Example::of(at, text);
            list.iter().map(example).collect()
        };
        RuleInfo {
            id: entry.id().to_owned(),
            path: file.path.clone(),
            title: rule.title.value.clone(),
            message: entry.message().value.clone(),
            at: entry.site().unwrap_or(Site::Schema),
            why: rule.why.value.clone(),
            when: block(text, &rule.when.span),
            rewrite: rule.rewrite.as_ref().map(|at| block(text, &at.span)),
            bad: examples(&rule.bad),
            good: examples(&rule.good),
        }
    }
}

impl Example {
    fn of(at: &At<ExampleFile>, text: &str) -> Example {
        let example = &at.value;
        let tools = match &example.tools {
            Some(tools) => tools.iter().map(|at| ExampleTool::of(&at.value)).collect(),
            None => vec![ExampleTool { name: json(&example.name), description: json(&example.description), schema: json(&example.schema) }],
        };
        Example { line: line(text, &at.span), facts: example.facts.to_json(), tools, after: json(&example.after) }
    }
}

impl ExampleTool {
    fn of(file: &ToolFile) -> ExampleTool {
        ExampleTool { name: json(&file.name), description: json(&file.description), schema: json(&file.schema) }
    }
}

impl ProfileInfo {
    /// Whether a value is among those that the profile lists for one of its switches.
    #[must_use]
    pub fn lists(&self, switch: &str, value: &str) -> bool {
        self.switches.iter().any(|(name, known)| name == switch && known.iter().any(|pattern| glob(pattern, value)))
    }

    pub(crate) fn of(profile: &Effective<'_>, library: &Library) -> ProfileInfo {
        let own = profile.chain.last().map(|entry| (&entry.file, &entry.profile));
        let text = |at: Option<&At<String>>| at.map(|at| at.value.clone());
        let file = own.map(|(_, file)| file);
        let switch = |(name, switch): (&&str, &Switch<'_>)| {
            let values = switch.words().map(str::to_owned).collect();
            ((*name).to_owned(), values)
        };
        let fact = |(name, fact): (&&str, &Fact<'_>)| ((*name).to_owned(), fact.value.value.to_json());
        let without = file.into_iter().flat_map(|file| &file.without);
        let bindings = profile.bindings.values();
        ProfileInfo {
            name: profile.name.to_owned(),
            path: own.map(|(file, _)| file.path.clone()).unwrap_or_default(),
            group: library.group(profile.name).map(|group| group.name).unwrap_or_default(),
            title: text(file.map(|file| &file.title)).unwrap_or_default(),
            about: text(file.and_then(|file| file.about.as_ref())).unwrap_or_default(),
            extends: text(file.and_then(|file| file.extends.as_ref())),
            also: file.into_iter().flat_map(|file| &file.also).map(|at| at.value.clone()).collect(),
            lenient: bind::lenient(profile),
            together: bind::together(profile),
            meets: file.into_iter().flat_map(|file| &file.meets).map(|at| at.value.clone()).collect(),
            switches: profile.switches.iter().map(switch).collect(),
            probe: own.map(|(_, file)| file.probe.to_json()).unwrap_or_default(),
            stages: bind::stages(profile),
            facts: profile.facts.iter().map(fact).collect(),
            wire: Wire::of(profile, &mut Errors::default()),
            speaks: Speaks::of(profile, &mut Errors::default()),
            without: without.map(|at| at.value.clone()).collect(),
            bindings: bindings.map(|binding| BindingInfo::of(binding, library)).collect(),
        }
    }
}

impl BindingInfo {
    fn of(binding: &Binding<'_>, library: &Library) -> BindingInfo {
        let file = binding.value;
        let text = binding.file.text.as_str();
        let rule = library.rule_entry(&file.rule.value);
        let word = |at: &Option<At<String>>| at.as_ref().map(|at| at.value.clone());
        let own = file.rewrite.as_ref().map(|at| block(text, &at.span));
        let default = || {
            let rule = rule?;
            let rewrite = rule.rule.rewrite.as_ref()?;
            Some(block(&rule.file.text, &rewrite.span))
        };
        let level = file.level.as_ref().and_then(|at| {
            let level = words::LEVELS.iter().find(|(word, _)| *word == at.value);
            level.map(|(_, level)| *level)
        });
        BindingInfo {
            id: file.id().value.clone(),
            rule: file.rule.value.clone(),
            title: rule.map(|rule| rule.rule.title.value.clone()).unwrap_or_default(),
            home: binding.home.to_owned(),
            line: line(text, binding.span),
            stage: word(&file.stage).unwrap_or_default(),
            level: level.unwrap_or(Level::Error),
            only: file.only.0.iter().map(only).collect(),
            since: word(&file.since),
            until: word(&file.until),
            with: file.with.to_json(),
            says: word(&file.says),
            rewrite: own.or_else(default),
            change: file.change.as_ref().map(|at| block(text, &at.span)),
            follows: word(&file.follows),
            unpinned: word(&file.unpinned),
            sources: file.sources.iter().filter_map(source).collect(),
        }
    }
}

fn only((key, raw): &(At<String>, At<Raw>)) -> (String, Vec<String>) {
    let word = |raw: &At<Raw>| match &raw.value {
        Raw::Text(text) => text.clone(),
        other => other.to_json().to_string(),
    };
    let patterns = match &raw.value {
        Raw::List(items) => items.iter().map(word).collect(),
        _ => vec![word(raw)],
    };
    (key.value.clone(), patterns)
}

fn source(at: &At<SourceFile>) -> Option<Source> {
    let (kind, url) = source_kinds(&at.value).next()?;
    let seen = at.value.seen.as_ref();
    Some(Source {
        kind,
        url: url.value.clone(),
        date: seen.and_then(|seen| seen.value.parse::<Day>().ok()),
        note: at.value.note.as_ref().map(|note| note.value.clone()),
    })
}

fn json(at: &Option<At<Raw>>) -> Option<Value> {
    at.as_ref().map(|at| at.value.to_json())
}

fn line(text: &str, span: &Span) -> usize {
    let before = text.get(..span.start).unwrap_or_default();
    before.matches('\n').count().saturating_add(1)
}

/// The text of a list or map that begins at `span`: its line, and the lines that are indented
/// further than the key it stands under.
fn block(text: &str, span: &Span) -> String {
    let (before, block) = text.split_at_checked(span.start).unwrap_or((text, ""));
    let line = before.trim_end().rfind('\n').map_or(0, |at| at.saturating_add(1));
    let depth = indent(text.get(line..).unwrap_or_default());
    let mut out = String::new();
    for (i, part) in block.split_inclusive('\n').enumerate() {
        if i > 0 && !part.trim().is_empty() && indent(part) <= depth {
            break;
        }
        out.push_str(part);
    }
    out.trim_end().to_owned()
}

fn indent(line: &str) -> usize {
    line.len().saturating_sub(line.trim_start_matches([' ', '-']).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks() {
        let text =
            "when: { kind: object,\n  is: open }\nwhy: x\nrules:\n  - rule: a\n    rewrite:\n      - close\n      - drop\n  - rule: b\n";
        let check = |start: &str, whole: &str| {
            let at = text.find(start).expect("stands there");
            assert_eq!(block(text, &(at..at)), whole);
        };
        check("{ kind", "{ kind: object,\n  is: open }");
        check("- close", "- close\n      - drop");
    }
}
