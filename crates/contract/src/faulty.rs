//! A store whose calls fail when they are told to.

mod ports;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use voight_domain::ports::{Store, StoreError};

/// What becomes of a call that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// It is refused with [`StoreError::NotApplied`], and was not made.
    Refused,
    /// It ends with [`StoreError::MaybeApplied`], and was not made.
    Lost,
    /// It ends with [`StoreError::MaybeApplied`], and was made.
    Made,
}

/// How long calls go on failing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultDuration {
    /// One call fails.
    Once,
    /// It and all after it.
    ForEver,
}

/// Which of the calls that change something fail, counted from 1, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedFault {
    /// The first that fails.
    pub call: u64,
    /// Whether later ones fail, too.
    pub times: FaultDuration,
    /// What becomes of them.
    pub failure: FaultKind,
}

/// A store of which the calls that change something fail as its fault says; reads are the store's own.
///
/// It stands for what lies between a caller and its store: a queue that is full, a connection that breaks before or after
/// the commit. What a disk does to an engine is tested below the ports.
pub struct FaultyStore {
    inner: Arc<dyn Store>,
    fault: InjectedFault,
    calls: AtomicU64,
}

impl FaultyStore {
    /// The store `inner` with this fault.
    pub fn wrap(inner: Arc<dyn Store>, fault: InjectedFault) -> Self {
        Self { inner, fault, calls: AtomicU64::new(0) }
    }

    /// How many calls that change something were begun.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Makes a call, or lets it fail. A call that is not made is never polled, and so does nothing.
    async fn change<T>(&self, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        match self.next() {
            None => call.await,
            Some(FaultKind::Refused) => Err(StoreError::NotApplied("refused by the fault".to_owned())),
            Some(FaultKind::Lost) => Err(StoreError::MaybeApplied("lost by the fault".to_owned())),
            Some(FaultKind::Made) => {
                call.await?;
                Err(StoreError::MaybeApplied("made, and its answer lost by the fault".to_owned()))
            }
        }
    }

    /// What becomes of the next call.
    fn next(&self) -> Option<FaultKind> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let fails = match self.fault.times {
            FaultDuration::Once => call == self.fault.call,
            FaultDuration::ForEver => call >= self.fault.call,
        };
        fails.then_some(self.fault.failure)
    }
}
