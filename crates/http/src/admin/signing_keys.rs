//! `GET /admin/v1/signing-keys`: the keys that sign receipts and heads of ledgers; `POST /admin/v1/signing-keys/rotate`: a new
//! one signs from now on.

use super::dto;
use crate::endpoint::operator_endpoint;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, NoQuery, Query};
use crate::state::AppState;
use actix_web::HttpResponse;
use actix_web::web::{self, ServiceConfig};

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(operator_endpoint("/signing-keys", "GET", [web::get().to(list)])).service(operator_endpoint(
        "/signing-keys/rotate",
        "POST",
        [web::post().to(rotate)],
    ));
}

async fn list(_: Query<NoQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let signer = state.services.operator.signer();
    // The one in use is the first.
    let dated = signer.dated_keys().enumerate();
    let shown: Vec<_> = dated.map(|(place, (key, retired))| dto::SigningKey::of(key, place == 0, retired)).collect();
    Ok(success(false, &shown))
}

async fn rotate(_: Json<dto::SigningKeyRotation>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let key = state.services.operator.rotate_signing_key().await?;
    tracing::info!(kid = %key.kid, "a new key signs receipts and heads of ledgers");
    Ok(success(false, &dto::SigningKey::of(&key, true, None)))
}
