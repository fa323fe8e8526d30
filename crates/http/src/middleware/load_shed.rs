//! Rejects requests before authentication: over the concurrency limit, over a size limit, or while draining.

use super::panics::run_catching;
use super::permit::{RequestPermit, receives_body};
use super::{LogSpan, MiddlewareResult, reject};
use crate::concurrency_limit::{ConcurrencyLimit, Permit};
use crate::error::ApiError;
use crate::extract::ClientIp;
use crate::guarded_clock::ClockReading;
use crate::in_flight::InFlightPermit;
use crate::limits::Network;
use crate::metrics::RejectionReason;
use crate::state::AppState;
use actix_web::body::BoxBody;
use actix_web::dev::ServiceRequest;
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, web};
use std::rc::Rc;
use std::time::Duration;
use voight_api::ErrorId;

/// `Retry-After` in seconds for a network with too many requests in flight. Most requests complete sooner.
const RETRY_AFTER: u32 = 1;

/// Permits that the requests of an endpoint need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// A permit of platforms.
    Platforms,
    /// A permit of visitors, and one of the visitor's network.
    Visitors,
    /// No permit, for files in memory: serving one costs less than rejecting it.
    Files,
    /// No permit, also while the clock is rejected: operators may be needed to accept it or to end an overload. Their listener
    /// has few connections.
    Operators,
}

impl Admission {
    /// Returns the concurrency limit of the endpoint's callers.
    pub(super) const fn concurrency_limit(self, state: &AppState) -> Option<&ConcurrencyLimit> {
        match self {
            Self::Platforms => Some(&state.platform_permits),
            Self::Visitors => Some(&state.visitor_permits),
            Self::Files | Self::Operators => None,
        }
    }
}

/// Permit that an admitted request holds until it is answered.
enum Held<'a> {
    Nothing,
    Permit {
        _permit: Permit<'a>,
    },
    /// Permit that is released while the body is received.
    Body {
        _permit: Rc<RequestPermit>,
    },
}

/// Rejects or sheds a request before its handler runs, and catches panics of the handler. Enforces the limits on request target
/// and headers, rejects requests while the service drains, and sheds requests without a permit. Runs after route and method are
/// matched.
///
/// One middleware for all of it, since each layer around a handler costs 2 % of the instructions of a lookup.
pub(crate) async fn shed_load(
    request: ServiceRequest,
    next: Next<BoxBody>,
    admission: Admission,
) -> MiddlewareResult {
    let Some(state) = request.app_data::<web::Data<AppState>>().cloned() else {
        return Ok(reject(request, &ErrorId::Internal.into()));
    };
    let network = (admission == Admission::Visitors).then(|| {
        ClientIp::from_http_request(request.request(), &state, LogSpan::Current).network()
    });
    let admission_result = enforce_request_limits(request.request(), &state).and_then(|()| {
        let in_flight = network
            .map(|network| in_flight(network, &state))
            .transpose()?;
        Ok((hold(&request, &state, admission, network)?, in_flight))
    });
    match admission_result {
        Ok(_held) => Ok(run_catching(request, next).await),
        Err(error) => Ok(reject(request, &error)),
    }
}

/// Takes a permit, unless none is free or the clock is rejected: rows, checks and expiries would get its time.
fn hold<'a>(
    request: &ServiceRequest,
    state: &'a web::Data<AppState>,
    admission: Admission,
    network: Option<Network>,
) -> Result<Held<'a>, ApiError> {
    if admission != Admission::Operators {
        require_accepted_clock(state, state.clock.read())?;
    }
    let Some(limit) = admission.concurrency_limit(state) else {
        return Ok(Held::Nothing);
    };
    if receives_body(request.method()) {
        let permit = Rc::new(RequestPermit::acquire(state.clone(), admission, network)?);
        request.extensions_mut().insert(Rc::clone(&permit));
        return Ok(Held::Body { _permit: permit });
    }
    acquire(state, limit, state.monotonic_clock.elapsed())
        .map(|permit| Held::Permit { _permit: permit })
}

/// Takes a permit of platforms for a request without a body that arrived at this time.
pub(crate) fn acquire_platform_permit(
    state: &AppState,
    at: ClockReading,
) -> Result<Permit<'_>, ApiError> {
    require_accepted_clock(state, at)?;
    acquire(state, &state.platform_permits, at.elapsed)
}

fn acquire<'a>(
    state: &AppState,
    limit: &'a ConcurrencyLimit,
    now: Duration,
) -> Result<Permit<'a>, ApiError> {
    let permit = limit.try_acquire(state.settings.max_concurrent_requests, now);
    permit
        .ok_or_else(|| reject_and_count(state, RejectionReason::LoadShed, ApiError::unavailable()))
}

fn require_accepted_clock(state: &AppState, at: ClockReading) -> Result<(), ApiError> {
    match state.clock.error_at(at) {
        Some(_) => Err(reject_and_count(
            state,
            RejectionReason::ClockRejected,
            ApiError::unavailable(),
        )),
        None => Ok(()),
    }
}

/// Takes a permit of the visitor's network, and of each wider one that contains it. A request is also in flight while its body
/// is received.
fn in_flight(network: Network, state: &AppState) -> Result<Vec<InFlightPermit<Network>>, ApiError> {
    let limits = network.limits(
        state.settings.in_flight_per_network(),
        state.settings.max_concurrent_requests,
    );
    let permits = limits
        .map(|(network, limit)| state.networks.acquire(network, limit))
        .collect::<Option<_>>();
    permits.ok_or_else(|| {
        reject_and_count(
            state,
            RejectionReason::NetworkInFlight,
            ApiError::rate_limited(RETRY_AFTER),
        )
    })
}

/// Counts a rejected request, and returns its error.
fn reject_and_count(state: &AppState, reason: RejectionReason, error: ApiError) -> ApiError {
    state.metrics.record_rejection(reason);
    error
}

/// Fails if the target or the headers of the request are too large, or the service is draining.
pub(crate) fn enforce_request_limits(
    request: &HttpRequest,
    state: &AppState,
) -> Result<(), ApiError> {
    let settings = &state.settings;
    let target = request
        .uri()
        .path_and_query()
        .map_or(0, |target| target.as_str().len());
    let header_bytes: usize = request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.as_bytes().len())
        .sum();
    if target > settings.target_bytes {
        let limit = settings.target_bytes;
        let message = format!("The request target is longer than {limit} bytes.");
        Err(reject_and_count(
            state,
            RejectionReason::UriTooLong,
            ApiError::with_message(ErrorId::UriTooLong, message),
        ))
    } else if header_bytes > settings.header_bytes {
        let limit = settings.header_bytes;
        let message = format!("The request's headers are larger than {limit} bytes.");
        Err(reject_and_count(
            state,
            RejectionReason::HeadersTooLarge,
            ApiError::with_message(ErrorId::HeadersTooLarge, message),
        ))
    } else if state.is_draining() {
        Err(reject_and_count(
            state,
            RejectionReason::Draining,
            ApiError::unavailable(),
        ))
    } else {
        Ok(())
    }
}
