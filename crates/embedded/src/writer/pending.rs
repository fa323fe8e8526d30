//! Future of the reply to a command.

use super::one_shot::OneShot;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use voight_domain::ports::StoreError;

/// Resolves once the group of the command was applied or has failed.
#[derive(Debug)]
pub(crate) enum PendingWrite<T> {
    /// Rejected before it was queued.
    Rejected(Option<StoreError>),
    /// Queued, with the channel of its reply.
    Queued(Arc<OneShot<T>>),
}

impl<T> PendingWrite<T> {
    pub(super) fn rejected(error: StoreError) -> Self {
        Self::Rejected(Some(error))
    }
}

// No field is structurally pinned: the value is moved out.
impl<T> Unpin for PendingWrite<T> {}

impl<T> Future for PendingWrite<T> {
    type Output = Result<T, StoreError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Rejected(error) => Poll::Ready(Err(error.take().unwrap_or_else(unanswered))),
            Self::Queued(slot) => slot
                .poll(context)
                .map(|answer| answer.unwrap_or_else(|| Err(unanswered()))),
        }
    }
}

impl<T> Drop for PendingWrite<T> {
    fn drop(&mut self) {
        if let Self::Queued(slot) = self {
            slot.close_receiver();
        }
    }
}

fn unanswered() -> StoreError {
    StoreError::MaybeApplied("the writer ended without an answer".into())
}
