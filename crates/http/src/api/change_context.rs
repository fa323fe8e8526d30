//! `PATCH /api/v1/contexts/{context_id}`: changes the settings of a context.

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RegistryAccess, RequestInput, read_json};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::ErrorId;
use voight_api::public::{ChangeContext, ContextView};
use voight_domain::registry::{Actor, ContextChange};
use voight_domain::services::ServiceError;
use voight_domain::vocabulary::ContextId;

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

pub(super) async fn handle(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<RegistryAccess, ChangeInput>,
) -> Result<HttpResponse, ApiError> {
    let registrar = &state.services.registrar;
    // The error of any other context is that of one that does not exist.
    registrar
        .find_usable_context(&caller.api_key, &input.context)
        .await
        .map_err(api_error)?;
    let ChangeInput {
        context,
        change,
        description: in_words,
    } = input;
    let change_result = registrar
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
