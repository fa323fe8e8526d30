//! Events of clients in a stream for operators.

use crate::public::Event;
use serde::Serialize;
use utoipa::ToSchema;
use voight_domain::services::TailEvent;

/// Event of a client: the data of a server-sent event. Its `event` is the type, its `id` a cursor.
#[derive(Debug, Serialize, ToSchema)]
pub struct TailedEvent {
    /// Id of the client.
    pub client_id: String,
    /// Name of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub client_name: Option<String>,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

impl From<&TailEvent> for TailedEvent {
    fn from(event: &TailEvent) -> Self {
        Self {
            client_id: event.client.to_string(),
            client_name: event.client_name.as_ref().map(ToString::to_string),
            event: Event::from_event(event.client, &event.event),
        }
    }
}
