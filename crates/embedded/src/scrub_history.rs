//! Result of the last scrub pass. It is separate from the scrubber, so that reading it does not wait for a batch.

use crate::{Identity, ScrubStateFile};
use std::sync::{Mutex, MutexGuard, PoisonError};
use voight_domain::ports::ScrubPass;

/// Stores the result of the last pass, and persists it if the store has a path.
#[derive(Default)]
pub(crate) struct ScrubHistory {
    last: Mutex<Option<ScrubPass>>,
    file: Option<ScrubStateFile>,
}

impl ScrubHistory {
    /// Loads the last pass from the file.
    pub(crate) fn load(file: ScrubStateFile, identity: &Identity) -> Self {
        Self {
            last: Mutex::new(file.read(identity)),
            file: Some(file),
        }
    }

    /// Returns the last pass.
    pub(crate) fn last_pass(&self) -> Option<ScrubPass> {
        self.lock().clone()
    }

    /// Records a finished pass. Returns a message if it could not be persisted.
    pub(crate) fn record(&self, identity: &Identity, scrub_pass: &ScrubPass) -> Option<String> {
        *self.lock() = Some(scrub_pass.clone());
        let file = self.file.as_ref()?;
        let error = file.write(identity, scrub_pass).err()?;
        Some(format!(
            "{} cannot be written ({error})",
            file.path().display()
        ))
    }

    fn lock(&self) -> MutexGuard<'_, Option<ScrubPass>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
