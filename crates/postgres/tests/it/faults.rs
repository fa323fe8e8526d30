//! Broken connections and unavailable servers.
//!
//! An acknowledged write is applied exactly once, any other write at most once.

use crate::common::{open, schema_name, server};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::Duration;
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, address, audit};
use voight_domain::metering::{LedgerId, LookupOutcome, LookupRequest};
use voight_domain::ports::{
    AdminStore, BillingStore, Health, LookupStore, RegisterOutcome, RegistryStore, StoreError,
};
use voight_domain::registry::{AuditAction, Context, Key};
use voight_domain::vocabulary::Environment;
use voight_postgres::PostgresStore;
use voight_tests::postgres::{FaultProxy, NetworkFault, Postgres};

/// Store behind a fault proxy, with the key and context of a client.
struct ProxyFixture {
    server: Postgres,
    schema: String,
    proxy: FaultProxy,
    store: Arc<PostgresStore>,
    make: ValueGenerator,
    key: Key,
    context: Context,
    /// Number of answered lookups.
    answered: AtomicU32,
}

impl ProxyFixture {
    fn start() -> Self {
        let server = server();
        let schema = schema_name();
        let proxy = FaultProxy::to_shared(&server);
        let url = server.schema(&schema).expect("a schema");
        let store = open(&url_through(&proxy, &url)).expect("a store");
        let make = ValueGenerator::default();
        let client = make.client(START);
        block_on(store.create_client(
            client.clone(),
            audit(AuditAction::ClientCreated, &client.id, START),
        ))
        .expect("a client");
        let key = make.key(client.id, Environment::Live, START);
        let key =
            block_on(store.create_key(key.clone(), audit(AuditAction::KeyIssued, &key.id, START)));
        let key = key.expect("a call").expect("a key");
        let context = make.context(&key, START);
        let entry = audit(AuditAction::ContextRegistered, &context.id, START);
        let registration = block_on(store.register_context(context, None, entry)).expect("a call");
        let RegisterOutcome::Registered(context) = registration else {
            panic!("{registration:?}")
        };
        Self {
            server,
            schema,
            proxy,
            store,
            make,
            key,
            context,
            answered: AtomicU32::new(0),
        }
    }

    fn request(&self, number: u32) -> LookupRequest {
        LookupRequest {
            idempotency: Some(self.make.idempotency()),
            ..self.make.lookup(&self.key, &self.context, address(number))
        }
    }

    /// Looks up `times` addresses on each of `threads` threads until answered; returns the number of retries.
    fn look_up(&self, threads: u32, times: u32) -> usize {
        thread::scope(|scope| {
            let work = |thread: u32| {
                (0..times)
                    .map(|time| self.until_answered(&self.request(thread * times + time)))
                    .sum::<usize>()
            };
            let threads: Vec<_> = (0..threads)
                .map(|thread| scope.spawn(move || work(thread)))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .sum()
        })
    }

    fn until_answered(&self, request: &LookupRequest) -> usize {
        for retries in 0..500 {
            match block_on(self.store.answer(request.clone())) {
                Ok(LookupOutcome::Recorded(..) | LookupOutcome::Replayed(_)) => {
                    self.answered.fetch_add(1, Ordering::SeqCst);
                    return retries;
                }
                Ok(outcome) => panic!("{outcome:?}"),
                Err(StoreError::NotApplied(_) | StoreError::MaybeApplied(_)) => {
                    thread::sleep(Duration::from_millis(20));
                }
                Err(error) => panic!("{error}"),
            }
        }
        panic!("never answered");
    }

    /// Asserts that every lookup has one row without gaps, and that the audit log has `expected_audit` entries.
    fn assert_exact(&self, lookups: usize, expected_audit: u64) {
        let store = &self.store;
        let rows =
            block_on(store.rows(LedgerId::live(self.key.client), 0, 1_000_000)).expect("rows");
        assert_eq!(rows.len(), lookups);
        assert!(
            rows.iter()
                .zip(1..)
                .all(|(entry, seq)| entry.row.seq == seq),
            "the ledger has gaps"
        );
        let meter = block_on(store.meter(LedgerId::live(self.key.client)))
            .expect("a call")
            .expect("a meter");
        assert_eq!(meter.seq, lookups as u64);
        assert_eq!(
            block_on(store.audit_head()).expect("a head").seq,
            expected_audit
        );
    }
}

/// Returns `url`, which names a socket, with the address of the fault proxy instead.
fn url_through(proxy: &FaultProxy, url: &str) -> String {
    let (_, options) = url.split_once("&options=").expect("a URL of a schema");
    format!(
        "postgres://postgres@127.0.0.1:{}/postgres?sslmode=disable&options={options}",
        proxy.port()
    )
}

/// Waits for at most ten seconds until `is_so` returns `true`.
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let soon = (0..500).any(|_| {
        thread::sleep(Duration::from_millis(20));
        is_so()
    });
    assert!(soon, "after ten seconds still not so: {what}");
}

/// Waits until the store reports that it is unreachable; returns the reason.
fn eventually_away(store: &PostgresStore) -> String {
    eventually("the store is away", || {
        matches!(store.health(), Health::Unreachable(_))
    });
    match store.health() {
        Health::Unreachable(why) => why,
        health => panic!("back too soon: {health:?}"),
    }
}

/// Asserts that every write is applied once and that no caller sees the fault.
#[track_caller]
fn assert_fault_is_invisible(trouble: NetworkFault) {
    let fixture = ProxyFixture::start();
    fixture.proxy.inject(trouble);
    assert_eq!(fixture.look_up(4, 30), 0, "a caller received an error");
    for _ in 0..9 {
        block_on(
            fixture
                .store
                .append_audit(audit(AuditAction::ClockAcknowledged, "", START)),
        )
        .expect("an entry");
    }
    assert!(fixture.proxy.times() > 3, "nothing has happened");
    fixture.assert_exact(120, 12);
}

#[test]
fn commit_with_lost_answer_is_resolved() {
    assert_fault_is_invisible(NetworkFault::After);
}

#[test]
fn commit_with_partial_answer_is_resolved() {
    assert_fault_is_invisible(NetworkFault::HalfAnswered);
}

#[test]
fn transaction_lost_before_commit_is_retried() {
    assert_fault_is_invisible(NetworkFault::Before);
}

#[test]
fn interrupted_commit_is_retried() {
    assert_fault_is_invisible(NetworkFault::Half);
}

#[test]
fn commit_after_a_reset_is_retried() {
    assert_fault_is_invisible(NetworkFault::Reset);
}

#[test]
fn slow_connection_is_invisible_to_callers() {
    assert_fault_is_invisible(NetworkFault::Late);
}

#[test]
fn unreachable_database_is_reconnected() {
    let fixture = ProxyFixture::start();
    assert_eq!(fixture.look_up(1, 3), 0);
    fixture.proxy.inject(NetworkFault::Away);
    let lookup_result = block_on(fixture.store.answer(fixture.request(7)));
    assert!(
        matches!(lookup_result, Err(StoreError::NotApplied(_))),
        "{lookup_result:?}"
    );
    let why = eventually_away(&fixture.store);
    assert!(!why.is_empty());
    fixture.proxy.inject(NetworkFault::None);
    eventually("it is back by itself", || {
        fixture.store.health() == Health::Ready
    });
    assert_eq!(fixture.look_up(1, 3), 0);
    fixture.assert_exact(6, 3);
}

#[test]
fn demoted_server_is_unreachable() {
    let server = server();
    let name = schema_name();
    let url = server.schema(&name).expect("a schema");
    let role = format!("CREATE ROLE {name} LOGIN; GRANT ALL ON SCHEMA {name} TO {name}");
    server.run(&role).expect("a role");
    let store = open(&url.replace("postgres://postgres@", &format!("postgres://{name}@")))
        .expect("a store");
    // Set for the role, because other tests must still be able to write; on a standby every new connection is
    // read-only.
    let demote = format!(
        "ALTER ROLE {name} SET default_transaction_read_only = on; \
         SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{name}'"
    );
    server.run(&demote).expect("a setting");
    assert!(eventually_away(&store).contains("standby"));
    let append_result =
        block_on(store.append_audit(audit(AuditAction::ClockAcknowledged, "", START)));
    assert!(
        matches!(append_result, Err(StoreError::NotApplied(_))),
        "{append_result:?}"
    );
}

#[test]
fn killed_backends_lose_or_double_nothing() {
    let fixture = ProxyFixture::start();
    let is_done = AtomicBool::new(false);
    let kill = format!(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'voight' \
         AND pid IN (SELECT pid FROM pg_locks l JOIN pg_class c ON c.oid = l.relation \
         JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '{}')",
        fixture.schema
    );
    let killed_backends = thread::scope(|scope| {
        let killer = scope.spawn(|| {
            let mut killed_backends = 0;
            let mut next = 0;
            while !is_done.load(Ordering::SeqCst) {
                if fixture.answered.load(Ordering::SeqCst) < next {
                    thread::sleep(Duration::from_millis(1));
                    continue;
                }
                let count = fixture
                    .server
                    .run(&kill)
                    .expect("a list of backends")
                    .parse::<u32>()
                    .expect("a number");
                if count > 0 {
                    killed_backends += count;
                    // Without a pause every attempt would be killed on a slow machine.
                    next = fixture.answered.load(Ordering::SeqCst) + 16;
                }
            }
            killed_backends
        });
        fixture.look_up(8, 150);
        is_done.store(true, Ordering::SeqCst);
        killer.join().expect("no panic")
    });
    assert!(killed_backends > 0, "nothing was killed");
    fixture.assert_exact(1200, 3);
}
