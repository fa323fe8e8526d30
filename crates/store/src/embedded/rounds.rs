//! The last round of the scrubber. It is kept apart from the scrubber, so that who asks does not wait for a slice.

use crate::{Identity, ScrubStateFile};
use std::sync::{Mutex, MutexGuard, PoisonError};
use voight_domain::ports::ScrubPass;

/// Remembers the last round, and keeps it in a file if the store has a place for one.
#[derive(Default)]
pub(super) struct ScrubHistory {
    last: Mutex<Option<ScrubPass>>,
    file: Option<ScrubStateFile>,
}

impl ScrubHistory {
    /// Begins with the round that is in the file.
    pub(super) fn load(file: ScrubStateFile, identity: &Identity) -> Self {
        Self { last: Mutex::new(file.read(identity)), file: Some(file) }
    }

    /// The last round.
    pub(super) fn last_pass(&self) -> Option<ScrubPass> {
        self.lock().clone()
    }

    /// Remembers another one; says why, if it will be forgotten when the store is closed.
    pub(super) fn record(&self, identity: &Identity, round: &ScrubPass) -> Option<String> {
        *self.lock() = Some(round.clone());
        let file = self.file.as_ref()?;
        let error = file.write(identity, round).err()?;
        Some(format!("{} cannot be written ({error})", file.path().display()))
    }

    fn lock(&self) -> MutexGuard<'_, Option<ScrubPass>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
