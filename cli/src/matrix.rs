//! `matrix`: tools against profiles.

use std::cmp::Reverse;
use std::fmt::Write;

use schemalect::{AdaptOptions, Effects, InputError, Json, Outcome, Surface, ToolList};

use crate::args::{AdaptArgs, Format, OutputArgs, SelectArgs, SourceArgs};
use crate::check::unreadable;
use crate::crowd::{self, is_crowd};
use crate::drive::{Answer, Answers, At, Sinks, drive};
use crate::error::Failure;
use crate::session::{Session, read_options};
use crate::text::plain;

pub(crate) fn run(source: &SourceArgs, select: &SelectArgs, output: &OutputArgs, adapt: &AdaptArgs) -> Result<u8, Failure> {
    let mut session = Session::open(select)?.quiet(output.quiet);
    session.default_to_all();
    let options = AdaptOptions {
        allow: adapt.allow,
        on_unfixable: adapt.on_unfixable.map(Into::into),
        budget: read_options(source)?.schema,
        ..AdaptOptions::default()
    };
    let verb = Matrix { surfaces: session.surfaces()?, groups: session.groups(), options, format: output.format };
    drive(source, Sinks { quiet: output.quiet, ..Sinks::default() }, &verb)
}

struct Matrix {
    surfaces: Vec<Surface>,
    /// Of each surface.
    groups: Vec<String>,
    options: AdaptOptions,
    format: Format,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    accepted: bool,
    outcome: &'static str,
    effects: Effects,
}

impl Answers for Matrix {
    fn answer(&self, list: &ToolList, at: At<'_>) -> Answer {
        let columns: Vec<Vec<Cell>> = self.surfaces.iter().map(|s| self.column(s, list, at.jobs)).collect();
        let names: Vec<Option<&str>> = list.tools().iter().map(|t| t.name.as_str()).collect();
        let out = match self.format {
            Format::Text if is_crowd(columns.len()) => self.by_group(&names, &columns),
            Format::Text => self.text(&names, &columns),
            Format::Json | Format::Ndjson => self.json(&names, &columns),
        };
        Answer { out, ..Answer::default() }
    }

    fn unreadable(&self, error: &InputError) -> String {
        unreadable(error, self.format)
    }
}

impl Matrix {
    fn column(&self, surface: &Surface, list: &ToolList, jobs: usize) -> Vec<Cell> {
        let report = surface.check(list, jobs);
        let dropped = Cell { accepted: false, outcome: "dropped", effects: Effects::NONE };
        let mut cells: Vec<Cell> = report.tools.iter().map(|t| Cell { accepted: t.accepted(), ..dropped }).collect();
        if let Ok(adapted) = surface.adapt(list, &AdaptOptions { jobs, ..self.options.clone() }) {
            for tool in &adapted.tools {
                if let Some(cell) = cells.get_mut(tool.index) {
                    (cell.outcome, cell.effects) = (tool.outcome.word(), tool.effects);
                }
            }
        }
        cells
    }

    fn json(&self, names: &[Option<&str>], columns: &[Vec<Cell>]) -> String {
        let mut json = Json::new();
        json.object(|json| {
            json.key("profiles").words(self.surfaces.iter().map(Surface::name));
            json.key("tools").list(names.iter().enumerate(), |json, (row, name)| {
                json.object(|json| {
                    json.key("name").opt_str(*name);
                    json.key("cells").list(self.surfaces.iter().zip(columns), |json, (surface, column)| {
                        let cell = column.get(row).copied().unwrap_or_default();
                        json.object(|json| {
                            json.key("profile").str(surface.name()).key("accepted").value(cell.accepted);
                            json.key("outcome").str(cell.outcome).key("effect").words(cell.effects.words());
                        });
                    });
                });
            });
        });
        json.finish() + "\n"
    }

    /// One letter a cell: a column for every profile, numbered below.
    fn text(&self, names: &[Option<&str>], columns: &[Vec<Cell>]) -> String {
        let label = |row: usize| label(names, row);
        let width = (0..names.len()).map(|r| label(r).chars().count()).max().unwrap_or(0).min(40);
        let mut out = String::new();
        for row in 0..names.len() {
            let cells: Vec<String> = columns.iter().map(|c| format!("{:<8}", mark(c.get(row).copied().unwrap_or_default()))).collect();
            let _ = writeln!(out, "{}", format!("{:<width$}  {}", label(row), cells.join(" ")).trim_end());
        }
        let heads: Vec<&str> = self.surfaces.iter().map(Surface::name).collect();
        let _ = writeln!(out, "columns: {}", heads.join(", "));
        let _ = writeln!(out, "{LEGEND}");
        out
    }

    /// A line a group where its profiles say the same; of many tools, how many there are of each mark.
    fn by_group(&self, names: &[Option<&str>], columns: &[Vec<Cell>]) -> String {
        let members = self.surfaces.iter().map(Surface::name).zip(self.groups.iter().map(String::as_str));
        let rows = crowd::rows(members.zip(columns.iter().map(|column| Said::of(column))));
        let heads: Vec<String> = if names.len() <= MOST_COLUMNS {
            (0..names.len()).map(|row| label(names, row).chars().take(24).collect()).collect()
        } else {
            vec![format!("{} tools", names.len())]
        };
        let mut out = String::new();
        crowd::table(&mut out, &heads, &rows, |said| if names.len() <= MOST_COLUMNS { said.marks.clone() } else { vec![said.tally()] });
        let _ = writeln!(out, "{LEGEND}");
        out
    }
}

const LEGEND: &str =
    "ok: taken as it is; +widens/narrows/recodes/lossy (by first letter): adapted at that cost; unstrict; residue; dropped";

/// More tools than this have no column each.
const MOST_COLUMNS: usize = 6;

fn label(names: &[Option<&str>], row: usize) -> String {
    names.get(row).copied().flatten().map_or_else(|| format!("#{row}"), plain)
}

/// What a profile says of all tools, the worse the greater.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    /// How many were dropped, left with something, sent unstrict, adapted.
    counts: [usize; 4],
    marks: Vec<String>,
}

impl Said {
    fn of(column: &[Cell]) -> Said {
        let count = |word: &str| column.iter().filter(|cell| cell.outcome == word).count();
        let marks: Vec<String> = column.iter().map(|cell| mark(*cell)).collect();
        let adapted = marks.iter().filter(|mark| mark.starts_with('+')).count();
        Said { counts: [count("dropped"), count(Outcome::Residue.word()), count(Outcome::Unstrict.word()), adapted], marks }
    }

    fn tally(&self) -> String {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for mark in &self.marks {
            match kinds.iter_mut().find(|(known, _)| known == mark) {
                Some((_, count)) => *count += 1,
                None => kinds.push((mark, 1)),
            }
        }
        kinds.sort_by_key(|(mark, count)| (Reverse(*count), *mark));
        kinds.iter().map(|(mark, count)| format!("{count} {mark}")).collect::<Vec<_>>().join(", ")
    }
}

fn mark(cell: Cell) -> String {
    let cost: String = cell.effects.words().filter_map(|w| w.chars().next()).collect();
    match cell.outcome {
        word if word == Outcome::Unchanged.word() && cell.accepted => "ok".to_owned(),
        word if word == Outcome::Clean.word() || word == Outcome::Unchanged.word() => format!("+{cost}"),
        word => word.to_owned(),
    }
}
