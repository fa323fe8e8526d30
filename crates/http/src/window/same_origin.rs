//! Rejects calls from documents of other origins.

use actix_web::http::header::{self, HeaderMap};
use voight_domain::vocabulary::Origin;

/// Origin of the window's own document.
pub(crate) enum OwnOrigin {
    /// Origin of the configured public URL only. A page can choose the `Host` through a name of its own that resolves to this
    /// service. `None` if that URL has no origin; then no call matches.
    Configured(Option<Origin>),
    /// Origin of the host that a call names. A page under a hostile name that resolves to this service is accepted. It gains no
    /// more than a program without a browser: the window uses no credentials of a visitor that depend on its origin.
    Requested,
}

impl OwnOrigin {
    /// Returns the origin of the public URL; without one, calls are compared with their own `Host`.
    pub(crate) fn new(public_url: Option<&str>) -> Self {
        public_url.map_or(Self::Requested, |url| {
            Self::Configured(Origin::of_url(url).ok())
        })
    }

    /// Returns `true` for a call that may come from a document of this service. Browsers report the origin in one of two
    /// headers; a caller that sends neither is not a browser's page and gains nothing by it.
    pub(super) fn is_origin_of(&self, headers: &HeaderMap) -> bool {
        let site = headers
            .get_all("sec-fetch-site")
            .all(|site| site.as_bytes() == b"same-origin");
        site && headers
            .get_all(header::ORIGIN)
            .all(|origin| origin.to_str().is_ok_and(|origin| self.is(origin, headers)))
    }

    fn is(&self, origin: &str, headers: &HeaderMap) -> bool {
        match self {
            Self::Configured(own) => own
                .as_ref()
                .is_some_and(|configured| configured.as_str() == origin),
            Self::Requested => {
                let host = headers
                    .get(header::HOST)
                    .and_then(|host| host.to_str().ok());
                host.is_some_and(|host| names(origin, host))
            }
        }
    }
}

/// Returns `true` if the host of `origin` is `host`. The scheme is not compared: it is unknown behind a proxy that terminates
/// TLS.
fn names(origin: &str, host: &str) -> bool {
    let default_ports = [("https://", ":443"), ("http://", ":80")];
    default_ports.into_iter().any(|(scheme, port)| {
        let authority = origin
            .strip_prefix(scheme)
            .filter(|authority| !authority.is_empty());
        authority.is_some_and(|authority| {
            authority.eq_ignore_ascii_case(host.strip_suffix(port).unwrap_or(host))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn passes(
        public_url: Option<&str>,
        host: &'static str,
        headers: &[(&'static str, &'static str)],
    ) -> bool {
        let mut map = HeaderMap::new();
        map.insert(header::HOST, HeaderValue::from_static(host));
        for (name, value) in headers {
            map.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        OwnOrigin::new(public_url).is_origin_of(&map)
    }

    #[test]
    fn windows_own_document_passes() {
        for (headers, host) in [
            (
                vec![
                    ("sec-fetch-site", "same-origin"),
                    ("origin", "https://voight.example"),
                ],
                "voight.example",
            ),
            (
                vec![("origin", "https://voight.example")],
                "voight.example:443",
            ),
            (vec![("origin", "http://127.0.0.1:8080")], "127.0.0.1:8080"),
            (vec![], "voight.example"),
        ] {
            assert!(passes(None, host, &headers), "{headers:?}");
        }
    }

    #[test]
    fn every_other_page_is_rejected() {
        for headers in [
            vec![("sec-fetch-site", "cross-site")],
            vec![
                ("sec-fetch-site", "same-site"),
                ("origin", "https://voight.example"),
            ],
            vec![("sec-fetch-site", "none")],
            vec![
                ("sec-fetch-site", "same-origin"),
                ("origin", "https://quest.example"),
            ],
            vec![("origin", "https://voight.example:8443")],
            vec![("origin", "null")],
            vec![("origin", "https://")],
            vec![
                ("origin", "https://voight.example"),
                ("origin", "https://quest.example"),
            ],
        ] {
            for public in [None, Some("https://voight.example/")] {
                assert!(
                    !passes(public, "voight.example", &headers),
                    "{public:?} {headers:?}"
                );
            }
        }
    }

    #[test]
    fn public_url_allows_only_its_origin() {
        let public = Some("https://Public.example:443/");
        for host in ["public.example", "127.0.0.1:8080", "evil.example"] {
            assert!(
                passes(public, host, &[("origin", "https://public.example")]),
                "{host}"
            );
            assert!(passes(public, host, &[]), "{host}");
        }
        for (origin, host) in [
            ("https://evil.example", "evil.example"),
            ("http://evil.example", "evil.example:80"),
            ("http://public.example", "public.example"),
            ("https://public.example:8443", "public.example:8443"),
        ] {
            let page = [("sec-fetch-site", "same-origin"), ("origin", origin)];
            assert!(!passes(public, host, &page), "{origin}");
        }
        assert!(!passes(
            Some("not a URL"),
            "evil.example",
            &[("origin", "https://evil.example")]
        ));
    }
}
