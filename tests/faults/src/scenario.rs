//! Scenario of the fault matrix.

use crate::harness::{Backend, Harness};
use crate::sources::Tried;
use crate::time_budget::TimeBudget;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// Fault scenario: the injected fault and the expected behaviour.
pub struct Scenario {
    /// Name on the command line, for example `kill`.
    pub name: &'static str,
    /// Fault and expected behaviour, in one line.
    pub about: &'static str,
    /// Counted unit in the plural, for example `kills`.
    pub unit: &'static str,
    /// Backends on which it runs.
    pub backends: &'static [Backend],
    /// Program that it breaks.
    pub tried: Tried,
    /// Volume per backend in a run of the tests, in units.
    pub ci_volume: u64,
    /// Volume per backend in a full run, in units.
    pub full_volume: u64,
    /// Returns the requirement that this machine or user does not meet, if any.
    pub unmet_requirement: fn() -> Option<String>,
    /// Runs one cycle. An error other than [`Inconclusive`] is a broken promise.
    pub run: fn(&ScenarioCycle<'_>) -> anyhow::Result<CycleResult>,
    /// `true` if the scenario shows that a safeguard is needed: without the safeguard it must lose data.
    pub expects_loss: bool,
}

/// Cycle of a scenario. All random numbers in it are derived from the seed.
pub struct ScenarioCycle<'a> {
    /// Seed of the cycle.
    pub seed: u64,
    /// Backend on which it runs.
    pub backend: Backend,
    /// Remaining volume, in units. A cycle may do more or less, unless the volume of its scenario is a size.
    pub remaining: u64,
    /// Time budget of the run. A cycle of many faults ends when it is spent.
    pub budget: TimeBudget,
    /// Programs that it may start.
    pub harness: &'a Harness,
    /// Empty directory of its own, on a disk.
    pub dir: &'a Path,
}

impl ScenarioCycle<'_> {
    /// Returns the random numbers of this cycle.
    pub fn random(&self) -> fastrand::Rng {
        fastrand::Rng::with_seed(self.seed)
    }
}

/// Result of one or more cycles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CycleResult {
    /// Volume that was done, in units: kills, images, flips.
    pub volume: u64,
    /// Number of lost writes and wrong responses. More than 0 fails a scenario that does not expect a loss.
    pub lost: u64,
    /// Other counters by name, for example `acknowledged`.
    pub counters: BTreeMap<String, u64>,
    /// Maxima by name, for example `MiB of memory`.
    pub maxima: BTreeMap<String, u64>,
}

/// Error of a cycle that tried too little to tell whether a promise was kept.
#[derive(Debug)]
pub struct Inconclusive(String);

impl fmt::Display for Inconclusive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Inconclusive {}

/// Name of the counter of acknowledgements.
pub const ACKNOWLEDGED: &str = "acknowledged";

impl CycleResult {
    /// Creates a result with this volume.
    pub fn new(volume: u64) -> Self {
        Self {
            volume,
            ..Self::default()
        }
    }

    /// Adds `count` to the counter `name`.
    pub fn count(&mut self, name: &str, count: u64) {
        *self.counters.entry(name.to_owned()).or_default() += count;
    }

    /// Updates the maximum `name` with `value`.
    pub fn record_maximum(&mut self, name: &str, value: u64) {
        let maximum = self.maxima.entry(name.to_owned()).or_default();
        *maximum = value.max(*maximum);
    }

    /// Counts acknowledged operations.
    ///
    /// # Errors
    ///
    /// [`Inconclusive`] for fewer than one operation for every four units: a fault in an idle store tests nothing.
    pub fn acknowledge(&mut self, operations: u64) -> anyhow::Result<()> {
        self.count(ACKNOWLEDGED, operations);
        let volume = self.volume;
        let minimum = self.volume.div_ceil(4);
        if operations >= minimum {
            return Ok(());
        }
        Err(anyhow::Error::new(Inconclusive(format!(
            "only {operations} operations were acknowledged in {volume} faults, at least {minimum} are required: the writer hangs, or \
             the machine is too busy"
        ))))
    }

    /// Adds another result.
    pub fn add(&mut self, other: &Self) {
        self.volume += other.volume;
        self.lost += other.lost;
        for (name, count) in &other.counters {
            self.count(name, *count);
        }
        for (name, value) in &other.maxima {
            self.record_maximum(name, *value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CycleResult;

    #[test]
    fn too_few_acknowledgements_are_an_error() {
        let outcome = |operations| {
            CycleResult::new(20)
                .acknowledge(operations)
                .map_err(|error| error.to_string())
        };
        assert_eq!(outcome(5), Ok(()));
        assert!(
            outcome(4)
                .unwrap_err()
                .starts_with("only 4 operations were acknowledged in 20 faults")
        );
    }
}
