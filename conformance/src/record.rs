//! Asks a surface again, and makes dated verdicts of its answers.
//!
//! How a request travels is the caller's: see [`Transport`].

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use schemalect::rules::{Bound, ProfileInfo};
use schemalect::{AdaptOptions, Day, OnUnfixable, Surface};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::judge::parts;
use crate::suite::normal;
use crate::verdict::{Outcome, Verdict};

/// How a surface is asked, as its profile declares it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Probe {
    /// Where requests go.
    pub url: String,
    /// The key, if one is needed.
    #[serde(default)]
    pub key: Option<Key>,
    /// Further headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The request without tools.
    pub body: Map<String, Value>,
    /// JSON Pointer to the place of the list of tools, in the body.
    pub tools: String,
    /// Statuses that tell that the tools were taken.
    pub accepted: Vec<u16>,
    /// Statuses that tell that they were refused.
    pub rejected: Vec<u16>,
    /// JSON Pointer to the provider's words in a refusal.
    #[serde(default)]
    pub message: Option<String>,
    /// The header that names the request.
    #[serde(default)]
    pub request_id: Option<String>,
}

/// Where a key is found, and how it is sent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The environment variable.
    pub env: String,
    /// The header.
    pub header: String,
    /// What stands before the key in the header.
    #[serde(default)]
    pub prefix: String,
}

/// A request as it is sent.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where it goes.
    pub url: String,
    /// Its headers; one holds the key.
    pub headers: Vec<(String, String)>,
    /// Its body, JSON.
    pub body: String,
}

/// An answer.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// Its headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Its body.
    pub body: String,
}

/// What carries requests, and waits.
pub trait Transport {
    /// Sends a request.
    ///
    /// # Errors
    /// No answer came, in words that do not hold the request's headers.
    fn send(&mut self, request: &Request) -> Result<Response, String>;
    /// Waits between two requests.
    fn wait(&mut self, time: Duration);
}

/// How much may be asked, and how fast.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests in all, the repeated ones included.
    pub budget: usize,
    /// Time between two requests.
    pub pause: Duration,
    /// How often a request is repeated that got no answer, 429 or 5xx.
    pub retries: usize,
}

/// What came of asking.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The new verdicts.
    pub verdicts: Vec<Verdict>,
    /// What could not be recorded, and why: the verdict's id and words.
    pub skipped: Vec<(String, String)>,
    /// How many requests were sent.
    pub sent: usize,
}

/// The probe of a profile.
///
/// # Errors
/// The profile declares none, or its members are wrong.
pub fn probe(profile: &ProfileInfo) -> Result<Probe, String> {
    if profile.probe.is_empty() {
        return Err(format!("{} declares no `probe`", profile.name));
    }
    serde_json::from_value(Value::Object(profile.probe.clone())).map_err(|error| format!("the probe of {}: {error}", profile.name))
}

/// Asks for every input once, whatever the number of verdicts on it, and dates the answers.
#[must_use]
pub fn record(
    transport: &mut impl Transport,
    (bound, probe): (&Bound, &Probe),
    verdicts: &[Verdict],
    (day, key): (Day, Option<&str>),
    limits: Limits,
) -> Recorded {
    let mut out = Recorded::default();
    let mut seen = HashSet::new();
    for verdict in verdicts {
        if !seen.insert((normal(verdict.input.get()), verdict.kind as u8)) {
            continue;
        }
        let asked = request(bound, probe, verdict, key).and_then(|request| ask(transport, &request, limits, &mut out.sent));
        match asked.and_then(|response| answer(probe, verdict, day, &response)) {
            Ok(mut recorded) => {
                recorded.message = recorded.message.map(|message| without(&message, key));
                out.verdicts.push(recorded);
            }
            Err(why) => out.skipped.push((verdict.id.clone(), without(&why, key))),
        }
    }
    out
}

/// The request for a verdict's input: its tools in the form of the surface, none of them adapted.
fn request(bound: &Bound, probe: &Probe, verdict: &Verdict, key: Option<&str>) -> Result<Request, String> {
    let mut bare = bound.clone();
    bare.plan.rules.clear();
    let surface = Surface::of(&bare);
    let mut tools = Vec::new();
    for part in parts(verdict, &surface)? {
        let options = AdaptOptions { on_unfixable: Some(OnUnfixable::Keep), jobs: 1, ..AdaptOptions::default() };
        let adapted = surface.adapt(&part.list, &options).map_err(|error| error.to_string())?;
        for entry in adapted.wire(&surface) {
            tools.push(serde_json::from_str::<Value>(&entry).map_err(|error| error.to_string())?);
        }
    }
    let mut body = Value::Object(probe.body.clone());
    put(&mut body, &probe.tools, Value::Array(tools))?;
    let mut headers: Vec<(String, String)> = vec![("content-type".to_owned(), "application/json".to_owned())];
    headers.extend(probe.headers.iter().map(|(name, value)| (name.clone(), value.clone())));
    if let Some(named) = &probe.key {
        let key = key.ok_or_else(|| format!("no key: set {}", named.env))?;
        headers.push((named.header.clone(), format!("{}{key}", named.prefix)));
    }
    Ok(Request { url: probe.url.clone(), headers, body: body.to_string() })
}

/// Sets the member that a pointer names; what leads there must exist.
fn put(body: &mut Value, pointer: &str, value: Value) -> Result<(), String> {
    let (parent, name) = pointer.rsplit_once('/').ok_or_else(|| format!("`{pointer}` is no pointer to a member"))?;
    let parent = body.pointer_mut(parent).and_then(Value::as_object_mut);
    parent.ok_or_else(|| format!("nothing leads to `{pointer}` in the body"))?.insert(name.to_owned(), value);
    Ok(())
}

/// Sends a request until an answer comes that is neither 429 nor 5xx; a server's own waiting time is kept, within a minute.
fn ask(transport: &mut impl Transport, request: &Request, limits: Limits, sent: &mut usize) -> Result<Response, String> {
    let mut last = String::new();
    for attempt in 0..=limits.retries {
        if *sent >= limits.budget {
            return Err(format!("the budget of {} requests is spent{}", limits.budget, after(&last)));
        }
        if *sent > 0 {
            transport.wait(limits.pause);
        }
        *sent += 1;
        let wait = match transport.send(request) {
            Ok(response) if response.status == 429 || response.status >= 500 => {
                last = format!("status {}", response.status);
                response.headers.get("retry-after").and_then(|text| text.trim().parse().ok()).map(|seconds: u64| seconds.min(60))
            }
            Ok(response) => return Ok(response),
            Err(error) => {
                last = error;
                None
            }
        };
        if attempt < limits.retries {
            transport.wait(Duration::from_secs(wait.unwrap_or(1 << attempt.min(5))));
        }
    }
    Err(last)
}

fn after(last: &str) -> String {
    if last.is_empty() { String::new() } else { format!(", after {last}") }
}

/// The verdict that an answer makes.
fn answer(probe: &Probe, verdict: &Verdict, day: Day, response: &Response) -> Result<Verdict, String> {
    let outcome = match response.status {
        status if probe.accepted.contains(&status) => Outcome::Accepted,
        status if probe.rejected.contains(&status) => Outcome::Rejected,
        status => return Err(format!("status {status} tells neither that it was taken nor that it was refused")),
    };
    let message = (outcome == Outcome::Rejected).then(|| {
        let body: Option<Value> = serde_json::from_str(&response.body).ok();
        let words = probe.message.as_deref().and_then(|at| Some(body.as_ref()?.pointer(at)?.as_str()?.to_owned()));
        words.unwrap_or_else(|| response.body.chars().take(2000).collect())
    });
    let request = probe.request_id.as_ref().and_then(|name| response.headers.get(name)).map(|id| format!(", request {id}"));
    Ok(Verdict {
        id: format!("{}-{day}", verdict.id),
        model: probe.body.get("model").and_then(Value::as_str).map(str::to_owned).or_else(|| verdict.model.clone()),
        date: Some(day.to_string()),
        outcome,
        status: Some(response.status),
        message,
        path: None,
        rule: None,
        at: None,
        source: Some(format!("recorded from {}{}", probe.url, request.unwrap_or_default())),
        fidelity: Some("schema_shown".to_owned()),
        weak_source: None,
        scorable: true,
        out_of_scope: None,
        unpredicted: None,
        note: None,
        ..verdict.clone()
    })
}

/// A text in which the key does not stand.
fn without(text: &str, key: Option<&str>) -> String {
    match key.filter(|key| !key.is_empty()) {
        Some(key) => text.replace(key, "(key)"),
        None => text.to_owned(),
    }
}
