//! The token that opens the admin API.

use crate::error_table::ErrorId;
use crate::middleware::{Answer, refuse};
use crate::state::AppState;
use actix_web::body::MessageBody;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{self, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web;
use std::fmt;
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

/// Lets a request through that carries the token, once.
pub(super) async fn with_token(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    if carries_token(&request) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    if let Some(state) = request.app_data::<web::Data<AppState>>() {
        state.metrics.refused("bad_admin_token");
    }
    let mut answer = refuse(request, &ErrorId::BadAdminToken.into());
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, CHALLENGE);
    Ok(answer)
}

fn carries_token(request: &ServiceRequest) -> bool {
    let Some(token) = request.app_data::<web::Data<AdminToken>>() else { return false };
    let mut sent = request.headers().get_all(header::AUTHORIZATION);
    let (Some(value), None) = (sent.next(), sent.next()) else { return false };
    let Some((scheme, given)) = value.as_bytes().split_at_checked(b"Bearer ".len()) else { return false };
    scheme.eq_ignore_ascii_case(b"Bearer ") && token.opens(given)
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
