//! How many histories, how long, or which one; from the environment.

use std::env;
use std::ops::Range;

/// Which histories to run.
pub(super) struct Arguments {
    /// Their seeds: those of `VOIGHT_HISTORIES` (40), or only `VOIGHT_SEED`.
    pub(super) seeds: Range<u64>,
    /// Operations of each: `VOIGHT_OPERATIONS` (200).
    pub(super) operations: u64,
}

impl Arguments {
    pub(super) fn from_env() -> Self {
        let seeds = match number("VOIGHT_SEED") {
            Some(seed) => seed..seed.saturating_add(1),
            None => 0..number("VOIGHT_HISTORIES").unwrap_or(40),
        };
        Self { seeds, operations: number("VOIGHT_OPERATIONS").unwrap_or(200) }
    }
}

/// The command that runs one history again.
pub(super) fn replay_command(seed: u64, operations: u64, trial: &str) -> String {
    let package = env::var("CARGO_PKG_NAME").unwrap_or_else(|_| "<package of the store>".to_owned());
    format!(
        "VOIGHT_SEED={seed} VOIGHT_OPERATIONS={operations} cargo test -p {package} --test contract -- --exact {trial}"
    )
}

fn number(variable: &str) -> Option<u64> {
    let text = env::var(variable).ok()?;
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) => panic!("{variable} is {text:?} ({error}); it has to be a whole number, for example 17"),
    }
}
