//! A connection without a socket, at whose other end a platform asks, reads its answer, and asks again.

use crate::hand::ManualClock;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The time between two requests: fewer a second than a client may send.
const PAUSE: Duration = Duration::from_millis(10);
/// What every answer begins with.
const ANSWERED: &[u8] = b"HTTP/1.1 200 OK\r\n";

/// The connection. It ends once every request was answered.
pub(crate) struct InMemoryConnection {
    requests: std::vec::IntoIter<Vec<u8>>,
    hand: Arc<ManualClock>,
    /// Whether an answer is waited for.
    asked: bool,
    waker: Option<Waker>,
}

impl InMemoryConnection {
    /// A connection that sends these requests, and moves the clocks on before each.
    pub(crate) fn new(requests: Vec<Vec<u8>>, hand: Arc<ManualClock>) -> Self {
        Self { requests: requests.into_iter(), hand, asked: false, waker: None }
    }
}

impl AsyncRead for InMemoryConnection {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.asked {
            self.waker = Some(context.waker().clone());
            return Poll::Pending;
        }
        if let Some(request) = self.requests.next() {
            self.hand.advance(PAUSE);
            self.asked = true;
            into.put_slice(&request);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for InMemoryConnection {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if !bytes.starts_with(ANSWERED) {
            let answer = String::from_utf8_lossy(bytes);
            return Poll::Ready(Err(io::Error::new(ErrorKind::InvalidData, format!("a lookup was answered {answer}"))));
        }
        self.asked = false;
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
