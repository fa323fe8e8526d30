//! Selection of the histories by environment variables.

use super::shrink::OperationSubset;
use std::env;
use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

/// Histories to run.
pub(super) struct HistoryArgs {
    /// Seeds: the first `VOIGHT_HISTORIES`, or only `VOIGHT_SEED`.
    pub(super) seeds: Range<u64>,
    /// Operations of each history: the first `VOIGHT_OPERATIONS` (200), restricted to `VOIGHT_KEEP`.
    pub(super) subset: OperationSubset,
}

impl HistoryArgs {
    /// Reads the environment variables; `histories` is the default number.
    pub(super) fn from_env(histories: u64) -> Self {
        let seeds = match read("VOIGHT_SEED", "a whole number, for example 17") {
            Some(seed) => seed..u64::saturating_add(seed, 1),
            None => {
                0..read("VOIGHT_HISTORIES", "a whole number, for example 2000").unwrap_or(histories)
            }
        };
        let operations =
            || read("VOIGHT_OPERATIONS", "a whole number, for example 200").unwrap_or(200);
        let operation_subset = read(
            "VOIGHT_KEEP",
            "numbers of operations in ascending order, for example 1-4,9",
        );
        Self {
            seeds,
            subset: operation_subset.unwrap_or_else(|| OperationSubset::with_count(operations())),
        }
    }
}

/// Returns the command that replays one history.
pub(super) fn replay_command(seed: u64, subset: &OperationSubset, trial: &str) -> String {
    let package =
        env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "<package of the store>".to_owned());
    format!(
        "VOIGHT_SEED={seed} VOIGHT_KEEP={subset} cargo test -p {package} --test contract -- --exact {trial}"
    )
}

fn read<T: FromStr<Err: Display>>(variable: &str, expected: &str) -> Option<T> {
    let text = env::var(variable).ok()?;
    match text.parse() {
        Ok(value) => Some(value),
        Err(error) => panic!("{variable} is {text:?} ({error}); it must be {expected}"),
    }
}
