//! Threads of long reads and writes, which use the processor time that requests leave.

use rustix::process::setpriority_process;
use tokio::task::{JoinHandle, spawn_blocking};

/// Nice value of these threads. The kernel preempts one at once for a thread that answers requests, and leaves it about a tenth
/// of a busy core.
const NICE: i32 = 10;

/// Runs blocking code on a thread with a low priority.
pub(crate) fn spawn_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    spawn_blocking(|| {
        // A sandbox may forbid it. The work is then done at the priority of requests.
        let _ = setpriority_process(None, NICE);
        work()
    })
}
