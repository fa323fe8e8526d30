//! Small HTTP client.

use serde_json::Value;

/// Error of a key that is unknown, revoked or expired: status and id.
///
/// Platforms rely on the ids of errors. The tests state them instead of reading them from the service.
pub const INVALID_KEY: (u16, &str) = (401, "m_a_k_1");
/// Error of a context that does not exist or belongs to another key: status and id.
pub const UNKNOWN_CONTEXT: (u16, &str) = (401, "m_a_c_1");
/// Error of a lookup beyond the cap: status and id.
pub const QUOTA_EXCEEDED: (u16, &str) = (402, "m_b_q_1");

/// Complete response.
#[derive(Debug, Clone)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Headers in their order, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: String,
}

impl Response {
    /// Returns the first header of this name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Parses the body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {}", self.body))
    }

    /// Asserts that this is the error with a status and an id.
    #[track_caller]
    pub fn assert_error(&self, (status, id): (u16, &str)) {
        assert_eq!(
            (self.status, self.error_id().as_str()),
            (status, id),
            "{}",
            self.body
        );
    }

    /// Returns `error.id` of the error envelope.
    pub fn error_id(&self) -> String {
        self.json()["error"]["id"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

/// Creates a client that returns every status as a response.
pub fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .timeout_global(Some(std::time::Duration::from_secs(30)))
        .build()
        .into()
}

/// Sends a GET request with headers.
pub fn get(
    agent: &ureq::Agent,
    url: &str,
    headers: &[(&str, &str)],
) -> Result<Response, ureq::Error> {
    let mut request = agent.get(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    read(request.call()?)
}

/// Sends a POST request with headers and a body.
pub fn post(
    agent: &ureq::Agent,
    url: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Result<Response, ureq::Error> {
    send(agent.post(url), headers, body)
}

/// Sends a PUT request with headers and a body.
pub fn put(
    agent: &ureq::Agent,
    url: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Result<Response, ureq::Error> {
    send(agent.put(url), headers, body)
}

fn send(
    mut request: ureq::RequestBuilder<ureq::typestate::WithBody>,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Result<Response, ureq::Error> {
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    read(request.send(body)?)
}

fn read(mut response: ureq::http::Response<ureq::Body>) -> Result<Response, ureq::Error> {
    let headers = response
        .headers()
        .iter()
        .map(|(name, value)| {
            (
                name.as_str().to_owned(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        })
        .collect();
    Ok(Response {
        status: response.status().as_u16(),
        headers,
        body: response.body_mut().read_to_string()?,
    })
}
