//! Determines the caller's IP address behind trusted proxies.

use crate::error::ApiError;
use crate::limits::Network;
use crate::log_span::LogSpan;
use crate::settings::{ForwardingHeader, HttpSettings};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderMap, HeaderName};
use actix_web::{FromRequest, HttpRequest};
use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

const FORWARDING_HEADERS: [HeaderName; 2] = [header::X_FORWARDED_FOR, header::FORWARDED];

/// IP address of the caller: the peer, or behind trusted proxies the rightmost hop that is not a trusted proxy. The caller
/// controls the hops to the left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientIp(pub IpAddr);

impl ClientIp {
    /// Determines the IP address of the caller of `request`.
    pub(crate) fn from_http_request(
        request: &HttpRequest,
        state: &AppState,
        span: LogSpan<'_>,
    ) -> Self {
        // All requests without a peer address (on a Unix socket) count as one network.
        let peer = request
            .peer_addr()
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| {
                peer.ip().to_canonical()
            });
        if state.settings.trusts(peer) {
            return Self(forwarded(peer, request.headers(), &state.settings));
        }
        if FORWARDING_HEADERS
            .iter()
            .any(|name| request.headers().contains_key(name))
        {
            span.in_scope(|| state.note_untrusted_forwarder(peer));
        }
        Self(peer)
    }

    /// Returns the network by which the caller is limited.
    pub fn network(self) -> Network {
        self.0.into()
    }
}

impl FromRequest for ClientIp {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = AppState::from_http_request(request);
        ready(state.map(|state| Self::from_http_request(request, state, LogSpan::Current)))
    }
}

/// Follows the hops from right to left while they are trusted. At a hop that cannot be parsed, returns the proxy that wrote it.
fn forwarded(peer: IpAddr, headers: &HeaderMap, settings: &HttpSettings) -> IpAddr {
    let mut client_ip = peer;
    for hop in all_hops(headers, settings.forwarding_header)
        .into_iter()
        .rev()
    {
        let Some(ip) = hop else { return client_ip };
        client_ip = ip;
        if !settings.trusts(ip) {
            return client_ip;
        }
    }
    client_ip
}

/// Hop of a forwarding header; `None` if it is not an address.
pub type Hop = Option<IpAddr>;

/// Returns the hops of all lines of a forwarding header, leftmost first.
fn all_hops(headers: &HeaderMap, header: ForwardingHeader) -> Vec<Hop> {
    let name = match header {
        ForwardingHeader::XForwardedFor => header::X_FORWARDED_FOR,
        ForwardingHeader::Forwarded => header::FORWARDED,
    };
    headers
        .get_all(name)
        .flat_map(|line| hops(line.as_bytes(), header))
        .collect()
}

/// Returns the hops of one line of a forwarding header, leftmost first. The part that a proxy appended after a comma is always
/// the last hop, regardless of the caller's part.
pub fn hops(line: &[u8], header: ForwardingHeader) -> Vec<Hop> {
    // Decoded lossily, because invalid bytes may be the caller's part of the line to which the proxy appended.
    let line = String::from_utf8_lossy(line);
    match header {
        ForwardingHeader::XForwardedFor => {
            line.split(',').map(|element| hop(element.trim())).collect()
        }
        ForwardingHeader::Forwarded => unquoted(&line, ',')
            .into_iter()
            .map(forwarded_element)
            .collect(),
    }
}

/// Splits `text` at separators outside of quotes. Quotes are paired from the right, where the trusted proxy wrote, so that a
/// quote that the caller did not close hides nothing.
fn unquoted(text: &str, separator: char) -> Vec<&str> {
    let mut is_quoted = false;
    let mut parts: Vec<_> = text
        .rsplit(|c| {
            is_quoted ^= c == '"';
            c == separator && !is_quoted
        })
        .collect();
    parts.reverse();
    parts
}

/// Parses an address with or without a port.
fn hop(text: &str) -> Hop {
    let bracketed_ip = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let ip: IpAddr = text.parse().ok().or_else(with_port).or_else(bracketed_ip)?;
    Some(ip.to_canonical())
}

/// Parses the `for` of one element of `Forwarded`, for example `for="[2001:db8::1]:4711";proto=https`. An element with an
/// escaped character is rejected: no address needs one, and it could change the end of a quoted string.
fn forwarded_element(element: &str) -> Hop {
    let mut pairs = unquoted(element, ';')
        .into_iter()
        .filter_map(|pair| pair.split_once('='));
    let (_, node) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    if element.contains('\\') {
        None
    } else {
        hop(node.trim().trim_matches('"'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;
    use actix_web::test::TestRequest;

    fn resolve_text(trusted: &[&str], header: ForwardingHeader, lines: &[(&str, &str)]) -> String {
        let settings = HttpSettings {
            trusted_proxies: trusted
                .iter()
                .map(|network| network.parse().unwrap())
                .collect(),
            forwarding_header: header,
            ..HttpSettings::default()
        };
        let with = |request: TestRequest, (name, value): &(&str, &str)| {
            request.append_header((*name, HeaderValue::from_bytes(value.as_bytes()).unwrap()))
        };
        let request = lines
            .iter()
            .fold(TestRequest::default(), with)
            .to_http_request();
        let peer = "10.0.0.1".parse().unwrap();
        forwarded(peer, request.headers(), &settings).to_string()
    }

    fn through(line: &str) -> String {
        resolve_text(
            &["10.0.0.0/8"],
            ForwardingHeader::XForwardedFor,
            &[("X-Forwarded-For", line)],
        )
    }

    #[test]
    fn rightmost_untrusted_hop_counts() {
        assert_eq!(through("198.51.100.7, 203.0.113.9"), "203.0.113.9");
        assert_eq!(
            through("198.51.100.7, 203.0.113.9, 10.1.1.1"),
            "203.0.113.9"
        );
        assert_eq!(through("203.0.113.9:4711"), "203.0.113.9");
        assert_eq!(through("[2001:db8::1]:4711"), "2001:db8::1");
    }

    #[test]
    fn hop_that_cannot_be_read_ends_the_walk() {
        assert_eq!(through("203.0.113.9, unknown"), "10.0.0.1");
        assert_eq!(through("203.0.113.9, unknown, 10.2.2.2"), "10.2.2.2");
        assert_eq!(through(""), "10.0.0.1");
    }

    #[test]
    fn forged_forwarded_header_does_not_hide_a_hop() {
        assert_eq!(through("\u{e4}, 203.0.113.9"), "203.0.113.9");
        assert_eq!(through("unknown, 203.0.113.9"), "203.0.113.9");
    }

    #[test]
    fn all_hops_trusted_is_the_leftmost() {
        assert_eq!(through("10.9.9.9, 10.1.1.1"), "10.9.9.9");
    }

    #[test]
    fn repeated_lines_are_one_list() {
        let lines = [
            ("X-Forwarded-For", "203.0.113.9"),
            ("X-Forwarded-For", "10.1.1.1"),
        ];
        assert_eq!(
            resolve_text(&["10.0.0.0/8"], ForwardingHeader::XForwardedFor, &lines),
            "203.0.113.9"
        );
    }

    #[test]
    fn only_the_chosen_header_is_read() {
        let lines = [
            ("X-Forwarded-For", "198.51.100.7"),
            (
                "Forwarded",
                r#"for="[2001:db8::9]:1";proto=https, for=10.3.3.3"#,
            ),
        ];
        assert_eq!(
            resolve_text(&["10.0.0.0/8"], ForwardingHeader::Forwarded, &lines),
            "2001:db8::9"
        );
        assert_eq!(
            resolve_text(&["10.0.0.0/8"], ForwardingHeader::XForwardedFor, &lines),
            "198.51.100.7"
        );
    }

    #[test]
    fn quoted_text_is_no_hop() {
        let through = |line| {
            resolve_text(
                &["10.0.0.0/8"],
                ForwardingHeader::Forwarded,
                &[("Forwarded", line)],
            )
        };
        for line in [
            r#"for=203.0.113.9;host="a,for=198.51.100.7""#,
            r#"host="a;for=198.51.100.7";for=203.0.113.9"#,
            // A quote that the caller did not close ends where the proxy's part begins.
            r#"for="198.51.100.7, for=203.0.113.9"#,
        ] {
            assert_eq!(through(line), "203.0.113.9", "{line}");
        }
        for line in [
            r#"for=203.0.113.9;host="\",for=198.51.100.7""#,
            r#"for=203.0.113.9;host="a,\",for=198.51.100.7""#,
            r#"host="\";for=198.51.100.7";for=203.0.113.9"#,
        ] {
            assert_eq!(through(line), "10.0.0.1", "{line}");
        }
    }
}
