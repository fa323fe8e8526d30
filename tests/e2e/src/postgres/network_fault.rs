//! Faults of a connection between a process and its server.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes of the driver's message for a commit.
const COMMIT: &[u8] = b"COMMIT\0";

/// Fault to inject. One that concerns commits is injected into every third commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkFault {
    /// No fault.
    None,
    /// The connection breaks before a commit reaches the server.
    Before,
    /// The connection breaks after a commit has reached the server, so that its answer is lost.
    After,
    /// The connection breaks when half of a commit has reached the server.
    Half,
    /// The connection breaks when half of the answer to a commit has reached the process.
    HalfAnswered,
    /// The connection is reset when a commit is sent, before either side receives anything.
    Reset,
    /// A connection that commits transmits nothing any more and stays open.
    HalfOpen,
    /// All data of the process is delayed by 50 ms.
    Late,
    /// All connections are closed.
    Away,
}

impl NetworkFault {
    fn is_about_commits(self) -> bool {
        !matches!(self, Self::None | Self::Late | Self::Away)
    }
}

/// Current fault, with the number of injections.
pub(super) struct FaultSchedule {
    now: Mutex<NetworkFault>,
    commits: AtomicU32,
    times: AtomicU32,
}

impl FaultSchedule {
    pub(super) fn none() -> Self {
        Self {
            now: Mutex::new(NetworkFault::None),
            commits: AtomicU32::default(),
            times: AtomicU32::default(),
        }
    }

    pub(super) fn set(&self, trouble: NetworkFault) {
        *self.now.lock().expect("no panic") = trouble;
    }

    pub(super) fn times(&self) -> u32 {
        self.times.load(Ordering::SeqCst)
    }

    /// Returns the fault for these bytes of the process.
    pub(super) fn fault_for(&self, bytes: &[u8]) -> NetworkFault {
        let trouble = *self.now.lock().expect("no panic");
        let is_commit = || bytes.windows(COMMIT.len()).any(|window| window == COMMIT);
        let is_met = || {
            is_commit()
                && self
                    .commits
                    .fetch_add(1, Ordering::SeqCst)
                    .is_multiple_of(3)
        };
        if trouble == NetworkFault::None || (trouble.is_about_commits() && !is_met()) {
            return NetworkFault::None;
        }
        self.times.fetch_add(1, Ordering::SeqCst);
        trouble
    }
}
