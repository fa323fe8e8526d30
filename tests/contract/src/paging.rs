//! Lists that are read in pages.

use std::fmt::Debug;

/// Reads a list in pages of each size and compares the result with the whole list. Each page starts after the last item
/// of the previous one.
#[track_caller]
pub(crate) fn assert_paged<T: PartialEq + Debug>(
    whole: &[T],
    limits: &[usize],
    page: impl Fn(Option<&T>, usize) -> Vec<T>,
) {
    for &limit in limits {
        let mut joined = Vec::new();
        while joined.len() < whole.len() {
            let next = page(joined.last(), limit);
            assert_eq!(next.len(), limit.min(whole.len() - joined.len()), "a page of {limit} is not full");
            joined.extend(next);
        }
        assert_eq!(joined, whole, "pages of {limit} joined are not the list");
        assert_eq!(page(joined.last(), limit), [], "there is something behind the end");
    }
}
