//! Webhook endpoints and their deliveries.

mod requests;

pub use requests::{
    ChangeWebhook, CreateWebhook, ReplayWebhook, RequestedWebhookState, WebhookReplay,
};

use super::Event;
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;
use voight_domain::events::ClientEvent;
use voight_domain::ports::NumberedDelivery;
use voight_domain::services::KeyedEndpoint;
use voight_domain::vocabulary::ClientId;
use voight_domain::webhooks::{
    AttemptOutcome, DeliveryRecord, DisabledReason, EndpointRecord, EndpointState, SignatureKind,
    WebhookId,
};

wire_enum! {
    /// Kind of the signatures of an endpoint.
    WebhookSignature = SignatureKind, "snake_case" {
        /// HMAC-SHA-256: the receiver has the same secret.
        Hmac,
        /// Ed25519: the receiver has the public key.
        Ed25519,
    }
}

wire_enum! {
    /// Reason why the service has disabled an endpoint.
    WebhookDisabledReason = DisabledReason, "snake_case" {
        /// The receiver has answered 410.
        Gone,
        /// Every attempt has failed for five days.
        Failing,
    }
}

/// State of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookState {
    /// Events are sent.
    Active,
    /// The client or an operator has paused the endpoint. Its events are sent when it is active again.
    Paused,
    /// The service has disabled the endpoint. Its events are sent when it is active again.
    Disabled,
}

/// Webhook endpoint: a URL to which events are sent.
#[derive(Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct WebhookEndpoint {
    /// The id.
    #[schema(pattern = "^[0-7][0-9a-hjkmnp-tv-z]{25}$")]
    pub id: String,
    /// URL of the receiver.
    pub url: String,
    /// Environment whose events are sent: `live` or `test`.
    pub environment: String,
    /// Types of the events that are sent; if empty, all types.
    pub types: Vec<String>,
    /// Contexts of the events that are sent; if empty, all events, also those without a context.
    pub contexts: Vec<String>,
    /// Kind of the signatures.
    pub signature: WebhookSignature,
    /// The state.
    pub state: WebhookState,
    /// Reason why the service has disabled the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub disabled_reason: Option<WebhookDisabledReason>,
    /// Time at which the service has disabled the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = DateTime)]
    pub disabled_at: Option<String>,
    /// Time since which every attempt has failed; absent after a success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = DateTime)]
    pub failing_since: Option<String>,
    /// Number of events with an attempt in progress or a retry to come.
    pub pending: usize,
    /// Time of creation.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Time of the last rotation of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = DateTime)]
    pub rotated_at: Option<String>,
    /// Public key that verifies the signatures. Only of the kind `ed25519`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^whpk_[A-Za-z0-9+/]+={0,2}$")]
    pub public_key: Option<String>,
    /// Secret that verifies the signatures. Only of the kind `hmac`, and only in the response to a creation or rotation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, pattern = "^whsec_[A-Za-z0-9+/]+={0,2}$")]
    pub secret: Option<String>,
}

/// Webhook endpoints of a client.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct WebhookEndpoints {
    /// The endpoints, in the order of their creation.
    pub webhooks: Vec<WebhookEndpoint>,
}

/// Attempt to deliver an event or a test.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct WebhookDelivery {
    /// Number of the record in the log of the endpoint. Absent in the response to a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub number: Option<u64>,
    /// `true` for a test, which delivers no event.
    #[serde(default)]
    pub test: bool,
    /// Number of the event; absent for a test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub event: Option<u64>,
    /// Number of the attempt, from 1.
    #[schema(minimum = 1)]
    pub attempt: u8,
    /// Time of the attempt.
    #[schema(format = DateTime)]
    pub timestamp: String,
    /// Time until the outcome in milliseconds.
    pub duration_ms: u64,
    /// HTTP status of the response; 200 to 299 mean success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub status: Option<u16>,
    /// Error of an attempt without a response: `target_rejected`, `name_unresolved`, `unreachable`, `tls`, `timeout` or
    /// `broken_answer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<String>,
    /// The first 4,096 bytes of the response as text, or a description of the error.
    pub response: String,
}

/// Page of the delivery log of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct WebhookDeliveries {
    /// The attempts, newest first.
    pub deliveries: Vec<WebhookDelivery>,
    /// Value of `before` for the next page; null on the last page.
    pub next_before: Option<u64>,
}

/// Confirmation of a deletion.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub struct DeletedWebhook {
    /// The id of the endpoint that was deleted.
    pub id: String,
}

/// Returns the body of a delivery: the event as in the feed, or a test, which is in no feed, with its own id.
pub fn encode_event(id: &WebhookId, client: ClientId, event: &ClientEvent) -> Vec<u8> {
    let body = Event {
        id: id.to_string(),
        ..Event::from_event(client, event)
    };
    // Serialising a struct of plain values cannot fail.
    serde_json::to_vec(&body).unwrap_or_default()
}

impl WebhookEndpoint {
    /// Builds the view of an endpoint with the key of its receiver, which is secret for the kind `hmac`.
    pub fn with_key(keyed_endpoint: &KeyedEndpoint) -> Self {
        let view = Self::without_secret(keyed_endpoint);
        let is_secret = keyed_endpoint.record.endpoint.signature_kind == SignatureKind::Hmac;
        Self {
            secret: is_secret.then(|| keyed_endpoint.receiver_key.clone()),
            ..view
        }
    }

    /// Builds the view of an endpoint without its secret.
    pub fn without_secret(
        KeyedEndpoint {
            record,
            receiver_key,
        }: &KeyedEndpoint,
    ) -> Self {
        let is_public = record.endpoint.signature_kind == SignatureKind::Ed25519;
        Self {
            public_key: is_public.then(|| receiver_key.clone()),
            ..Self::from_record(record)
        }
    }

    fn from_record(
        EndpointRecord {
            endpoint, delivery, ..
        }: &EndpointRecord,
    ) -> Self {
        let (state, disabled_reason, disabled_at) = match endpoint.state {
            EndpointState::Active => (WebhookState::Active, None, None),
            EndpointState::Paused => (WebhookState::Paused, None, None),
            EndpointState::Disabled { reason, at } => {
                (WebhookState::Disabled, Some(reason), Some(at))
            }
        };
        let types = endpoint.filter.types.types().unwrap_or_default();
        let contexts = &endpoint.filter.contexts;
        Self {
            id: endpoint.id.to_string(),
            url: endpoint.url.clone(),
            environment: endpoint.environment.label().to_owned(),
            types: types.iter().map(ToString::to_string).collect(),
            contexts: contexts.iter().map(ToString::to_string).collect(),
            signature: endpoint.signature_kind.into(),
            state,
            disabled_reason: disabled_reason.map(Into::into),
            disabled_at: disabled_at.map(|at| at.to_string()),
            failing_since: delivery.failure_run.map(|run| run.since.to_string()),
            pending: delivery.pending.len(),
            created_at: endpoint.created_at.to_string(),
            rotated_at: endpoint.rotated_at.map(|at| at.to_string()),
            public_key: None,
            secret: None,
        }
    }
}

impl fmt::Debug for WebhookEndpoint {
    /// Omits the secret, so that no log line can contain it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookEndpoint")
            .field("id", &self.id)
            .field("url", &self.url)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl From<&DeliveryRecord> for WebhookDelivery {
    fn from(record: &DeliveryRecord) -> Self {
        let error = match record.outcome {
            AttemptOutcome::Failed(error) => Some(error.to_string()),
            AttemptOutcome::Answered { .. } => None,
        };
        Self {
            number: None,
            test: record.is_test(),
            event: record.delivery_attempt().map(|attempt| attempt.event),
            attempt: record.attempt,
            timestamp: record.at.to_string(),
            duration_ms: u64::try_from(record.duration.as_millis()).unwrap_or(u64::MAX),
            status: record.outcome.status(),
            error,
            response: record.response.clone(),
        }
    }
}

impl From<&NumberedDelivery> for WebhookDelivery {
    fn from(delivery: &NumberedDelivery) -> Self {
        Self {
            number: Some(delivery.number),
            ..Self::from(&delivery.record)
        }
    }
}

impl WebhookDeliveries {
    /// Builds the page of at most `limit` records.
    pub fn from_page(page: &[NumberedDelivery], limit: usize) -> Self {
        let last = page
            .last()
            .filter(|last| page.len() >= limit && last.number > 1);
        Self {
            deliveries: page.iter().map(WebhookDelivery::from).collect(),
            next_before: last.map(|last| last.number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use voight_domain::webhooks::{AttemptError, RetrySchedule};

    const GUIDE: &str = include_str!("../../../../docs/guides/receive-webhooks.md");

    fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
        let (_, rest) = text.split_once(begin).unwrap();
        rest.split_once(end).unwrap().0
    }

    #[test]
    fn examples_of_the_guide_are_valid() {
        let request: CreateWebhook = serde_json::from_str(between(GUIDE, "-d '", "'\n")).unwrap();
        let response: Value = serde_json::from_str(between(GUIDE, "```json\n", "```")).unwrap();
        let endpoint: WebhookEndpoint = serde_json::from_value(response["data"].clone()).unwrap();
        assert_eq!(json!(endpoint), response["data"], "no member is unknown");
        assert_eq!((endpoint.url, endpoint.types), (request.url, request.types));
        let replays = GUIDE
            .lines()
            .filter_map(|line| line.strip_prefix("| `{"))
            .map(|row| format!("{{{}", row.split('`').next().unwrap()));
        let replay_forms: Vec<_> = replays
            .map(|json| serde_json::from_str::<ReplayWebhook>(&json).unwrap())
            .map(|replay| replay.parse().is_ok())
            .collect();
        assert_eq!(replay_forms, [true; 3]);
    }

    #[test]
    fn guide_lists_every_error_and_delay() {
        for error in AttemptError::ALL {
            assert!(GUIDE.contains(&format!("\n| `{error}` | ")), "{error}");
        }
        let table = between(GUIDE, "since the one before |\n|---|---|\n", "\n\n");
        let delays: Vec<_> = table.lines().map(|row| between(row, " | ", " |")).collect();
        let seconds = |delay: &str| match delay.split_once(' ') {
            Some((count, unit)) => {
                let factor = match unit {
                    "s" => 1,
                    "min" => 60,
                    _ => 3600,
                };
                count.parse::<u64>().unwrap() * factor
            }
            None => 0,
        };
        let listed_delays: Vec<_> = delays.into_iter().map(seconds).collect();
        assert_eq!(
            listed_delays,
            RetrySchedule::DELAYS.map(|delay| delay.as_secs())
        );
    }

    #[test]
    fn debug_output_hides_the_secret() {
        let response: Value = serde_json::from_str(between(GUIDE, "```json\n", "```")).unwrap();
        let endpoint: WebhookEndpoint = serde_json::from_value(response["data"].clone()).unwrap();
        assert!(endpoint.secret.is_some());
        assert!(!format!("{endpoint:?}").contains("whsec_"));
    }
}
