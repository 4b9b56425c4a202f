//! RFC 9535 queries: parsed by the JSONPath library, lowered to the engine's matcher.

use jsonpath_rust::parser::model as jp;
use jsonpath_rust::parser::parse_json_path;
use schemalect_engine::select::{Cmp, Expr, Operand, Query, Segment, Selector, Step};
use serde_json::{Number, Value};

/// Why a query is not taken.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
}

/// Parses and lowers a query.
pub(crate) fn lower(text: &str) -> Result<Selector, Refusal> {
    let query = parse_json_path(text).map_err(|error| {
        let error = error.to_string();
        let reason = error.lines().last().unwrap_or_default();
        let reason = reason.trim_start_matches([' ', '=']);
        refuse(format!("the query does not parse: {reason}"), None)
    })?;
    Ok(Selector { segments: segments(&query.segments)? })
}

fn segments(list: &[jp::Segment]) -> Result<Vec<Segment>, Refusal> {
    list.iter().map(segment).collect()
}

fn segment(segment: &jp::Segment) -> Result<Segment, Refusal> {
    match segment {
        jp::Segment::Descendant(_) => Err(refuse(
            "`..` is not allowed in a query",
            Some("the query is asked at every schema node already; say only what stands below one"),
        )),
        jp::Segment::Selector(one) => Ok(Segment(vec![step(one)?])),
        jp::Segment::Selectors(many) => {
            let steps: Result<_, _> = many.iter().map(step).collect();
            Ok(Segment(steps?))
        }
    }
}

fn step(selector: &jp::Selector) -> Result<Step, Refusal> {
    Ok(match selector {
        jp::Selector::Name(name) => Step::Name(name.clone()),
        jp::Selector::Wildcard => Step::Wildcard,
        jp::Selector::Index(index) => Step::Index(*index),
        jp::Selector::Slice(start, end, step) => Step::Slice(*start, *end, *step),
        jp::Selector::Filter(filter) => Step::Filter(expr(filter)?),
    })
}

fn expr(filter: &jp::Filter) -> Result<Expr, Refusal> {
    let list = |filters: &[jp::Filter]| filters.iter().map(expr).collect::<Result<Vec<_>, _>>();
    match filter {
        jp::Filter::Or(filters) => Ok(Expr::Or(list(filters)?)),
        jp::Filter::And(filters) => Ok(Expr::And(list(filters)?)),
        jp::Filter::Atom(atom) => self::atom(atom),
    }
}

fn atom(atom: &jp::FilterAtom) -> Result<Expr, Refusal> {
    let (expr, not) = match atom {
        jp::FilterAtom::Filter { expr, not } => (self::expr(expr)?, *not),
        jp::FilterAtom::Test { expr, not } => (Expr::Exists(test(expr)?), *not),
        jp::FilterAtom::Comparison(comparison) => (compare(comparison)?, false),
    };
    Ok(if not { Expr::Not(Box::new(expr)) } else { expr })
}

fn compare(comparison: &jp::Comparison) -> Result<Expr, Refusal> {
    let (left, cmp, right) = match comparison {
        jp::Comparison::Eq(left, right) => (left, Cmp::Eq, right),
        jp::Comparison::Ne(left, right) => (left, Cmp::Ne, right),
        jp::Comparison::Lt(left, right) => (left, Cmp::Lt, right),
        jp::Comparison::Lte(left, right) => (left, Cmp::Le, right),
        jp::Comparison::Gt(left, right) => (left, Cmp::Gt, right),
        jp::Comparison::Gte(left, right) => (left, Cmp::Ge, right),
    };
    Ok(Expr::Compare(operand(left)?, cmp, operand(right)?))
}

fn operand(comparable: &jp::Comparable) -> Result<Operand, Refusal> {
    match comparable {
        jp::Comparable::Literal(literal) => Ok(Operand::Literal(self::literal(literal)?)),
        jp::Comparable::SingularQuery(query) => Ok(Operand::Query(singular(query))),
        jp::Comparable::Function(function) => self::function(function),
    }
}

fn literal(literal: &jp::Literal) -> Result<Value, Refusal> {
    Ok(match literal {
        jp::Literal::Int(number) => Value::from(*number),
        jp::Literal::Float(number) => match Number::from_f64(*number) {
            Some(number) => Value::Number(number),
            None => return Err(refuse(format!("{number} is not a finite number"), None)),
        },
        jp::Literal::String(text) => Value::from(text.as_str()),
        jp::Literal::Bool(flag) => Value::from(*flag),
        jp::Literal::Null => Value::Null,
    })
}

fn singular(query: &jp::SingularQuery) -> Query {
    let (from_root, segments) = match query {
        jp::SingularQuery::Current(segments) => (false, segments),
        jp::SingularQuery::Root(segments) => (true, segments),
    };
    let segment = |segment: &jp::SingularQuerySegment| {
        Segment(vec![match segment {
            jp::SingularQuerySegment::Index(index) => Step::Index(*index),
            jp::SingularQuerySegment::Name(name) => Step::Name(name.clone()),
        }])
    };
    Query { from_root, segments: segments.iter().map(segment).collect() }
}

fn function(function: &jp::TestFunction) -> Result<Operand, Refusal> {
    match function {
        jp::TestFunction::Length(arg) => {
            let query = argument(arg)?;
            if !query.segments.iter().all(is_singular) {
                return Err(refuse("`length` takes a query that selects one node", Some("`count` counts what a query selects")));
            }
            Ok(Operand::Length(query))
        }
        jp::TestFunction::Count(arg) => Ok(Operand::Count(argument(arg)?)),
        other => Err(unknown_function(other)),
    }
}

fn argument(arg: &jp::FnArg) -> Result<Query, Refusal> {
    match arg {
        jp::FnArg::Test(query) => test(query),
        _ => Err(refuse("the function takes a query", None)),
    }
}

fn test(test: &jp::Test) -> Result<Query, Refusal> {
    match test {
        jp::Test::RelQuery(list) => Ok(Query { from_root: false, segments: segments(list)? }),
        jp::Test::AbsQuery(query) => Ok(Query { from_root: true, segments: segments(&query.segments)? }),
        jp::Test::Function(function) => Err(match function.as_ref() {
            jp::TestFunction::Length(_) | jp::TestFunction::Count(_) => {
                refuse("the result of a function must be compared with something", None)
            }
            other => unknown_function(other),
        }),
    }
}

fn is_singular(segment: &Segment) -> bool {
    matches!(segment.0.as_slice(), [Step::Name(_) | Step::Index(_)])
}

fn unknown_function(function: &jp::TestFunction) -> Refusal {
    let (name, hint) = match function {
        jp::TestFunction::Match(..) => ("match", "write `value: {key, matches}` or `members`"),
        jp::TestFunction::Search(..) => ("search", "write `value: {key, matches}` or `members`"),
        jp::TestFunction::Value(_) => ("value", "compare the query itself"),
        jp::TestFunction::Length(_) => ("length", "known: length, count"),
        jp::TestFunction::Count(_) => ("count", "known: length, count"),
        jp::TestFunction::Custom(name, _) => (name.as_str(), "known: length, count"),
    };
    refuse(format!("`{name}` is not allowed in a query"), Some(hint))
}

fn refuse(message: impl Into<String>, hint: Option<&'static str>) -> Refusal {
    Refusal { message: message.into(), hint }
}
