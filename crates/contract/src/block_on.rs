//! Futures without a runtime: a thread that sleeps until it is woken.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use voight_domain::ports::StoreError;

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future to its end on this thread.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            // A wake-up between the poll and this line leaves a token behind, so that `park` returns at once.
            Poll::Pending => thread::park(),
        }
    }
}

/// Runs a storage call that has to succeed.
#[track_caller]
pub(crate) fn done<T>(call: impl Future<Output = Result<T, StoreError>>) -> T {
    match block_on(call) {
        Ok(value) => value,
        Err(error) => panic!("the call failed: {error}"),
    }
}

/// Polls a future once, and drops it wherever it is then.
pub(crate) fn poll_once_and_drop<F: Future>(future: F) {
    let mut context = Context::from_waker(Waker::noop());
    let _ = pin!(future).poll(&mut context);
}
