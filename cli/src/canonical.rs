//! `canonical` and `hash`: one spelling for schemas, tools and lists that say the same.

use std::fmt::Write;

use schemalect::{CanonicalForm, InputError, Json, ToolList, hash_of_text};

use crate::args::{CanonicalArgs, Format, Of, OutputArgs, SourceArgs};
use crate::check::unreadable;
use crate::drive::{Answer, Answers, At, Sinks, drive};
use crate::error::Failure;
use crate::text::plain;

pub(crate) fn run(source: &SourceArgs, canonical: &CanonicalArgs, output: &OutputArgs, hashed: bool) -> Result<u8, Failure> {
    let answers = Canonical { format: output.format, form: canonical.form.form(), of: canonical.of, hashed };
    drive(source, Sinks { quiet: output.quiet, ..Sinks::default() }, &answers)
}

struct Canonical {
    format: Format,
    form: CanonicalForm,
    of: Of,
    hashed: bool,
}

impl Answers for Canonical {
    fn answer(&self, list: &ToolList, _: At<'_>) -> Answer {
        let mut answer = Answer::default();
        for tool in list.tools() {
            if let Some(problem) = &tool.problem {
                let _ = writeln!(answer.notes, "#{}: {}", tool.index, problem.message);
                answer.code = 1;
            }
        }
        let each = |text: fn(&ToolList, &schemalect::Tool, CanonicalForm) -> String| {
            list.tools().iter().map(|tool| (tool.name.as_str(), text(list, tool, self.form))).collect::<Vec<_>>()
        };
        let mut texts = match self.of {
            Of::Schema => each(ToolList::canonical_schema),
            Of::Tool => each(ToolList::canonical_tool),
            Of::List => vec![(None, list.canonical(self.form))],
        };
        if self.hashed {
            texts.iter_mut().for_each(|(_, text)| *text = hash_of_text(text));
        }
        let single = list.is_single() || self.of == Of::List;
        answer.out = match (self.hashed, self.format) {
            (true, Format::Text) if !single => {
                texts.iter().map(|(name, h)| format!("{h}  {}\n", name.map_or_else(|| "-".to_owned(), plain))).collect()
            }
            (true, Format::Json | Format::Ndjson) => {
                let mut json = Json::new();
                match texts.as_slice() {
                    [(_, hash)] if single => json.object(|json| write_hash(json, hash)),
                    texts => json.list(texts, |json, (name, hash)| {
                        json.object(|json| {
                            json.key("name").opt_str(*name);
                            write_hash(json, hash);
                        });
                    }),
                };
                json.finish() + "\n"
            }
            _ => {
                let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
                if single { texts.concat() + "\n" } else { format!("[{}]\n", texts.join(",")) }
            }
        };
        answer
    }

    fn unreadable(&self, error: &InputError) -> String {
        unreadable(error, Format::Json)
    }
}

fn write_hash(json: &mut Json, hash: &str) {
    json.key("hash").str(hash).key("algorithm").str("sha256");
}
