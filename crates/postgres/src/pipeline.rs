//! Several requests sent before the first is answered.

use futures_util::future::{MaybeDone, maybe_done};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

/// Runs all futures to their ends, and polls them in their order: so requests on one connection are sent in that order, all at
/// once, and the outcomes are in that order too.
pub(crate) async fn join_in_order<F: Future>(requests: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut requests: Vec<Pin<Box<MaybeDone<F>>>> = requests.into_iter().map(|one| Box::pin(maybe_done(one))).collect();
    poll_fn(|context| {
        let mut done = true;
        for request in &mut requests {
            done &= request.as_mut().poll(context).is_ready();
        }
        if done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    requests.iter_mut().filter_map(|request| request.as_mut().take_output()).collect()
}
