//! A store of its own for each case, and short ways to fill it.

use crate::block_on::block_on_ok;
use crate::clock::ManualClock;
use crate::factory::StoreFactory;
use crate::make::{START, ValueGenerator, audit, book};
use std::env;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use voight_domain::check::{CheckConclusion, ConcludeOutcome, RedeemOutcome, Redemption};
use voight_domain::metering::{Limit, LookupOutcome, LookupRequest};
use voight_domain::ports::{Clock, LedgerEntry, RegisterOutcome, Store};
use voight_domain::registry::{AuditAction, Client, ClientChange, ClientStatus, Context, Key, KeyChange};
use voight_domain::vocabulary::{ClientId, Environment, EoaAddress, Timestamp};

/// The number of threads of the cases that ask for concurrency: as many as a service has connections that look up.
pub(crate) const THREADS: usize = 64;

/// The number of threads that write while as many others read.
pub(crate) const WRITERS: usize = 8;

/// The bytes of evidence that a store of the suite may keep.
pub(crate) const EVIDENCE_BUDGET: u64 = 256 * 1024;

/// A time that does not come.
pub(crate) const FOREVER: Timestamp = Timestamp::from_millis(i64::MAX);

/// No list of the suite is longer.
pub(crate) const ALL: usize = 100_000;

/// A store in a directory of its own, its clock, and what makes the values to put into it.
pub(crate) struct Fixture {
    factory: Arc<dyn StoreFactory>,
    dir: TempDir,
    store: Option<Arc<dyn Store>>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) make: ValueGenerator,
}

/// A client with a key and a context, which is what most cases need.
pub(crate) struct TestAccount {
    pub(crate) client: Client,
    pub(crate) key: Key,
    pub(crate) context: Context,
}

impl Fixture {
    /// An empty store.
    pub(crate) fn open(factory: Arc<dyn StoreFactory>) -> Self {
        Self::open_in(factory, tempfile::tempdir())
    }

    /// An empty store on a file system in memory, if there is one and `TMPDIR` names no other place: for what asks for many
    /// stores and not for a disk.
    pub(crate) fn in_memory(factory: Arc<dyn StoreFactory>) -> Self {
        let named = env::var_os("TMPDIR").is_some();
        let in_memory = if named { None } else { tempfile::tempdir_in("/dev/shm").ok() };
        Self::open_in(factory, in_memory.map_or_else(tempfile::tempdir, Ok))
    }

    fn open_in(factory: Arc<dyn StoreFactory>, dir: io::Result<TempDir>) -> Self {
        let dir = match dir {
            Ok(dir) => dir,
            Err(error) => panic!("no directory for the store: {error}"),
        };
        let clock = Arc::new(ManualClock::new(START));
        let mut fixture = Self { factory, dir, store: None, clock, make: ValueGenerator::default() };
        fixture.store = Some(fixture.another());
        fixture
    }

    /// The store.
    pub(crate) fn store(&self) -> &dyn Store {
        match &self.store {
            Some(store) => store.as_ref(),
            None => panic!("the store is closed"),
        }
    }

    /// The store, for a decorator; whoever has it must let go of it before the store is opened again.
    pub(crate) fn shared(&self) -> Arc<dyn Store> {
        match &self.store {
            Some(store) => Arc::clone(store),
            None => panic!("the store is closed"),
        }
    }

    /// Another empty store of the same kind.
    pub(crate) fn fresh(&self) -> Self {
        Self::open(Arc::clone(&self.factory))
    }

    /// The store of a backup.
    pub(crate) fn restored(&self, backup: &[u8]) -> Self {
        let factory = Arc::clone(&self.factory);
        let dir = tempfile::tempdir().and_then(|dir| {
            factory.restore(dir.path(), backup).map_err(io::Error::other)?;
            Ok(dir)
        });
        Self::open_in(factory, dir)
    }

    /// Drops the store and opens its directory again.
    pub(crate) fn reopen(&mut self) {
        self.store = None;
        self.store = Some(self.another());
    }

    /// The same directory, opened once more.
    pub(crate) fn another(&self) -> Arc<dyn Store> {
        match self.factory.open(self.dir.path(), self.shared_clock(), EVIDENCE_BUDGET) {
            Ok(store) => store,
            Err(error) => panic!("the store does not open: {error}"),
        }
    }

    /// The clock, for another store that shall live at the same time.
    pub(crate) fn shared_clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock) as Arc<dyn Clock>
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn client(&self) -> Client {
        let client = self.make.client(self.now());
        block_on_ok(
            self.store().create_client(client.clone(), audit(AuditAction::ClientCreated, &client.id, self.now())),
        )
    }

    pub(crate) fn key(&self, client: &Client) -> Key {
        self.issue(self.make.key(client.id, Environment::Live, self.now()))
    }

    pub(crate) fn issue(&self, key: Key) -> Key {
        let entry = audit(AuditAction::KeyIssued, &key.id, self.now());
        match block_on_ok(self.store().create_key(key, entry)) {
            Some(key) => key,
            None => panic!("the client of the key is not there"),
        }
    }

    /// The key with a new secret; those before it are valid until `overlap_until`.
    pub(crate) fn rotate(&self, key: &Key, overlap_until: Timestamp) -> Key {
        let change = KeyChange::Rotate { secret: self.make.secret(), overlap_until: Some(overlap_until) };
        let entry = audit(AuditAction::KeyRotated, &key.id, self.now());
        match block_on_ok(self.store().change_key(key.id, change, entry)) {
            Some(key) => key,
            None => panic!("the key is gone"),
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
        TestAccount { client, key, context }
    }

    pub(crate) fn set_status(&self, client: &Client, status: ClientStatus) {
        let entry = audit(AuditAction::ClientChanged, &client.id, self.now());
        let changed = block_on_ok(self.store().change_client(client.id, ClientChange::Status(status), entry));
        assert!(changed.is_some_and(|client| client.status == status), "the change of the client was lost");
    }

    pub(crate) fn set_limit(&self, client: &Client, limit: Limit) {
        let entry = audit(AuditAction::LimitChanged, &client.id, self.now());
        block_on_ok(self.store().set_limit(client.id, Environment::Live, limit, book(), entry));
    }

    /// A lookup with the account's key in the account's context.
    pub(crate) fn request(&self, account: &TestAccount, address: EoaAddress) -> LookupRequest {
        self.make.lookup(&account.key, &account.context, address)
    }

    pub(crate) fn answer(&self, request: &LookupRequest) -> LookupOutcome {
        block_on_ok(self.store().answer(request.clone()))
    }

    pub(crate) fn conclude(&self, conclusion: &CheckConclusion) -> ConcludeOutcome {
        block_on_ok(self.store().conclude(conclusion.clone()))
    }

    pub(crate) fn redeem(&self, redemption: &Redemption) -> RedeemOutcome {
        block_on_ok(self.store().redeem(redemption.clone()))
    }

    /// A client's whole live ledger.
    pub(crate) fn ledger(&self, client: ClientId) -> Vec<LedgerEntry> {
        block_on_ok(self.store().rows(client, Environment::Live, 0, ALL))
    }
}

/// Runs `work` on [`THREADS`] threads that start together, and gives it the number of its thread.
pub(crate) fn together<T: Send>(work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    together_on(THREADS, work)
}

fn together_on<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let barrier = Barrier::new(threads);
    thread::scope(|scope| {
        let start = |number| {
            let (work, barrier) = (&work, &barrier);
            scope.spawn(move || {
                barrier.wait();
                work(number)
            })
        };
        let threads: Vec<_> = (0..threads).map(start).collect();
        threads.into_iter().map(joined).collect()
    })
}

/// [`WRITERS`] threads write, each once; as many others read again and again until every writer has ended, and then once
/// more. A writer that panics has ended, too, so that the case fails instead of going on for ever.
pub(crate) fn while_written(write: impl Fn(usize) + Sync, read: impl Fn() + Sync) {
    struct EndCounter<'a>(&'a AtomicUsize);

    impl Drop for EndCounter<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    let ended = AtomicUsize::new(0);
    together_on(2 * WRITERS, |thread| {
        if thread % 2 == 0 {
            let _ended = EndCounter(&ended);
            write(thread / 2);
        } else {
            while ended.load(Ordering::SeqCst) < WRITERS {
                read();
            }
            read();
        }
    });
}

/// What a thread returned; its panic goes on here.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Waits until `condition` holds, for ten seconds at most.
#[track_caller]
pub(crate) fn eventually(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..1000 {
        if condition() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("after ten seconds still not so: {what}");
}
