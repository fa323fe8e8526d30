//! Futures of storage calls, without a runtime.

pub use pollster::block_on;

use std::pin::pin;
use std::task::{Context, Waker};
use voight_domain::ports::StoreError;

/// Runs a storage call that has to succeed.
#[track_caller]
pub(crate) fn block_on_ok<T>(call: impl Future<Output = Result<T, StoreError>>) -> T {
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
