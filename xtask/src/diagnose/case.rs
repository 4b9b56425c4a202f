//! One recorded refusal: the tool, the message and what is right.

use regex::Regex;
use schemalect::Match;
use schemalect::engine::finding::Subject;
use schemalect::rules::Bound;
use schemalect_conformance::verdict::{Kind, Outcome, Verdict};
use serde_json::{Map, Value, json};

/// What the message names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// A tool, and a place in it.
    Place,
    /// A place, of whatever tool.
    PlaceAlone,
    Nothing,
}

pub(super) struct Case {
    pub(super) id: String,
    pub(super) profile: String,
    pub(super) tool: Value,
    pub(super) message: String,
    pub(super) named: Named,
    pub(super) seed: usize,
    /// Whether a checker of schemas could predict it.
    pub(super) scorable: bool,
    /// The rule that explains the refusal, where it was recorded.
    rule: Option<String>,
    /// What the recorded path points into, and the pointer; `None` where none was recorded.
    place: Option<(Subject, String)>,
}

/// A name that stands in no tool.
const NOBODY: &str = "zz_nobody";

impl Case {
    /// A refusal of a schema or a tool with a message.
    pub(super) fn of(verdict: &Verdict) -> Option<Case> {
        let message = verdict.message.as_deref().filter(|_| verdict.outcome == Outcome::Rejected)?;
        let input: Value = serde_json::from_str(verdict.input.get()).ok()?;
        let path = verdict.path.as_deref();
        let (tool, place) = match verdict.kind {
            Kind::Schema => {
                (json!({"name": "bad_tool", "description": "d", "inputSchema": input}), path.map(|p| (Subject::Schema, p.to_owned())))
            }
            Kind::Tool => of_tool(&input, path)?,
            Kind::Request => return None,
        };
        let mut case = Case {
            id: verdict.id.clone(),
            profile: verdict.profile.clone(),
            tool,
            message: message.to_owned(),
            named: Named::Nothing,
            seed: verdict.id.bytes().fold(7_usize, |n, b| (n * 31 + usize::from(b)) % 1_000_003),
            scorable: verdict.scorable,
            rule: verdict.rule.as_ref().map(|rule| format!("{}/{rule}", verdict.profile)),
            place,
        };
        case.message = case.at_own_positions(message);
        case.named = case.names_place();
        Some(case)
    }

    /// Positions count in the request as it was sent; here they count in the schema that was recorded.
    fn at_own_positions(&self, message: &str) -> String {
        let Some((Subject::Schema, path)) = &self.place else { return message.to_owned() };
        let mut positions = Vec::new();
        let (mut node, mut in_map) = (&self.tool["inputSchema"], false);
        for token in path.split('/').skip(1) {
            let name = token.replace("~1", "/").replace("~0", "~");
            if in_map {
                positions.push(node.as_object().and_then(|map| map.keys().position(|k| *k == name)));
            }
            in_map = !in_map && name == "properties";
            node = match node {
                Value::Array(items) => name.parse::<usize>().ok().and_then(|i| items.get(i)).unwrap_or(&Value::Null),
                node => &node[&name],
            };
        }
        let positional = pattern(r"properties\[\d+\]\.value");
        if positional.find_iter(message).count() != positions.len() {
            return message.to_owned();
        }
        let mut positions = positions.into_iter().flatten();
        positional
            .replace_all(message, |_: &regex::Captures<'_>| format!("properties[{}].value", positions.next().unwrap_or(99)))
            .into_owned()
    }

    /// Whether the message spells a path out, without anything left out.
    fn names_place(&self) -> Named {
        let spelled = pattern(
            r"properties\[|context=\(|Found at \$|`?parameters\.\w|declarations\[\w+\]\.\w|\bat properties\.\w|tools\[\d+\]\.\w|tools\.\w+\.custom\.\w|schema\.\w+\[|any_of\[",
        );
        let masked = pattern(r"\.\.\.|\*\*\*|…|\[N\]|\[X\]|properties\[\.\.\.\]|<\.\.\.>");
        let positions = pattern(r"properties\[\d+\]\.value");
        let names = spelled.is_match(&self.message) && !masked.is_match(&self.message.replace("'<...>'", "").replace("at ...", ""));
        let depth = self.place.as_ref().map_or(0, |(_, path)| path.matches("/properties/").count());
        let elsewhere = positions.is_match(&self.message) && positions.find_iter(&self.message).count() != depth;
        let tool = pattern(r"declarations\[|tools\[\d+\]|\btools\.\w+\.|for function '|functionDeclaration\b").is_match(&self.message);
        match names && self.place.is_some() && !elsewhere {
            true if tool => Named::Place,
            true => Named::PlaceAlone,
            false => Named::Nothing,
        }
    }

    /// The message as the provider would have written it had the tool stood at this position.
    pub(super) fn message_at(&self, k: usize) -> String {
        self.message_of(k, self.tool["name"].as_str().unwrap_or_default())
    }

    fn message_of(&self, k: usize, name: &str) -> String {
        let rules = [
            (r"(?:tools\[\d+\]\.)?(function_?[dD]eclarations)\[(?:\d+|N)\]", format!("tools[0].$1[{k}]")),
            (r"^(.*)tools\[\d+\]\.((?:function\.)?(?:name|description))", format!("${{1}}tools[{k}].$2")),
            (r"\btools\.(?:\d+|N)\.", format!("tools.{k}.")),
            (r"for function '[^']*'", format!("for function '{name}'")),
            (r"`[^`]*` functionDeclaration", format!("`{name}` functionDeclaration")),
            (r"(because |^|: )[\w.-]+ functionDeclaration", format!("${{1}}{name} functionDeclaration")),
        ];
        rules.iter().fold(self.message.clone(), |text, (from, to)| pattern(from).replace_all(&text, to.as_str()).into_owned())
    }

    /// The same message about places and names that stand in no tool.
    pub(super) fn nonsense(&self, k: usize) -> String {
        let rules = [
            (r"properties\[\d+\]\.value", "properties[99].value".to_owned()),
            (r"properties\[\x22?\w+\x22?\]([^.]|\.[^v])", format!("properties[{NOBODY}]$1")),
            (r"'properties', *'\w+'", format!("'properties', '{NOBODY}'")),
            (r"(\$\.|at )properties\.\w+", format!("${{1}}properties.{NOBODY}")),
            (r"parameters\.[a-z]\w*", format!("parameters.{NOBODY}")),
            (r#"Unknown name "[^"]*""#, format!("Unknown name \"{NOBODY}\"")),
        ];
        let text = self.message_of(k, NOBODY);
        rules.iter().fold(text, |text, (from, to)| pattern(from).replace_all(&text, to.as_str()).into_owned())
    }

    /// Whether a match is at the recorded place: the same node, or a schema and its keyword.
    pub(super) fn is_at(&self, found: &Match) -> bool {
        let (Some((subject, path)), Some(at)) = (&self.place, &found.path) else { return false };
        if *subject != Subject::Schema {
            return found.subject == *subject || found.subject == Subject::Tool || *subject == Subject::Tool;
        }
        let schema = &self.tool["inputSchema"];
        let owner = |pointer: &str| -> String {
            let mut at = pointer.to_owned();
            while !schema.pointer(&at).is_some_and(Value::is_object) {
                let Some(end) = at.rfind('/') else { break };
                at.truncate(end);
            }
            at
        };
        let parent = |pointer: &str| pointer.rfind('/').map(|end| pointer[..end].to_owned());
        // A property that a message names by its name, where the object that holds it was recorded.
        let named =
            at.strip_prefix(&format!("{}/properties/", owner(path))).is_some_and(|name| self.message.contains(&format!("'{name}'")));
        found.subject == Subject::Schema
            && (named
                || at == path
                || owner(at) == owner(path)
                || parent(at).as_deref() == Some(path)
                || parent(path).as_deref() == Some(at))
    }

    /// The rules whose words stand in the message.
    pub(super) fn rules<'b>(&self, bound: &'b Bound) -> Vec<&'b str> {
        let matches = |regex: &Regex| self.message.lines().any(|line| regex.is_match(line.trim()));
        bound.says.iter().filter(|says| says.regex().is_some_and(matches)).map(|says| &*says.rule).collect()
    }

    /// Whether the rule is the recorded one; where none was recorded, one that speaks this way.
    pub(super) fn is_rule(&self, bound: &Bound, found: &Match) -> bool {
        match &self.rule {
            Some(rule) => found.rule == *rule,
            None => self.rules(bound).contains(&found.rule.as_str()),
        }
    }
}

fn of_tool(input: &Value, path: Option<&str>) -> Option<(Value, Option<(Subject, String)>)> {
    let mut tool = Map::new();
    for (from, to) in [("name", "name"), ("description", "description"), ("parameters", "inputSchema")] {
        if let Some(value) = input.as_object()?.get(from) {
            tool.insert(to.to_owned(), value.clone());
        }
    }
    let place = path.map(|path| match path {
        "/name" => (Subject::Name, String::new()),
        "/description" => (Subject::Description, String::new()),
        _ => match path.strip_prefix("/parameters") {
            Some(path) => (Subject::Schema, path.to_owned()),
            None => (Subject::Tool, String::new()),
        },
    });
    Some((Value::Object(tool), place))
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{error}"))
}
