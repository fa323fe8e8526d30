//! Fault injection: a wrapper that makes calls of a store fail.

mod ports;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use voight_domain::ports::{Store, StoreError};

/// Outcome of a failing call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The call returns [`StoreError::NotApplied`] and is not made.
    Rejected,
    /// The call returns [`StoreError::MaybeApplied`] and is not made.
    Lost,
    /// The call returns [`StoreError::MaybeApplied`] although it is made.
    Made,
}

/// Number of calls that fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultDuration {
    /// One call fails.
    Once,
    /// The call and all later ones fail.
    ForEver,
}

/// Fault of one or more write calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedFault {
    /// Number of the first write call that fails, counted from 1.
    pub call: u64,
    /// Number of calls that fail.
    pub times: FaultDuration,
    /// Outcome of the failing calls.
    pub failure: FaultKind,
}

/// Store whose write calls fail according to an [`InjectedFault`]; reads are passed through.
///
/// Simulates failures between a caller and its store: a full queue, or a connection that breaks before or after the
/// commit. Faults of a disk are tested below the ports.
pub struct FaultyStore {
    inner: Arc<dyn Store>,
    fault: InjectedFault,
    calls: AtomicU64,
}

impl FaultyStore {
    /// Wraps the store `inner` with this fault.
    pub fn wrap(inner: Arc<dyn Store>, fault: InjectedFault) -> Self {
        Self {
            inner,
            fault,
            calls: AtomicU64::new(0),
        }
    }

    /// Returns the number of write calls that were started.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Makes a write call, or lets it fail. A call that is not made is never polled and thus has no effect.
    async fn change<T>(
        &self,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        match self.next() {
            None => call.await,
            Some(FaultKind::Rejected) => {
                Err(StoreError::NotApplied("rejected by the fault".to_owned()))
            }
            Some(FaultKind::Lost) => Err(StoreError::MaybeApplied("lost by the fault".to_owned())),
            Some(FaultKind::Made) => {
                call.await?;
                Err(StoreError::MaybeApplied(
                    "applied, and its response lost by the fault".to_owned(),
                ))
            }
        }
    }

    /// Returns the fault of the next call, if any.
    fn next(&self) -> Option<FaultKind> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let fails = match self.fault.times {
            FaultDuration::Once => call == self.fault.call,
            FaultDuration::ForEver => call >= self.fault.call,
        };
        fails.then_some(self.fault.failure)
    }
}
