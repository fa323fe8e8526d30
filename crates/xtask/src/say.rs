//! What the tool says on its own behalf. Lines go out whole and at once, and without colour codes.
//!
//! The other tools use `voight_tests::console`; this one does not, because it is built before everything else and has few dependencies.
//!
//! A reader that went away (`| head`) is no reason to stop a run, so errors of writing are dropped.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output is kept for data.
static KEPT_FREE: AtomicBool = AtomicBool::new(false);

/// From now on lines go to standard error, because what the chore runs prints data on standard output.
pub(crate) fn keep_standard_output_free() {
    KEPT_FREE.store(true, Ordering::Relaxed);
}

/// Whether that was asked for.
pub(crate) fn is_standard_output_free() -> bool {
    KEPT_FREE.load(Ordering::Relaxed)
}

/// One line on standard output.
pub(crate) fn line(text: impl Display) {
    let mut out: Box<dyn Write> =
        if is_standard_output_free() { Box::new(io::stderr().lock()) } else { Box::new(io::stdout().lock()) };
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

/// The heading of a part.
pub(crate) fn heading(text: impl Display) {
    line(format_args!("\n== {text}"));
}

/// One thing that the set-up looks after, and its state.
pub(crate) fn state(state: SetupState, thing: impl Display) {
    line(format_args!("{:<10} {thing}", state.word()));
}

/// An error and its causes on standard error.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = writeln!(io::stderr().lock(), "error: {error:#}");
}

/// The state of one thing that the set-up looks after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetupState {
    /// It was there already.
    Present,
    /// It is not there; what happens next is said in the following lines.
    Missing,
    /// It was put there just now.
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
