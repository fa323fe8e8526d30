//! Receiver of webhooks on Node, with a certificate of its own authority.

use super::certificates;
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;
use voight_tests::{paths, ports};

const PAUSE: Duration = Duration::from_millis(20);

/// Files of a receiver, which survive its process.
pub(crate) struct NodeReceiver {
    folder: TempDir,
    port: u16,
    child: Option<Child>,
}

impl NodeReceiver {
    /// Creates the files of a receiver; `None` if its packages are not installed.
    pub(crate) fn new(modules: &Path) -> Option<Self> {
        if !modules.is_dir() {
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let source = paths::repository().join("tests/e2e/webhooks/receiver.mjs");
        fs::copy(source, folder.path().join("receiver.mjs")).expect("a copy of the script");
        std::os::unix::fs::symlink(modules, folder.path().join("node_modules"))
            .expect("a link to the packages");
        certificates::write(folder.path());
        Some(Self {
            folder,
            port: ports::free(),
            child: None,
        })
    }

    /// Returns the URL of the receiver.
    pub(crate) fn url(&self) -> String {
        format!("https://127.0.0.1:{}/hook", self.port)
    }

    /// Adds the settings by which a server calls this receiver.
    pub(crate) fn configure(&self, command: &mut Command) {
        certificates::configure(command, self.folder.path(), self.port);
    }

    /// Starts the process with this secret, and waits until it listens.
    pub(crate) fn start(&mut self, secret: &str) {
        let before = self.lines().len();
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.log())
            .expect("a log file");
        let child = Command::new("node")
            .current_dir(self.folder.path())
            .args(["receiver.mjs", &self.port.to_string()])
            .args(["receiver.pem", "receiver.key", secret])
            .stdout(log)
            .stdin(Stdio::null())
            .spawn()
            .expect("Node starts");
        self.child = Some(child);
        self.wait_until("listening", |lines| lines.len() > before);
    }

    /// Kills the process.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Returns the requests that were received and verified.
    pub(crate) fn requests(&self) -> Vec<Value> {
        let mut lines = self.lines();
        lines.retain(|line| !line["id"].is_null());
        lines
    }

    /// Returns the first request about an event of this type, waiting for at most two minutes.
    pub(crate) fn wait_for(&self, event_type: &str) -> Value {
        let is_of_type = |line: &&Value| line["event"]["type"] == event_type;
        let find = || self.lines().iter().find(is_of_type).cloned();
        self.wait_until(event_type, |_| find().is_some());
        find().expect("the request that was waited for")
    }

    /// Waits for at most two minutes until the printed lines satisfy a condition.
    pub(crate) fn wait_until(&self, what: &str, is_so: impl Fn(&[Value]) -> bool) {
        for _ in 0..6_000 {
            if is_so(&self.lines()) {
                return;
            }
            sleep(PAUSE);
        }
        panic!("not {what} after two minutes: {:#?}", self.lines());
    }

    fn lines(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.log()).unwrap_or_default();
        // The last line may be incomplete.
        let complete_lines = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        complete_lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("requests.ndjson")
    }
}

impl Drop for NodeReceiver {
    fn drop(&mut self) {
        self.kill();
    }
}
