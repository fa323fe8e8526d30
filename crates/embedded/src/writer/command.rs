//! Queued command with the sender of its reply.

use super::PendingWrite;
use super::one_shot::OneShot;
use super::waker_batch::WakerBatch;
use crate::write_transaction::WriteTransaction;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use voight_domain::ports::StoreError;

/// Command in the queue, independent of its result type.
pub(super) trait Command: Send {
    /// Runs the command. Its writes are kept only if it returns `Ok`.
    fn run(&mut self, transaction: &mut WriteTransaction<'_>) -> Result<(), StoreError>;

    /// Sends the reply once the outcome of the commit group is known. The waiter is woken by `group`.
    fn answer(self: Box<Self>, outcome: &Result<(), StoreError>, group: &Arc<WakerBatch>);
}

/// State of a queued command: the closure, then its result, then the reply sender.
pub(super) struct QueuedCommand<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    reply: ReplySender<T>,
}

impl<T, F> QueuedCommand<T, F>
where
    F: FnOnce(&mut WriteTransaction<'_>) -> Result<T, StoreError>,
{
    /// Creates a command and the future of its reply.
    pub(super) fn new(work: F) -> (Self, PendingWrite<T>) {
        let slot = Arc::new(OneShot::new());
        (
            Self {
                work: Some(work),
                result: None,
                reply: ReplySender(Arc::clone(&slot)),
            },
            PendingWrite::Queued(slot),
        )
    }
}

impl<T, F> Command for QueuedCommand<T, F>
where
    T: Send,
    F: FnOnce(&mut WriteTransaction<'_>) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, transaction: &mut WriteTransaction<'_>) -> Result<(), StoreError> {
        let Some(work) = self.work.take() else {
            return Ok(());
        };
        // A panic can only leave the transaction's own writes incomplete, and they are discarded.
        let result = catch_unwind(AssertUnwindSafe(|| work(transaction))).unwrap_or_else(|_| {
            Err(StoreError::NotApplied(
                "the write transaction panicked; nothing was written".into(),
            ))
        });
        let outcome = result.as_ref().map(|_| ()).map_err(Clone::clone);
        self.result = Some(result);
        outcome
    }

    fn answer(self: Box<Self>, outcome: &Result<(), StoreError>, group: &Arc<WakerBatch>) {
        let answer = match (outcome, self.result) {
            (Ok(()), Some(result)) => result,
            // The command that found the corruption returns it; the others report that the store has stopped.
            (Err(_), Some(Err(found @ StoreError::Corrupt(_)))) => Err(found),
            (Err(error), _) => Err(error.clone()),
            (Ok(()), None) => Err(StoreError::NotApplied(
                "the write transaction did not run".into(),
            )),
        };
        self.reply.0.send(answer, group);
    }
}

/// Sending half of a one-shot channel. Dropping it without a reply wakes the receiver with an error.
struct ReplySender<T>(Arc<OneShot<T>>);

impl<T> Drop for ReplySender<T> {
    fn drop(&mut self) {
        self.0.close_sender();
    }
}
