//! Permit of a request with a body.

use super::load_shed::Admission;
use crate::concurrency_limit::{ConcurrencyLimit, ReceivedBytes};
use crate::error::ApiError;
use crate::metrics::RejectionReason;
use crate::state::AppState;
use actix_web::http::Method;
use actix_web::{HttpMessage, HttpRequest, web};
use std::cell::Cell;
use std::rc::Rc;

/// Permit that is not held while the body is received. Stored with the request, so that the reader of its body can access it.
pub(crate) struct RequestPermit {
    state: web::Data<AppState>,
    admission: Admission,
    is_held: Cell<bool>,
}

/// Returns `true` for a method whose requests may have a body that a handler reads.
pub(super) fn receives_body(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD)
}

impl RequestPermit {
    pub(super) fn acquire(state: web::Data<AppState>, admission: Admission) -> Result<Self, ApiError> {
        let permit = Self { state, admission, is_held: Cell::new(false) };
        permit.resume().map(|()| permit)
    }

    /// Returns the permit of `request`; `None` on an endpoint without permits.
    pub(crate) fn of(request: &HttpRequest) -> Option<Rc<Self>> {
        request.extensions().get::<Rc<Self>>().cloned()
    }

    /// Releases the permit while a body is received.
    pub(crate) fn suspend(&self) {
        if self.is_held.replace(false)
            && let Some(places) = self.places()
        {
            places.release();
        }
    }

    /// Takes a permit again. Fails with 503 if none is free.
    pub(crate) fn resume(&self) -> Result<(), ApiError> {
        let Some(places) = self.places() else { return Ok(()) };
        if !self.is_held.get()
            && !places.acquire(self.state.settings.max_concurrent_requests, self.state.ticks.elapsed())
        {
            return Err(self.shed());
        }
        self.is_held.set(true);
        Ok(())
    }

    /// Returns the memory accounting of the body while it is received.
    pub(crate) fn received(&self) -> Option<ReceivedBytes<'_>> {
        self.places().map(ConcurrencyLimit::receive)
    }

    /// Adds bytes of the body that have arrived. Fails with 503 if the bodies of all requests use too much memory.
    pub(crate) fn add(&self, received: &mut ReceivedBytes<'_>, bytes: usize) -> Result<(), ApiError> {
        let fits = received.add(bytes, self.state.settings.receiving_bytes, self.state.ticks.elapsed());
        if fits { Ok(()) } else { Err(self.shed()) }
    }

    /// Counts a shed request, and returns its error.
    fn shed(&self) -> ApiError {
        self.state.metrics.record_rejection(RejectionReason::LoadShed);
        ApiError::unavailable()
    }

    fn places(&self) -> Option<&ConcurrencyLimit> {
        self.admission.places(&self.state)
    }
}

impl Drop for RequestPermit {
    fn drop(&mut self) {
        self.suspend();
    }
}
