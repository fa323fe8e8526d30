//! Call from the window's document.

use super::check_headers::CheckHeaders;
use super::rejection::reject;
use crate::error::ApiError;
use crate::extract::ClientIp;
use crate::in_flight::InFlightPermit;
use crate::limits::RateLimited;
use crate::metrics::RejectionReason;
use crate::middleware::RequestId;
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use std::future::{Ready, ready};
use voight_api::ErrorId;
use voight_domain::CheckId;
use voight_domain::check::Challenge;
use voight_domain::services::CheckError;

/// Maximum number of calls of a check in flight. A window makes one at a time, and repeats those that were lost.
const IN_FLIGHT_OF_A_CHECK: usize = 4;
/// `Retry-After` in seconds for a check with too many calls in flight.
const RETRY_AFTER: u32 = 1;

/// Call that may come from the window's own document. A call of any other page is rejected before it is parsed.
pub(super) struct WindowCall {
    /// IP address of the caller.
    pub(super) ip: ClientIp,
    /// Check id in the path; empty if the path has none.
    check: String,
    request_id: String,
    /// Permit that counts the call towards the limit of its check until it is answered.
    _in_flight: Option<InFlightPermit<CheckId>>,
}

impl WindowCall {
    fn from_http_request(request: &HttpRequest) -> Result<Self, ApiError> {
        let state = AppState::from_http_request(request)?;
        if !state.own_origin.is_origin_of(request.headers()) {
            state.metrics.record_rejection(RejectionReason::CrossOrigin);
            tracing::info!(reason = RejectionReason::CrossOrigin.as_str(), "check refused");
            return Err(ErrorId::CheckRefused.into());
        }
        let id = request.extensions().get::<RequestId>().map(|id| id.as_str().to_owned());
        let check = request.match_info().query("check").to_owned();
        Ok(Self {
            ip: ClientIp::from_http_request(request, state),
            _in_flight: in_flight(state, &check)?,
            check,
            request_id: id.unwrap_or_default(),
        })
    }

    /// Counts an opened check. Returns the multiple of the ordinary rate that the caller's network exceeds.
    pub(super) fn count(&self, state: &AppState) -> Result<u32, ApiError> {
        state
            .limits
            .count_opened_check(self.ip.network())
            .map_err(|limited| rate_limited(state, RejectionReason::ChecksRateLimited, limited))
    }

    /// Counts a batch of a check.
    pub(super) fn count_batch(state: &AppState, check: CheckId) -> Result<(), ApiError> {
        state.limits.batch(check).map_err(|limited| rate_limited(state, RejectionReason::BatchesRateLimited, limited))
    }

    /// Returns the challenge in the proof if it is valid for this call. Only then may the body be read.
    pub(super) async fn authorise(&self, state: &AppState, proof: &CheckHeaders) -> Result<Challenge, ApiError> {
        let CheckHeaders { check, challenge, work } = proof;
        let admitted = state.services.checks.authorise_call(check, challenge, work).await;
        admitted.map_err(|error| self.reject(state, error))
    }

    /// Returns the error response of this call.
    pub(super) fn reject(&self, state: &AppState, error: CheckError) -> ApiError {
        reject(state, &self.check, &self.request_id, error)
    }
}

/// Takes a permit for a call in flight of a check; `None` if the path has no check.
fn in_flight(state: &AppState, check: &str) -> Result<Option<InFlightPermit<CheckId>>, ApiError> {
    let Ok(check) = check.parse() else { return Ok(None) };
    let permit = state.checks.acquire(check, IN_FLIGHT_OF_A_CHECK);
    permit.map(Some).ok_or_else(|| {
        state.metrics.record_rejection(RejectionReason::CheckInFlight);
        ApiError::rate_limited(RETRY_AFTER)
    })
}

fn rate_limited(state: &AppState, reason: RejectionReason, RateLimited { measured }: RateLimited) -> ApiError {
    state.metrics.record_rejection(reason);
    ApiError::rate_limited(measured.reset)
}

impl FromRequest for WindowCall {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::from_http_request(request))
    }
}
