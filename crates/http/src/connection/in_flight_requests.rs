//! Requests of a connection that are being processed.

use super::AnnouncedBody;
use crate::connection_table::OpenConnection;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

/// Counts the requests of a connection. While a request is processed, the limits on bodies apply and the timeouts of the
/// connection do not. A request ends when its response is ready; sending the rest of it may take as long as the client continues
/// to read.
#[derive(Default)]
pub(crate) struct InFlightRequests {
    /// Number of requests that have begun.
    begun: Cell<u64>,
    /// Number of requests that have ended.
    ended: Cell<u64>,
    /// Number of responses whose body is not complete yet.
    unsent: Cell<u64>,
    /// Body of the last request.
    body: Cell<AnnouncedBody>,
    /// Task that waits for the end of a request or of a response.
    waker: Cell<Option<Waker>>,
    connection: Option<Arc<OpenConnection>>,
}

/// Guard of a request that is being processed, until it is dropped.
pub(crate) struct InFlightGuard(Rc<InFlightRequests>);

/// Guard of a response whose body is not complete yet, until it is dropped.
pub(crate) struct UnsentResponse(Rc<InFlightRequests>);

impl InFlightRequests {
    /// Creates a counter without requests.
    pub(super) fn new(connection: Option<Arc<OpenConnection>>) -> Self {
        Self {
            connection,
            ..Self::default()
        }
    }

    /// Marks the start of a request with this body that arrived at `now`.
    pub(crate) fn begin(self: &Rc<Self>, body: AnnouncedBody, now: Duration) -> InFlightGuard {
        self.body.set(body);
        self.begun.set(self.begun.get() + 1);
        if let Some(connection) = &self.connection {
            connection.begin_request(now, body == AnnouncedBody::None);
        }
        InFlightGuard(Rc::clone(self))
    }

    /// Marks a response whose body is not complete yet.
    pub(crate) fn unsent_response(self: &Rc<Self>) -> UnsentResponse {
        self.unsent.set(self.unsent.get() + 1);
        UnsentResponse(Rc::clone(self))
    }

    /// Marks that the request has arrived completely, so that only the service delays its response.
    pub(super) fn mark_in_service(&self) {
        if let Some(connection) = &self.connection {
            connection.set_in_service(true);
        }
    }

    /// Registers the task to wake at the end of a request or of a response.
    pub(super) fn wake_at_end(&self, waker: &Waker) {
        self.waker.set(Some(waker.clone()));
    }

    pub(super) const fn begun(&self) -> u64 {
        self.begun.get()
    }

    pub(super) const fn ended(&self) -> u64 {
        self.ended.get()
    }

    pub(super) const fn body(&self) -> AnnouncedBody {
        self.body.get()
    }

    pub(super) const fn is_busy(&self) -> bool {
        self.begun.get() > self.ended.get()
    }

    pub(super) const fn has_unsent_response(&self) -> bool {
        self.unsent.get() > 0
    }

    fn wake(&self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let Self(requests) = self;
        requests.ended.set(requests.ended.get() + 1);
        if let Some(connection) = &requests.connection {
            connection.set_in_service(false);
        }
        requests.wake();
    }
}

impl Drop for UnsentResponse {
    fn drop(&mut self) {
        let Self(requests) = self;
        requests.unsent.set(requests.unsent.get() - 1);
        requests.wake();
    }
}
