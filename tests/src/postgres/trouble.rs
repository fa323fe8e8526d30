//! What happens on a line between a process and its server.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// What the driver sends to commit, as it stands in its message.
const COMMIT: &[u8] = b"COMMIT\0";

/// What happens from now on. Where it is about commits, it happens to every third.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkFault {
    /// Nothing.
    None,
    /// The line breaks before a commit has reached the server.
    Before,
    /// The line breaks when a commit is at the server, so that its answer is lost.
    After,
    /// The line breaks when half of a commit is at the server.
    Half,
    /// The line breaks when half of the answer to a commit is at the process.
    HalfAnswered,
    /// The line is reset when a commit comes, with no word to either side before.
    Reset,
    /// A connection that commits lets nothing through any more, and is not closed.
    HalfOpen,
    /// Everything that the process sends arrives a twentieth of a second later.
    Late,
    /// Nobody gets through.
    Away,
}

impl NetworkFault {
    fn is_about_commits(self) -> bool {
        !matches!(self, Self::None | Self::Late | Self::Away)
    }
}

/// What is to happen, and how often it has.
pub(super) struct FaultSchedule {
    now: Mutex<NetworkFault>,
    commits: AtomicU32,
    times: AtomicU32,
}

impl FaultSchedule {
    pub(super) fn none() -> Self {
        Self { now: Mutex::new(NetworkFault::None), commits: AtomicU32::default(), times: AtomicU32::default() }
    }

    pub(super) fn set(&self, trouble: NetworkFault) {
        *self.now.lock().expect("no panic") = trouble;
    }

    pub(super) fn times(&self) -> u32 {
        self.times.load(Ordering::SeqCst)
    }

    /// What happens to these bytes of a process.
    pub(super) fn fault_for(&self, sent: &[u8]) -> NetworkFault {
        let trouble = *self.now.lock().expect("no panic");
        let is_commit = || sent.windows(COMMIT.len()).any(|window| window == COMMIT);
        let is_met = || is_commit() && self.commits.fetch_add(1, Ordering::SeqCst).is_multiple_of(3);
        if trouble == NetworkFault::None || (trouble.is_about_commits() && !is_met()) {
            return NetworkFault::None;
        }
        self.times.fetch_add(1, Ordering::SeqCst);
        trouble
    }
}
