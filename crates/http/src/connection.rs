//! Closes connections whose next request head is late, and those of clients that do not read the response.
//!
//! actix limits the time for the head of the first request of a connection, and the time for which a connection may be silent.
//! Without this module, a connection with an incomplete head of a later request stays open forever, also if that head was read
//! together with the previous request.

mod read_ahead;

use crate::in_flight::InFlightPermit;
use crate::limits::Network;
use read_ahead::ReadAhead;
use std::cell::Cell;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Timeouts of a connection between two requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConnectionTimeouts {
    /// Timeout from the first byte of a head until the head is complete.
    pub(crate) head_timeout: Duration,
    /// Timeout between the end of a request and the completion of the next head. It restarts with every byte of the response
    /// that the client reads.
    pub(crate) idle_timeout: Duration,
}

/// Counts the requests of a connection. While a request is processed, the limits on bodies apply and the timeouts of this
/// module do not. A request ends when its response is ready; sending the rest of it may take as long as the client continues to
/// read.
#[derive(Debug, Default)]
pub(crate) struct InFlightRequests {
    begun: Cell<u64>,
    ended: Cell<u64>,
    /// Known length of the last request's body; 0 if it has no body or a chunked one.
    body: Cell<u64>,
}

/// Guard of a request that is being processed, until it is dropped.
#[derive(Debug)]
pub(crate) struct InFlightGuard(Rc<InFlightRequests>);

/// Connection with timeouts.
pub(crate) struct TimedConnection<S> {
    stream: S,
    pace: ConnectionTimeouts,
    answering: Rc<InFlightRequests>,
    /// Number of ended requests at the previous poll.
    ended: u64,
    read_ahead: ReadAhead,
    /// `true` if bytes of the next head were read with the last request.
    is_ahead: bool,
    waiting: Option<HeadDeadline>,
    /// Timer for the head timeout. It is re-armed lazily, when it fires early or would fire late, because many requests arrive
    /// within one timeout.
    timer: Pin<Box<Sleep>>,
    /// Permit that counts this connection towards the limit of its network.
    _permit: Option<InFlightPermit<Network>>,
}

/// Deadline for a head.
#[derive(Debug, Clone, Copy)]
struct HeadDeadline {
    progress: HeadProgress,
    until: Instant,
}

/// Progress of the client in sending a head, which determines its timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeadProgress {
    Awaited,
    Begun,
}

impl InFlightRequests {
    /// Marks the start of a request whose body has this known length.
    pub(crate) fn begin(self: &Rc<Self>, body: u64) -> InFlightGuard {
        self.body.set(body);
        self.begun.set(self.begun.get() + 1);
        InFlightGuard(Rc::clone(self))
    }

    fn is_busy(&self) -> bool {
        self.begun.get() > self.ended.get()
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.0.ended.set(self.0.ended.get() + 1);
    }
}

impl HeadDeadline {
    fn new(progress: HeadProgress, pace: ConnectionTimeouts) -> Self {
        let timeout = match progress {
            HeadProgress::Awaited => pace.idle_timeout,
            HeadProgress::Begun => pace.head_timeout,
        };
        // The runtime's clock, which the timer also uses.
        Self { progress, until: sleep(timeout).deadline() }
    }
}

impl<S> TimedConnection<S> {
    /// Creates a connection from which nothing was read yet. The connection holds `permit` while it is open.
    pub(crate) fn new(stream: S, pace: ConnectionTimeouts, permit: Option<InFlightPermit<Network>>) -> Self {
        let alarm = Box::pin(sleep(pace.head_timeout.min(pace.idle_timeout)));
        let (answering, read_ahead) = (Rc::default(), ReadAhead::default());
        Self {
            stream,
            pace,
            answering,
            ended: 0,
            read_ahead,
            is_ahead: false,
            waiting: None,
            timer: alarm,
            _permit: permit,
        }
    }

    /// Returns the counter in which the app marks its requests.
    pub(crate) fn answering(&self) -> Rc<InFlightRequests> {
        Rc::clone(&self.answering)
    }

    /// Checks for requests that have ended since the previous call. After one, the next head is awaited, of which bytes may
    /// already have been read.
    fn follow_requests(&mut self) {
        if self.answering.ended.get() == self.ended {
            return;
        }
        self.ended = self.answering.ended.get();
        let is_busy = self.answering.is_busy();
        self.is_ahead = !is_busy && self.read_ahead.is_ahead(self.answering.body.get());
        self.read_ahead.next(is_busy);
        // If a head was read together with a request, its timeout began no later than that of the request's own head.
        self.waiting = self.waiting.filter(|waiting| self.is_ahead && waiting.progress == HeadProgress::Begun);
    }

    /// Returns `true` if the timeout for a head has expired after this result of a read.
    fn is_timed_out(&mut self, polled: &Poll<io::Result<()>>, context: &mut Context<'_>) -> bool {
        if self.answering.is_busy() {
            self.waiting = None;
            return false;
        }
        let (pace, is_read) = (self.pace, polled.is_ready());
        let progress = if is_read || self.is_ahead { HeadProgress::Begun } else { HeadProgress::Awaited };
        let waiting = self.waiting.get_or_insert_with(|| HeadDeadline::new(progress, pace));
        if is_read && waiting.progress == HeadProgress::Awaited {
            *waiting = HeadDeadline::new(HeadProgress::Begun, pace);
        }
        let until = waiting.until;
        // Bytes that have just arrived are processed first: they may complete the head.
        !is_read && self.is_over(until, context)
    }

    /// Restarts the timeout if the client has read bytes of a response.
    fn written(&mut self, polled: &Poll<io::Result<usize>>) {
        if matches!(polled, Poll::Ready(Ok(1..))) {
            self.waiting = None;
        }
    }

    /// Returns `true` if the time `until` has passed; otherwise the task is woken at that time.
    fn is_over(&mut self, until: Instant, context: &mut Context<'_>) -> bool {
        if self.timer.deadline() > until {
            self.timer.as_mut().reset(until);
        }
        while self.timer.as_mut().poll(context).is_ready() {
            if self.timer.deadline() >= until {
                return true;
            }
            self.timer.as_mut().reset(until);
        }
        false
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedConnection<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.follow_requests();
        let before = into.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, into);
        let is_busy = self.answering.is_busy();
        self.read_ahead.read(into.filled().get(before..).unwrap_or_default(), is_busy);
        if self.is_timed_out(&polled, context) { Poll::Ready(Err(ErrorKind::TimedOut.into())) } else { polled }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedConnection<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(&polled);
        polled
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(&polled);
        polled
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
#[path = "connection/tests.rs"]
mod tests;
