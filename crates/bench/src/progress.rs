//! Progress of a benchmark.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::time::Duration;
use voight_tests::console::note;

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
