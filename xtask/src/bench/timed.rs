//! Ratios by the clock: all jobs take turns, so that what else the machine does falls on all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::median;
use super::work::Work;

/// The reference takes at least this long in a turn.
const LEAST: Duration = Duration::from_millis(1);
/// Turns, if time allows.
const MOST_ROUNDS: usize = 31;
const LEAST_ROUNDS: usize = 7;
const LONGEST: Duration = Duration::from_secs(20);

/// For each job the median, over the rounds, of its time by that of what it is held against.
pub(super) fn ratios(works: &[Work<'_>]) -> Vec<f64> {
    let passes = works.first().map_or(1, calibrate);
    let mut rounds: Vec<Vec<f64>> = Vec::new();
    let start = Instant::now();
    while rounds.len() < MOST_ROUNDS && (rounds.len() < LEAST_ROUNDS || start.elapsed() < LONGEST) {
        rounds.push(works.iter().map(|work| once(work, passes)).collect());
    }
    let ratio = |i: usize, work: &Work<'_>| median(rounds.iter().map(|r| r[i] / r[work.base]).collect());
    works.iter().enumerate().map(|(i, work)| ratio(i, work)).collect()
}

fn calibrate(work: &Work<'_>) -> usize {
    let mut passes = 1;
    while passes < 1 << 20 && once(work, passes) < LEAST.as_secs_f64() {
        passes *= 2;
    }
    passes
}

fn once(work: &Work<'_>, passes: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..passes {
        black_box((work.run)());
    }
    start.elapsed().as_secs_f64()
}
