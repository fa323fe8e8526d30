//! Runs database calls on their own tasks, so that a cancelled request does not abort its transaction.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use voight_domain::ports::StoreError;

/// Number of worker threads. Their tasks only wait for the database and run rules of the domain.
const THREADS: usize = 2;
/// Timeout for calls in flight when the store is closed.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(30);

/// Runtime that completes a call even if its caller has dropped the future.
pub(crate) struct TaskRuntime {
    runtime: Option<Runtime>,
    under_way: Arc<InFlight>,
}

/// Counter of the calls in flight.
#[derive(Default)]
struct InFlight {
    calls: Mutex<usize>,
    none: Condvar,
}

/// Guard of one call in flight; decrements the counter when dropped.
struct InFlightGuard(Arc<InFlight>);

impl TaskRuntime {
    /// Starts a runtime with its own threads.
    pub(crate) fn start() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("postgres")
            .enable_all()
            .build()?;
        Ok(Self {
            runtime: Some(runtime),
            under_way: Arc::default(),
        })
    }

    /// Runs a call to completion and returns its result.
    pub(crate) async fn run_to_completion<T: Send + 'static>(
        &self,
        call: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        if self.runtime.is_none() {
            return Err(shutting_down());
        }
        let (sender, receiver) = oneshot::channel();
        self.spawn(async move { drop(sender.send(call.await)) });
        // A call may have written before it panicked.
        receiver
            .await
            .unwrap_or_else(|_| Err(StoreError::MaybeApplied("the call panicked".to_owned())))
    }

    /// Spawns a task that ends by itself and that several calls wait for. Closing the store waits for it.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let ticket = InFlightGuard::new(&self.under_way);
        self.spawn_detached(async move {
            let _ticket = ticket;
            work.await;
        });
    }

    /// Runs a call on the runtime and blocks the current thread until it ends. `None` if the runtime is shut down or
    /// the call panicked.
    pub(crate) fn block_on<T: Send + 'static>(
        &self,
        call: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = std::sync::mpsc::channel();
        self.spawn_detached(async move { drop(sender.send(call.await)) });
        receiver.recv().ok()
    }

    /// Spawns a task. Closing the store aborts it.
    pub(crate) fn spawn_detached(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(runtime) = &self.runtime {
            // The code of the runtime is compiled for each type of task, so all tasks have one type.
            let work: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(work);
            drop(runtime.spawn(work));
        }
    }
}

fn shutting_down() -> StoreError {
    StoreError::NotApplied("the store is closing".to_owned())
}

/// Waits for the calls in flight, because dropping a runtime aborts its tasks.
impl Drop for TaskRuntime {
    fn drop(&mut self) {
        let calls = self
            .under_way
            .calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        drop(
            self.under_way
                .none
                .wait_timeout_while(calls, SHUTDOWN_TIMEOUT, |calls| *calls > 0),
        );
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl InFlightGuard {
    fn new(under_way: &Arc<InFlight>) -> Self {
        *under_way
            .calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner) += 1;
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
