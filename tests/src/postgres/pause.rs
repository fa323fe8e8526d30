//! A server that does nothing for a while, as one whose machine hangs.

use super::Cluster;
use std::fs;
use std::process::Command;

impl Cluster {
    /// Stops all of its processes where they are. Lines to it stay open, and new ones are taken by the system.
    pub fn pause(&self) {
        // The first one goes first, so that no more are made.
        self.signal_all("STOP");
        self.signal_all("STOP");
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.signal_all("CONT");
    }

    fn signal_all(&self, signal: &str) {
        let first = self.pid().to_string();
        let others = fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap_or_default();
        for process in [first.as_str()].into_iter().chain(others.split_whitespace()) {
            // One that has ended meanwhile needs none.
            let _ = Command::new("kill").args([&format!("-{signal}"), process]).output();
        }
    }
}
