//! Hard limit on the number of values of a label.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

/// Set of the admitted values of a label, at most `capacity` of them.
///
/// The values come from tables, so the limit is never reached unless a caller passes a value that a visitor sent. The number of
/// series, and with it the memory of the service and of every scraper, is then still bounded.
#[derive(Debug)]
pub(super) struct LabelCap {
    values: RwLock<HashSet<String>>,
    capacity: usize,
    /// Value of the label for all values that were not admitted.
    overflow: &'static str,
}

impl LabelCap {
    /// Creates a set that admits `capacity` values.
    pub(super) fn new(capacity: usize, overflow: &'static str) -> Self {
        Self {
            values: RwLock::default(),
            capacity,
            overflow,
        }
    }

    /// Returns `value` if it is admitted, otherwise the overflow value.
    pub(super) fn admit<'a>(&self, value: impl Into<Cow<'a, str>>) -> String {
        let value = value.into();
        let is_known = {
            let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
            if values.contains(value.as_ref()) {
                true
            } else if values.len() >= self.capacity {
                return self.overflow.to_owned();
            } else {
                false
            }
        };
        if is_known {
            return value.into_owned();
        }
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= self.capacity && !values.contains(value.as_ref()) {
            return self.overflow.to_owned();
        }
        values.insert(value.as_ref().to_owned());
        value.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_above_the_capacity_share_one() {
        let cap = LabelCap::new(2, "other");
        assert_eq!(cap.admit("a"), "a");
        assert_eq!(cap.admit("b"), "b");
        assert_eq!(cap.admit("c"), "other");
        assert_eq!(cap.admit("a"), "a", "an admitted value stays");
        assert_eq!(cap.admit("d".to_owned()), "other");
    }

    #[test]
    fn concurrent_values_do_not_exceed_the_capacity() {
        let cap = LabelCap::new(10, "other");
        let admitted: HashSet<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|thread| {
                    let cap = &cap;
                    scope.spawn(move || {
                        (0..100)
                            .map(|number| cap.admit(format!("{thread} {number}")))
                            .collect::<Vec<_>>()
                    })
                })
                .collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect()
        });
        assert_eq!(admitted.len(), 11);
    }
}
