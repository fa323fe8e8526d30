//! Request metadata that the server itself observes in a call from the window.

use actix_web::http::header::HeaderMap;
use std::net::IpAddr;
use voight_domain::check::{AddressFamily, RequestMetadata};
use voight_domain::secrets::NetworkHash;

/// Headers with information about the browser, in the order in which they are stored. The order of arrival is unknown: actix
/// does not preserve it across header names.
const RECORDED_HEADERS: [&str; 25] = [
    "accept",
    "accept-encoding",
    "accept-language",
    "connection",
    "content-type",
    "dnt",
    "origin",
    "priority",
    "sec-ch-ua",
    "sec-ch-ua-arch",
    "sec-ch-ua-bitness",
    "sec-ch-ua-full-version",
    "sec-ch-ua-full-version-list",
    "sec-ch-ua-mobile",
    "sec-ch-ua-model",
    "sec-ch-ua-platform",
    "sec-ch-ua-platform-version",
    "sec-fetch-dest",
    "sec-fetch-mode",
    "sec-fetch-site",
    "sec-fetch-storage-access",
    "sec-fetch-user",
    "sec-gpc",
    "te",
    "user-agent",
];

/// Header that is stored without its value: it is the window's own address and contains context and origin.
const PRESENT_ONLY: &str = "referer";

/// Maximum length of a stored value in bytes; no browser sends a longer value of these headers.
const MAX_HEADER_VALUE: usize = 512;

/// Returns the names of the stored headers.
pub(super) fn recorded_headers() -> impl Iterator<Item = &'static str> {
    RECORDED_HEADERS.into_iter()
}

/// Returns the metadata of a call with these headers.
pub(crate) fn request_metadata(
    headers: &HeaderMap,
    ip: IpAddr,
    network: NetworkHash,
) -> RequestMetadata {
    let telling = RECORDED_HEADERS.iter().flat_map(|name| {
        let values = headers.get_all(*name);
        values.map(|value| ((*name).to_owned(), header_text(value.as_bytes())))
    });
    let referer = headers
        .contains_key(PRESENT_ONLY)
        .then(|| (PRESENT_ONLY.to_owned(), String::new()));
    RequestMetadata {
        headers: telling.chain(referer).collect(),
        network,
        family: family(ip),
    }
}

/// Converts a value to text, truncated to a length that no browser exceeds.
fn header_text(value: &[u8]) -> String {
    String::from_utf8_lossy(&value[..value.len().min(MAX_HEADER_VALUE)]).into_owned()
}

fn family(ip: IpAddr) -> AddressFamily {
    match ip.to_canonical() {
        IpAddr::V4(_) => AddressFamily::V4,
        IpAddr::V6(_) => AddressFamily::V6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};

    fn facts(headers: &[(&'static str, &[u8])], ip: &str) -> RequestMetadata {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                HeaderName::from_static(name),
                HeaderValue::from_bytes(value).unwrap(),
            );
        }
        request_metadata(&map, ip.parse().unwrap(), NetworkHash([0; 16]))
    }

    #[test]
    fn telling_headers_are_kept_and_secrets_are_not() {
        let headers: [(_, &[u8]); 6] = [
            ("user-agent", b"Mozilla/5.0"),
            ("cookie", b"session=1"),
            ("x-voight-challenge", b"token"),
            ("sec-fetch-site", b"same-origin"),
            ("x-forwarded-for", b"192.0.2.1"),
            ("referer", b"https://voight.example/window/v1?context=a"),
        ];
        let headers_kept = facts(&headers, "192.0.2.1").headers;
        let kept_pairs = [
            ("sec-fetch-site", "same-origin"),
            ("user-agent", "Mozilla/5.0"),
            ("referer", ""),
        ];
        assert_eq!(
            headers_kept,
            kept_pairs.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }

    #[test]
    fn header_values_are_truncated() {
        let long = [b'x'; 600];
        let headers_kept = facts(&[("te", &long), ("dnt", b"\xff1"), ("dnt", b"0")], "::1").headers;
        let values: Vec<_> = headers_kept
            .iter()
            .map(|(_, value)| value.as_str())
            .collect();
        assert_eq!(values, ["\u{fffd}1", "0", &"x".repeat(MAX_HEADER_VALUE)]);
    }

    #[test]
    fn ipv4_address_written_as_ipv6_is_ipv4() {
        for (ip, family) in [
            ("192.0.2.1", AddressFamily::V4),
            ("::ffff:192.0.2.1", AddressFamily::V4),
            ("2001:db8::1", AddressFamily::V6),
        ] {
            assert_eq!(facts(&[], ip).family, family, "{ip}");
        }
    }
}
