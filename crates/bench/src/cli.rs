//! The command line.

use crate::section::{PEERS, SECTIONS, Scenario, Volume};
use clap::Parser;
use std::path::PathBuf;

/// Measures what the service costs, beside a static handler on the same server library.
///
/// Server and load have a core each. Both are asked in turns, round after round; a figure is the middle of all rounds, with the quarters
/// around it. Every ledger row is held against the answers.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
pub(crate) struct Cli {
    /// Less of everything: done within four minutes
    #[arg(long)]
    pub(crate) quick: bool,
    /// Measure stores of ten million records as well
    #[arg(long, conflicts_with = "quick")]
    pub(crate) large: bool,
    /// Print the figures as one flat JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Measure this section only; may be given more than once [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Keep the figures of each section in docs/results/performance/bench, and write docs/explanation/performance.md anew
    #[arg(long, conflicts_with = "quick")]
    pub(crate) publish: bool,
    /// Measure lookups beside what one would write by hand instead (Express, FastAPI, axum; PostgreSQL, SQLite, Redis), and nothing
    /// else; its sections are `peers` and `nodes`
    #[arg(long, conflicts_with = "large")]
    pub(crate) peers: bool,
    /// Show the sections and end
    #[arg(long)]
    pub(crate) list: bool,
    /// A folder on the disk that is measured; stores lie in a new folder there, which is removed at the end [default: beside the
    /// binaries]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) disk: Option<PathBuf>,
}

impl Cli {
    /// The sections that there are to choose from.
    pub(crate) const fn offered(&self) -> &'static [&'static Scenario] {
        if self.peers { PEERS } else { SECTIONS }
    }

    /// The names that are none of these.
    pub(crate) fn unknown(&self) -> Vec<&str> {
        let is_known = |name: &&str| self.offered().iter().any(|section| section.name == *name);
        self.only.iter().map(String::as_str).filter(|name| !is_known(name)).collect()
    }

    /// The sections to be measured: those that were asked for, or all that fit.
    pub(crate) fn sections(&self) -> Vec<&'static Scenario> {
        let fits = |section: &Scenario| section.in_quick || !self.quick;
        let is_wanted = |section: &&Scenario| {
            (self.only.is_empty() && fits(section)) || self.only.iter().any(|name| name == section.name)
        };
        self.offered().iter().copied().filter(is_wanted).collect()
    }

    /// How much is measured.
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
