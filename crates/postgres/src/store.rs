//! PostgreSQL store, and the function that opens it.

use crate::background_jobs;
use crate::batch::LookupBatcher;
use crate::connect::{self, OpenError, PostgresUrl};
use crate::connection::Transaction;
use crate::error::Error;
use crate::evidence_shares::CountedShares;
use crate::key_cache::KeyCache;
use crate::leader_lease::LeaderLease;
use crate::schema::{
    IdentityInit, Schema, check_server, in_open, is_distributed, load_or_create, migrate,
};
use crate::sql::session;
use crate::task_runtime::TaskRuntime;
use crate::transaction_runner::{TransactionBody, TransactionMode, TransactionRunner};
use crate::value::RowExt;
use crate::workers::Workers;
use deadpool_postgres::Pool;
use std::sync::Arc;
use voight_domain::ports::{Clock, Entropy, StoreError, StoreInfo};
use voight_domain::secrets::PepperCommitment;

/// Maximum number of connections of one process.
const MAX_CONNECTIONS: usize = 16;

/// Location of a store, and its budget of raw evidence.
#[derive(Debug, Clone)]
pub struct PostgresOptions {
    /// URL of the database.
    pub url: PostgresUrl,
    /// Maximum size of raw evidence in bytes, over all nodes.
    pub evidence_max_bytes: u64,
}

/// Implementation of every storage port on PostgreSQL. The crate documentation describes its design.
pub struct PostgresStore {
    pub(crate) transactions: Arc<TransactionRunner>,
    pub(crate) lookup_batcher: Arc<LookupBatcher>,
    pub(crate) key_cache: Arc<KeyCache>,
    pub(crate) leader_lease: Arc<LeaderLease>,
    pub(crate) info: StoreInfo,
    pub(crate) evidence_max_bytes: u64,
    pub(crate) evidence_shares: Arc<CountedShares>,
    // Dropped last, because calls in flight use the fields above.
    pub(crate) task_runtime: TaskRuntime,
}

/// Opens the store in the database of `options`; creates it in an empty database.
///
/// If several processes open an empty database at once, one of them creates the store. Blocks the current thread.
///
/// # Errors
///
/// The error names the reason and the remedy. A database is rejected if it
/// - cannot be reached or rejects the login,
/// - accepts no writes or may lose acknowledged ones,
/// - contains other tables, or those of a newer release,
/// - belongs to another pepper.
pub fn open(
    options: &PostgresOptions,
    clock: Arc<dyn Clock>,
    entropy: &dyn Entropy,
    pepper: PepperCommitment,
) -> Result<Arc<PostgresStore>, OpenError> {
    let url = options.url.clone();
    let mut random = [0; 10];
    entropy.fill(&mut random);
    let identity_init = IdentityInit {
        pepper,
        now: clock.now(),
        entropy: random,
    };
    let background = TaskRuntime::start().map_err(|error| OpenError::unusable(&url, error))?;
    let pool = connect::pool(&url, MAX_CONNECTIONS)?;
    let prepare_result = {
        let pool = pool.clone();
        let url = url.clone();
        let clock = Arc::clone(&clock);
        background.block_on(async move { prepare(&pool, &url, &clock, identity_init).await })
    };
    let (info, node, workers) =
        prepare_result.unwrap_or_else(|| Err(OpenError::unusable(&url, "opening it panicked")))?;
    let transactions = TransactionRunner::new(pool, clock, node).with_workers(workers);
    let transactions = Arc::new(transactions.with_other_hosts(url.has_several_hosts()));
    background.spawn_detached(background_jobs::run_health_probe(Arc::clone(&transactions)));
    background.spawn_detached(background_jobs::run_worker_probe(Arc::clone(&transactions)));
    let leader_lease = Arc::new(LeaderLease::new(node, Arc::clone(&transactions)));
    background.spawn_detached(background_jobs::run_purge(
        Arc::clone(&transactions),
        Arc::clone(&leader_lease),
    ));
    let key_locations = Arc::default();
    let lookup_batcher = Arc::new(LookupBatcher::new(
        Arc::clone(&transactions),
        Arc::clone(&key_locations),
    ));
    let key_cache = Arc::new(KeyCache::new(Arc::clone(&transactions), key_locations));
    Ok(Arc::new(PostgresStore {
        transactions,
        lookup_batcher,
        key_cache,
        leader_lease,
        info,
        evidence_max_bytes: options.evidence_max_bytes,
        evidence_shares: Arc::default(),
        task_runtime: background,
    }))
}

/// Prepares the database. Returns the identity of the store, random bytes unique to this process, and the workers.
async fn prepare(
    pool: &Pool,
    url: &PostgresUrl,
    clock: &Arc<dyn Clock>,
    identity_init: IdentityInit,
) -> Result<(StoreInfo, [u8; 16], Option<Arc<Workers>>), OpenError> {
    let lend = || async {
        let connection = pool
            .get()
            .await
            .map_err(|error| OpenError::of_pool(url, &error))?;
        Ok(Transaction::new(connection, Arc::clone(clock)))
    };
    let lock = lend().await?;
    let work = lend().await?;
    let ready = async {
        check_server(&work, url).await?;
        migrate(&lock, &work, url, Schema::RELEASED).await?;
        let info = load_or_create(&work, &identity_init, url).await?;
        let node = draw_node_id(&work)
            .await
            .map_err(|error| OpenError::unusable(url, error))?;
        Ok((info, node, workers(&work, url).await?))
    };
    let ready = ready.await;
    // Closing the connection rolls back any transaction that is open on it.
    lock.discard();
    work.release();
    ready
}

/// Reads the servers of a distributed store and verifies their settings. `None` for a store on one server.
async fn workers(
    transaction: &Transaction,
    url: &PostgresUrl,
) -> Result<Option<Arc<Workers>>, OpenError> {
    let load = async {
        if is_distributed(transaction).await? {
            Workers::load(transaction).await.map(Some)
        } else {
            Ok(None)
        }
    };
    let Some(workers) = load.await.map_err(|error| in_open(url, error))? else {
        return Ok(None);
    };
    workers.check(transaction).await?;
    Ok(Some(Arc::new(workers.with_hosts_of(url)?)))
}

async fn draw_node_id(transaction: &Transaction) -> Result<[u8; 16], Error> {
    let row = transaction.row(session::CONNECTION_ID, Vec::new()).await?;
    let text: String = row.map_or_else(|| Err(Error::damaged("no id")), |row| row.column(0))?;
    let [first, second] =
        [b"1", b"2"].map(|part| *blake3::hash(&[text.as_bytes(), part].concat()).as_bytes());
    let mut id = [0; 16];
    id[..8].copy_from_slice(&first[..8]);
    id[8..].copy_from_slice(&second[..8]);
    Ok(id)
}

impl PostgresStore {
    /// Runs a transaction of one read statement.
    pub(crate) async fn read<A, T>(
        &self,
        arguments: A,
        work: TransactionBody<A, T>,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.call(TransactionMode::Read, arguments, work).await
    }

    /// Runs a transaction of reads on one snapshot.
    pub(crate) async fn snapshot<A, T>(
        &self,
        arguments: A,
        work: TransactionBody<A, T>,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.call(TransactionMode::Snapshot, arguments, work).await
    }

    /// Runs a transaction that reads and writes.
    pub(crate) async fn write<A, T>(
        &self,
        arguments: A,
        work: TransactionBody<A, T>,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.call(TransactionMode::Write, arguments, work).await
    }

    async fn call<A, T>(
        &self,
        mode: TransactionMode,
        arguments: A,
        work: TransactionBody<A, T>,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        let transactions = Arc::clone(&self.transactions);
        let call = async move { Ok(transactions.run(mode, &arguments, work).await?) };
        self.task_runtime.run_to_completion(call).await
    }
}

/// Releases the leader lease, so that another node runs the background jobs at once.
impl Drop for PostgresStore {
    fn drop(&mut self) {
        let leader_lease = Arc::clone(&self.leader_lease);
        self.task_runtime
            .block_on(async move { leader_lease.release().await });
    }
}
