//! `POST /api/v1/register/context_id`: registers a context (requirement, section 4.1).

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, Query, RegistryAccess, RequestInput, idempotency_key, read_json};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use voight_api::ErrorId;
use voight_api::public::{RegisterContext, RegisteredContext};
use voight_domain::registry::Actor;
use voight_domain::services::{Registration, RegistrationRequest};
use voight_domain::vocabulary::{ContextId, ContextTitle, IdempotencyKey};

use super::mark_replayed;

const ROUTE: &str = "register";

/// Query parameters that are accepted and ignored. The requirement lists the lookup's parameters here too (section 4.1, rule
/// 3), without a use for them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct IgnoredQuery {
    #[serde(rename = "eoa_address")]
    _address: Option<String>,
    #[serde(rename = "context_id")]
    _context: Option<String>,
}

/// Parsed registration request.
pub(crate) struct RegisterInput {
    title: ContextTitle,
    idempotency_key: Option<IdempotencyKey>,
}

impl RequestInput for RegisterInput {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let body: RegisterContext = read_json(request, payload).await?;
        Query::<IgnoredQuery>::parse(request)?;
        let idempotency_key = idempotency_key(request)?;
        let title = body.context_title.parse();
        let title = title
            .map_err(|error| ApiError::with_message(ErrorId::InvalidTitle, format!("{error}.")))?;
        Ok(Self {
            title,
            idempotency_key,
        })
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<RegistryAccess, RegisterInput>,
) -> Result<HttpResponse, ApiError> {
    let locks = &state.idempotency_locks;
    let _guard = locks
        .acquire_if_present(
            caller.api_key.client.id,
            ROUTE,
            input.idempotency_key.as_ref(),
        )
        .await?;
    let request = RegistrationRequest {
        title: input.title,
        idempotency_key: input.idempotency_key,
    };
    let actor = Actor::Key(caller.api_key.key.id);
    let created_response = |id: ContextId| {
        success_in(
            caller.environment(),
            &RegisteredContext {
                context_id: id.to_string(),
            },
        )
    };
    match state
        .services
        .registrar
        .register_context(&caller.api_key, request, actor)
        .await?
    {
        Registration::Registered(id) => Ok(created_response(id)),
        Registration::Replayed(id) => Ok(mark_replayed(created_response(id))),
        // The key was revoked while the request was processed.
        Registration::KeyRefused => Err(ErrorId::InvalidKey.into()),
        Registration::KeyReused => Err(ErrorId::IdempotencyKeyReused.into()),
    }
}
