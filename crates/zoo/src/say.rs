//! What is printed.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::io::Write;

/// One line on standard output. A reader that went away is no reason to stop.
pub(crate) fn line(text: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// An error and its causes on standard error.
pub(crate) fn error(error: &anyhow::Error) {
    let _ = writeln!(std::io::stderr().lock(), "error: {error:#}");
}

/// A bar on standard error, if that is a terminal.
pub(crate) fn bar(sessions: usize) -> ProgressBar {
    let length = u64::try_from(sessions).unwrap_or(u64::MAX);
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) =
        ProgressStyle::with_template("{msg:<24} [{wide_bar}] {human_pos} of {human_len} sessions, {eta} left")
    {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}
