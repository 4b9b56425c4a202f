//! Writes the table of the shared rule files; adding a YAML file is enough.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("shared");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|e| e == "yaml"));
    files.sort();
    let mut text =
        String::from("/// The shared rules: the file name and the text of each.\npub const SHARED_RULES: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(text, "    ({name:?}, include_str!({:?})),", file.to_string_lossy());
    }
    fs::write(out.join("shared.rs"), text + "];\n")
}
