//! Progress on standard error, where that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over `total` units of work.
pub fn bar(name: &str, total: usize, unit: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(u64::try_from(total).ok(), ProgressDrawTarget::stderr());
    let template = format!("{{msg:<24}} [{{wide_bar}}] {{human_pos}} of {{human_len}} {unit}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.with_message(name.to_owned())
}
