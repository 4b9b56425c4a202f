//! The `bad` and `good` examples of a rule.

use std::collections::BTreeSet;

use schemalect_engine::plan::Site;

use super::scope::Cx;
use super::words;
use crate::error::{ProfileError, Span};
use crate::file::{ExampleFile, RuleFile};
use crate::yaml::{At, Pairs, Raw};

/// Checks the examples; `needed` are the facts that the predicate reads.
pub(crate) fn check(cx: &mut Cx<'_>, rule: &RuleFile, site: Site, needed: &BTreeSet<String>) {
    for example in &rule.bad {
        check_one(cx, example, site, needed);
        if let Some(after) = &example.value.after
            && rule.rewrite.is_none()
        {
            cx.error(&after.span, "`after` stands in an example of a rule without `rewrite`");
        }
    }
    for example in &rule.good {
        check_one(cx, example, site, needed);
        if let Some(after) = &example.value.after {
            cx.error(&after.span, "`after` stands in a good example, which is not rewritten");
        }
    }
}

fn check_one(cx: &mut Cx<'_>, at: &At<ExampleFile>, site: Site, needed: &BTreeSet<String>) {
    let example = &at.value;
    let read = cx.scope.asked();
    for (key, _) in &example.facts.0 {
        if !read.contains(&key.value) {
            let message = format!("the rule does not read the fact `{}`", key.value);
            let error = ProfileError::at(cx.file, &key.span, message);
            cx.errors.push(error.near(&key.value, read.iter().map(String::as_str)));
        }
    }
    for name in needed {
        if example.facts.get(name).is_none() {
            cx.error_hint(
                &at.span,
                format!("the example lacks the fact `{name}`, which the rule reads"),
                format!("write `facts: {{ {name}: .. }}`"),
            );
        }
    }
    check_fields(cx, at, site);
    let tools = example.tools.iter().flatten();
    let schemas = tools.map(|tool| &tool.value.schema).chain([&example.schema]);
    for schema in schemas.flatten() {
        bare_nulls(cx, schema);
    }
}

fn check_fields(cx: &mut Cx<'_>, at: &At<ExampleFile>, site: Site) {
    let example = &at.value;
    let span = |at: &Option<At<Raw>>| at.as_ref().map(|at| at.span.clone());
    let tools = example.tools.as_ref();
    let tools = tools.map(|tools| tools.first().map_or(at.span.clone(), |t| t.span.clone()));
    let fields: [(&str, Option<Span>, &[Site]); 4] = [
        ("schema", span(&example.schema), &[Site::Schema, Site::Tool]),
        ("name", span(&example.name), &[Site::Tool]),
        ("description", span(&example.description), &[Site::Tool]),
        ("tools", tools, &[Site::Request]),
    ];
    for (field, span, sites) in &fields {
        if let Some(span) = span
            && !sites.contains(&site)
        {
            let message = format!("`{field}` is no part of an example of a rule at {}", words::site(site));
            cx.error(span, message);
        }
    }
    let missing = match site {
        Site::Schema => example.schema.is_none().then_some("schema"),
        Site::Request => example.tools.is_none().then_some("tools"),
        Site::Tool => None,
    };
    if let Some(field) = missing {
        cx.error(&at.span, format!("the example has no `{field}`"));
    }
}

fn bare_nulls(cx: &mut Cx<'_>, schema: &At<Raw>) {
    match &schema.value {
        Raw::List(items) => items.iter().for_each(|item| bare_nulls(cx, item)),
        Raw::Map(Pairs(pairs)) => {
            for (key, value) in pairs {
                match &value.value {
                    Raw::List(items) if key.value == "type" => {
                        for item in items {
                            if matches!(item.value, Raw::Null) {
                                cx.error_hint(&item.span, "a bare null in a list of types", "write \"null\" in quotes");
                            }
                        }
                    }
                    _ => bare_nulls(cx, value),
                }
            }
        }
        _ => {}
    }
}
