//! Each lookup has one row when nodes, workers and the coordinator are killed.

use crate::citus::stage::Stage;
use crate::cluster::clients::Clients;
use crate::cluster::nodes::Nodes;
use crate::cluster::supervisor::NodeSupervisor;
use std::env;
use std::mem;
use std::thread;
use std::time::Duration;
use voight_tests::server::TestAccount;
use voight_tests::test_name;

/// Environment variable with the number of lookups, in place of [`LOOKUPS`].
const VOLUME: &str = "VOIGHT_CITUS_LOOKUPS";
const LOOKUPS: usize = 2_000;
/// Number of clients, each with its own account.
const ACCOUNTS: usize = 50;
const EVERY: Duration = Duration::from_secs(3);
const MAX_KILLS: usize = 10;
const AWAY: Duration = Duration::from_secs(1);

/// Numbers of killed servers and nodes.
#[derive(Default)]
struct KillCounts {
    coordinator: usize,
    workers: usize,
    nodes: usize,
}

impl KillCounts {
    /// Kills the coordinator, a worker or a node: of ten kills, four, four and two.
    fn kill_next(&mut self, number: usize, stage: &mut Stage, fleet: &mut NodeSupervisor<'_>) {
        match number % 5 {
            0 | 2 => self.kill_coordinator(stage),
            1 | 3 => self.kill_worker(stage),
            _ => {
                self.nodes += 1;
                fleet.kill_next();
            }
        }
    }

    fn kill_coordinator(&mut self, stage: &mut Stage) {
        self.coordinator += 1;
        let coordinator = &mut stage.citus.coordinator;
        coordinator.kill();
        thread::sleep(AWAY);
        coordinator.restart().expect("the coordinator starts again");
    }

    fn kill_worker(&mut self, stage: &mut Stage) {
        self.workers += 1;
        let worker = &mut stage.citus.workers[self.workers % 2];
        worker.kill();
        thread::sleep(AWAY);
        worker.restart().expect("the worker starts again");
    }
}

/// Returns the number of lookups.
fn volume() -> usize {
    env::var(VOLUME).map_or(LOOKUPS, |text| text.parse().expect("a number of lookups"))
}

/// Asserts that the ledger of each client has one row for each of its lookups, and the store no other.
fn assert_row_of_each_lookup(stage: &Stage, clients: &[Clients<'_>], lookups: usize) {
    let expected_rows: Vec<_> = (1..=lookups as u64).collect();
    for clients in clients {
        assert!(
            clients.rows() == expected_rows,
            "not every lookup has a row of its own"
        );
    }
    assert_eq!(
        stage.ask("SELECT count(*) FROM ledger"),
        (lookups * clients.len()).to_string()
    );
}

#[test]
fn ledgers_are_exact_under_kills_of_citus_servers() {
    let Some(mut stage) = Stage::on_coordinator(test_name!()) else {
        return;
    };
    let lookups = volume();
    let nodes = mem::replace(&mut stage.nodes, Nodes::new(String::new()));
    let mut fleet = NodeSupervisor::start(&nodes);
    let urls = fleet.urls();
    let accounts: Vec<TestAccount> = (0..ACCOUNTS)
        .map(|number| fleet.account(&format!("client-{number}")))
        .collect();
    let each = lookups / ACCOUNTS;
    let clients: Vec<_> = accounts
        .iter()
        .map(|account| Clients::new(account, &urls, each))
        .collect();
    let completed_count = || clients.iter().map(Clients::completed).sum::<usize>();
    let mut kills = KillCounts::default();
    thread::scope(|scope| {
        for clients in &clients {
            scope.spawn(|| clients.send_lookups());
        }
        for number in 0..MAX_KILLS {
            thread::sleep(EVERY);
            if completed_count() >= each * ACCOUNTS {
                break;
            }
            kills.kill_next(number, &mut stage, &mut fleet);
            fleet.restart_exited();
        }
        while completed_count() < each * ACCOUNTS {
            thread::sleep(AWAY);
            fleet.restart_exited();
        }
    });
    fleet.wait_until_ready();
    println!(
        "{} kills of the coordinator, {} of a worker, {} of a node",
        kills.coordinator, kills.workers, kills.nodes
    );
    println!(
        "{} lookups of {ACCOUNTS} clients; the first saw {}",
        each * ACCOUNTS,
        clients[0].report()
    );
    let figures = serde_json::json!({
        "lookups": each * ACCOUNTS, "clients": ACCOUNTS,
        "kills": { "coordinator": kills.coordinator, "worker": kills.workers, "node": kills.nodes },
    });
    assert_row_of_each_lookup(&stage, &clients, each);
    nodes.verify("a");
    crate::citus::figures::note("faults", &figures);
}
