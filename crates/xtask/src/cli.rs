//! Command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::fuzz::Fuzz;
use crate::package::Package;
use crate::profile::Profile;
use crate::test_stage::TestStage;

/// Repository tasks
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Task,
}

/// Tasks of `cargo xtask`.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Set up this machine, check the code and run the tests
    Test {
        /// Run only this part. A test part builds the tests first [default: all parts]
        #[arg(long, value_name = "NAME", value_enum)]
        only: Option<TestStage>,
        /// Run the full tier: larger volumes, more browsers, the guard of instructions. Writes the result of each part to
        /// docs/results/tests, and resumes after the parts that passed
        #[arg(long)]
        full: bool,
        /// Run all parts of the full tier again, also those that passed
        #[arg(long, requires = "full")]
        restart: bool,
        /// Measure the edit loops only: the time from a change of a source file to the result of its tests
        #[arg(long = "loop", conflicts_with_all = ["only", "full"])]
        edit_loop: bool,
    },
    /// Benchmark the service against a static handler; see `cargo xtask bench --help`
    #[command(disable_help_flag = true)]
    Bench {
        /// Arguments of the benchmark tool
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Run the fault injection scenarios against stores and servers; see `cargo xtask faults --help`
    #[command(disable_help_flag = true)]
    Faults {
        /// Arguments of the fault injection tool
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Train the behaviour model and evaluate the detection; see `cargo xtask detect --help`
    #[command(disable_help_flag = true)]
    Detect {
        /// Arguments of the evaluation tool
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Start the example quests as their READMEs describe, and submit claims as people and as bots
    Examples {
        /// Directories of `examples` [default: all quests]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Fuzz the parsers of untrusted input
    Fuzz(Fuzz),
    /// Draw the flame graph of a hot path
    Profile(Profile),
    /// Build the browser assets (component, window, demo) that the binary embeds; the built files are committed
    Assets {
        /// Change nothing; fail if the committed files differ from the build of their sources
        #[arg(long)]
        check: bool,
    },
    /// Generate the tables and types of the SDKs from the OpenAPI document and the error table; the files are committed
    Sdk {
        /// Change nothing; fail if a committed file differs from its documents
        #[arg(long)]
        check: bool,
    },
    /// Generate the reference page of the metrics, the alert rules and the dashboard from the table of metrics; the files are
    /// committed
    Metrics {
        /// Change nothing; fail if a committed file differs from the table
        #[arg(long)]
        check: bool,
    },
    /// Write the documentation site, which the binary serves at `/docs/`, as files for any web server
    Docs {
        /// Output directory, which must be empty or new [default: `docs` in the target directory, replaced]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Write the packages of a release: archive, Debian, RPM, container image, npm, with checksums and list of components
    Package(Package),
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::{Cli, Task};
    use crate::test_stage::TestStage;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_part_is_selected_by_name() {
        let cli = Cli::try_parse_from(["xtask", "test", "--only", "faults"]).unwrap();
        assert!(matches!(
            cli.command,
            Task::Test {
                only: Some(TestStage::Faults),
                full: false,
                ..
            }
        ));
    }

    #[test]
    fn arguments_of_tools_are_passed_on() {
        let cli = Cli::try_parse_from(["xtask", "faults", "--help"]).unwrap();
        assert!(matches!(cli.command, Task::Faults { arguments } if arguments == ["--help"]));
        let cli = Cli::try_parse_from(["xtask", "bench", "--short", "--json"]).unwrap();
        assert!(
            matches!(cli.command, Task::Bench { arguments } if arguments == ["--short", "--json"])
        );
    }

    #[test]
    fn unknown_part_is_rejected() {
        let error = Cli::try_parse_from(["xtask", "test", "--only", "fualts"]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("fualts") && text.contains("faults"), "{text}");
    }
}
