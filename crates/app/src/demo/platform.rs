//! Backend of the demo platform. It has a live key and uses only the public API, like the backend of any platform.

use super::api_exchange::ApiExchange;
use super::claim::ClaimReport;
use serde_json::{Value, json};
use std::sync::Arc;
use voight_domain::ApiKey;

const VERIFY: &str = "/api/v1/receipts/verify";
const LOOK_UP: &str = "/api/v1/users/eoa";

/// Platform with an API key.
#[derive(Clone)]
pub(super) struct Platform {
    base_url: String,
    key: Arc<ApiKey>,
    agent: ureq::Agent,
}

impl Platform {
    /// Creates a platform that calls the service at `base_url` with `key`.
    pub(super) fn new(base_url: String, key: ApiKey) -> Self {
        // An API error is a response that the page shows, not a failure of the call. The key is sent to the service on this
        // machine and never to a proxy of the environment.
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .build()
            .into();
        Self {
            base_url,
            key: Arc::new(key),
            agent,
        }
    }

    /// Registers a context and returns its id.
    pub(super) fn register(&self, title: &str) -> Result<String, String> {
        let mut response = self
            .agent
            .post(format!("{}/api/v1/register/context_id", self.base_url))
            .header("x-api-key", self.key.expose())
            .send_json(json!({ "context_title": title }))
            .map_err(|error| format!("the service did not take the registration: {error}"))?;
        let body: Value = response
            .body_mut()
            .read_json()
            .map_err(|error| error.to_string())?;
        match body["data"]["context_id"].as_str() {
            Some(id) => Ok(id.to_owned()),
            None => Err(format!("the service refused the registration: {body}")),
        }
    }

    /// Registers a context whose checks always ask for a signature, and returns its id.
    pub(super) fn register_signed(&self, title: &str) -> Result<String, String> {
        let id = self.register(title)?;
        let response = self
            .agent
            .patch(format!("{}/api/v1/contexts/{id}", self.base_url))
            .header("x-api-key", self.key.expose())
            .send_json(json!({ "ownership_proof": "always" }))
            .map_err(|error| format!("the service did not take the setting: {error}"))?;
        if response.status().is_success() {
            Ok(id)
        } else {
            Err(format!(
                "the service refused the setting: {}",
                response.status()
            ))
        }
    }

    /// Redeems the receipt of a check, then looks up the verdict on `address`, and decides the claim.
    pub(super) fn claim(
        &self,
        context: &str,
        address: &str,
        receipt: &str,
    ) -> Result<ClaimReport, String> {
        let redemption = self.redeem(receipt).map_err(|error| unanswered(&error))?;
        ClaimReport::decide(context, address, redemption, || {
            self.verdict(context, address)
        })
    }

    /// Looks up the verdict on an address.
    pub(super) fn verdict(&self, context: &str, address: &str) -> Result<ApiExchange, String> {
        self.look_up(context, address)
            .map_err(|error| unanswered(&error))
    }

    fn redeem(&self, receipt: &str) -> Result<ApiExchange, ureq::Error> {
        let body = json!({ "receipt": receipt });
        let call = self
            .agent
            .post(format!("{}{VERIFY}", self.base_url))
            .header("x-api-key", self.key.expose());
        Self::read(format!("POST {VERIFY}\n{body}"), call.send_json(&body)?)
    }

    fn look_up(&self, context: &str, address: &str) -> Result<ApiExchange, ureq::Error> {
        let call = self
            .agent
            .get(format!("{}{LOOK_UP}", self.base_url))
            .query("eoa_address", address)
            .query("context_id", context)
            .header("x-api-key", self.key.expose());
        Self::read(
            format!("GET {LOOK_UP}?eoa_address={address}&context_id={context}"),
            call.call()?,
        )
    }

    fn read(
        request: String,
        mut response: ureq::http::Response<ureq::Body>,
    ) -> Result<ApiExchange, ureq::Error> {
        Ok(ApiExchange {
            request,
            status: response.status().as_u16(),
            body: response.body_mut().read_json()?,
        })
    }
}

fn unanswered(error: &ureq::Error) -> String {
    format!("the service did not answer: {error}")
}
