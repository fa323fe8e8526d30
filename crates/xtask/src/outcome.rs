//! Outcome of a part of the run.

/// Success or failure, and the lines to repeat at the end of the run.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// `true` when every test passed.
    pub(crate) passed: bool,
    /// Number of tests that ran.
    pub(crate) tests: usize,
    /// Number of tests that failed.
    pub(crate) failed: usize,
    /// Last lines of the test runner.
    pub(crate) closing: Vec<String>,
    /// Skipped tests, by name and with the reason.
    pub(crate) skipped: Vec<String>,
    /// Second tries, by name and with the reason.
    pub(crate) second_tries: Vec<String>,
}

impl Outcome {
    /// Returns the outcome of a part that passed without further lines.
    pub(crate) fn passed() -> Self {
        Self {
            passed: true,
            tests: 0,
            failed: 0,
            closing: Vec::new(),
            skipped: Vec::new(),
            second_tries: Vec::new(),
        }
    }

    /// Returns the outcome of a part that was aborted by an error.
    pub(crate) fn failed(error: &anyhow::Error) -> Self {
        Self {
            passed: false,
            closing: vec![format!("{error:#}")],
            ..Self::passed()
        }
    }
}
