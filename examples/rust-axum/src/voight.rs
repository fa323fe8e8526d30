//! The two calls that decide on a claim: redeem the receipt, then look up the address.

use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

const ATTEMPTS: u64 = 3;
const TIMEOUT: Duration = Duration::from_secs(5);

/// Quest with the service.
pub struct Voight {
    /// Base URL of the service.
    pub url: String,
    /// Context of the quest.
    pub context_id: String,
    api_key: String,
    client: Client,
}

/// Verdict on a wallet whose check was completed just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Human,
    Bot,
    /// No evidence either way.
    Unknown,
}

/// Reason why there is no verdict. A claim without a verdict is not granted.
#[derive(Debug)]
pub enum Failure {
    /// The receipt is missing, used, expired, forged, or for another wallet or quest.
    Receipt,
    /// The service did not answer, or rejected the request.
    Unavailable(String),
}

impl Voight {
    /// Reads the configuration; an error has a line for each missing variable.
    pub fn from_environment() -> Result<Self, String> {
        let needed = [
            ("VOIGHT_URL", "the address of the Voight service, as http://localhost:8080"),
            ("VOIGHT_API_KEY", "the secret key that registered the context"),
            ("VOIGHT_CONTEXT", "the quest's context, as spring_quest.01kanc5xt6f3vq0d9g8m2y7rwb"),
        ];
        let [url, api_key, context_id] = needed.map(|(name, _)| std::env::var(name).unwrap_or_default());
        let absent = needed.iter().zip([&url, &api_key, &context_id]).filter(|(_, value)| value.is_empty());
        let missing: Vec<_> =
            absent.map(|((name, what), _)| format!("{name} is not set: export it, it is {what}.")).collect();
        if !missing.is_empty() {
            return Err(missing.join("\n"));
        }
        let client = Client::builder().timeout(TIMEOUT).build().map_err(|error| error.to_string())?;
        Ok(Self { url: url.trim_end_matches('/').to_owned(), context_id, api_key, client })
    }

    /// Redeems the receipt and looks up the wallet that it is for.
    pub async fn verdict(&self, receipt: &str, address: &str) -> Result<Verdict, Failure> {
        let verify = self.client.post(format!("{}/api/v1/receipts/verify", self.url));
        let redeemed = self.ask(verify.json(&json!({ "receipt": receipt }))).await?;
        let is_for = |member: &str, expected: &str| {
            redeemed[member].as_str().is_some_and(|text| text.eq_ignore_ascii_case(expected))
        };
        let good =
            is_for("status", "valid") && is_for("eoa_address", address) && is_for("context_id", &self.context_id);
        if !good {
            return Err(Failure::Receipt);
        }
        let lookup = self.client.get(format!("{}/api/v1/users/eoa", self.url));
        let found = self.ask(lookup.query(&[("eoa_address", address), ("context_id", &self.context_id)])).await?;
        match (found["isBot"].as_bool(), found["confidence"]["score"].as_f64()) {
            (Some(true), _) => Ok(Verdict::Bot),
            // A score of 0 is no evidence.
            (Some(false), Some(score)) if score > 0.0 => Ok(Verdict::Human),
            (Some(false), Some(_)) => Ok(Verdict::Unknown),
            _ => Err(Failure::Unavailable(format!("not a verdict: {found}"))),
        }
    }

    /// Sends one request. Retries have the same idempotency key, so a lost response costs no receipt and no lookup.
    async fn ask(&self, question: RequestBuilder) -> Result<Value, Failure> {
        let question =
            question.header("x-api-key", &self.api_key).header("idempotency-key", Uuid::new_v4().to_string());
        let mut failure = String::new();
        for attempt in 0..ATTEMPTS {
            tokio::time::sleep(Duration::from_secs(attempt)).await;
            let Some(question) = question.try_clone() else { break };
            failure = match question.send().await {
                Ok(answer) if is_refusal(answer.status()) => return Err(Failure::Receipt),
                Ok(answer) if !is_passing(answer.status()) => return read(answer).await,
                Ok(answer) => format!("the service answered {}", answer.status()),
                Err(error) => error.to_string(),
            };
        }
        Err(Failure::Unavailable(failure))
    }
}

/// Reads the response to a request.
async fn read(answer: Response) -> Result<Value, Failure> {
    let unusable = |error: reqwest::Error| Failure::Unavailable(error.to_string());
    let body: Value = answer.error_for_status().map_err(unusable)?.json().await.map_err(unusable)?;
    Ok(body["data"].clone())
}

/// Returns `true` for rate limits and unavailable services or proxies, which are temporary.
fn is_passing(status: StatusCode) -> bool {
    status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error()
}

/// Returns `true` if the request is invalid for every caller.
fn is_refusal(status: StatusCode) -> bool {
    matches!(status, StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE)
}
