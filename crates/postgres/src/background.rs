//! Where calls run: not in their callers, who may go away.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use voight_domain::ports::StoreError;

/// Threads that do nothing but wait for the database and decide.
const THREADS: usize = 2;
/// How long calls that are under way are waited for when the store is closed.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs calls to their ends, also those that nobody waits for any more.
pub(crate) struct TaskRuntime {
    runtime: Option<Runtime>,
    under_way: Arc<InFlight>,
}

/// Calls that have begun and not ended.
#[derive(Default)]
struct InFlight {
    calls: Mutex<usize>,
    none: Condvar,
}

/// One of them.
struct InFlightGuard(Arc<InFlight>);

impl TaskRuntime {
    /// With threads of its own.
    pub(crate) fn start() -> io::Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(THREADS).thread_name("postgres").enable_all().build()?;
        Ok(Self { runtime: Some(runtime), under_way: Arc::default() })
    }

    /// Runs a call to its end, and returns what came of it.
    pub(crate) async fn run_to_completion<T: Send + 'static>(
        &self,
        call: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(runtime) = &self.runtime else { return Err(shutting_down()) };
        let ticket = InFlightGuard::new(&self.under_way);
        let call = runtime.spawn(async move {
            let _ticket = ticket;
            call.await
        });
        // A call that panicked may have written before it did.
        call.await.unwrap_or_else(|_| Err(StoreError::MaybeApplied("the call panicked".to_owned())))
    }

    /// Begins work that several calls wait for, and which ends by itself.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            let ticket = InFlightGuard::new(&self.under_way);
            drop(runtime.spawn(async move {
                let _ticket = ticket;
                work.await;
            }));
        }
    }

    /// Runs a call to its end, and blocks until then.
    pub(crate) fn block_on<T: Send + 'static>(&self, call: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let (answer, answered) = std::sync::mpsc::channel();
        drop(self.runtime.as_ref()?.spawn(async move { answer.send(call.await) }));
        answered.recv().ok()
    }

    /// Runs work that never ends by itself, until the store is closed.
    pub(crate) fn spawn_periodic(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            drop(runtime.spawn(work));
        }
    }
}

fn shutting_down() -> StoreError {
    StoreError::NotApplied("the store is closing".to_owned())
}

/// Waits for the calls that are under way; dropping a runtime would end them half-way.
impl Drop for TaskRuntime {
    fn drop(&mut self) {
        let calls = self.under_way.calls.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.under_way.none.wait_timeout_while(calls, SHUTDOWN_TIMEOUT, |calls| *calls > 0));
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl InFlightGuard {
    fn new(under_way: &Arc<InFlight>) -> Self {
        *under_way.calls.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Self(Arc::clone(under_way))
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut calls = self.0.calls.lock().unwrap_or_else(PoisonError::into_inner);
        *calls -= 1;
        if *calls == 0 {
            self.0.none.notify_all();
        }
    }
}
