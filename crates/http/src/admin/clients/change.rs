//! `PATCH /admin/v1/clients/{client}`: changes the client of this name or id.

use crate::admin::caller::Caller;
use crate::admin::error::parsed_list;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin;
use voight_domain::registry::ClientChange;
use voight_domain::vocabulary::Origin;

pub(super) async fn change(
    client: web::Path<String>,
    Json(body): Json<admin::ClientPatch>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    // Every member is validated before anything is changed.
    let changes = changes(body)?;
    let registrar = state.services.registrar.acting_as(&caller.actor);
    let mut client = registrar.find_client(&client).await?;
    for change in changes {
        client = registrar.change_client(client.id, change).await?;
    }
    Ok(success(&admin::Client::from(&client)))
}

fn changes(patch: admin::ClientPatch) -> Result<Vec<ClientChange>, ApiError> {
    let status = patch
        .status
        .map(|status| ClientChange::Status(status.into()));
    let origins = match patch.origins {
        Some(origins) => Some(ClientChange::Origins(parsed_list::<Origin, _>(
            "origins", &origins,
        )?)),
        None => None,
    };
    if patch.lookup_rate == Some(admin::NullablePatch::Set(0)) {
        return Err(ApiError::invalid(
            "lookup_rate is at least 1 a second; suspend the client to stop its lookups.",
        ));
    }
    let rate = patch
        .lookup_rate
        .map(|rate| ClientChange::LookupRate(rate.into_option()));
    let contexts = patch
        .contexts
        .map(|access| ClientChange::Contexts(access.into()));
    let changes: Vec<_> = [status, origins, rate, contexts]
        .into_iter()
        .flatten()
        .collect();
    if changes.is_empty() {
        return Err(ApiError::invalid(
            "The request changes nothing: send status, origins, lookup_rate or contexts.",
        ));
    }
    Ok(changes)
}
