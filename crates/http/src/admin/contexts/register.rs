//! `POST /admin/v1/contexts`: registers a context for a key.

use crate::admin::caller::Caller;
use crate::admin::error::parsed;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::ErrorId;
use voight_api::admin;
use voight_domain::registry::KeyWithClient;
use voight_domain::services::{Registration, RegistrationRequest, RegistryService};

pub(super) async fn register(
    Json(body): Json<admin::NewContext>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let registrar = &state.services.registrar;
    let request = RegistrationRequest {
        title: parsed("title", &body.title)?,
        idempotency_key: None,
    };
    let api_key = find_key_with_client(registrar, &body.key_id).await?;
    match registrar
        .register_context(&api_key, request, caller.actor)
        .await?
    {
        Registration::Registered(id) | Registration::Replayed(id) => Ok(success(
            &admin::Context::from(&registrar.find_context(&id).await?),
        )),
        Registration::KeyRefused => Err(ApiError::invalid(format!(
            "key_id names a key that is revoked or has expired, and cannot look up verdicts; use an active key, or make a revoked one \
             active again with `voight key rotate --now {}`.",
            body.key_id
        ))),
        // Key reuse is impossible: the request has no idempotency key.
        Registration::KeyReused => Err(ErrorId::Internal.into()),
    }
}

async fn find_key_with_client(
    registrar: &RegistryService,
    key: &str,
) -> Result<KeyWithClient, ApiError> {
    let key = registrar.resolve_key(key).await?;
    let client = registrar.find_client(&key.client.to_string()).await?;
    Ok(KeyWithClient { key, client })
}
