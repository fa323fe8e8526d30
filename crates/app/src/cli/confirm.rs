//! Confirmation of acts that the service cannot undo.

use crate::exit::{CommandError, Exit};
use clap::Args;
use std::io::{self, IsTerminal, Write};

/// The flag of every irreversible act.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct Yes {
    /// Do not ask. Required without a terminal; on a terminal the name is typed in its place
    #[arg(long)]
    yes: bool,
}

impl Yes {
    /// Rejects an act that has neither `--yes` nor a terminal to ask on; before anything is opened.
    pub(super) fn require(self, act: &str) -> Result<(), CommandError> {
        if self.yes || is_attended() {
            return Ok(());
        }
        let sentence = format!("nothing was done: {act} cannot be undone; repeat the command with --yes");
        Err(CommandError::new(Exit::Usage, sentence))
    }

    /// Asks for one of `names` on a terminal, unless `--yes` was given. Another answer is a failure.
    pub(super) fn confirm(self, act: &str, names: &[&str]) -> Result<(), CommandError> {
        self.require(act)?;
        let name = names.first().copied().unwrap_or_default();
        if self.yes || names.contains(&ask(&format!("This cannot be undone: {act}. Type {name} to confirm: ")).as_str())
        {
            return Ok(());
        }
        Err(CommandError::internal(format!("nothing was done: the answer was not {name}")))
    }
}

/// Asks a person for a yes; without a terminal nothing is asked. Anything but `y` or `yes` is a no, and a failure.
pub(super) fn confirm(question: &str) -> Result<(), CommandError> {
    if !is_attended() || ["y", "yes"].contains(&ask(&format!("{question} [y/N] ")).to_lowercase().as_str()) {
        return Ok(());
    }
    Err(CommandError::internal("it was not confirmed, so nothing was done; --yes answers the question beforehand"))
}

/// Returns `true` if there is a person to ask, at a terminal.
pub(super) fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// The answer to a question, without white space around it.
fn ask(question: &str) -> String {
    let _ = write!(io::stderr(), "{question}");
    let mut answer = String::new();
    let _ = io::stdin().read_line(&mut answer);
    answer.trim().to_owned()
}
