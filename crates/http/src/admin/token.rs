//! The token that opens the admin API.

use super::proof::{self, ProvenRequest, RequestProof};
use crate::error::ApiError;
use crate::error_table::ErrorId;
use crate::middleware::{Answer, refuse};
use crate::state::AppState;
use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use subtle::ConstantTimeEq;

/// How to authenticate, as a 401 has to say.
const CHALLENGE: HeaderValue = HeaderValue::from_static(r#"Bearer realm="voight-admin""#);
/// Fewer characters could be guessed.
const LEAST: usize = 16;

/// The admin token. It is never shown, and compared in constant time.
#[derive(Clone)]
pub struct AdminToken(String);

/// Why text is no admin token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdminTokenError;

impl AdminToken {
    /// The token in `text`: at least 16 visible ASCII characters.
    pub fn parse(text: &str) -> Result<Self, AdminTokenError> {
        let fits = text.len() >= LEAST && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(text.to_owned())) } else { Err(AdminTokenError) }
    }

    /// The secret as the key of a MAC.
    pub(super) fn expose(&self) -> &[u8] {
        self.0.as_bytes()
    }

    fn opens(&self, given: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(given).into()
    }
}

impl fmt::Display for AdminTokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an admin token has at least {LEAST} visible ASCII characters and no space")
    }
}

impl std::error::Error for AdminTokenError {}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken(…)")
    }
}

/// A failed attempt to open the admin API. The text is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BadAttempt {
    Missing,
    Malformed,
    WrongToken,
    WrongProof,
    ExpiredProof,
}

impl BadAttempt {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "no single Authorization header",
            Self::Malformed => "the Authorization header is malformed",
            Self::WrongToken => "the token is wrong",
            Self::WrongProof => "the proof is of another token, listener or request",
            Self::ExpiredProof => "the proof has expired, or another process made its nonce",
        }
    }
}

/// Passes requests on that carry the token or a proof of it, once. Failed attempts are logged with their peer, and limited.
pub(super) async fn with_token(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    match verify(&request) {
        Ok(()) => Ok(next.call(request).await?.map_into_boxed_body()),
        Err(attempt) => Ok(reject(request, attempt)),
    }
}

/// Answers a failed attempt with 401, or with 429 if the peer's network made too many. A right token always opens: only
/// failures are counted.
fn reject(request: ServiceRequest, attempt: BadAttempt) -> ServiceResponse<BoxBody> {
    let Some(state) = request.app_data::<web::Data<AppState>>().cloned() else {
        return refuse(request, &ErrorId::Internal.into());
    };
    // Forwarding headers are not read here: operators reach this listener themselves.
    let peer = request.peer_addr().map(|peer| peer.ip());
    let counted = state.limits.bad_admin_token(peer.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)).into());
    if let Err(limited) = counted {
        state.metrics.refused("bad_admin_token_limited");
        return refuse(request, &ApiError::rate_limited(limited.measured.reset));
    }
    state.metrics.refused("bad_admin_token");
    let peer = peer.map_or_else(|| "the admin socket".to_owned(), |peer| peer.to_string());
    tracing::warn!(peer, reason = attempt.as_str(), "an attempt to open the admin API failed");
    let mut answer = refuse(request, &ErrorId::BadAdminToken.into());
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, CHALLENGE);
    answer
}

fn verify(request: &ServiceRequest) -> Result<(), BadAttempt> {
    let mut sent = request.headers().get_all(header::AUTHORIZATION);
    let (Some(value), None) = (sent.next(), sent.next()) else { return Err(BadAttempt::Missing) };
    let token = request.app_data::<web::Data<AdminToken>>().ok_or(BadAttempt::WrongToken)?;
    if let Some(given) = behind_scheme(value.as_bytes(), "Bearer") {
        return if token.opens(given) { Ok(()) } else { Err(BadAttempt::WrongToken) };
    }
    let proof = behind_scheme(value.as_bytes(), proof::SCHEME).and_then(RequestProof::parse);
    verify_proof(request, token, &proof.ok_or(BadAttempt::Malformed)?)
}

fn verify_proof(request: &ServiceRequest, token: &AdminToken, proof: &RequestProof) -> Result<(), BadAttempt> {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let (Some(listener), Some(state)) = (host, request.app_data::<web::Data<AppState>>()) else {
        return Err(BadAttempt::WrongProof);
    };
    let target = request.uri().path_and_query().map_or("", |target| target.as_str());
    if !proof.is_of(token, listener, ProvenRequest { method: request.method().as_str(), target }) {
        return Err(BadAttempt::WrongProof);
    }
    let is_current =
        proof.nonce.process == state.process_nonce() && state.ticks.elapsed().as_millis() <= proof.nonce.end.into();
    if is_current { Ok(()) } else { Err(BadAttempt::ExpiredProof) }
}

/// The credentials of an `Authorization` header behind its scheme, which is compared without regard to case.
fn behind_scheme<'a>(value: &'a [u8], scheme: &str) -> Option<&'a [u8]> {
    let (given, credentials) = value.split_at_checked(scheme.len())?;
    if given.eq_ignore_ascii_case(scheme.as_bytes()) { credentials.strip_prefix(b" ") } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_by_its_whole_text_and_never_shows_it() {
        let token = AdminToken::parse("0123456789abcdef").unwrap();
        assert!(token.opens(b"0123456789abcdef"));
        for other in ["", "0123456789abcde", "0123456789abcdeF", "0123456789abcdef0"] {
            assert!(!token.opens(other.as_bytes()), "{other:?}");
        }
        assert!(!format!("{token:?}").contains("0123"));
    }

    #[test]
    fn what_could_be_guessed_or_mangled_is_no_token() {
        for text in ["", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\n", "schlüssel-schlüssel"] {
            assert_eq!(AdminToken::parse(text).unwrap_err(), AdminTokenError, "{text:?}");
        }
    }
}
