//! Keys that sign receipts and ledger heads. `GET /admin/v1/signing-keys` lists them; `POST /admin/v1/signing-keys/rotate`
//! creates a new key, which signs from now on.

use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, NoQuery, Query};
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::HttpResponse;
use actix_web::web;
use voight_api::admin::{self, routes};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_SIGNING_KEYS, list)
        .add(&routes::ROTATE_SIGNING_KEY, rotate);
}

async fn list(_: Query<NoQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let signer = state.services.operator.signer();
    let mut keys = signer.dated_keys();
    // The key in use is the first.
    let active = keys.next().map(|(key, _)| admin::SigningKey::active(key));
    let retired_keys = keys.map(|(key, retired_at)| admin::SigningKey::retired(key, retired_at));
    Ok(success(
        &active.into_iter().chain(retired_keys).collect::<Vec<_>>(),
    ))
}

async fn rotate(
    _: Json<admin::SigningKeyRotation>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let key = state
        .services
        .operator
        .acting_as(&caller.actor)
        .rotate_signing_key()
        .await?;
    tracing::info!(event = "signing_key_rotated", kid = %key.kid, "a new key signs receipts and heads of ledgers");
    Ok(success(&admin::SigningKey::active(&key)))
}
