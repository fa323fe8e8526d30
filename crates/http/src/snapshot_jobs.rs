//! Queue of the jobs of snapshots.

use std::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use voight_domain::vocabulary::{ClientId, SnapshotId};

/// Snapshot whose job has work to do.
pub type SnapshotJob = (ClientId, SnapshotId);

/// Queue of jobs that a request has created or changed.
pub struct SnapshotJobs {
    sender: UnboundedSender<SnapshotJob>,
    receiver: Mutex<Option<UnboundedReceiver<SnapshotJob>>>,
}

impl Default for SnapshotJobs {
    fn default() -> Self {
        let (sender, receiver) = unbounded_channel();
        Self {
            sender,
            receiver: Mutex::new(Some(receiver)),
        }
    }
}

impl SnapshotJobs {
    /// Adds a job. It is lost if no runner takes the queue, and found by its next complete scan.
    pub fn add(&self, job: SnapshotJob) {
        let _ = self.sender.send(job);
    }

    /// Returns the end of the queue that the runner reads; `None` if it was taken before.
    pub fn take_receiver(&self) -> Option<UnboundedReceiver<SnapshotJob>> {
        self.receiver.lock().ok()?.take()
    }
}
