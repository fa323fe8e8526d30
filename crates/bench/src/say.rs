//! What is printed: results on standard output, everything else on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::io::Write;
use std::time::Duration;

/// One line of the results. A reader that went away is no reason to stop.
pub(crate) fn line(text: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// One line for people beside the results.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// An error and its causes.
pub(crate) fn error(error: &anyhow::Error) {
    note(format_args!("error: {error:#}"));
}

/// What is being done, on standard error if that is a terminal; removed when dropped.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Begins with nothing to say.
    pub(crate) fn start() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// A line that stays.
    pub(crate) fn note(&self, text: impl Display) {
        self.0.suspend(|| note(text));
    }

    /// Says what is being done now.
    pub(crate) fn say(&self, what: impl Into<String>) {
        self.0.set_message(what.into());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
