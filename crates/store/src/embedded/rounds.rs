//! The last round of the scrubber. It is kept apart from the scrubber, so that who asks does not wait for a slice.

use crate::{Identity, LastRound};
use std::sync::{Mutex, MutexGuard, PoisonError};
use voight_domain::ports::ScrubRound;

/// Remembers the last round, and keeps it in a file if the store has a place for one.
#[derive(Default)]
pub(super) struct Rounds {
    last: Mutex<Option<ScrubRound>>,
    file: Option<LastRound>,
}

impl Rounds {
    /// Begins with the round that is in the file.
    pub(super) fn kept_in(file: LastRound, identity: &Identity) -> Self {
        Self { last: Mutex::new(file.read(identity)), file: Some(file) }
    }

    /// The last round.
    pub(super) fn last(&self) -> Option<ScrubRound> {
        self.lock().clone()
    }

    /// Remembers another one; says why, if it will be forgotten when the store is closed.
    pub(super) fn keep(&self, identity: &Identity, round: &ScrubRound) -> Option<String> {
        *self.lock() = Some(round.clone());
        let file = self.file.as_ref()?;
        let error = file.write(identity, round).err()?;
        Some(format!("{} cannot be written ({error})", file.path().display()))
    }

    fn lock(&self) -> MutexGuard<'_, Option<ScrubRound>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
