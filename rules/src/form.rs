//! Which fields the kinds of file have and what each takes, so that every slip of form is told and not the first alone.

use crate::error::{Errors, File, ProfileError};
use crate::yaml::{At, Pairs, Raw};

/// What a place takes.
pub(crate) enum Form {
    /// Any value; it is read where it is compiled.
    Any,
    Text,
    Flag,
    List(&'static Form),
    /// Names of one's own choice.
    Map(&'static Form),
    Fields(&'static [Field]),
}

/// A field of a map.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) form: &'static Form,
    pub(crate) needed: bool,
}

const fn needed(name: &'static str, form: &'static Form) -> Field {
    Field { name, form, needed: true }
}

const fn may(name: &'static str, form: &'static Form) -> Field {
    Field { name, form, needed: false }
}

use Form::{Any, Fields, Flag, List, Map, Text};

const TEXTS: Form = List(&Text);
const ANYS: Form = List(&Any);

/// A profile file.
pub(crate) static PROFILE: Form = Fields(&[
    needed("profile", &Text),
    needed("title", &Text),
    may("about", &Text),
    may("extends", &Text),
    may("also", &TEXTS),
    may("lenient", &Text),
    may("lenient-for", &Text),
    may("meets", &TEXTS),
    may("speaks", &Fields(&[may("reports", &Text), may("paths", &Any), may("tools", &TEXTS), may("signs", &TEXTS)])),
    may("writes", &WRITES),
    may(
        "wire",
        &Fields(&[
            may("name", &Any),
            may("description", &Any),
            may("schema", &Text),
            may("schema-as", &Text),
            may("constants", &Map(&Any)),
            may("request", &Map(&Any)),
            may("keeps", &TEXTS),
            may("arguments", &TEXTS),
        ]),
    ),
    may("probe", &PROBE),
    may("stages", &TEXTS),
    may("switches", &Map(&TEXTS)),
    may("facts", &Map(&Any)),
    may("without", &TEXTS),
    may("rules", &List(&BINDING)),
]);

pub(crate) static WRITES: Form = Fields(&[may("paths", &Text)]);

static PROBE: Form = Fields(&[
    may("url", &Text),
    may("key", &Fields(&[needed("env", &Text), needed("header", &Text), may("prefix", &Text)])),
    may("headers", &Map(&Text)),
    may("body", &Map(&Any)),
    may("tools", &Text),
    may("accepted", &ANYS),
    may("rejected", &ANYS),
    may("message", &Text),
    may("request-id", &Text),
]);

pub(crate) static BINDING: Form = Fields(&[
    needed("rule", &Text),
    may("as", &Text),
    may("stage", &Text),
    may("level", &Text),
    may("only", &Map(&Any)),
    may("since", &Text),
    may("until", &Text),
    may("with", &Map(&Any)),
    may("says", &Text),
    may("paths", &Any),
    may("message", &Text),
    may("rewrite", &ANYS),
    may("change", &Any),
    may("follows", &Text),
    may("unpinned", &Text),
    may("sources", &List(&SOURCE)),
]);

pub(crate) static SOURCE: Form = Fields(&[
    may("observed", &Text),
    may("documented", &Text),
    may("executed", &Text),
    may("inferred", &Text),
    may("verdicts", &Text),
    may("contradicts", &Text),
    may("seen", &Text),
    may("note", &Text),
]);

/// A group file.
pub(crate) static GROUP: Form = Fields(&[needed("group", &Text), needed("title", &Text), may("apart", &Flag)]);

/// A rule file.
pub(crate) static RULE: Form = Fields(&[
    needed("rule", &Text),
    needed("title", &Text),
    may("message", &Text),
    needed("at", &Text),
    needed("when", &PRED),
    needed("why", &Text),
    may("rewrite", &ANYS),
    may("bad", &List(&EXAMPLE)),
    may("good", &List(&EXAMPLE)),
]);

pub(crate) static EXAMPLE: Form = Fields(&[
    may("facts", &Map(&Any)),
    may("schema", &Any),
    may("name", &Any),
    may("description", &Any),
    may("tools", &List(&Fields(&[may("name", &Any), may("description", &Any), may("schema", &Any)]))),
    may("after", &Any),
]);

pub(crate) static PRED: Form = Fields(&[
    may("kind", &Any),
    may("type", &Any),
    may("is", &Any),
    may("is-not", &Any),
    may("has", &Any),
    may("has-all", &Any),
    may("lacks", &Any),
    may("keys-outside", &Any),
    may("off-type", &Any),
    may("beside", &Fields(&[needed("key", &Any), may("except", &Any)])),
    may("value", &VALUE),
    may("members", &VALUE),
    may("regex", &Fields(&[needed("key", &Any), needed("uses", &Any)])),
    may("measure", &Fields(&[needed("of", &Text), may("over", &Text), needed("above", &Any)])),
    may("text", &TEXT_TEST),
    may("select", &Any),
    may("all", &List(&PRED)),
    may("any", &List(&PRED)),
    may("not", &PRED),
]);

pub(crate) static VALUE: Form = Fields(&[
    needed("key", &Any),
    may("in", &Any),
    may("not-in", &Any),
    may("matches", &Any),
    may("not-matches", &Any),
    may("kind", &Any),
    may("not-kind", &Any),
    may("above", &Any),
    may("below", &Any),
    may("integral", &Flag),
]);

pub(crate) static TEXT_TEST: Form = Fields(&[
    needed("of", &Text),
    may("matches", &Any),
    may("not-matches", &Any),
    may("in", &Any),
    may("longer", &Any),
    may("shorter", &Any),
    may("unit", &Text),
    may("missing", &Flag),
    may("null", &Flag),
]);

/// Reports everything in a file that is not of the form.
pub(crate) fn check(form: &Form, raw: &At<Raw>, file: &File, errors: &mut Errors) {
    Walk { file, errors }.value(form, raw, "the file");
}

struct Walk<'w> {
    file: &'w File,
    errors: &'w mut Errors,
}

impl Walk<'_> {
    /// `what` is the field, as it is called in a message.
    fn value(&mut self, form: &Form, raw: &At<Raw>, what: &str) {
        match (form, &raw.value) {
            (Any, _) | (Flag, Raw::Bool(_)) | (Text, Raw::Text(_) | Raw::Number(_) | Raw::Bool(_)) => {}
            (List(inner), Raw::List(items)) => items.iter().for_each(|item| self.value(inner, item, &format!("an entry of {what}"))),
            (Map(inner), Raw::Map(pairs)) => pairs.0.iter().for_each(|(key, value)| self.value(inner, value, &quoted(&key.value))),
            (Fields(fields), Raw::Map(pairs)) => self.fields(fields, pairs, raw),
            (form, other) => {
                let error = ProfileError::at(self.file, &raw.span, format!("{what} takes {}, not {}", form.noun(), other.noun()));
                self.errors.push(match form.hint(other) {
                    Some(hint) => error.hint(hint),
                    None => error,
                });
            }
        }
    }

    fn fields(&mut self, fields: &[Field], pairs: &Pairs<At<Raw>>, raw: &At<Raw>) {
        for (key, value) in &pairs.0 {
            match fields.iter().find(|f| f.name == key.value) {
                Some(field) if !field.needed && matches!(value.value, Raw::Null) => {}
                Some(field) => self.value(field.form, value, &quoted(field.name)),
                None => {
                    let error = ProfileError::at(self.file, &key.span, format!("unknown field `{}`", key.value));
                    self.errors.push(error.near(&key.value, fields.iter().map(|f| f.name)));
                }
            }
        }
        for field in fields.iter().filter(|f| f.needed && pairs.get(f.name).is_none()) {
            let span = pairs.0.first().map_or(&raw.span, |(key, _)| &key.span);
            self.errors.push(ProfileError::at(self.file, span, format!("`{}` is missing", field.name)));
        }
    }
}

fn quoted(name: &str) -> String {
    format!("`{name}`")
}

impl Form {
    /// The form, of a file that nobody has checked yet.
    pub(crate) fn unless(&'static self, checked: bool) -> Option<&'static Form> {
        (!checked).then_some(self)
    }

    fn noun(&self) -> &'static str {
        match self {
            Any => "any value",
            Text => "a text",
            Flag => "`true` or `false`",
            List(Text) => "a list of texts",
            List(Fields(_)) => "a list of maps",
            List(_) => "a list",
            Map(_) | Fields(_) => "a map",
        }
    }

    /// How the value would be written right.
    fn hint(&self, given: &Raw) -> Option<String> {
        match (self, given) {
            (Text, Raw::Null) => Some("write \"null\" in quotes if the word is meant".to_owned()),
            (List(Text), Raw::Text(word)) => Some(format!("write [{word}]")),
            (List(Text), _) => Some("write [a, b]".to_owned()),
            (List(Fields(fields)) | Fields(fields), _) => {
                Some(format!("its fields: {}", fields.iter().map(|f| f.name).collect::<Vec<_>>().join(", ")))
            }
            (Map(inner), _) => Some(format!("write {{ NAME: {} }}", if matches!(inner, List(_)) { "[a, b]" } else { "VALUE" })),
            _ => None,
        }
    }
}
