//! Named admin tokens: `/admin/v1/tokens`, and `GET /admin/v1/token` for the token of the request itself.

use super::error::parsed;
use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin::{self, routes};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::SHOW_OWN_TOKEN, own)
        .add(&routes::LIST_TOKENS, list)
        .add(&routes::CREATE_TOKEN, create)
        .add(&routes::ROTATE_TOKEN, rotate)
        .add(&routes::REVOKE_TOKEN, revoke);
}

/// Returns the token that authenticated the request.
async fn own(caller: Caller) -> Result<HttpResponse, ApiError> {
    Ok(success(&admin::OwnToken {
        name: caller.name().map(str::to_owned),
        role: caller.role.to_string(),
    }))
}

/// Lists all tokens, including revoked ones, without their secrets.
async fn list(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let tokens = state.services.admin_tokens.list().await?;
    Ok(success(
        &tokens
            .iter()
            .map(admin::NamedToken::from)
            .collect::<Vec<_>>(),
    ))
}

/// Creates a token. Only this response contains its text.
async fn create(
    Json(body): Json<admin::NewAdminToken>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let name = parsed("name", &body.name)?;
    let role = parsed("role", &body.role)?;
    let issued_token = state
        .services
        .admin_tokens
        .acting_as(&caller.actor)
        .create(name, role)
        .await?;
    Ok(success(&admin::IssuedAdminToken::from(&issued_token)))
}

/// Issues a new secret of a token. The old secret becomes invalid immediately.
async fn rotate(
    token: web::Path<String>,
    Json(admin::AdminTokenRotation {}): Json<admin::AdminTokenRotation>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let issued_token = state
        .services
        .admin_tokens
        .acting_as(&caller.actor)
        .rotate(&token)
        .await?;
    Ok(success(&admin::IssuedAdminToken::from(&issued_token)))
}

/// Revokes a token permanently.
async fn revoke(
    token: web::Path<String>,
    Json(admin::AdminTokenRevocation {}): Json<admin::AdminTokenRevocation>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let token_record = state
        .services
        .admin_tokens
        .acting_as(&caller.actor)
        .revoke(&token)
        .await?;
    Ok(success(&admin::NamedToken::from(&token_record)))
}
