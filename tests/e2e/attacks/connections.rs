//! Attacks on what the service keeps for a connection: its memory, its place, and its lines in the log.

use super::TIMES;
use super::scene::{Scene, is_possible};
use super::stranger::{Stranger, connect, network};
use std::io::Write;
use std::net::Shutdown;
use std::time::Duration;
use voight_tests::command;
use voight_tests::test_name;
use voight_tests::tier::{is_full_or_skipped, volume};

/// Maximum resident memory of the service, in KiB.
const MAX_RESIDENT: u64 = 256 << 10;
/// Bytes that are sent on each connection.
const PIPELINED: usize = 160 << 10;

impl Scene {
    /// Returns the largest resident memory of the service so far, in KiB.
    fn peak_resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.pid()))
            .expect("it runs");
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .expect("a line about memory");
        line.split_whitespace()
            .next()
            .and_then(|size| size.parse().ok())
            .expect("a size")
    }
}

/// Sends pipelined copies of `request` on `connections` of three networks without reading a response.
fn assert_memory_is_bounded(request: &str, connections: usize) {
    if !is_possible("unread responses", connections) {
        return;
    }
    let scene = Scene::start(|_| {});
    let watch = scene.watch();
    let text = request.repeat(PIPELINED / request.len());
    let flood =
        |number: u8| Stranger::flood(network(100 + number), scene.port(), connections / 3, &text);
    let connections: Vec<_> = (0..3).map(flood).collect();
    watch.verdict(Duration::from_secs(1));
    drop(connections);
    let peak = scene.peak_resident();
    assert!(peak < MAX_RESIDENT, "{request:?}: {peak} KiB");
}

#[test]
fn unread_responses_take_bounded_memory() {
    assert_memory_is_bounded("GET /openapi.json HTTP/1.1\r\nhost:x\r\n\r\n", 3_000);
}

#[test]
fn unread_responses_of_every_kind_take_bounded_memory() {
    if !is_full_or_skipped(test_name!()) {
        return;
    }
    let evidence =
        "POST /window/v1/checks HTTP/1.1\r\nhost:x\r\ncontent-type: application/json\r\n";
    for request in [
        "GET /none HTTP/1.1\r\nhost:x\r\n\r\n".to_owned(),
        "GET /docs/ HTTP/1.1\r\nhost:x\r\n\r\n".to_owned(),
        "GET /sdk/v1/voight.js HTTP/1.1\r\nhost:x\r\n\r\n".to_owned(),
        "GET /sdk/v1/voight.js HTTP/1.1\r\nhost:x\r\nif-none-match: *\r\n\r\n".to_owned(),
        "HEAD /none HTTP/1.1\nhost:x\n\n".to_owned(),
        format!("{evidence}content-length: 2\r\nexpect: 100-continue\r\n\r\n{{}}"),
        format!("{evidence}transfer-encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"),
        format!(
            "GET /none HTTP/1.1\r\nhost:x\r\nx-long: {}",
            "a".repeat(PIPELINED)
        ),
    ] {
        assert_memory_is_bounded(&request, 3_000);
    }
}

#[test]
fn idle_connections_of_many_networks_give_way() {
    const NETWORKS: u8 = 12;
    let each = TIMES * 824 / usize::from(NETWORKS);
    if !is_possible("idle connections", TIMES * 824) {
        return;
    }
    let scene = Scene::start(|command| command::limit_open_files(command, 1_024));
    let watch = scene.watch();
    let request = "GET /window/v1/window.js HTTP/1.1\r\nhost: x\r\n\r\n";
    let start = |number: u8| Stranger::hold(network(100 + number), scene.port(), each, request);
    let strangers: Vec<_> = (0..NETWORKS).map(start).collect();
    let open: usize = strangers.iter().map(Stranger::still_open).sum();
    assert!((500..1_024).contains(&open), "{open} connections are open");
    watch.verdict(Duration::from_secs(2));
}

#[test]
fn rejected_requests_do_not_flood_the_log() {
    let requests = volume(10_000, TIMES * 77_000);
    let scene = Scene::start(|_| {});
    let watch = scene.watch();
    let log_length = scene.server.log().len();
    let mut stream = connect(network(1), scene.port()).expect("the port is listened on");
    let mut sender = stream.try_clone().expect("a socket");
    let sending = std::thread::spawn(move || {
        let request = "GET /api/v1/users/eoa HTTP/1.1\r\nhost:x\r\n\r\n";
        (0..requests).for_each(|_| {
            sender
                .write_all(request.as_bytes())
                .expect("the service reads");
        });
        sender.shutdown(Shutdown::Write).expect("a socket");
    });
    let bytes_read = std::io::copy(&mut stream, &mut std::io::sink()).expect("responses");
    sending.join().expect("no panic");
    watch.verdict(Duration::ZERO);
    assert!(
        bytes_read > 100 * requests as u64,
        "{bytes_read} bytes of responses to {requests} requests"
    );
    let logged_bytes = scene.server.log().len() - log_length;
    assert!(
        logged_bytes < 200 << 10,
        "{logged_bytes} bytes of log for {requests} requests"
    );
}
