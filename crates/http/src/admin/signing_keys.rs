//! Keys that sign receipts and ledger heads. `GET /admin/v1/signing-keys` lists them; `POST /admin/v1/signing-keys/rotate`
//! creates a new key, which signs from now on.

use super::caller::Caller;
use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, NoQuery, Query};
use crate::state::AppState;
use actix_web::HttpResponse;
use actix_web::web;
use voight_api::admin::{self, routes};

pub(super) fn configure(routes: &mut Routes) {
    routes.add(&routes::LIST_SIGNING_KEYS, list).add(&routes::ROTATE_SIGNING_KEY, rotate);
}

async fn list(_: Query<NoQuery>, state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let signer = state.services.operator.signer();
    // The key in use is the first.
    let dated = signer.dated_keys().enumerate();
    let shown: Vec<_> =
        dated.map(|(place, (key, retired))| admin::SigningKey::from_public_key(key, place == 0, retired)).collect();
    Ok(success(false, &shown))
}

async fn rotate(
    _: Json<admin::SigningKeyRotation>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let key = state.services.operator.acting_as(&caller.actor).rotate_signing_key().await?;
    tracing::info!(kid = %key.kid, "a new key signs receipts and heads of ledgers");
    Ok(success(false, &admin::SigningKey::from_public_key(&key, true, None)))
}
