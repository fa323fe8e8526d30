//! Only the window's own document may talk to the window's endpoints.

use actix_web::http::header::{self, HeaderMap};
use voight_domain::vocabulary::Origin;

/// Whether a call can have come from a document of this service. Browsers say so themselves in one of two headers; a
/// caller that sends neither is no browser's page and gains nothing by it.
///
/// The service's own name is what the caller asked for (`Host`), or the configured public URL, since a proxy may put
/// another `Host` in its place.
pub(super) fn is_same_origin(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let public = public_url.and_then(|url| Origin::of_url(url).ok());
    let own = |origin: &str| names(origin, host) || public.as_ref().is_some_and(|public| public.as_str() == origin);
    let site = headers.get_all("sec-fetch-site").all(|site| site.as_bytes() == b"same-origin");
    site && headers.get_all(header::ORIGIN).all(|origin| origin.to_str().is_ok_and(own))
}

/// Whether an origin is that of `host`. The scheme is not compared: behind a proxy that ends TLS it is not known here.
fn names(origin: &str, host: &str) -> bool {
    let known = [("https://", ":443"), ("http://", ":80")];
    known.into_iter().any(|(scheme, port)| {
        let authority = origin.strip_prefix(scheme);
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host.strip_suffix(port).unwrap_or(host)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn check(headers: &[(&'static str, &'static str)], host: &'static str) -> bool {
        let mut map = HeaderMap::new();
        map.insert(header::HOST, HeaderValue::from_static(host));
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        is_same_origin(&map, Some("https://public.example/base"))
    }

    #[test]
    fn the_windows_own_document_passes() {
        for (headers, host) in [
            (vec![("sec-fetch-site", "same-origin"), ("origin", "https://voight.example")], "voight.example"),
            (vec![("origin", "https://voight.example")], "voight.example:443"),
            (vec![("origin", "http://127.0.0.1:8080")], "127.0.0.1:8080"),
            (vec![("origin", "https://public.example")], "127.0.0.1:8080"),
            (vec![], "voight.example"),
        ] {
            assert!(check(&headers, host), "{headers:?}");
        }
    }

    #[test]
    fn every_other_page_is_refused() {
        for headers in [
            vec![("sec-fetch-site", "cross-site")],
            vec![("sec-fetch-site", "same-site"), ("origin", "https://voight.example")],
            vec![("sec-fetch-site", "none")],
            vec![("sec-fetch-site", "same-origin"), ("origin", "https://quest.example")],
            vec![("origin", "https://voight.example:8443")],
            vec![("origin", "null")],
            vec![("origin", "https://voight.example"), ("origin", "https://quest.example")],
        ] {
            assert!(!check(&headers, "voight.example"), "{headers:?}");
        }
    }
}
