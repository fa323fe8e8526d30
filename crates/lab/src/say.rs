//! What is printed.

use std::fmt::Display;
use std::io::Write;

/// Text on standard output. A reader that went away is no reason to stop.
pub(crate) fn text(text: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// An error and its causes on standard error.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
}
