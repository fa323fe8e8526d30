//! The contract suite on a real server.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use voight_contract::{Capability, FactoryError, StoreFactory, Suite};
use voight_domain::ports::{Clock, Entropy, Store};
use voight_domain::secrets::PepperCommitment;
use voight_memory::MemoryStore;
use voight_postgres::{PostgresOptions, PostgresUrl};
use voight_tests::postgres::{Citus, Postgres};

/// Runs the suite on a Citus, whose programs [`Citus`] finds.
const ON_CITUS: &str = "VOIGHT_TEST_CONTRACT_ON_CITUS";

/// Each store lies in a schema of its own, named after its directory.
#[derive(Default)]
struct OnPostgres(OnceLock<Result<Postgres, String>>);

/// The same, with tables that are spread over two workers.
#[derive(Default)]
struct OnCitus(OnceLock<Option<Citus>>);

impl StoreFactory for OnCitus {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::MultiNode]
    }

    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, FactoryError> {
        let citus = self.0.get_or_init(|| Citus::start_with("contract", SHARDS)).as_ref();
        let citus = citus.ok_or("VOIGHT_TEST_CITUS_BIN names no installation of Citus")?;
        let schema = schema_of(dir);
        let url: PostgresUrl = format!("{}?options=-csearch_path%3D{schema}", citus.coordinator.url()).parse()?;
        if citus.coordinator.run(&format!("CREATE SCHEMA {schema}")).is_ok() {
            voight_postgres::distribute(&url, Arc::clone(&clock))?;
        }
        let options = PostgresOptions { url, evidence_budget };
        Ok(voight_postgres::open(&options, clock, &FixedEntropy, PepperCommitment([7; 16]))?)
    }
}

/// Few, because each store has its own.
const SHARDS: u32 = 2;

fn schema_of(dir: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    dir.hash(&mut hasher);
    format!("store_{:016x}", hasher.finish())
}

impl StoreFactory for OnPostgres {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::MultiNode, Capability::SingleMoment]
    }

    fn open(&self, dir: &Path, clock: Arc<dyn Clock>, evidence_budget: u64) -> Result<Arc<dyn Store>, FactoryError> {
        let server = self.0.get_or_init(Postgres::shared).as_ref().map_err(String::as_str)?;
        let url = server.schema(&schema_of(dir))?.parse()?;
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
    if std::env::var_os(ON_CITUS).is_some() {
        // Forty tables are made and spread for each history.
        let suite = Suite::new(OnCitus::default()).histories(1);
        return suite.against(|clock, budget| Arc::new(MemoryStore::new(clock, budget))).run();
    }
    // Each call is round trips to another process, so fewer of them than on a disk.
    Suite::new(OnPostgres::default())
        .histories(20)
        .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
        .run()
}
