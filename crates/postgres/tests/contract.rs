//! Contract suite on a real server.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use voight_contract::{Capability, FactoryError, StoreFactory, Suite};
use voight_domain::ports::{Clock, Store};
use voight_domain::secrets::PepperCommitment;
use voight_memory::MemoryStore;
use voight_postgres::{PostgresOptions, PostgresUrl};
use voight_support::FixedEntropy;
use voight_tests::postgres::{Citus, Postgres};

/// Environment variable that runs the suite on the Citus cluster that [`Citus`] finds.
const ON_CITUS: &str = "VOIGHT_TEST_CONTRACT_ON_CITUS";

/// Stores on one server, each in its own schema, named after its directory.
#[derive(Default)]
struct OnPostgres(OnceLock<Result<Postgres, String>>);

/// Stores with tables distributed over two workers, each in its own schema.
#[derive(Default)]
struct OnCitus(OnceLock<Option<Citus>>);

impl StoreFactory for OnCitus {
    fn capabilities(&self) -> &'static [Capability] {
        &[Capability::DurableAck, Capability::MultiNode]
    }

    fn open(
        &self,
        dir: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>, FactoryError> {
        let citus = self
            .0
            .get_or_init(|| Citus::start_with("contract", SHARDS))
            .as_ref();
        let citus = citus.ok_or("VOIGHT_TEST_CITUS_BIN names no installation of Citus")?;
        let schema = schema_of(dir);
        let url: PostgresUrl = format!(
            "{}?options=-csearch_path%3D{schema}",
            citus.coordinator.url()
        )
        .parse()?;
        if citus
            .coordinator
            .run(&format!("CREATE SCHEMA {schema}"))
            .is_ok()
        {
            voight_postgres::distribute(&url, Arc::clone(&clock))?;
        }
        let options = PostgresOptions {
            url,
            evidence_max_bytes,
        };
        Ok(voight_postgres::open(
            &options,
            clock,
            &FixedEntropy(1),
            PepperCommitment([7; 16]),
        )?)
    }
}

/// Number of shards of a table. Few, because each store has its own.
const SHARDS: u32 = 2;

fn schema_of(dir: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    dir.hash(&mut hasher);
    format!("store_{:016x}", hasher.finish())
}

impl StoreFactory for OnPostgres {
    fn capabilities(&self) -> &'static [Capability] {
        &[
            Capability::DurableAck,
            Capability::MultiNode,
            Capability::SingleMoment,
        ]
    }

    fn open(
        &self,
        dir: &Path,
        clock: Arc<dyn Clock>,
        evidence_max_bytes: u64,
    ) -> Result<Arc<dyn Store>, FactoryError> {
        let server = self
            .0
            .get_or_init(Postgres::shared)
            .as_ref()
            .map_err(String::as_str)?;
        let url = server.schema(&schema_of(dir))?.parse()?;
        let options = PostgresOptions {
            url,
            evidence_max_bytes,
        };
        Ok(voight_postgres::open(
            &options,
            clock,
            &FixedEntropy(1),
            PepperCommitment([7; 16]),
        )?)
    }
}

fn main() -> ExitCode {
    if std::env::var_os(ON_CITUS).is_some() {
        // A single history, because each one creates and distributes forty tables.
        let suite = Suite::new(OnCitus::default()).histories(1);
        return suite
            .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
            .run();
    }
    // Fewer histories than on a disk, because each call is a round trip to another process.
    Suite::new(OnPostgres::default())
        .histories(20)
        .against(|clock, budget| Arc::new(MemoryStore::new(clock, budget)))
        .run()
}
