//! Connection between a client and the HTTP parser: passes on one request at a time, and closes late, slow and excess clients.
//!
//! actix reads, parses and keeps requests for as long as a client sends them, also if the client reads no response, and it limits
//! the time for the head of the first request of a connection only. [`TimedConnection`] passes the bytes of a request on when the
//! response to the previous one has been written to the socket. Until then the next bytes stay in the socket, except for one read.

mod framing;
mod in_flight_requests;
mod lingering;
mod read_ahead;

pub(crate) use framing::AnnouncedBody;
pub(crate) use in_flight_requests::{InFlightGuard, InFlightRequests, UnsentResponse};

use crate::connection_table::ConnectionSlot;
use framing::RequestFraming;
use lingering::Lingering;
use read_ahead::ReadAhead;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Maximum number of bytes that the parser gets before other connections have their turn.
const TURN_BYTES: usize = 16 << 10;
/// Maximum number of bytes of a head that the parser keeps. It is larger than the limits on target and headers together.
const MAX_HEAD_BYTES: usize = 32 << 10;
/// Response to a head that is larger. No app has seen the request, so it has no envelope.
const HEAD_TOO_LARGE: &[u8] =
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// Timeouts of a connection between two requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConnectionTimeouts {
    /// Timeout from the first byte of a head until the head is complete.
    pub(crate) head_timeout: Duration,
    /// Timeout between the end of a request and the completion of the next head. It restarts with every byte of the response
    /// that the client reads.
    pub(crate) idle_timeout: Duration,
}

/// Connection with timeouts and back-pressure.
pub(crate) struct TimedConnection<S> {
    stream: S,
    timeouts: ConnectionTimeouts,
    requests: Rc<InFlightRequests>,
    /// Numbers of begun and ended requests at the previous poll.
    begun: u64,
    ended: u64,
    framing: RequestFraming,
    read_ahead: ReadAhead,
    turn: Turn,
    /// `true` while the socket takes no more bytes, because the client does not read.
    is_write_blocked: bool,
    lingering: Option<Lingering>,
    waiting: Option<HeadDeadline>,
    /// Timer for the head timeout. It is re-armed lazily, when it fires early or would fire late, because many requests arrive
    /// within one timeout.
    timer: Pin<Box<Sleep>>,
    /// Place of this connection among those of its listener.
    slot: Option<ConnectionSlot>,
}

/// Reads of the parser until one of them has to wait. Then the parser processes the bytes that it got.
#[derive(Debug, Default)]
struct Turn {
    bytes: usize,
    is_over: bool,
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

/// Permission of the parser to get bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passage {
    /// The bytes belong to the current request.
    Open,
    /// The bytes belong to a later request, whose turn has not come.
    Held,
    /// No more bytes: the current request was answered before its body ended.
    Ended,
}

impl HeadDeadline {
    fn new(progress: HeadProgress, timeouts: ConnectionTimeouts) -> Self {
        let timeout = match progress {
            HeadProgress::Awaited => timeouts.idle_timeout,
            HeadProgress::Begun => timeouts.head_timeout,
        };
        // The runtime's clock, which the timer also uses.
        Self {
            progress,
            until: sleep(timeout).deadline(),
        }
    }
}

impl<S> TimedConnection<S> {
    /// Creates a connection from which nothing was read yet. The connection occupies `slot` while it is open.
    pub(crate) fn new(
        stream: S,
        timeouts: ConnectionTimeouts,
        slot: Option<ConnectionSlot>,
    ) -> Self {
        Self {
            stream,
            timeouts,
            requests: Rc::new(InFlightRequests::new(
                slot.as_ref().map(ConnectionSlot::connection),
            )),
            begun: 0,
            ended: 0,
            framing: RequestFraming::default(),
            read_ahead: ReadAhead::default(),
            turn: Turn::default(),
            is_write_blocked: false,
            lingering: None,
            waiting: None,
            timer: Box::pin(sleep(timeouts.head_timeout.min(timeouts.idle_timeout))),
            slot,
        }
    }

    /// Returns the counter in which the app marks its requests.
    pub(crate) fn requests(&self) -> Rc<InFlightRequests> {
        Rc::clone(&self.requests)
    }

    /// Follows the requests that the app has begun and ended since the previous turn of the parser.
    fn follow_requests(&mut self) {
        if matches!(self.framing, RequestFraming::HeadPassed) && self.turn.is_over {
            // The parser has read the head, and the app begins a request at once. Otherwise no request began.
            match self.requests.begun() {
                begun if begun > self.begun => self.framing.begin_body(self.requests.body()),
                _ => self.framing = RequestFraming::default(),
            }
        }
        self.begun = self.requests.begun();
        if self.requests.ended() != self.ended {
            self.ended = self.requests.ended();
            self.waiting = None;
        }
        if matches!(self.framing, RequestFraming::Complete) {
            if self.requests.is_busy() {
                self.requests.mark_in_service();
            } else {
                self.framing = RequestFraming::default();
            }
        }
    }

    fn passage(&self) -> Passage {
        match self.framing {
            RequestFraming::HeadPassed => Passage::Held,
            _ if self.requests.is_busy() => {
                if self.framing.is_in_body() {
                    Passage::Open
                } else {
                    Passage::Held
                }
            }
            _ if self.is_write_blocked || self.requests.has_unsent_response() => Passage::Held,
            _ if self.framing.is_in_body() => Passage::Ended,
            _ => Passage::Open,
        }
    }

    /// Ends the turn of the parser, which gets more bytes after it has processed the last ones.
    fn end_turn(context: &Context<'_>) -> Poll<io::Result<()>> {
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Returns `true` if the timeout for a head has expired after this result of a read or a write.
    fn is_timed_out(&mut self, is_ready: bool, context: &mut Context<'_>) -> bool {
        if self.requests.is_busy() {
            self.waiting = None;
            return false;
        }
        let timeouts = self.timeouts;
        let is_begun = is_ready || self.framing.head_bytes() > 0;
        let progress = if is_begun {
            HeadProgress::Begun
        } else {
            HeadProgress::Awaited
        };
        let waiting = self
            .waiting
            .get_or_insert_with(|| HeadDeadline::new(progress, timeouts));
        if is_begun && waiting.progress == HeadProgress::Awaited {
            *waiting = HeadDeadline::new(HeadProgress::Begun, timeouts);
        }
        let until = waiting.until;
        // Bytes that have just arrived are processed first: they may complete the head.
        !is_ready && self.is_over(until, context)
    }

    /// Follows a write: restarts the timeout if the client has read bytes of a response, and closes the connection of a client
    /// that reads none.
    fn follow_write(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let was_blocked = std::mem::replace(&mut self.is_write_blocked, written.is_pending());
        match written {
            Poll::Ready(Ok(1..)) => {
                self.waiting = None;
                if was_blocked && !self.read_ahead.is_empty() {
                    context.waker().wake_by_ref();
                }
                written
            }
            Poll::Pending if self.is_closing(context) || self.is_timed_out(false, context) => {
                Poll::Ready(Err(ErrorKind::TimedOut.into()))
            }
            _ => written,
        }
    }

    /// Returns `true` if the connection has to give way to a new one.
    fn is_closing(&self, context: &Context<'_>) -> bool {
        self.slot
            .as_ref()
            .is_some_and(|slot| slot.is_closing(context.waker()))
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

impl<S: AsyncRead + AsyncWrite + Unpin> TimedConnection<S> {
    /// Passes bytes to the parser, as far as they belong to the current request.
    fn poll_request_bytes(
        &mut self,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.passage() {
            Passage::Open if self.turn.bytes >= TURN_BYTES => Self::end_turn(context),
            Passage::Open => self.poll_pass(context, into),
            Passage::Held => self.poll_hold(context, into),
            Passage::Ended => {
                self.lingering.get_or_insert_default();
                Poll::Ready(Ok(()))
            }
        }
    }

    fn poll_pass(
        &mut self,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled_before = into.filled().len();
        if self.read_ahead.is_empty() {
            ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
            let bytes = into.filled().get(filled_before..).unwrap_or_default();
            let byte_count = self.framing.take(bytes);
            self.read_ahead
                .store(bytes.get(byte_count..).unwrap_or_default());
            into.set_filled(filled_before + byte_count);
        } else {
            self.read_ahead.pass(into, |bytes| self.framing.take(bytes));
        }
        self.turn.bytes += into.filled().len() - filled_before;
        if self.framing.head_bytes() > MAX_HEAD_BYTES {
            into.set_filled(filled_before);
            return self.reject_head(context);
        }
        Poll::Ready(Ok(()))
    }

    /// Reads bytes of later requests, at most once. The read also detects that the client has closed the connection.
    fn poll_hold(
        &mut self,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.read_ahead.is_empty() {
            let filled_before = into.filled().len();
            ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
            self.read_ahead
                .store(into.filled().get(filled_before..).unwrap_or_default());
            into.set_filled(filled_before);
            if self.read_ahead.is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
        if matches!(self.framing, RequestFraming::HeadPassed) {
            return Self::end_turn(context);
        }
        self.requests.wake_at_end(context.waker());
        Poll::Pending
    }

    /// Answers a head that is too large, and ends the stream of requests.
    fn reject_head(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Nothing else is being written, so the socket has room for it.
        let _ = Pin::new(&mut self.stream).poll_write(context, HEAD_TOO_LARGE)?;
        self.lingering.get_or_insert_default();
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for TimedConnection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.follow_requests();
        self.turn.is_over = false;
        if self.is_closing(context) {
            return Poll::Ready(Err(ErrorKind::TimedOut.into()));
        }
        let poll = self.poll_request_bytes(context, into);
        if poll.is_pending() {
            self.turn = Turn {
                bytes: 0,
                is_over: true,
            };
        }
        if self.is_timed_out(poll.is_ready(), context) {
            Poll::Ready(Err(ErrorKind::TimedOut.into()))
        } else {
            poll
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for TimedConnection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let write_poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.follow_write(write_poll, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self {
            stream, lingering, ..
        } = &mut *self;
        match lingering {
            Some(lingering) => lingering.poll_close(stream, context),
            None => Pin::new(stream).poll_shutdown(context),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write_poll = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.follow_write(write_poll, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
#[path = "connection/tests.rs"]
mod tests;
