//! One request and its response on a connection of its own.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{Builder, Connection, SendRequest};
use hyper::header::RETRY_AFTER;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::error::Error;
use std::future::Future;
use std::pin::pin;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::select;
use voight_domain::outbound::RetryAfter;
use voight_domain::ports::{OutboundError, OutboundResponse};

/// Maximum size of the head of a response, in bytes.
pub const MAX_HEAD_BYTES: usize = 16 * 1024;
/// Maximum number of headers of a response.
pub const MAX_HEADERS: usize = 100;
/// Text of the library's error for a head that exceeds its limits. Tests of both limits rely on it.
const HEAD_TOO_LARGE: &str = "message head is too large";

/// Body of a request.
pub(crate) type RequestBody = Full<Bytes>;

/// Sends a request over `stream`, and returns the response with at most `max_body_bytes` of its body.
///
/// The connection is closed afterwards: the rest of a larger body is not received.
pub(crate) async fn exchange<S>(
    stream: S,
    request: Request<RequestBody>,
    max_body_bytes: usize,
) -> Result<OutboundResponse, OutboundError>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut sender, connection) = handshake(stream).await?;
    let exchange = async {
        let response = sender
            .send_request(request)
            .await
            .map_err(|error| failure(&error))?;
        read_response(response, max_body_bytes).await
    };
    drive(connection, exchange).await
}

/// Prepares a connection for one request, with the limits of a response.
pub(crate) async fn handshake<S>(
    stream: S,
) -> Result<
    (
        SendRequest<RequestBody>,
        Connection<TokioIo<S>, RequestBody>,
    ),
    OutboundError,
>
where
    S: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let mut builder = Builder::new();
    builder
        .max_buf_size(MAX_HEAD_BYTES)
        .max_headers(MAX_HEADERS);
    builder
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|error| failure(&error))
}

/// Runs a connection for as long as `exchange` uses it.
pub(crate) async fn drive<T>(connection: impl Future, exchange: impl Future<Output = T>) -> T {
    let mut exchange = pin!(exchange);
    select! {
        biased;
        outcome = &mut exchange => outcome,
        // The connection hands its error to the exchange.
        _ = connection => exchange.await,
    }
}

async fn read_response(
    response: Response<Incoming>,
    max_body_bytes: usize,
) -> Result<OutboundResponse, OutboundError> {
    let status = response.status().as_u16();
    let retry_after = response
        .headers()
        .get(RETRY_AFTER)
        .and_then(|value| RetryAfter::parse(value.to_str().ok()?));
    let mut incoming = response.into_body();
    let mut body = Vec::new();
    while body.len() <= max_body_bytes
        && let Some(frame) = incoming.frame().await
    {
        if let Some(data) = frame.map_err(|error| failure(&error))?.data_ref() {
            let missing_bytes = (max_body_bytes + 1).saturating_sub(body.len());
            body.extend_from_slice(data.get(..missing_bytes).unwrap_or(data));
        }
    }
    let is_truncated = body.len() > max_body_bytes;
    body.truncate(max_body_bytes);
    Ok(OutboundResponse {
        status,
        retry_after,
        body,
        is_truncated,
    })
}

/// Returns the error of the HTTP library as an error of the port.
pub(crate) fn failure(error: &hyper::Error) -> OutboundError {
    // The library has a predicate for this cause in servers only.
    if error.is_parse() && error.to_string() == HEAD_TOO_LARGE {
        return OutboundError::TooLarge {
            limit: MAX_HEAD_BYTES,
            headers: MAX_HEADERS,
        };
    }
    let cause = error.source().map(|source| format!(": {source}"));
    OutboundError::BrokenResponse(format!("{error}{}", cause.unwrap_or_default()))
}
