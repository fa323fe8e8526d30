//! Messages of the tool itself, written as complete lines without colour codes.
//!
//! The other tools use `voight_tests::console`; this one does not, because it is built before everything else and has few
//! dependencies.
//!
//! Write errors are ignored, because a reader that closes the pipe (`| head`) is no reason to stop a run.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// `true` when standard output is reserved for data.
static STANDARD_OUTPUT_RESERVED: AtomicBool = AtomicBool::new(false);

/// Redirects all messages to standard error, because the task prints data to standard output.
pub(crate) fn reserve_standard_output() {
    STANDARD_OUTPUT_RESERVED.store(true, Ordering::Relaxed);
}

/// Returns `true` if standard output is reserved for data.
pub(crate) fn is_standard_output_reserved() -> bool {
    STANDARD_OUTPUT_RESERVED.load(Ordering::Relaxed)
}

/// Prints one line to standard output.
pub(crate) fn line(text: impl Display) {
    let mut out: Box<dyn Write> = if is_standard_output_reserved() {
        Box::new(io::stderr().lock())
    } else {
        Box::new(io::stdout().lock())
    };
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

/// Prints the heading of a part.
pub(crate) fn heading(text: impl Display) {
    line(format_args!("\n== {text}"));
}

/// Prints an item of the set-up with its state.
pub(crate) fn state(state: SetupState, item: impl Display) {
    line(format_args!("{:<10} {item}", state.word()));
}

/// Prints an error and its causes to standard error.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = writeln!(io::stderr().lock(), "error: {error:#}");
}

/// State of an item of the set-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetupState {
    /// Installed before the run.
    Present,
    /// Missing; the next lines describe its installation.
    Missing,
    /// Installed during this run.
    Installed,
}

impl SetupState {
    fn word(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Missing => "missing",
            Self::Installed => "installed",
        }
    }
}
