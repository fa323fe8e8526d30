//! Call from the window's document.

use super::rejection::{LoggedCall, LoggedPage};
use crate::error::ApiError;
use crate::extract::{ClientIp, read_body, read_json};
use crate::in_flight::InFlightPermit;
use crate::limits::RateLimited;
use crate::log_span::LogSpan;
use crate::metrics::RejectionReason;
use crate::request_id::RequestId;
use crate::settings::HttpSettings;
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use serde::de::DeserializeOwned;
use std::future::{Ready, ready};
use std::marker::PhantomData;
use voight_api::ErrorId;
use voight_domain::CheckId;
use voight_domain::check::Challenge;
use voight_domain::services::CheckError;
use voight_domain::vocabulary::log_text;

/// Maximum number of calls of a check in flight. A window makes one at a time, and repeats those that were lost.
const IN_FLIGHT_OF_A_CHECK: usize = 4;
/// `Retry-After` in seconds for a check with too many calls in flight.
const RETRY_AFTER: u32 = 1;

/// Call with a body of type `B` that may come from the window's own document. A call of any other page is rejected before it is
/// parsed.
pub(super) struct WindowCall<B> {
    /// IP address of the caller.
    pub(super) ip: ClientIp,
    /// Request without its body.
    pub(super) request: HttpRequest,
    payload: Payload,
    body: PhantomData<fn() -> B>,
    /// Check id in the path; empty if the path has none.
    check: String,
    request_id: String,
    /// Permit that counts the call towards the limit of its check until it is answered.
    in_flight: Option<InFlightPermit<CheckId>>,
}

/// Check id in the path of a call, with its challenge and solved proof of work. They prove that the call belongs to the check, and
/// are verified before the body is read.
pub(super) struct CheckHeaders {
    pub(super) check: String,
    pub(super) challenge: String,
    pub(super) work: String,
}

/// Body of a batch of evidence. It is not parsed here: the assessor owns the schema and validates it.
pub(super) enum RawBatch {}

impl<B> WindowCall<B> {
    fn from_http_request(request: &HttpRequest, payload: &mut Payload) -> Result<Self, ApiError> {
        let state = AppState::from_http_request(request)?;
        let id = request
            .extensions()
            .get::<RequestId>()
            .map(|id| id.as_str().to_owned());
        let mut call = Self {
            ip: ClientIp::from_http_request(request, state, LogSpan::Current),
            in_flight: None,
            check: request.match_info().query("check").to_owned(),
            request_id: id.unwrap_or_default(),
            request: request.clone(),
            payload: payload.take(),
            body: PhantomData,
        };
        if !state.own_origin.is_origin_of(request.headers()) {
            call.log_foreign_origin(state);
            return Err(ErrorId::CheckRejected.into());
        }
        call.in_flight = call.acquire_permit(state)?;
        Ok(call)
    }

    /// Logs and counts this call of another page.
    fn log_foreign_origin(&self, state: &AppState) {
        let origin = self.request.headers().get(header::ORIGIN);
        let page = LoggedPage {
            context: None,
            origin: origin.and_then(|origin| origin.to_str().ok()).map(log_text),
        };
        self.logged(&page)
            .reject_for(state, RejectionReason::CrossOrigin);
    }

    /// Takes a permit for a call in flight of the check; `None` if the path has no check.
    fn acquire_permit(
        &self,
        state: &AppState,
    ) -> Result<Option<InFlightPermit<CheckId>>, ApiError> {
        let Ok(check) = self.check.parse() else {
            return Ok(None);
        };
        let permit = state.checks.acquire(check, IN_FLIGHT_OF_A_CHECK);
        permit.map(Some).ok_or_else(|| {
            self.reject_for(state, RejectionReason::CheckInFlight);
            ApiError::rate_limited(RETRY_AFTER)
        })
    }

    /// Returns the check headers. A header that is missing, repeated or not text is empty, which fails verification.
    pub(super) fn check_headers(&self) -> CheckHeaders {
        let header = |name| {
            let mut values = self
                .request
                .headers()
                .get_all(name)
                .map(|value| value.to_str().unwrap_or_default());
            values
                .next()
                .filter(|_| values.next().is_none())
                .unwrap_or_default()
                .to_owned()
        };
        let challenge = header("x-voight-challenge");
        let work = header("x-voight-work");
        CheckHeaders {
            check: self.check.clone(),
            challenge,
            work,
        }
    }

    /// Counts an opened check. Returns the multiple of the ordinary rate that the caller's network exceeds.
    pub(super) fn count(&self, state: &AppState) -> Result<u32, ApiError> {
        let limit_result = state.limits.count_opened_check(self.ip.network());
        limit_result.map_err(|RateLimited { rate_limit }| {
            self.reject_for(state, RejectionReason::ChecksRateLimited);
            ApiError::rate_limited(rate_limit.reset)
        })
    }

    /// Counts a batch of a check.
    pub(super) fn count_batch(&self, state: &AppState, check: CheckId) -> Result<(), ApiError> {
        let limit_result = state.limits.batch(check);
        limit_result.map_err(|RateLimited { rate_limit }| {
            self.reject_for(state, RejectionReason::BatchesRateLimited);
            ApiError::rate_limited(rate_limit.reset)
        })
    }

    /// Returns the challenge in the proof if it is valid for this call. Only then may the body be read.
    pub(super) async fn authorise(
        &self,
        state: &AppState,
        proof: &CheckHeaders,
    ) -> Result<Challenge, ApiError> {
        let CheckHeaders {
            check,
            challenge,
            work,
        } = proof;
        let authorisation = state
            .services
            .checks
            .authorise_call(check, challenge, work)
            .await;
        authorisation.map_err(|error| self.reject(state, error))
    }

    /// Logs and counts this call, which failed, and returns the error response.
    pub(super) fn reject(&self, state: &AppState, error: CheckError) -> ApiError {
        self.logged(&self.page(state)).reject(state, error)
    }

    /// Logs and counts this call, which was to open a check for `page`, and returns the error response.
    pub(super) fn reject_page(
        &self,
        state: &AppState,
        page: &LoggedPage,
        error: CheckError,
    ) -> ApiError {
        self.logged(page).reject(state, error)
    }

    /// Logs and counts this call, which is rejected for this reason.
    fn reject_for(&self, state: &AppState, reason: RejectionReason) {
        self.logged(&self.page(state)).reject_for(state, reason);
    }

    /// Returns the page of the challenge in the headers, if the challenge is authentic.
    fn page(&self, state: &AppState) -> LoggedPage {
        let CheckHeaders {
            check, challenge, ..
        } = self.check_headers();
        let page = state.services.checks.page_of_challenge(&check, &challenge);
        page.map(|(context, origin)| LoggedPage::new(context.as_str(), origin.as_str()))
            .unwrap_or_default()
    }

    fn logged<'a>(&'a self, page: &'a LoggedPage) -> LoggedCall<'a> {
        LoggedCall {
            check: &self.check,
            request_id: &self.request_id,
            page,
        }
    }
}

impl<B: DeserializeOwned> WindowCall<B> {
    /// Reads the body as JSON.
    pub(super) async fn read_json(&mut self) -> Result<B, ApiError> {
        read_json(&self.request, self.payload.take()).await
    }
}

impl WindowCall<RawBatch> {
    /// Reads the bytes of the batch.
    pub(super) async fn read_batch(
        &mut self,
        settings: &HttpSettings,
    ) -> Result<Vec<u8>, ApiError> {
        let HttpSettings {
            evidence_bytes,
            body_timeout,
            ..
        } = *settings;
        Ok(read_body(
            &self.request,
            self.payload.take(),
            evidence_bytes,
            body_timeout,
        )
        .await?
        .into())
    }
}

impl<B> FromRequest for WindowCall<B> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(Self::from_http_request(request, payload))
    }
}
