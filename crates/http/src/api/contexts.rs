//! Contexts of the calling key's client.

use super::mark_replayed;
use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{
    Authorized, NoQuery, Query, RegistryAccess, RequestInput, idempotency_key, read_json,
};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use voight_api::ErrorId;
use voight_api::public::{ChangeContext, ContextView, RegisterContext, RegisteredContext};
use voight_domain::registry::{Actor, ContextChange};
use voight_domain::services::{Registration, RegistrationRequest, ServiceError};
use voight_domain::vocabulary::{ContextId, ContextTitle, IdempotencyKey};

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

/// `POST /api/v1/register/context_id`: registers a context (requirement, section 4.1).
pub(super) async fn register(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, RegistryAccess, RegisterInput>,
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
        .registry
        .register_context(&caller.api_key, request, actor)
        .await?
    {
        Registration::Registered(id) => Ok(created_response(id)),
        Registration::Replayed(id) => Ok(mark_replayed(created_response(id))),
        // The key was revoked while the request was processed.
        Registration::KeyRejected => Err(ErrorId::InvalidKey.into()),
        Registration::KeyReused => Err(ErrorId::IdempotencyKeyReused.into()),
    }
}

/// Parsed change request. All values are validated before the owner of the context is determined.
pub(crate) struct ChangeInput {
    context: ContextId,
    change: ContextChange,
    description: String,
}

impl RequestInput for ChangeInput {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let body: ChangeContext = read_json(request, payload).await?;
        Query::<NoQuery>::parse(request)?;
        let in_words = body.describe();
        let change = body
            .into_change(AppState::from_http_request(request)?.clock.now())
            .map_err(ApiError::invalid)?;
        let context = request
            .match_info()
            .get("context_id")
            .and_then(|id| id.parse().ok());
        Ok(Self {
            context: context.ok_or(ErrorId::UnknownContextForKey)?,
            change,
            description: in_words,
        })
    }
}

/// `PATCH /api/v1/contexts/{context_id}`: changes the settings of a context.
pub(super) async fn change(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, RegistryAccess, ChangeInput>,
) -> Result<HttpResponse, ApiError> {
    let registry = &state.services.registry;
    // The error of any other context is that of one that does not exist.
    registry
        .find_usable_context(&caller.api_key, &input.context)
        .await
        .map_err(api_error)?;
    let ChangeInput {
        context,
        change,
        description: in_words,
    } = input;
    let change_result = registry
        .change_context(
            &context,
            change,
            Actor::Key(caller.api_key.key.id),
            in_words,
        )
        .await;
    Ok(success_in(
        caller.environment(),
        &ContextView::from(&change_result.map_err(api_error)?),
    ))
}

fn api_error(error: ServiceError) -> ApiError {
    match error {
        ServiceError::NotFound(_) => ErrorId::UnknownContextForKey.into(),
        ServiceError::Invalid(message) => ApiError::invalid(message),
        ServiceError::Store(error) => error.into(),
    }
}
