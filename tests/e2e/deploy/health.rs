//! `voight health`, the probe of containers and scripts.

use serde_json::Value;
use std::process::Command;
use voight_tests::server::Server;
use voight_tests::skip::skipped;
use voight_tests::test_name;
use voight_tests::{clock, command, ports};

#[test]
fn server_is_healthy_while_it_serves() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    let output = command::run(&data_dir, &["health"]);
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(0), b"ready\n".as_slice())
    );
    let report = command::json(&data_dir, &["health", "--server", &server.admin_url()]);
    assert_eq!(report["ready"], true);

    server.stop();
    let output = command::run(&data_dir, &["health"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{error}");
    assert!(
        error.contains("admin.sock") && error.contains("check that it runs"),
        "{error}"
    );
}

#[test]
fn untrusted_clock_makes_the_server_unhealthy() {
    if let Some(missing) = clock::missing() {
        return skipped(test_name!(), missing);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut first = Server::start(&data_dir);
    let account = first.account("acme");
    assert_eq!(
        first
            .look_up(&account, "0x52908400098527886E0F7030069857D2E4169EE7")
            .status,
        200
    );
    first.stop();
    let shift_clock = |command: &mut Command| clock::shift(command, "-400d");
    let mut late_server = Server::spawn_on(&data_dir, ports::free(), ports::free(), shift_clock);
    late_server.wait_until_listening();
    let output = command::run(&data_dir, &["health", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["ready"], false);
    assert!(
        report["reasons"][0]
            .as_str()
            .is_some_and(|reason| reason.contains("clock")),
        "{report}"
    );
}

#[test]
fn waiting_ends_when_the_server_is_ready() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut waiting = command::voight(&data_dir)
        .args(["health", "--wait"])
        .spawn()
        .expect("the binary starts");
    let _server = Server::start(&data_dir);
    assert!(waiting.wait().expect("the probe ends").success());
    let output = command::run(&folder.path().join("none"), &["health", "--wait=1"]);
    assert_eq!(output.status.code(), Some(5));
}
