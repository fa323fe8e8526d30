//! Requests in the form of the HTTP library.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{
    CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderMap, HeaderName, HeaderValue, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE, USER_AGENT,
};
use hyper::{Method, Request, Uri};
use voight_domain::outbound::TargetError;
use voight_domain::ports::{OutboundError, OutboundMethod, OutboundRequest};

/// Name and version of the service, which every receiver sees.
const PRODUCT: &str = concat!("Voight/", env!("CARGO_PKG_VERSION"));
/// Headers that a caller must not set, because they describe the connection.
const OWN_HEADERS: [HeaderName; 9] = [
    CONNECTION,
    CONTENT_LENGTH,
    EXPECT,
    HOST,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    USER_AGENT,
];

/// Creates the request for a connection of its own.
pub(crate) fn http_request(
    request: &OutboundRequest,
) -> Result<Request<Full<Bytes>>, OutboundError> {
    let target = &request.target;
    let uri: Uri = target
        .path_and_query()
        .parse()
        .map_err(|_| TargetError::Character)?;
    let mut http_request = Request::new(Full::new(Bytes::from_owner(request.body.clone())));
    *http_request.method_mut() = match request.method {
        OutboundMethod::Get => Method::GET,
        OutboundMethod::Post => Method::POST,
    };
    *http_request.uri_mut() = uri;
    let headers = http_request.headers_mut();
    insert(headers, HOST, target.authority())?;
    insert(headers, USER_AGENT, PRODUCT)?;
    insert(headers, CONNECTION, "close")?;
    for (name, value) in &request.headers {
        let header_name = HeaderName::from_bytes(name.as_bytes())
            .ok()
            .filter(|name| !OWN_HEADERS.contains(name))
            .ok_or_else(|| OutboundError::Header(name.clone()))?;
        insert(headers, header_name, value)?;
    }
    Ok(http_request)
}

/// Inserts a header.
pub(crate) fn insert(
    headers: &mut HeaderMap,
    name: HeaderName,
    value: &str,
) -> Result<(), OutboundError> {
    let value =
        HeaderValue::from_str(value).map_err(|_| OutboundError::Header(name.to_string()))?;
    headers.insert(name, value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_domain::outbound::TargetUrl;

    fn request(headers: &[(&str, &str)]) -> OutboundRequest {
        let header = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        OutboundRequest {
            method: OutboundMethod::Post,
            target: TargetUrl::parse("https://hooks.example:8443/a?b=%20").unwrap(),
            headers: headers.iter().map(header).collect(),
            body: b"{}"[..].into(),
            max_response_bytes: 10,
        }
    }

    #[test]
    fn request_has_path_host_and_headers() {
        let http_request = http_request(&request(&[("webhook-id", "1")])).unwrap();
        assert_eq!(http_request.uri().to_string(), "/a?b=%20");
        let header = |name: &str| http_request.headers()[name].to_str().unwrap();
        assert_eq!(header("host"), "hooks.example:8443");
        assert_eq!(header("webhook-id"), "1");
        assert_eq!(header("connection"), "close");
        assert_eq!(header("user-agent"), PRODUCT);
    }

    #[test]
    fn every_path_of_a_target_can_be_sent() {
        let printable: String = (' '..='~').filter(|c| !" #?\\".contains(*c)).collect();
        let target =
            TargetUrl::parse(&format!("https://hooks.example/{printable}?{printable}")).unwrap();
        let request = OutboundRequest {
            target,
            ..request(&[])
        };
        let http_request = http_request(&request).unwrap();
        assert_eq!(
            http_request.uri().to_string(),
            request.target.path_and_query()
        );
    }

    #[test]
    fn headers_of_the_connection_are_rejected() {
        for name in [
            "Host",
            "content-length",
            "Transfer-Encoding",
            "user-agent",
            "a b",
            "",
        ] {
            let error = http_request(&request(&[(name, "x")])).unwrap_err();
            assert_eq!(error, OutboundError::Header(name.to_owned()));
        }
    }

    #[test]
    fn header_values_cannot_end_the_line() {
        for value in ["a\r\nhost: b", "a\nb", "a\0b"] {
            let error = http_request(&request(&[("x-a", value)])).unwrap_err();
            assert_eq!(error, OutboundError::Header("x-a".to_owned()));
        }
    }
}
