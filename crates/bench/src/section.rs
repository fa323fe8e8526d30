//! What is measured, one file for each part of it.

mod books;
mod check;
mod growth;
mod lookup;
mod nginx;
mod nodes;
mod pair;
mod peers;
mod rates;
mod register;
mod round;
mod stage;
mod tally;

pub(crate) use round::number;

use crate::cleanup::Cleanup;
use crate::load::Rate;
use crate::machine::{Cores, StorageLocation};
use crate::progress::Progress;
use crate::report::ScenarioResults;
use crate::subject::{Baseline, Service};
use anyhow::Result;
use std::time::Duration;

/// Something to measure.
pub(crate) struct Scenario {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What it measures.
    pub(crate) about: &'static str,
    /// Measures it.
    pub(crate) run: fn(&BenchContext) -> Result<ScenarioResults>,
    /// Whether it is short enough for `--quick`.
    pub(crate) in_quick: bool,
}

/// All of them, in the order in which they run.
pub(crate) const SECTIONS: &[&Scenario] = &[
    &lookup::SECTION,
    &nginx::SECTION,
    &rates::SECTION,
    &register::SECTION,
    &check::SECTION,
    &books::SECTION,
    &growth::SECTION,
];

/// What is measured instead of all of these, where it is asked for: it needs more than the service.
pub(crate) const PEERS: &[&Scenario] = &[&peers::SECTION, &nodes::SECTION];

/// What sections measure with.
pub(crate) struct BenchContext {
    /// How much of everything.
    pub(crate) volume: Volume,
    /// Which core is whose.
    pub(crate) cores: Cores,
    /// Where stores lie: in memory if this machine can, and on a disk.
    pub(crate) places: Vec<StorageLocation>,
    /// What is taken away at the end.
    pub(crate) cleanup: Cleanup,
    /// Where to say what is being done.
    pub(crate) progress: Progress,
}

/// How much of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Volume {
    /// How often what is compared is measured in turns.
    pub(crate) rounds: u32,
    /// How long each load lasts.
    pub(crate) time: Duration,
    /// How many lookups come in a second, where that is fixed.
    pub(crate) rates: &'static [Rate],
    /// How often what takes longer is measured.
    pub(crate) repeats: u32,
    /// The rows of a ledger that has many.
    pub(crate) rows: u64,
    /// Checks that are gone through at a time. Their evidence is several times what the log takes before it is folded, so that folding it
    /// is measured, too.
    pub(crate) checks: u64,
    /// The verdicts of a store that has few, and of the same store when it has many.
    pub(crate) verdicts: &'static [u64],
}

impl Volume {
    /// Within four minutes, all sections together.
    pub(crate) const QUICK: Self = Self {
        rounds: 5,
        time: Duration::from_millis(700),
        rates: &[Rate(500), Rate(2_000)],
        repeats: 3,
        rows: 30_000,
        checks: 400,
        verdicts: &[],
    };
    /// As much as a published figure needs.
    pub(crate) const FULL: Self = Self {
        rounds: 15,
        time: Duration::from_secs(2),
        rates: &[Rate(500), Rate(2_000), Rate(8_000), Rate(16_000)],
        repeats: 5,
        rows: 1_000_000,
        checks: 6_000,
        verdicts: &[10_000, 1_000_000],
    };
    /// With the largest stores.
    pub(crate) const LARGE: Self = Self { rows: 10_000_000, verdicts: &[10_000, 1_000_000, 10_000_000], ..Self::FULL };

    /// The same with as many rounds as there are of what takes longer: each of several servers has rounds of its own.
    pub(crate) const fn of_peers(self) -> Self {
        Self { rounds: self.repeats, ..self }
    }
}

impl BenchContext {
    /// What is found at each place.
    fn run_on_all_storage(
        &self,
        at: fn(&Self, &StorageLocation) -> Result<ScenarioResults>,
    ) -> Result<ScenarioResults> {
        let mut findings = ScenarioResults::default();
        for place in &self.places {
            findings.add(at(self, place)?);
        }
        Ok(findings)
    }

    fn service(&self, place: &StorageLocation) -> Result<Service> {
        Service::start(place, self.cores, &self.cleanup)
    }

    fn baseline(&self) -> Result<Baseline> {
        Baseline::start(self.cores, &self.cleanup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::flat;
    use serde_json::Value;

    /// Measures as little as there can be: the service as it is built for tests says nothing about its cost, but all that is measured of
    /// it can be. Nothing may be left behind.
    fn found_by(section: &Scenario) -> Value {
        let folder = tempfile::tempdir().unwrap();
        let place = StorageLocation::ram().map_or_else(|| StorageLocation::disk(folder.path()), Ok).unwrap();
        let time = Duration::from_millis(60);
        let volume =
            Volume { time, rounds: 1, repeats: 1, rows: 100, checks: 3, verdicts: &[1_100, 1_200], ..Volume::QUICK };
        let (cores, progress) = (Cores::choose().unwrap(), Progress::start());
        let bench = BenchContext { volume, cores, places: vec![place], cleanup: Cleanup::default(), progress };
        let found = flat(&(section.run)(&bench).unwrap());
        assert!(bench.cleanup.is_empty());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        found
    }

    /// That there is a figure whose name begins so. That of the processor may be nothing: the kernel brings its times up to date a
    /// little later, and this is over too soon.
    #[track_caller]
    fn assert_found(found: &Value, name: &str) {
        let is_found = |(known, figure): (&String, &Value)| {
            known.starts_with(name) && figure.as_f64().is_some_and(|figure| figure > 0.0)
        };
        assert!(found.as_object().unwrap().iter().any(is_found), "{name}: {found}");
    }

    #[test]
    fn lookups_are_measured_beside_the_static_handler() {
        let found = found_by(&lookup::SECTION);
        let kind = if found.get("ratio_ram_c64").is_some() { "ram" } else { "disk" };
        for connections in [1, 16, 64, 256] {
            for ratio in ["ratio", "cpu_ratio", "p99_ratio"] {
                assert_found(&found, &format!("{ratio}_{kind}_c{connections}"));
            }
        }
    }

    #[test]
    fn registrations_and_lookups_at_rates_are_measured() {
        assert_found(&found_by(&register::SECTION), "register_");
        assert_found(&found_by(&rates::SECTION), "lookup_");
    }

    #[test]
    fn each_step_of_a_check_is_measured() {
        let found = found_by(&check::SECTION);
        for step in ["open", "evidence", "complete", "merge"] {
            assert_found(&found, &format!("check_{step}_"));
        }
    }

    #[test]
    fn books_and_what_they_take_up_are_measured() {
        let found = found_by(&books::SECTION);
        for name in ["invoice_preview_ms_100", "audit_verify_ms_100", "backup_ms_100", "reopen_ms_100", "rss_mib_100"] {
            assert_found(&found, name);
        }
        for record in ["ledger_row", "opening", "claim"] {
            assert_found(&found, &format!("bytes_per_{record}"));
        }
    }

    #[test]
    fn growth_is_that_of_the_same_store() {
        let found = found_by(&growth::SECTION);
        assert_found(&found, "growth_1100_1200");
        assert_found(&found, "bytes_per_verdict");
    }
}
