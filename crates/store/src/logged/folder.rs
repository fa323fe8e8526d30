//! The thread that brings what is in the log into the database.

use super::shared::WalCore;
use crate::{Engine, EngineError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long what is in the log waits for more: the more is folded at once, the more of it shares a page of the database.
const CHECKPOINT_DELAY: Duration = Duration::from_millis(250);
/// How long a fold rests between some of its changes. It shares its processor with those who answer, and an operating system
/// takes a processor away from a thread that does not rest only after milliseconds.
const THROTTLE_PAUSE: Duration = Duration::from_micros(500);
/// How often it is tried again while there is no space for it.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Folds what is written to `shared`, as soon as half of the log is in use, or a little later.
pub(super) fn start<E: Engine>(shared: &Arc<WalCore<E>>) -> std::io::Result<JoinHandle<()>> {
    let folder = Checkpointer { shared: Arc::clone(shared) };
    thread::Builder::new().name("voight-fold".into()).spawn(move || while folder.run_step() {})
}

struct Checkpointer<E> {
    shared: Arc<WalCore<E>>,
}

/// What there is to do.
enum CheckpointTask {
    Checkpoint,
    Retry,
    Shutdown,
}

impl<E: Engine> Checkpointer<E> {
    /// A turn; a database that panics has failed.
    fn run_step(&self) -> bool {
        catch_unwind(AssertUnwindSafe(|| self.run_once())).unwrap_or_else(|_| {
            let panicked = EngineError::Io("the database panicked during a commit".into());
            self.shared.change(|state| state.error = Some(panicked));
            false
        })
    }

    /// Waits for something to fold, and folds it; `false` if this is the end.
    fn run_once(&self) -> bool {
        let folded = match self.next_task() {
            CheckpointTask::Checkpoint => self.checkpoint(),
            CheckpointTask::Retry => self.retry(),
            CheckpointTask::Shutdown => return false,
        };
        let Err(error) = folded.or_else(|error| self.recover_after(error)) else { return true };
        if matches!(error, EngineError::NotApplied(_)) {
            // It is tried again, for the reason for which it was tried now.
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
                (true, false) if state.has_waiters() || state.ring.is_half_full() => return CheckpointTask::Checkpoint,
                _ => {}
            }
            if !state.has_unapplied() {
                state.has_waiter = false;
            }
            let patience = match (state.has_unapplied(), state.is_full()) {
                (false, _) => None,
                (true, false) => Some(CHECKPOINT_DELAY),
                (true, true) => Some(RETRY_INTERVAL),
            };
            let (next, is_over) = self.shared.wait_on(state, patience);
            if is_over {
                return if next.is_full() { CheckpointTask::Retry } else { CheckpointTask::Checkpoint };
            }
            state = next;
        }
    }

    /// Tries once more, if there is space. Whatever became of the last attempt, writing the same again does no harm.
    fn retry(&self) -> Result<(), EngineError> {
        if !self.shared.engine.has_free_space()? {
            return Err(EngineError::Full("there is no space to fold the log".into()));
        }
        self.shared.engine.recover()?;
        self.checkpoint()
    }

    fn checkpoint(&self) -> Result<(), EngineError> {
        self.shared.checkpoint(&mut || self.throttle())
    }

    /// Leaves the processor to others, unless somebody waits for the log to be folded, or soon will.
    fn throttle(&self) {
        let state = self.shared.lock();
        if !state.has_waiters() && !state.ring.is_nearly_full() {
            drop(self.shared.wait_on(state, Some(THROTTLE_PAUSE)));
        }
    }

    /// Puts the database back to work after it had no space, so that it can be read; the error that stays.
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
