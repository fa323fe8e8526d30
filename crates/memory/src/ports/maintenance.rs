//! Maintenance, which does nothing: a memory store has no disk.

use crate::MemoryStore;
use voight_domain::ports::{MaintenanceStore, ScrubProgress, StoreError, StoreStatus};

impl MaintenanceStore for MemoryStore {
    fn scrub(&self, _: usize) -> Result<Option<ScrubProgress>, StoreError> {
        Ok(None)
    }

    fn status(&self) -> Result<StoreStatus, StoreError> {
        Ok(StoreStatus::default())
    }
}
