//! Parallel computation on all processors.

use indicatif::{ParallelProgressIterator, ProgressBar};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// Returns the results of `work` on each item, in the order of the items; `bar` counts them.
pub(crate) fn map<T: Sync, R: Send>(
    items: &[T],
    bar: &ProgressBar,
    work: impl Fn(&T) -> R + Sync + Send,
) -> Vec<R> {
    let results = items
        .par_iter()
        .progress_with(bar.clone())
        .map(work)
        .collect();
    bar.finish_and_clear();
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_items() {
        let items: Vec<u32> = (0..101).collect();
        let doubles = map(&items, &ProgressBar::hidden(), |item| item * 2);
        assert_eq!(doubles, (0..101).map(|item| item * 2).collect::<Vec<_>>());
        assert!(map(&[] as &[u32], &ProgressBar::hidden(), |item| *item).is_empty());
    }
}
