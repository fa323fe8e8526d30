//! A connection with a timeout for every head, and for a client that reads no answer.
//!
//! actix limits the time for the head of the first request of a connection, and how long a connection may be silent. A
//! connection with the unfinished head of a later request it would keep for ever, also if that head was read together with
//! the request before it.

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

/// How long a connection may take between two requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConnectionTimeouts {
    /// From the first byte of a head until the head is whole.
    pub(crate) head_timeout: Duration,
    /// From the end of a request, or from the last byte of its answer that was taken, until the head of the next is whole.
    pub(crate) idle_timeout: Duration,
}

/// The requests of a connection. While one is answered, the limits on bodies hold, and these here do not. It is answered once
/// its answer is there; what is still to be sent of that may take as long as the other side goes on reading.
#[derive(Debug, Default)]
pub(crate) struct InFlightRequests {
    begun: Cell<u64>,
    ended: Cell<u64>,
    /// The known length of the last request's body; 0 if it has none, or in chunks.
    body: Cell<u64>,
}

/// A request that is being answered, until this is dropped.
#[derive(Debug)]
pub(crate) struct InFlightGuard(Rc<InFlightRequests>);

/// A connection with its limits.
pub(crate) struct TimedConnection<S> {
    stream: S,
    pace: ConnectionTimeouts,
    answering: Rc<InFlightRequests>,
    /// Requests that had ended when it was last looked.
    ended: u64,
    read_ahead: ReadAhead,
    /// `true` if bytes of the next head were read with the last request.
    is_ahead: bool,
    waiting: Option<HeadDeadline>,
    /// Rings when the time for a head may be over, or before. It is set anew only where it rang too early or would ring too
    /// late: there are many requests in the time that a connection has for the next.
    timer: Pin<Box<Sleep>>,
    /// Counts this connection against the limit of its network.
    _permit: Option<InFlightPermit<Network>>,
}

/// Waiting for a head.
#[derive(Debug, Clone, Copy)]
struct HeadDeadline {
    has_begun: bool,
    until: Instant,
}

impl InFlightRequests {
    /// Marks that a request is being answered, whose body has this known length.
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
    fn new(has_begun: bool, pace: ConnectionTimeouts) -> Self {
        // The runtime's own clock, as the alarm goes by it.
        Self { has_begun, until: sleep(if has_begun { pace.head_timeout } else { pace.idle_timeout }).deadline() }
    }
}

impl<S> TimedConnection<S> {
    /// A connection that nothing was read from yet. It keeps `permit` for as long as it is open.
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

    /// What the app has to mark requests in.
    pub(crate) fn answering(&self) -> Rc<InFlightRequests> {
        Rc::clone(&self.answering)
    }

    /// Looks whether requests have ended since the last time. Then another head is waited for, of which bytes may be there.
    fn follow_requests(&mut self) {
        if self.answering.ended.get() == self.ended {
            return;
        }
        self.ended = self.answering.ended.get();
        let is_busy = self.answering.is_busy();
        self.is_ahead = !is_busy && self.read_ahead.is_ahead(self.answering.body.get());
        self.read_ahead.next(is_busy);
        // The time of a head that was read with a request began no later than that of the request's own head.
        self.waiting = self.waiting.filter(|waiting| self.is_ahead && waiting.has_begun);
    }

    /// Returns `true` if the time for a head is over; `read` says whether bytes of one have come just now.
    fn is_timed_out(&mut self, read: bool, context: &mut Context<'_>) -> bool {
        if self.answering.is_busy() {
            self.waiting = None;
            return false;
        }
        let (pace, has_begun) = (self.pace, read || self.is_ahead);
        let waiting = self.waiting.get_or_insert_with(|| HeadDeadline::new(has_begun, pace));
        if read && !waiting.has_begun {
            *waiting = HeadDeadline::new(true, pace);
        }
        let until = waiting.until;
        // What has come is looked at first: it may end the head.
        !read && self.is_over(until, context)
    }

    /// Notes that bytes of an answer were taken, if any were: whoever reads a long answer gets on.
    fn written(&mut self, polled: &Poll<io::Result<usize>>) {
        if matches!(polled, Poll::Ready(Ok(1..))) {
            self.waiting = None;
        }
    }

    /// Whether this time has come; if not, the task is woken when it has.
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
        if self.is_timed_out(polled.is_ready(), context) {
            Poll::Ready(Err(ErrorKind::TimedOut.into()))
        } else {
            polled
        }
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
