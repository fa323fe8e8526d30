//! Benchmark scenarios, one file for each.

mod batch;
mod check;
mod growth;
mod harness;
mod ledger;
mod ledger_verifier;
mod lookup;
mod measurement;
mod nginx;
mod nodes;
mod peers;
mod rates;
mod register;
mod short_number;
mod snapshot;

pub(crate) use short_number::number;

use crate::cleanup::Cleanup;
use crate::load::Rate;
use crate::machine::{Cores, StorageLocation};
use crate::progress::Progress;
use crate::report::ScenarioResults;
use crate::servers::{Baseline, Service};
use anyhow::Result;
use std::time::Duration;

/// Benchmark scenario.
pub(crate) struct Scenario {
    /// Name on the command line.
    pub(crate) name: &'static str,
    /// Description.
    pub(crate) about: &'static str,
    /// Function that runs the scenario.
    pub(crate) run: fn(&BenchContext) -> Result<ScenarioResults>,
    /// `true` if it is short enough for `--short`.
    pub(crate) in_short: bool,
}

/// All scenarios in the order in which they run.
pub(crate) const SECTIONS: &[&Scenario] = &[
    &lookup::SECTION,
    &batch::SECTION,
    &snapshot::SECTION,
    &nginx::SECTION,
    &rates::SECTION,
    &register::SECTION,
    &check::SECTION,
    &ledger::SECTION,
    &growth::SECTION,
];

/// Scenarios of `--compare`, which need more programs than the service.
pub(crate) const PEERS: &[&Scenario] = &[&peers::SECTION, &nodes::SECTION];

/// Environment of the scenarios.
pub(crate) struct BenchContext {
    /// Size of the benchmark.
    pub(crate) volume: Volume,
    /// Assignment of cores.
    pub(crate) cores: Cores,
    /// Locations for stores: memory if this machine has a tmpfs, and a disk.
    pub(crate) locations: Vec<StorageLocation>,
    /// Processes and directories to remove at the end.
    pub(crate) cleanup: Cleanup,
    /// Progress display.
    pub(crate) progress: Progress,
}

/// Size of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Volume {
    /// Number of rounds in which compared loads are measured alternately.
    pub(crate) rounds: u32,
    /// Duration of each load.
    pub(crate) time: Duration,
    /// Fixed rates of lookups per second.
    pub(crate) rates: &'static [Rate],
    /// Number of repetitions of slow measurements.
    pub(crate) repeats: u32,
    /// Number of rows of a large ledger.
    pub(crate) rows: u64,
    /// Number of checks that run concurrently. Their evidence is several times the size of the write-ahead log at a checkpoint,
    /// so that checkpoints are measured, too.
    pub(crate) checks: u64,
    /// Numbers of verdicts in a small store, and in the same store after it has grown.
    pub(crate) verdicts: &'static [u64],
}

impl Volume {
    /// Size of a run within four minutes for all sections.
    pub(crate) const SHORT: Self = Self {
        rounds: 5,
        time: Duration::from_millis(700),
        rates: &[Rate(500), Rate(2_000)],
        repeats: 3,
        rows: 30_000,
        checks: 400,
        verdicts: &[],
    };
    /// Size for published results.
    pub(crate) const FULL: Self = Self {
        rounds: 15,
        time: Duration::from_secs(2),
        rates: &[Rate(500), Rate(2_000), Rate(8_000), Rate(20_000)],
        repeats: 5,
        rows: 1_000_000,
        checks: 6_000,
        verdicts: &[10_000, 1_000_000],
    };
    /// Size with the largest stores.
    pub(crate) const LARGE: Self = Self {
        rows: 10_000_000,
        verdicts: &[10_000, 1_000_000, 10_000_000],
        ..Self::FULL
    };

    /// Returns the size for comparisons.
    ///
    /// The size has as many rounds as repetitions of slow measurements, because each of several servers has its own rounds.
    pub(crate) const fn for_comparison(self) -> Self {
        Self {
            rounds: self.repeats,
            ..self
        }
    }
}

impl BenchContext {
    /// Runs a scenario on every storage location and collects the results.
    fn run_on_all_storage(
        &self,
        at: fn(&Self, &StorageLocation) -> Result<ScenarioResults>,
    ) -> Result<ScenarioResults> {
        let mut results = ScenarioResults::default();
        for location in &self.locations {
            results.add(at(self, location)?);
        }
        Ok(results)
    }

    fn service(&self, location: &StorageLocation) -> Result<Service> {
        Service::start(location, self.cores, &self.cleanup)
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

    /// Runs a scenario with minimal size. The debug build of the service does not allow statements about its cost, but every
    /// metric can be measured. No files may remain.
    fn measure_section(section: &Scenario) -> Value {
        let dir = tempfile::tempdir().unwrap();
        let location = StorageLocation::ram()
            .map_or_else(|| StorageLocation::disk(dir.path()), Ok)
            .unwrap();
        let time = Duration::from_millis(60);
        let volume = Volume {
            time,
            rounds: 1,
            repeats: 1,
            rows: 100,
            checks: 3,
            verdicts: &[1_100, 1_200],
            ..Volume::SHORT
        };
        let cores = Cores::choose().unwrap();
        let progress = Progress::start();
        let bench = BenchContext {
            volume,
            cores,
            locations: vec![location],
            cleanup: Cleanup::default(),
            progress,
        };
        let metrics = flat(&(section.run)(&bench).unwrap());
        assert!(bench.cleanup.is_empty());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        metrics
    }

    /// Asserts that a metric with this name prefix exists. The CPU time may be 0: the kernel updates it with a delay, and the
    /// run is too short.
    #[track_caller]
    fn assert_metric(metrics: &Value, name: &str) {
        let is_match = |(metric_name, metric): (&String, &Value)| {
            metric_name.starts_with(name) && metric.as_f64().is_some_and(|metric| metric > 0.0)
        };
        assert!(
            metrics.as_object().unwrap().iter().any(is_match),
            "{name}: {metrics}"
        );
    }

    #[test]
    fn lookup_section_measures_ratios() {
        let metrics = measure_section(&lookup::SECTION);
        let kind = if metrics.get("ratio_ram_c64").is_some() {
            "ram"
        } else {
            "disk"
        };
        for connections in [1, 16, 64, 256] {
            for ratio in ["ratio", "cpu_ratio", "p99_ratio"] {
                assert_metric(&metrics, &format!("{ratio}_{kind}_c{connections}"));
            }
            assert_metric(&metrics, &format!("echo_{kind}_c{connections}_per_s"));
        }
    }

    #[test]
    fn other_sections_measure_loads() {
        assert_metric(&measure_section(&register::SECTION), "register_");
        assert_metric(&measure_section(&rates::SECTION), "lookup_");
        assert_metric(&measure_section(&batch::SECTION), "items_per_core_s_");
    }

    #[test]
    fn snapshot_section_measures_job_and_lookups() {
        let metrics = measure_section(&snapshot::SECTION);
        for name in ["snapshot_s_", "snapshot_p99_ratio_"] {
            assert_metric(&metrics, name);
        }
    }

    #[test]
    fn the_check_section_measures_every_step() {
        let metrics = measure_section(&check::SECTION);
        for step in ["open", "evidence", "complete", "merge"] {
            assert_metric(&metrics, &format!("check_{step}_"));
        }
    }

    #[test]
    fn ledger_section_measures_times_and_sizes() {
        let metrics = measure_section(&ledger::SECTION);
        for name in [
            "invoice_preview_ms_100",
            "audit_verify_ms_100",
            "backup_ms_100",
            "reopen_ms_100",
            "rss_mib_100",
        ] {
            assert_metric(&metrics, name);
        }
        for record in ["ledger_row", "opening", "idempotency_record"] {
            assert_metric(&metrics, &format!("bytes_per_{record}"));
        }
    }

    #[test]
    fn growth_section_measures_two_store_sizes() {
        let metrics = measure_section(&growth::SECTION);
        assert_metric(&metrics, "growth_1100_1200");
        assert_metric(&metrics, "bytes_per_verdict");
    }
}
