//! What must hold of the sources of the engine and of this crate.

use std::fs;
use std::path::{Path, PathBuf};

const VENDORS: [&str; 22] = [
    "openai",
    "gemini",
    "anthropic",
    "google",
    "vertex",
    "bedrock",
    "azure",
    "mistral",
    "cohere",
    "groq",
    "xai",
    "deepseek",
    "moonshot",
    "qwen",
    "ollama",
    "llama",
    "vllm",
    "claude",
    "gpt",
    "aws",
    "cerebras",
    "fireworks",
];

#[test]
fn no_vendor_stands_in_code() {
    for (path, text) in sources(&["engine/src", "engine/tests", "rules/src"]) {
        for (number, line) in text.lines().enumerate() {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric());
            for word in words.map(str::to_lowercase) {
                // A short name may stand inside another word, such as `laws`.
                let named = |vendor: &&&str| if vendor.len() > 4 { word.contains(**vendor) } else { word == **vendor };
                let vendor = VENDORS.iter().find(named);
                assert_eq!(vendor, None, "{}:{}", path.display(), number + 1);
            }
        }
    }
}

#[test]
fn every_source_says_what_it_is() {
    for (path, text) in sources(&["engine/src", "rules/src"]) {
        assert!(text.starts_with("//! "), "{} has no header line", path.display());
    }
}

fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut found = Vec::new();
    for folder in folders {
        collect(&root.join(folder), &mut found);
    }
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("a text"))).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
