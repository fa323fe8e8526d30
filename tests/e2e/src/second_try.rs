//! Count of retries, which would otherwise hide intermittent faults.

/// Reports that `name` was retried.
///
/// `cargo xtask test` adds these lines to the runner's own retries, and fails above a limit.
#[expect(
    clippy::print_stderr,
    reason = "the runner keeps it in its record, and standard output is for data"
)]
pub fn second_try(name: &str, reason: &str) {
    eprintln!("SECOND TRY {name}: {reason}");
}
