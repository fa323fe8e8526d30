//! Committed baseline counts, and the tolerance of a comparison.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Count over many lookups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// Number of lookups.
    pub(crate) lookups: u32,
    /// Total count of all lookups.
    pub(crate) count: u64,
    /// Versions of the tools that affect the count.
    pub(crate) with: String,
}

/// Committed count with its name.
pub(crate) struct Baseline {
    name: &'static str,
    file: PathBuf,
}

impl Baseline {
    pub(crate) fn named(name: &'static str) -> Self {
        let file = format!("{}/baselines/{name}.json", env!("CARGO_MANIFEST_DIR"));
        Self { name, file: file.into() }
    }

    /// Fails unless the cost equals the baseline within a tolerance in ten-thousandths. `tolerance` returns it, given
    /// whether the tools are the same. With `VOIGHT_UPDATE` the cost becomes the new baseline.
    pub(crate) fn hold(&self, cost: &Cost, tolerance: impl FnOnce(bool) -> u64) {
        if voight_support::is_update() {
            let text = serde_json::to_string_pretty(cost).expect("a cost is valid JSON");
            std::fs::write(&self.file, text + "\n").expect("the baseline can be written");
        }
        let text = std::fs::read_to_string(&self.file).expect("the baseline is committed");
        let before: Cost = serde_json::from_str(&text).expect("the baseline is a cost");
        let tolerance = tolerance(before.with == cost.with);
        assert!(
            is_within(cost, &before, tolerance),
            "a lookup took {} {} ({}) and now takes {} ({}); the tolerance is {} of 10,000. If the change is intended, run \
             VOIGHT_UPDATE=1 cargo test -p voight-bench --test hot_path",
            each(&before),
            self.name,
            before.with,
            each(cost),
            cost.with,
            tolerance,
        );
    }
}

/// Formats the count per lookup with two decimal places.
fn each(cost: &Cost) -> String {
    let hundredths = cost.count * 100 / u64::from(cost.lookups);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// Returns `true` if the cost is within the tolerance. A lower count is a difference, too: a later increase would be hidden by
/// it.
fn is_within(cost: &Cost, before: &Cost, tolerance: u64) -> bool {
    cost.lookups == before.lookups && cost.count.abs_diff(before.count) * 10_000 <= before.count * tolerance
}

#[cfg(test)]
mod tests {
    use super::{Cost, each, is_within};

    fn cost(lookups: u32, count: u64) -> Cost {
        Cost { lookups, count, with: "a compiler".to_owned() }
    }

    #[test]
    fn a_difference_within_the_tolerance_passes_in_both_directions() {
        let before = cost(100, 1_000_000);
        for count in [990_000, 1_000_000, 1_010_000] {
            assert!(is_within(&cost(100, count), &before, 100), "{count}");
        }
        for count in [989_999, 1_010_001] {
            assert!(!is_within(&cost(100, count), &before, 100), "{count}");
        }
    }

    #[test]
    fn any_difference_fails_without_a_tolerance() {
        assert!(is_within(&cost(100, 9_000), &cost(100, 9_000), 0));
        assert!(!is_within(&cost(100, 9_001), &cost(100, 9_000), 0));
        assert!(!is_within(&cost(100, 8_999), &cost(100, 9_000), 0));
    }

    #[test]
    fn counts_of_different_numbers_of_lookups_differ() {
        assert!(!is_within(&cost(200, 9_000), &cost(100, 9_000), 100));
    }

    #[test]
    fn a_count_is_formatted_per_lookup() {
        assert_eq!(each(&cost(1_000, 89_355)), "89.35");
        assert_eq!(each(&cost(1_000, 5_004)), "5.00");
    }
}
