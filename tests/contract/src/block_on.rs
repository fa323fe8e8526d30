//! Runs the futures of storage calls without an async runtime.

pub use pollster::block_on;

use std::pin::pin;
use std::task::{Context, Waker};
use voight_domain::ports::StoreError;

/// Runs a storage call that must succeed, and returns its value.
#[track_caller]
pub(crate) fn block_on_ok<T>(call: impl Future<Output = Result<T, StoreError>>) -> T {
    match block_on(call) {
        Ok(value) => value,
        Err(error) => panic!("the call failed: {error}"),
    }
}

/// Polls a future once and drops it, complete or not.
pub(crate) fn poll_once_and_drop<F: Future>(future: F) {
    let mut context = Context::from_waker(Waker::noop());
    let _ = pin!(future).poll(&mut context);
}
