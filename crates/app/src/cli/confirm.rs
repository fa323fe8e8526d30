//! Confirmation of irreversible commands.

use crate::exit::{CommandError, Exit};
use clap::Args;
use std::io::{self, IsTerminal, Write};

/// Flag of every irreversible command.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct Yes {
    /// Do not ask for confirmation. Required without a terminal; a terminal asks for the name instead
    #[arg(long)]
    yes: bool,
}

impl Yes {
    /// Rejects an act without `--yes` and without a terminal, before a store is opened.
    pub(super) fn require(self, act: &str) -> Result<(), CommandError> {
        if self.yes || is_attended() {
            return Ok(());
        }
        let sentence =
            format!("nothing was done: {act} cannot be undone; repeat the command with --yes");
        Err(CommandError::new(Exit::Usage, sentence))
    }

    /// Asks a terminal for one of `names`, unless `--yes` was given. Another answer is an error.
    pub(super) fn confirm(self, act: &str, names: &[&str]) -> Result<(), CommandError> {
        self.require(act)?;
        let name = names.first().copied().unwrap_or_default();
        if self.yes
            || names.contains(
                &ask(&format!(
                    "This cannot be undone: {act}. Type {name} to confirm: "
                ))
                .as_str(),
            )
        {
            return Ok(());
        }
        Err(CommandError::internal(format!(
            "nothing was done: the answer was not {name}"
        )))
    }
}

/// Asks for confirmation on a terminal; without one it does not ask. Any answer but `y` or `yes` is an error.
pub(super) fn confirm(question: &str) -> Result<(), CommandError> {
    if !is_attended()
        || ["y", "yes"].contains(&ask(&format!("{question} [y/N] ")).to_lowercase().as_str())
    {
        return Ok(());
    }
    Err(CommandError::internal(
        "not confirmed; nothing was done. --yes confirms without a question",
    ))
}

/// Returns `true` if an operator can answer: standard input and standard error are terminals.
pub(super) fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a question and returns the trimmed answer.
fn ask(question: &str) -> String {
    let _ = write!(io::stderr(), "{question}");
    let mut answer = String::new();
    let _ = io::stdin().read_line(&mut answer);
    answer.trim().to_owned()
}
