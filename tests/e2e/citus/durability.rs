//! Servers that may lose acknowledged writes are not used, coordinator and workers alike.

use crate::citus::stage::Stage;
use std::thread;
use std::time::Duration;
use voight_tests::http;
use voight_tests::server::Server;
use voight_tests::test_name;

const PAUSE: Duration = Duration::from_millis(200);
const LOOKS: u32 = 100;

/// Returns the status and body of `/readyz`.
pub(crate) fn readiness(node: &Server) -> (u16, serde_json::Value) {
    let answer =
        http::get(&http::agent(), &format!("{}/readyz", node.admin_url()), &[]).expect("an answer");
    (answer.status, answer.json())
}

/// Waits until `/readyz` reports this percentage of unreachable clients.
#[track_caller]
pub(crate) fn wait_for_share(node: &Server, percent: u64) -> (u16, serde_json::Value) {
    for _ in 0..LOOKS {
        let (status, body) = readiness(node);
        if body["unreachable_percent"] == percent {
            return (status, body);
        }
        thread::sleep(PAUSE);
    }
    panic!("{percent} % are not unreachable: {:?}", readiness(node));
}

#[test]
fn worker_without_durable_commits_is_rejected() {
    let name = test_name!();
    let Some(stage) = Stage::on_coordinator(name) else {
        return;
    };
    let worker = &stage.citus.workers[1];
    let set_commit = |value: &str| {
        worker
            .run(&format!("ALTER SYSTEM SET synchronous_commit = {value}"))
            .expect("a setting");
        worker.reload().expect("a reload");
    };
    set_commit("off");
    let mut server = Server::spawn_on(&stage.nodes.data_dir("x"), 0, 0, |command| {
        stage.nodes.settle(command);
    });
    assert_eq!(server.ended(Duration::from_secs(30)), Some(3));
    let log = server.log();
    assert!(
        log.contains("synchronous_commit = off") && log.contains(&worker.address()),
        "{log}"
    );
    set_commit("on");
    let node = stage.nodes.start("a");
    assert_eq!(readiness(&node).1["degraded"], false);
    set_commit("off");
    let (status, body) = wait_for_share(&node, 50);
    assert_eq!(
        (status, &body["ready"], &body["degraded"]),
        (200, &true.into(), &true.into()),
        "{body}"
    );
    assert!(
        body["warnings"]
            .to_string()
            .contains("synchronous_commit = off"),
        "{body}"
    );
    set_commit("on");
    wait_for_share(&node, 0);
}

#[test]
fn a_worker_that_is_added_later_is_checked_by_running_nodes() {
    let Some(mut stage) = Stage::on_coordinator(test_name!()) else {
        return;
    };
    let node = stage.nodes.start("a");
    assert_eq!(readiness(&node).1["degraded"], false);
    stage
        .citus
        .add_worker("ALTER SYSTEM SET synchronous_commit = off")
        .expect("a worker");
    let worker = stage.citus.workers.last().expect("a worker");
    let is_reported = |(_, body): &(u16, serde_json::Value)| {
        let warnings = body["warnings"].to_string();
        warnings.contains("synchronous_commit = off") && warnings.contains(&worker.address())
    };
    let report = (0..LOOKS).map(|_| {
        thread::sleep(PAUSE);
        readiness(&node)
    });
    let (status, body) = report
        .into_iter()
        .find(is_reported)
        .expect("the settings of the worker are reported");
    assert_eq!(
        (status, &body["ready"], &body["degraded"]),
        (200, &true.into(), &true.into()),
        "{body}"
    );
    worker
        .run("ALTER SYSTEM SET synchronous_commit = on")
        .expect("a setting");
    worker.reload().expect("a reload");
    let is_healthy = (0..LOOKS).any(|_| {
        thread::sleep(PAUSE);
        readiness(&node).1["degraded"] == false
    });
    assert!(is_healthy, "{:?}", readiness(&node));
}
