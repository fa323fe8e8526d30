//! Command line.

use crate::section::{PEERS, SECTIONS, Scenario, Volume};
use clap::Parser;
use std::path::PathBuf;

/// Benchmark the service against a static handler on the same server library
///
/// Server and load have one core each. Both are measured in turns, round after round; a metric is the median of all rounds,
/// with its quartiles. Every ledger row is compared with the responses.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
pub(crate) struct Cli {
    /// Run a shorter benchmark, within four minutes
    #[arg(long)]
    pub(crate) quick: bool,
    /// Include stores of ten million records
    #[arg(long, conflicts_with = "quick")]
    pub(crate) large: bool,
    /// Print the metrics as one flat JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Run only this section; can be repeated [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Store the metrics of each section in docs/results/performance/bench, and regenerate docs/explanation/performance.md
    #[arg(long, conflicts_with = "quick")]
    pub(crate) publish: bool,
    /// Compare lookups with hand-written alternatives instead; the sections are `peers` and `nodes`
    ///
    /// The alternatives use Express, FastAPI and axum, with PostgreSQL, SQLite and Redis.
    #[arg(long, conflicts_with = "large")]
    pub(crate) peers: bool,
    /// List the sections
    #[arg(long)]
    pub(crate) list: bool,
    /// Directory on the disk to measure, for temporary stores [default: the directory of the binaries]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) disk: Option<PathBuf>,
}

impl Cli {
    /// Returns the available sections.
    pub(crate) const fn offered(&self) -> &'static [&'static Scenario] {
        if self.peers { PEERS } else { SECTIONS }
    }

    /// Returns the requested names that are not available sections.
    pub(crate) fn unknown(&self) -> Vec<&str> {
        let is_known = |name: &&str| self.offered().iter().any(|section| section.name == *name);
        self.only.iter().map(String::as_str).filter(|name| !is_known(name)).collect()
    }

    /// Returns the sections to run: the requested ones, or all that fit.
    pub(crate) fn sections(&self) -> Vec<&'static Scenario> {
        let fits = |section: &Scenario| section.in_quick || !self.quick;
        let is_wanted = |section: &&Scenario| {
            (self.only.is_empty() && fits(section)) || self.only.iter().any(|name| name == section.name)
        };
        self.offered().iter().copied().filter(is_wanted).collect()
    }

    /// Returns the size of the benchmark.
    pub(crate) const fn volume(&self) -> Volume {
        let volume = match (self.quick, self.large) {
            (true, _) => Volume::QUICK,
            (_, true) => Volume::LARGE,
            _ => Volume::FULL,
        };
        if self.peers { volume.of_peers() } else { volume }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn wanted(cli: &Cli) -> Vec<&'static str> {
        cli.sections().iter().map(|section| section.name).collect()
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sections_are_chosen_by_name_and_unknown_names_are_found() {
        let cli = Cli::try_parse_from(["bench", "--only", "lookup", "--only", "lokup"]).unwrap();
        assert_eq!(wanted(&cli), ["lookup"]);
        assert_eq!(cli.unknown(), ["lokup"]);
    }

    #[test]
    fn peers_are_measured_alone_and_only_when_they_are_asked_for() {
        assert_eq!(wanted(&Cli::try_parse_from(["bench", "--peers", "--quick"]).unwrap()), ["peers", "nodes"]);
        assert!(!wanted(&Cli::try_parse_from(["bench"]).unwrap()).contains(&"peers"));
        assert_eq!(wanted(&Cli::try_parse_from(["bench", "--peers", "--only", "nodes"]).unwrap()), ["nodes"]);
        assert_eq!(Cli::try_parse_from(["bench", "--peers", "--only", "lookup"]).unwrap().unknown(), ["lookup"]);
    }

    #[test]
    fn without_a_name_all_is_measured_that_fits() {
        let all: Vec<_> = SECTIONS.iter().map(|section| section.name).collect();
        assert_eq!(wanted(&Cli::try_parse_from(["bench"]).unwrap()), all);
        let quick = wanted(&Cli::try_parse_from(["bench", "--quick"]).unwrap());
        assert!(quick.contains(&"lookup") && !quick.contains(&"growth"), "{quick:?}");
        assert_eq!(wanted(&Cli::try_parse_from(["bench", "--quick", "--only", "growth"]).unwrap()), ["growth"]);
    }
}
