//! `GET /admin/v1/clients/{client}`: the client of this name or id, with its limits and its balance.

use crate::envelope::success;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;

pub(super) async fn show(
    client: web::Path<String>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let services = &state.services;
    let client = services.registrar.find_client(&client).await?;
    let balance = services
        .billing
        .balance(&client)
        .await?
        .into_iter()
        .map(admin::Money::from)
        .collect();
    let account = admin::Client::from(&client);
    let limits = admin::Limits::from(&services.operator.usage(client).await?);
    Ok(success(&admin::ClientAccount {
        client: account,
        limits,
        balance,
    }))
}
