//! Attacks by callers without credentials, and by a client, on the real binary, each at three times the volume that once succeeded.
//! Attacks that hold connections open have that volume in the full tier only, and the volume that once succeeded in the default tier.
//!
//! Addresses of the loopback network represent networks. During each attack no lookup of another client fails, no check of a
//! visitor of another network fails, and no process exits.
//!
//! A new attack is a test that starts a [`scene::Scene`], makes a [`stranger::Stranger`] hold connections or sends its own
//! requests between `watch` and `verdict`, and asserts its further conditions.

mod client;
mod connections;
mod scene;
mod stranger;
mod window;

use scene::{Scene, is_possible};
use std::process::Command;
use std::time::{Duration, Instant};
use stranger::{Stranger, network};
use voight_tests::command;
use voight_tests::tier::volume;

/// Factor between the volume of each attack and the volume that once succeeded.
const TIMES: usize = 3;
/// Number of networks of an attack from several networks.
const NETWORKS: u8 = 16;

/// Number of connections of an attack by unfinished bodies.
fn unfinished_bodies() -> usize {
    volume(1, TIMES) * 4_400
}

/// Extends the body timeout, so that a slow machine can start all bodies before the first one times out.
fn patient(command: &mut Command) {
    command.env("VOIGHT__SERVER__BODY_TIMEOUT_SECONDS", "100");
}

#[test]
fn idle_connections_spare_reserved_descriptors() {
    if !is_possible("idle connections", TIMES * 1_050) {
        return;
    }
    let scene = Scene::start(|command| command::limit_open_files(command, 1_024));
    let open = |_| window::Check::open(network(3), scene.port(), &scene.account.context);
    let mut checks: Vec<_> = (0..TIMES).map(open).collect();
    let watch = scene.watch();
    // A connection without a request is closed after 5 seconds, so each sends one: a keep-alive connection is closed after 75.
    let request = "GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\n\r\n";
    let connections = Stranger::hold(network(1), scene.port(), TIMES * 1_050, request);
    for check in &mut checks {
        let answer = check.post_evidence();
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    assert!(
        connections.still_open() < 1_024,
        "the descriptors of the service are limited"
    );
    watch.verdict(Duration::from_secs(2));
}

#[test]
fn low_open_file_limit_is_rejected_with_a_remedy() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut serve = command::voight(&folder.path().join("data"));
    serve.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--admin-listen",
        "127.0.0.1:0",
    ]);
    command::limit_open_files(&mut serve, 90);
    let output = serve.output().expect("the binary starts");
    let sentence = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{sentence}");
    for word in ["90 open files", "at least", "ulimit -n", "LimitNOFILE="] {
        assert!(sentence.contains(word), "{word:?} is missing: {sentence}");
    }
    assert!(!folder.path().join("data").exists(), "nothing is created");
}

#[test]
fn unfinished_bodies_affect_only_their_network() {
    if !is_possible("unfinished bodies", unfinished_bodies()) {
        return;
    }
    let scene = Scene::start(patient);
    let checks: Vec<_> = (0..TIMES)
        .map(|_| window::Check::open(network(1), scene.port(), &scene.account.context))
        .collect();
    let watch = scene.watch();
    let connections: Vec<_> = checks
        .iter()
        .map(|check| {
            Stranger::hold(
                network(1),
                scene.port(),
                unfinished_bodies() / TIMES,
                &check.unfinished("ownership", 4_000),
            )
        })
        .collect();
    watch.verdict(Duration::from_secs(3));
    drop(connections);
}

#[test]
fn unfinished_bodies_of_many_networks_hold_no_permit() {
    if !is_possible("unfinished bodies", unfinished_bodies()) {
        return;
    }
    let scene = Scene::start(patient);
    let watch = scene.watch();
    let partial_request = "POST /window/v1/checks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{";
    let each = unfinished_bodies() / usize::from(NETWORKS);
    let connections: Vec<_> = (0..NETWORKS)
        .map(|number| Stranger::hold(network(100 + number), scene.port(), each, partial_request))
        .collect();
    watch.verdict(Duration::from_secs(3));
    drop(connections);
}

#[test]
fn slow_bodies_shed_no_request_of_other_clients() {
    if !is_possible("slow bodies", unfinished_bodies()) {
        return;
    }
    let scene = Scene::start(patient);
    let greedy = scene.server.account("greedy");
    let watch = scene.watch();
    let partial_request = format!(
        "POST /api/v1/receipts/verify HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\n\
         content-length: 99\r\n\r\n{{",
        greedy.key
    );
    let each = unfinished_bodies() / usize::from(NETWORKS);
    let connections: Vec<_> = (0..NETWORKS)
        .map(|number| Stranger::hold(network(100 + number), scene.port(), each, &partial_request))
        .collect();
    watch.verdict(Duration::from_secs(3));
    drop(connections);
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "polls the number of open connections in real time"
)]
fn an_unfinished_head_behind_a_request_is_closed_like_any_other() {
    const CONNECTIONS: usize = TIMES * 200;
    let scene = Scene::start(|_| {});
    let watch = scene.watch();
    let requests =
        "GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\nx-slow: ";
    let connections = Stranger::hold(network(1), scene.port(), CONNECTIONS, requests);
    let since = Instant::now();
    // The timeout of a head is 5 seconds, that of an idle connection at least 75; the test allows for a busy machine.
    while connections.still_open() > 0 {
        assert!(
            since.elapsed() < Duration::from_secs(40),
            "{} connections are still open",
            connections.still_open()
        );
        std::thread::sleep(Duration::from_millis(200));
    }
    watch.verdict(Duration::ZERO);
}
