//! There is no disk to look after.

use crate::MemoryStore;
use voight_domain::ports::{ScrubProgress, StoreError, Upkeep, UpkeepStore};

impl UpkeepStore for MemoryStore {
    fn scrub(&self, _: usize) -> Result<Option<ScrubProgress>, StoreError> {
        Ok(None)
    }

    fn upkeep(&self) -> Result<Upkeep, StoreError> {
        Ok(Upkeep::default())
    }
}
