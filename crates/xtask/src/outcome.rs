//! What a part came to.

/// Success or failure, and what is worth repeating at the end of the run.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Whether every test passed.
    pub(crate) passed: bool,
    /// The runner's own last lines.
    pub(crate) closing: Vec<String>,
    /// What did not run, by name and with the reason.
    pub(crate) skipped: Vec<String>,
    /// Second tries, by name and with the reason.
    pub(crate) second_tries: Vec<String>,
}

impl Outcome {
    /// A part that has nothing to add.
    pub(crate) fn passed() -> Self {
        Self { passed: true, closing: Vec::new(), skipped: Vec::new(), second_tries: Vec::new() }
    }

    /// A part that could not be finished.
    pub(crate) fn failed(error: &anyhow::Error) -> Self {
        Self { passed: false, closing: vec![format!("{error:#}")], ..Self::passed() }
    }
}
