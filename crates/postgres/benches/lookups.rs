//! Lookups per second on a private server by number of concurrent callers.
//!
//! Run by `cargo bench -p voight-postgres`. The cost of HTTP is not included.
#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures time, says what it saw, and stops at the first thing that is wrong"
)]

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, address, audit};
use voight_domain::metering::{LedgerId, LookupOutcome};
use voight_domain::ports::{BillingStore, LookupStore, RegisterOutcome, RegistryStore};
use voight_domain::registry::{AuditAction, Context, Key};
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::Environment;
use voight_postgres::{PostgresOptions, PostgresStore};
use voight_support::{FixedEntropy, ManualClock};
use voight_tests::postgres::Postgres;

/// Duration of each measurement.
const SPAN: Duration = Duration::from_secs(4);

fn main() {
    let server = Postgres::shared().expect("a private server");
    let url = server
        .schema(&format!("bench_{}", std::process::id()))
        .expect("a schema");
    let options = PostgresOptions {
        url: url.parse().expect("a URL"),
        evidence_max_bytes: 0,
    };
    let clock = Arc::new(ManualClock::new(START));
    let store = voight_postgres::open(&options, clock, &FixedEntropy(1), PepperCommitment([7; 16]))
        .expect("a store");
    let make = ValueGenerator::default();
    let (key, context) = account(&store, &make);
    let mut expected_rows = 0;
    println!("{:>8} {:>10}", "callers", "lookups/s");
    for callers in [1, 16, 64] {
        let answer_count = together(callers, || {
            let outcome =
                block_on(store.answer(make.lookup(&key, &context, address(1)))).expect("an answer");
            assert!(
                matches!(outcome, LookupOutcome::Recorded(..)),
                "{outcome:?}"
            );
        });
        expected_rows += answer_count;
        println!("{callers:>8} {:>10}", answer_count / SPAN.as_secs());
    }
    let meter = block_on(store.meter(LedgerId::live(key.client)))
        .expect("a call")
        .expect("a meter");
    assert_eq!(
        meter.seq, expected_rows,
        "lookups were lost or counted twice"
    );
}

/// Creates a client with a key and a context.
fn account(store: &PostgresStore, make: &ValueGenerator) -> (Key, Context) {
    let client = make.client(START);
    let entry = |action| audit(action, &client.id, START);
    block_on(store.create_client(client.clone(), entry(AuditAction::ClientCreated)))
        .expect("a client");
    let key = make.key(client.id, Environment::Live, START);
    let key = block_on(store.create_key(key, entry(AuditAction::KeyIssued)))
        .expect("a call")
        .expect("a key");
    let context = make.context(&key, START);
    let registration =
        block_on(store.register_context(context, None, entry(AuditAction::ContextRegistered)));
    match registration.expect("a call") {
        RegisterOutcome::Registered(context) => (key, context),
        outcome => panic!("{outcome:?}"),
    }
}

/// Runs `work` in a loop on `callers` threads for `SPAN`; returns the total number of calls.
fn together(callers: u32, work: impl Fn() + Sync) -> u64 {
    let end = Instant::now() + SPAN;
    thread::scope(|scope| {
        let caller = || {
            let mut times = 0;
            while Instant::now() < end {
                work();
                times += 1;
            }
            times
        };
        let callers: Vec<_> = (0..callers).map(|_| scope.spawn(caller)).collect();
        callers
            .into_iter()
            .map(|caller| caller.join().expect("no panic"))
            .sum()
    })
}
