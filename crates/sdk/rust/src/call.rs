//! Requests to the service, repeated until one succeeds or the timeout expires.

use std::collections::HashMap;
use std::time::Duration;

use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};
use uuid::Uuid;

use crate::generated::{ERRORS, Operation, Retry};
use crate::{Client, Error, options};

/// Timeout of one attempt.
pub(crate) const ATTEMPT: Duration = Duration::from_secs(4);
/// Timeout of one transfer of a file. An upload of a million addresses has some 45 MB.
pub(crate) const TRANSFER: Duration = Duration::from_mins(2);
/// First pause between two attempts; each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Statuses that are worth a retry if the response has no code of the error table, such as one of a proxy.
const TEMPORARY: [u16; 5] = [408, 429, 502, 503, 504];
/// Statuses with which a request is rejected before it is applied.
const REJECTED: [u16; 2] = [408, 429];
const OLDER: &str = "the service is older than this SDK. Upgrade the service.";

/// Request of an operation, for all attempts.
pub(crate) struct Request<'a> {
    pub(crate) operation: Operation,
    /// Path with its parameters.
    pub(crate) path: String,
    pub(crate) query: Vec<(&'a str, String)>,
    pub(crate) body: Option<(Vec<u8>, &'static str)>,
    pub(crate) idempotency_key: Option<String>,
    pub(crate) has_key: bool,
}

impl Request<'_> {
    /// Returns a request without parameters and body.
    pub(crate) fn new(operation: Operation) -> Self {
        let path = operation.path.to_owned();
        Self {
            operation,
            path,
            query: Vec::new(),
            body: None,
            idempotency_key: None,
            has_key: true,
        }
    }

    /// Returns a request with a JSON body.
    pub(crate) fn json(operation: Operation, body: &impl serde::Serialize) -> Result<Self, Error> {
        let body = serde_json::to_vec(body)
            .map_err(|_| Error::invalid("body", "a value that has a form in JSON"))?;
        Ok(Self {
            body: Some((body, "application/json")),
            ..Self::new(operation)
        })
    }

    /// Returns the request with an idempotency key: the given one, or a new one.
    pub(crate) fn idempotent(self, key: String) -> Self {
        Self {
            idempotency_key: Some(key),
            ..self
        }
    }
}

/// Timeout of a call, for all attempts together.
#[derive(Clone, Copy)]
pub(crate) struct Deadline {
    end: Instant,
    attempt: Duration,
}

impl Deadline {
    pub(crate) fn new(timeout: Duration, attempt: Duration) -> Self {
        Self {
            end: Instant::now() + timeout,
            attempt,
        }
    }

    /// Returns `true` if a pause ends before the deadline.
    pub(crate) fn allows(self, pause: Duration) -> bool {
        Instant::now() + pause < self.end
    }
}

/// Response with its complete body.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    fn json(&self) -> Option<Value> {
        let is_json = self.header("content-type").starts_with("application/json");
        is_json
            .then(|| serde_json::from_slice(&self.body).ok())
            .flatten()
    }

    fn error(&self, code: &str, message: String) -> Error {
        let request_id = self.header("x-request-id").to_owned();
        Error {
            status: self.status,
            request_id,
            ..Error::new(code, message)
        }
    }

    /// Returns the error of a response that Voight never sends.
    pub(crate) fn unexpected(&self, action: &str) -> Error {
        let message = format!(
            "The server at base_url {action}, which Voight never does. Is base_url the origin of the service?"
        );
        self.error("bad_answer", message)
    }

    /// Decodes `data` of the response after a check of its required members.
    pub(crate) fn data<T: DeserializeOwned>(&self, operation: Operation) -> Result<T, Error> {
        let unexpected_body = || self.unexpected("sends another body");
        let mut body = self.json().ok_or_else(unexpected_body)?;
        let data = match body.get_mut("data") {
            Some(data) => data.take(),
            // The key set has no envelope.
            None if operation.required.is_empty() => body,
            None => return Err(unexpected_body()),
        };
        let members = data.as_object().ok_or_else(unexpected_body)?;
        if let Some(missing) = operation
            .required
            .iter()
            .find(|member| !members.contains_key(**member))
        {
            let message = format!(
                "The answer to {} {} has no `{missing}`: {OLDER}",
                operation.method, operation.path
            );
            return Err(self.error("incompatible", message));
        }
        serde_json::from_value(data).map_err(|_| unexpected_body())
    }
}

impl Client {
    /// Sends a request, and repeats it after temporary errors until the deadline: under one idempotency key if the operation accepts
    /// one, and otherwise only if a repetition changes nothing, or if the request was certainly not applied.
    pub(crate) async fn perform(
        &self,
        request: &Request<'_>,
        deadline: Deadline,
    ) -> Result<Reply, Error> {
        let retry = request.operation.retry;
        let given_key = request.idempotency_key.as_deref();
        let key = match (retry, given_key) {
            (Retry::WithKey, _) | (_, Some(_)) => Some(options::idempotency_key(given_key)?),
            _ => None,
        };
        let mut pause = FIRST_PAUSE.mul_f64(1.0 + f64::from(Uuid::new_v4().as_bytes()[0]) / 256.0);
        loop {
            let (error, is_temporary, is_unapplied) =
                match self.attempt(request, key.as_deref(), deadline).await {
                    Ok(reply) => match self.error_of(request.operation, &reply) {
                        None => return Ok(reply),
                        Some(error) => {
                            let is_temporary = is_temporary(&error.code, &error.id, error.status);
                            (error, is_temporary, REJECTED.contains(&reply.status))
                        }
                    },
                    Err(NoReply {
                        cause,
                        is_connected,
                    }) => (self.unreachable(&cause), true, !is_connected),
                };
            if retry == Retry::IfUnapplied && error.retryable && !is_unapplied {
                return Err(uncertain(error));
            }
            let delay = pause.max(Duration::from_secs_f64(
                error.retry_after.unwrap_or_default(),
            ));
            if !is_temporary || !deadline.allows(delay) {
                return Err(error);
            }
            sleep(delay).await;
            pause *= 2;
        }
    }

    /// Makes one attempt.
    async fn attempt(
        &self,
        request: &Request<'_>,
        key: Option<&str>,
        deadline: Deadline,
    ) -> Result<Reply, NoReply> {
        let end = deadline.end.min(Instant::now() + deadline.attempt);
        match timeout_at(end, self.send(request, key)).await {
            Ok(reply) => reply.map_err(|error| NoReply {
                is_connected: !error.is_connect(),
                cause: kind_of(error),
            }),
            Err(_) => Err(NoReply {
                cause: "timeout".to_owned(),
                is_connected: true,
            }),
        }
    }

    async fn send(
        &self,
        request: &Request<'_>,
        key: Option<&str>,
    ) -> Result<Reply, reqwest::Error> {
        let method = Method::from_bytes(request.operation.method.as_bytes()).unwrap_or_default();
        let mut url = self.base_url.clone();
        url.set_path(&request.path);
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        let mut builder = self.http.request(method, url);
        if request.has_key {
            builder = builder.header("x-api-key", self.api_key.clone());
        }
        if let Some(key) = key {
            builder = builder.header("idempotency-key", key);
        }
        if let Some((body, content_type)) = &request.body {
            builder = builder
                .header(CONTENT_TYPE, HeaderValue::from_static(content_type))
                .body(body.clone());
        }
        let response = builder.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Reply {
            status,
            headers,
            body: response.bytes().await?.to_vec(),
        })
    }

    fn unreachable(&self, cause: &str) -> Error {
        let message = format!(
            "The service does not respond at {} ({cause}). Is it running, and can this backend reach it?",
            self.origin()
        );
        Error {
            retryable: true,
            ..Error::new("unreachable", message)
        }
    }

    /// Returns the error of a response; `None` for a success.
    fn error_of(&self, operation: Operation, reply: &Reply) -> Option<Error> {
        let status = reply.status;
        if status == 200 {
            return None;
        }
        if (300..400).contains(&status) {
            return Some(reply.unexpected("redirects to another address"));
        }
        let retry_after = reply
            .header("retry-after")
            .parse()
            .ok()
            .filter(|seconds| (0.001..1e9).contains(seconds));
        let body = reply.json().unwrap_or_default();
        let api = &body["error"];
        let text = |member: &str| api[member].as_str().unwrap_or_default().to_owned();
        let Some(code) = api["code"].as_str().map(str::to_lowercase) else {
            if !TEMPORARY.contains(&status) && status < 500 {
                return Some(reply.unexpected(&format!("responds with {status} without JSON")));
            }
            let message = format!(
                "The service, or a proxy in front of it, responds with {status}. Try again later."
            );
            return Some(Error {
                retryable: true,
                retry_after,
                ..reply.error("unavailable", message)
            });
        };
        if code == "not_found" && !operation.path.contains('{') {
            let (method, path) = (operation.method, operation.path);
            let message = format!(
                "The service at {} has no {method} {path}: {OLDER}",
                self.origin()
            );
            return Some(Error {
                id: text("id"),
                ..reply.error("incompatible", message)
            });
        }
        Some(Error {
            id: text("id"),
            retryable: is_temporary(&code, &text("id"), status) || status >= 500,
            retry_after,
            remaining: api["remaining"].as_u64(),
            ..reply.error(&code, text("message"))
        })
    }

    /// Performs a request and decodes `data` of the response.
    pub(crate) async fn data<T: DeserializeOwned>(
        &self,
        request: &Request<'_>,
        deadline: Deadline,
    ) -> Result<T, Error> {
        self.perform(request, deadline)
            .await?
            .data(request.operation)
    }
}

/// Attempt without a complete response.
struct NoReply {
    cause: String,
    /// `false` if no connection was established.
    is_connected: bool,
}

/// Returns the error of a change that is not repeated, because it may have been applied.
fn uncertain(error: Error) -> Error {
    let message = format!(
        "{} The change may have been applied: read the state before you repeat the call.",
        error.message
    );
    Error {
        message,
        retryable: false,
        ..error
    }
}

/// Returns `true` if a retry may succeed: by the error table, or by the status for a proxy and for a code that the table does not
/// have.
fn is_temporary(code: &str, id: &str, status: u16) -> bool {
    let known_error = ERRORS
        .iter()
        .find(|(_, known, _)| *known == code && !id.is_empty());
    known_error.map_or_else(
        || TEMPORARY.contains(&status),
        |(_, _, is_retryable)| *is_retryable,
    )
}

/// Returns the innermost cause of a failed attempt, without the URL, which may have an address.
fn kind_of(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Returns the path of an operation with its parameters, percent-encoded.
pub(crate) fn fill(
    operation: Operation,
    parameters: &HashMap<&str, &str>,
) -> Result<String, Error> {
    let invalid = || Error::invalid("path", "the parameters of the path");
    let mut path = operation.path.to_owned();
    for (name, value) in parameters {
        let placeholder = format!("{{{name}}}");
        if value.is_empty() || !path.contains(&placeholder) {
            return Err(invalid());
        }
        path = path.replace(&placeholder, &encode(value));
    }
    if path.contains('{') {
        Err(invalid())
    } else {
        Ok(path)
    }
}

fn encode(value: &str) -> String {
    let encoded_bytes = value.bytes().map(|byte| match byte {
        b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    });
    encoded_bytes.collect()
}
