//! Port of outbound connections: the only way to call a program outside of the service.

use crate::outbound::{RetryAfter, TargetError, TargetUrl};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;

/// Method of an outbound request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutboundMethod {
    /// `GET`.
    Get,
    /// `POST`.
    Post,
}

/// Outbound request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboundRequest {
    /// The method.
    pub method: OutboundMethod,
    /// The target. Its port and its addresses are verified again at each attempt.
    pub target: TargetUrl,
    /// Headers beside those of the connection (`Host`, `Content-Length`, `Connection`, `User-Agent` and the like), which
    /// the adapter sets.
    pub headers: Vec<(String, String)>,
    /// The body, shared by repeated attempts.
    pub body: Arc<[u8]>,
    /// Maximum size of the body of the response that is read, in bytes.
    pub max_response_bytes: usize,
}

/// Response of a receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboundResponse {
    /// The status, of a redirect too: no redirect is followed.
    pub status: u16,
    /// The value of `Retry-After`, if it has one that can be parsed.
    pub retry_after: Option<RetryAfter>,
    /// The start of the body.
    pub body: Vec<u8>,
    /// `true` if the body is longer than [`OutboundRequest::max_response_bytes`]. The rest was not received.
    pub is_truncated: bool,
}

/// Error of an outbound request. The receiver may have acted on the request, unless
/// [`is_unsent`](Self::is_unsent) says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutboundError {
    /// The operator has not enabled outbound connections.
    #[error(
        "outbound connections are disabled; an operator enables them by outbound.enabled = true"
    )]
    Disabled,
    /// The target is not permitted, or one of its addresses is not.
    #[error("{0}")]
    Target(#[from] TargetError),
    /// A header of the request is malformed, or is one that the adapter sets.
    #[error("the header {0} of the request is malformed, or is set by the service; leave it out")]
    Header(String),
    /// Too many calls are under way, in all or to this host.
    #[error("too many calls are under way, in all or to this host; try again later")]
    Busy,
    /// The name could not be resolved.
    #[error(
        "the host of the URL could not be resolved ({0}); correct the name, or its entry in DNS"
    )]
    Resolve(String),
    /// No connection was established in time.
    #[error("no connection was established within {} ms; open the port to this service", .0.as_millis())]
    ConnectTimeout(Duration),
    /// The connection was rejected.
    #[error("the connection failed ({0}); start the receiver, or correct the port")]
    Connect(String),
    /// The proxy rejected the connection, or did not answer as a proxy does.
    #[error("the proxy of the operator did not connect ({0})")]
    Proxy(String),
    /// TLS could not be established.
    #[error("TLS failed ({0}); use a certificate of a public authority for the host of the URL")]
    Tls(String),
    /// The response was not complete in time.
    #[error("the response was not complete within {} ms; answer first, and process the request afterwards", .0.as_millis())]
    Timeout(Duration),
    /// The head of the response is too large.
    #[error(
        "the head of the response is larger than {limit} bytes, or has more than {headers} headers; send fewer"
    )]
    TooLarge {
        /// Maximum size of the head in bytes.
        limit: usize,
        /// Maximum number of headers.
        headers: usize,
    },
    /// The response is not HTTP, or ends too early.
    #[error("the response is not complete HTTP/1.1 ({0}); correct the receiver")]
    BrokenResponse(String),
}

impl OutboundError {
    /// Returns `true` if the receiver has not received any part of the request.
    pub const fn is_unsent(&self) -> bool {
        match self {
            Self::Disabled
            | Self::Target(_)
            | Self::Header(_)
            | Self::Busy
            | Self::Resolve(_)
            | Self::ConnectTimeout(_)
            | Self::Connect(_)
            | Self::Proxy(_)
            | Self::Tls(_) => true,
            Self::Timeout(_) | Self::TooLarge { .. } | Self::BrokenResponse(_) => false,
        }
    }
}

/// Outbound connections.
#[async_trait]
pub trait Outbound: Send + Sync {
    /// Returns the maximum number of calls under way; 0 if the operator has not enabled outbound connections.
    fn max_calls(&self) -> usize;

    /// Parses the URL of a target, and verifies its port and, if its host is an IP address, that address.
    ///
    /// For settings that a platform enters, so that an error is visible at once. [`send`](Self::send) verifies them again.
    fn parse_target(&self, url: &str) -> Result<TargetUrl, OutboundError>;

    /// Sends a request, and returns the response of the receiver.
    ///
    /// - Every address of the host is verified by [`OutboundPolicy`](crate::outbound::OutboundPolicy) before the
    ///   connection is opened, at each attempt anew. One blocked address rejects the attempt. The connection is opened to
    ///   a verified address. (With a proxy, only hosts that are IP addresses are verified: the proxy resolves names.)
    /// - No redirect is followed, no attempt is repeated, and no connection is used for a second request.
    /// - The number of calls under way, the time and the memory of each are bounded, whatever the receiver sends.
    /// - Dropping the future closes the connection.
    async fn send(&self, request: &OutboundRequest) -> Result<OutboundResponse, OutboundError>;
}

/// Outbound connections of a service whose operator has not enabled them: every call is [`OutboundError::Disabled`].
#[derive(Debug, Clone, Copy, Default)]
pub struct DisabledOutbound;

#[async_trait]
impl Outbound for DisabledOutbound {
    fn max_calls(&self) -> usize {
        0
    }

    fn parse_target(&self, _: &str) -> Result<TargetUrl, OutboundError> {
        Err(OutboundError::Disabled)
    }

    async fn send(&self, _: &OutboundRequest) -> Result<OutboundResponse, OutboundError> {
        Err(OutboundError::Disabled)
    }
}
