//! `docs/performance.md`: each command writes its own part and leaves the others.

use std::process::Command;

use anyhow::{Context, Result};

use crate::data;

const HEAD: &str = "\
# Performance

Measured figures, written by `cargo xtask bench`; each part says what makes it again. `SCHEMALECT_CORPUS=FOLDER` names the corpus. Times differ from machine to machine, so most figures
are ratios to what reading a text into `serde_json::Value` and writing it again costs on the same bytes in the same run (`serde_json` with `preserve_order` and `float_roundtrip`, as the
crates here use it).
";

/// A part of the page: its word, its title, the command that writes it.
pub(super) struct Part {
    word: &'static str,
    title: &'static str,
    command: &'static str,
}

pub(super) const TABLE: Part = Part { word: "table", title: "Real tools", command: "cargo xtask bench" };
pub(super) const GROWTH: Part = Part { word: "growth", title: "Growth", command: "cargo xtask bench --growth" };
pub(super) const STREAM: Part = Part { word: "stream", title: "A stream of tools", command: "cargo xtask bench --stream" };
pub(super) const PEERS: Part = Part { word: "peers", title: "Beside other adapters", command: "cargo xtask bench --peers FOLDER" };

const PARTS: [&Part; 4] = [&TABLE, &GROWTH, &STREAM, &PEERS];

/// Writes one part anew.
pub(super) fn put(part: &Part, text: &str) -> Result<()> {
    let path = data::root().join("docs/performance.md");
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    std::fs::write(&path, with(&old, part, &format!("{}\n\n{}", made(part)?, text.trim_end())))
        .with_context(|| path.display().to_string())?;
    println!("wrote {}: {}", path.display(), part.title);
    Ok(())
}

fn with(old: &str, part: &Part, text: &str) -> String {
    let mut out = HEAD.to_owned();
    for known in PARTS {
        let text = if known.word == part.word { Some(text) } else { between(old, known.word) };
        let unmeasured = format!("Not measured yet: `{}`.", known.command);
        let (word, title) = (known.word, known.title);
        out.push_str(&format!("\n## {title}\n\n<!-- {word} -->\n{}\n<!-- end of {word} -->\n", text.unwrap_or(&unmeasured)));
    }
    out
}

fn between<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let after = text.split_once(&format!("<!-- {word} -->\n"))?.1;
    Some(after.split_once(&format!("\n<!-- end of {word} -->"))?.0)
}

/// When, with what and on what a part was measured.
fn made(part: &Part) -> Result<String> {
    let day = data::today()?.as_of;
    let compiler = Command::new("rustc").arg("--version").output().map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let compiler: String = compiler.unwrap_or_default().split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!("`{}`, {day}, {compiler}, {cores} cores, release build.", part.command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_replaced_and_the_others_stay() {
        let first = with("", &GROWTH, "grows");
        assert!(first.contains("Not measured yet: `cargo xtask bench`.") && first.contains("grows"), "{first}");
        let second = with(&first, &TABLE, "| a |\n|---|");
        assert_eq!((between(&second, "table"), between(&second, "growth")), (Some("| a |\n|---|"), Some("grows")));
        assert_eq!(with(&second, &GROWTH, "shrinks"), second.replace("grows", "shrinks"));
    }
}
