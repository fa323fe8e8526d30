//! Contexts.

use super::error::parsed;
use super::query::ContextQuery;
use super::resolve::{context_id, key_id};
use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::ErrorId;
use voight_api::admin::{self, routes};
use voight_domain::ports::ContextFilter;
use voight_domain::registry::{ContextChange, KeyWithClient};
use voight_domain::services::{Registration, RegistrationRequest, RegistryService};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_CONTEXTS, list)
        .add(&routes::CREATE_CONTEXT, register)
        .add(&routes::SHOW_CONTEXT, show)
        .add(&routes::CHANGE_CONTEXT_SETTINGS, change)
        .add(&routes::MOVE_CONTEXT, move_context);
}

/// `GET /admin/v1/contexts`: the contexts of a client, of a key, or all.
async fn list(
    query: Query<ContextQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let filter = filter(&query, &state).await?;
    let context_views: Vec<_> = state
        .services
        .registry
        .all_contexts(filter)
        .await?
        .iter()
        .map(admin::Context::from)
        .collect();
    Ok(success(&context_views))
}

async fn filter(query: &ContextQuery, state: &AppState) -> Result<ContextFilter, ApiError> {
    let registry = &state.services.registry;
    match (query.client.as_deref(), query.key.as_deref()) {
        (None, None) => Ok(ContextFilter::All),
        (Some(name_or_id), None) => Ok(ContextFilter::Client(
            registry.find_client(name_or_id).await?.id,
        )),
        (None, Some(key)) => Ok(ContextFilter::Key(key_id(state, key).await?)),
        (Some(_), Some(_)) => Err(ApiError::invalid(
            "client and key are two ways to narrow the list; give one of them.",
        )),
    }
}

/// `POST /admin/v1/contexts`: registers a context for a key.
async fn register(
    Json(body): Json<admin::NewContext>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let registry = &state.services.registry;
    let request = RegistrationRequest {
        title: parsed("title", &body.title)?,
        idempotency_key: None,
    };
    let api_key = find_key_with_client(registry, &body.key_id).await?;
    match registry
        .register_context(&api_key, request, caller.actor)
        .await?
    {
        Registration::Registered(id) | Registration::Replayed(id) => Ok(success(
            &admin::Context::from(&registry.find_context(&id).await?),
        )),
        Registration::KeyRejected => Err(ApiError::invalid(format!(
            "key_id names a key that is revoked or has expired, and cannot look up verdicts; use an active key, or make a revoked one \
             active again with `voight key rotate --now {}`.",
            body.key_id
        ))),
        // Key reuse is impossible: the request has no idempotency key.
        Registration::KeyReused => Err(ErrorId::Internal.into()),
    }
}

async fn find_key_with_client(
    registry: &RegistryService,
    key: &str,
) -> Result<KeyWithClient, ApiError> {
    let key = registry.resolve_key(key).await?;
    let client = registry.find_client(&key.client.to_string()).await?;
    Ok(KeyWithClient { key, client })
}

/// `GET /admin/v1/contexts/{context}`: one context.
async fn show(
    context: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let context = state.services.registry.resolve_context(&context).await?;
    Ok(success(&admin::Context::from(&context)))
}

/// `PATCH /admin/v1/contexts/{context}`: changes the settings of a context. The body is that of the public API.
async fn change(
    context: web::Path<String>,
    Json(body): Json<admin::ContextPatch>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let patch = body;
    let in_words = patch.describe();
    let change = patch
        .into_change(state.clock.now())
        .map_err(ApiError::invalid)?;
    if change == ContextChange::default() {
        return Err(ApiError::invalid(
            "The request changes nothing: send a setting, or archived.",
        ));
    }
    let registry = &state.services.registry;
    let context_record = registry
        .change_context(
            &context_id(&state, &context).await?,
            change,
            caller.actor,
            in_words,
        )
        .await?;
    Ok(success(&admin::Context::from(&context_record)))
}

/// `POST /admin/v1/contexts/{context}/move`: assigns a context to another key of its client.
async fn move_context(
    context: web::Path<String>,
    Json(body): Json<admin::ContextMove>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let context = context_id(&state, &context).await?;
    let to = key_id(&state, &body.to_key).await?;
    let context_record = state
        .services
        .registry
        .acting_as(&caller.actor)
        .move_context(&context, to, body.reason.as_deref())
        .await?;
    Ok(success(&admin::Context::from(&context_record)))
}
