//! The score of the recorded verdicts as text.

use std::fmt::Write;

use schemalect_conformance::evidence::{self, Evidence};
use schemalect_conformance::executed;
use schemalect_conformance::judgement::{Judgement as J, Placing};
use schemalect_conformance::score::Score;
use schemalect_conformance::suite::Case;
use schemalect_rules::Library;

/// Every miss in full, then a line a profile.
pub(crate) fn table(scores: &[(String, Score)], total: &Score, votes: &Score) -> String {
    let mut out = String::new();
    for miss in &total.misses {
        let _ = writeln!(out, "{} {}: {}\n  {}", miss.profile, miss.id, miss.judgement.word(), miss.detail);
        if let Some(why) = &miss.why {
            let _ = writeln!(out, "  why: {why}");
        }
    }
    let _ = writeln!(
        out,
        "\n{:34} {:>5} {:>5} {:>6} {:>5} {:>5} {:>9} {:>6} {:>5} {:>9} {:>7} {:>5} {:>8}",
        "", "hit", "caught", "wrong", "miss", "undec", "rejected", "silent", "noisy", "undecided", "ignored", "place", "unscored"
    );
    let all = [("all".to_owned(), total.clone()), ("one vote a group of equal inputs".to_owned(), votes.clone())];
    let known = |score: &Score| score.count(J::Unscored) < score.total();
    for (name, score) in scores.iter().filter(|(_, score)| known(score)).chain(&all) {
        let count = |j: J| score.count(j);
        let share =
            |(all, good): (usize, usize)| if all == 0 { "-".to_owned() } else { format!("{:.1}%", 100.0 * good as f64 / all as f64) };
        let places = (score.placed(Placing::Exact) + score.placed(Placing::Other), score.placed(Placing::Exact));
        let _ = writeln!(
            out,
            "{name:34} {:>5} {:>5} {:>6} {:>5} {:>5} {:>9} {:>6} {:>5} {:>9} {:>7} {:>5} {:>8}",
            count(J::Hit),
            count(J::Caught),
            count(J::WrongReason),
            count(J::Missing),
            count(J::RejectedUndecided),
            share(score.rejected()),
            count(J::Silent),
            count(J::Noisy),
            count(J::AcceptedUndecided),
            format!("{}/{}", count(J::Known), count(J::Known) + count(J::Unknown)),
            share(places),
            count(J::Unscored),
        );
    }
    let rest: Vec<String> = scores.iter().filter(|(_, s)| !known(s)).map(|(name, s)| format!("{name} {}", s.total())).collect();
    if !rest.is_empty() {
        let _ = writeln!(out, "\nnothing to score: {}", rest.join(", "));
    }
    out
}

/// The bindings of a profile with what pins them, and the verdicts that contradict each other.
pub(crate) fn evidence(library: &Library, (cases, ran): (&[Case], &[executed::Case]), profile: Option<&str>) -> String {
    let evidence = evidence::of(library, cases, ran);
    let own: Vec<&Evidence> = evidence.iter().filter(|e| profile.is_none_or(|name| e.profile == name)).collect();
    let mut out = String::new();
    if profile.is_some() {
        let _ = writeln!(out, "\n{:40} {:>7} {:>8} {:10}  {:10}", "own bindings", "pinned", "executed", "oldest", "newest");
        for e in &own {
            let (oldest, newest) = e.span().unwrap_or(("", ""));
            let why = e.binding.unpinned.as_deref().map(|word| format!("unpinned: {word}")).unwrap_or_default();
            let _ = writeln!(out, "{:40} {:>7} {:>8} {oldest:10}  {newest:10}  {why}", e.binding.id, e.pins.len(), e.ran.len());
        }
    }
    let word = |word: &str| own.iter().filter(|e| e.binding.unpinned.as_deref() == Some(word)).count();
    let pinned = own.iter().filter(|e| e.is_pinned()).count();
    let _ = writeln!(out, "\nbindings: {pinned} pinned, {} documented only, {} inferred", word("documented"), word("inferred"));
    for (profile, refused, taken) in evidence::contradictions(cases) {
        let _ = writeln!(out, "{profile}, the same input\n  refused: {}\n  taken:   {}", refused.join(", "), taken.join(", "));
    }
    out
}
