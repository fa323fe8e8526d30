//! Authenticates and authorises the caller by its key, in the order that the product fixes.

use super::{AccessPolicy, ClientIp};
use crate::error::ApiError;
use crate::in_flight::InFlightPermit;
use crate::key_memo::KeyMemo;
use crate::limits::{RateLimitState, RateLimited};
use crate::log_span::LogSpan;
use crate::metrics::RejectionReason;
use crate::state::AppState;
use actix_web::HttpRequest;
use actix_web::http::header::HeaderName;
use std::rc::Rc;
use voight_api::ErrorId;
use voight_domain::registry::KeyWithClient;
use voight_domain::secrets::KeyDigest;
use voight_domain::services::{Denied, Unauthorized};
use voight_domain::vocabulary::{ClientId, Environment};

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// Header that every browser since 2023 sends, and no other client.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// `Retry-After` in seconds for a client with too many requests in flight. Most requests complete sooner.
const RETRY_AFTER: u32 = 1;

/// Authorised caller.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Key with its client.
    pub api_key: KeyWithClient,
    /// Digest by which later steps revalidate the key.
    pub digest: KeyDigest,
}

impl Caller {
    /// Returns the environment of the key.
    pub const fn environment(&self) -> Environment {
        self.api_key.key.environment
    }

    /// Takes a permit for a request in flight of the client. A client above its own limit does not count as overload of the
    /// service.
    pub(super) fn in_flight(&self, state: &AppState) -> Result<InFlightPermit<ClientId>, ApiError> {
        let permit = state.clients.acquire(
            self.api_key.client.id,
            state.settings.in_flight_per_client(),
        );
        permit.ok_or_else(|| {
            state
                .metrics
                .record_rejection(RejectionReason::ClientInFlight);
            ApiError::rate_limited(RETRY_AFTER)
        })
    }

    /// Authenticates the key. A missing, repeated, malformed, unknown, revoked or expired key causes the same error.
    pub(super) async fn authenticate<A: AccessPolicy>(
        request: &HttpRequest,
        state: &AppState,
        ip: ClientIp,
        span: LogSpan<'_>,
    ) -> Result<Self, ApiError> {
        let registry = &state.services.registry;
        let mut keys = request.headers().get_all(&API_KEY);
        let lookup_result = match (keys.next().and_then(|key| key.to_str().ok()), keys.next()) {
            (Some(key), None) if A::REVALIDATED => {
                let digest = || registry.key_digest(key);
                match request
                    .conn_data::<Rc<KeyMemo>>()
                    .map_or_else(digest, |memo| memo.digest(key, digest))
                {
                    Ok(digest) => {
                        let is_admitted = |api_key: &KeyWithClient| {
                            check_network_and_scope::<A>(api_key, ip).is_ok()
                        };
                        registry.authenticate_cached(digest, is_admitted).await
                    }
                    Err(error) => Err(error),
                }
            }
            (Some(key), None) => registry.authenticate(key).await,
            _ => Err(Unauthorized::InvalidKey),
        };
        match lookup_result {
            Ok((api_key, digest)) => Ok(Self { api_key, digest }),
            Err(Unauthorized::Store(error)) => Err(span.in_scope(|| error.into())),
            Err(Unauthorized::InvalidKey) => Err(invalid_key(state, ip)),
        }
    }

    /// Checks browser headers, network list, scope and client status.
    pub(super) async fn permit<A: AccessPolicy>(
        &self,
        request: &HttpRequest,
        state: &AppState,
        ip: ClientIp,
        span: LogSpan<'_>,
    ) -> Result<(), ApiError> {
        if request.headers().contains_key(&SEC_FETCH_SITE) {
            self.report_leak(state, span).await;
            return Err(ErrorId::KeyInBrowser.into());
        }
        check_network_and_scope::<A>(&self.api_key, ip).map_err(|denial| {
            state.metrics.record_rejection(RejectionReason::Forbidden);
            match denial {
                Denied::Suspended => ErrorId::ClientSuspended.into(),
                Denied::Closed => {
                    ApiError::with_message(ErrorId::ClientSuspended, denial.to_string())
                }
                Denied::Network | Denied::Scope(_) => {
                    ApiError::with_message(ErrorId::Forbidden, denial.to_string())
                }
            }
        })
    }

    /// Logs and audits a key that leaked into a page. Rate-limited, so that visitors of the page cannot flood the logs.
    async fn report_leak(&self, state: &AppState, span: LogSpan<'_>) {
        state
            .metrics
            .record_rejection(RejectionReason::KeyInBrowser);
        let key = self.api_key.key.id;
        if !state.limits.should_audit_leak(key) {
            return;
        }
        span.in_scope(
            || tracing::warn!(event = "key_leaked", %key, "a browser sent a secret API key"),
        );
        let audit_result = state.services.registry.audit_exposed_key(&self.api_key);
        if let Err(error) = audit_result.await {
            span.in_scope(|| {
                tracing::warn!(event = "key_leak_not_audited", %error, "a leaked key could not be audited");
            });
        }
    }

    /// Counts the request towards the client's rate limit, whose state is `rate_limit`.
    pub(super) fn count<A: AccessPolicy>(
        &self,
        state: &AppState,
        rate_limit: &mut Option<RateLimitState>,
    ) -> Result<(), ApiError> {
        if !state.limits.enabled() {
            return Ok(());
        }
        note_counted(
            state,
            A::count(&state.limits, &self.api_key.client),
            rate_limit,
        )
    }

    /// Counts further lookups of a request towards the client's rate limit.
    pub(crate) fn count_further_lookups(
        &self,
        state: &AppState,
        rate_limit: &mut Option<RateLimitState>,
        lookups: usize,
    ) -> Result<(), ApiError> {
        if !state.limits.enabled() {
            return Ok(());
        }
        let client = &self.api_key.client;
        let limit_result = state
            .limits
            .lookups(client)
            .check_further(client.id, u32::try_from(lookups).unwrap_or(u32::MAX));
        note_counted(state, limit_result, rate_limit)
    }
}

/// Sets `rate_limit` to the state of the rate limit. Returns 429 for a request over it.
fn note_counted(
    state: &AppState,
    counted: Result<RateLimitState, RateLimited>,
    rate_limit: &mut Option<RateLimitState>,
) -> Result<(), ApiError> {
    let now = *rate_limit.insert(counted.unwrap_or_else(|RateLimited { rate_limit }| rate_limit));
    counted.map(drop).map_err(|_| {
        state.metrics.record_rejection(RejectionReason::RateLimited);
        ApiError::rate_limited(now.reset)
    })
}

/// Checks that the key may be used from this network and has the required scope.
fn check_network_and_scope<A: AccessPolicy>(
    api_key: &KeyWithClient,
    ip: ClientIp,
) -> Result<(), Denied> {
    api_key.authorise_network(ip.0)?;
    api_key.authorise_scope(A::SCOPE)
}

/// Returns 401, or 429 for a network that sends too many invalid keys. Not called for a valid key.
fn invalid_key(state: &AppState, ip: ClientIp) -> ApiError {
    match state.limits.count_invalid_key(ip.network()) {
        Ok(()) => {
            state.metrics.record_rejection(RejectionReason::InvalidKey);
            ErrorId::InvalidKey.into()
        }
        Err(RateLimited { rate_limit }) => {
            state
                .metrics
                .record_rejection(RejectionReason::InvalidKeyRateLimited);
            ApiError::rate_limited(rate_limit.reset)
        }
    }
}
