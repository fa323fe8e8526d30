//! `voight completions`.

use super::Cli;
use crate::exit::CommandError;
use crate::output::Output;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print the completions of a shell.
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    #[expect(clippy::unnecessary_wraps, reason = "every command has this signature")]
    pub(super) fn run(self) -> Result<(), CommandError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "voight", &mut script);
        Output::raw(&script);
        Ok(())
    }
}
