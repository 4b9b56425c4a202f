//! Predicates: from the words of a file to the engine's closed form.

use schemalect_engine::attr::{Attr, AttrSet, NodeKind, Types};
use schemalect_engine::keyword::Kw;
use schemalect_engine::plan::{Measure, Name, Over, Pred, Site, Test, TextOf, TextTest, ValueTest};
use schemalect_engine::regex_scan::Uses;
use schemalect_engine::tree::Kind;

use super::scope::{Cx, Word};
use super::{select, words};
use crate::error::{ProfileError, Span};
use crate::file::{BesideFile, MeasureFile, PredFile, RegexFile, TextFile, ValueFile};
use crate::yaml::{At, Raw};

/// Attributes of a tool or a request; all others are of schema nodes.
const TOOL_ATTRS: AttrSet = AttrSet::of(&[Attr::NameDuplicate, Attr::SchemaMissing, Attr::SchemaNull, Attr::SchemaNotObject]);

/// Compiles a whole `when`.
pub(crate) fn when(cx: &mut Cx<'_>, file: &At<PredFile>, site: Site) -> Pred {
    let pred = part(cx, file, site, 0);
    if !is_empty(&file.value) && !is_gated(&file.value) {
        cx.error_hint(
            &file.span,
            "nothing in this predicate says which nodes it looks at",
            "add a part that says what stands there, such as kind, is or has",
        );
    }
    pred
}

fn part(cx: &mut Cx<'_>, at: &At<PredFile>, site: Site, depth: usize) -> Pred {
    let file = &at.value;
    if is_empty(file) {
        cx.error(&at.span, "the predicate is empty");
    }
    for (field, value) in node_fields(file) {
        if let Some(span) = value
            && site != Site::Schema
        {
            cx.error_hint(
                span,
                format!("`{field}` looks at a schema node, which a rule at {} has not", words::site(site)),
                "write `at: schema`; `is: root` is the schema of the tool",
            );
        }
    }
    let mut pred = Pred {
        kinds: bits(cx, file.kind.as_ref(), |cx, raw| {
            let kinds = cx.meanings(raw, "kind", &NodeKind::WORDS);
            kinds.into_iter().fold(0, |bits, kind| bits | kind as u16)
        }),
        types: bits(cx, file.r#type.as_ref(), |cx, raw| {
            let types = cx.meanings(raw, "type", &Types::WORDS);
            types.into_iter().fold(0, |bits, kind| bits | kind.0)
        }),
        is: attrs(cx, file.is.as_ref(), site),
        is_not: attrs(cx, file.is_not.as_ref(), site),
        has: file.has.as_ref().map(|raw| cx.keys(raw)),
        has_all: file.has_all.as_ref().map(|raw| cx.keys(raw)),
        lacks: file.lacks.as_ref().map(|raw| cx.keys(raw)),
        tests: Vec::new(),
    };
    if pred.is.meets(pred.is_not) {
        cx.error(&at.span, "an attribute stands in both `is` and `is-not`");
    }
    tests(cx, file, site, &mut pred.tests);
    combinations(cx, file, site, depth, &mut pred.tests);
    pred
}

fn tests(cx: &mut Cx<'_>, file: &PredFile, site: Site, out: &mut Vec<Test>) {
    if let Some(raw) = &file.keys_outside {
        out.push(Test::KeysOutside(cx.keys(raw)));
    }
    if let Some(raw) = &file.off_type {
        out.push(Test::OffType(cx.keys(raw)));
    }
    if let Some(at) = &file.beside {
        out.push(beside(cx, &at.value));
    }
    if let Some(at) = &file.value {
        out.extend(value(cx, at).map(|(name, test)| Test::Value(name, test)));
    }
    if let Some(at) = &file.members {
        out.extend(value(cx, at).map(|(name, test)| Test::Members(name, test)));
    }
    if let Some(at) = &file.regex {
        out.extend(regex(cx, &at.value));
    }
    if let Some(at) = &file.measure {
        out.extend(measure(cx, at, site));
    }
    if let Some(at) = &file.text {
        out.extend(text(cx, at, site).map(|(of, test)| Test::Text(of, test)));
    }
    if let Some(raw) = &file.select {
        out.extend(selector(cx, raw));
    }
}

fn combinations(cx: &mut Cx<'_>, file: &PredFile, site: Site, depth: usize, out: &mut Vec<Test>) {
    let spans = [file.all.as_ref().map(|at| &at.span), file.any.as_ref().map(|at| &at.span), file.not.as_ref().map(|at| &at.span)];
    if depth >= 2
        && let Some(span) = spans.into_iter().flatten().next()
    {
        cx.error_hint(span, "combinations nest more than two levels deep", "split the rule, or ask for an attribute that says this");
        return;
    }
    let list = |at: &At<Vec<At<PredFile>>>, cx: &mut Cx<'_>| -> Vec<Pred> {
        if at.value.is_empty() {
            cx.error(&at.span, "the list of predicates is empty");
        }
        let part = |pred| part(cx, pred, site, depth.saturating_add(1));
        at.value.iter().map(part).collect()
    };
    if let Some(at) = &file.all {
        out.push(Test::All(list(at, cx)));
    }
    if let Some(at) = &file.any {
        out.push(Test::Any(list(at, cx)));
    }
    if let Some(at) = &file.not {
        out.push(Test::Not(Box::new(part(cx, at, site, depth.saturating_add(1)))));
    }
}

fn bits<T: Default>(cx: &mut Cx<'_>, raw: Option<&At<Raw>>, read: impl FnOnce(&mut Cx<'_>, &At<Raw>) -> T) -> T {
    raw.map(|raw| read(cx, raw)).unwrap_or_default()
}

fn attrs(cx: &mut Cx<'_>, raw: Option<&At<Raw>>, site: Site) -> AttrSet {
    let mut set = AttrSet::EMPTY;
    let Some(raw) = raw else { return set };
    for word in cx.words(raw) {
        let Some(attr) = cx.look_up(word, "attribute", Attr::WORDS) else {
            continue;
        };
        if TOOL_ATTRS.has(attr) == (site == Site::Schema) {
            let owner = if site == Site::Schema { "a tool" } else { "a schema node" };
            let message = format!("`{}` is an attribute of {owner}, and the rule is at {}", word.text, words::site(site));
            cx.errors.push(ProfileError::at(word.file, word.span, message));
        }
        set.insert(attr);
    }
    set
}

fn beside(cx: &mut Cx<'_>, file: &BesideFile) -> Test {
    Test::Beside { key: cx.keys(&file.key), except: file.except.as_ref().map(|raw| cx.keys(raw)).unwrap_or_default() }
}

fn value(cx: &mut Cx<'_>, at: &At<ValueFile>) -> Option<(Name, ValueTest)> {
    let file = &at.value;
    let kinds = |raw: &Option<At<Raw>>, cx: &mut Cx<'_>| {
        let raw = raw.as_ref()?;
        Some(cx.meanings(raw, "JSON kind", &Kind::WORDS))
    };
    let test = ValueTest {
        within: file.r#in.as_ref().map(|raw| cx.jsons(raw)),
        not_within: file.not_in.as_ref().map(|raw| cx.jsons(raw)),
        matches: file.matches.as_ref().and_then(|raw| cx.pattern(raw)),
        not_matches: file.not_matches.as_ref().and_then(|raw| cx.pattern(raw)),
        kind: kinds(&file.kind, cx),
        not_kind: kinds(&file.not_kind, cx),
        above: file.above.as_ref().and_then(|raw| cx.number(raw)),
        below: file.below.as_ref().and_then(|raw| cx.number(raw)),
        integral: file.integral,
    };
    let tested = file.r#in.is_some()
        || file.not_in.is_some()
        || file.matches.is_some()
        || file.not_matches.is_some()
        || file.kind.is_some()
        || file.not_kind.is_some()
        || file.above.is_some()
        || file.below.is_some()
        || file.integral.is_some();
    if !tested {
        cx.error_hint(&at.span, "nothing is tested here", "write `has: [KEY]` if it is enough that the key stands there");
    }
    let key = cx.text(&file.key)?;
    Some((name(key), test))
}

fn name(word: Word<'_>) -> Name {
    Name { kw: Kw::of(word.text), name: word.text.to_owned() }
}

fn regex(cx: &mut Cx<'_>, file: &RegexFile) -> Option<Test> {
    let uses = cx.meanings(&file.uses, "feature", &Uses::WORDS);
    let bits = uses.into_iter().fold(0, |bits, uses| bits | uses.0);
    let word = cx.text(&file.key)?;
    let kw = keyword(cx, word)?;
    Some(Test::Regex(kw, bits))
}

/// A keyword of the table.
pub(crate) fn keyword(cx: &mut Cx<'_>, word: Word<'_>) -> Option<Kw> {
    let kw = Kw::of(word.text);
    if kw.is_none() {
        let message = format!("unknown keyword `{}`", word.text);
        let error = ProfileError::at(word.file, word.span, message);
        cx.errors.push(error.near(word.text, Kw::ALL.iter().map(|kw| kw.name())));
    }
    kw
}

fn measure(cx: &mut Cx<'_>, at: &At<MeasureFile>, site: Site) -> Option<Test> {
    let file = &at.value;
    let of = cx.meaning(&file.of, "measure", &words::MEASURES);
    let over = match &file.over {
        Some(word) => cx.meaning(word, "range", &words::OVERS),
        None => Some(match site {
            Site::Schema => Over::Node,
            Site::Tool => Over::Schema,
            Site::Request => Over::Request,
        }),
    };
    let above = cx.count(&file.above);
    let (of, over) = (of?, over?);
    let fits = match (site, over) {
        (Site::Request, over) => over == Over::Request,
        (Site::Tool, over) => over != Over::Node,
        (Site::Schema, _) => true,
    };
    if !fits {
        let span = file.over.as_ref().map_or(&at.span, |word| &word.span);
        cx.error(span, format!("a rule at {} cannot count over this", words::site(site)));
    }
    if of == Measure::Tools && over != Over::Request {
        cx.error_hint(&file.of.span, "`tools` counts over a request", "write `over: request`");
    }
    Some(Test::Measure { of, over, above: above? })
}

fn text(cx: &mut Cx<'_>, at: &At<TextFile>, site: Site) -> Option<(TextOf, TextTest)> {
    let file = &at.value;
    let test = TextTest {
        matches: file.matches.as_ref().and_then(|raw| cx.pattern(raw)),
        not_matches: file.not_matches.as_ref().and_then(|raw| cx.pattern(raw)),
        within: file.r#in.as_ref().map(|raw| {
            let words = cx.words(raw);
            words.into_iter().map(|word| word.text.to_owned()).collect()
        }),
        longer: file.longer.as_ref().and_then(|raw| cx.count(raw)),
        shorter: file.shorter.as_ref().and_then(|raw| cx.count(raw)),
        unit: file.unit.as_ref().and_then(|word| cx.meaning(word, "unit", &words::UNITS)).unwrap_or_default(),
        missing: file.missing,
        null: file.null,
    };
    let tested = file.matches.is_some()
        || file.not_matches.is_some()
        || file.r#in.is_some()
        || file.longer.is_some()
        || file.shorter.is_some()
        || file.missing.is_some()
        || file.null.is_some();
    if !tested {
        cx.error(&at.span, "nothing is tested here");
    }
    let of = cx.meaning(&file.of, "text", &words::TEXTS)?;
    let home = match of {
        TextOf::Name | TextOf::Description => Site::Tool,
        TextOf::PropertyName => Site::Schema,
    };
    if home != site {
        cx.error_hint(
            &file.of.span,
            format!("a rule at {} has no `{}`", words::site(site), file.of.value),
            format!("write `at: {}`", words::site(home)),
        );
    }
    Some((of, test))
}

fn selector(cx: &mut Cx<'_>, raw: &At<Raw>) -> Option<Test> {
    let word = cx.text(raw)?;
    match select::lower(word.text) {
        Ok(selector) => Some(Test::Select(selector)),
        Err(refusal) => {
            let error = ProfileError::at(word.file, word.span, refusal.message);
            cx.errors.push(match refusal.hint {
                Some(hint) => error.hint(hint),
                None => error,
            });
            None
        }
    }
}

/// The fields that look at a schema node, with the places of those that are used.
fn node_fields(file: &PredFile) -> [(&'static str, Option<&Span>); 12] {
    fn raw(at: &Option<At<Raw>>) -> Option<&Span> {
        at.as_ref().map(|at| &at.span)
    }
    [
        ("kind", raw(&file.kind)),
        ("type", raw(&file.r#type)),
        ("has", raw(&file.has)),
        ("has-all", raw(&file.has_all)),
        ("lacks", raw(&file.lacks)),
        ("keys-outside", raw(&file.keys_outside)),
        ("off-type", raw(&file.off_type)),
        ("beside", file.beside.as_ref().map(|at| &at.span)),
        ("value", file.value.as_ref().map(|at| &at.span)),
        ("members", file.members.as_ref().map(|at| &at.span)),
        ("regex", file.regex.as_ref().map(|at| &at.span)),
        ("select", raw(&file.select)),
    ]
}

fn has_positive(file: &PredFile) -> bool {
    let nodes = node_fields(file);
    let node = nodes.iter().any(|(field, at)| *field != "lacks" && at.is_some());
    node || file.is.is_some() || file.measure.is_some() || file.text.is_some()
}

fn is_empty(file: &PredFile) -> bool {
    let combined = file.all.is_some() || file.any.is_some() || file.not.is_some();
    !has_positive(file) && file.lacks.is_none() && file.is_not.is_none() && !combined
}

/// Whether something must stand in a node before the predicate can hold there.
fn is_gated(file: &PredFile) -> bool {
    let all = file.all.as_ref().map(|at| &at.value);
    let any = file.any.as_ref().map(|at| &at.value);
    has_positive(file)
        || all.is_some_and(|parts| parts.iter().any(|part| is_gated(&part.value)))
        || any.is_some_and(|parts| parts.iter().all(|part| is_gated(&part.value)))
}
