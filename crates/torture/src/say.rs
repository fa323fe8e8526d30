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
pub(crate) fn bar(name: &str, done: u64, wanted: u64, unit: &'static str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(wanted), ProgressDrawTarget::stderr());
    let template = format!("{{msg:<24}} [{{wide_bar}}] {{human_pos}} of {{human_len}} {unit}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_message(name.to_owned()).with_position(done)
}
