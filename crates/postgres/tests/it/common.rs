//! Server of the test run, and stores on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use voight_contract::generate::START;
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Timestamp;
use voight_postgres::{OpenError, PostgresOptions, PostgresStore};
use voight_support::{FixedEntropy, ManualClock};
use voight_tests::postgres::Postgres;

static SCHEMAS: AtomicU32 = AtomicU32::new(0);

/// Returns a schema name that is unique within this test run.
pub(crate) fn schema_name() -> String {
    format!(
        "test_{}_{}",
        std::process::id(),
        SCHEMAS.fetch_add(1, Ordering::Relaxed)
    )
}

/// Returns the shared server of this test run.
pub(crate) fn server() -> Postgres {
    Postgres::shared().expect("a private server")
}

/// Opens the store at `url`.
pub(crate) fn open(url: &str) -> Result<Arc<PostgresStore>, OpenError> {
    open_as(url, 7, START)
}

/// Opens the store at `url` with this pepper commitment, as a node whose clock is fixed at this time.
pub(crate) fn open_as(
    url: &str,
    pepper: u8,
    now: Timestamp,
) -> Result<Arc<PostgresStore>, OpenError> {
    open_by(url, pepper, Arc::new(ManualClock::new(now)))
}

/// Opens the store at `url` with this pepper commitment and clock.
pub(crate) fn open_by(
    url: &str,
    pepper: u8,
    clock: Arc<ManualClock>,
) -> Result<Arc<PostgresStore>, OpenError> {
    let options = PostgresOptions {
        url: url.parse().expect("a URL"),
        evidence_max_bytes: 1 << 20,
    };
    voight_postgres::open(
        &options,
        clock,
        &FixedEntropy(1),
        PepperCommitment([pepper; 16]),
    )
}
