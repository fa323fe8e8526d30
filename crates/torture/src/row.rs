//! What a row of the fault matrix is.

use crate::rig::{Backend, Harness};
use std::collections::BTreeMap;
use std::path::Path;

/// One row of the fault matrix: a fault, and what is expected of whoever meets it.
pub struct Scenario {
    /// Its name on the command line, for example `kill`.
    pub name: &'static str,
    /// The fault and what is expected, in one line.
    pub about: &'static str,
    /// What is counted, in the plural, for example `kills`.
    pub unit: &'static str,
    /// What it is run on.
    pub subjects: &'static [Backend],
    /// How many units a run of the tests does on each subject.
    pub ci_units: u64,
    /// How many units a full run does on each subject.
    pub goal: u64,
    /// What this machine or user lacks to run it, if anything.
    pub unmet_requirement: fn() -> Option<String>,
    /// Runs one cycle. An error is a broken promise.
    pub run: fn(&ScenarioCycle<'_>) -> anyhow::Result<CycleResult>,
    /// Whether the row shows that a safeguard is needed: it is run without the safeguard and has to lose something.
    pub expects_loss: bool,
}

/// One cycle of a row. Everything random in it follows from the seed.
pub struct ScenarioCycle<'a> {
    /// Its own seed.
    pub seed: u64,
    /// What it is run on.
    pub subject: Backend,
    /// Units that are still missing; a cycle may do more or fewer, but for rows whose volume is a size.
    pub wanted: u64,
    /// Programs it may start.
    pub rig: &'a Harness,
    /// An empty folder of its own, on a disk.
    pub folder: &'a Path,
}

impl ScenarioCycle<'_> {
    /// Random numbers of this cycle.
    pub fn random(&self) -> fastrand::Rng {
        fastrand::Rng::with_seed(self.seed)
    }
}

/// What cycles came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CycleResult {
    /// Units done: kills, images, flips.
    pub units: u64,
    /// What was acknowledged and is gone, or was answered wrong. Anything but 0 fails a row, unless it has to lose.
    pub lost: u64,
    /// What else was counted, by name, for example `acknowledged`.
    pub seen: BTreeMap<String, u64>,
    /// The most that was measured, by name, for example `MiB of memory`.
    pub peaks: BTreeMap<String, u64>,
}

/// Name under which the acknowledgements of a cycle are counted.
pub const ACKNOWLEDGED: &str = "acknowledged";

impl CycleResult {
    /// A tally of so many units.
    pub fn new(units: u64) -> Self {
        Self { units, ..Self::default() }
    }

    /// Counts `more` of `what`.
    pub fn count(&mut self, what: &str, more: u64) {
        *self.seen.entry(what.to_owned()).or_default() += more;
    }

    /// Measures `value` of `what`.
    pub fn peak(&mut self, what: &str, value: u64) {
        let peak = self.peaks.entry(what.to_owned()).or_default();
        *peak = value.max(*peak);
    }

    /// Counts acknowledged operations. An error if there is not one for every four units: a fault that met a store to which
    /// nothing was written has tried nothing.
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

    /// Adds another tally.
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
