//! Private Prometheus server of Debian's package.

use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use voight_tests::{http, ports};

const PAUSE: Duration = Duration::from_millis(200);
/// Maximum number of polls for a state of the server.
const MAX_POLLS: usize = 300;

/// Prometheus that scrapes a service once a second.
pub(super) struct Prometheus {
    process: Child,
    port: u16,
}

impl Prometheus {
    /// Starts a server with these alert rules, whose files are in `folder`.
    pub(super) fn start(folder: &Path, admin_url: &str, alerts: &Path) -> Self {
        let target = admin_url.trim_start_matches("http://");
        let config = folder.join("prometheus.yaml");
        let alerts = alerts.display();
        let text = format!(
            "global:\n  scrape_interval: 1s\n  evaluation_interval: 1s\nrule_files: ['{alerts}']\n\
             scrape_configs:\n  - job_name: voight\n    static_configs:\n      - targets: ['{target}']\n"
        );
        fs::write(&config, text).expect("the file is written");
        let port = ports::free();
        let log = fs::File::create(folder.join("prometheus.log")).expect("a log file");
        let process = Command::new("prometheus")
            .arg(format!("--config.file={}", config.display()))
            .arg(format!(
                "--storage.tsdb.path={}",
                folder.join("tsdb").display()
            ))
            .arg(format!("--web.listen-address=127.0.0.1:{port}"))
            .arg("--log.level=warn")
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("prometheus is installed");
        Self { process, port }
    }

    /// Waits until `count` more scrapes have succeeded.
    pub(super) fn wait_for_scrapes(&self, count: usize) {
        let scrapes = || {
            let samples = self.query("count_over_time(up{job=\"voight\"}[1h])");
            let value = samples
                .first()
                .and_then(|sample| sample["value"][1].as_str());
            value
                .and_then(|text| text.parse::<usize>().ok())
                .unwrap_or(0)
        };
        let before = scrapes();
        self.wait_until("scrapes", || {
            let is_up = self.query("up{job=\"voight\"} == 1");
            !is_up.is_empty() && scrapes() >= before + count
        });
    }

    /// Waits until an alert has this state.
    pub(super) fn wait_for_alert(&self, name: &str, state: &str) {
        self.wait_until(name, || {
            let rules = self.rules();
            rules
                .iter()
                .any(|rule| rule["name"] == name && rule["state"] == state)
        });
    }

    fn wait_until(&self, event: &str, is_reached: impl Fn() -> bool) {
        for _ in 0..MAX_POLLS {
            if is_reached() {
                return;
            }
            sleep(PAUSE);
        }
        panic!("{event} did not happen: {:?}", self.rules());
    }

    /// Returns the samples of an expression. Panics if the expression is invalid.
    pub(super) fn query(&self, expression: &str) -> Vec<Value> {
        let url = format!("http://127.0.0.1:{}/api/v1/query", self.port);
        let Ok(mut response) = http::agent().get(&url).query("query", expression).call() else {
            return Vec::new();
        };
        let text = response.body_mut().read_to_string().expect("a body");
        if response.status() == 503 {
            return Vec::new();
        }
        let mut answer: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(answer["status"], "success", "{expression}: {answer}");
        match answer["data"]["result"].take() {
            Value::Array(samples) => samples,
            other => panic!("{expression}: {other}"),
        }
    }

    /// Returns the alert rules with their states; none while the server starts.
    pub(super) fn rules(&self) -> Vec<Value> {
        let url = format!("http://127.0.0.1:{}/api/v1/rules", self.port);
        let Ok(response) = http::get(&http::agent(), &url, &[]) else {
            return Vec::new();
        };
        let mut answer: Value = serde_json::from_str(&response.body).unwrap_or_default();
        match answer["data"]["groups"][0]["rules"].take() {
            Value::Array(rules) => rules,
            _ => Vec::new(),
        }
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Asserts that `promtool` accepts its input and reports no problem.
pub(super) fn assert_promtool_accepts(arguments: &[&str], input: &str) {
    let mut process = Command::new("promtool")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("promtool is installed");
    let mut stdin = process.stdin.take().expect("a pipe");
    stdin
        .write_all(input.as_bytes())
        .expect("the input is read");
    drop(stdin);
    let output = process.wait_with_output().expect("promtool ends");
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && problems.is_empty(),
        "{arguments:?}: {problems}"
    );
}
