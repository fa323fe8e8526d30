//! The answer to a command, as a future.

use super::slot::OneShot;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use voight_domain::ports::StoreError;

/// Resolves when the command's group has been applied, or was not.
#[derive(Debug)]
pub(crate) enum PendingWrite<T> {
    /// It was refused before it was queued.
    Rejected(Option<StoreError>),
    /// It is queued.
    Queued(Arc<OneShot<T>>),
}

impl<T> PendingWrite<T> {
    pub(super) fn refused(error: StoreError) -> Self {
        Self::Rejected(Some(error))
    }
}

// Nothing in it is pinned: the value moves out of its place.
impl<T> Unpin for PendingWrite<T> {}

impl<T> Future for PendingWrite<T> {
    type Output = Result<T, StoreError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Rejected(error) => Poll::Ready(Err(error.take().unwrap_or_else(unanswered))),
            Self::Queued(slot) => slot.poll(context).map(|answer| answer.unwrap_or_else(|| Err(unanswered()))),
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
