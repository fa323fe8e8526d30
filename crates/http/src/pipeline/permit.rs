//! Permit of a request with a body.

use super::admission::Admission;
use crate::concurrency_limit::{BodySender, ConcurrencyLimit, ReceivedBytes};
use crate::error::ApiError;
use crate::limits::Network;
use crate::metrics::RejectionReason;
use crate::shares::Excess;
use crate::state::AppState;
use actix_web::http::Method;
use actix_web::{HttpMessage, HttpRequest, web};
use std::cell::Cell;
use std::rc::Rc;
use voight_domain::vocabulary::ClientId;

/// `Retry-After` in seconds for a sender whose bodies in transit use too much memory.
const RETRY_AFTER: u32 = 1;

/// Permit that is not held while the body is received. Stored with the request, so that the reader of its body can access it.
pub(crate) struct RequestPermit {
    state: web::Data<AppState>,
    admission: Admission,
    /// Client or network whose body is received; `None` before a platform is authenticated.
    sender: Cell<Option<BodySender>>,
    is_held: Cell<bool>,
}

/// Returns `true` for a method whose requests may have a body that a handler reads.
pub(super) fn receives_body(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD)
}

impl RequestPermit {
    pub(super) fn acquire(
        state: web::Data<AppState>,
        admission: Admission,
        network: Option<Network>,
    ) -> Result<Self, ApiError> {
        let sender = Cell::new(network.map(BodySender::Network));
        let permit = Self {
            state,
            admission,
            sender,
            is_held: Cell::new(false),
        };
        permit.resume().map(|()| permit)
    }

    /// Returns the permit of `request`; `None` on an endpoint without permits.
    pub(crate) fn find(request: &HttpRequest) -> Option<Rc<Self>> {
        request.extensions().get::<Rc<Self>>().cloned()
    }

    /// Releases the permit while a body is received.
    pub(crate) fn suspend(&self) {
        if self.is_held.replace(false)
            && let Some(limit) = self.concurrency_limit()
        {
            limit.release();
        }
    }

    /// Takes a permit again. Fails with 503 if none is free.
    pub(crate) fn resume(&self) -> Result<(), ApiError> {
        let Some(limit) = self.concurrency_limit() else {
            return Ok(());
        };
        if !self.is_held.get()
            && !limit.acquire(
                self.state.settings.max_concurrent_requests,
                self.state.monotonic_clock.elapsed(),
            )
        {
            return Err(self.shed());
        }
        self.is_held.set(true);
        Ok(())
    }

    /// Sets the client whose body is received.
    pub(crate) fn set_client(&self, client: ClientId) {
        self.sender.set(Some(BodySender::Client(client)));
    }

    /// Adds bytes of the body that have arrived. Fails with 503 if the bodies of all requests use too much memory, and with 429
    /// if those of the sender do.
    pub(crate) fn receive(
        &self,
        received: &mut Option<ReceivedBytes>,
        bytes: usize,
    ) -> Result<(), ApiError> {
        let (Some(limit), Some(sender)) = (self.concurrency_limit(), self.sender.get()) else {
            return Ok(());
        };
        let max_bytes = self.state.settings.receiving_bytes;
        limit
            .receive(
                received,
                sender,
                bytes,
                max_bytes,
                self.state.monotonic_clock.elapsed(),
            )
            .map_err(|excess| match excess {
                Excess::All => self.shed(),
                Excess::Key => {
                    self.state
                        .metrics
                        .record_rejection(RejectionReason::BodyShare);
                    ApiError::rate_limited(RETRY_AFTER)
                }
            })
    }

    /// Counts a shed request, and returns its error.
    fn shed(&self) -> ApiError {
        self.state
            .metrics
            .record_rejection(RejectionReason::LoadShed);
        ApiError::unavailable()
    }

    fn concurrency_limit(&self) -> Option<&ConcurrencyLimit> {
        self.admission.concurrency_limit(&self.state)
    }
}

impl Drop for RequestPermit {
    fn drop(&mut self) {
        self.suspend();
    }
}
