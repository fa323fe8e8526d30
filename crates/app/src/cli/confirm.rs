//! Questions before what cannot be undone.

use crate::exit::Failure;
use std::io::{self, IsTerminal, Write};

/// Asks a person for a yes; a script is not asked. Anything but `y` or `yes` is a no, and a failure.
pub(super) fn confirm(question: &str) -> Result<(), Failure> {
    if !is_attended() {
        return Ok(());
    }
    let _ = write!(io::stderr(), "{question} [y/N] ");
    let mut answer = String::new();
    let _ = io::stdin().read_line(&mut answer);
    if ["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
        return Ok(());
    }
    Err(Failure::internal("it was not confirmed, so nothing was done; --yes answers the question beforehand"))
}

/// Returns `true` if there is a person to ask, at a terminal.
pub(super) fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}
