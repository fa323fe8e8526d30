//! Counts second tries: a fault that comes and goes hides behind them.

/// Reports that `name` had to be tried again. `cargo xtask test` counts these lines beside the runner's own retries, and fails when
/// there are too many.
#[expect(clippy::print_stderr, reason = "the runner keeps it in its record, and standard output is for data")]
pub fn second_try(name: &str, why: &str) {
    eprintln!("SECOND TRY {name}: {why}");
}
