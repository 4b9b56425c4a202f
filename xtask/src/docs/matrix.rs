//! The matrix of rules and profiles.

use std::fmt::Write;

use schemalect_conformance::evidence::Evidence;
use schemalect_engine::plan::Level;

use super::Book;

pub(super) fn page(book: &Book) -> String {
    let mut out = String::from(
        "# Rules and profiles\n\n`E` the profile refuses, `w` it warns, `s` style; a capital or small letter in bold is pinned by a recorded answer, \
         `*` holds only on some days or with some switches.\n\n",
    );
    let _ = writeln!(out, "| rule |{}", book.profiles.iter().map(|p| format!(" [{0}](profiles/{0}.md) |", p.name)).collect::<String>());
    let _ = writeln!(out, "|---|{}", "---|".repeat(book.profiles.len()));
    for rule in &book.rules {
        let _ = write!(out, "| [{0}](rules/{0}.md) |", rule.id);
        for profile in &book.profiles {
            let cells = profile.bindings.iter().filter(|b| b.rule == rule.id).map(|binding| {
                let letter = match binding.level {
                    Level::Error => "E",
                    Level::Warning => "w",
                    Level::Style => "s",
                };
                let part = if binding.since.is_some() || binding.until.is_some() || !binding.only.is_empty() { "*" } else { "" };
                let pinned = book.evidence(&binding.home, &binding.id).is_some_and(Evidence::is_pinned);
                if pinned { format!("**{letter}**{part}") } else { format!("{letter}{part}") }
            });
            let _ = write!(out, " {} |", cells.collect::<Vec<_>>().join(" ").replace("**E***", "**E**\\*"));
        }
        out.push('\n');
    }
    out
}
