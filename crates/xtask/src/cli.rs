//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::fuzz::Fuzz;
use crate::part::TestStage;
use crate::profile::Profile;

/// Repository chores.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Task,
}

/// The chores there are.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Set up this machine, check the code and run the tests.
    Test {
        /// Run one part; the test parts are built first.
        #[arg(long, value_name = "NAME", value_enum)]
        only: Option<TestStage>,
    },
    /// Measure what the service costs, beside a static handler; `cargo xtask bench --help` shows how.
    #[command(disable_help_flag = true)]
    Bench {
        /// What the tool is told.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Break stores and servers again and again; `cargo xtask torture --help` shows how.
    #[command(disable_help_flag = true)]
    Torture {
        /// What the tool is told.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Train the behaviour model, and measure what is detected; `cargo xtask detect --help` shows how.
    #[command(disable_help_flag = true)]
    Detect {
        /// What the tool is told.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Start the quests of the examples by their READMEs, and claim as people and as bots.
    Examples {
        /// Folders of `examples`; all quests unless any is named.
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Look for inputs that break a parser.
    Fuzz(Fuzz),
    /// Draw what a hot path spends its time on.
    Profile(Profile),
    /// Build the files of component, window and demo that the binary embeds; they are committed.
    Assets {
        /// Change nothing; fail if the committed files are not what their sources build.
        #[arg(long)]
        check: bool,
    },
    /// Write the npm package `@voight/check`.
    Package {
        /// An empty or new folder, instead of `npm` in the target folder, which is renewed.
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::{Cli, Task};
    use crate::part::TestStage;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn one_part_is_chosen_by_name() {
        let cli = Cli::try_parse_from(["xtask", "test", "--only", "faults"]).unwrap();
        assert!(matches!(cli.command, Task::Test { only: Some(TestStage::Faults) }));
    }

    #[test]
    fn what_tools_are_told_is_handed_on() {
        let cli = Cli::try_parse_from(["xtask", "torture", "--help"]).unwrap();
        assert!(matches!(cli.command, Task::Torture { arguments } if arguments == ["--help"]));
        let cli = Cli::try_parse_from(["xtask", "bench", "--quick", "--json"]).unwrap();
        assert!(matches!(cli.command, Task::Bench { arguments } if arguments == ["--quick", "--json"]));
    }

    #[test]
    fn an_unknown_part_is_refused_with_the_known_ones() {
        let error = Cli::try_parse_from(["xtask", "test", "--only", "fualts"]).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("fualts") && text.contains("faults"), "{text}");
    }
}
