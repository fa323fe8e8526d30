//! The ledger is exact although nodes die one after the other, and so does the database's primary.

use crate::cluster::clients::Clients;
use crate::cluster::nodes::Nodes;
use crate::cluster::supervisor::NodeSupervisor;
use std::env;
use std::path::Path;
use std::thread;
use std::time::Duration;
use voight_tests::command;
use voight_tests::postgres::PrimaryStandby;

/// Environment variable with the number of lookups, in place of [`LOOKUPS`].
const VOLUME: &str = "VOIGHT_CLUSTER_LOOKUPS";
const LOOKUPS: usize = 8_000;
/// Number of concurrent clients, and of those with a capped account.
const CONNECTIONS: usize = 64;
const CAPPED: usize = 8;
const CAP: usize = 300;
/// Number of free lookups.
const FREE: usize = 1_000;
/// Interval of two kills of a node.
const KILL_EVERY: Duration = Duration::from_secs(3);
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Time until the loss of the primary is detected.
const UNNOTICED: Duration = Duration::from_secs(1);

/// Returns the number of lookups.
fn volume() -> usize {
    env::var(VOLUME).map_or(LOOKUPS, |text| text.parse().expect("a number of lookups"))
}

/// Kills a node at regular intervals, and the primary once, while the clients send lookups.
fn kill(fleet: &mut NodeSupervisor<'_>, pair: &mut PrimaryStandby, clients: [&Clients<'_>; 2]) {
    let mut is_promoted = false;
    let mut since_kill = Duration::ZERO;
    while clients
        .iter()
        .any(|clients| clients.completed() < clients.total())
    {
        thread::sleep(LOOK_EVERY);
        since_kill += LOOK_EVERY;
        if since_kill >= KILL_EVERY {
            since_kill = Duration::ZERO;
            fleet.kill_next();
        }
        if !is_promoted && clients[0].completed() > clients[0].total() / 3 {
            pair.primary.kill();
            thread::sleep(UNNOTICED);
            pair.promote().expect("the standby takes over");
            is_promoted = true;
        }
        fleet.restart_exited();
    }
    assert!(
        is_promoted && fleet.kills() > 1,
        "nothing was under way when something was killed"
    );
}

#[test]
fn ledgers_are_exact_under_kills_and_failover() {
    let mut pair = PrimaryStandby::start().expect("a primary and a standby");
    let nodes = Nodes::new(pair.url());
    let mut fleet = NodeSupervisor::start(&nodes);
    let urls = fleet.urls();
    let lookups = volume();
    let acme = fleet.account("acme");
    let thrifty = fleet.account("thrifty");
    command::json(
        fleet.node(0).data_dir(),
        &["client", "cap", "thrifty", &CAP.to_string()],
    );
    let uncapped_clients = Clients::new(&acme, &urls, lookups);
    let capped_clients = Clients::new(&thrifty, &urls, CAP + lookups / 10);
    thread::scope(|scope| {
        for connection in 0..CONNECTIONS {
            let clients = if connection < CAPPED {
                &capped_clients
            } else {
                &uncapped_clients
            };
            scope.spawn(|| clients.send_lookups());
        }
        kill(&mut fleet, &mut pair, [&uncapped_clients, &capped_clients]);
    });
    fleet.wait_until_ready();
    println!(
        "{} kills of a node, {} starts that found no database",
        fleet.kills(),
        fleet.restarts()
    );
    println!("{lookups} lookups: {}", uncapped_clients.report());
    println!(
        "{} lookups with a cap of {CAP}: {}",
        capped_clients.total(),
        capped_clients.report()
    );
    let expected_rows = |rows: usize| (1..=rows as u64).collect::<Vec<_>>();
    assert!(
        uncapped_clients.rows() == expected_rows(lookups),
        "not every lookup has a row of its own, without gaps"
    );
    assert!(
        capped_clients.rows() == expected_rows(CAP),
        "the cap is not exact"
    );
    let rows = pair
        .standby
        .run("SELECT count(*) FROM ledger")
        .expect("an answer");
    assert_eq!(
        rows,
        (lookups + CAP).to_string(),
        "the ledger has rows that no client received"
    );
    assert_usage(fleet.node(0).data_dir(), lookups);
    nodes.verify("a");
}

/// Asserts the numbers of billable and of free lookups of the client `acme`.
fn assert_usage(data_dir: &Path, lookups: usize) {
    let usage = command::json(data_dir, &["usage"]);
    let line = usage["clients"]
        .as_array()
        .expect("lines")
        .iter()
        .find(|line| line["name"] == "acme")
        .expect("a line");
    assert_eq!(
        (&line["billable"], &line["free"]),
        (&lookups.into(), &FREE.into()),
        "{line}"
    );
}
