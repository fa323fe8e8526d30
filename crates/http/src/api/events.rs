//! Event feed of the calling key's client.

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorisation, EventAccess, Query, number, page_limit};
use crate::pipeline::{Exchange, Handle};
use crate::shares::ShareLimits;
use crate::state::AppState;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use std::time::Duration;
use voight_api::ErrorId;
use voight_api::public::Events;
use voight_api::public::routes::{EVENT_PAGE, MAX_EVENT_WAIT_SECONDS};
use voight_domain::events::{EventType, EventTypeSet};
use voight_domain::services::{EventError, EventPage, EventQuery};
use voight_domain::vocabulary::{ClientId, Environment};

/// Time between two reads of the store while a request waits.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Waiting requests: a request above a limit is answered at once.
const WAIT_LIMITS: ShareLimits = ShareLimits {
    per_key: 8,
    in_all: 512,
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FeedQuery {
    after: Option<String>,
    types: Option<String>,
    limit: Option<String>,
    wait: Option<String>,
}

/// Parsed request for a page of the feed.
struct FeedInput {
    after: u64,
    types: EventTypeSet,
    limit: usize,
    wait: Duration,
}

impl FeedInput {
    fn parse(request: &HttpRequest) -> Result<Self, ApiError> {
        let Query(query) = Query::<FeedQuery>::parse(request)?;
        let after = number(query.after.as_deref(), 0).ok_or_else(|| {
            ApiError::invalid(
                "after is the number of an event, as the member next of the page before names it.",
            )
        })?;
        let limit = page_limit(query.limit.as_deref(), EVENT_PAGE)?;
        let wait_seconds = number(query.wait.as_deref(), 0)
            .filter(|seconds| *seconds <= MAX_EVENT_WAIT_SECONDS)
            .ok_or_else(|| {
                ApiError::invalid(format!(
                    "wait is a number of seconds from 0 to {MAX_EVENT_WAIT_SECONDS}; the default is 0."
                ))
            })?;
        Ok(Self {
            after,
            types: parse_event_types(query.types.as_deref())?,
            limit,
            wait: Duration::from_secs(wait_seconds),
        })
    }

    const fn query(&self, client: ClientId, environment: Environment, after: u64) -> EventQuery {
        EventQuery {
            client,
            environment,
            after,
            types: self.types,
            limit: self.limit,
        }
    }
}

/// Parses a list of event types that commas separate.
pub(crate) fn parse_event_types(types: Option<&str>) -> Result<EventTypeSet, ApiError> {
    let Some(types) = types else {
        return Ok(EventTypeSet::ALL);
    };
    types
        .split(',')
        .map(str::parse::<EventType>)
        .collect::<Result<_, _>>()
        .map_err(|error| ApiError::invalid(format!("types: {error}.")))
}

/// `GET /api/v1/events`: returns events of the calling key's client, and waits for one if there is none.
pub(super) struct FeedHandler;

impl Handle for FeedHandler {
    type Authority = Authorisation<EventAccess>;

    async fn handle(
        &self,
        exchange: &mut Exchange<'_>,
        Authorisation { caller, .. }: &Authorisation<EventAccess>,
    ) -> Result<HttpResponse, ApiError> {
        let input = FeedInput::parse(exchange.request)?;
        let state = exchange.state;
        let client = caller.api_key.client.id;
        let environment = caller.environment();
        let mut page = read_page(state, input.query(client, environment, input.after)).await?;
        let share = (!input.wait.is_zero() && page.events.is_empty())
            .then(|| state.event_waits.take(client, 1, WAIT_LIMITS).ok())
            .flatten();
        if share.is_some() {
            // A request that waits does no work, so it takes no permit from others.
            exchange.release_permit();
            let deadline = state.monotonic_clock.elapsed() + input.wait;
            while page.events.is_empty() && !state.is_draining() {
                let remaining = deadline.saturating_sub(state.monotonic_clock.elapsed());
                if remaining.is_zero() {
                    break;
                }
                tokio::time::sleep(remaining.min(POLL_INTERVAL)).await;
                let events = &state.services.events;
                if events.has_events_after(client, page.next).await? {
                    page = read_page(state, input.query(client, environment, page.next)).await?;
                }
            }
        }
        Ok(success_in(environment, &Events::from_page(client, &page)))
    }
}

async fn read_page(state: &AppState, query: EventQuery) -> Result<EventPage, ApiError> {
    match state.services.events.page(query).await {
        Ok(page) => Ok(page),
        Err(error @ EventError::Expired { .. }) => Err(ApiError::with_message(
            ErrorId::EventsExpired,
            format!("{error}."),
        )),
        Err(EventError::Store(error)) => Err(error.into()),
    }
}
