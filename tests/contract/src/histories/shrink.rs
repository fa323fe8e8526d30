//! Subsets of a history's operations, and shrinking of failing histories.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// Maximum number of shrinking attempts. More rarely pay off for a history of 200 operations.
const MAX_ATTEMPTS: usize = 300;

/// Numbers of operations in ascending order, written as `1-4,9`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OperationSubset(Vec<u64>);

impl OperationSubset {
    /// Returns the first `count` operations.
    pub(super) fn with_count(count: u64) -> Self {
        Self((1..=count).collect())
    }

    pub(super) fn contains(&self, operation: u64) -> bool {
        self.0.binary_search(&operation).is_ok()
    }

    /// Returns the number of the last operation; 0 for an empty subset.
    pub(super) fn last_number(&self) -> u64 {
        self.0.last().copied().unwrap_or(0)
    }

    /// Returns the operations up to `last`.
    pub(super) fn up_to(&self, last: u64) -> Self {
        Self(
            self.0
                .iter()
                .copied()
                .filter(|number| *number <= last)
                .collect(),
        )
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Removes operations while the rest still fails: first halves, then quarters, down to single ones.
    pub(super) fn shrunk(mut self, fails: impl Fn(&Self) -> bool) -> Self {
        let mut size = self.0.len().div_ceil(2);
        let mut attempts = 0;
        while size > 0 && attempts < MAX_ATTEMPTS {
            let mut place = 0;
            while place < self.0.len() && attempts < MAX_ATTEMPTS {
                let end = self.0.len().min(place + size);
                let fewer = Self([&self.0[..place], &self.0[end..]].concat());
                attempts += 1;
                if fails(&fewer) {
                    self = fewer;
                } else {
                    place = end;
                }
            }
            size /= 2;
        }
        self
    }
}

impl Display for OperationSubset {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let runs = self
            .0
            .chunk_by(|one, next| one + 1 == *next)
            .map(|run| match run {
                [first, .., last] => format!("{first}-{last}"),
                one => one.iter().map(ToString::to_string).collect(),
            });
        f.write_str(&runs.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for OperationSubset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut numbers = Vec::new();
        for run in text.split(',') {
            let (first, last) = run.split_once('-').unwrap_or((run, run));
            let number = |text: &str| {
                text.parse::<u64>()
                    .map_err(|error| format!("{text:?}: {error}"))
            };
            numbers.extend(number(first)?..=number(last)?);
        }
        if numbers.is_sorted_by(|one, next| one < next) {
            Ok(Self(numbers))
        } else {
            Err("it is not ascending".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_keeps_failing_operations() {
        let fails =
            |subset: &OperationSubset| [17, 18, 93].iter().all(|number| subset.contains(*number));
        let shrunk = OperationSubset::with_count(200).shrunk(fails);
        assert_eq!(shrunk.to_string(), "17-18,93");
        assert_eq!((shrunk.count(), shrunk.last_number()), (3, 93));
    }

    #[test]
    fn subset_text_round_trips() {
        for text in ["1", "1-4", "1-4,9", "2,4,6-8"] {
            assert_eq!(text.parse::<OperationSubset>().unwrap().to_string(), text);
        }
        for text in ["", "1-", "x", "4,2", "1,1"] {
            assert!(text.parse::<OperationSubset>().is_err(), "{text:?}");
        }
    }
}
