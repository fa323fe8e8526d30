//! The command line.

use crate::duration::duration;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use voight_torture::rig::{self, Backend};

/// Breaks stores and servers, again and again, and compares what is left with what was acknowledged.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask torture", bin_name = "cargo xtask torture", args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) torture: Torture,
    #[command(subcommand)]
    pub(crate) work: Option<InternalCommand>,
}

/// Which rows, and how much of them.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
#[derive(Debug, Args)]
pub(crate) struct Torture {
    /// Rows of the fault matrix [default: all]
    #[arg(value_name = "ROW")]
    pub(crate) rows: Vec<String>,
    /// Show the rows and end
    #[arg(long)]
    pub(crate) list: bool,
    /// Run on this store only
    #[arg(long, value_name = "STORE")]
    pub(crate) on: Option<Backend>,
    /// From which all that is random follows [default: that of the run that is gone on with, or else a new one]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// End each row after this time, for example 10m; the same command goes on later
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// End each row at this volume [default: the goal of a full run]
    #[arg(long, value_name = "N")]
    pub(crate) units: Option<u64>,
    /// Run this one cycle only, and keep no result
    #[arg(long, value_name = "N", requires = "seed")]
    pub(crate) cycle: Option<u64>,
    /// Begin anew instead of going on where the last run ended
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Where results are kept
    #[arg(long, value_name = "DIR", default_value = "target/torture")]
    pub(crate) results: PathBuf,
    /// Where `cargo xtask fuzz` has kept its results, for --publish
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    pub(crate) fuzz_results: PathBuf,
    /// Put the newest results, and all that broke a promise, into the documentation; run nothing
    #[arg(long)]
    pub(crate) publish: bool,
}

/// What this program does for itself.
#[derive(Debug, Subcommand)]
pub(crate) enum InternalCommand {
    /// Write to a store until killed, and say what was acknowledged
    #[command(hide = true)]
    Write(Write),
    /// Fill a store with lookups and verdicts, then go on until killed
    #[command(hide = true)]
    Fill(Fill),
}

/// One process that fills a store.
#[derive(Debug, Args)]
pub(crate) struct Fill {
    store: PathBuf,
    #[arg(long)]
    on: Backend,
    #[arg(long)]
    rows: u64,
}

impl Fill {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        rig::fill(self.on, &self.store, self.rows)
    }
}

/// One process that writes.
#[derive(Debug, Args)]
pub(crate) struct Write {
    store: PathBuf,
    #[arg(long)]
    on: Backend,
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    threads: usize,
    #[arg(long)]
    operations: Option<u64>,
    #[arg(long)]
    stepwise: bool,
    #[arg(long)]
    stubborn: bool,
}

impl Write {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let Self { store, on, seed, threads, operations, stepwise, stubborn } = self;
        rig::write(on, &store, rig::Workload { seed, threads, operations, stepwise, continue_on_error: stubborn })
    }
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn one_cycle_needs_its_seed() {
        assert!(Cli::try_parse_from(["torture", "kill", "--cycle", "3"]).is_err());
        let cli = Cli::try_parse_from(["torture", "kill", "--cycle", "3", "--seed", "9"]).unwrap();
        assert_eq!((cli.torture.rows, cli.torture.cycle), (vec!["kill".to_owned()], Some(3)));
    }
}
