//! Progress bar of long-running commands on a terminal.

use crate::output::Output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Progress counter on standard error if that is a terminal; removed when dropped.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Starts to count records; `what` describes the operation and its object.
    pub(super) fn start(output: Output, what: &'static str) -> Self {
        Self::counting(output, what, "{human_pos} records")
    }

    /// Starts to count addresses.
    pub(super) fn of_addresses(output: Output, what: &'static str) -> Self {
        Self::counting(output, what, "{human_pos} addresses")
    }

    /// Starts to count bytes.
    pub(super) fn of_bytes(output: Output, what: &'static str) -> Self {
        Self::counting(output, what, "{binary_bytes}")
    }

    fn counting(output: Output, what: &'static str, count: &str) -> Self {
        let target = if output.is_json() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(None, target).with_message(what);
        if let Ok(style) =
            ProgressStyle::with_template(&format!("{{spinner}} {{msg}}: {count}, {{elapsed}}"))
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(bar)
    }

    /// Adds `more` to the count.
    pub(super) fn add(&self, more: u64) {
        self.0.inc(more);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
