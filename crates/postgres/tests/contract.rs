//! The contract suite on a real server.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use voight_contract::{Capability, FactoryError, StoreFactory, Suite};
use voight_domain::ports::{Clock, Entropy, Store};
use voight_domain::secrets::PepperCommitment;
use voight_memory::MemoryStore;
use voight_postgres::PostgresOptions;
use voight_tests::postgres::Postgres;

/// Each store lies in a schema of its own, named after its directory.
#[derive(Default)]
struct OnPostgres(OnceLock<Result<Postgres, String>>);

impl StoreFactory for OnPostgres {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::MultiNode]
    }

    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, FactoryError> {
        let server = self.0.get_or_init(Postgres::shared).as_ref().map_err(String::as_str)?;
        let mut hasher = DefaultHasher::new();
        dir.hash(&mut hasher);
        let url = server.schema(&format!("store_{:016x}", hasher.finish()))?.parse()?;
        let options = PostgresOptions { url, evidence_budget };
        Ok(voight_postgres::open(&options, clock, &FixedEntropy, PepperCommitment([7; 16]))?)
    }
}

/// The suite never looks at a store's id.
struct FixedEntropy;

impl Entropy for FixedEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(1);
    }
}

fn main() -> ExitCode {
    // Each call is round trips to another process, so fewer of them than on a disk.
    Suite::new(OnPostgres::default())
        .histories(20)
        .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
        .run()
}
