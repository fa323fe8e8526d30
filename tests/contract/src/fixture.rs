//! Fixture: a separate store for each case, with helpers to fill it.

use crate::block_on::block_on_ok;
use crate::factory::StoreFactory;
use crate::generate::{START, ValueGenerator, audit, book};
use std::env;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use voight_domain::check::{CheckConclusion, ConcludeOutcome, RedeemOutcome, Redemption};
use voight_domain::metering::{
    BatchLookupRequest, LedgerId, Limit, LookupOutcome, LookupRequest, RecordedBatch,
};
use voight_domain::ports::{Clock, LedgerEntry, RegisterOutcome, Store};
use voight_domain::registry::{
    AuditAction, Client, ClientChange, ClientStatus, Context, Key, KeyChange,
};
use voight_domain::vocabulary::{ClientId, Environment, EoaAddress, Timestamp};
use voight_support::ManualClock;

/// Number of threads of concurrent cases, typical for the lookup connections of a service.
pub(crate) const THREADS: usize = 64;

/// Number of writer threads, and of concurrent reader threads.
pub(crate) const WRITERS: usize = 8;

/// Evidence budget of the suite's stores in bytes.
pub(crate) const EVIDENCE_BUDGET: u64 = 256 * 1024;

/// Time that is never reached.
pub(crate) const FOREVER: Timestamp = Timestamp::from_millis(i64::MAX);

/// Limit that exceeds every list of the suite.
pub(crate) const ALL: usize = 100_000;

/// Store in its own directory, with its clock and a generator for values.
pub(crate) struct Fixture {
    factory: Arc<dyn StoreFactory>,
    dir: TempDir,
    store: Option<Arc<dyn Store>>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) make: ValueGenerator,
}

/// Client with an API key and a context, as most cases need.
pub(crate) struct TestAccount {
    pub(crate) client: Client,
    pub(crate) key: Key,
    pub(crate) context: Context,
}

impl Fixture {
    /// Opens an empty store.
    pub(crate) fn open(factory: Arc<dyn StoreFactory>) -> Self {
        Self::open_in(factory, tempfile::tempdir())
    }

    /// Opens an empty store on a file system in memory, for cases that need many stores and no disk. Uses a disk if
    /// there is none or `TMPDIR` is set.
    pub(crate) fn in_memory(factory: Arc<dyn StoreFactory>) -> Self {
        let has_temp_dir = env::var_os("TMPDIR").is_some();
        let in_memory = if has_temp_dir {
            None
        } else {
            tempfile::tempdir_in("/dev/shm").ok()
        };
        Self::open_in(factory, in_memory.map_or_else(tempfile::tempdir, Ok))
    }

    fn open_in(factory: Arc<dyn StoreFactory>, dir: io::Result<TempDir>) -> Self {
        let dir = match dir {
            Ok(dir) => dir,
            Err(error) => panic!("no directory for the store: {error}"),
        };
        let clock = Arc::new(ManualClock::new(START));
        let mut fixture = Self {
            factory,
            dir,
            store: None,
            clock,
            make: ValueGenerator::default(),
        };
        fixture.store = Some(fixture.another());
        fixture
    }

    /// Returns the store.
    pub(crate) fn store(&self) -> &dyn Store {
        match &self.store {
            Some(store) => store.as_ref(),
            None => panic!("the store is closed"),
        }
    }

    /// Returns the store for a decorator, which must be dropped before the store is reopened.
    pub(crate) fn shared(&self) -> Arc<dyn Store> {
        match &self.store {
            Some(store) => Arc::clone(store),
            None => panic!("the store is closed"),
        }
    }

    /// Opens another empty store of the same kind.
    pub(crate) fn fresh(&self) -> Self {
        Self::open(Arc::clone(&self.factory))
    }

    /// Restores a backup to a new store.
    pub(crate) fn restored(&self, backup: &[u8]) -> Self {
        let factory = Arc::clone(&self.factory);
        let dir = tempfile::tempdir().and_then(|dir| {
            factory
                .restore(dir.path(), backup)
                .map_err(io::Error::other)?;
            Ok(dir)
        });
        Self::open_in(factory, dir)
    }

    /// Drops the store and reopens its directory.
    pub(crate) fn reopen(&mut self) {
        self.store = None;
        self.store = Some(self.another());
    }

    /// Opens the directory as another node.
    pub(crate) fn another(&self) -> Arc<dyn Store> {
        match self
            .factory
            .open(self.dir.path(), self.shared_clock(), EVIDENCE_BUDGET)
        {
            Ok(store) => store,
            Err(error) => panic!("the store does not open: {error}"),
        }
    }

    /// Returns the clock, for another store that exists at the same time.
    pub(crate) fn shared_clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock) as Arc<dyn Clock>
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn client(&self) -> Client {
        let client = self.make.client(self.now());
        block_on_ok(self.store().create_client(
            client.clone(),
            audit(AuditAction::ClientCreated, &client.id, self.now()),
        ))
    }

    pub(crate) fn key(&self, client: &Client) -> Key {
        self.issue(self.make.key(client.id, Environment::Live, self.now()))
    }

    pub(crate) fn issue(&self, key: Key) -> Key {
        let entry = audit(AuditAction::KeyIssued, &key.id, self.now());
        match block_on_ok(self.store().create_key(key, entry)) {
            Some(key) => key,
            None => panic!("the client of the key is missing"),
        }
    }

    /// Rotates the API key to a new secret. Earlier ones are valid until `overlap_until`.
    pub(crate) fn rotate(&self, key: &Key, overlap_until: Timestamp) -> Key {
        let change = KeyChange::Rotate {
            secret: self.make.secret(),
            overlap_until: Some(overlap_until),
        };
        let entry = audit(AuditAction::KeyRotated, &key.id, self.now());
        match block_on_ok(self.store().change_key(key.id, change, entry)) {
            Some(key) => key,
            None => panic!("the key is missing"),
        }
    }

    pub(crate) fn context(&self, key: &Key) -> Context {
        let context = self.make.context(key, self.now());
        let entry = audit(AuditAction::ContextRegistered, &context.id, self.now());
        match block_on_ok(self.store().register_context(context, None, entry)) {
            RegisterOutcome::Registered(context) => context,
            other => panic!("the context was not registered: {other:?}"),
        }
    }

    pub(crate) fn account(&self) -> TestAccount {
        let client = self.client();
        let key = self.key(&client);
        let context = self.context(&key);
        TestAccount {
            client,
            key,
            context,
        }
    }

    /// Returns an account with a sandbox key.
    pub(crate) fn sandbox_account(&self) -> TestAccount {
        let client = self.client();
        let key = self.issue(self.make.key(client.id, Environment::Sandbox, self.now()));
        let context = self.context(&key);
        TestAccount {
            client,
            key,
            context,
        }
    }

    pub(crate) fn set_status(&self, client: &Client, status: ClientStatus) {
        let entry = audit(AuditAction::ClientChanged, &client.id, self.now());
        let changed_client = block_on_ok(self.store().change_client(
            client.id,
            ClientChange::Status(status),
            entry,
        ));
        assert!(
            changed_client.is_some_and(|client| client.status == status),
            "the change of the client was lost"
        );
    }

    pub(crate) fn set_limit(&self, client: &Client, limit: Limit) {
        let entry = audit(AuditAction::LimitChanged, &client.id, self.now());
        block_on_ok(
            self.store()
                .set_limit(LedgerId::live(client.id), limit, book(), entry),
        );
    }

    /// Returns a lookup with the account's API key in the account's context.
    pub(crate) fn request(&self, account: &TestAccount, address: EoaAddress) -> LookupRequest {
        self.make.lookup(&account.key, &account.context, address)
    }

    pub(crate) fn answer(&self, request: &LookupRequest) -> LookupOutcome {
        block_on_ok(self.store().answer(request.clone()))
    }

    pub(crate) fn answer_batch(
        &self,
        request: &BatchLookupRequest,
    ) -> LookupOutcome<RecordedBatch> {
        block_on_ok(self.store().answer_batch(request.clone()))
    }

    pub(crate) fn conclude(&self, conclusion: &CheckConclusion) -> ConcludeOutcome {
        block_on_ok(self.store().conclude(conclusion.clone()))
    }

    pub(crate) fn redeem(&self, redemption: &Redemption) -> RedeemOutcome {
        block_on_ok(self.store().redeem(redemption.clone()))
    }

    /// Returns the complete live ledger of a client.
    pub(crate) fn ledger(&self, client: ClientId) -> Vec<LedgerEntry> {
        block_on_ok(self.store().rows(LedgerId::live(client), 0, ALL))
    }
}

/// Runs `work` on [`THREADS`] threads that start together. Its argument is the number of the thread.
pub(crate) fn together<T: Send>(work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    together_on(THREADS, work)
}

fn together_on<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let barrier = Barrier::new(threads);
    thread::scope(|scope| {
        let start = |number| {
            let work = &work;
            let barrier = &barrier;
            scope.spawn(move || {
                barrier.wait();
                work(number)
            })
        };
        let threads: Vec<_> = (0..threads).map(start).collect();
        threads.into_iter().map(joined).collect()
    })
}

/// Runs [`WRITERS`] writer threads, and as many reader threads until all writers have ended. Each writer runs once;
/// readers repeat, and read once more at the end.
///
/// A panic also ends a writer, so that the case fails instead of running forever.
pub(crate) fn while_written(write: impl Fn(usize) + Sync, read: impl Fn() + Sync) {
    struct EndCounter<'a>(&'a AtomicUsize);

    impl Drop for EndCounter<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    let ended_writers = AtomicUsize::new(0);
    together_on(2 * WRITERS, |thread| {
        if thread % 2 == 0 {
            let _end_counter = EndCounter(&ended_writers);
            write(thread / 2);
        } else {
            while ended_writers.load(Ordering::SeqCst) < WRITERS {
                read();
            }
            read();
        }
    });
}

/// Joins a thread, returns its result, and resumes its panic.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Waits until `condition` holds, and fails after ten seconds.
#[track_caller]
pub(crate) fn eventually(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..1000 {
        if condition() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("timeout after ten seconds: {what}");
}
