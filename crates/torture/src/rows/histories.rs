//! Random histories against the in-memory model.

use crate::rig::Subject;
use crate::row::{Cycle, Row, Tally};
use anyhow::{Error, Result};
use std::path::Path;
use std::sync::Arc;
use voight_contract::{Capability, Factory, OpenError, run_history};
use voight_domain::ports::{Clock, Store};
use voight_memory::MemoryStore;

const HISTORIES: u64 = 5;
const OPERATIONS: u64 = 200;

/// The contract suite runs two thousand more in each run of the tests, on a map without a disk.
pub(super) const ROW: Row = Row {
    name: "histories",
    about: "random histories of 200 operations: every outcome, and everything that can be read, as in the model",
    unit: "histories",
    subjects: Subject::ALL,
    in_ci: 10,
    goal: 500_000,
    missing: || None,
    run,
    has_to_lose: false,
};

fn run(cycle: &Cycle<'_>) -> Result<Tally> {
    let mut random = cycle.random();
    let factory: Arc<dyn Factory> = Arc::new(Stores(cycle.subject));
    for _ in 0..HISTORIES {
        run_history(&factory, |clock, budget| Arc::new(MemoryStore::new(clock, budget)), random.u64(..), OPERATIONS)
            .map_err(Error::msg)?;
    }
    Ok(Tally::of(HISTORIES))
}

struct Stores(Subject);

impl Factory for Stores {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::SingleMoment]
    }

    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, OpenError> {
        Ok(self.0.open_with(&dir.join("store"), clock, evidence_budget)?)
    }
}
