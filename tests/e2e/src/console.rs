//! Output of the tools: results on standard output, everything else on standard error.
//!
//! Write errors are ignored: a reader that has closed the pipe (`| head`) must not stop the tool.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Display;
use std::io::Write;

/// Prints one line of the results.
pub fn line(text: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints one line beside the results.
pub fn note(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints an error, with its causes if it has any.
pub fn error(error: impl Display) {
    note(format_args!("error: {error:#}"));
}

/// Creates a progress bar over `total` units of work, on standard error if that is a terminal.
pub fn bar(name: &str, total: usize, unit: &str) -> ProgressBar {
    let bar =
        ProgressBar::with_draw_target(u64::try_from(total).ok(), ProgressDrawTarget::stderr());
    let template =
        format!("{{msg:<24}} [{{wide_bar}}] {{human_pos}} of {{human_len}} {unit}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_message(name.to_owned())
}
