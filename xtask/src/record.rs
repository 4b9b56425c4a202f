//! `cargo xtask record`: asks a provider's endpoint again, and writes dated verdicts.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use schemalect_conformance::record::{self, Limits, Probe, Recorded, Request, Response, Transport};
use schemalect_conformance::verdict::{self, Verdict};
use schemalect_engine::date::Day;
use schemalect_rules::{Library, Selection};

use crate::{data, record_executed};

const HELP: &str = "cargo xtask record PROFILE [--case ID] [--budget N] [--per-minute N]
cargo xtask record --executed [NAME]… [--tools N] [--file NAME] [--show N]";

/// Runs the chore. The key comes from the environment variable that the profile names.
pub(crate) fn run(words: &[String]) -> Result<bool> {
    if let Some((_, rest)) = words.split_first().filter(|(word, _)| *word == "--executed") {
        return record_executed::run(rest);
    }
    let Some((profile, rest)) = words.split_first().filter(|(profile, _)| !profile.starts_with('-')) else { bail!("{HELP}") };
    let (mut case, mut budget, mut per_minute) = (None, 50, 30);
    for pair in rest.chunks(2) {
        let [option, value] = pair else { bail!("{} needs a value\n{HELP}", pair[0]) };
        match option.as_str() {
            "--case" => case = Some(value.clone()),
            "--budget" => budget = value.parse().context("--budget is a number")?,
            "--per-minute" => per_minute = value.parse::<u32>().context("--per-minute is a number")?.max(1),
            other => bail!("unknown option `{other}`\n{HELP}"),
        }
    }
    let library = data::library()?;
    let info = library.profile(profile).with_context(|| format!("no profile is called {profile}"))?;
    let probe = record::probe(&info).map_err(anyhow::Error::msg)?;
    let path = verdict::folder().join(format!("{profile}.jsonl"));
    let known = verdict::load_file(&path)?;
    let asked: Vec<Verdict> = known.iter().filter(|v| v.scorable && case.as_ref().is_none_or(|case| *case == v.id)).cloned().collect();
    ensure!(!asked.is_empty(), "nothing to ask for");
    let limits = Limits { budget, pause: Duration::from_secs(60) / per_minute, retries: 3 };
    let key = probe.key.as_ref().and_then(|key| std::env::var(&key.env).ok());
    let recorded = ask(&library, profile, &probe, &asked, (data::today()?.as_of, key.as_deref()), limits)?;
    keep(&path, known, &recorded)?;
    for (id, why) in &recorded.skipped {
        println!("{id}: {why}");
    }
    println!("{} requests, {} verdicts, {} inputs without one", recorded.sent, recorded.verdicts.len(), recorded.skipped.len());
    Ok(recorded.skipped.is_empty())
}

fn ask(
    library: &Library,
    profile: &str,
    probe: &Probe,
    asked: &[Verdict],
    (day, key): (Day, Option<&str>),
    limits: Limits,
) -> Result<Recorded> {
    let bound = library.bind(profile, &Selection::on(day)).map_err(|errors| data::told(&errors))?;
    Ok(record::record(&mut Http::new(), (&bound, probe), asked, (day, key), limits))
}

/// Adds what is new to a file of verdicts.
fn keep(path: &PathBuf, mut known: Vec<Verdict>, recorded: &Recorded) -> Result<()> {
    let new: Vec<Verdict> = recorded.verdicts.iter().filter(|v| known.iter().all(|old| old.id != v.id)).cloned().collect();
    known.extend(new);
    std::fs::write(path, verdict::write(&known)?).with_context(|| path.display().to_string())
}

/// Requests over the network.
struct Http {
    agent: ureq::Agent,
}

impl Http {
    fn new() -> Http {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(120)))
            .http_status_as_error(false)
            // A key is for the address of the profile alone.
            .max_redirects(0);
        Http { agent: config.build().into() }
    }
}

impl Transport for Http {
    fn send(&mut self, request: &Request) -> Result<Response, String> {
        let headers = request.headers.iter();
        let post = headers.fold(self.agent.post(&request.url), |post, (name, value)| post.header(name, value));
        let mut answer = post.send(&request.body).map_err(|error| error.to_string())?;
        let header = |(name, value): (&ureq::http::HeaderName, &ureq::http::HeaderValue)| {
            Some((name.as_str().to_ascii_lowercase(), value.to_str().ok()?.to_owned()))
        };
        Ok(Response {
            status: answer.status().as_u16(),
            headers: answer.headers().iter().filter_map(header).collect(),
            body: answer.body_mut().read_to_string().map_err(|error| error.to_string())?,
        })
    }

    fn wait(&mut self, time: Duration) {
        std::thread::sleep(time);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;
    use std::thread::{self, JoinHandle};

    use schemalect_conformance::verdict::Outcome;

    use super::*;

    /// A server that gives these answers in turn, then hangs up; it hands back what it was sent.
    fn server(answers: &[&str]) -> (String, JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/v1/chat", listener.local_addr().expect("an address"));
        let answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
        let seen = thread::spawn(move || {
            let mut seen = Vec::new();
            for answer in answers {
                let (mut stream, _) = listener.accept().expect("a caller");
                let mut reader = BufReader::new(stream.try_clone().expect("a reader"));
                let (mut text, mut length) = (String::new(), 0);
                loop {
                    let mut line = String::new();
                    reader.read_line(&mut line).expect("a line");
                    if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().expect("a length");
                    }
                    text.push_str(&line);
                    if line.trim().is_empty() {
                        break;
                    }
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).expect("a body");
                seen.push(format!("{text}{}", String::from_utf8_lossy(&body)));
                stream.write_all(answer.as_bytes()).expect("it is sent");
            }
            seen
        });
        (url, seen)
    }

    fn reply(status: &str, headers: &str, body: &str) -> String {
        format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
    }

    fn profile(url: &str) -> (Library, Probe) {
        let yaml = format!(
            "profile: p\ntitle: A surface\nwire: {{ name: /function/name, description: /function/description, schema: /function/parameters, \
             constants: {{ /type: function }} }}\nstages: [s]\nprobe:\n  url: {url}\n  key: {{ env: NO_SUCH_KEY, header: authorization, \
             prefix: \"Bearer \" }}\n  headers: {{ x-version: \"1\" }}\n  body: {{ model: small, max_tokens: 1 }}\n  tools: /tools\n  \
             accepted: [200]\n  rejected: [400]\n  message: /error/message\n  request-id: x-request-id\nrules: []\n"
        );
        let library = Library::new([], [("p.yaml".to_owned(), yaml)]).expect("it loads");
        let probe = record::probe(&library.profile("p").expect("it is there")).expect("it has a probe");
        (library, probe)
    }

    fn verdicts(inputs: &[&str]) -> Vec<Verdict> {
        let line = |(at, input): (usize, &&str)| {
            format!(r#"{{"id":"v{at}","profile":"p","kind":"tool","input":{{"name":"t","parameters":{input}}},"outcome":"accepted"}}"#)
        };
        let lines: Vec<String> = inputs.iter().enumerate().map(line).collect();
        verdict::read("here", &lines.join("\n")).expect("verdicts")
    }

    fn asked(answers: &[String], inputs: &[&str], limits: Limits, key: Option<&str>) -> (Recorded, Vec<String>) {
        let (url, seen) = server(&answers.iter().map(String::as_str).collect::<Vec<_>>());
        let (library, probe) = profile(&url);
        let day = "2026-11-29".parse().expect("a day");
        let recorded = ask(&library, "p", &probe, &verdicts(inputs), (day, key), limits).expect("it is asked");
        (recorded, seen.join().expect("the server ends"))
    }

    const LIMITS: Limits = Limits { budget: 10, pause: Duration::ZERO, retries: 1 };
    const OBJECT: &str = r#"{"type":"object"}"#;

    #[test]
    fn answers_become_dated_verdicts() {
        let refused = reply("400 Bad Request", "x-request-id: r-2\r\n", r#"{"error":{"message":"no const for Bearer secret"}}"#);
        let answers = [reply("200 OK", "X-Request-Id: r-1\r\n", "{}"), refused];
        let (recorded, seen) = asked(&answers, &[OBJECT, r#"{"const":1.0}"#, OBJECT], LIMITS, Some("secret"));
        assert_eq!((recorded.sent, recorded.skipped.len()), (2, 0), "the same input is asked for once: {:?}", recorded.skipped);
        let [taken, refused] = recorded.verdicts.as_slice() else { panic!("two verdicts") };
        assert_eq!((taken.outcome, taken.status, taken.message.as_deref()), (Outcome::Accepted, Some(200), None));
        assert_eq!(
            (taken.id.as_str(), taken.date.as_deref(), taken.model.as_deref()),
            ("v0-2026-11-29", Some("2026-11-29"), Some("small"))
        );
        assert!(taken.source.as_deref().is_some_and(|source| source.ends_with("/v1/chat, request r-1")), "{:?}", taken.source);
        assert_eq!((refused.outcome, refused.message.as_deref()), (Outcome::Rejected, Some("no const for Bearer (key)")));
        assert!(seen[0].contains("authorization: Bearer secret\r\n") && seen[0].contains("x-version: 1\r\n"), "{}", seen[0]);
        let body = r#"{"model":"small","max_tokens":1,"tools":[{"type":"function","function":{"name":"t","parameters":{"const":1.0}}}]}"#;
        assert!(seen[1].ends_with(body), "{}", seen[1]);
    }

    #[test]
    fn what_tells_nothing_is_no_verdict() {
        let busy = reply("429 Too Many Requests", "retry-after: 0\r\n", "");
        let down = reply("503 Service Unavailable", "retry-after: 0\r\n", "");
        let answers = [busy, reply("200 OK", "", "{}"), down.clone(), down, reply("401 Unauthorized", "", "{}")];
        let inputs = [OBJECT, r#"{"type":"object","title":"a"}"#, r#"{"type":"object","title":"b"}"#];
        let (recorded, seen) = asked(&answers, &inputs, LIMITS, Some("secret"));
        assert_eq!((seen.len(), recorded.sent, recorded.verdicts.len()), (5, 5, 1));
        let told: Vec<&str> = recorded.skipped.iter().map(|(_, why)| why.as_str()).collect();
        assert_eq!(told, ["status 503", "status 401 tells neither that it was taken nor that it was refused"]);
    }

    #[test]
    fn the_budget_and_the_key_are_needed() {
        let inputs = [OBJECT, r#"{"type":"object","title":"a"}"#];
        let (recorded, _) = asked(&[reply("200 OK", "", "{}")], &inputs, Limits { budget: 1, ..LIMITS }, Some("secret"));
        assert_eq!(recorded.skipped, [("v1".to_owned(), "the budget of 1 requests is spent".to_owned())]);
        let (recorded, seen) = asked(&[], &[OBJECT], LIMITS, None);
        assert_eq!((recorded.sent, seen.len()), (0, 0));
        assert_eq!(recorded.skipped, [("v0".to_owned(), "no key: set NO_SUCH_KEY".to_owned())]);
    }

    #[test]
    fn a_server_that_hangs_up_is_told() {
        let (recorded, _) = asked(&[String::new()], &[OBJECT], Limits { retries: 0, ..LIMITS }, Some("secret"));
        assert_eq!((recorded.sent, recorded.verdicts.len(), recorded.skipped.len()), (1, 0, 1));
        assert!(!recorded.skipped[0].1.contains("secret"));
    }

    /// Every probe that a profile of the repository declares is of the form.
    #[test]
    fn probes_of_the_repository_read() {
        let library = data::library().expect("it loads");
        let declared: Vec<_> = library.profiles().filter(|info| !info.probe.is_empty()).collect();
        assert!(!declared.is_empty());
        for info in declared {
            if let Err(error) = record::probe(&info) {
                panic!("{error}");
            }
        }
    }
}
