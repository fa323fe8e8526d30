//! Monitoring: a real Prometheus scrapes the service, and evaluates every expression of the dashboard and of the alerts.

mod prometheus;

use crate::erase::check::ScriptedCheck;
use prometheus::{Prometheus, assert_promtool_accepts};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;
use voight_tests::server::{Server, TestAccount};
use voight_tests::tier::is_full_or_skipped;
use voight_tests::{command, http, paths, test_name};

const DASHBOARD: &str = "examples/deploy/grafana/voight.json";
const ALERTS: &str = "examples/deploy/prometheus/alerts.yaml";

fn alerts() -> PathBuf {
    paths::repository().join(ALERTS)
}

/// Takes a backup, looks up addresses, and completes a check that an automated browser made.
fn drive(server: &Server, account: &TestAccount) {
    let backup = server.data_dir().with_extension("dump");
    let backup = backup.to_str().expect("a path in UTF-8");
    command::json(server.data_dir(), &["store", "backup", "--out", backup]);
    for number in 0..50 {
        let address = format!("0x{:040x}", number + 1);
        assert_eq!(server.look_up(account, &address).status, 200);
    }
    let address = format!("0x{:040x}", 1);
    let check = ScriptedCheck::open(server, &account.context, &address);
    let mut first = check.first_batch();
    first["env"] = json!({"webdriver": {"value": true, "own": false, "inPrototype": true}});
    check.run(server, &first);
    let response = check.complete(server);
    assert_eq!(response.status, 200, "{}", response.body);
}

/// Returns the expressions of all panels, with their titles. Variables have the values that show everything.
fn panel_expressions() -> Vec<(String, String)> {
    let text = fs::read_to_string(paths::repository().join(DASHBOARD)).expect("a dashboard");
    let dashboard: Value = serde_json::from_str(&text).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let mut expressions = Vec::new();
    for panel in panels {
        for target in panel["targets"].as_array().into_iter().flatten() {
            let expression = target["expr"].as_str().expect("an expression");
            let title = panel["title"].as_str().expect("a title").to_owned();
            let expression = expression
                .replace("$__rate_interval", "1m")
                .replace("$instance", ".*");
            expressions.push((title, expression));
        }
    }
    expressions
}

#[test]
fn panels_and_alerts_evaluate_in_prometheus() {
    if !is_full_or_skipped(test_name!()) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    let prometheus = Prometheus::start(folder.path(), &server.admin_url(), &alerts());
    prometheus.wait_for_scrapes(3);
    drive(&server, &account);
    prometheus.wait_for_scrapes(3);
    let expressions = panel_expressions();
    assert!(expressions.len() > 30, "{} expressions", expressions.len());
    for (title, expression) in expressions {
        let result = prometheus.query(&expression);
        assert!(!result.is_empty(), "{title} has no data: {expression}");
    }
    let rules = prometheus.rules();
    assert!(rules.len() > 15, "{} alerts", rules.len());
    for rule in rules {
        assert_eq!(rule["health"], "ok", "{rule}");
        // An alert may be pending: the scrubber of a small store is idle between two passes.
        assert_ne!(
            rule["state"], "firing",
            "a healthy service has no alert: {rule}"
        );
    }
}

/// Returns the age of the newest backup in seconds, if the server reports one.
fn backup_age(server: &Server) -> Option<f64> {
    let url = format!("{}/metrics", server.admin_url());
    let metrics = http::get(&http::agent(), &url, &[]).expect("metrics").body;
    let mut lines = metrics.lines();
    let age = lines.find_map(|line| line.strip_prefix("voight_backup_age_seconds "))?;
    Some(age.parse().expect("a number"))
}

#[test]
fn age_of_a_backup_survives_a_restart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    assert_eq!(backup_age(&server), None);
    let dump = folder.path().join("voight.dump");
    let dump = dump.to_str().expect("a path in UTF-8");
    command::json(&data_dir, &["store", "backup", "--out", dump]);
    let age = backup_age(&server).expect("the age of the backup");
    assert!(age < 60.0, "{age}");
    server.kill();
    let restarted = Server::start(&data_dir);
    let mut polls = (0..100).map(|_| {
        sleep(Duration::from_millis(100));
        backup_age(&restarted)
    });
    let age_after_restart = polls.find_map(|age| age).expect("the age of the backup");
    assert!(
        (age..120.0).contains(&age_after_restart),
        "{age_after_restart}"
    );
}

#[test]
fn promtool_accepts_metrics_and_rules() {
    if !is_full_or_skipped(test_name!()) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    drive(&server, &account);
    let url = format!("{}/metrics", server.admin_url());
    let metrics = http::get(&http::agent(), &url, &[]).expect("metrics");
    assert_promtool_accepts(&["check", "metrics"], &metrics.body);
    let rules = alerts();
    let rules = rules.to_str().expect("a path in UTF-8");
    assert_promtool_accepts(&["check", "rules", rules], "");
}

#[test]
fn every_alert_fires_in_a_fault_and_clears() {
    if !is_full_or_skipped(test_name!()) {
        return;
    }
    let folder = paths::repository().join("tests/e2e/monitoring");
    let files = ["alerts_test.yaml", "slow_alerts_test.yaml"].map(|name| folder.join(name));
    let mut tested = BTreeSet::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("the tests of alerts");
        let names = text
            .lines()
            .filter_map(|line| line.split_once("alertname: "));
        tested.extend(names.map(|(_, name)| name.to_owned()));
        let path = file.to_str().expect("a path in UTF-8");
        assert_promtool_accepts(&["test", "rules", path], "");
    }
    let rules = fs::read_to_string(alerts()).expect("the alerts");
    let names = rules
        .lines()
        .filter_map(|line| line.split_once("- alert: "));
    let expected: BTreeSet<_> = names.map(|(_, name)| name.to_owned()).collect();
    assert_eq!(tested, expected);
}

#[test]
fn alert_of_a_dead_service_fires_and_clears() {
    if !is_full_or_skipped(test_name!()) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let impatient = folder.path().join("alerts.yaml");
    let rules = fs::read_to_string(alerts()).expect("the alerts");
    fs::write(&impatient, rules.replace("for: 5m", "for: 1s")).expect("the file is written");
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    let admin_port = server.admin_url().rsplit(':').next().map(str::to_owned);
    let admin_port: u16 = admin_port
        .and_then(|port| port.parse().ok())
        .expect("a port");
    let prometheus = Prometheus::start(folder.path(), &server.admin_url(), &impatient);
    prometheus.wait_for_scrapes(2);
    server.kill();
    prometheus.wait_for_alert("VoightServiceDown", "firing");
    let port = voight_tests::ports::free();
    let _restarted = Server::start_on(&data_dir, port, admin_port, |_| {});
    prometheus.wait_for_alert("VoightServiceDown", "inactive");
}
