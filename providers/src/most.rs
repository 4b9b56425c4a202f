//! The most items that fit into several limits at once.

/// Work is bounded by keeping no more ways open than this allows for the number of items.
const MOST_COMPARED: usize = 50_000_000;

/// The ways in which an item can be kept: what each takes of every limit, the preferred first.
pub(crate) type Ways = Vec<Vec<u64>>;

/// Chooses for as many items as possible a way to keep them, so that no limit is exceeded by the sum: `None` is an item that is not
/// kept. Of equal choices the one with the more preferred ways is taken, then the one that takes less, then the one of the earlier
/// items. The number is the largest possible for up to some hundred items; for more it is found by the same search with fewer ways
/// kept open.
pub(crate) fn most(items: &[Ways], limits: &[u64]) -> Vec<Option<usize>> {
    let first: Option<Vec<u64>> = items.iter().try_fold(vec![0; limits.len()], |used, ways| add(&used, ways.first()?, limits));
    if first.is_some() {
        return vec![Some(0); items.len()];
    }
    let width = MOST_COMPARED.checked_div(items.len()).unwrap_or(MOST_COMPARED).isqrt().max(16);
    let mut search = Search { limits, trail: Vec::new() };
    let mut open = vec![Way { used: vec![0; limits.len()], kept: 0, detour: 0, last: None }];
    for (done, (item, ways)) in order(items, limits).into_iter().enumerate() {
        search.step(&mut open, item, ways);
        let rest = items.len().saturating_sub(done).saturating_sub(1);
        // What cannot catch up with the best any more is not followed.
        let best = open.iter().map(|w| w.kept).max().unwrap_or(0);
        open.retain(|w| w.kept.saturating_add(rest) >= best);
        search.narrow(&mut open, width);
    }
    let best = open.iter().min_by_key(|w| (std::cmp::Reverse(w.kept), w.detour, search.weight(w)));
    search.choice(best.and_then(|w| w.last), items.len())
}

/// A way to keep some of the items.
#[derive(Clone)]
struct Way {
    used: Vec<u64>,
    kept: usize,
    /// How far the ways are from the preferred ones.
    detour: usize,
    /// Where its choices end in the trail.
    last: Option<usize>,
}

struct Search<'l> {
    limits: &'l [u64],
    /// Each choice with the one before it: an item and its way.
    trail: Vec<(Option<usize>, usize, usize)>,
}

impl Search<'_> {
    fn step(&mut self, open: &mut Vec<Way>, item: usize, ways: &Ways) {
        let mut more = Vec::new();
        for from in open.iter() {
            for (which, takes) in ways.iter().enumerate() {
                if let Some(used) = add(&from.used, takes, self.limits) {
                    self.trail.push((from.last, item, which));
                    more.push(Way {
                        used,
                        kept: from.kept.saturating_add(1),
                        detour: from.detour.saturating_add(which),
                        last: self.trail.len().checked_sub(1),
                    });
                }
            }
        }
        open.append(&mut more);
    }

    /// Leaves out every way that another one beats, and the heaviest where there are too many.
    fn narrow(&self, open: &mut Vec<Way>, width: usize) {
        open.sort_by(|a, b| b.kept.cmp(&a.kept).then_with(|| a.detour.cmp(&b.detour)).then_with(|| a.used.cmp(&b.used)));
        let mut better: Vec<Way> = Vec::new();
        for way in open.drain(..) {
            let beaten = |b: &Way| b.kept >= way.kept && b.detour <= way.detour && b.used.iter().zip(&way.used).all(|(b, w)| b <= w);
            if !better.iter().any(beaten) {
                better.push(way);
            }
        }
        if better.len() > width {
            better.sort_by_key(|w| (std::cmp::Reverse(w.kept), self.weight(w)));
            better.truncate(width);
        }
        *open = better;
    }

    fn weight(&self, way: &Way) -> u64 {
        weight(&way.used, self.limits)
    }

    fn choice(&self, mut last: Option<usize>, items: usize) -> Vec<Option<usize>> {
        let mut out = vec![None; items];
        while let Some(&(before, item, way)) = last.and_then(|at| self.trail.get(at)) {
            if let Some(choice) = out.get_mut(item) {
                *choice = Some(way);
            }
            last = before;
        }
        out
    }
}

/// Small items first: of them most fit.
fn order<'i>(items: &'i [Ways], limits: &[u64]) -> Vec<(usize, &'i Ways)> {
    let mut order: Vec<(usize, &Ways)> = items.iter().enumerate().collect();
    order.sort_by_key(|(i, ways)| (ways.iter().map(|w| weight(w, limits)).min().unwrap_or(0), *i));
    order
}

/// The sum of all shares, in millionths of the limits.
fn weight(used: &[u64], limits: &[u64]) -> u64 {
    let share = |(used, limit): (&u64, &u64)| used.saturating_mul(1_000_000).checked_div((*limit).max(1)).unwrap_or(0);
    used.iter().zip(limits).map(share).fold(0, u64::saturating_add)
}

fn add(used: &[u64], more: &[u64], limits: &[u64]) -> Option<Vec<u64>> {
    let sum = |((a, b), limit): ((&u64, &u64), &u64)| a.checked_add(*b).filter(|sum| sum <= limit);
    used.iter().zip(more).zip(limits).map(sum).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The best number of items, found by trying everything.
    fn best(items: &[Ways], used: &[u64], limits: &[u64]) -> usize {
        let Some((first, rest)) = items.split_first() else { return 0 };
        let with = first.iter().filter_map(|takes| add(used, takes, limits)).map(|used| 1 + best(rest, &used, limits));
        with.chain([best(rest, used, limits)]).max().unwrap_or(0)
    }

    fn check(items: &[Ways], limits: &[u64]) {
        let chosen = most(items, limits);
        let taken = items.iter().zip(&chosen).filter_map(|(ways, way)| Some(&ways[(*way)?]));
        let sum = taken.clone().try_fold(vec![0; limits.len()], |used, takes| add(&used, takes, limits));
        assert!(sum.is_some(), "over the limits: {items:?} {limits:?} {chosen:?}");
        assert_eq!(taken.count(), best(items, &vec![0; limits.len()], limits), "{items:?} {limits:?} {chosen:?}");
    }

    #[test]
    fn small_ones_are_not_always_the_best() {
        check(&[vec![vec![0, 5]], vec![vec![3, 0]], vec![vec![3, 0]], vec![vec![0, 5]]], &[3, 10]);
        check(&[vec![vec![4, 0], vec![2, 2]], vec![vec![4, 0], vec![1, 3]]], &[5, 4]);
        check(&[vec![vec![400]]], &[24]);
        check(&[], &[1]);
    }

    #[test]
    fn preferred_ways_come_first_and_earlier_items() {
        assert_eq!(most(&[vec![vec![1], vec![0]], vec![vec![1], vec![0]]], &[1]), [Some(0), Some(1)]);
        assert_eq!(most(&[vec![vec![2]], vec![vec![2]], vec![vec![2]]], &[4]), [Some(0), Some(0), None]);
    }

    proptest! {
        #[test]
        fn as_many_as_trying_everything(
            items in prop::collection::vec(prop::collection::vec(prop::collection::vec(0u64..9, 3), 1..3), 0..9),
            limits in prop::collection::vec(0u64..20, 3),
        ) {
            check(&items, &limits);
        }
    }
}
