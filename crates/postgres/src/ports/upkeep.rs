//! The database looks after its disk itself.

use crate::PostgresStore;
use voight_domain::ports::{ScrubProgress, StoreError, Upkeep, UpkeepStore};

impl UpkeepStore for PostgresStore {
    fn scrub(&self, _: usize) -> Result<Option<ScrubProgress>, StoreError> {
        Ok(None)
    }

    fn upkeep(&self) -> Result<Upkeep, StoreError> {
        Ok(Upkeep { committed_at: self.transactions.committed_at(), ..Upkeep::default() })
    }
}
