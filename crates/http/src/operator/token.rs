//! Authentication of the admin API.

use super::caller::{Caller, TokenVersion};
use crate::error::ApiError;
use crate::metrics::RejectionReason;
use crate::state::AppState;
use actix_web::http::header;
use actix_web::{HttpRequest, web};
use std::net::{IpAddr, Ipv4Addr};
use voight_api::proof::{self, ProvenRequest, RequestProof};
use voight_api::{AdminTokenSecret, ErrorId};
use voight_domain::registry::Actor;
use voight_domain::secrets::AdminTokenText;
use voight_domain::services::{IssuedAdminToken, ServiceError};
use voight_domain::vocabulary::AdminTokenId;

/// Authentication challenge of a 401 response.
const CHALLENGE: &str = r#"Bearer realm="voight-admin""#;

/// Failed attempt to authenticate at the admin API. The text is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BadAttempt {
    Missing,
    Malformed,
    WrongToken,
    UnknownToken,
    WrongProof,
    ExpiredProof,
}

impl BadAttempt {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "no single Authorization header",
            Self::Malformed => "the Authorization header is malformed",
            Self::WrongToken => "the token is wrong",
            Self::UnknownToken => "no admin token has this id, or it is revoked",
            Self::WrongProof => "the proof is of another token, listener or request",
            Self::ExpiredProof => "the proof has expired, or another process made its nonce",
        }
    }
}

/// Reason why a request was not authenticated.
enum TokenRejection {
    /// The credentials are missing or wrong.
    Attempt(BadAttempt),
    /// The store did not respond.
    Unanswered(ApiError),
}

impl From<BadAttempt> for TokenRejection {
    fn from(attempt: BadAttempt) -> Self {
        Self::Attempt(attempt)
    }
}

/// Authenticates a request by a token or a single-use proof of it. Failed attempts are logged with the peer address.
///
/// # Errors
///
/// 401 for a failed attempt, or 429 if the peer's network made too many. Only failures are counted, so a valid token is always
/// accepted.
pub(crate) async fn authenticate(
    request: &HttpRequest,
    state: &AppState,
) -> Result<Caller, ApiError> {
    verify(request, state)
        .await
        .map_err(|rejection| match rejection {
            TokenRejection::Attempt(attempt) => {
                // Forwarding headers are ignored: operators connect to this listener directly.
                count(state, request.peer_addr().map(|peer| peer.ip()), attempt)
                    .challenge(CHALLENGE)
            }
            TokenRejection::Unanswered(error) => error,
        })
}

/// Counts and logs a failed attempt. Returns the error for the caller.
fn count(state: &AppState, peer: Option<IpAddr>, attempt: BadAttempt) -> ApiError {
    let limit_result = state
        .limits
        .bad_admin_token(peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)).into());
    if let Err(limited) = limit_result {
        state
            .metrics
            .record_rejection(RejectionReason::InvalidAdminTokenRateLimited);
        return ApiError::rate_limited(limited.rate_limit.reset);
    }
    state
        .metrics
        .record_rejection(RejectionReason::InvalidAdminToken);
    let peer = peer.map_or_else(|| "the admin socket".to_owned(), |peer| peer.to_string());
    tracing::warn!(
        event = "admin_token_rejected",
        peer,
        reason = attempt.as_str(),
        "failed authentication on the admin listener"
    );
    ErrorId::BadAdminToken.into()
}

async fn verify(request: &HttpRequest, state: &AppState) -> Result<Caller, TokenRejection> {
    let mut authorization_values = request.headers().get_all(header::AUTHORIZATION);
    let (Some(value), None) = (authorization_values.next(), authorization_values.next()) else {
        return Err(BadAttempt::Missing.into());
    };
    if let Some(token_bytes) = behind_scheme(value.as_bytes(), "Bearer") {
        let token_text = std::str::from_utf8(token_bytes)
            .ok()
            .filter(|text| AdminTokenText::is_meant(text));
        let token_text = token_text
            .map(|text| {
                text.parse::<AdminTokenText>()
                    .map_err(|_| BadAttempt::Malformed)
            })
            .transpose()?;
        let (token, caller) = find(request, state, token_text.map(|named| named.id())).await?;
        return if token.matches(token_bytes) {
            Ok(caller)
        } else {
            Err(BadAttempt::WrongToken.into())
        };
    }
    let proof = behind_scheme(value.as_bytes(), proof::SCHEME).and_then(RequestProof::parse);
    let proof = proof.ok_or(BadAttempt::Malformed)?;
    let (token, caller) = find(request, state, proof.token).await?;
    verify_proof(request, state, &token, &proof)?;
    Ok(caller)
}

/// Returns the token with this id, or the token of the data directory, with its caller.
async fn find(
    request: &HttpRequest,
    state: &AppState,
    id: Option<AdminTokenId>,
) -> Result<(AdminTokenSecret, Caller), TokenRejection> {
    let Some(id) = id else {
        let token = request
            .app_data::<web::Data<AdminTokenSecret>>()
            .ok_or(BadAttempt::WrongToken)?;
        return Ok((token.get_ref().clone(), Caller::OWNER));
    };
    // Read from the store for each request, so that a rotation or revocation takes effect immediately on every node.
    let issued_token = state
        .services
        .admin_tokens
        .active(id)
        .await
        .map_err(|error| TokenRejection::Unanswered(error.into()))?;
    let IssuedAdminToken { token, text } = issued_token.ok_or(BadAttempt::UnknownToken)?;
    Ok((
        AdminTokenSecret::from(&text),
        Caller {
            actor: Actor::AdminToken(token.name),
            role: token.role,
            token: Some(TokenVersion {
                id,
                generation: token.generation,
            }),
        },
    ))
}

/// Returns `true` unless the token of the caller was rotated or revoked since its request.
pub(crate) async fn is_current(state: &AppState, caller: &Caller) -> Result<bool, ServiceError> {
    let Some(version) = caller.token else {
        return Ok(true);
    };
    let issued_token = state.services.admin_tokens.active(version.id).await?;
    Ok(issued_token.is_some_and(|issued| issued.token.generation == version.generation))
}

/// Returns the named token with this id, for a handshake.
///
/// # Errors
///
/// 401 if the token does not exist or is revoked, which counts as a failed attempt; 503 if the store does not respond.
pub(crate) async fn named_token(
    state: &AppState,
    peer: Option<IpAddr>,
    id: &str,
) -> Result<AdminTokenSecret, ApiError> {
    let issued_token = match id.parse() {
        Ok(id) => state.services.admin_tokens.active(id).await?,
        Err(_) => None,
    };
    match issued_token {
        Some(issued_token) => Ok(AdminTokenSecret::from(&issued_token.text)),
        None => Err(count(state, peer, BadAttempt::UnknownToken)),
    }
}

fn verify_proof(
    request: &HttpRequest,
    state: &AppState,
    token: &AdminTokenSecret,
    proof: &RequestProof,
) -> Result<(), BadAttempt> {
    let host = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let listener = host.ok_or(BadAttempt::WrongProof)?;
    let target = request
        .uri()
        .path_and_query()
        .map_or("", |target| target.as_str());
    if !proof.is_valid_for(
        token,
        listener,
        ProvenRequest {
            method: request.method().as_str(),
            target,
        },
    ) {
        return Err(BadAttempt::WrongProof);
    }
    let is_current = proof.nonce.process == state.process_nonce()
        && state.monotonic_clock.elapsed().as_millis() <= proof.nonce.end.into();
    if is_current {
        Ok(())
    } else {
        Err(BadAttempt::ExpiredProof)
    }
}

/// Returns the credentials after the scheme of an `Authorization` header. The scheme is case-insensitive.
fn behind_scheme<'a>(value: &'a [u8], scheme: &str) -> Option<&'a [u8]> {
    let (given, credentials) = value.split_at_checked(scheme.len())?;
    if given.eq_ignore_ascii_case(scheme.as_bytes()) {
        credentials.strip_prefix(b" ")
    } else {
        None
    }
}
