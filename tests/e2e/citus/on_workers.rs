//! Nodes that connect to the workers: lookups do not use the coordinator.

use crate::citus::stage::Stage;
use std::collections::BTreeSet;
use std::fs;
use std::thread;
use std::time::Duration;
use voight_tests::command;
use voight_tests::postgres::Cluster;
use voight_tests::server::Server;
use voight_tests::test_name;

const LOOKUPS: u32 = 300;
/// Limit for the processor time of the coordinator in ticks of 10 ms. It still answers health checks.
const TICKS: u64 = 60;

/// Returns the processor time of a process and its children in ticks.
fn ticks(pid: u32) -> u64 {
    let of = |pid: &str| -> Option<(String, u64)> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<_> = stat
            .rsplit_once(')')?
            .1
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        // Parent id, then the times of the process itself and of its ended children.
        let time = fields
            .get(11..15)?
            .iter()
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Some((fields.get(1)?.clone(), time))
    };
    let own_time = of(&pid.to_string()).map_or(0, |(_, time)| time);
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let children = processes.filter_map(|entry| of(entry.file_name().to_str()?));
    own_time
        + children
            .filter(|(parent, _)| *parent == pid.to_string())
            .map(|(_, time)| time)
            .sum::<u64>()
}

#[test]
fn lookups_take_no_time_of_the_coordinator() {
    let Some(stage) = Stage::on_workers(test_name!()) else {
        return;
    };
    let nodes = ["a", "b"].map(|name| stage.nodes.start(name));
    let accounts: Vec<_> = (0..6)
        .map(|number| nodes[0].account(&format!("client-{number}")))
        .collect();
    let look_up = |node: &Server, from: u32| {
        for number in from..from + LOOKUPS {
            let account = &accounts[number as usize % accounts.len()];
            assert_eq!(
                node.look_up(account, &format!("0x{number:040x}")).status,
                200
            );
        }
    };
    let pid = stage.citus.coordinator.pid();
    let idle = ticks(pid);
    let busy = std::time::Instant::now();
    look_up(&nodes[0], 0);
    look_up(&nodes[1], LOOKUPS);
    let busy_ticks = ticks(pid) - idle;
    let busy_time = busy.elapsed();
    let ticks_before = ticks(pid);
    thread::sleep(busy_time);
    let at_rest = ticks(pid) - ticks_before;
    println!(
        "{} lookups in {busy_time:?}: {busy_ticks} ticks of the coordinator, {at_rest} at rest for as long",
        2 * LOOKUPS
    );
    let figures = serde_json::json!({ "lookups": 2 * LOOKUPS, "coordinator_ms": busy_ticks * 10, "coordinator_at_rest_ms": at_rest * 10 });
    crate::citus::figures::note("coordinator", &figures);
    assert!(
        busy_ticks <= at_rest + TICKS,
        "{busy_ticks} ticks of the coordinator, {at_rest} at rest"
    );
    assert_eq!(
        stage.ask("SELECT count(*) FROM ledger"),
        (2 * LOOKUPS).to_string()
    );
    command::json(nodes[1].data_dir(), &["client", "create", "late"]);
    stage.nodes.verify("a");
}

#[test]
fn node_uses_the_other_worker_after_a_failure() {
    let Some(mut stage) = Stage::on_workers(test_name!()) else {
        return;
    };
    let node = stage.nodes.start("a");
    let accounts: Vec<_> = (0..16)
        .map(|number| node.account(&format!("client-{number}")))
        .collect();
    let on: Vec<_> = accounts
        .iter()
        .map(|account| stage.citus.worker_of(&account.client).expect("a worker"))
        .collect();
    assert!(
        on.contains(&0) && on.contains(&1),
        "all clients are on one worker: {on:?}"
    );
    for lost_worker in [0, 1] {
        stage.citus.workers[lost_worker].kill();
        thread::sleep(Duration::from_secs(3));
        assert!(node.is_ready(), "a node moves on to the other worker");
        for (account, worker) in accounts.iter().zip(&on) {
            let expected_status = if *worker == lost_worker { 503 } else { 200 };
            assert_eq!(
                node.look_up(account, &format!("0x{lost_worker:040x}"))
                    .status,
                expected_status
            );
        }
        stage.citus.workers[lost_worker]
            .restart()
            .expect("the worker starts again");
        crate::citus::durability::wait_for_share(&node, 0);
        for account in &accounts {
            assert_eq!(
                node.look_up(account, &format!("0x{:040x}", lost_worker + 2))
                    .status,
                200
            );
        }
    }
    stage.nodes.verify("a");
}

/// A statement that another server forwards costs more than one that its own server plans.
#[test]
fn a_lookup_is_sent_to_the_worker_of_its_client() {
    let Some(stage) = Stage::on_workers(test_name!()) else {
        return;
    };
    let node = stage.nodes.start("a");
    let accounts: Vec<_> = (0..8)
        .map(|number| node.account(&format!("client-{number}")))
        .collect();
    let workers: BTreeSet<_> = accounts
        .iter()
        .map(|account| stage.citus.worker_of(&account.client))
        .collect();
    assert_eq!(workers.len(), 2, "all clients are on one worker");
    let look_up_all = |round: u32| {
        for account in &accounts {
            assert_eq!(
                node.look_up(account, &format!("0x{round:040x}")).status,
                200
            );
        }
    };
    // The node finds the hosts of its URL within a second.
    look_up_all(0);
    thread::sleep(Duration::from_secs(2));
    for worker in &stage.citus.workers {
        worker
            .run("ALTER SYSTEM SET log_statement = 'all'")
            .expect("a setting");
        worker
            .run("ALTER SYSTEM SET log_line_prefix = 'by %a '")
            .expect("a setting");
        worker.reload().expect("a reload");
    }
    (1..5).for_each(look_up_all);
    let logs: String = stage.citus.workers.iter().map(Cluster::log).collect();
    let is_insert = |line: &&str| line.contains("INSERT INTO ");
    let inserts: Vec<_> = logs.lines().filter(is_insert).collect();
    assert!(
        inserts.iter().any(|line| line.starts_with("by voight ")),
        "the workers do not log statements"
    );
    let forwarded_inserts: Vec<_> = inserts
        .iter()
        .filter(|line| line.starts_with("by citus_internal"))
        .collect();
    assert!(forwarded_inserts.is_empty(), "{forwarded_inserts:#?}");
}
