//! A command with the place its answer goes to.

use super::PendingWrite;
use super::slot::OneShot;
use super::wakes::WakerBatch;
use crate::step::WriteTransaction;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use voight_domain::ports::StoreError;

/// A command in the queue, whatever it answers.
pub(super) trait Command: Send {
    /// Runs it. Its writes count only after `Ok`.
    fn run(&mut self, step: &mut WriteTransaction<'_>) -> Result<(), StoreError>;

    /// Answers it, now that it is known what became of its group. Whoever waits is woken by `group`.
    fn answer(self: Box<Self>, outcome: &Result<(), StoreError>, group: &Arc<WakerBatch>);
}

/// A closure, then its result, then the answer.
pub(super) struct QueuedCommand<T, F> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    reply: ReplySender<T>,
}

impl<T, F> QueuedCommand<T, F>
where
    F: FnOnce(&mut WriteTransaction<'_>) -> Result<T, StoreError>,
{
    /// A command and the future of its answer.
    pub(super) fn new(work: F) -> (Self, PendingWrite<T>) {
        let slot = Arc::new(OneShot::new());
        (Self { work: Some(work), result: None, reply: ReplySender(Arc::clone(&slot)) }, PendingWrite::Queued(slot))
    }
}

impl<T, F> Command for QueuedCommand<T, F>
where
    T: Send,
    F: FnOnce(&mut WriteTransaction<'_>) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, step: &mut WriteTransaction<'_>) -> Result<(), StoreError> {
        let Some(work) = self.work.take() else { return Ok(()) };
        // What a panic can leave half-done is the step's own overlay, which is thrown away.
        let result = catch_unwind(AssertUnwindSafe(|| work(step)))
            .unwrap_or_else(|_| Err(StoreError::NotApplied("the step panicked; nothing was written".into())));
        let kept = result.as_ref().map(|_| ()).map_err(Clone::clone);
        self.result = Some(result);
        kept
    }

    fn answer(self: Box<Self>, outcome: &Result<(), StoreError>, group: &Arc<WakerBatch>) {
        let answer = match (outcome, self.result) {
            (Ok(()), Some(result)) => result,
            // Who found the damage names it; to everybody else the store has stopped.
            (Err(_), Some(Err(found @ StoreError::Corrupt(_)))) => Err(found),
            (Err(error), _) => Err(error.clone()),
            (Ok(()), None) => Err(StoreError::NotApplied("the step did not run".into())),
        };
        self.reply.0.send(answer, group);
    }
}

/// The writer's end of a slot. Dropped without an answer, it tells so to whoever waits.
struct ReplySender<T>(Arc<OneShot<T>>);

impl<T> Drop for ReplySender<T> {
    fn drop(&mut self) {
        self.0.close_sender();
    }
}
