//! Python environments of the recorders: made below `target/recorders` from the lists in `conformance/recorders/environments`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::data;

/// An environment that has the packages of a list.
pub(crate) struct Environment {
    python: PathBuf,
    /// Folders of packages that go before those of the environment.
    over: Vec<PathBuf>,
    /// The folder of what was built.
    built: Option<PathBuf>,
}

impl Environment {
    /// Made anew where the list has changed since. `# over: NAME` in a list adds packages to another environment; `# build: SCRIPT VERSION
    /// HOW` has a script build something from the package.
    pub(crate) fn ready(name: &str) -> Result<Environment> {
        let list = recorders().join("environments").join(format!("{name}.txt"));
        let text = std::fs::read_to_string(&list).with_context(|| list.display().to_string())?;
        let says = |what: &str| text.lines().find_map(|line| line.strip_prefix(&format!("# {what}: ")));
        let folder = work().join(name);
        let mark = folder.join("installed.txt");
        let stale = std::fs::read_to_string(&mark).ok().as_deref() != Some(&text);
        if stale {
            println!("installing {} into {}", list.display(), folder.display());
        }
        let ready = if let Some(base) = says("over") {
            let mut base = Environment::ready(base)?;
            if stale {
                base.install(&list, &["--target".to_owned(), folder.display().to_string(), "--upgrade".to_owned()])?;
            }
            base.over.insert(0, folder.clone());
            base
        } else {
            let environment = Environment { python: folder.join("bin/python"), over: Vec::new(), built: None };
            if stale {
                finish(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
            }
            match says("build") {
                None if stale => environment.install(&list, &[])?,
                Some(script) if stale => {
                    let mut words = script.split_whitespace();
                    let script = recorders().join(words.next().unwrap_or_default());
                    finish(Command::new(&environment.python).arg(script).arg(folder.join("built")).args(words))?;
                }
                _ => {}
            }
            Environment { built: says("build").map(|_| folder.join("built")), ..environment }
        };
        if stale {
            std::fs::write(&mark, text)?;
        }
        Ok(ready)
    }

    /// What a script of the recorders prints, fed with a file where there is one.
    pub(crate) fn run(&self, script: &str, words: &[&str], input: Option<&Path>) -> Result<String> {
        let mut command = Command::new(&self.python);
        command.arg(recorders().join(script)).args(words).env("PYTHONDONTWRITEBYTECODE", "1");
        if !self.over.is_empty() {
            command.env("PYTHONPATH", std::env::join_paths(&self.over)?);
        }
        if let Some(built) = &self.built {
            command.env("LLAMA_SCHEMA", built.join("llama-schema"));
        }
        if let Some(input) = input {
            command.stdin(Stdio::from(std::fs::File::open(input).with_context(|| input.display().to_string())?));
        }
        finish(&mut command)
    }

    fn install(&self, list: &Path, words: &[String]) -> Result<()> {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement"];
        finish(Command::new(&self.python).args(pip).arg(list).args(words)).map(drop)
    }
}

/// Where the environments and what is given to scripts stand.
pub(crate) fn work() -> PathBuf {
    data::root().join("target/recorders")
}

fn recorders() -> PathBuf {
    data::root().join("conformance/recorders")
}

/// What a command prints; its error output is that of the chore.
fn finish(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| shown(command))?;
    ensure!(output.status.success(), "{}: {}", shown(command), output.status);
    Ok(String::from_utf8(output.stdout)?)
}

fn shown(command: &Command) -> String {
    format!("{} {:?}", Path::new(command.get_program()).display(), command.get_args().collect::<Vec<_>>())
}
