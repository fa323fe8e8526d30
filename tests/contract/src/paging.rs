//! Lists that are read in pages.

use std::fmt::Debug;

/// Reads a list in pages of each size and compares the result with the complete list. Each page starts after the last item
/// of the previous one.
#[track_caller]
pub(crate) fn assert_paged<T: PartialEq + Debug>(
    complete: &[T],
    limits: &[usize],
    page: impl Fn(Option<&T>, usize) -> Vec<T>,
) {
    for &limit in limits {
        let mut joined = Vec::new();
        while joined.len() < complete.len() {
            let next = page(joined.last(), limit);
            assert_eq!(
                next.len(),
                limit.min(complete.len() - joined.len()),
                "a page of {limit} is not full"
            );
            joined.extend(next);
        }
        assert_eq!(
            joined, complete,
            "the concatenated pages of {limit} differ from the list"
        );
        assert_eq!(
            page(joined.last(), limit),
            [],
            "a page after the end is not empty"
        );
    }
}
