//! The store, and opening it.

use crate::background::Background;
use crate::batch::Batches;
use crate::connect::{self, OpenError, PostgresUrl};
use crate::error::Error;
use crate::evidence_shares::CountedShares;
use crate::holders::Holders;
use crate::schema::{Founding, check_server, establish, in_open, is_distributed, migrate};
use crate::sql::session;
use crate::step::Step;
use crate::transaction::{Mode, Transactions, Work};
use crate::turn::Turn;
use crate::upkeep;
use crate::value::Columns;
use crate::workers::Workers;
use deadpool_postgres::Pool;
use std::sync::Arc;
use voight_domain::ports::{Clock, Entropy, StoreError, StoreInfo};
use voight_domain::secrets::PepperCommitment;

/// Connections that one process opens at most.
const CONNECTIONS: usize = 16;

/// Where a store lies and how much it may take.
#[derive(Debug, Clone)]
pub struct PostgresOptions {
    /// The database.
    pub url: PostgresUrl,
    /// The most bytes of raw evidence to keep, over all nodes.
    pub evidence_budget: u64,
}

/// Every storage port on PostgreSQL. See the crate's documentation.
pub struct PostgresStore {
    pub(crate) transactions: Arc<Transactions>,
    pub(crate) batches: Arc<Batches>,
    pub(crate) holders: Arc<Holders>,
    pub(crate) turn: Arc<Turn>,
    pub(crate) info: StoreInfo,
    pub(crate) evidence_budget: u64,
    pub(crate) evidence_shares: Arc<CountedShares>,
    // Last, so that calls under way still have what is above.
    pub(crate) background: Background,
}

/// Opens the store in the database of `options`, and creates it in an empty one. Of several processes that open it at once, one
/// creates it.
///
/// Refused, in one sentence that says what to do: a database that cannot be reached, that does not let us in, that takes no
/// writes or may lose them, that holds something else or tables of a newer release, and one that belongs to another pepper.
///
/// Blocking.
pub fn open(
    options: &PostgresOptions,
    clock: Arc<dyn Clock>,
    entropy: &dyn Entropy,
    pepper: PepperCommitment,
) -> Result<Arc<PostgresStore>, OpenError> {
    let url = options.url.clone();
    let mut random = [0; 10];
    entropy.fill(&mut random);
    let founding = Founding { pepper, now: clock.now(), entropy: random };
    let background = Background::start().map_err(|error| OpenError::unusable(&url, error))?;
    let pool = connect::pool(&url, CONNECTIONS)?;
    let prepared = {
        let (pool, url, clock) = (pool.clone(), url.clone(), Arc::clone(&clock));
        background.wait(async move { prepare(&pool, &url, &clock, founding).await })
    };
    let (info, node, workers) = prepared.unwrap_or_else(|| Err(OpenError::unusable(&url, "opening it panicked")))?;
    let transactions = Transactions::on(pool, clock, node).with_workers(workers);
    let transactions = Arc::new(transactions.with_other_hosts(url.has_several_hosts()));
    background.keep_doing(upkeep::look_all_along(Arc::clone(&transactions)));
    background.keep_doing(upkeep::ask_workers_all_along(Arc::clone(&transactions)));
    let turn = Arc::new(Turn::of(node, Arc::clone(&transactions)));
    background.keep_doing(upkeep::sweep_now_and_then(Arc::clone(&transactions), Arc::clone(&turn)));
    let routes = Arc::default();
    let batches = Arc::new(Batches::over(Arc::clone(&transactions), Arc::clone(&routes)));
    let holders = Arc::new(Holders::over(Arc::clone(&transactions), routes));
    Ok(Arc::new(PostgresStore {
        transactions,
        batches,
        holders,
        turn,
        info,
        evidence_budget: options.evidence_budget,
        evidence_shares: Arc::default(),
        background,
    }))
}

/// Makes the database ready: who the store is, and random bytes that are this process's alone.
async fn prepare(
    pool: &Pool,
    url: &PostgresUrl,
    clock: &Arc<dyn Clock>,
    founding: Founding,
) -> Result<(StoreInfo, [u8; 16], Option<Arc<Workers>>), OpenError> {
    let lend = || async {
        let connection = pool.get().await.map_err(|error| OpenError::of_pool(url, &error))?;
        Ok(Step::on(connection, Arc::clone(clock)))
    };
    let (lock, work) = (lend().await?, lend().await?);
    let ready = async {
        check_server(&work, url).await?;
        migrate(&lock, &work, url).await?;
        let info = establish(&work, &founding, url).await?;
        let node = node(&work).await.map_err(|error| OpenError::unusable(url, error))?;
        Ok((info, node, workers(&work, url).await?))
    };
    let ready = ready.await;
    // Whatever is open on it ends with it.
    lock.discard();
    work.give_back();
    ready
}

/// The machines of a distributed store, whose settings are checked.
async fn workers(step: &Step, url: &PostgresUrl) -> Result<Option<Arc<Workers>>, OpenError> {
    let known = async { if is_distributed(step).await? { Workers::of(step).await.map(Some) } else { Ok(None) } };
    let Some(workers) = known.await.map_err(|error| in_open(url, error))? else { return Ok(None) };
    workers.check(step).await?;
    Ok(Some(Arc::new(workers)))
}

async fn node(step: &Step) -> Result<[u8; 16], Error> {
    let row = step.row(session::CONNECTION_ID, Vec::new()).await?;
    let text: String = row.map_or_else(|| Err(Error::damaged("no id")), |row| row.column(0))?;
    let [first, second] = [b"1", b"2"].map(|part| *blake3::hash(&[text.as_bytes(), part].concat()).as_bytes());
    let mut id = [0; 16];
    id[..8].copy_from_slice(&first[..8]);
    id[8..].copy_from_slice(&second[..8]);
    Ok(id)
}

impl PostgresStore {
    /// Runs one statement that reads.
    pub(crate) async fn read<A, T>(&self, arguments: A, work: Work<A, T>) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.call(Mode::Read, arguments, work).await
    }

    /// Runs statements that read one moment.
    pub(crate) async fn snapshot<A, T>(&self, arguments: A, work: Work<A, T>) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.call(Mode::Snapshot, arguments, work).await
    }

    /// Runs a transaction.
    pub(crate) async fn write<A, T>(&self, arguments: A, work: Work<A, T>) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        self.call(Mode::Write, arguments, work).await
    }

    async fn call<A, T>(&self, mode: Mode, arguments: A, work: Work<A, T>) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        let transactions = Arc::clone(&self.transactions);
        let call = async move { Ok(transactions.run(mode, &arguments, work).await?) };
        self.background.finish(call).await
    }
}

/// What this node does beside serving is another one's at once.
impl Drop for PostgresStore {
    fn drop(&mut self) {
        let turn = Arc::clone(&self.turn);
        self.background.wait(async move { turn.leave().await });
    }
}
