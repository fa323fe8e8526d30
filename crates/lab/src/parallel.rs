//! Work that is shared out among the machine's processors.

use indicatif::ProgressBar;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

/// `work` done with every item, in the order of the items; `bar` counts them.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], bar: &ProgressBar, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let one = |item: &T| {
        let done = work(item);
        bar.inc(1);
        done
    };
    let done = thread::scope(|scope| {
        let one = &one;
        let parts = items.chunks(items.len().div_ceil(threads).max(1));
        let running: Vec<_> = parts.map(|part| scope.spawn(move || part.iter().map(one).collect::<Vec<R>>())).collect();
        let joined = running.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.flatten().collect()
    });
    bar.finish_and_clear();
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_items() {
        let items: Vec<u32> = (0..101).collect();
        let doubled = map(&items, &ProgressBar::hidden(), |item| item * 2);
        assert_eq!(doubled, (0..101).map(|item| item * 2).collect::<Vec<_>>());
        assert!(map(&[] as &[u32], &ProgressBar::hidden(), |item| *item).is_empty());
    }
}
