//! Contract suite on redb.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use voight_contract::{Capability, FactoryError, StoreFactory, Suite};
use voight_domain::ports::{Clock, Store};
use voight_domain::secrets::PepperCommitment;
use voight_embedded::{DumpReader, StoreOptions, open, restore};
use voight_memory::MemoryStore;
use voight_redb::WalRedb;
use voight_support::FixedEntropy;

struct Redb;

impl StoreFactory for Redb {
    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::DurableAck,
            Capability::OnlineBackup,
            Capability::OnlineVerify,
            Capability::SingleMoment,
        ]
    }

    fn open(
        &self,
        dir: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>, FactoryError> {
        let options = StoreOptions {
            path: dir.join("voight.redb"),
            cache_bytes: 8 << 20,
            evidence_max_bytes,
            reserved_free_bytes: 0,
        };
        Ok(open::<WalRedb>(
            &options,
            clock,
            &FixedEntropy(1),
            PepperCommitment([7; 16]),
        )?)
    }

    fn restore(&self, dir: &Path, backup: &[u8]) -> Result<(), FactoryError> {
        restore::<WalRedb>(
            &mut DumpReader::open(backup)?,
            &dir.join("voight.redb"),
            &mut |_| {},
        )?;
        Ok(())
    }
}

fn main() -> ExitCode {
    Suite::new(Redb)
        .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
        .run()
}
