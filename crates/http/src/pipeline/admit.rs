//! Guards of an endpoint, which admit or reject a request before authentication.

use super::Exchange;
use super::admission::Admission;
use super::permit::{RequestPermit, receives_body};
use crate::concurrency_limit::Permit;
use crate::error::ApiError;
use crate::extract::ClientIp;
use crate::guarded_clock::ClockReading;
use crate::in_flight::InFlightPermit;
use crate::limits::Network;
use crate::metrics::RejectionReason;
use crate::operator;
use crate::state::AppState;
use actix_web::{HttpMessage, HttpRequest};
use std::rc::Rc;
use voight_api::ErrorId;
use voight_domain::registry::Permission;

/// `Retry-After` in seconds for a network with too many requests in flight. Most requests complete sooner.
const RETRY_AFTER: u32 = 1;

/// Guards of an endpoint. [`admit`] runs them in the order of the table of the module [`pipeline`](super).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guards {
    /// Access on the admin listener; `None` on the public listener.
    operator: Option<OperatorAccess>,
    /// Limits and permits; `None` for probes, and for paths and methods that do not exist.
    admission: Option<Admission>,
}

/// Access that an endpoint of the admin listener requires.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OperatorAccess {
    /// `Host` of the listener.
    Host,
    /// `Host` of the listener, and an admin token.
    Token,
    /// `Host` of the listener, and an admin token whose role has the permission.
    Permission(Permission),
}

impl Guards {
    /// Guards of an endpoint for platforms, whose handler requires a key.
    pub(crate) const PLATFORMS: Self = Self::new(None, Some(Admission::Platforms));
    /// Guards of an endpoint for visitors, who have no key. It has its own permits, and a limit for each network.
    pub(crate) const VISITORS: Self = Self::new(None, Some(Admission::Visitors));
    /// Guards of an endpoint that is served from memory without a key. It takes no permit, so overload does not affect it.
    pub(crate) const FILES: Self = Self::new(None, Some(Admission::Files));
    /// No guards, for probes, which also respond while the service drains or sheds load.
    pub(crate) const NONE: Self = Self::new(None, None);

    const fn new(operator: Option<OperatorAccess>, admission: Option<Admission>) -> Self {
        Self {
            operator,
            admission,
        }
    }

    /// Creates the guards of an endpoint of the admin listener, whose requests are never shed.
    pub(crate) const fn for_operators(access: OperatorAccess) -> Self {
        Self::new(Some(access), Some(Admission::Operators))
    }

    /// Returns the guards without limits and permits.
    pub(crate) const fn without_admission(self) -> Self {
        Self::new(self.operator, None)
    }
}

/// Permits that an admitted request holds until it is answered.
#[derive(Default)]
pub(super) struct Permits<'a> {
    /// Permits of the visitor's network, and of each wider one that contains it.
    networks: Vec<InFlightPermit<Network>>,
    /// Permit of a request without a body.
    pub(super) request: Option<Permit<'a>>,
    /// Permit that is released while the body is received.
    pub(super) body: Option<Rc<RequestPermit>>,
}

/// Runs the guards of an endpoint. Leaves the permits of the request in `exchange`, and the caller on the admin listener in the
/// extensions of the request.
#[inline]
pub(super) async fn admit(exchange: &mut Exchange<'_>, guards: Guards) -> Result<(), ApiError> {
    let Some(access) = guards.operator else {
        return admit_request(exchange, guards.admission);
    };
    let request = exchange.request;
    operator::require_own_host(request)?;
    if let OperatorAccess::Host = access {
        return admit_request(exchange, guards.admission);
    }
    let operator = operator::authenticate(request, exchange.state).await?;
    admit_request(exchange, guards.admission)?;
    if let OperatorAccess::Permission(permission) = access {
        operator.require(permission)?;
    }
    request.extensions_mut().insert(operator);
    Ok(())
}

/// Enforces the limits of an endpoint, and takes the permits that its requests need.
#[inline]
fn admit_request(
    exchange: &mut Exchange<'_>,
    admission: Option<Admission>,
) -> Result<(), ApiError> {
    let Some(admission) = admission else {
        return Ok(());
    };
    let state = exchange.state;
    enforce_size_limits(exchange.request, state)?;
    if state.is_draining() {
        let error = ApiError::unavailable();
        return Err(reject_and_count(state, RejectionReason::Draining, error));
    }
    acquire_permits(exchange, admission)
}

/// Takes the permits that the requests of an endpoint need.
#[inline]
fn acquire_permits(exchange: &mut Exchange<'_>, admission: Admission) -> Result<(), ApiError> {
    let request = exchange.request;
    let state = exchange.state;
    let mut network = None;
    if admission == Admission::Visitors {
        let visitor = ClientIp::from_http_request(request, state, exchange.span).network();
        exchange.permits.networks = acquire_network_permits(visitor, state)?;
        network = Some(visitor);
    }
    if admission != Admission::Operators {
        require_accepted_clock(state, exchange.start)?;
    }
    let Some(limit) = admission.concurrency_limit(state) else {
        return Ok(());
    };
    if receives_body(request.method()) {
        let permit = Rc::new(RequestPermit::acquire(state.clone(), admission, network)?);
        request.extensions_mut().insert(Rc::clone(&permit));
        exchange.permits.body = Some(permit);
        return Ok(());
    }
    let permit = limit.try_acquire(
        state.settings.max_concurrent_requests,
        exchange.start.elapsed,
    );
    exchange.permits.request = Some(permit.ok_or_else(|| {
        reject_and_count(state, RejectionReason::LoadShed, ApiError::unavailable())
    })?);
    Ok(())
}

/// Rejects a request while the clock is rejected.
#[inline]
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
fn acquire_network_permits(
    network: Network,
    state: &AppState,
) -> Result<Vec<InFlightPermit<Network>>, ApiError> {
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

/// Fails if the target or the headers of the request are too large.
#[inline]
fn enforce_size_limits(request: &HttpRequest, state: &AppState) -> Result<(), ApiError> {
    let settings = &state.settings;
    let target_bytes = request
        .uri()
        .path_and_query()
        .map_or(0, |target| target.as_str().len());
    let header_bytes: usize = request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.as_bytes().len())
        .sum();
    let (reason, error, message) = if target_bytes > settings.target_bytes {
        let limit = settings.target_bytes;
        (
            RejectionReason::UriTooLong,
            ErrorId::UriTooLong,
            format!("The request target is longer than {limit} bytes."),
        )
    } else if header_bytes > settings.header_bytes {
        let limit = settings.header_bytes;
        (
            RejectionReason::HeadersTooLarge,
            ErrorId::HeadersTooLarge,
            format!("The request's headers are larger than {limit} bytes."),
        )
    } else {
        return Ok(());
    };
    let error = ApiError::with_message(error, message);
    Err(reject_and_count(state, reason, error))
}
