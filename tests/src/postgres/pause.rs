//! A server that does nothing for a while, as one whose machine hangs.

use super::Cluster;
use crate::process::{self, Signal};
use std::fs;

impl Cluster {
    /// Stops all of its processes where they are. Lines to it stay open, and new ones are taken by the system.
    pub fn pause(&self) {
        // The first one goes first, so that no more are made.
        self.signal_all(Signal::STOP);
        self.signal_all(Signal::STOP);
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.signal_all(Signal::CONT);
    }

    fn signal_all(&self, signal: Signal) {
        let first = self.pid();
        let others = fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap_or_default();
        let others = others.split_whitespace().filter_map(|id| id.parse().ok());
        for id in [first].into_iter().chain(others) {
            // One that has ended meanwhile needs none.
            let _ = process::send(signal, id);
        }
    }
}
