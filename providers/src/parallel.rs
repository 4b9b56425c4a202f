//! One function over many items, in order.

/// Lists shorter than this are not worth a second thread.
#[cfg(feature = "parallel")]
const WORTH_IT: usize = 16;

/// Applies `f` to every item; `jobs` of 1 stays in this thread, otherwise rayon's current pool decides.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], jobs: usize, f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    #[cfg(feature = "parallel")]
    if jobs != 1 && items.len() >= WORTH_IT {
        use rayon::prelude::*;
        return items.par_iter().map(&f).collect();
    }
    let _ = jobs;
    items.iter().map(f).collect()
}
