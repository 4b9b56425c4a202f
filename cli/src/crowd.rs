//! What many profiles say, in few lines: by group, the worst first, profiles that say the same on one line.

use std::fmt::Write;

/// More profiles than this are told by group.
const MANY: usize = 8;

/// Names on a line before the others are counted.
const NAMED: usize = 5;

/// Whether there are too many profiles to tell of each by itself.
pub(crate) const fn is_crowd(profiles: usize) -> bool {
    profiles > MANY
}

/// A profile and its group, both by name.
pub(crate) type Member<'m> = (&'m str, &'m str);

/// A group, and its profiles bundled by what they say.
pub(crate) struct Row<'m, T> {
    pub(crate) group: &'m str,
    pub(crate) bundles: Vec<(T, Vec<&'m str>)>,
}

/// Bundles what each member says; what is greater is worse and comes first.
pub(crate) fn rows<'m, T: Ord>(members: impl IntoIterator<Item = (Member<'m>, T)>) -> Vec<Row<'m, T>> {
    let mut rows: Vec<Row<'m, T>> = Vec::new();
    for ((profile, group), said) in members {
        let at = rows.iter().position(|row| row.group == group).unwrap_or_else(|| {
            rows.push(Row { group, bundles: Vec::new() });
            rows.len() - 1
        });
        let Some(row) = rows.get_mut(at) else { continue };
        match row.bundles.iter_mut().find(|(known, _)| *known == said) {
            Some((_, profiles)) => profiles.push(profile),
            None => row.bundles.push((said, vec![profile])),
        }
    }
    for row in &mut rows {
        row.bundles.sort_by(|(a, _), (b, _)| b.cmp(a));
        row.bundles.iter_mut().for_each(|(_, profiles)| profiles.sort_unstable());
    }
    rows.sort_by(|a, b| {
        let (worst, other) = (a.bundles.first().map(|(said, _)| said), b.bundles.first().map(|(said, _)| said));
        other.cmp(&worst).then(a.group.cmp(b.group))
    });
    rows
}

/// The names of a bundle; `all` of a group are counted.
pub(crate) fn names(bundle: &[&str], all: bool) -> String {
    match bundle {
        [one] => (*one).to_owned(),
        many if all => format!("all {}", many.len()),
        many if many.len() <= NAMED + 1 => many.join(", "),
        many => format!("{} and {} more", many.iter().take(NAMED).copied().collect::<Vec<_>>().join(", "), many.len() - NAMED),
    }
}

/// Writes a table: the group, the cells of each bundle, its profiles.
pub(crate) fn table<T>(out: &mut String, heads: &[String], rows: &[Row<'_, T>], cells: impl Fn(&T) -> Vec<String>) {
    let mut lines: Vec<(Vec<String>, String)> = vec![([vec!["group".to_owned()], heads.to_vec()].concat(), "profiles".to_owned())];
    for row in rows {
        for (at, (said, profiles)) in row.bundles.iter().enumerate() {
            let group = if at == 0 { row.group.to_owned() } else { String::new() };
            lines.push(([vec![group], cells(said)].concat(), names(profiles, row.bundles.len() == 1)));
        }
    }
    let width = |column: usize| lines.iter().filter_map(|(cells, _)| cells.get(column)).map(|c| c.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=heads.len()).map(width).collect();
    for (cells, last) in &lines {
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(out, "{cell:<width$}  ");
        }
        let _ = writeln!(out, "{last}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_comes_first() {
        let members = [(("a", "x"), 0), (("b", "y"), 2), (("c", "x"), 1), (("d", "y"), 2), (("e", "x"), 0), (("f", "z"), 2)];
        let mut out = String::new();
        table(&mut out, &["bad".to_owned()], &rows(members), |n| vec![n.to_string()]);
        assert_eq!(out, "group  bad  profiles\ny      2    all 2\nz      2    f\nx      1    c\n       0    a, e\n");
    }

    #[test]
    fn many_names_are_counted() {
        assert_eq!(names(&["a", "b", "c", "d", "e", "f"], false), "a, b, c, d, e, f");
        assert_eq!(names(&["a", "b", "c", "d", "e", "f", "g"], false), "a, b, c, d, e and 2 more");
    }
}
