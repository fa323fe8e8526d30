//! Paused servers, which behave like those of a hanging machine.

use super::Cluster;
use crate::process::{self, Signal};
use std::fs;

impl Cluster {
    /// Stops all processes of the server. Connections stay open, and the operating system still accepts new ones.
    pub fn pause(&self) {
        // The postmaster is stopped first, so that it forks no more processes before the second pass.
        self.signal_all(Signal::STOP);
        self.signal_all(Signal::STOP);
    }

    /// Resumes all processes of the server.
    pub fn resume(&self) {
        self.signal_all(Signal::CONT);
    }

    fn signal_all(&self, signal: Signal) {
        let first = self.pid();
        let children =
            fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|id| id.parse().ok());
        for id in [first].into_iter().chain(children) {
            // A process that has ended meanwhile needs no signal.
            let _ = process::send(signal, id);
        }
    }
}
