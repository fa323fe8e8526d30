//! Report of `voight doctor`.

use serde_json::Value;
use std::net::TcpListener;
use std::path::Path;
use voight_tests::command;
use voight_tests::ports;
use voight_tests::server::Server;

fn stdout(data_dir: &Path, arguments: &[&str]) -> String {
    String::from_utf8_lossy(&command::run(data_dir, arguments).stdout).into_owned()
}

/// Runs doctor with these ports in its configuration.
fn doctor_on(folder: &Path, public: u16, admin: u16) -> Value {
    let file = folder.join("ports.toml");
    let text = format!(
        "[server]\nlisten = \"127.0.0.1:{public}\"\nadmin_listen = \"127.0.0.1:{admin}\"\n"
    );
    std::fs::write(&file, text).expect("a configuration file");
    command::json(
        &folder.join("data"),
        &["--config", file.to_str().expect("a path"), "doctor"],
    )
}

/// Returns the findings on listeners, as pairs of status and message.
fn listeners(report: &Value) -> Vec<(String, String)> {
    let findings = report["findings"].as_array().expect("findings").iter();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let listeners = findings.filter(|finding| finding["check"] == "listeners");
    listeners
        .map(|finding| (text(&finding["status"]), text(&finding["message"])))
        .collect()
}

#[test]
fn findings_are_sorted_by_severity() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    server.account("acme");
    let report = stdout(server.data_dir(), &["doctor"]);
    let severity = |line: &str| {
        ["fail", "warn", "ok"]
            .iter()
            .position(|word| line.starts_with(word))
    };
    let (findings, summary) = report
        .trim_end()
        .rsplit_once('\n')
        .expect("more than one line");
    let severities: Vec<_> = findings
        .lines()
        .map(|line| severity(line).expect("a finding"))
        .collect();
    assert!(
        severities.is_sorted() && severities.contains(&1) && severities.contains(&2),
        "{report}"
    );
    let warnings = severities.iter().filter(|severity| **severity == 1).count();
    let ok_count = severities.len() - warnings;
    assert_eq!(
        summary,
        format!("Nothing failed: {warnings} warnings, {ok_count} checks passed."),
        "{report}"
    );
    assert!(!report.contains("sha384-"), "{report}");

    let json = command::json(server.data_dir(), &["doctor"]);
    assert_eq!(
        json["summary"],
        serde_json::json!({ "failed": 0, "warnings": warnings, "passed": ok_count })
    );
    assert_eq!(
        (json.get("assets"), &json["findings"][0]["status"]),
        (None, &"warn".into()),
        "{json}"
    );
    assert!(
        command::json(server.data_dir(), &["doctor", "--assets"])["assets"][0]["integrity"]
            .is_string()
    );
    assert!(stdout(server.data_dir(), &["doctor", "--assets"]).contains("sha384-"));
}

fn port_of(url: &str) -> u16 {
    let (_, port) = url.rsplit_once(':').expect("a port");
    port.parse().expect("a number")
}

#[test]
fn port_in_use_by_another_service_is_reported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let other_server = Server::start(&folder.path().join("other"));
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent_port = silent.local_addr().expect("its address").port();
    let other_port = port_of(&other_server.url());
    let admin_port = port_of(&other_server.admin_url());

    let holders = |report: &Value| {
        listeners(report)
            .into_iter()
            .map(|(status, _)| status)
            .collect::<Vec<_>>()
    };
    let report_without_server = doctor_on(folder.path(), other_port, admin_port);
    assert_eq!(
        holders(&report_without_server),
        ["warn", "warn"],
        "{report_without_server}"
    );
    for (_, message) in listeners(&report_without_server) {
        assert!(
            message.contains("held by the server of another data directory"),
            "{message}"
        );
    }

    let public = ports::free();
    let admin = ports::free();
    let _server = Server::start_on(&folder.path().join("data"), public, admin, |_| {});
    let report_with_server = doctor_on(folder.path(), public, admin);
    assert_eq!(
        holders(&report_with_server),
        ["ok", "ok"],
        "{report_with_server}"
    );
    let report_with_other_port = doctor_on(folder.path(), other_port, admin);
    assert_eq!(
        holders(&report_with_other_port),
        ["warn", "ok"],
        "{report_with_other_port}"
    );
    let running = &listeners(&report_with_other_port)[0].1;
    assert!(
        running.contains(&format!("the running server listens at 127.0.0.1:{public}")),
        "{running}"
    );
    let message = &listeners(&doctor_on(folder.path(), silent_port, admin))[0].1;
    assert!(
        message.contains("held by a program that does not speak HTTP"),
        "{message}"
    );
}
