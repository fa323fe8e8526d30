//! Checkpointer: the thread that applies the log to the engine.

use super::shared::WalCore;
use crate::{Engine, EngineError};
use rustix::process::setpriority_process;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Maximum delay before a checkpoint. Larger checkpoints write fewer pages per change.
const CHECKPOINT_DELAY: Duration = Duration::from_millis(250);
/// Pause between slices of a checkpoint. The checkpointer shares a core with request handling, and the scheduler
/// preempts a thread that never sleeps only after milliseconds.
const THROTTLE_PAUSE: Duration = Duration::from_micros(500);
/// Nice value of the thread. The kernel preempts it sooner for a thread that answers requests. A higher value would leave it too
/// little of a busy core, so that writers wait for room in the log.
const NICE: i32 = 5;
/// Interval between retries of a checkpoint that ran out of space.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Starts the checkpointer. It runs when half of the log is in use, or [`CHECKPOINT_DELAY`] after a write.
pub(super) fn start<E: Engine>(shared: &Arc<WalCore<E>>) -> std::io::Result<JoinHandle<()>> {
    let checkpointer = Checkpointer {
        shared: Arc::clone(shared),
    };
    thread::Builder::new()
        .name("voight-checkpt".into())
        .spawn(move || {
            // A sandbox may forbid it. Checkpoints then have the priority of requests.
            let _ = setpriority_process(None, NICE);
            while checkpointer.run_step() {}
        })
}

struct Checkpointer<E> {
    shared: Arc<WalCore<E>>,
}

/// Next task of the checkpointer.
enum CheckpointTask {
    Checkpoint,
    Retry,
    Shutdown,
}

impl<E: Engine> Checkpointer<E> {
    /// Runs one task and treats a panic of the engine as a failure. Returns `false` when the thread must end.
    fn run_step(&self) -> bool {
        catch_unwind(AssertUnwindSafe(|| self.run_once())).unwrap_or_else(|_| {
            let panic_error = EngineError::Io("the database panicked during a commit".into());
            self.shared.change(|state| state.error = Some(panic_error));
            false
        })
    }

    /// Waits for a task and runs it. Returns `false` when the thread must end.
    fn run_once(&self) -> bool {
        let step_result = match self.next_task() {
            CheckpointTask::Checkpoint => self.checkpoint(),
            CheckpointTask::Retry => self.retry(),
            CheckpointTask::Shutdown => return false,
        };
        let Err(error) = step_result.or_else(|error| self.recover_after(error)) else {
            return true;
        };
        if matches!(error, EngineError::NotApplied(_)) {
            // The reason for this attempt persists, so the next iteration retries.
            return true;
        }
        let may_go_on = matches!(error, EngineError::Full(_));
        self.shared.change(|state| state.error = Some(error));
        may_go_on
    }

    fn next_task(&self) -> CheckpointTask {
        let mut state = self.shared.lock();
        loop {
            match (state.has_unapplied(), state.is_full()) {
                (false, _) | (true, true) if state.is_closing => return CheckpointTask::Shutdown,
                _ if state.check_failed().is_err() => return CheckpointTask::Shutdown,
                (true, false) if state.has_waiters() || state.ring.is_half_full() => {
                    return CheckpointTask::Checkpoint;
                }
                _ => {}
            }
            if !state.has_unapplied() {
                state.has_waiter = false;
            }
            let timeout = match (state.has_unapplied(), state.is_full()) {
                (false, _) => None,
                (true, false) => Some(CHECKPOINT_DELAY),
                (true, true) => Some(RETRY_INTERVAL),
            };
            let (next, is_over) = self.shared.wait_on(state, timeout);
            if is_over {
                return if next.is_full() {
                    CheckpointTask::Retry
                } else {
                    CheckpointTask::Checkpoint
                };
            }
            state = next;
        }
    }

    /// Retries the checkpoint if there is space. Applying the same batches again is harmless, whatever the outcome of
    /// the last attempt.
    fn retry(&self) -> Result<(), EngineError> {
        if !self.shared.engine.has_free_space()? {
            return Err(EngineError::Full(
                "no space for a checkpoint of the write-ahead log".into(),
            ));
        }
        self.shared.engine.recover()?;
        self.checkpoint()
    }

    fn checkpoint(&self) -> Result<(), EngineError> {
        self.shared.checkpoint(&mut || self.throttle())
    }

    /// Yields the core to other threads. Does not pause while a caller waits for the checkpoint or the log is nearly
    /// full.
    fn throttle(&self) {
        let state = self.shared.lock();
        if !state.has_waiters() && !state.ring.is_nearly_full() {
            drop(self.shared.wait_on(state, Some(THROTTLE_PAUSE)));
        }
    }

    /// Recovers the engine after it ran out of space, so that it can be read. Returns the error that remains.
    fn recover_after(&self, error: EngineError) -> Result<(), EngineError> {
        if matches!(error, EngineError::Full(_))
            && let Err(worse) = self.shared.engine.recover()
            && !matches!(worse, EngineError::Full(_) | EngineError::NotApplied(_))
        {
            return Err(worse);
        }
        Err(error)
    }
}
