//! Progress of long work: on a terminal, for people.

use crate::output::Output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Counts what is done, on standard error if that is a terminal; removed when dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Begins to count; `what` says what is being done, and to what.
    pub(super) fn start(output: Output, what: &'static str) -> Self {
        let target = if output.is_json() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target).with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}: {human_pos} records, {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    /// Counts some more.
    pub(super) fn add(&self, records: u64) {
        self.0.inc(records);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
