//! Lingering close: lets a client that is still sending read the response before its connection is closed.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Maximum number of bytes that are read and discarded. Later bytes stay in the socket, which makes the client stop sending.
const DISCARDED_BYTES: usize = 64 << 10;
/// Timeout for the client to close the connection.
const TIMEOUT: Duration = Duration::from_secs(1);

/// State of a lingering close. Closing a socket with unread bytes resets the connection, and a client that is reset may lose the
/// response.
#[derive(Debug)]
pub(super) struct Lingering {
    /// Number of bytes that may still be discarded.
    left: usize,
    /// Timer, from the end of the response on.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Default for Lingering {
    fn default() -> Self {
        Self {
            left: DISCARDED_BYTES,
            timer: None,
        }
    }
}

impl Lingering {
    /// Ends the response, and waits until the client has closed the connection too, or the timeout has expired.
    pub(super) fn poll_close<S: AsyncRead + AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        if self.timer.is_none() {
            ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
        }
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(TIMEOUT)));
        if timer.as_mut().poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        let mut buffer = [0; 4096];
        while self.left > 0 {
            let mut into = ReadBuf::new(&mut buffer);
            ready!(Pin::new(&mut *stream).poll_read(context, &mut into))?;
            if into.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.left = self.left.saturating_sub(into.filled().len());
        }
        Poll::Pending
    }
}
