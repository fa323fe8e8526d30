//! Requests that create, change and replay webhook endpoints.

use super::WebhookSignature;
use crate::public::serde_fields::{present, present_whole_number};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::ToSchema;
use voight_domain::events::{EventType, EventTypeSet};
use voight_domain::services::NewEndpoint;
use voight_domain::vocabulary::{ClientId, ContextId, Environment, Timestamp};
use voight_domain::webhooks::{
    EndpointChange, EventFilter, FilterChange, MAX_FILTER_CONTEXTS, MAX_URL_LENGTH,
};

// The schemas take only literals.
const _: () = assert!(MAX_URL_LENGTH == 2_000 && MAX_FILTER_CONTEXTS == 100);

/// State that a request may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequestedWebhookState {
    /// Send events; also ends the state `disabled`.
    Active,
    /// Send nothing until the endpoint is active again.
    Paused,
}

/// Endpoint to create.
#[derive(Debug, Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateWebhook {
    /// URL of the receiver, with the scheme https.
    #[schema(min_length = 1, max_length = 2_000)]
    pub url: String,
    /// Types of the events to send. Default, also for an empty list: all types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    /// Contexts of the events to send. Default, also for an empty list: all events, also those without a context.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 100)]
    pub contexts: Vec<String>,
    /// Kind of the signatures, which never changes. Default: `hmac`.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub signature: Option<WebhookSignature>,
}

/// Change of an endpoint. At least one member is present; an absent member keeps its setting.
#[derive(Debug, Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(min_properties = 1)]
pub struct ChangeWebhook {
    /// URL of the receiver, with the scheme https.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_length = 1, max_length = 2_000)]
    pub url: Option<String>,
    /// Types of the events to send; an empty list means all types.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub types: Option<Vec<String>>,
    /// Contexts of the events to send; an empty list means all events, also those without a context.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_items = 100)]
    pub contexts: Option<Vec<String>>,
    /// The new state.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub state: Option<RequestedWebhookState>,
}

/// Events to send again. Exactly one member is present.
#[derive(Debug, Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(min_properties = 1, max_properties = 1)]
pub struct ReplayWebhook {
    /// Number of the one event to send again.
    #[serde(
        default,
        deserialize_with = "present_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    pub event: Option<u64>,
    /// Time from which on all events are sent again.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, format = DateTime)]
    pub since: Option<String>,
    /// Number of the event after which all events are sent again.
    #[serde(
        default,
        deserialize_with = "present_whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    pub after: Option<u64>,
}

/// Parsed range of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookReplay {
    /// The event with this number.
    Event(u64),
    /// All events from this time on.
    Since(Timestamp),
    /// All events after the one with this number.
    After(u64),
}

impl CreateWebhook {
    /// Converts the request, or returns a message if a member is not valid.
    pub fn into_endpoint(
        self,
        client: ClientId,
        environment: Environment,
    ) -> Result<NewEndpoint, String> {
        Ok(NewEndpoint {
            client,
            environment,
            url: self.url,
            filter: EventFilter {
                types: parse_types(&self.types)?,
                contexts: parse_contexts(&self.contexts)?,
            },
            signature_kind: self.signature.map(Into::into).unwrap_or_default(),
        })
    }
}

impl ChangeWebhook {
    /// Converts the change of an endpoint, or returns a message if a member is not valid or none is present.
    pub fn into_changes(self) -> Result<Vec<EndpointChange>, String> {
        let filter_change = FilterChange {
            types: self.types.as_deref().map(parse_types).transpose()?,
            contexts: self.contexts.as_deref().map(parse_contexts).transpose()?,
        };
        let state_change = self.state.map(|state| match state {
            RequestedWebhookState::Active => EndpointChange::Resume,
            RequestedWebhookState::Paused => EndpointChange::Pause,
        });
        let changes = [
            self.url.map(EndpointChange::Url),
            (filter_change != FilterChange::default())
                .then_some(EndpointChange::Filter(filter_change)),
            state_change,
        ];
        let changes: Vec<_> = changes.into_iter().flatten().collect();
        if changes.is_empty() {
            return Err(
                "The request changes nothing: send url, types, contexts or state.".to_owned(),
            );
        }
        Ok(changes)
    }
}

impl ReplayWebhook {
    /// Returns the events to send again, or a message if the members are not exactly one.
    pub fn parse(&self) -> Result<WebhookReplay, String> {
        match (self.event, self.since.as_deref(), self.after) {
            (Some(event), None, None) => Ok(WebhookReplay::Event(event)),
            (None, Some(since), None) => since
                .parse()
                .map(WebhookReplay::Since)
                .map_err(|_| "since is not an RFC 3339 time, such as 2026-11-29T12:00:00Z.".to_owned()),
            (None, None, Some(after)) => Ok(WebhookReplay::After(after)),
            _ => Err(
                "Name exactly one of event (send this event again), since (all events from this time on) and after (all \
                 events after this one)."
                    .to_owned(),
            ),
        }
    }
}

/// Parses names of event types; an empty list means all types.
fn parse_types(names: &[String]) -> Result<EventTypeSet, String> {
    if names.is_empty() {
        return Ok(EventTypeSet::ALL);
    }
    let types = names.iter().map(|name| name.parse::<EventType>());
    types
        .collect::<Result<_, _>>()
        .map_err(|error| format!("types: {error}."))
}

/// Parses ids of contexts.
fn parse_contexts(ids: &[String]) -> Result<BTreeSet<ContextId>, String> {
    let contexts = ids.iter().enumerate().map(|(index, id)| {
        id.parse::<ContextId>()
            .map_err(|_| format!("contexts[{index}] is not the id of a context."))
    });
    contexts.collect()
}
