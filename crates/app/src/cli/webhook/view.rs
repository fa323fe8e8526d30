//! Tables of webhook endpoints and of their deliveries.

use crate::cli::paging::ListEntry;
use crate::output::{Table, list, minute, optional, printable, second, word};
use std::fmt::Display;
use voight_api::admin::{WebhookDelivery, WebhookEndpoint};

/// Maximum number of characters of a response in a table.
const RESPONSE_CHARS: usize = 80;

impl ListEntry for WebhookEndpoint {
    const CREATE: &'static str = "webhook create CLIENT --url URL";

    fn id(&self) -> String {
        self.id.clone()
    }
}

/// Returns a table of endpoints.
pub(super) fn table(endpoints: &[WebhookEndpoint]) -> Table {
    let mut table = Table::new(["ID", "URL", "ENV", "STATE", "PENDING", "TYPES", "CREATED"])
        .with_numbers([4])
        .with_narrowed([5, 1]);
    for endpoint in endpoints {
        table.row([
            endpoint.id.clone(),
            endpoint.url.clone(),
            endpoint.environment.clone(),
            state(endpoint),
            endpoint.pending.to_string(),
            all_or(&endpoint.types),
            minute(&endpoint.created_at),
        ]);
    }
    table
}

/// Returns a table of one endpoint, with its secret if the response has it.
pub(super) fn record(endpoint: &WebhookEndpoint) -> Table {
    let mut table = Table::default();
    table.row(["id", &endpoint.id]);
    table.row(["url", &endpoint.url]);
    table.row(["environment", &endpoint.environment]);
    table.row(["types", &all_or(&endpoint.types)]);
    table.row(["contexts", &all_or(&endpoint.contexts)]);
    table.row(["signature", &word(&endpoint.signature)]);
    table.row(["state", &state(endpoint)]);
    table.row(["failing since", &time(endpoint.failing_since.as_deref())]);
    table.row(["pending events", &endpoint.pending.to_string()]);
    table.row(["created", &minute(&endpoint.created_at)]);
    table.row(["key rotated", &time(endpoint.rotated_at.as_deref())]);
    if let Some(public_key) = &endpoint.public_key {
        table.row(["public key", public_key]);
    }
    if let Some(secret) = &endpoint.secret {
        table.row(["secret", secret]);
    }
    table
}

/// Returns a table of attempts.
pub(super) fn delivery_table(deliveries: &[WebhookDelivery]) -> Table {
    let headings = ["NO", "AT", "EVENT", "ATTEMPT", "OUTCOME", "MS", "RESPONSE"];
    let mut table = Table::new(headings)
        .with_numbers([0, 2, 3, 5])
        .with_narrowed([6]);
    for delivery in deliveries {
        table.row([
            optional_number(delivery.number),
            second(&delivery.timestamp),
            delivery
                .event
                .map_or_else(|| "test".to_owned(), |event| event.to_string()),
            delivery.attempt.to_string(),
            outcome(delivery),
            delivery.duration_ms.to_string(),
            delivery.response.chars().take(RESPONSE_CHARS).collect(),
        ]);
    }
    table
}

/// Returns a table of the attempt of a test.
pub(super) fn delivery_record(delivery: &WebhookDelivery) -> Table {
    let mut table = Table::default();
    table.row(["outcome", &outcome(delivery)]);
    table.row(["sent", &second(&delivery.timestamp)]);
    table.row(["duration", &format!("{} ms", delivery.duration_ms)]);
    table.row(["response", &printable(&delivery.response)]);
    table
}

/// Formats the outcome of an attempt: the status of the response, or the error.
pub(super) fn outcome(delivery: &WebhookDelivery) -> String {
    match (delivery.status, &delivery.error) {
        (Some(status), _) => format!("status {status}"),
        (None, error) => optional(error.as_deref()),
    }
}

/// Converts values to their texts.
pub(super) fn texts(values: &[impl Display]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

/// Formats the filter of an endpoint as a cell.
fn all_or(names: &[String]) -> String {
    if names.is_empty() {
        "all".to_owned()
    } else {
        list(names)
    }
}

/// Formats the state of an endpoint as a cell, with the reason of a disabled one.
fn state(endpoint: &WebhookEndpoint) -> String {
    match &endpoint.disabled_reason {
        Some(reason) => format!("{}: {}", word(&endpoint.state), word(reason)),
        None => word(&endpoint.state),
    }
}

/// Formats a time as a cell; `-` without one.
fn time(time: Option<&str>) -> String {
    optional(time.map(minute).as_deref())
}

fn optional_number(number: Option<u64>) -> String {
    optional(number.map(|number| number.to_string()).as_deref())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::json;
    use voight_api::public::{WebhookDisabledReason, WebhookState};

    /// Returns an endpoint with this id.
    pub(in super::super) fn endpoint(id: &str) -> WebhookEndpoint {
        let value = json!({
            "id": id, "url": "https://hooks.example/", "environment": "live", "types": [], "contexts": [],
            "signature": "hmac", "state": "active", "pending": 3, "created_at": "2026-11-29T12:00:00Z",
        });
        serde_json::from_value(value).unwrap()
    }

    /// Returns the attempt with this number.
    pub(in super::super) fn delivery(number: u64) -> WebhookDelivery {
        WebhookDelivery {
            number: Some(number),
            test: false,
            event: Some(7),
            attempt: 2,
            timestamp: "2026-11-29T12:00:01.5Z".into(),
            duration_ms: 40,
            status: Some(503),
            error: None,
            response: "later\n".into(),
        }
    }

    #[test]
    fn secret_is_shown_only_if_the_response_has_it() {
        let endpoint = endpoint("01k0ab3c");
        let text = record(&endpoint).to_string();
        assert!(text.contains("types           all"), "{text}");
        assert!(
            !text.contains("secret") && !text.contains("public key"),
            "{text}"
        );
        let created_endpoint = WebhookEndpoint {
            secret: Some("whsec_c2VjcmV0".into()),
            ..endpoint
        };
        let text = record(&created_endpoint).to_string();
        assert!(text.contains("secret          whsec_c2VjcmV0"), "{text}");
        let text = table(&[created_endpoint]).to_string();
        assert!(!text.contains("whsec_"), "{text}");
    }

    #[test]
    fn disabled_endpoint_has_its_reason() {
        let disabled_endpoint = WebhookEndpoint {
            state: WebhookState::Disabled,
            disabled_reason: Some(WebhookDisabledReason::Gone),
            ..endpoint("01k0ab3c")
        };
        let text = table(&[disabled_endpoint]).to_string();
        assert!(text.contains("disabled: gone"), "{text}");
    }

    #[test]
    fn attempts_are_shown_with_their_outcome() {
        let failed_delivery = WebhookDelivery {
            status: None,
            error: Some("timeout".into()),
            test: true,
            event: None,
            ..delivery(8)
        };
        let text = delivery_table(&[failed_delivery, delivery(9)]).to_string();
        let lines: Vec<_> = text.lines().collect();
        assert!(
            lines[1].contains("test") && lines[1].contains("timeout"),
            "{text}"
        );
        for word in ["2026-11-29 12:00:01", "status 503", "later\\n"] {
            assert!(lines[2].contains(word), "{word}: {text}");
        }
    }
}
