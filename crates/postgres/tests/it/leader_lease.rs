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
        let server = server();
        let schema = schema_name();
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
fn lease_of_a_missing_node_expires() {
    let fixture = LeaseFixture::new();
    let first_node = open(&fixture.url).expect("a store");
    let second_node = open(&fixture.url).expect("a store");
    assert!(try_lease(&first_node) && !try_lease(&second_node));
    fixture.pass(10);
    assert!(!try_lease(&second_node), "the lease has some seconds left");
    fixture.pass(10);
    assert!(try_lease(&second_node), "the lease has ended");
    assert!(
        !try_lease(&first_node),
        "who was held up finds that another node has it"
    );
    assert_eq!(fixture.number(), "2");
}

#[test]
fn lease_is_kept_by_renewal() {
    let fixture = LeaseFixture::new();
    let first_node = open(&fixture.url).expect("a store");
    let second_node = open(&fixture.url).expect("a store");
    for _ in 0..5 {
        assert!(try_lease(&first_node) && !try_lease(&second_node));
        fixture.pass(10);
    }
    assert_eq!(fixture.number(), "1");
}

#[test]
fn node_clock_does_not_affect_lease() {
    let fixture = LeaseFixture::new();
    let slow_node = open_as(&fixture.url, 7, START.saturating_sub(HOUR)).expect("a store");
    let fast_node = open_as(&fixture.url, 7, START.saturating_add(HOUR)).expect("a store");
    assert!(try_lease(&slow_node) && !try_lease(&fast_node));
    drop(slow_node);
    let slow_node = open_as(&fixture.url, 7, START.saturating_sub(HOUR)).expect("a store");
    assert!(try_lease(&fast_node) && !try_lease(&slow_node));
}

#[test]
fn close_releases_own_lease_only() {
    let fixture = LeaseFixture::new();
    let first_node = open(&fixture.url).expect("a store");
    let second_node = open(&fixture.url).expect("a store");
    assert!(try_lease(&first_node) && !try_lease(&second_node));
    drop(second_node);
    let second_node = open(&fixture.url).expect("a store");
    assert!(
        !try_lease(&second_node),
        "a node that was closed has left the turn of another"
    );
    drop(first_node);
    assert!(
        try_lease(&second_node),
        "a node that is closed keeps others waiting"
    );
}
