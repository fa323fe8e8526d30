//! Futures without a runtime.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Returns the value of a future that is complete at its first poll. Panics if it is pending.
#[track_caller]
pub fn poll_now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the future is pending"),
    }
}
