//! Scenario: random histories compared with the in-memory model.

use crate::harness::Backend;
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use anyhow::{Error, Result};
use std::path::Path;
use std::sync::Arc;
use voight_contract::{Capability, FactoryError, StoreFactory, run_history};
use voight_domain::ports::{Clock, Store};
use voight_memory::MemoryStore;

const HISTORIES: u64 = 5;
const OPERATIONS: u64 = 200;

/// Histories on a disk. The contract suite runs 2,000 more in each run of the tests, on a map in memory.
pub(super) const SCENARIO: Scenario = Scenario {
    name: "histories",
    about: "random histories of 200 operations: every outcome and all readable state equal the model's",
    unit: "histories",
    backends: Backend::ALL,
    tried: Tried::Store,
    ci_volume: 10,
    full_volume: 500_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let mut random = cycle.random();
    let factory: Arc<dyn StoreFactory> = Arc::new(Stores(cycle.backend));
    for _ in 0..HISTORIES {
        run_history(
            &factory,
            |clock, budget| Arc::new(MemoryStore::new(clock, budget)),
            random.u64(..),
            OPERATIONS,
        )
        .map_err(Error::msg)?;
    }
    Ok(CycleResult::new(HISTORIES))
}

struct Stores(Backend);

impl StoreFactory for Stores {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::SingleMoment]
    }

    fn open(
        &self,
        dir: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>, FactoryError> {
        Ok(self
            .0
            .open_with(&dir.join("store"), clock, evidence_max_bytes)?)
    }
}
