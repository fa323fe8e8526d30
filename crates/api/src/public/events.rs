//! Event feed.

use super::lookup::{ConfidenceBody, LookupResponse};
use serde::Serialize;
use utoipa::ToSchema;
use voight_domain::events::{ClientEvent, EventSubject, FeedPosition};
use voight_domain::invoicing::InvoiceId;
use voight_domain::services::EventPage;
use voight_domain::vocabulary::ClientId;

/// Page of events.
#[derive(Debug, Serialize, ToSchema)]
pub struct Events {
    /// The events, in order.
    pub events: Vec<Event>,
    /// Value of `after` for the next page. Store it after the events of this page are processed.
    pub next: u64,
    /// `true` if there was no later event.
    pub done: bool,
}

/// Event: something of the client changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Event {
    /// Id of the event, which is the same in every delivery.
    #[schema(pattern = "^[0-7][0-9a-hjkmnp-tv-z]{25}-[1-9][0-9]*$")]
    pub id: String,
    /// Number within the client, from 1, without gaps.
    #[schema(minimum = 1)]
    pub number: u64,
    /// Type of the event. Ignore types that you do not know: a later version may add some.
    #[serde(rename = "type")]
    pub event_type: &'static str,
    /// Time of the change.
    #[schema(format = DateTime)]
    pub timestamp: String,
    /// The changed object.
    pub data: EventData,
}

/// Object of an event. Members that do not apply to its type are absent.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct EventData {
    /// `live`, or `sandbox`.
    pub environment: &'static str,
    /// The context.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub context_id: Option<String>,
    /// The address; absent also after its erasure.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub eoa_address: Option<String>,
    /// The new answer, if the address was looked up in this context before. Without it, look the address up.
    #[serde(rename = "isBot", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub is_bot: Option<bool>,
    /// Certainty of the new answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub confidence: Option<ConfidenceBody>,
    /// The API key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub key_id: Option<String>,
    /// The ledger row that raised an alert of usage.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub row: Option<u64>,
    /// The invoice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub invoice_id: Option<String>,
    /// The snapshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub snapshot_id: Option<String>,
    /// The webhook endpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub endpoint_id: Option<String>,
}

impl Events {
    /// Builds the response from a page of the client's feed.
    pub fn from_page(client: ClientId, page: &EventPage) -> Self {
        Self {
            events: page
                .events
                .iter()
                .map(|event| Event::from_event(client, event))
                .collect(),
            next: page.next,
            done: page.is_last,
        }
    }
}

impl Event {
    /// Builds an event of this client.
    pub fn from_event(client: ClientId, event: &ClientEvent) -> Self {
        Self {
            id: FeedPosition {
                client,
                number: event.number,
            }
            .to_string(),
            number: event.number,
            event_type: event.event.event_type.as_str(),
            timestamp: event.at.to_string(),
            data: EventData {
                environment: event.event.environment.label(),
                ..EventData::from_subject(client, &event.event.subject)
            },
        }
    }
}

impl EventData {
    fn from_subject(client: ClientId, subject: &EventSubject) -> Self {
        match subject {
            EventSubject::Verdict {
                context,
                address,
                answer,
            } => {
                let answer = answer.map(LookupResponse::from);
                Self {
                    context_id: Some(context.to_string()),
                    eoa_address: address.map(|address| address.to_string()),
                    is_bot: answer.as_ref().map(|answer| answer.is_bot),
                    confidence: answer.map(|answer| answer.confidence),
                    ..Self::default()
                }
            }
            EventSubject::Context(context) => Self {
                context_id: Some(context.to_string()),
                ..Self::default()
            },
            EventSubject::Key(key) => Self {
                key_id: Some(key.to_string()),
                ..Self::default()
            },
            EventSubject::Ledger(seq) => Self {
                row: Some(*seq),
                ..Self::default()
            },
            EventSubject::Invoice(number) => Self {
                invoice_id: Some(
                    InvoiceId {
                        client,
                        number: *number,
                    }
                    .to_string(),
                ),
                ..Self::default()
            },
            EventSubject::Snapshot(snapshot) => Self {
                snapshot_id: Some(snapshot.to_string()),
                ..Self::default()
            },
            EventSubject::Endpoint(endpoint) => Self {
                endpoint_id: Some(endpoint.to_string()),
                ..Self::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use voight_domain::events::EventType;

    #[test]
    fn guide_lists_every_event_type() {
        let guide = include_str!("../../../../docs/guides/follow-events.md");
        let listed_types: Vec<_> = guide
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .map(|row| {
                row.rsplit_once(" |")
                    .and_then(|(row, _)| row.rsplit_once(" | "))
            })
            .map(|columns| columns.map(|(columns, _)| columns.to_owned()))
            .collect();
        let types: Vec<_> = EventType::ALL
            .iter()
            .map(|event_type| Some(format!("{event_type}` | {}", event_type.meaning())))
            .collect();
        assert_eq!(listed_types, types);
    }
}
