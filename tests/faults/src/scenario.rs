//! Scenario of the fault matrix.

use crate::harness::{Backend, Harness};
use std::collections::BTreeMap;
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
    pub subjects: &'static [Backend],
    /// Number of units per backend in a run of the tests.
    pub ci_units: u64,
    /// Number of units per backend in a full run.
    pub goal: u64,
    /// Returns the requirement that this machine or user does not meet, if any.
    pub unmet_requirement: fn() -> Option<String>,
    /// Runs one cycle. An error is a broken promise.
    pub run: fn(&ScenarioCycle<'_>) -> anyhow::Result<CycleResult>,
    /// `true` if the scenario shows that a safeguard is needed: without the safeguard it must lose data.
    pub expects_loss: bool,
}

/// Cycle of a scenario. All random numbers in it are derived from the seed.
pub struct ScenarioCycle<'a> {
    /// Seed of the cycle.
    pub seed: u64,
    /// Backend on which it runs.
    pub subject: Backend,
    /// Number of missing units. A cycle may do more or fewer, unless the volume of its scenario is a size.
    pub wanted: u64,
    /// Programs that it may start.
    pub rig: &'a Harness,
    /// Empty directory of its own, on a disk.
    pub folder: &'a Path,
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
    /// Number of units done: kills, images, flips.
    pub units: u64,
    /// Number of lost writes and wrong answers. More than 0 fails a scenario that does not expect a loss.
    pub lost: u64,
    /// Other counters by name, for example `acknowledged`.
    pub seen: BTreeMap<String, u64>,
    /// Maxima by name, for example `MiB of memory`.
    pub peaks: BTreeMap<String, u64>,
}

/// Name of the counter of acknowledgements.
pub const ACKNOWLEDGED: &str = "acknowledged";

impl CycleResult {
    /// Creates a result with `units` units.
    pub fn new(units: u64) -> Self {
        Self { units, ..Self::default() }
    }

    /// Adds `more` to the counter `what`.
    pub fn count(&mut self, what: &str, more: u64) {
        *self.seen.entry(what.to_owned()).or_default() += more;
    }

    /// Records `value` as a candidate for the maximum `what`.
    pub fn peak(&mut self, what: &str, value: u64) {
        let peak = self.peaks.entry(what.to_owned()).or_default();
        *peak = value.max(*peak);
    }

    /// Counts acknowledged operations.
    ///
    /// # Errors
    ///
    /// Fewer than one operation for every four units: a fault in a store without writes has tested nothing.
    pub fn acknowledge(&mut self, operations: u64) -> anyhow::Result<()> {
        self.count(ACKNOWLEDGED, operations);
        let (units, least) = (self.units, self.units.div_ceil(4));
        anyhow::ensure!(
            operations >= least,
            "only {operations} operations were acknowledged in {units} faults, at least {least} are needed: the writer hangs, or the \
             machine is too busy for this to try anything"
        );
        Ok(())
    }

    /// Adds another result.
    pub fn add(&mut self, other: &Self) {
        self.units += other.units;
        self.lost += other.lost;
        for (what, more) in &other.seen {
            self.count(what, *more);
        }
        for (what, value) in &other.peaks {
            self.peak(what, *value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CycleResult;

    #[test]
    fn four_faults_need_an_acknowledgement() {
        let outcome = |operations| CycleResult::new(20).acknowledge(operations).map_err(|error| error.to_string());
        assert_eq!(outcome(5), Ok(()));
        assert!(outcome(4).unwrap_err().starts_with("only 4 operations were acknowledged in 20 faults"));
    }
}
