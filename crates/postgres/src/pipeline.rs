//! Pipelining: several requests are sent before the first is answered.

use futures_util::future::{MaybeDone, maybe_done};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

/// Runs all futures to completion, polling them in order, and returns their results in the same order.
///
/// Requests on one connection are therefore sent in this order without waiting for each other.
pub(crate) async fn join_in_order<F: Future>(
    requests: impl IntoIterator<Item = F>,
) -> Vec<F::Output> {
    let mut requests: Vec<Pin<Box<MaybeDone<F>>>> = requests
        .into_iter()
        .map(|request| Box::pin(maybe_done(request)))
        .collect();
    poll_fn(|context| {
        let mut is_done = true;
        for request in &mut requests {
            is_done &= request.as_mut().poll(context).is_ready();
        }
        if is_done {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    requests
        .iter_mut()
        .filter_map(|request| request.as_mut().take_output())
        .collect()
}
