//! The contract suite on redb.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::{Capability, Factory, OpenError, Suite};
use voight_domain::ports::{Clock, Entropy, Store};
use voight_domain::secrets::PepperCommitment;
use voight_memory::MemoryStore;
use voight_redb::{LoggedRedb, RedbOptions};
use voight_store::{DumpReader, restore};

struct Redb;

impl Factory for Redb {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::OnlineBackup, Capability::OnlineVerify, Capability::SingleMoment]
    }

    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, OpenError> {
        let options = RedbOptions { path: dir.join("voight.redb"), cache_bytes: 8 << 20, evidence_budget, reserve: 0 };
        Ok(voight_redb::open(&options, clock, &Fixed, PepperCommitment([7; 16]))?)
    }

    fn restore(&self, dir: &Path, backup: &[u8]) -> Result<(), OpenError> {
        restore::<LoggedRedb>(&mut DumpReader::open(backup)?, &dir.join("voight.redb"), &mut |_| {})?;
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
    Suite::of(Redb).against(|clock, budget| Arc::new(MemoryStore::new(clock, budget))).run()
}
