//! The demo platform's backend: a customer of the service like any other, with a live key and nothing but the public API.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::sync::Arc;
use voight_domain::ApiKey;

/// A platform that holds an API key.
#[derive(Clone)]
pub(super) struct Platform {
    base_url: String,
    key: Arc<ApiKey>,
    agent: ureq::Agent,
}

/// What the backend asked, and what it was answered.
#[derive(Debug, Serialize)]
pub(super) struct Reading {
    /// The request line.
    request: String,
    /// The HTTP status.
    status: u16,
    /// The body, byte for byte.
    body: Box<RawValue>,
}

impl Platform {
    /// A platform that calls the service at `base_url` with `key`.
    pub(super) fn new(base_url: String, key: ApiKey) -> Self {
        // An error of the API is an answer that the page should show, not a failure of the call.
        // The key goes to the service on this machine and to no proxy of the environment.
        let agent = ureq::Agent::config_builder().http_status_as_error(false).proxy(None).build().into();
        Self { base_url, key: Arc::new(key), agent }
    }

    /// Registers a context and returns its id.
    pub(super) fn register(&self, title: &str) -> Result<String, String> {
        let mut response = self
            .agent
            .post(format!("{}/api/v1/register/context_id", self.base_url))
            .header("x-api-key", self.key.expose())
            .send_json(json!({ "context_title": title }))
            .map_err(|error| format!("the service did not take the registration: {error}"))?;
        let body: Value = response.body_mut().read_json().map_err(|error| error.to_string())?;
        match body["data"]["context_id"].as_str() {
            Some(id) => Ok(id.to_owned()),
            None => Err(format!("the service refused the registration: {body}")),
        }
    }

    /// Asks for the verdict on an address.
    pub(super) fn verdict(&self, context: &str, address: &str) -> Result<Reading, String> {
        self.ask(context, address).map_err(|error| format!("the service did not answer: {error}"))
    }

    fn ask(&self, context: &str, address: &str) -> Result<Reading, ureq::Error> {
        let path = "/api/v1/users/eoa";
        let mut response = self
            .agent
            .get(format!("{}{path}", self.base_url))
            .query("eoa_address", address)
            .query("context_id", context)
            .header("x-api-key", self.key.expose())
            .call()?;
        Ok(Reading {
            request: format!("GET {path}?eoa_address={address}&context_id={context}"),
            status: response.status().as_u16(),
            body: response.body_mut().read_json()?,
        })
    }
}
