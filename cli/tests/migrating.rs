//! What the pages on migrating show runs as it stands: commands in the folder of examples, profiles through their check.

mod common;

use std::fs;
use std::path::Path;

use common::run;

/// The fenced blocks of a language.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let fence = format!("```{language}\n");
    page.split(fence.as_str()).skip(1).filter_map(|rest| rest.split_once("\n```").map(|(block, _)| block)).collect()
}

fn pages() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/migrating");
    let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    paths.map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("a page"))).collect()
}

#[test]
fn commands_run() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/");
    let mut count = 0;
    for (name, page) in pages() {
        for line in blocks(&page, "sh").into_iter().flat_map(str::lines) {
            let Some(line) = line.split(" # ").next().and_then(|line| line.strip_prefix("schemalect ")) else { continue };
            let word = |word: &str| if Path::new(examples).join(word).is_file() { format!("{examples}{word}") } else { word.to_owned() };
            let words: Vec<String> = line.split_whitespace().map(word).collect();
            let result = run(&words.iter().map(String::as_str).collect::<Vec<_>>(), b"");
            assert!(result.code < 2 && !result.out.is_empty(), "{name}: {line}: {}", result.err);
            count += 1;
        }
    }
    assert!(count >= 12, "{count} commands");
}

#[test]
fn profiles_are_without_mistakes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for (name, page) in pages() {
        for block in blocks(&page, "yaml").into_iter().filter(|block| block.starts_with("profile: ")) {
            let file = folder.path().join(format!("{count}.yaml"));
            fs::write(&file, block).expect("a file");
            let result = run(&["profile", "check", &file.display().to_string()], b"");
            assert_eq!(result.code, 0, "{name}: {}{}", result.out, result.err);
            count += 1;
        }
    }
    assert!(count >= 2, "{count} profiles");
}

#[test]
fn a_profile_says_how_places_are_written() {
    let schema = br#"{"type": "object", "properties": {"counts": {"type": "object", "additionalProperties": {"type": "integer"}}}}"#;
    let shown = run(&["check", "-", "-p", "agent-adapter-portable"], schema);
    let expected = "schema  $.counts  agent-adapter-portable/object-map  error: open map (dict) is not portable\n";
    assert!(shown.code == 1 && shown.out.starts_with(expected), "{}", shown.out);
}
