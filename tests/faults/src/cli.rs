//! Command line.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use voight_faults::harness::{self, Backend};
use voight_support::parse_duration;

/// Inject faults into stores and servers, and compare the stored data with the acknowledged writes
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask faults",
    bin_name = "cargo xtask faults",
    args_conflicts_with_subcommands = true
)]
pub(crate) struct FaultsCli {
    #[command(flatten)]
    pub(crate) options: FaultOptions,
    #[command(subcommand)]
    pub(crate) work: Option<InternalCommand>,
}

/// Selection and volume of scenarios.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each field is a command line flag"
)]
#[derive(Debug, Args)]
pub(crate) struct FaultOptions {
    /// Scenarios of the fault matrix [default: all]
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenarios: Vec<String>,
    /// List the scenarios and exit
    #[arg(long)]
    pub(crate) list: bool,
    /// Run on this backend only [default: all backends of the scenario]
    #[arg(long, value_name = "BACKEND")]
    pub(crate) backend: Option<Backend>,
    /// Seed of all random numbers [default: that of the resumed run, or a new one]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// End each scenario after this time, for example 10m; the same command resumes it later
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// End each scenario at this volume [default: the goal of a full run]
    #[arg(long, value_name = "N")]
    pub(crate) volume: Option<u64>,
    /// Run only this cycle; write no result
    #[arg(long, value_name = "N", requires = "seed")]
    pub(crate) cycle: Option<u64>,
    /// Start a new run instead of resuming the previous one
    #[arg(long)]
    pub(crate) restart: bool,
    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Directory of the results
    #[arg(long, value_name = "DIR", default_value = "target/faults")]
    pub(crate) results: PathBuf,
    /// Directory of the results of `cargo xtask fuzz`, for --publish
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    pub(crate) fuzz_results: PathBuf,
    /// Copy the newest results and all results that broke a promise into the documentation; run nothing
    #[arg(long)]
    pub(crate) publish: bool,
}

/// Subcommands that the program runs in its own child processes.
#[derive(Debug, Subcommand)]
pub(crate) enum InternalCommand {
    /// Write to a store until killed, and print each acknowledgement
    #[command(hide = true)]
    Write(Write),
    /// Fill a store with lookups and verdicts, then write until killed
    #[command(hide = true)]
    Fill(Fill),
}

/// Process that fills a store.
#[derive(Debug, Args)]
pub(crate) struct Fill {
    store: PathBuf,
    #[arg(long)]
    backend: Backend,
    #[arg(long)]
    rows: u64,
}

impl Fill {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        harness::fill(self.backend, &self.store, self.rows)
    }
}

/// Process that writes to a store.
#[derive(Debug, Args)]
pub(crate) struct Write {
    store: PathBuf,
    #[arg(long)]
    backend: Backend,
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    threads: usize,
    #[arg(long)]
    operations: Option<u64>,
    #[arg(long)]
    stepwise: bool,
    #[arg(long)]
    continue_on_error: bool,
}

impl Write {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let Self {
            store,
            backend,
            seed,
            threads,
            operations,
            stepwise,
            continue_on_error,
        } = self;
        harness::write(
            backend,
            &store,
            harness::Workload {
                seed,
                threads,
                operations,
                stepwise,
                continue_on_error,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::FaultsCli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_definition_is_consistent() {
        FaultsCli::command().debug_assert();
    }

    #[test]
    fn a_cycle_requires_a_seed() {
        assert!(FaultsCli::try_parse_from(["faults", "kill", "--cycle", "3"]).is_err());
        let cli =
            FaultsCli::try_parse_from(["faults", "kill", "--cycle", "3", "--seed", "9"]).unwrap();
        assert_eq!(
            (cli.options.scenarios, cli.options.cycle),
            (vec!["kill".to_owned()], Some(3))
        );
    }
}
