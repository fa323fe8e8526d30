//! Contract suite on the memory store.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::{Capability, FactoryError, StoreFactory, Suite};
use voight_domain::ports::{Clock, Store};
use voight_memory::MemoryStore;

struct Memory;

impl StoreFactory for Memory {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::SingleMoment]
    }

    fn open(
        &self,
        _: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>, FactoryError> {
        Ok(Arc::new(MemoryStore::new(clock, evidence_max_bytes)))
    }
}

fn main() -> ExitCode {
    // Compares the model with itself: histories are deterministic and leave every ledger consistent.
    Suite::new(Memory)
        .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
        .run()
}
