//! Tells offers to a log: one line a tool, defect and process.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::Offer;

/// So many lines are remembered; after that every line is told again.
const MOST: usize = 100_000;

static TOLD: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Writes one warning for each tool that was repaired or left out, through the `log` facade, unless this process has written the same line before.
/// Returns how many were written. `owner` says whose tools they are.
///
/// ```
/// use schemalect::{OfferOptions, Profiles, ReadOptions, Selection, log_offer, read};
///
/// let tools = br#"[{"name": "log-example", "inputSchema": {"type": "object", "properties": {"xs": {"type": "array"}}}}]"#;
/// let surface = Profiles::builtin()?.resolve("personalclaw-portable", &Selection::on("2026-11-29".parse()?))?;
/// let offer = surface.offer(&read(tools, &ReadOptions::default())?, &OfferOptions::default());
/// assert_eq!((log_offer(&offer, "my-app"), log_offer(&offer, "my-app"), log_offer(&offer, "another")), (1, 0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn log_offer(offer: &Offer, owner: &str) -> usize {
    let lines = offer.notes.iter().filter_map(|note| note.line(owner));
    lines.filter(|line| is_new(line)).inspect(|line| log::warn!(target: "schemalect::offer", "{line}")).count()
}

fn is_new(line: &str) -> bool {
    // A thread that panicked elsewhere leaves the set as it was.
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if told.len() >= MOST {
        told.clear();
    }
    told.insert(line.to_owned())
}
