//! Webhook endpoints of a client.

use super::error::{not_found, parsed};
use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, NoQuery, Query};
use crate::operator::Caller;
use crate::state::AppState;
use crate::webhooks::{DeliveryQuery, list_deliveries, replay_change, send_test};
use actix_web::{HttpResponse, web};
use voight_api::ErrorId;
use voight_api::admin::{self, routes};
use voight_api::public::{CreateWebhook, WebhookEndpoint};
use voight_domain::ports::OutboundError;
use voight_domain::services::{EndpointOwner, EndpointServiceError};
use voight_domain::vocabulary::{EndpointId, Environment};
use voight_domain::webhooks::EndpointChange;

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_WEBHOOKS, list)
        .add(&routes::CREATE_WEBHOOK, create)
        .add(&routes::SHOW_WEBHOOK, show)
        .add(&routes::CHANGE_WEBHOOK, change)
        .add(&routes::DELETE_WEBHOOK, delete)
        .add(&routes::ROTATE_WEBHOOK, rotate)
        .add(&routes::TEST_WEBHOOK, test)
        .add(&routes::REPLAY_WEBHOOK, replay)
        .add(&routes::LIST_WEBHOOK_DELIVERIES, deliveries);
}

/// Path of a webhook endpoint: the client's name or id, and the id of the endpoint.
type EndpointPath = web::Path<(String, String)>;

/// Returns the endpoints of a client in both environments.
async fn owner(state: &AppState, client: &str) -> Result<EndpointOwner, ApiError> {
    let client = state.services.registry.find_client(client).await?;
    Ok(EndpointOwner {
        client: client.id,
        environment: None,
    })
}

/// Resolves the path of a webhook endpoint. The error of a text that is not an id is that of an endpoint that does not exist.
async fn resolve(
    state: &AppState,
    path: EndpointPath,
) -> Result<(EndpointOwner, EndpointId), ApiError> {
    let (client, id) = path.into_inner();
    let owner = owner(state, &client).await?;
    let id = id.parse();
    Ok((
        owner,
        id.map_err(|_| for_operators(EndpointServiceError::NotFound))?,
    ))
}

/// `GET /admin/v1/clients/{client}/webhooks`: the endpoints of a client, in the order of their creation.
async fn list(
    client: web::Path<String>,
    _: Query<NoQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let owner = owner(&state, &client).await?;
    let endpoints = &state.services.endpoints;
    let records = endpoints.list(owner).await?;
    let views: Vec<_> = records
        .into_iter()
        .map(|record| WebhookEndpoint::without_secret(&endpoints.with_key(record)))
        .collect();
    Ok(success(&views))
}

/// `POST /admin/v1/clients/{client}/webhooks`: creates an endpoint. Only this response and that to a rotation contain the secret.
async fn create(
    client: web::Path<String>,
    Json(body): Json<admin::NewWebhook>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let environment = match &body.environment {
        Some(text) => parsed("environment", text)?,
        None => Environment::Live,
    };
    let owner = owner(&state, &client).await?;
    let new_endpoint = CreateWebhook::from(body)
        .into_endpoint(owner.client, environment)
        .map_err(ApiError::invalid)?;
    let endpoints = state.services.endpoints.acting_as(&caller.actor);
    let keyed_endpoint = endpoints
        .create(new_endpoint)
        .await
        .map_err(for_operators)?;
    Ok(success(&WebhookEndpoint::with_key(&keyed_endpoint)))
}

/// `GET /admin/v1/clients/{client}/webhooks/{webhook}`: an endpoint.
async fn show(
    path: EndpointPath,
    _: Query<NoQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (owner, id) = resolve(&state, path).await?;
    let endpoints = &state.services.endpoints;
    let record = endpoints.get(owner, id).await.map_err(for_operators)?;
    let keyed_endpoint = endpoints.with_key(record);
    Ok(success(&WebhookEndpoint::without_secret(&keyed_endpoint)))
}

/// `PATCH /admin/v1/clients/{client}/webhooks/{webhook}`: changes an endpoint.
async fn change(
    path: EndpointPath,
    Json(body): Json<admin::ChangeWebhook>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (owner, id) = resolve(&state, path).await?;
    let changes = body.into_changes().map_err(ApiError::invalid)?;
    let endpoints = state.services.endpoints.acting_as(&caller.actor);
    let keyed_endpoint = endpoints
        .change(owner, id, changes)
        .await
        .map_err(for_operators)?;
    Ok(success(&WebhookEndpoint::without_secret(&keyed_endpoint)))
}

/// `DELETE /admin/v1/clients/{client}/webhooks/{webhook}`: deletes an endpoint with its delivery log.
async fn delete(
    path: EndpointPath,
    _: Query<NoQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (owner, id) = resolve(&state, path).await?;
    let endpoints = state.services.endpoints.acting_as(&caller.actor);
    endpoints.delete(owner, id).await.map_err(for_operators)?;
    Ok(success(&admin::DeletedWebhook { id: id.to_string() }))
}

/// `POST /admin/v1/clients/{client}/webhooks/{webhook}/rotate`: replaces the key of an endpoint.
async fn rotate(
    path: EndpointPath,
    _: Query<NoQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (owner, id) = resolve(&state, path).await?;
    let endpoints = state.services.endpoints.acting_as(&caller.actor);
    let changes = vec![EndpointChange::Rotate];
    let keyed_endpoint = endpoints
        .change(owner, id, changes)
        .await
        .map_err(for_operators)?;
    Ok(success(&WebhookEndpoint::with_key(&keyed_endpoint)))
}

/// `POST /admin/v1/clients/{client}/webhooks/{webhook}/test`: sends a test at once, and returns the outcome.
async fn test(
    path: EndpointPath,
    _: Query<NoQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let (owner, id) = resolve(&state, path).await?;
    let delivery = send_test(&state, owner, id, &caller.actor).await;
    Ok(success(&delivery.map_err(for_operators)?))
}

/// `POST /admin/v1/clients/{client}/webhooks/{webhook}/replay`: sends events again.
async fn replay(
    path: EndpointPath,
    Json(body): Json<admin::ReplayWebhook>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let replay = body.parse().map_err(ApiError::invalid)?;
    let (owner, id) = resolve(&state, path).await?;
    let change = replay_change(&state, owner.client, replay).await?;
    let endpoints = state.services.endpoints.acting_as(&caller.actor);
    let changes = vec![change];
    let keyed_endpoint = endpoints
        .change(owner, id, changes)
        .await
        .map_err(for_operators)?;
    Ok(success(&WebhookEndpoint::without_secret(&keyed_endpoint)))
}

/// `GET /admin/v1/clients/{client}/webhooks/{webhook}/deliveries`: a page of the delivery log, newest first.
async fn deliveries(
    path: EndpointPath,
    query: Query<DeliveryQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let page = query.page()?;
    let (owner, id) = resolve(&state, path).await?;
    let deliveries = list_deliveries(&state, owner, id, &page).await;
    Ok(success(&deliveries.map_err(for_operators)?))
}

/// Converts an error to the rows of the admin API, whose operations share theirs.
fn for_operators(error: impl Into<ApiError>) -> ApiError {
    let error = error.into();
    match error.id() {
        ErrorId::WebhookNotFound => not_found("webhook endpoint of this client with this id"),
        ErrorId::WebhookConflict => {
            ApiError::with_message(ErrorId::Conflict, error.message().to_owned())
        }
        ErrorId::WebhooksDisabled => {
            ApiError::with_message(ErrorId::Conflict, format!("{}.", OutboundError::Disabled))
        }
        _ => error,
    }
}
