//! Findings, events and sources as a person reads them.

use std::fmt::Write;

use schemalect::engine::log::Event;
use schemalect::engine::plan::{Certainty, Source};
use schemalect::engine::spelling::PathStyle;
use schemalect::{Json, Placed, unseen, write_event};

use crate::drive::At;

/// Shows text on one line. What a terminal would obey, or not show, is spelt out: it comes from an input.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            _ if unseen(c) => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
    }
    out
}

/// Text of several lines, each shown so. Whatever goes to a person's terminal beside the answer goes through here.
pub(crate) fn plain_lines(text: &str) -> String {
    let line = |line: &str| line.strip_suffix('\n').map_or_else(|| plain(line), |line| plain(line) + "\n");
    text.split_inclusive('\n').map(line).collect()
}

/// A finding: where, which rule, what; then how to repair it and who says so.
pub(crate) fn finding(out: &mut String, tool: &str, placed: &Placed, paths: PathStyle, at: At<'_>) {
    let f = &placed.finding;
    let written = paths.write(&f.path);
    let path = match (written.as_str(), f.subject.word()) {
        ("", "schema") => "(root)",
        ("", word) => word,
        (path, _) => path,
    };
    let level = match f.certainty {
        Certainty::Certain => f.level.word().to_owned(),
        Certainty::Undecided => format!("{}, undecided", f.level.word()),
    };
    let _ = writeln!(out, "{}  {}  {}  {level}: {}", plain(tool), plain(path), f.rule, plain(&f.message));
    let mut parts = Vec::new();
    if let Some(place) = placed.place {
        parts.push(format!("at {}:{}:{}", at.file.display(), place.line, place.column));
    } else if let Some(line) = at.line {
        parts.push(format!("in {}:{line}", at.file.display()));
    }
    if let Some(fix) = &f.fix {
        parts.push(format!("fix: {} ({})", fix.operations.join(", "), fix.effect));
    }
    if let Some(source) = f.sources.iter().find(|s| s.kind != "contradicts") {
        parts.push(self::source(source));
    }
    if !parts.is_empty() {
        let _ = writeln!(out, "    {}", parts.join("; "));
    }
}

/// A source in a few words.
pub(crate) fn source(source: &Source) -> String {
    let date = source.date.map(|d| format!(" {d}")).unwrap_or_default();
    let note = source.note.as_ref().map(|n| format!(" ({})", plain(n))).unwrap_or_default();
    format!("{}{date} {}{note}", source.kind, source.url)
}

/// The rows of an audit, in aligned columns.
pub(crate) fn audit(out: &mut String, events: &[Event]) {
    let rows: Vec<[String; 5]> = events.iter().enumerate().map(|(seq, e)| row(seq, e)).collect();
    let width = |column: usize| rows.iter().map(|r| r.get(column).map_or(0, |cell| cell.chars().count()).min(48)).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3), width(4)];
    for (row, event) in rows.iter().zip(events) {
        let mut line = String::from(" ");
        for (cell, width) in row.iter().zip(widths) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        let what = if event.what.is_empty() { change(event) } else { plain(&event.what) };
        let _ = writeln!(out, "{}", format!("{line}{what}").trim_end());
        let why = plain(event.why.trim());
        let says = event.sources.iter().find(|s| s.kind != "contradicts").map(source).unwrap_or_default();
        if !why.is_empty() || !says.is_empty() {
            let _ = writeln!(out, "     why: {}", [why, says].into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join("  "));
        }
    }
}

fn row(seq: usize, event: &Event) -> [String; 5] {
    let path = if event.input.is_empty() { "(root)" } else { &event.input };
    let rule = event.rule.rsplit_once('/').map_or(&*event.rule, |(_, id)| id);
    [format!("#{seq}"), plain(path), rule.to_owned(), event.operation.to_owned(), event.effect.to_string()]
}

fn change(event: &Event) -> String {
    let cut = |text: &str| -> String {
        let short: String = text.chars().take(60).collect();
        if short.len() < text.len() { format!("{short}…") } else { short }
    };
    if event.before.is_empty() { String::new() } else { format!("{} -> {}", cut(&event.before), cut(&event.after)) }
}

/// An event as a line of the audit file.
pub(crate) fn audit_line(out: &mut String, profile: &str, tool: (usize, Option<&str>), seq: usize, event: &Event) {
    let mut json = Json::new();
    json.object(|json| {
        json.key("profile").str(profile).key("index").value(tool.0).key("name").opt_str(tool.1);
        write_event(json, seq, event);
    });
    out.push_str(&json.finish());
    out.push('\n');
}
