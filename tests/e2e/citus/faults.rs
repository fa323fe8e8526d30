//! Each lookup has one row when nodes, workers and the coordinator are killed.

use crate::citus::stage::Stage;
use crate::cluster::clients::Clients;
use crate::cluster::supervisor::NodeSupervisor;
use std::env;
use std::thread;
use std::time::Duration;
use voight_tests::server::TestAccount;

/// Environment variable with the number of lookups, in place of [`LOOKUPS`].
const VOLUME: &str = "VOIGHT_CITUS_LOOKUPS";
const LOOKUPS: usize = 2_000;
/// Number of clients, each with its own account.
const ACCOUNTS: usize = 50;
const EVERY: Duration = Duration::from_secs(3);
const AWAY: Duration = Duration::from_secs(1);

#[test]
fn ledgers_are_exact_under_kills_of_citus_servers() {
    let name = "ledgers_are_exact_under_kills_of_citus_servers";
    let Some(mut stage) = Stage::on_coordinator(name) else {
        return;
    };
    let lookups =
        env::var(VOLUME).map_or(LOOKUPS, |text| text.parse().expect("a number of lookups"));
    let nodes = std::mem::replace(
        &mut stage.nodes,
        crate::cluster::nodes::Nodes::new(String::new()),
    );
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
    let done = |clients: &[Clients<'_>]| clients.iter().map(Clients::completed).sum::<usize>();
    let mut kills = [0; 3];
    thread::scope(|scope| {
        for clients in &clients {
            scope.spawn(|| clients.send_lookups());
        }
        // Kills the coordinator four times, workers four times and nodes twice, alternately.
        for kill in 0.. {
            thread::sleep(EVERY);
            if done(&clients) >= each * ACCOUNTS || kill == 10 {
                break;
            }
            match kill % 5 {
                0 | 2 => {
                    kills[0] += 1;
                    stage.citus.coordinator.kill();
                    thread::sleep(AWAY);
                    stage
                        .citus
                        .coordinator
                        .restart()
                        .expect("the coordinator starts again");
                }
                1 | 3 => {
                    kills[1] += 1;
                    let worker = &mut stage.citus.workers[kills[1] % 2];
                    worker.kill();
                    thread::sleep(AWAY);
                    worker.restart().expect("the worker starts again");
                }
                _ => {
                    kills[2] += 1;
                    fleet.kill_next();
                }
            }
            fleet.restart_exited();
        }
        while done(&clients) < each * ACCOUNTS {
            thread::sleep(AWAY);
            fleet.restart_exited();
        }
    });
    fleet.wait_until_ready();
    println!(
        "{} kills of the coordinator, {} of a worker, {} of a node",
        kills[0], kills[1], kills[2]
    );
    println!(
        "{} lookups of {ACCOUNTS} clients; the first saw {}",
        each * ACCOUNTS,
        clients[0].report()
    );
    let figures = serde_json::json!({
        "lookups": each * ACCOUNTS, "clients": ACCOUNTS,
        "kills": { "coordinator": kills[0], "worker": kills[1], "node": kills[2] },
    });
    for clients in &clients {
        assert!(
            clients.rows() == (1..=each as u64).collect::<Vec<_>>(),
            "not every lookup has a row of its own"
        );
    }
    assert_eq!(
        stage.ask("SELECT count(*) FROM ledger"),
        (each * ACCOUNTS).to_string()
    );
    nodes.verify("a");
    crate::citus::figures::note("faults", &figures);
}
