//! Parsers of public API requests, except for the key.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::str::from_utf8;
use voight_api::admin::ContextPatch;
use voight_http::extract::{hops, parse_json, parse_query};
use voight_http::{ApiError, ForwardingHeader};

/// Hop that the trusted proxy appends.
const ADDED: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 7));

/// Asserts that an error is the caller's fault with one short message; returns `false`.
fn rejected(error: &ApiError) -> bool {
    assert_eq!(error.id().row().status, 400);
    let message = error.message();
    assert!(
        message.chars().count() <= 400 && !message.contains(char::is_control),
        "not a short line: {message:?}"
    );
    false
}

/// Parses a JSON body: a change of a context, which has members of every type in the API.
pub fn json(bytes: &[u8]) -> bool {
    let change: ContextPatch = match parse_json(bytes) {
        Ok(change) => change,
        Err(error) => return rejected(&error),
    };
    let json_text = serde_json::to_string(&change).unwrap_or_default();
    let parsed_again: Result<ContextPatch, _> = parse_json(json_text.as_bytes());
    let parsed_again = parsed_again
        .unwrap_or_else(|error| panic!("formatted settings are rejected: {error}: {json_text}"));
    assert_eq!(
        serde_json::to_string(&parsed_again).unwrap_or_default(),
        json_text
    );
    true
}

/// Parses a query string.
pub fn query(bytes: &[u8]) -> bool {
    let Ok(text) = from_utf8(bytes) else {
        return false;
    };
    let pairs: BTreeMap<String, String> = match parse_query(text) {
        Ok(pairs) => pairs,
        Err(error) => return rejected(&error),
    };
    let percent_encode = |text: &str| {
        text.bytes().fold(String::new(), |mut out, byte| {
            write!(out, "%{byte:02x}").map_or(String::new(), |()| out)
        })
    };
    let query_parts: Vec<_> = pairs
        .iter()
        .map(|(name, value)| format!("{}={}", percent_encode(name), percent_encode(value)))
        .collect();
    assert_eq!(parse_query(&query_parts.join("&")), Ok(pairs));
    true
}

/// Parses a forwarding header to which a trusted proxy has appended: its hop must remain the last one.
pub fn forwarded(bytes: &[u8]) -> bool {
    let headers = [
        (ForwardingHeader::XForwardedFor, ""),
        (ForwardingHeader::Forwarded, "for="),
    ];
    let parsed_headers = headers.map(|(header, prefix)| {
        let longer_header = [bytes, format!(", {prefix}{ADDED}").as_bytes()].concat();
        assert_eq!(
            hops(&longer_header, header).last(),
            Some(&Some(ADDED)),
            "the caller hides the hop of the proxy"
        );
        hops(bytes, header)
    });
    parsed_headers
        .iter()
        .any(|hops| hops.iter().all(Option::is_some))
}
