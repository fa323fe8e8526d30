//! Committed baseline counts, and the tolerance of a comparison.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Multiple of the tolerance for the checkpointer, the number of whose checkpoints depends on the time.
const CHECKPOINTER_FACTOR: u64 = 20;

/// Count over many lookups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// Number of lookups.
    pub(crate) lookups: u32,
    /// Total count of all lookups, by thread.
    pub(crate) threads: BTreeMap<String, u64>,
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
        Self {
            name,
            file: file.into(),
        }
    }

    /// Fails unless the cost equals the baseline within a tolerance in ten-thousandths. `tolerance` returns it, given
    /// whether the tools are the same. With `VOIGHT_UPDATE` the cost becomes the new baseline.
    pub(crate) fn hold(&self, cost: &Cost, tolerance: impl FnOnce(bool) -> u64) {
        if voight_support::is_update() {
            let text = serde_json::to_string_pretty(cost).expect("a cost is valid JSON");
            std::fs::write(&self.file, text + "\n").expect("the baseline can be written");
        }
        let text = std::fs::read_to_string(&self.file).expect("the baseline is committed");
        let baseline: Cost = serde_json::from_str(&text).expect("the baseline is a cost");
        let tolerance = tolerance(baseline.with == cost.with);
        assert!(
            is_within(cost, &baseline, tolerance),
            "a lookup took {} {}, {}, and now takes {}, {}; the tolerance is {} of 10,000. If the change is intended, run \
             VOIGHT_UPDATE=1 cargo test -p voight-bench --test hot_path",
            each(&baseline),
            self.name,
            baseline.with,
            each(cost),
            cost.with,
            tolerance,
        );
    }
}

/// Formats the count per lookup of all threads, and of each.
fn each(cost: &Cost) -> String {
    let each = |count: u64| {
        let hundredths = count * 100 / u64::from(cost.lookups);
        format!("{}.{:02}", hundredths / 100, hundredths % 100)
    };
    let threads: Vec<_> = cost
        .threads
        .iter()
        .map(|(thread, count)| format!("{thread} {}", each(*count)))
        .collect();
    format!(
        "{} ({})",
        each(cost.threads.values().sum()),
        threads.join(", ")
    )
}

/// Returns `true` if the cost of each thread is within the tolerance, of which the checkpointer has a multiple. A lower count is a
/// difference, too: a later increase would be hidden by it.
fn is_within(cost: &Cost, before: &Cost, tolerance: u64) -> bool {
    let is_thread_within = |(thread, before): (&String, &u64)| {
        let tolerance = if thread == "checkpointer" {
            tolerance * CHECKPOINTER_FACTOR
        } else {
            tolerance
        };
        cost.threads
            .get(thread)
            .is_some_and(|count| count.abs_diff(*before) * 10_000 <= before * tolerance)
    };
    cost.lookups == before.lookups
        && cost.threads.keys().eq(before.threads.keys())
        && before.threads.iter().all(is_thread_within)
}

#[cfg(test)]
mod tests {
    use super::{Cost, each, is_within};

    fn cost(lookups: u32, count: u64) -> Cost {
        let threads = [
            ("http".to_owned(), count / 2),
            ("writer".to_owned(), count - count / 2),
        ]
        .into();
        Cost {
            lookups,
            threads,
            with: "a compiler".to_owned(),
        }
    }

    #[test]
    fn differences_within_tolerance_pass() {
        let baseline = cost(100, 1_000_000);
        for count in [990_000, 1_000_000, 1_010_000] {
            assert!(is_within(&cost(100, count), &baseline, 100), "{count}");
        }
        for count in [989_999, 1_010_001] {
            assert!(!is_within(&cost(100, count), &baseline, 100), "{count}");
        }
    }

    #[test]
    fn counts_depend_on_the_lookups() {
        assert!(!is_within(&cost(200, 9_000), &cost(100, 9_000), 100));
    }

    #[test]
    fn a_count_is_formatted_per_lookup_and_thread() {
        assert_eq!(
            each(&cost(1_000, 89_355)),
            "89.35 (http 44.67, writer 44.67)"
        );
    }
}
