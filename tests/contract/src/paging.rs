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
        let mut records = Vec::new();
        while records.len() < complete.len() {
            let next = page(records.last(), limit);
            assert_eq!(
                next.len(),
                limit.min(complete.len() - records.len()),
                "a page of {limit} is not full"
            );
            records.extend(next);
        }
        assert_eq!(
            records, complete,
            "the concatenated pages of {limit} differ from the list"
        );
        assert_eq!(
            page(records.last(), limit),
            [],
            "a page after the end is not empty"
        );
    }
}
