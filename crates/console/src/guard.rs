//! Guard of every request to the console: its `Host`, and the source of a change.

use crate::ConsoleState;
use crate::error::ConsoleError;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, web};

/// Content security policy: no script, only files of the console, and no framing.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const SECURITY_HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

/// Rejects a request to another `Host` and a change that another site has caused, and adds the security headers.
///
/// `Host` is verified because a page can make its own domain resolve to this machine (DNS rebinding).
pub(crate) async fn guard(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = match verify(&request) {
        Ok(()) => next.call(request).await?.map_into_boxed_body(),
        Err(error) => request.error_response(error).map_into_boxed_body(),
    };
    let headers = response.headers_mut();
    for (name, value) in SECURITY_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(response)
}

fn verify(request: &ServiceRequest) -> Result<(), ConsoleError> {
    let state = request
        .app_data::<web::Data<ConsoleState>>()
        .ok_or_else(ConsoleError::internal)?;
    let host = single_value(request.headers(), &header::HOST);
    let host = host.filter(|host| state.answers_to(host));
    let host = host.ok_or_else(|| ConsoleError::foreign_host(&state.settings.hosts))?;
    if request.method().is_safe() || is_same_origin(request.headers(), host) {
        Ok(())
    } else {
        Err(ConsoleError::foreign_form())
    }
}

/// Returns `true` if a page of the console has sent a request.
///
/// A browser sends `Sec-Fetch-Site`, and older ones send `Origin` with a form. A request with neither is rejected.
fn is_same_origin(headers: &HeaderMap, host: &str) -> bool {
    let fetch_site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    let origin = headers
        .get(header::ORIGIN)
        .map(|origin| is_origin_of(origin, host));
    match (fetch_site, origin) {
        (Some(fetch_site), origin) => fetch_site == b"same-origin" && origin != Some(false),
        (None, Some(is_own_origin)) => is_own_origin,
        (None, None) => false,
    }
}

fn is_origin_of(origin: &HeaderValue, host: &str) -> bool {
    let origin_host = origin
        .to_str()
        .ok()
        .and_then(|origin| origin.split_once("://"));
    origin_host.is_some_and(|(_, origin_host)| origin_host.eq_ignore_ascii_case(host))
}

/// Returns the value of a header that a request has exactly once.
fn single_value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name);
    let value = values.next()?;
    if values.next().is_some() {
        return None;
    }
    value.to_str().ok()
}

impl ConsoleState {
    fn answers_to(&self, host: &str) -> bool {
        let hosts = &self.settings.hosts;
        hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect();
        is_same_origin(&headers, "127.0.0.1:8081")
    }

    #[test]
    fn change_comes_from_a_page_of_the_console() {
        let own_origin = ("origin", "http://127.0.0.1:8081");
        let foreign_origin = ("origin", "https://evil.example");
        assert!(accepted(&[("sec-fetch-site", "same-origin"), own_origin]));
        assert!(accepted(&[own_origin]));
        for headers in [
            &[][..],
            &[foreign_origin],
            &[("origin", "null")],
            &[("origin", "http://127.0.0.1:8080")],
            &[("origin", "http://127.0.0.1:8081.evil.example")],
            &[("sec-fetch-site", "same-site"), own_origin],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "none")],
            &[("sec-fetch-site", "same-origin"), foreign_origin],
        ] {
            assert!(!accepted(headers), "{headers:?}");
        }
    }
}
