//! Command line.

use crate::section::{PEERS, SECTIONS, Scenario, Volume};
use clap::Parser;
use std::path::PathBuf;

/// Benchmark the service against a static handler on the same server library
///
/// Server and load have one core each. Both are measured alternately, round after round; a metric is the median of all rounds,
/// with its quartiles. Every ledger row is compared with the responses.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each field is a command line flag"
)]
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
pub(crate) struct BenchCli {
    /// Run a shorter benchmark, within four minutes
    #[arg(long)]
    pub(crate) short: bool,
    /// Include stores of ten million records
    #[arg(long, conflicts_with = "short")]
    pub(crate) large: bool,
    /// Print the metrics as one flat JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Run only this section; can be repeated [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Store the metrics of each section in docs/results/performance/bench, and regenerate docs/explanation/performance.md
    #[arg(long, conflicts_with = "short")]
    pub(crate) publish: bool,
    /// Compare lookups with hand-written alternatives instead; the sections are `peers` and `nodes`
    ///
    /// The alternatives use Express, FastAPI and axum, with PostgreSQL, SQLite and Redis.
    #[arg(long, conflicts_with = "large")]
    pub(crate) compare: bool,
    /// List the sections
    #[arg(long)]
    pub(crate) list: bool,
    /// Directory on the disk to measure, for temporary stores [default: the directory of the binaries]
    #[arg(long, value_name = "DIR")]
    pub(crate) disk: Option<PathBuf>,
}

impl BenchCli {
    /// Returns the available sections.
    pub(crate) const fn available(&self) -> &'static [&'static Scenario] {
        if self.compare { PEERS } else { SECTIONS }
    }

    /// Returns the requested names that are not available sections.
    pub(crate) fn unknown(&self) -> Vec<&str> {
        let is_known = |name: &&str| self.available().iter().any(|section| section.name == *name);
        self.only
            .iter()
            .map(String::as_str)
            .filter(|name| !is_known(name))
            .collect()
    }

    /// Returns the sections to run: the requested ones, or all of the selected length.
    pub(crate) fn sections(&self) -> Vec<&'static Scenario> {
        let fits = |section: &Scenario| section.in_short || !self.short;
        let is_selected = |section: &&Scenario| {
            (self.only.is_empty() && fits(section))
                || self.only.iter().any(|name| name == section.name)
        };
        self.available()
            .iter()
            .copied()
            .filter(is_selected)
            .collect()
    }

    /// Returns the size of the benchmark.
    pub(crate) const fn volume(&self) -> Volume {
        let volume = match (self.short, self.large) {
            (true, _) => Volume::SHORT,
            (_, true) => Volume::LARGE,
            _ => Volume::FULL,
        };
        if self.compare {
            volume.for_comparison()
        } else {
            volume
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn selected(cli: &BenchCli) -> Vec<&'static str> {
        cli.sections().iter().map(|section| section.name).collect()
    }

    #[test]
    fn the_definition_is_consistent() {
        BenchCli::command().debug_assert();
    }

    #[test]
    fn sections_are_selected_by_name() {
        let cli =
            BenchCli::try_parse_from(["bench", "--only", "lookup", "--only", "lokup"]).unwrap();
        assert_eq!(selected(&cli), ["lookup"]);
        assert_eq!(cli.unknown(), ["lokup"]);
    }

    #[test]
    fn compare_selects_only_the_comparisons() {
        assert_eq!(
            selected(&BenchCli::try_parse_from(["bench", "--compare", "--short"]).unwrap()),
            ["peers", "nodes"]
        );
        assert!(!selected(&BenchCli::try_parse_from(["bench"]).unwrap()).contains(&"peers"));
        assert_eq!(
            selected(&BenchCli::try_parse_from(["bench", "--compare", "--only", "nodes"]).unwrap()),
            ["nodes"]
        );
        assert_eq!(
            BenchCli::try_parse_from(["bench", "--compare", "--only", "lookup"])
                .unwrap()
                .unknown(),
            ["lookup"]
        );
    }

    #[test]
    fn sections_of_a_length_run_by_default() {
        let section_names: Vec<_> = SECTIONS.iter().map(|section| section.name).collect();
        assert_eq!(
            selected(&BenchCli::try_parse_from(["bench"]).unwrap()),
            section_names
        );
        let short = selected(&BenchCli::try_parse_from(["bench", "--short"]).unwrap());
        assert!(
            short.contains(&"lookup") && !short.contains(&"growth"),
            "{short:?}"
        );
        assert_eq!(
            selected(&BenchCli::try_parse_from(["bench", "--short", "--only", "growth"]).unwrap()),
            ["growth"]
        );
    }
}
