//! Progress display of a benchmark.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::time::Duration;
use voight_tests::console::note;

/// Current activity on standard error if that is a terminal; removed on drop.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Creates an empty display.
    pub(crate) fn start() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// Prints a permanent line.
    pub(crate) fn note(&self, text: impl Display) {
        self.0.suspend(|| note(text));
    }

    /// Shows the current activity.
    pub(crate) fn say(&self, what: impl Into<String>) {
        self.0.set_message(what.into());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
