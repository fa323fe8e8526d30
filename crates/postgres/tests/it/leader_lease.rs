//! Leader lease: one node holds it until it is released, or expires by the clock of the database.

use crate::common::{open, open_as, schema_name, server};
use std::time::Duration;
use voight_contract::block_on;
use voight_contract::generate::START;
use voight_domain::ports::MaintenanceStore;
use voight_postgres::PostgresStore;
use voight_tests::postgres::Postgres;

const HOUR: Duration = Duration::from_hours(1);

/// Schema in which several nodes open the store.
struct LeaseFixture {
    server: Postgres,
    schema: String,
    url: String,
}

impl LeaseFixture {
    fn new() -> Self {
        let (server, schema) = (server(), schema_name());
        let url = server.schema(&schema).expect("a schema");
        Self {
            server,
            schema,
            url,
        }
    }

    fn run(&self, sql: &str) -> String {
        self.server
            .run(&format!("SET search_path = {}; {sql}", self.schema))
            .expect("SQL")
    }

    /// Returns the number of the current term.
    fn number(&self) -> String {
        self.run("SELECT term FROM leader_lease")
    }

    /// Moves the end of the lease by `seconds` towards the past, as if that time had passed.
    fn pass(&self, seconds: u32) {
        self.run(&format!(
            "UPDATE leader_lease SET expires_at = expires_at - INTERVAL '{seconds} seconds'"
        ));
    }
}

fn try_lease(store: &PostgresStore) -> bool {
    block_on(store.try_acquire_lease()).expect("the database answers")
}

#[test]
fn lease_of_a_missing_node_ends() {
    let stage = LeaseFixture::new();
    let (one, other) = (
        open(&stage.url).expect("a store"),
        open(&stage.url).expect("a store"),
    );
    assert!(try_lease(&one) && !try_lease(&other));
    stage.pass(10);
    assert!(!try_lease(&other), "the lease has some seconds left");
    stage.pass(10);
    assert!(try_lease(&other), "the lease has ended");
    assert!(
        !try_lease(&one),
        "who was held up finds that another node has it"
    );
    assert_eq!(stage.number(), "2");
}

#[test]
fn lease_is_kept_by_renewal() {
    let stage = LeaseFixture::new();
    let (one, other) = (
        open(&stage.url).expect("a store"),
        open(&stage.url).expect("a store"),
    );
    for _ in 0..5 {
        assert!(try_lease(&one) && !try_lease(&other));
        stage.pass(10);
    }
    assert_eq!(stage.number(), "1");
}

#[test]
fn the_clock_of_a_node_changes_nothing() {
    let stage = LeaseFixture::new();
    let late = open_as(&stage.url, 7, START.saturating_sub(HOUR)).expect("a store");
    let early = open_as(&stage.url, 7, START.saturating_add(HOUR)).expect("a store");
    assert!(try_lease(&late) && !try_lease(&early));
    drop(late);
    let late = open_as(&stage.url, 7, START.saturating_sub(HOUR)).expect("a store");
    assert!(try_lease(&early) && !try_lease(&late));
}

#[test]
fn closing_releases_only_its_own_lease() {
    let stage = LeaseFixture::new();
    let (one, other) = (
        open(&stage.url).expect("a store"),
        open(&stage.url).expect("a store"),
    );
    assert!(try_lease(&one) && !try_lease(&other));
    drop(other);
    let other = open(&stage.url).expect("a store");
    assert!(
        !try_lease(&other),
        "a node that was closed has left the turn of another"
    );
    drop(one);
    assert!(
        try_lease(&other),
        "a node that is closed keeps others waiting"
    );
}
