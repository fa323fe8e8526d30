//! In-memory connection, whose peer sends a request, reads the response, and sends the next request.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use voight_support::ManualClock;

/// Time between two requests, long enough for the rate limit of a client.
const PAUSE: Duration = Duration::from_millis(10);
/// Beginning of every expected response.
const ANSWERED: &[u8] = b"HTTP/1.1 200 OK\r\n";

/// In-memory connection. It ends after the response to the last request.
pub(crate) struct InMemoryConnection {
    requests: std::vec::IntoIter<Vec<u8>>,
    clock: Arc<ManualClock>,
    /// `true` while a response is pending.
    is_pending: bool,
    waker: Option<Waker>,
}

impl InMemoryConnection {
    /// Creates a connection that sends these requests, and advances the clocks before each.
    pub(crate) fn new(requests: Vec<Vec<u8>>, clock: Arc<ManualClock>) -> Self {
        Self {
            requests: requests.into_iter(),
            clock,
            is_pending: false,
            waker: None,
        }
    }
}

impl AsyncRead for InMemoryConnection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_pending {
            self.waker = Some(context.waker().clone());
            return Poll::Pending;
        }
        if let Some(request) = self.requests.next() {
            self.clock.advance(PAUSE);
            self.is_pending = true;
            into.put_slice(&request);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for InMemoryConnection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if !bytes.starts_with(ANSWERED) {
            let answer = String::from_utf8_lossy(bytes);
            return Poll::Ready(Err(io::Error::new(
                ErrorKind::InvalidData,
                format!("unexpected response to a lookup: {answer}"),
            )));
        }
        self.is_pending = false;
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
