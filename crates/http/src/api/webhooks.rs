//! `/api/v1/webhooks`: endpoints to which the events of a client are sent.

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{
    Authorisation, Authorized, Caller, NoQuery, Query, RequestInput, WebhookAccess, read_json,
};
use crate::pipeline::{Exchange, Handle};
use crate::state::AppState;
use crate::webhooks::{DeliveryPage, DeliveryQuery, list_deliveries, replay_change, send_test};
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::de::DeserializeOwned;
use voight_api::ErrorId;
use voight_api::public::{
    ChangeWebhook, CreateWebhook, DeletedWebhook, ReplayWebhook, WebhookEndpoint, WebhookEndpoints,
    WebhookReplay,
};
use voight_domain::registry::Actor;
use voight_domain::services::{EndpointOwner, EndpointService};
use voight_domain::vocabulary::EndpointId;
use voight_domain::webhooks::EndpointChange;

/// Body of a request without a query.
pub(super) struct BodyInput<T>(T);

impl<T: DeserializeOwned + 'static> RequestInput for BodyInput<T> {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let body = read_json(request, payload).await?;
        Query::<NoQuery>::parse(request)?;
        Ok(Self(body))
    }
}

/// Id of an endpoint in the path; `None` if the text is not an id.
pub(super) struct EndpointInput(Option<EndpointId>);

impl EndpointInput {
    fn parse(request: &HttpRequest) -> Self {
        let id = request.match_info().get("id");
        Self(id.and_then(|id| id.parse().ok()))
    }

    /// Returns the id. The error of a text that is not an id is that of an endpoint that does not exist.
    fn id(&self) -> Result<EndpointId, ApiError> {
        self.0.ok_or_else(|| ErrorId::WebhookNotFound.into())
    }
}

impl RequestInput for EndpointInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        Query::<NoQuery>::parse(request)?;
        Ok(Self::parse(request))
    }
}

/// Parsed change of an endpoint.
pub(super) struct ChangeInput {
    endpoint: EndpointInput,
    changes: Vec<EndpointChange>,
}

impl RequestInput for ChangeInput {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let BodyInput(body) = BodyInput::<ChangeWebhook>::read(request, payload).await?;
        Ok(Self {
            endpoint: EndpointInput::parse(request),
            changes: body.into_changes().map_err(ApiError::invalid)?,
        })
    }
}

/// Parsed replay of events.
pub(super) struct ReplayInput {
    endpoint: EndpointInput,
    replay: WebhookReplay,
}

impl RequestInput for ReplayInput {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let BodyInput(body) = BodyInput::<ReplayWebhook>::read(request, payload).await?;
        Ok(Self {
            endpoint: EndpointInput::parse(request),
            replay: body.parse().map_err(ApiError::invalid)?,
        })
    }
}

/// Parsed request for a page of the delivery log.
pub(super) struct DeliveriesInput {
    endpoint: EndpointInput,
    page: DeliveryPage,
}

impl RequestInput for DeliveriesInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        let Query(query) = Query::<DeliveryQuery>::parse(request)?;
        Ok(Self {
            endpoint: EndpointInput::parse(request),
            page: query.page()?,
        })
    }
}

/// Returns the endpoints that a caller may see and change.
const fn owner(caller: &Caller) -> EndpointOwner {
    EndpointOwner {
        client: caller.api_key.client.id,
        environment: Some(caller.environment()),
    }
}

/// Returns the actor of a caller's changes.
const fn actor(caller: &Caller) -> Actor {
    Actor::Key(caller.api_key.key.id)
}

/// Returns the service for changes by a caller.
fn endpoints_as(state: &AppState, caller: &Caller) -> EndpointService {
    state.services.endpoints.acting_as(&actor(caller))
}

/// `POST /api/v1/webhooks`: creates an endpoint. Only this response and that to a rotation contain the secret.
pub(super) async fn create(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: BodyInput(request),
        ..
    }: Authorized<'_, WebhookAccess, BodyInput<CreateWebhook>>,
) -> Result<HttpResponse, ApiError> {
    let environment = caller.environment();
    let new_endpoint = request
        .into_endpoint(caller.api_key.client.id, environment)
        .map_err(ApiError::invalid)?;
    let keyed_endpoint = endpoints_as(&state, caller).create(new_endpoint).await?;
    let view = WebhookEndpoint::with_key(&keyed_endpoint);
    Ok(success_in(environment, &view))
}

/// `GET /api/v1/webhooks`
pub(super) async fn list(
    state: web::Data<AppState>,
    Authorized { caller, .. }: Authorized<'_, WebhookAccess, NoQuery>,
) -> Result<HttpResponse, ApiError> {
    let endpoints = &state.services.endpoints;
    let records = endpoints.list(owner(caller)).await?;
    let views = records
        .into_iter()
        .map(|record| WebhookEndpoint::without_secret(&endpoints.with_key(record)));
    let webhooks = views.collect();
    Ok(success_in(
        caller.environment(),
        &WebhookEndpoints { webhooks },
    ))
}

/// `GET /api/v1/webhooks/{id}`
pub(super) async fn show(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, WebhookAccess, EndpointInput>,
) -> Result<HttpResponse, ApiError> {
    let endpoints = &state.services.endpoints;
    let record = endpoints.get(owner(caller), input.id()?).await?;
    let view = WebhookEndpoint::without_secret(&endpoints.with_key(record));
    Ok(success_in(caller.environment(), &view))
}

/// `PATCH /api/v1/webhooks/{id}`
pub(super) async fn change(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: ChangeInput { endpoint, changes },
        ..
    }: Authorized<'_, WebhookAccess, ChangeInput>,
) -> Result<HttpResponse, ApiError> {
    let keyed_endpoint = endpoints_as(&state, caller)
        .change(owner(caller), endpoint.id()?, changes)
        .await?;
    let view = WebhookEndpoint::without_secret(&keyed_endpoint);
    Ok(success_in(caller.environment(), &view))
}

/// `DELETE /api/v1/webhooks/{id}`
pub(super) async fn delete(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, WebhookAccess, EndpointInput>,
) -> Result<HttpResponse, ApiError> {
    let id = input.id()?;
    endpoints_as(&state, caller)
        .delete(owner(caller), id)
        .await?;
    let deleted_webhook = DeletedWebhook { id: id.to_string() };
    Ok(success_in(caller.environment(), &deleted_webhook))
}

/// `POST /api/v1/webhooks/{id}/rotate`: replaces the key. Only this response and that to a creation contain the secret.
pub(super) async fn rotate(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, WebhookAccess, EndpointInput>,
) -> Result<HttpResponse, ApiError> {
    let keyed_endpoint = endpoints_as(&state, caller)
        .change(owner(caller), input.id()?, vec![EndpointChange::Rotate])
        .await?;
    let view = WebhookEndpoint::with_key(&keyed_endpoint);
    Ok(success_in(caller.environment(), &view))
}

/// `POST /api/v1/webhooks/{id}/replay`
pub(super) async fn replay(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: ReplayInput { endpoint, replay },
        ..
    }: Authorized<'_, WebhookAccess, ReplayInput>,
) -> Result<HttpResponse, ApiError> {
    let change = replay_change(&state, caller.api_key.client.id, replay).await?;
    let keyed_endpoint = endpoints_as(&state, caller)
        .change(owner(caller), endpoint.id()?, vec![change])
        .await?;
    let view = WebhookEndpoint::without_secret(&keyed_endpoint);
    Ok(success_in(caller.environment(), &view))
}

/// `GET /api/v1/webhooks/{id}/deliveries`
pub(super) async fn deliveries(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: DeliveriesInput { endpoint, page },
        ..
    }: Authorized<'_, WebhookAccess, DeliveriesInput>,
) -> Result<HttpResponse, ApiError> {
    let page = list_deliveries(&state, owner(caller), endpoint.id()?, &page).await?;
    Ok(success_in(caller.environment(), &page))
}

/// `POST /api/v1/webhooks/{id}/test`: sends a test at once, and returns the outcome.
pub(super) struct TestHandler;

impl Handle for TestHandler {
    type Authority = Authorisation<WebhookAccess>;

    async fn handle(
        &self,
        exchange: &mut Exchange<'_>,
        Authorisation { caller, .. }: &Authorisation<WebhookAccess>,
    ) -> Result<HttpResponse, ApiError> {
        Query::<NoQuery>::parse(exchange.request)?;
        let id = EndpointInput::parse(exchange.request).id()?;
        // A request that waits for the receiver takes no permit from others; the number of tests is limited instead.
        exchange.release_permit();
        let delivery = send_test(exchange.state, owner(caller), id, &actor(caller)).await?;
        Ok(success_in(caller.environment(), &delivery))
    }
}
