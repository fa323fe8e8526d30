//! The contract suite on sled.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::{Capability, Factory, OpenError, Suite};
use voight_domain::ports::{Clock, Entropy, Store};
use voight_domain::secrets::PepperCommitment;
use voight_memory::MemoryStore;
use voight_sled::{SledEngine, SledOptions};
use voight_store::{DumpReader, restore};

struct Sled;

impl Factory for Sled {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::OnlineBackup, Capability::OnlineVerify]
    }

    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, OpenError> {
        let options = SledOptions { path: dir.join("voight.sled"), cache_bytes: 8 << 20, evidence_budget, reserve: 0 };
        Ok(voight_sled::open(&options, clock, &Fixed, PepperCommitment([7; 16]))?)
    }

    fn restore(&self, dir: &Path, backup: &[u8]) -> Result<(), OpenError> {
        restore::<SledEngine>(&mut DumpReader::open(backup)?, &dir.join("voight.sled"), &mut |_| {})?;
        Ok(())
    }
}

/// The suite never looks at a store's id.
struct Fixed;

impl Entropy for Fixed {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(1);
    }
}

fn main() -> ExitCode {
    Suite::of(Sled).against(|clock, budget| Arc::new(MemoryStore::new(clock, budget))).run()
}
