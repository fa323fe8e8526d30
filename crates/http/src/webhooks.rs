//! Webhook endpoints: what the public API and the admin API share.

use crate::error::ApiError;
use crate::extract::{number, page_limit};
use crate::shares::{Excess, ShareLimits};
use crate::state::AppState;
use serde::Deserialize;
use voight_api::ErrorId;
use voight_api::public::routes::DELIVERY_PAGE;
use voight_api::public::{WebhookDeliveries, WebhookDelivery, WebhookReplay, encode_event};
use voight_domain::ports::{OutboundError, StoreError};
use voight_domain::registry::Actor;
use voight_domain::services::{EndpointOwner, EndpointServiceError, TestError};
use voight_domain::vocabulary::{ClientId, EndpointId};
use voight_domain::webhooks::EndpointChange;

/// Maximum number of tests of a client in progress.
const TESTS_PER_CLIENT: u64 = 2;
/// Part of the outbound calls that tests may take: one of this number. The others remain for deliveries.
const TEST_PART: u64 = 4;
/// `Retry-After` in seconds for a client with too many tests in progress. Most receivers answer sooner.
const RETRY_AFTER: u32 = 1;

/// Query of a page of the delivery log.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeliveryQuery {
    before: Option<String>,
    limit: Option<String>,
}

/// Parsed query of a page of the delivery log.
#[derive(Debug)]
pub(crate) struct DeliveryPage {
    before: Option<u64>,
    limit: usize,
}

impl DeliveryQuery {
    /// Parses the page.
    pub(crate) fn page(&self) -> Result<DeliveryPage, ApiError> {
        let before = self.before.as_deref().map(|text| {
            number(Some(text), 0)
                .filter(|before| *before > 0)
                .ok_or_else(|| {
                    ApiError::invalid(
                        "before is the number of an attempt, as the member next_before of the page before names it.",
                    )
                })
        });
        Ok(DeliveryPage {
            before: before.transpose()?,
            limit: page_limit(self.limit.as_deref(), DELIVERY_PAGE)?,
        })
    }
}

/// Returns a page of the delivery log of an endpoint.
pub(crate) async fn list_deliveries(
    state: &AppState,
    owner: EndpointOwner,
    id: EndpointId,
    page: &DeliveryPage,
) -> Result<WebhookDeliveries, EndpointServiceError> {
    let endpoints = &state.services.endpoints;
    let deliveries = endpoints
        .deliveries(owner, id, page.before, page.limit)
        .await?;
    Ok(WebhookDeliveries::from_page(&deliveries, page.limit))
}

/// Returns the change that sends the events of a client again.
pub(crate) async fn replay_change(
    state: &AppState,
    client: ClientId,
    replay: WebhookReplay,
) -> Result<EndpointChange, StoreError> {
    Ok(match replay {
        WebhookReplay::Event(event) => EndpointChange::ReplayEvent(event),
        WebhookReplay::After(after) => EndpointChange::ReplayFrom(after.saturating_add(1)),
        WebhookReplay::Since(since) => {
            let endpoints = &state.services.endpoints;
            EndpointChange::ReplayFrom(endpoints.first_event_since(client, since).await?)
        }
    })
}

/// Sends a test to an endpoint, and returns the outcome.
///
/// The caller holds no permit of the request meanwhile: a receiver may take long to answer.
pub(crate) async fn send_test(
    state: &AppState,
    owner: EndpointOwner,
    id: EndpointId,
    actor: &Actor,
) -> Result<WebhookDelivery, ApiError> {
    let limits = test_limits(state.services.deliveries.max_attempts());
    let share = state.webhook_tests.take(owner.client, 1, limits);
    let _share = share.map_err(|excess| match excess {
        Excess::Key => ApiError::rate_limited_because(
            format!(
                "{TESTS_PER_CLIENT} tests of this client are in progress; wait for their responses."
            ),
            RETRY_AFTER,
        ),
        Excess::All => TestError::Busy.into(),
    })?;
    let endpoints = state.services.endpoints.acting_as(actor);
    let endpoint = endpoints.begin_test(owner, id).await?;
    let deliveries = &state.services.deliveries;
    let record = deliveries.test(&endpoint, encode_event).await?;
    Ok(WebhookDelivery::from(&record))
}

/// Returns the limits of tests in progress, of this number of outbound calls.
fn test_limits(max_calls: usize) -> ShareLimits {
    ShareLimits {
        per_key: TESTS_PER_CLIENT,
        in_all: (max_calls as u64 / TEST_PART).max(TESTS_PER_CLIENT),
    }
}

impl From<EndpointServiceError> for ApiError {
    fn from(error: EndpointServiceError) -> Self {
        let message = format!("{error}.");
        match error {
            EndpointServiceError::NotFound => ErrorId::WebhookNotFound.into(),
            EndpointServiceError::TooMany | EndpointServiceError::Replay(_) => {
                Self::with_message(ErrorId::WebhookConflict, message)
            }
            EndpointServiceError::Outbound(OutboundError::Disabled) => {
                ErrorId::WebhooksDisabled.into()
            }
            EndpointServiceError::Outbound(_) | EndpointServiceError::Invalid(_) => {
                Self::invalid(message)
            }
            EndpointServiceError::UnknownEvent(_) => Self::with_message(ErrorId::NotFound, message),
            EndpointServiceError::Store(error) => error.into(),
        }
    }
}

impl From<TestError> for ApiError {
    fn from(error: TestError) -> Self {
        match error {
            TestError::Busy => Self::unavailable_because(format!("{error}.")),
            TestError::Store(error) => error.into(),
        }
    }
}
