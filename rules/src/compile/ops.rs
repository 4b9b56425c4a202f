//! Operations: from the words of a `rewrite` list to the engine's closed form.

use schemalect_engine::keyword::{Kw, KwSet};
use schemalect_engine::op::{InlineRefs, NullAs, NullForm, Op, RefChoice, Repair, Retain, Step};
use schemalect_engine::plan::{Keys, Site};

use super::pred::keyword;
use super::scope::Cx;
use super::words;
use crate::error::{ProfileError, Span};
use crate::yaml::{At, Pairs, Raw};

/// The options of an operation: needed, then optional.
pub(crate) type Spec = (&'static str, &'static [&'static str], &'static [&'static str]);

/// The operations that take options; the others are bare words.
pub(crate) const SPECS: &[Spec] = &[
    ("repair", &[], &["read", "leave", "hoist", "note"]),
    ("inline-refs", &[], &["recursion", "over-budget", "unresolved", "depth", "nested", "words"]),
    ("hoist-refs", &[], &["old-name"]),
    ("drop", &["keys"], &["note"]),
    ("keep", &["keys"], &["note"]),
    ("rename", &["from", "to"], &[]),
    ("listify", &["from", "to"], &[]),
    ("infer-type", &[], &["from"]),
    ("json-text", &[], &["words"]),
    ("split", &["key"], &[]),
    ("set", &["key", "value"], &[]),
    ("wrap-root", &["name"], &[]),
    ("entries", &["key", "value"], &["rest"]),
    ("fields", &["prefix"], &[]),
    ("null-as", &["form"], &["single", "where"]),
    ("retain", &["key", "where"], &["least"]),
    ("require-optional", &["null-as"], &["default-null"]),
    ("rename-properties", &["allowed", "max"], &["reserved"]),
    ("rename-tool", &["allowed", "max"], &["first"]),
    ("describe", &[], &["min", "max", "unit"]),
    ("give-schema", &["schema"], &[]),
];

/// The property of `entries` beside declared properties, where none is named.
const REST: &str = "rest";

/// Compiles a `rewrite` list.
pub(crate) fn steps(cx: &mut Cx<'_>, list: &At<Vec<At<Raw>>>, site: Site) -> Vec<Step> {
    let mut steps = Vec::new();
    for item in &list.value {
        let Some((word, options)) = split(cx, item) else {
            continue;
        };
        if word.value == "one-of" {
            steps.extend(one_of(cx, &word, options, site));
        } else {
            steps.extend(operation(cx, &word, options, site).map(Step::Do));
        }
    }
    let refusal = steps.iter().find_map(|step| match step {
        Step::Do(op @ (Op::Refuse | Op::LeaveOut)) => Some(op.word()),
        _ => None,
    });
    if let Some(word) = refusal.filter(|_| list.value.len() > 1) {
        cx.error_hint(&list.span, format!("`{word}` stands beside operations that repair"), "a rule either repairs or refuses");
    }
    steps
}

fn one_of(cx: &mut Cx<'_>, word: &At<String>, options: Option<&At<Raw>>, site: Site) -> Option<Step> {
    let Some(At { value: Raw::List(items), .. }) = options else {
        cx.error(&word.span, "`one-of` takes a list of operations");
        return None;
    };
    if items.len() < 2 {
        cx.error(&word.span, "`one-of` needs at least two operations to choose from");
    }
    let mut ops = Vec::new();
    for item in items {
        let Some((word, options)) = split(cx, item) else {
            continue;
        };
        match word.value.as_str() {
            "one-of" => cx.error(&word.span, "`one-of` stands inside `one-of`"),
            "refuse" | "leave-out" => {
                cx.error_hint(
                    &word.span,
                    format!("`{}` stands inside `one-of`", word.value),
                    "leave it out: when all operations decline, the finding stays",
                );
            }
            _ => ops.extend(operation(cx, &word, options, site)),
        }
    }
    Some(Step::OneOf(ops))
}

/// An entry's operation and what stands under it.
fn split<'r>(cx: &mut Cx<'_>, item: &'r At<Raw>) -> Option<(At<String>, Option<&'r At<Raw>>)> {
    match &item.value {
        Raw::Text(word) => {
            let word = At { value: word.clone(), span: item.span.clone() };
            return Some((word, None));
        }
        Raw::Map(Pairs(pairs)) => {
            if let [(word, options)] = pairs.as_slice() {
                return Some((word.clone(), Some(options)));
            }
        }
        _ => {}
    }
    cx.error_hint(
        &item.span,
        format!("an operation is needed here, not {}", item.value.noun()),
        "write a bare word, or one operation with its options: `drop: { keys: [..] }`",
    );
    None
}

fn operation(cx: &mut Cx<'_>, word: &At<String>, options: Option<&At<Raw>>, site: Site) -> Option<Op> {
    if !Op::WORDS.contains(&word.value.as_str()) {
        let error = ProfileError::at(cx.file, &word.span, format!("unknown operation `{}`", word.value));
        let known = Op::WORDS.iter().copied().chain(["one-of"]);
        cx.errors.push(error.near(&word.value, known));
        return None;
    }
    fits_site(cx, word, site);
    let options = read_options(cx, word, options)?;
    build(&mut Options { cx, word, options })
}

fn fits_site(cx: &mut Cx<'_>, word: &At<String>, site: Site) {
    let fits = match word.value.as_str() {
        "refuse" => true,
        "rename-tool" => site != Site::Schema,
        "require-optional" => site != Site::Tool,
        "describe" => site != Site::Request,
        "give-schema" => site == Site::Tool,
        _ => site == Site::Schema,
    };
    if !fits {
        let at = words::site(site);
        cx.error_hint(
            &word.span,
            format!("`{}` cannot repair what a rule at {at} finds", word.value),
            "write an operation for that site, or `refuse`",
        );
    }
}

fn read_options<'r>(cx: &mut Cx<'_>, word: &At<String>, options: Option<&'r At<Raw>>) -> Option<&'r [(At<String>, At<Raw>)]> {
    let spec = SPECS.iter().find(|(w, ..)| *w == word.value);
    let (needed, optional) = spec.map_or((&[][..], &[][..]), |(_, n, o)| (*n, *o));
    let pairs = match options {
        None => &[][..],
        Some(At { value: Raw::Map(Pairs(pairs)), .. }) if spec.is_some() => pairs,
        Some(at) => {
            let message = match spec {
                Some(_) => format!("`{}` takes options by name", word.value),
                None => format!("`{}` takes no options", word.value),
            };
            cx.error(&at.span, message);
            return None;
        }
    };
    let known = needed.iter().chain(optional).copied();
    for (key, _) in pairs {
        if !known.clone().any(|k| k == key.value) {
            let message = format!("unknown option `{}` of `{}`", key.value, word.value);
            let error = ProfileError::at(cx.file, &key.span, message);
            cx.errors.push(error.near(&key.value, known.clone()));
        }
    }
    let mut complete = true;
    for key in needed {
        if !pairs.iter().any(|(k, _)| k.value == *key) {
            cx.error(&word.span, format!("`{}` needs `{key}`", word.value));
            complete = false;
        }
    }
    complete.then_some(pairs)
}

fn build(o: &mut Options<'_, '_, '_>) -> Option<Op> {
    Some(match o.word.value.as_str() {
        "repair" => Op::Repair(repair(o)?),
        "inline-refs" => Op::InlineRefs(inline_refs(o)?),
        "hoist-refs" => Op::HoistRefs { old_name: o.flag("old-name")?.unwrap_or(false) },
        "prune-defs" => Op::PruneDefs,
        "drop" => Op::Drop { keys: o.keys("keys"), note: o.keys("note") },
        "keep" => Op::Keep { keys: o.keys("keys"), note: o.keys("note") },
        "drop-off-type" => Op::DropOffType,
        "rename" => Op::Rename { from: o.text("from")?, to: o.text("to")? },
        "listify" => Op::Listify { from: o.keyword("from")?, to: o.keyword("to")? },
        "unwrap" => Op::Unwrap,
        "merge-all-of" => Op::MergeAllOf,
        "merge-branches" => Op::MergeBranches,
        "required-note" => Op::RequiredNote,
        "split" => Op::Split { key: o.keyword("key")? },
        "push" => Op::Push,
        "infer-type" => infer_type(o)?,
        "inclusive-bounds" => Op::InclusiveBounds,
        "union-items" => Op::UnionItems,
        "set" => Op::Set { key: o.text("key")?, value: o.json("value")? },
        "wrap-root" => Op::WrapRoot { name: o.text("name")? },
        "json-text" => Op::JsonText { words: o.words("words")? },
        "entries" => Op::Entries { key: o.text("key")?, value: o.text("value")?, rest: o.text("rest").unwrap_or_else(|| REST.to_owned()) },
        "fields" => Op::Fields { prefix: o.text("prefix")? },
        "text-enum" => Op::TextEnum,
        "alias-literals" => Op::AliasLiterals,
        "null-as" => Op::NullAs(null_as(o)?),
        "retain" => retain(o)?,
        "close" => Op::Close,
        "require-optional" => require_optional(o)?,
        "rename-properties" => {
            Op::RenameProperties { allowed: o.class("allowed")?, max: o.size("max")?, reserved: o.each_word("reserved") }
        }
        "rename-tool" => rename_tool(o)?,
        "describe" => describe(o)?,
        "give-schema" => give_schema(o)?,
        "omit-schema" => Op::OmitSchema,
        "refuse" => Op::Refuse,
        "leave-out" => Op::LeaveOut,
        _ => return None,
    })
}

fn inline_refs(o: &mut Options<'_, '_, '_>) -> Option<InlineRefs> {
    let mut choice = |key: &str| {
        if o.get(key).is_none() {
            return Some(RefChoice::Keep);
        }
        let choice = o.choice(key, "choice", &words::REF_CHOICES)?;
        if choice == RefChoice::Bare && key == "unresolved" {
            let span = o.span(key);
            o.cx.error(&span, format!("`bare` is no choice of `{key}`"));
        }
        Some(choice)
    };
    let (recursion, over_budget, unresolved) = (choice("recursion"), choice("over-budget"), choice("unresolved"));
    let mut count = |key: &str, default| match o.get(key) {
        Some(raw) => o.cx.count(raw).map(|count| u32::try_from(count).unwrap_or(u32::MAX)),
        None => Some(default),
    };
    let (depth, nested) = (count("depth", 0), count("nested", u32::MAX));
    let words = o.words("words")?;
    Some(InlineRefs { recursion: recursion?, depth: depth?, over_budget: over_budget?, nested: nested?, unresolved: unresolved?, words })
}

fn infer_type(o: &mut Options<'_, '_, '_>) -> Option<Op> {
    let Some(raw) = o.get("from") else { return Some(Op::InferType { from: KwSet::EVERY }) };
    let keys = o.cx.keys(raw);
    if keys.known.is_empty() || !keys.other.is_empty() {
        let span = o.span("from");
        o.cx.error_hint(&span, "`from` takes keywords that say something of a type", "write `from: [properties, items, enum, const]`");
    }
    Some(Op::InferType { from: keys.known })
}

fn null_as(o: &mut Options<'_, '_, '_>) -> Option<NullAs> {
    let form = o.choice("form", "form", &words::NULL_FORMS)?;
    let anywhere = match o.get("where") {
        Some(_) => o.choice("where", "place", &[("optional", false), ("anywhere", true)])?,
        None => false,
    };
    if anywhere && form != NullForm::Drop {
        let span = o.span("where");
        o.cx.error_hint(&span, "`where` belongs to `form: drop`", "every other form is written wherever null stands");
    }
    Some(NullAs { form, single: o.flag("single")?.unwrap_or(false), anywhere })
}

fn retain(o: &mut Options<'_, '_, '_>) -> Option<Op> {
    let key = o.keyword("key")?;
    let what = o.choice("where", "test", &words::RETAINS)?;
    if what == Retain::Declared && key != Kw::Required {
        let span = o.span("where");
        o.cx.error_hint(&span, "`declared` is a test for `required`", "write `key: required`");
    }
    let least = if o.get("least").is_some() { o.size("least")? } else { 0 };
    Some(Op::Retain { key, what, least })
}

fn repair(o: &mut Options<'_, '_, '_>) -> Option<Repair> {
    let read = if o.get("read").is_some() { o.known_keys("read") } else { KwSet::EVERY };
    let (leave, hoist, note) = (o.known_keys("leave"), o.flag("hoist")?, o.flag("note")?);
    Some(Repair { read, leave, hoist: hoist.unwrap_or(true), note: note.unwrap_or(true) })
}

fn require_optional(o: &mut Options<'_, '_, '_>) -> Option<Op> {
    let null_as = require_form(o)?;
    let own_null = match o.get("default-null") {
        Some(_) => o.choice("default-null", "meaning", &[("absent", false), ("value", true)])?,
        None => false,
    };
    Some(Op::RequireOptional { null_as, own_null })
}

fn require_form(o: &mut Options<'_, '_, '_>) -> Option<NullForm> {
    let form = o.choice("null-as", "form", &words::NULL_FORMS)?;
    if !matches!(form, NullForm::TypeList | NullForm::AnyOf) {
        let span = o.span("null-as");
        o.cx.error_hint(&span, "this form cannot stand for an absent property", "known: type-list, any-of");
    }
    Some(form)
}

fn rename_tool(o: &mut Options<'_, '_, '_>) -> Option<Op> {
    let allowed = o.class("allowed")?;
    let first = match o.get("first") {
        Some(_) => o.class("first")?,
        None => allowed.clone(),
    };
    Some(Op::RenameTool { allowed, first, max: o.size("max")? })
}

fn give_schema(o: &mut Options<'_, '_, '_>) -> Option<Op> {
    let schema = o.json("schema")?;
    if !schema.is_object() {
        let span = o.span("schema");
        o.cx.error_hint(&span, "a schema that is given has to be an object", "write schema: { type: object, properties: {} }");
    }
    Some(Op::GiveSchema { schema })
}

fn describe(o: &mut Options<'_, '_, '_>) -> Option<Op> {
    if o.options.is_empty() {
        let span = o.word.span.clone();
        o.cx.error(&span, "`describe` needs `min` or `max`");
    }
    Some(Op::Describe {
        min: match o.get("min") {
            Some(raw) => o.cx.count(raw)?,
            None => 0,
        },
        max: match o.get("max") {
            Some(raw) => Some(o.cx.count(raw)?),
            None => None,
        },
        unit: match o.get("unit") {
            Some(_) => o.choice("unit", "unit", &words::UNITS)?,
            None => Default::default(),
        },
    })
}

/// The options that stand under an operation.
struct Options<'o, 'a, 'r> {
    cx: &'o mut Cx<'a>,
    word: &'o At<String>,
    options: &'r [(At<String>, At<Raw>)],
}

impl<'r> Options<'_, '_, 'r> {
    fn get(&self, key: &str) -> Option<&'r At<Raw>> {
        let pair = self.options.iter().find(|(k, _)| k.value == key);
        pair.map(|(_, value)| value)
    }

    fn span(&self, key: &str) -> Span {
        let span = self.get(key).map(|at| at.span.clone());
        span.unwrap_or_else(|| self.word.span.clone())
    }

    fn keys(&mut self, key: &str) -> Keys {
        let raw = self.get(key);
        raw.map(|raw| self.cx.keys(raw)).unwrap_or_default()
    }

    /// Keywords of JSON Schema; none where the option is absent.
    fn known_keys(&mut self, key: &str) -> KwSet {
        let keys = self.keys(key);
        if !keys.other.is_empty() {
            let span = self.span(key);
            self.cx.error_hint(&span, format!("`{key}` takes keywords of JSON Schema"), "only their values can be judged");
        }
        keys.known
    }

    /// Words of any kind; none where the option is absent.
    fn each_word(&mut self, key: &str) -> Vec<String> {
        let words = self.get(key).map(|raw| self.cx.words(raw)).unwrap_or_default();
        words.into_iter().map(|word| word.text.to_owned()).collect()
    }

    fn text(&mut self, key: &str) -> Option<String> {
        let word = self.cx.text(self.get(key)?)?;
        Some(word.text.to_owned())
    }

    /// `None`: wrong; `Some(None)`: not written. A sentence is put together with what follows it, so it has no full stop.
    fn words(&mut self, key: &str) -> Option<Option<String>> {
        let Some(raw) = self.get(key) else { return Some(None) };
        let word = self.cx.text(raw)?;
        if word.text.trim().is_empty() || word.text.ends_with('.') {
            let error = ProfileError::at(word.file, word.span, format!("`{}` is no beginning of a sentence", word.text));
            self.cx.errors.push(error.hint("write what the text is, without a full stop: A JSON value, as JSON text"));
        }
        Some(Some(word.text.to_owned()))
    }

    fn json(&mut self, key: &str) -> Option<serde_json::Value> {
        self.cx.json(self.get(key)?)
    }

    fn keyword(&mut self, key: &str) -> Option<Kw> {
        let word = self.cx.text(self.get(key)?)?;
        keyword(self.cx, word)
    }

    fn choice<T: Copy>(&mut self, key: &str, what: &str, table: &[(&'static str, T)]) -> Option<T> {
        let word = self.cx.text(self.get(key)?)?;
        self.cx.look_up(word, what, table)
    }

    /// `None`: wrong; `Some(None)`: not written.
    fn flag(&mut self, key: &str) -> Option<Option<bool>> {
        match self.get(key) {
            Some(raw) => self.cx.flag(raw).map(Some),
            None => Some(None),
        }
    }

    fn size(&mut self, key: &str) -> Option<usize> {
        let count = self.cx.count(self.get(key)?)?;
        Some(usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// A class of characters as the engine reads it: characters and ranges of them.
    fn class(&mut self, key: &str) -> Option<String> {
        let word = self.cx.text(self.get(key)?)?;
        let chars: Vec<char> = word.text.chars().collect();
        let reversed = chars.windows(3).any(|w| matches!(w, [from, '-', to] if from > to));
        if chars.first().is_none_or(|first| *first == '^') || reversed || chars.iter().any(|c| "[]\\".contains(*c)) {
            let message = format!("`{}` is no list of characters and ranges", word.text);
            let error = ProfileError::at(word.file, word.span, message);
            self.cx.errors.push(error.hint("write what would stand between the brackets of a class: A-Za-z0-9_-"));
        }
        Some(word.text.to_owned())
    }
}
